// The six main states as pictures that are compared: a panel that is missing, a colour that is another or a shape that has
// moved shows here, whatever the other tests look at. The letters are bars (helpers/bars.ts), so the pictures hold on a
// machine with other fonts. New ones after a change that is wanted:
//   cargo xtask test --browser --as-built -- visual --update-snapshots
import type { Page } from "@playwright/test";
import { expect, open, test } from "../helpers/page";
import { inBars } from "../helpers/bars";

// The font is an address of its own kind, which the page's policy refuses.
test.use({ bypassCSP: true });

const STATES: Record<string, (page: Page) => Promise<void>> = {
  /** The lab as it opens. */
  lab: async (page) => {
    await open(page);
  },
  /** A and B on one clock. */
  "a-and-b": async (page) => {
    await open(page, "?b.acks=all&v=1");
    await expect(page.locator("#difference")).not.toBeEmpty();
  },
  /** The outcome matrix. */
  matrix: async (page) => {
    await open(page);
    await page.locator("#matrix-button").click();
    await expect(page.locator(".matrix td button")).toHaveCount(36, { timeout: 20_000 });
    await expect(page.locator("#r-matrix .note")).not.toContainText("of 36");
  },
  /** What an operator sees, and every field. */
  inspector: async (page) => {
    await open(page);
    for (const view of ["operator", "inspect"]) {
      await page.locator(`details:has(#later-${view}) > summary`).click();
      await expect(page.locator(`#later-${view} .piece, #later-${view} .table`).first()).toBeVisible({ timeout: 20_000 });
    }
  },
  /** The messages where the timelines are. */
  messages: async (page) => {
    await open(page, "?view=messages&v=1");
    await expect(page.locator("#later-messages .msg").first()).toBeAttached({ timeout: 20_000 });
  },
  /** A widget that asks. */
  widget: async (page) => {
    await page.goto("./embed.html?scenario=acknowledged-by-one&question=lost&v=1");
    await expect(page.locator("#drawing .leostair").first()).toBeAttached({ timeout: 20_000 });
  },
};

/** In bars, with nothing focused, and drawn for the room that bars leave. */
async function still(page: Page): Promise<void> {
  // The bar stands where it is in the page, and covers nothing.
  await page.addStyleTag({ content: `${inBars()} .bar { position: static !important }` });
  await page.evaluate(async () => {
    await document.fonts.load("12px Bars");
    await document.fonts.ready;
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    // Two frames: the picture follows the width that is left to it.
    for (const _ of [1, 2]) await new Promise((next) => requestAnimationFrame(next));
  });
  expect(await page.evaluate(() => document.fonts.check("12px Bars")), "the font of bars is in use").toBe(true);
}

const themes = { light: Object.keys(STATES), dark: ["lab", "messages"] } as const;

for (const theme of ["light", "dark"] as const) {
  for (const state of themes[theme]) {
    test(`${state}, ${theme}, looks as it did`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme });
      await STATES[state](page);
      await still(page);
      // As many as a mark of the picture has, not as many as a panel, a row or a line of words.
      await expect(page).toHaveScreenshot(`${state}-${theme}.png`, { fullPage: true, maxDiffPixels: 400, timeout: 20_000 });
    });
  }
}
