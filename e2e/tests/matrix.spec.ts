// The outcome matrix as a person uses it: open it, read it, open a cell as B, edit and see it computed anew.
import type { Locator, Page } from "@playwright/test";
import { expect, more, open, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

const cells = (page: Page): Locator => page.locator(".matrix td button");

async function show(page: Page): Promise<void> {
  await page.locator("#matrix-button").click();
  await expect(cells(page)).toHaveCount(36, { timeout: 20_000 });
}

test("every combination, each named by the worst, and a click opens it as B", async ({ page }, info) => {
  await open(page);
  await page.getByRole("button", { name: "Every combination of the four toggles" }).click();
  await expect(page.locator("#matrix-button")).toHaveAttribute("aria-expanded", "true");
  await expect(cells(page)).toHaveCount(36, { timeout: 20_000 });
  await expect(page.locator("#r-matrix .note")).not.toContainText("of 36");
  // The run on the page is one of them, and says the same as the verdict.
  const here = page.locator(".matrix td button:has(.letter)");
  await expect(here).toHaveCount(1);
  await expect(here).toHaveText(/1 lost A/);
  const row = page.getByRole("row", { name: /acks=all min ISR 2/ });
  await expect(row.getByRole("button")).toHaveCount(4);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await screenshot(page, info, "matrix");
  const words = await row.getByRole("button").first().textContent();
  await row.getByRole("button").first().click();
  await expect(page.locator("#difference")).toBeFocused();
  await expect(page.locator("#b-acks-all")).toBeChecked();
  await expect(page.locator("[id='b-eligible.leader.replicas-off']")).toBeChecked();
  expect(words).toContain("unknown");
  await expect(page.locator("#r-b-answer .ans")).toContainText("unknown");
  await expect(row.getByRole("button").first()).toContainText("B");
});

test("where the version has no ELR that half is absent", async ({ page }) => {
  await open(page);
  await show(page);
  await more(page);
  await page.getByLabel("kafka.version").selectOption("3.7");
  await expect(cells(page)).toHaveCount(18, { timeout: 20_000 });
  await expect(page.locator(".matrix thead")).not.toContainText("ELR");
});

test("a toggle keeps it, an edit computes it anew, and undo too", async ({ page }) => {
  await open(page);
  await show(page);
  const all = (): Promise<string[]> => cells(page).evaluateAll((found) => found.map((cell) => cell.className));
  const before = await all();
  expect(new Set(before).size).toBeGreaterThan(1);
  await page.locator("#script-button").click();
  await page.locator("#script-text").fill("at 0ms produce\n");
  await expect.poll(all, { timeout: 20_000 }).not.toEqual(before);
  await expect(cells(page)).toHaveCount(36, { timeout: 20_000 });
  await expect(page.locator(".matrix .bad")).toHaveCount(0);
  await page.locator("#undo").click();
  await expect.poll(all, { timeout: 20_000 }).toEqual(before);
});

test("it computes in slices and gives the page back between them @once", async ({ page }) => {
  await open(page);
  // What a slice wrote is told once, after its task; how long it took says more of the machine (`cargo xtask bench`).
  await page.evaluate(() => {
    const written = { slices: 0 };
    Object.assign(window, { written });
    const table = document.getElementById("r-matrix") as HTMLElement;
    new MutationObserver(() => (written.slices += 1)).observe(table, { childList: true, subtree: true });
  });
  await show(page);
  await expect(cells(page)).toHaveCount(36);
  const { slices } = await page.evaluate(() => (window as unknown as { written: { slices: number } }).written);
  expect(slices).toBeGreaterThan(2);
});

for (const [tag, title] of [
  ["ko", "네 토글의 모든 조합"],
  ["zh-Hans", "四个开关的所有组合"],
] as const) {
  test(`the matrix in ${tag}, light and dark`, async ({ page }, info) => {
    await open(page, `?lang=${tag}`);
    await page.getByRole("button", { name: title }).click();
    await expect(cells(page)).toHaveCount(36, { timeout: 20_000 });
    await expectAccessible(page);
    await page.locator("#theme").selectOption("dark");
    await expectAccessible(page);
    await screenshot(page, info, `matrix-${tag}-dark`);
  });
}
