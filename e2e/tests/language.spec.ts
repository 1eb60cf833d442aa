// The page in its three languages: what the browser asks for, what the reader chooses, what stays when it changes.
import type { Locator, Page } from "@playwright/test";
import { expect, open, set, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

const language = (page: Page): Locator => page.locator("#language");
const LANGUAGES = [
  { tag: "en", locale: "en-GB", answer: "1 acknowledged record was lost: m3.", play: "Play" },
  { tag: "ko", locale: "ko-KR", answer: /유실.*m3/, play: "재생" },
  { tag: "zh-Hans", locale: "zh-CN", answer: /m3/, play: "播放" },
] as const;

for (const { tag, locale, answer, play } of LANGUAGES) {
  test.describe(`a browser in ${locale}`, () => {
    test.use({ locale });
    test("the page opens in its language, light and dark", async ({ page }, info) => {
      await open(page);
      await expect(page.locator("html")).toHaveAttribute("lang", tag);
      await expect(language(page)).toHaveValue(tag);
      await expect(page.locator(".ans")).toHaveText(answer);
      await expect(page.getByRole("button", { name: play, exact: true })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await expectAccessible(page);
      await screenshot(page, info, `language-${tag}`);
      await page.locator("#theme").selectOption("dark");
      await expectAccessible(page);
      await screenshot(page, info, `language-${tag}-dark`);
    });
  });
}

test.describe("a browser in a language that the page does not have", () => {
  test.use({ locale: "de-DE" });
  test("the page is in English @once", async ({ page }) => {
    await open(page);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  });
});

test("another language keeps the playhead, the selection and everything typed", async ({ page }) => {
  await open(page);
  await set(page, "acks", "all");
  await page.locator("#script-button").click();
  const typed = "# mine\ntitle Meins\nset acks=all\nat 0ms produce\nat 10ms prodcue\n";
  await page.locator("#script-text").fill(typed);
  await page.locator("#record-2").click();
  await page.locator("#scrubber").focus();
  await page.keyboard.press("Home");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  const place = await page.locator("#scrubber").inputValue();
  for (const { tag, play } of [LANGUAGES[1], LANGUAGES[2], LANGUAGES[0]]) {
    await language(page).focus();
    await language(page).selectOption(tag);
    await expect(page.locator("html")).toHaveAttribute("lang", tag);
    await expect(page.getByRole("button", { name: play, exact: true })).toBeVisible();
    await expect(language(page)).toBeFocused();
    await expect(page.locator("#script-text")).toHaveValue(typed);
    await expect(page.locator("#script-errors li")).toHaveCount(1);
    await expect(page.locator("#record-2")).toHaveAttribute("aria-pressed", "true");
    expect(await page.locator("#scrubber").inputValue()).toBe(place);
    await expect(page.locator("#set-retries, #acks-all").first()).toBeAttached();
    await expect(page.locator("#acks-all")).toBeChecked();
    await expect(page.locator("#drawing .leostair").first()).toBeAttached();
  }
  // It is alive after the change: the picture follows a new width, and what is pressed does what it says.
  await page.locator("#script-text").fill(typed.replace("prodcue", "produce"));
  await expect(page.locator("#script-errors li")).toHaveCount(0);
  const size = page.viewportSize();
  if (!size) throw new Error("no viewport");
  const before = await page.locator("#drawing").getAttribute("width");
  await page.setViewportSize({ width: size.width - 60, height: size.height });
  await expect(page.locator("#drawing")).not.toHaveAttribute("width", before ?? "");
  await page.locator("#undo").click();
  await expect(page.locator("#script-text")).not.toHaveValue(/at 10ms produce/);
});

test("the choice of language and theme is kept, and the address wins over it @once", async ({ page }) => {
  await open(page);
  await language(page).selectOption("ko");
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await page.locator("#theme").selectOption("dark");
  await page.reload();
  await expect(page.locator("#boot")).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("#theme")).toHaveValue("dark");
  await open(page, "?lang=zh");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-Hans");
  await expect(page).toHaveTitle(/^(?!.*acknowledged).*m3.* · Highwater$/);
});

test("where storage throws, language and theme work all the same @once", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await open(page);
  await expect(page.locator(".ans")).toHaveText("1 acknowledged record was lost: m3.");
  await page.locator("#theme").selectOption("dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await language(page).selectOption("ko");
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await expect(page.locator("#theme")).toHaveValue("dark");
  await page.locator("#theme").selectOption("auto");
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", /./);
});

test("a language that does not come is said, and the page stays as it was @once", async ({ page, watched }) => {
  watched.expected.push(/404/, /Failed to load/);
  await open(page);
  await page.route(/ko\.txt/, (route) => route.fulfill({ status: 404, body: "" }));
  await language(page).selectOption("ko");
  await expect(page.locator("#r-failed")).toContainText("HTTP 404");
  await expect(language(page)).toHaveValue("en");
  await expect(page.locator(".ans")).toHaveText("1 acknowledged record was lost: m3.");
  await expectAccessible(page);
  await page.route(/zh\.txt/, (route) => route.fulfill({ status: 200, body: "nonsense" }));
  await language(page).selectOption("zh-Hans");
  await expect(page.locator("#r-failed")).toContainText("another version");
  await page.unroute(/ko\.txt/);
  await language(page).selectOption("ko");
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await expect(page.locator("#r-failed")).toBeEmpty();
});
