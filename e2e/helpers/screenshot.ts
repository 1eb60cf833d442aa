// Pictures for people to look at; nothing compares them, as fonts differ from machine to machine.
import { fileURLToPath } from "node:url";
import type { Page, TestInfo } from "@playwright/test";

/** Saves the whole page as e2e/screenshots/NAME-PROJECT.png. */
export async function screenshot(page: Page, info: TestInfo, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../screenshots/${name}-${info.project.name}.png`, import.meta.url));
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}
