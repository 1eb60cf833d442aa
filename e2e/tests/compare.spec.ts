// A and B as a person uses them: one click from a toggle, where the runs part, both verdicts, and back again.
import type { Locator, Page } from "@playwright/test";
import { expect, open, sheet, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

const difference = (page: Page): Locator => page.locator("#r-difference");

/** How far down a line of a drawing lies: its path begins with "Mx y". */
async function height(page: Page, line: string): Promise<string | undefined> {
  const path = await page.locator(line).first().getAttribute("d");
  return /^M[\d.]+[ ,]?([\d.]+)/.exec(path ?? "")?.[1];
}

/** Axe, with the bar where it stands in the page: at the lower edge of the screen it covers half of a fold. */
async function expectAccessibleBelow(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expectAccessible(page);
}

async function versus(page: Page, setting: string): Promise<void> {
  await sheet(page);
  await page.locator(`[data-do="b:${setting}"]`).click();
  await expect(difference(page)).not.toBeEmpty();
  await sheet(page, false);
}

test("one click from a toggle: the first difference, why, where, and both verdicts", async ({ page }, info) => {
  await open(page);
  await sheet(page);
  await page.getByRole("button", { name: "Compare with acks=all" }).click();
  await expect(page.locator("#difference")).toHaveText(
    /First difference, 524 ms\. Answer for m3: ok at 524 ms in A, connection closed at 531 ms in B\./,
  );
  await expect(page.locator("#difference")).toBeFocused();
  await sheet(page, false);
  await expect(difference(page)).toContainText("A: Broker 1 answers ok for m3. With acks=1");
  await expect(difference(page)).toContainText("B: m3 waits at leader 1");
  await expect(page.locator("#r-answer")).toHaveText("1 acknowledged record was lost: m3.");
  await expect(page.locator("#r-b-answer .ans")).toHaveText("The outcome of 1 record is unknown to the producer: m3.");
  // Each answer has the letter of its run.
  const letter = (of: string): Promise<string> => page.locator(of).evaluate((said) => getComputedStyle(said, "::before").content);
  expect([await letter("#r-answer"), await letter("#r-b-answer .ans")]).toEqual(['"A"', '"B"']);
  // Both pictures, on one clock: as tall, and the line of the difference at the same height.
  await expect(page.locator("#drawing-b")).toHaveAttribute("aria-label", /B: The outcome of 1 record/);
  expect(await page.locator("#drawing-b").getAttribute("height")).toBe(await page.locator("#drawing").getAttribute("height"));
  expect(await height(page, "#drawing .differs")).toMatch(/\d/);
  expect(await height(page, "#drawing-b .differs")).toBe(await height(page, "#drawing .differs"));
  // What differs is marked in both verdicts, what is merely later is not.
  const cells = (table: string, row: number): Promise<boolean[]> =>
    page.locator(`${table} tr:nth-child(${row}) td`).evaluateAll((all) => all.map((td) => td.textContent?.includes("≠") ?? false));
  expect(await cells("#r-verdict", 1)).not.toContain(true);
  expect(await cells("#r-verdict-b", 1)).not.toContain(true);
  expect(await cells("#r-verdict", 3)).toEqual([false, false, true, false, false, true, false, true]);
  expect(await cells("#r-verdict-b", 3)).toEqual([false, false, true, false, false, true, false, true]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessibleBelow(page);
  await screenshot(page, info, "compare");
  await page.locator("#close-b").click();
  await expect(difference(page)).toBeEmpty();
  await expect(page.locator("#picture-b")).toBeHidden();
});

test("an answer that is merely later is a quiet +2 ms in the picture of B", async ({ page }, info) => {
  test.skip(info.project.name === "phone", "the columns of a phone have no room for words beside a mark");
  await open(page);
  await versus(page, "acks=all");
  await expect(page.locator("#b-shapes text", { hasText: /^\+\d+ ms$/ }).first()).toBeAttached();
  await expect(page.locator("#g-shapes text", { hasText: /^\+\d+ ms$/ })).toHaveCount(0);
});

test("at every width the table of B says how much later the same answer came", async ({ page }) => {
  await open(page);
  await versus(page, "acks=all");
  await expect(page.locator("#r-verdict-b tr").first().locator(".late")).toHaveText(/^\+\d+ ms$/);
  // m3, whose answer is another one, is no matter of time; and A is what B is compared with.
  await expect(page.locator("#r-verdict-b tr").nth(2).locator(".late")).toHaveCount(0);
  await expect(page.locator("#r-verdict .late")).toHaveCount(0);
});

test("the jump goes to it, and on to the next and round again", async ({ page }) => {
  await open(page);
  await versus(page, "acks=all");
  const now = (): Promise<string | null> => page.locator("#scrubber").getAttribute("aria-valuetext");
  await page.locator("#next-difference").click();
  const first = await now();
  await page.locator("#next-difference").click();
  expect(await now()).not.toBe(first);
  await page.locator("#difference").focus();
  await page.keyboard.press("Tab");
  await expect(page.locator("#r-difference .btn").first()).toBeFocused();
  await page.keyboard.press("Enter");
  expect(await now()).toContain("524 ms");
  await expect(page.locator(".difference .btn").first()).toBeFocused();
});

test("B changes by its own toggles, A and B are copied, swapped, closed, and taken back", async ({ page }) => {
  await open(page);
  await versus(page, "unclean.leader.election.enable=true");
  await sheet(page);
  const b = page.getByRole("form", { name: "Settings of B" });
  await b.getByRole("group", { name: "acks" }).getByText("all", { exact: true }).click();
  await expect(page.locator("#b-acks-all")).toBeChecked();
  await expect(page.locator("#acks-1")).toBeChecked();
  await sheet(page, false);
  await page.locator("#swap").click();
  await expect(page.locator("#acks-all")).toBeChecked();
  await expect(page.locator("#b-acks-1")).toBeChecked();
  await page.locator("#copy-b").click();
  await expect(page.locator("#b-acks-all")).toBeChecked();
  await expect(page.locator("#difference")).toHaveText("A and B come out the same.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#b-acks-1")).toBeChecked();
  await page.locator("#copy-a").click();
  await expect(page.locator("#acks-1")).toBeChecked();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#acks-1")).toBeChecked();
  await expect(page.locator("#b-acks-all")).toBeChecked();
  await page.locator("#close-b").click();
  await expect(page.locator("#r-b")).toBeEmpty();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#b-acks-all")).toBeChecked();
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.locator("#r-b")).toBeEmpty();
});

