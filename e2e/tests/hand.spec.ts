// Breaking things by hand: a broker by its lane in the partition strip, by mouse and by keys; and the tour that says so.
import type { Page } from "@playwright/test";
import { expect, open, set, sheet, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

/** The steps of the script, as text. */
const steps = (page: Page): Promise<string> => page.locator("#script-text").inputValue();

/** The middle of a broker's lane, and where the lane begins and ends, on the screen. */
async function lane(page: Page, broker: number): Promise<{ x: number; top: number }> {
  const numbers = await page.locator("#lanes").boundingBox();
  if (!numbers) throw new Error("the strip has no lanes");
  return { x: numbers.x + (numbers.width * (broker - 0.5)) / 3, top: numbers.y + numbers.height };
}

test.describe("by mouse", () => {
  test.skip(({ viewport }) => (viewport?.width ?? 0) < 600, "a finger scrolls there; steps are added by the list");

  test("a click on a lane kills the broker there, and a later one starts it", async ({ page }) => {
    await open(page);
    const { x, top } = await lane(page, 3);
    await page.mouse.click(x, top + 60);
    await expect.poll(() => steps(page)).toMatch(/at \d+ms kill 3/);
    const killed = Number(/at (\d+)ms kill 3/.exec(await steps(page))?.[1]);
    const now = await page.getByRole("slider", { name: "Playhead" }).getAttribute("aria-valuetext");
    expect(now).toContain(`${killed} ms`);
    await page.mouse.click(x, (await lane(page, 3)).top + 110);
    await expect.poll(() => steps(page)).toMatch(/ms start 3/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await steps(page)).not.toContain("kill 3");
  });

  test("dragging down a follower's lane pauses its fetching for as long as it is dragged", async ({ page }, info) => {
    await open(page);
    const before = await steps(page);
    const { x, top } = await lane(page, 2);
    await page.mouse.move(x, top + 10);
    await page.mouse.down();
    await page.mouse.move(x, top + 40, { steps: 4 });
    await expect.poll(() => steps(page)).toMatch(/pause-fetch 2/);
    await page.mouse.move(x, top + 90, { steps: 6 });
    await screenshot(page, info, "pause-by-hand");
    const dragged = await steps(page);
    const [, from, to] = /at (\d+)ms pause-fetch 2[^]*?at (\d+)ms resume-fetch 2/.exec(dragged) ?? [];
    expect(Number(to)).toBeGreaterThan(Number(from) + 5);
    // Esc takes all of it back; so does one Undo after the hand is gone.
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expect(await steps(page)).toBe(before);
  });

  test("the leader's lane is not dragged: a leader fetches nothing", async ({ page }) => {
    await open(page);
    const before = await steps(page);
    const { x, top } = await lane(page, 1);
    await page.mouse.move(x, top + 10);
    await page.mouse.down();
    await page.mouse.move(x, top + 90, { steps: 6 });
    await page.mouse.up();
    expect(await steps(page)).toBe(before);
  });
});

test("the same by keys: Enter kills at the playhead, arrow down pauses from there and then moves the end", async ({ page, isMobile }) => {
  test.skip(isMobile, "on a phone steps are added by the list: the numbers over the lanes are no target for a thumb");
  await open(page);
  await page.locator("#lanes").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("#r-said")).toContainText("Broker 3.");
  await page.keyboard.press("Enter");
  await expect.poll(() => steps(page)).toMatch(/kill 3/);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("slider", { name: "Playhead" }).press("Home");
  await page.locator("#lanes").focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => steps(page)).toMatch(/at 0ms pause-fetch 3/);
  expect(await steps(page)).toContain("at 10ms resume-fetch 3");
});

test("the first visit has a tour of three steps that is dismissed for good and found again", async ({ page, context }, info) => {
  const fresh = await context.newPage();
  await fresh.goto(new URL("./", info.project.use.baseURL).href);
  const tour = fresh.getByRole("region", { name: "Tour" });
  const words = fresh.locator("#tour-words");
  await expect(words).toContainText("1/3");
  await expectAccessible(fresh);
  await screenshot(fresh, info, "tour");
  await tour.getByRole("button", { name: "Next" }).click();
  await expect(words).toContainText("2/3");
  await tour.getByRole("button", { name: "Next" }).press("Enter");
  await expect(words).toContainText("3/3");
  await tour.getByRole("button", { name: "Done" }).click();
  await expect(tour).toHaveCount(0);
  await fresh.reload();
  await expect(fresh.locator("#boot")).toHaveCount(0);
  await expect(tour).toHaveCount(0);
  await fresh.getByRole("button", { name: "Tour" }).click();
  await expect(words).toContainText("1/3");
  // Who does what a step asks for is shown the next one, and nothing moves.
  const bar = fresh.locator("#scrubber");
  const height = async () => (await tour.boundingBox())?.height;
  const before = await height();
  await set(fresh, "acks", "all");
  await sheet(fresh, false);
  await expect(words).toContainText("2/3");
  await bar.press("ArrowLeft");
  await expect(words).toContainText("3/3");
  expect(await height()).toBe(before);
  // A link shows what it was made for, not the tour.
  await fresh.goto(new URL("./?v=1&acks=all", info.project.use.baseURL).href);
  await expect(fresh.locator("#boot")).toHaveCount(0);
  await expect(tour).toHaveCount(0);
  await fresh.close();
});

test("Escape in a step's field takes back what was typed", async ({ page }) => {
  await open(page);
  await page.locator("#script-button").click();
  const field = page.locator("#step-action-1");
  const before = await field.inputValue();
  await field.fill("kill 9");
  await field.press("Escape");
  await expect(field).toHaveValue(before);
  await field.press("Tab");
  await expect(page.locator("#script")).not.toContainText("kill 9");
  await expect(page.locator("#script-text")).not.toHaveValue(/kill 9/);
});
