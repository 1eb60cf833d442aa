// Lessons as a reader takes them: by mouse, by keys only, on a phone, in three languages, with and without scripts.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

const SLUG = "the-fetch-is-the-ack";
const at = (language: string, query = "", slug = SLUG) => `./lessons/${language}/${slug}/${query}`;
const step = (page: Page, number: number): Locator => page.locator(`#step-${number}`);
const check = (page: Page, number: number): Locator => page.locator(`#ask-${number} .btn.main`);

async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over, "nothing widens the page").toBeLessThanOrEqual(0);
}

for (const [language, next, wrong, right] of [
  ["en", "Next", "Not so. You said HW 2; the run says HW 1.", "Right: HW 1."],
  ["ko", "다음", "아니다. 고른 답: HW 2. 실행 결과: HW 1.", "맞다. HW 1."],
  ["zh", "下一步", "不对。你选的是 HW 2，运行结果是 HW 1。", "正确：HW 1。"],
] as const) {
  test(`from start to end, wrong and right (${language})`, async ({ page }, info) => {
    await page.goto(at(language));
    await expect(page.locator("html")).toHaveAttribute("lang", language === "zh" ? "zh-Hans" : language);
    await expect(step(page, 1)).toBeVisible();
    await expect(step(page, 2)).toBeHidden();
    await expectAccessible(page);
    await step(page, 1).getByRole("link", { name: next, exact: true }).click();

    // An order, wrong first: its last event stands on top.
    await expect(step(page, 2).locator(".order li")).toHaveCount(4);
    await fits(page);
    await check(page, 2).click();
    await expect(step(page, 2).locator(".judged")).not.toHaveClass(/good/);
    await expect(step(page, 2).locator(".reason.mine")).toHaveCount(1);
    await expectAccessible(page);
    await screenshot(page, info, `lesson-order-${language}`);
    await step(page, 2).locator("[data-again]").click();
    for (const rank of [0, 1, 2, 3]) {
      const item = step(page, 2).locator(`.order li[data-rank="${rank}"]`);
      while ((await item.evaluate((li) => [...li.parentElement!.children].indexOf(li))) > rank) {
        await item.locator('[data-move="-1"]').click();
      }
    }
    await check(page, 2).click();
    await expect(step(page, 2).locator(".judged")).toHaveClass(/good/);
    await step(page, 2).getByRole("link", { name: next, exact: true }).click();

    // The HW of a follower: a wrong offset gets the sentence for that offset, then the right one.
    const spots = step(page, 3).getByRole("radio");
    await expect(spots).toHaveCount(4);
    await step(page, 3).locator(".spot").nth(2).click();
    await check(page, 3).click();
    await expect(step(page, 3).locator(".judged")).toHaveText(wrong);
    await expect(step(page, 3).locator(".reason.mine")).toContainText("612 ms");
    await expect(step(page, 3).locator(".guess")).toBeVisible();
    await fits(page);
    await expectAccessible(page);
    await screenshot(page, info, `lesson-hw-${language}`);
    await step(page, 3).locator("[data-again]").click();
    await step(page, 3).locator(".spot").nth(1).click();
    await check(page, 3).click();
    await expect(step(page, 3).locator(".judged")).toHaveText(right);
    await step(page, 3).getByRole("link", { name: next, exact: true }).click();

    await expect(step(page, 4).locator(".one")).toHaveCount(2);
    await fits(page);
    await screenshot(page, info, `lesson-two-${language}`);
    await step(page, 4).getByRole("link", { name: next, exact: true }).click();
    await expect(step(page, 5).locator(".take-away")).toBeVisible();
    await expectAccessible(page);

    // The index knows that it is done.
    await page.goto(`./lessons/${language}/`);
    await expect(page.locator(`li[data-slug="${SLUG}"]`)).toHaveClass(/done/);
    await fits(page);
    await expectAccessible(page);
    await screenshot(page, info, `lesson-index-${language}`);
  });
}

test("every lesson: each step fits, each question answers", async ({ page }) => {
  test.setTimeout(600_000);
  await page.goto("./lessons/ko/");
  const links = await page.locator(".path li:not(.coming) > div > a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) {
    await page.goto(`./lessons/ko/${link}`);
    const steps = Number(await page.locator("main").getAttribute("data-steps"));
    for (let number = 1; number <= steps; number += 1) {
      await expect(step(page, number), `${link} ${number}`).toBeVisible();
      await fits(page);
      if (await page.locator(`#ask-${number}`).count()) {
        const first = step(page, number).locator(".spot input").first();
        if (await first.count()) await first.check({ force: true });
        await check(page, number).click();
        await expect(step(page, number).locator(".judged"), `${link} ${number}`).not.toBeEmpty();
        await expect(step(page, number).locator(".key")).toBeVisible();
        await fits(page);
      }
      if (number < steps) await step(page, number).locator(`.turn [data-go="${number + 1}"]`).click();
    }
    await expectAccessible(page);
  }
});