test("an edit of the script runs both, and the playhead is one for both", async ({ page }) => {
  await open(page);
  await versus(page, "acks=all");
  await page.locator("#script-button").click();
  const before = await page.locator("#r-verdict-b tr").count();
  const text = await page.locator("#script-text").inputValue();
  await page.locator("#script-text").fill(`${text}at 60s produce\n`);
  await expect(page.locator("#r-verdict-b tr")).toHaveCount(before + 1);
  await expect(page.locator("#r-verdict tr")).toHaveCount(before + 1);
  await page.locator("#scrubber").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  expect(await height(page, "#drawing .play")).toMatch(/\d/);
  expect(await height(page, "#drawing-b .play")).toBe(await height(page, "#drawing .play"));
});

test("a record is selected in both by a click in B", async ({ page }) => {
  await open(page);
  await versus(page, "acks=all");
  await page.locator("#b-record-2").click();
  await expect(page.locator("#record-2")).toHaveAttribute("aria-pressed", "true");
  expect(await page.locator("#drawing .seledge").count()).toBeGreaterThan(0);
  expect(await page.locator("#drawing-b .seledge").count()).toBe(await page.locator("#drawing .seledge").count());
});

test("the clean election of the last replica standing: with ELR and without it", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Scenarios" }).click();
  await page.locator("#menu section:not(.long)").getByRole("button", { name: "A candidate outside the ISR" }).click();
  await versus(page, "eligible.leader.replicas=off");
  await expect(page.locator("#difference")).toContainText(/(ELR|Leader): .* in A, .* in B\./);
  await expect(page.locator("#r-b-answer .ans")).toContainText("unavailable");
});

for (const [tag, words] of [
  ["ko", /첫 차이, 524 ms\. m3에 대한 응답: A는 524 ms에 ok, B는/],
  ["zh-Hans", /首个差异，524 ms。/],
] as const) {
  test(`A and B in ${tag}, light and dark`, async ({ page }, info) => {
    await open(page, `?lang=${tag}`);
    await versus(page, "acks=all");
    await expect(page.locator("#difference")).toHaveText(words);
    await expectAccessibleBelow(page);
    await screenshot(page, info, `compare-${tag}`);
    await page.locator("#theme").selectOption("dark");
    await expectAccessibleBelow(page);
    await screenshot(page, info, `compare-${tag}-dark`);
  });
}
