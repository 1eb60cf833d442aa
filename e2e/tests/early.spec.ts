// What a widget shows before its module is there: content from the address, which stays where the module cannot come.
import type { Locator, Page } from "@playwright/test";
import { expect, open, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

const early = (page: Page): Locator => page.locator(".early");
const app = (page: Page): Locator => page.locator("#app");

/** The module waits until it is let go. */
async function held(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const free = new Promise<void>((done) => (release = done));
  await page.route(/highwater_bg-[0-9a-f]+\.wasm$/, async (route) => {
    await free;
    await route.continue();
  });
  return release;
}

test("the name, the line and the script of the run are there first, and nothing that comes later is larger", async ({ page }, info) => {
  await page.addInitScript(() => {
    const painted: [number, number][] = [];
    Object.assign(window, { painted });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) painted.push([entry.startTime, (entry as unknown as { size: number }).size]);
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
  const release = await held(page);
  await page.goto("./embed.html?scenario=state-e&unclean.leader.election.enable=true&lang=ko&theme=dark&caption=%EA%B8%B0%EB%8B%A4%EB%A6%B0%EB%8B%A4&v=1");
  await expect(early(page).locator("h1")).toHaveText(/^상태 E: /);
  await expect(early(page).locator("p").first()).toContainText("unclean");
  await expect(early(page).locator(".mono")).toHaveText(/^set unclean\.leader\.election\.enable=true\nset eligible\.leader\.replicas=off\nstart leader=1[^]*at 10ms produce[^]*after 10ms produce$/);
  await expect(early(page).locator(".w-caption")).toHaveText("기다린다");
  await expect(early(page).getByRole("link")).toHaveAttribute("href", "./?scenario=state-e&unclean.leader.election.enable=true&lang=ko&v=1");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectAccessible(page);
  await screenshot(page, info, "widget-early");
  await page.waitForTimeout(300);
  const let_go = await page.evaluate(() => performance.now());
  release();
  await expect(app(page).locator("#g-shapes > *").first()).toBeAttached();
  await expect(early(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await page.waitForTimeout(500);
  const painted = await page.evaluate(() => (window as unknown as { painted: [number, number][] }).painted);
  expect(painted.length).toBeGreaterThan(0);
  expect(Math.max(...painted.map(([at]) => at)), JSON.stringify(painted)).toBeLessThan(let_go);
});

test("the script of a link is the one that the lab reads in it @once", async ({ page }) => {
  const lines = ["title 내 것 & yours_100%", "set acks=1", "at 0ms produce 2", "at 5.53s   kill 1 # why, ~ and + and \"so\"", "-3 verbatim", "then await-fenced 1", "after 3ms produce"];
  await open(page, "?lang=en");
  await page.locator("#script-button").click();
  await page.locator("#script-text").fill(lines.join("\n"));
  await expect.poll(() => new URL(page.url()).searchParams.get("script")).toContain("verbatim");
  const { search } = new URL(page.url());
  await held(page);
  await page.goto(`./embed.html${search}`);
  await expect(early(page).locator("h1")).toHaveText("내 것 & yours_100%");
  const shown = await early(page).locator(".mono").textContent();
  expect(shown?.split("\n")).toEqual(["set acks=1", ...lines.slice(2)]);
});

test("a question stands there without what would answer it @once", async ({ page }) => {
  await held(page);
  await page.goto("./embed.html?scenario=state-e&question=lost&lang=zh&v=1");
  await expect(early(page).locator(".asked")).toContainText("丢失");
  await expect(early(page).locator("p:not(.mono)")).toHaveCount(1);
  await page.goto("./embed.html?scenario=state-e&question=leader:Who+leads%3F&lang=en&v=1");
  await expect(early(page).locator(".asked")).toHaveText("Who leads?");
});

test("a link that was harmed on its way is left to the module @once", async ({ page }) => {
  const release = await held(page);
  await page.goto("./embed.html?scenario=state-e&amp;lang=en&amp;v=1");
  await expect(page.locator("#boot")).toBeVisible();
  await page.waitForLoadState("domcontentloaded");
  await expect(early(page)).toHaveCount(0);
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("State E: only a stale replica is left");
});

test("where the module cannot come, the content stays with the way into the lab", async ({ page, watched }, info) => {
  watched.expected.push(/ERR_FAILED|Failed to (fetch|load)|TypeError/);
  await page.route(/highwater_bg-[0-9a-f]+\.wasm$/, (route) => route.abort());
  await page.goto("./embed.html?acks=1&lang=en&v=1");
  await expect(page.getByRole("alert")).toContainText("could not be loaded");
  await expect(early(page).locator("h1")).toHaveText("Acknowledged by one");
  await expect(early(page).getByRole("link", { name: "Open in the lab" })).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, info, "widget-failed");
});