test("by keys only", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  // From the top of the page to the mark on the axis.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name") ?? "");
  for (let presses = 0; presses < 40 && (await focused()) !== "c-3"; presses += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(step(page, 3).locator(".judged")).toHaveText("Not so. You said HW 2; the run says HW 1.");
  await expect(step(page, 3).locator(".judged")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(step(page, 3).getByRole("radio", { name: "HW 2" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(step(page, 3).locator(".judged")).toHaveText("Right: HW 1.");
  // An order by arrow keys.
  await page.goto(at("en", "?step=2"));
  const first = step(page, 2).locator(".order li").first();
  const said = await first.locator("span").textContent();
  await first.locator("button").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(step(page, 2).locator(".order li").nth(2)).toContainText(said ?? "");
});

test("the mark is dragged along the offsets", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  const box = async (place: number) => (await step(page, 3).locator(".spot").nth(place).boundingBox())!;
  const [from, to] = [await box(3), await box(1)];
  await step(page, 3).locator(".spots").scrollIntoViewIfNeeded();
  const [start, end] = [await box(3), await box(1)];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height - 30);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2 + 6, end.y + end.height - 60, { steps: 5 });
  await page.mouse.up();
  expect(from.x).toBeGreaterThan(to.x);
  await expect(step(page, 3).getByRole("radio", { name: "HW 1" })).toBeChecked();
});

test("a link opens a step, a reload keeps the answer, back goes back @once", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  await expect(step(page, 3)).toBeVisible();
  await step(page, 3).locator("[data-show]").click();
  await expect(step(page, 3).locator(".key")).toContainText("HW 1");
  await page.reload();
  await expect(step(page, 3).locator(".key")).toBeVisible();
  await step(page, 3).getByRole("link", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/step=4/);
  await expect(page.locator("#h-4")).toBeFocused();
  await page.goBack();
  await expect(step(page, 3)).toBeVisible();
  await page.goto(at("en", "#step-2"));
  await expect(step(page, 2)).toBeVisible();
  await page.goto(at("en", "?step=99"));
  await expect(step(page, 1)).toBeVisible();
});

test("nothing chosen is said, and nothing is shown @once", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  await check(page, 3).click();
  await expect(step(page, 3).locator(".judged")).toHaveText("Choose something first.");
  await expect(step(page, 3).locator(".answer")).not.toHaveAttribute("open");
});

test("what is hidden is not in the page's accessible text before the answer @once", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  const seen = () => step(page, 3).innerText();
  expect(await seen()).not.toContain("still 1");
  await step(page, 3).locator("[data-show]").click();
  expect(await seen()).toContain("still 1");
});

test("storage that throws, or holds rubbish, changes nothing @once", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new Error("no storage here");
      },
    });
  });
  await page.goto(at("en", "?step=3"));
  await step(page, 3).locator(".spot").nth(1).click();
  await check(page, 3).click();
  await expect(step(page, 3).locator(".judged")).toHaveText("Right: HW 1.");
});

for (const rubbish of ["[1]", "{", "null", '{"the-fetch-is-the-ack":7}', '{"the-fetch-is-the-ack":{"seen":3,"picks":{"3":["99"],"2":[1,2]}}}']) {
  test(`rubbish in storage: ${rubbish} @once`, async ({ page }) => {
    await page.addInitScript((text) => localStorage.setItem("highwater.lessons", text), rubbish);
    await page.goto(at("en", "?step=3"));
    await expect(step(page, 3).locator(".judged")).toHaveText("");
    await check(page, 3).click();
    await expect(step(page, 3).locator(".judged")).toHaveText("Choose something first.");
  });
}

test("the lab comes only when it is asked for @once", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(at("en", "?step=5"));
  expect(asked.filter((url) => url.endsWith(".wasm"))).toEqual([]);
  await page.locator("[data-lab]").click();
  const lab = page.frameLocator(".lab-frame");
  await expect(lab.getByRole("heading", { level: 1 })).toBeVisible();
  const link = await page.getByRole("link", { name: "Open it in the lab" }).getAttribute("href");
  expect(link).toMatch(/^\.\.\/\.\.\/\.\.\/\?script=/);
});

test("the first load of a lesson is small @once", async ({ page }) => {
  const sizes: number[] = [];
  page.on("response", async (response) => sizes.push((await response.body()).length));
  await page.goto(at("ko"), { waitUntil: "networkidle" });
  // Uncompressed: markup, styles and script; gzip makes a sixth of it.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
});

test("as a widget it has no header @once", async ({ page }) => {
  await page.goto(at("en", "?step=3&embed"));
  await expect(page.locator("header.top")).toBeHidden();
  await expect(step(page, 3)).toBeVisible();
});

test("the lab leads to the lessons and back @once", async ({ page }) => {
  await page.goto("./");
  await page.getByRole("link", { name: "Lessons" }).click();
  await expect(page.locator(".path")).toBeVisible();
  await page.getByRole("link", { name: "Lab", exact: true }).click();
  await expect(page.locator("#picture")).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("a lesson is complete and readable @once", async ({ page }) => {
    await page.goto(at("en"));
    for (const number of [1, 2, 3, 4, 5]) await expect(step(page, number)).toBeVisible();
    const answer = step(page, 3).locator("details.answer");
    await expect(answer.locator(".key")).toBeHidden();
    await answer.locator("summary").first().click();
    await expect(answer.locator(".key")).toContainText("HW 1");
    // The picture with the answer takes the place of the asked one.
    await expect(step(page, 3).locator(".stage.after")).toBeVisible();
    await expect(step(page, 3).locator(".stage.asked")).toBeHidden();
  });
});
