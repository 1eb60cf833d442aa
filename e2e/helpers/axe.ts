// Accessibility: axe on the state that the page is in. Call it in every state that a reader can reach.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Rules of WCAG 2.2 up to AA, and the best practices that axe knows. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with one line a fault: the rule, the element and what to do. */
export async function expectAccessible(page: Page, without: string[] = []): Promise<void> {
  // The bar at the foot of the window covers what is scrolled under it; at the end of the page it covers nothing.
  const from = await page.evaluate(() => {
    const place = window.scrollY;
    window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    return place;
  });
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).disableRules(without).analyze();
  await page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), from);
  const faults = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}: ${help}`),
  );
  expect(faults, "axe").toEqual([]);
}
