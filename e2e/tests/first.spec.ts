// The first view: drawn while the page was built, small, and the same as what the module draws, which comes when a person
// shows up. What they do before it is there is not lost.
import { gzipSync } from "node:zlib";
import type { Locator, Page, Response } from "@playwright/test";
import { expect, open, test, wake } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

test.use({ person: false });

const MODULE = /highwater_bg-[0-9a-f]+\.wasm$/;
const app = (page: Page): Locator => page.locator("#app");

/** Opens the page without a person in it. */
async function view(page: Page, query = ""): Promise<void> {
  await page.goto(`./${query}`);
  await expect(page.locator("#app[data-first]")).toBeAttached();
}

/** The module waits until it is let go. */
async function held(page: Page): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const free = new Promise<void>((done) => (release = done));
  await page.route(MODULE, async (route) => {
    await free;
    await route.continue();
  });
  return async () => {
    release();
    await expect(page.locator("#app:not([data-first], [aria-busy])")).toBeAttached();
  };
}

/** Everything in the document as text, attribute by attribute, and what the fields hold. */
const whole = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const lines: string[] = [];
    const visit = (node: Node, depth: number): void => {
      const indent = " ".repeat(depth);
      if (node instanceof Text) {
        if (node.parentElement?.id !== "script-text") lines.push(`${indent}${node.data}`);
      } else if (node instanceof Element) {
        // What a field holds is told below; the markup that it began with is no matter.
        // Of axe and of screenshots an empty style is left.
        const own = [...node.attributes].filter(({ name, value }) => !(name === "value" && node.id === "scrubber") && `${name}=${value}` !== "style=");
        const attributes = own.map(({ name, value }) => `${name}="${value}"`).sort();
        lines.push(`${indent}<${node.tagName} ${attributes.join(" ")}>`);
        for (const child of node.childNodes) visit(child, depth + 1);
      }
    };
    visit(document.getElementById("app") as Element, 0);
    for (const id of ["scrubber", "script-text", "language", "theme"]) lines.push(`${id}: ${(document.getElementById(id) as HTMLInputElement).value}`);
    lines.push(document.title, document.documentElement.lang, document.documentElement.dataset["theme"] ?? "");
    // The marks of the first view itself.
    return lines.map((line) => line.replace(/ data-(first|loading|title|width)="[^"]*"/g, "").replace(/^(<DIV) .*id="app".*/, "$1>"));
  });

test("without a person no module is fetched, and no more than 150 KB", async ({ page }) => {
  const answers: Response[] = [];
  page.on("response", (answer) => answers.push(answer));
  await view(page);
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(500);
  const names = answers.map((answer) => new URL(answer.url()).pathname.split("/").pop() ?? "");
  expect(names.filter((name) => name.endsWith(".wasm") || name.startsWith("highwater-"))).toEqual([]);
  let bytes = 0;
  for (const answer of answers) bytes += gzipSync(await answer.body(), { level: 9 }).length;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(150_000);
  const module = page.waitForRequest(MODULE);
  await page.mouse.move(200, 200);
  await module;
  await wake(page);
});

