// Of a tall picture only what is near the window is drawn.
import type { Page } from "@playwright/test";
import { expect, open, test } from "../helpers/page";

/** A run of 600 records, whose picture is many windows tall. */
async function tall(page: Page): Promise<void> {
  await open(page);
  await page.locator("#script-button").click();
  const produce = Array.from({ length: 600 }, (_, n) => `at ${n * 25}ms produce`).join("\n");
  await page.locator("#script-text").fill(`${produce}\n`);
  await page.locator("#script-button").click();
  await expect.poll(async () => Number(await page.locator("#drawing").getAttribute("height"))).toBeGreaterThan(6_000);
}

/** How far the least and the greatest step of the script are down the picture, of those that are drawn. */
const drawn = (page: Page): Promise<[number, number]> =>
  page.evaluate(() => {
    const top = document.querySelector("#drawing")?.getBoundingClientRect().top ?? 0;
    const places = [...document.querySelectorAll('#g-shapes [data-id^="hair-"]')].map((hair) => hair.getBoundingClientRect().top - top);
    return [Math.min(...places), Math.max(...places)];
  });

test("a tall picture is drawn where the window is, and follows it", async ({ page }) => {
  await tall(page);
  const height = Number(await page.locator("#drawing").getAttribute("height"));
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(async () => (await drawn(page))[1]).toBeLessThan(4_000);
  expect((await drawn(page))[0]).toBeLessThan(400);
  const few = await page.locator("#drawing *").count();
  // What is in the window is there, wherever it stands.
  for (const share of [0.5, 0.95]) {
    await page.evaluate((to) => scrollTo(0, to), height * share);
    await expect
      .poll(async () => {
        const [first, last] = await drawn(page);
        const [top, bottom] = await page.evaluate(() => {
          const above = -(document.querySelector("#drawing")?.getBoundingClientRect().top ?? 0);
          return [above, above + innerHeight];
        });
        return first < top && last > Math.min(bottom, height - 200);
      })
      .toBe(true);
    expect(await page.locator("#drawing *").count()).toBeLessThan(few * 3);
  }
  // A print has all of it.
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect.poll(async () => (await drawn(page))[0]).toBeLessThan(400);
  expect((await drawn(page))[1]).toBeGreaterThan(height - 400);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect.poll(async () => (await drawn(page))[0]).toBeGreaterThan(1_000);
});

test("the step at the playhead is marked while the list stays", async ({ page }) => {
  await open(page);
  await page.locator("#script-button").click();
  const marked = page.locator(".steps .at-playhead");
  // As a hand drags it; a step by key writes the list once more.
  await page.locator("#scrubber").fill("0");
  const list = await page.locator(".steps").elementHandle();
  await page.locator("#scrubber").fill("10000");
  await expect(marked).toHaveCount(1);
  await expect(marked).toHaveAttribute("data-place", String((await page.locator(".steps li").count()) - 1));
  expect(await list?.evaluate((element) => element.isConnected)).toBe(true);
});

test("what stands under the window is as it is now for whoever asks for it", async ({ page }) => {
  await open(page);
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 1440, height: 320 });
  await page.evaluate(() => scrollTo(0, 0));
  // By now the browser has told the page where everything stands.
  await page.waitForTimeout(300);
  const places = ["#r-verdict", "#r-logs", "title"];
  for (const [turn, asks] of ["focusin", "selectstart", "copy", "contextmenu", "beforeprint", "blur", "scroll"].entries()) {
    const [before, asked, rested] = await page.evaluate(
      async ([places, asks, value]) => {
        const now = () => places.map((place) => document.querySelector(place)?.textContent ?? "");
        const below = (document.querySelector("#r-verdict")?.getBoundingClientRect().top ?? 0) > innerHeight + 200;
        if (!below) throw new Error("the verdicts are in the window");
        const before = now();
        const label = document.querySelector("#drawing");
        const redrawn = new Promise((resolve) => {
          const watch = new MutationObserver(() => {
            watch.disconnect();
            resolve(undefined);
          });
          watch.observe(label as Element, { attributes: true, attributeFilter: ["aria-label"] });
        });
        document.querySelector<HTMLInputElement>(`#settings input[name="acks"][value="${value}"]`)?.click();
        await redrawn;
        await new Promise((resolve) => setTimeout(resolve));
        dispatchEvent(new Event(asks));
        const asked = now();
        await new Promise((resolve) => setTimeout(resolve, 800));
        return [before, asked, now()];
      },
      [places, asks, turn % 2 === 0 ? "all" : "1"] as [string[], string, string],
    );
    expect(asked, asks).toEqual(rested);
    expect(asked?.[0], asks).not.toBe(before?.[0]);
  }
});
