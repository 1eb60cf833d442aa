// The evidence page: its figures are those of the data beside it, every recording opens in the lab, and it needs no script.
import type { Page } from "@playwright/test";
import { expect, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

interface Checked {
  source: string;
  count: number;
  passed: number;
  skipped: number;
}

async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over, "nothing widens the page").toBeLessThanOrEqual(0);
}

for (const [language, title] of [
  ["en", "What this was checked against"],
  ["ko", "무엇과 대조했는가"],
  ["zh", "与什么核对过"],
] as const) {
  test(`figures, findings and sources (${language})`, async ({ page }, info) => {
    await page.goto(`./evidence/${language}/`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.locator("html")).toHaveAttribute("lang", language === "zh" ? "zh-Hans" : language);
    const data = (await (await page.request.get("./evidence/checked.json")).json()) as { commit: string; checked: Checked[] };
    await expect(page.locator("main")).toContainText(data.commit.slice(0, 12));
    for (const { source, count, passed, skipped } of data.checked) {
      const cells = page.locator(`tr[data-source="${source}"] td.n`);
      if (source.includes("quoted")) {
        continue; // A part of the users' cases.
      }
      const shown = (await cells.allTextContents()).map((text) => Number(text.replaceAll(",", "")));
      expect(shown.slice(0, 3), source).toEqual([count, passed, skipped]);
    }
    await expect(page.locator(".finding")).toHaveCount(6);
    await expect(page.locator("main")).not.toContainText(/\{[a-z_]+\}/);
    await fits(page);
    await screenshot(page, info, `evidence-${language}`);
    for (const details of await page.locator("details").all()) {
      await details.evaluate((element) => element.setAttribute("open", ""));
    }
    await fits(page);
    // Whatever is folded is open now; colours do not depend on the language.
    await page.emulateMedia({ colorScheme: language === "ko" ? "dark" : "light" });
    await expectAccessible(page);
    await page.locator("#MinIsrChange").scrollIntoViewIfNeeded();
    await page.screenshot({ path: `screenshots/evidence-open-${language}-${info.project.name}.png` });
  });
}

test("every recording of a finding opens in the lab as it was recorded @once", async ({ page }) => {
  await page.goto("./evidence/en/");
  const links = page.locator("tr[data-recording] a");
  const addresses = await links.evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
  expect(addresses.length).toBeGreaterThan(20);
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.locator(".against"), address).toContainText(/Each of the \d+ values below is in the model what it was in the cluster/);
  }
});

test("the page needs no script @once", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL}evidence/en/`);
  await expect(page.locator("#TruncateToHw")).toContainText("cut its log to its own HW");
  await page.locator("#TruncateToHw summary").click();
  await expect(page.locator("#TruncateToHw details tbody tr").first()).toBeVisible();
  expect(await page.locator("script").count()).toBe(0);
  await context.close();
});

test("the lab leads there @once", async ({ page }) => {
  await page.goto("./?lang=ko");
  await page.getByRole("link", { name: "근거" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("무엇과 대조했는가");
});
