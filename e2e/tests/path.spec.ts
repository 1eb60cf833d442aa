// The path of lessons as a whole, the terms that a lesson explains, and questions about what goes over the wire or what an
// operator sees.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";

const step = (page: Page, number: number): Locator => page.locator(`#step-${number}`);
const check = (page: Page, number: number): Locator => page.locator(`#ask-${number} .btn.main`);

async function fits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing widens the page").toBeLessThanOrEqual(page.viewportSize()!.width);
}

for (const [language, minutes, done] of [
  ["en", /^\d+ min/, "done"],
  ["ko", /^\d+분/, "완료"],
  ["zh", /^\d+ 分钟/, "已完成"],
] as const) {
  test(`the index is a path of 24 rows: what each needs, how long it takes, done or not (${language})`, async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("highwater.lessons", JSON.stringify({ "leader-epochs": { done: true } })));
    await page.goto(`./lessons/${language}/`);
    const rows = page.locator(".path > li");
    expect(await rows.count()).toBeGreaterThanOrEqual(24);
    for (const row of await rows.all().then((all) => all.slice(0, 24))) await expect(row).not.toHaveClass(/coming/);
    const said = await rows.evaluateAll((all) =>
      all.map((row) => ({
        id: row.id,
        link: row.querySelector("div > a")?.getAttribute("href") ?? "",
        time: row.querySelector("p.quiet")?.textContent ?? "",
        needs: [...row.querySelectorAll("a.need")].map((need) => need.getAttribute("href")),
      })),
    );
    for (const [place, { id, link, time, needs }] of said.slice(0, 24).entries()) {
      expect(id).toBe(`row-${place + 1}`);
      expect(link).toMatch(/^[a-z0-9-]+\/$/);
      expect(time).toMatch(minutes);
      // What a row needs stands above it; only the first needs nothing.
      expect(needs.length > 0).toBe(place > 0);
      for (const need of needs) expect(Number(/^#row-(\d+)$/.exec(need ?? "")?.[1])).toBeLessThan(place + 1);
    }
    await expect(page.locator(".path > li.done")).toHaveCount(1);
    await expect(page.locator("#row-13 .state")).toHaveText(done);
    await expect(page.locator("#row-14 .state")).toBeHidden();
    await fits(page);
    await expectAccessible(page);
  });
}

test("the terms of a lesson are explained in it, and lead to their lesson", async ({ page }) => {
  await page.goto("./lessons/ko/isr-is-a-list-that-changes/");
  const terms = page.locator(".terms");
  await expect(terms.locator("dl")).toBeHidden();
  await terms.locator("summary").focus();
  await page.keyboard.press("Enter");
  const names = await terms.locator("dt").allTextContents();
  for (const term of ["ISR", "LEO", "HW", "ELR", "epoch"]) expect(names).toContain(term);
  await fits(page);
  await expectAccessible(page);
  // What this lesson is about has no link to itself.
  await expect(terms.locator("dt", { hasText: "ISR" }).first().locator("+ dd a")).toHaveCount(0);
  await terms.locator('a[href="../eligible-leader-replicas/"]').click();
  await expect(page).toHaveURL(/\/ko\/eligible-leader-replicas\/$/);
});

test("what goes over the wire is predicted: a field, and the answer to a fetch", async ({ page }) => {
  await page.goto("./lessons/en/the-first-fetch/?step=2");
  await step(page, 2).locator(".spot").nth(1).click();
  await check(page, 2).click();
  await expect(step(page, 2).locator(".judged")).toHaveText("Not so. You said fetchOffset 1; the run says fetchOffset 2.");
  await expect(step(page, 2).locator(".reason.mine")).toContainText("Leader 1 appended m2 at offset 1");
  await fits(page);
  await page.goto("./lessons/zh/every-field-of-a-fetch/?step=3");
  await step(page, 3).getByText("OFFSET_OUT_OF_RANGE", { exact: true }).first().click();
  await check(page, 3).click();
  await expect(step(page, 3).locator(".judged")).toHaveText("不对。你选的是 OFFSET_OUT_OF_RANGE，运行结果是 成功，但没有记录。");
  await expect(step(page, 3).locator(".reason.mine")).toContainText("HW 2");
  await fits(page);
  await expectAccessible(page);
});

test("what an operator sees is predicted: a metric", async ({ page }) => {
  await page.goto("./lessons/ko/what-an-operator-sees/");
  await step(page, 1).getByRole("radio", { name: "1", exact: true }).check({ force: true });
  await check(page, 1).click();
  await expect(step(page, 1).locator(".judged")).toHaveText("아니다. 고른 답: 1. 실행 결과: 0.");
  await step(page, 1).locator("[data-again]").click();
  await step(page, 1).getByRole("radio", { name: "0", exact: true }).check({ force: true });
  await check(page, 1).click();
  await expect(step(page, 1).locator(".judged")).toHaveText("맞다. 0.");
  await fits(page);
});

test("a setting that differs from the lab's stands under its picture; two runs that end alike say what differs in time @once", async ({ page }) => {
  await page.goto("./lessons/en/refused-before-or-after/");
  await expect(step(page, 1).locator("figcaption")).toContainText("replica.lag.time.max.ms=3000");
  await expect(step(page, 1).locator("figcaption")).not.toContainText("link.latency");
  await page.goto("./lessons/en/the-fetch-is-the-ack/?step=4");
  const said = step(page, 4).locator(".differs + ul");
  await expect(said).toHaveText("m2 is acknowledged 16 ms after it was sent in A, and 8 ms after it in B.");
});

for (const language of ["en", "ko", "zh"]) {
  test.describe(`without JavaScript (${language})`, () => {
    test.use({ javaScriptEnabled: false });
    test("every step, answer and term can be read @once", async ({ page }) => {
      await page.goto(`./lessons/${language}/every-field-of-a-fetch/`);
      for (const number of [1, 2, 3, 4, 5]) await expect(step(page, number)).toBeVisible();
      await page.locator(".terms summary").click();
      await expect(page.locator(".terms dd").first()).toBeVisible();
      const answer = step(page, 2).locator("details.answer");
      await answer.locator("summary").first().click();
      await expect(answer.locator(".key")).toContainText("highWatermark 1");
    });
  });
}