test("another width of the window wakes the page, and its picture fits again", async ({ page }) => {
  await view(page);
  const width = await page.locator("#drawing").getAttribute("width");
  const size = page.viewportSize();
  if (!size) throw new Error("no viewport");
  await page.setViewportSize({ width: size.width - 60, height: size.height });
  await expect(page.locator("#drawing")).not.toHaveAttribute("width", width ?? "");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

for (const lang of ["en", "ko", "zh"]) {
  test(`the first view is what the module draws, and nothing moves: ${lang}`, async ({ page }, info) => {
    await page.addInitScript(() => {
      const moved: number[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    await view(page, `?lang=${lang}&utm_source=chat`);
    const width = await app(page).getAttribute("data-width");
    const room = await page.locator("#pair").evaluate((pair) => {
      const { paddingLeft, paddingRight } = getComputedStyle(pair);
      return pair.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    });
    expect(Number(width)).toBe(room);
    const before = await whole(page);
    expect(before.length).toBeGreaterThan(500);
    await wake(page);
    await page.waitForTimeout(300);
    expect(await whole(page)).toEqual(before);
    const moved = await page.evaluate(() => (window as unknown as { moved: number[] }).moved);
    expect(moved.reduce((sum, each) => sum + each, 0)).toBeLessThan(0.005);
    // The same page as the module makes it from nothing, for a link.
    await open(page, `?view=timelines&lang=${lang}&v=1`);
    await expect(page.locator("#drawing .leostair").first()).toBeAttached();
    await expect.poll(() => whole(page)).toEqual(before);
    // To look at, and for those who cannot; a picture of the whole page takes another window, so it comes last.
    await view(page, `?lang=${lang}`);
    await expectAccessible(page);
    await screenshot(page, info, `first-${lang}`);
  });
}

for (const [group, value, part] of [
  ["acks", "all", "acks=all"],
  ["min.insync.replicas", "1", "min.insync.replicas=1"],
  ["Unclean election", "on", "unclean.leader.election.enable=true"],
  ["ELR", "off", "eligible.leader.replicas=off"],
] as const) {
  test(`a first click on a toggle has its effect: ${group}`, async ({ page }) => {
    const release = await held(page);
    await view(page);
    const line = page.locator(".settings-line");
    const choice = page.getByRole("group", { name: group }).getByText(value, { exact: true });
    // On a phone the first click opens the settings.
    const phone = await line.isVisible();
    await (phone ? line : choice).click();
    await expect(app(page)).toHaveAttribute("aria-busy", "true");
    await release();
    if (phone) await choice.click();
    await expect.poll(() => new URL(page.url()).search).toContain(part);
    await expect(page.getByRole("group", { name: group }).getByRole("radio", { name: value, exact: true })).toBeChecked();
  });
}

test("what was clicked before the module came is done in its order", async ({ page }, info) => {
  const release = await held(page);
  await view(page);
  await page.locator("#script-button").click();
  await page.locator("#record-2").click();
  await page.locator("#record-1").click();
  await page.locator("#theme").selectOption("dark");
  await expect(page.locator("#script")).toBeHidden();
  await page.waitForTimeout(600);
  await screenshot(page, info, "first-busy");
  await expectAccessible(page);
  await release();
  await expect(page.locator("#script")).toBeVisible();
  await expect(page.locator("#record-1")).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("#record-2")).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("keys that were pressed before the module came move the playhead as they do after", async ({ page }) => {
  const keys = ["Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"];
  const scrubber = page.locator("#scrubber");
  await open(page);
  await scrubber.focus();
  for (const key of keys) await page.keyboard.press(key);
  const there = await scrubber.getAttribute("aria-valuetext");
  const release = await held(page);
  await view(page);
  await expect(scrubber).not.toHaveAttribute("aria-valuetext", there ?? "");
  await scrubber.focus();
  for (const key of keys) await page.keyboard.press(key);
  await release();
  await expect(scrubber).toHaveAttribute("aria-valuetext", there ?? "");
  await expect(scrubber).toBeFocused();
});

test("Tab and Enter as the first acts reach a button and press it", async ({ page }) => {
  const release = await held(page);
  await view(page);
  await page.keyboard.press("Tab");
  await expect(page.locator(".skip")).toBeFocused();
  await page.locator("#add-button").focus();
  await page.keyboard.press("Tab");
  await expect(page.locator("#script-button")).toBeFocused();
  await page.keyboard.press("Enter");
  await release();
  await expect(page.locator("#script")).toBeVisible();
  await expect(page.locator("#script-button")).toBeFocused();
});

test("a drag on the scrubber that began before the module came goes on", async ({ page }) => {
  const release = await held(page);
  await view(page);
  const scrubber = page.locator("#scrubber");
  await scrubber.scrollIntoViewIfNeeded();
  await scrubber.evaluate((element) => Object.assign(element, { mine: true }));
  const box = await scrubber.boundingBox();
  if (!box) throw new Error("no scrubber");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, y, { steps: 4 });
  const half = Number(await scrubber.inputValue());
  await release();
  const seen = await scrubber.getAttribute("aria-valuetext");
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await expect(scrubber).not.toHaveAttribute("aria-valuetext", seen ?? "");
  await page.mouse.up();
  expect(Number(await scrubber.inputValue())).toBeGreaterThan(half + 1_000);
  expect(await scrubber.evaluate((element) => "mine" in element)).toBe(true);
});

test("a click into the picture before the module came moves the playhead there", async ({ page }) => {
  const scrubber = page.locator("#scrubber");
  const click = async (): Promise<void> => {
    await page.locator("#drawing").evaluate((drawing) => scrollTo(0, scrollY + drawing.getBoundingClientRect().top - 40));
    const box = await page.locator("#drawing").boundingBox();
    await page.mouse.click((box?.x ?? 0) + 4, (box?.y ?? 0) + 150);
  };
  await open(page);
  await click();
  const there = await scrubber.getAttribute("aria-valuetext");
  const release = await held(page);
  await view(page);
  await expect(scrubber).not.toHaveAttribute("aria-valuetext", there ?? "");
  await click();
  await release();
  await expect(scrubber).toHaveAttribute("aria-valuetext", there ?? "");
});

test("a module that does not come is said in words, and the first view stays", async ({ page, watched }, info) => {
  watched.expected.push(/404/, /console error/);
  await page.route(MODULE, (route) => route.fulfill({ status: 404, body: "" }));
  await view(page, "?lang=ko");
  const before = await page.locator("#drawing").innerHTML();
  await page.locator("#record-2").click();
  await expect(page.getByRole("alert").first()).toContainText("Highwater를 불러오지 못했습니다");
  await expect(page.getByRole("alert").first()).toBeInViewport();
  expect(await page.locator("#drawing").innerHTML()).toBe(before);
  await expect(app(page)).not.toHaveAttribute("aria-busy", /./);
  // What would change nothing cannot be changed.
  await expect(page.locator("#settings input").first()).toBeDisabled();
  await expect(page.locator("#language")).toBeDisabled();
  await expect(page.getByRole("link", { name: "다시 시도" })).toBeVisible();
  await expectAccessible(page, ["region"]);
  await screenshot(page, info, "first-failed");
});

test("a first view that does not come is the module's @once", async ({ page, watched }) => {
  watched.expected.push(/404/, /console error/);
  await page.route(/\/first\//, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./");
  await expect(page.locator("#drawing .leostair").first()).toBeAttached();
  await expect(page.locator(".ans")).toHaveText("1 acknowledged record was lost: m3.");
});

test("where storage throws, the first view is there without the tour @once", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await view(page);
  const before = await whole(page);
  await wake(page);
  expect(await whole(page)).toEqual(before);
});

test("the language is the one that the module chooses, and the theme the one that was kept @once", async ({ browser, baseURL }) => {
  for (const [locale, kept, query, tag] of [
    ["ko-KR", null, "", "ko"],
    ["zh-TW", null, "", "en"],
    ["zh-Hans-SG", null, "", "zh-Hans"],
    ["de-DE", null, "", "en"],
    ["ko-KR", "zh-Hans", "", "zh-Hans"],
    ["ko-KR", "nonsense", "", "ko"],
    ["en-GB", "ko", "?lang=zh&fbclid=x", "zh-Hans"],
    ["en-GB", null, "?lang=zh-TW", "en"],
  ] as const) {
    const page = await browser.newPage({ locale, baseURL: baseURL ?? "" });
    await page.addInitScript((language) => {
      localStorage.setItem("highwater.theme", "dark");
      if (language) localStorage.setItem("highwater.language", language);
    }, kept);
    await view(page, query);
    const html = page.locator("html");
    await expect(html, `${locale} ${kept} ${query}`).toHaveAttribute("lang", tag);
    await expect(html).toHaveAttribute("data-theme", "dark");
    const before = await whole(page);
    await wake(page);
    expect(await whole(page), `${locale} ${kept} ${query}`).toEqual(before);
    await page.close();
  }
});

test("an address that asks for more is the module's at once @once", async ({ page }) => {
  for (const query of ["?acks=all", "?lang=xx", "?lang=en&lang=ko", "?at=5", "?v=2", "?scenario=state-e&v=1"]) {
    const module = page.waitForRequest(MODULE);
    await page.goto(`./${query}`);
    await module;
    await expect(page.locator("#drawing .leostair").first()).toBeAttached();
  }
});

test("no width of a window scrolls sideways @once", async ({ page }) => {
  await view(page);
  for (const width of [320, 360, 390, 600, 768, 900, 960, 1100]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(wide, `at ${width} px`).toBeLessThanOrEqual(width);
  }
});

test("a field that is changed without pointer and keys is a first act too, and a setting leaves the title in its language @once", async ({ page }) => {
  await view(page);
  await page.locator("#language").selectOption("ko");
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await expect(page.locator("#title")).toHaveText("혼자서 한 ack");
  await page.locator('#settings input[value="all"]').evaluate((field: HTMLInputElement) => field.click());
  await expect(page.locator(".ans").first()).not.toContainText("유실");
  await expect(page.locator("#title")).toHaveText("혼자서 한 ack");
});
