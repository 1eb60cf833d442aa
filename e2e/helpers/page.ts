// The test object of every browser test: it watches the page, and a test fails when the page complained or asked
// another origin, whatever else the test was about.
import { expect, test as base, type Page } from "@playwright/test";

export { expect };

/** What the page did that it must not do. */
export interface Watched {
  /** Console errors and warnings, uncaught exceptions and failed requests. */
  complaints: string[];
  /** Requests to another origin than the page's own. */
  foreign: string[];
  /** Origins of a test that has more than one on purpose. */
  origins: Set<string>;
  /** A test that provokes a complaint on purpose says here that it is expected. */
  expected: RegExp[];
}

export const test = base.extend<{ watched: Watched; person: boolean }>({
  // The lab shows its first view and waits for a person. In most tests somebody is there from the beginning.
  person: [true, { option: true }],
  watched: [
    async ({ page, baseURL, person }, use) => {
      await returning(page);
      if (person) await page.addInitScript(() => addEventListener("DOMContentLoaded", () => dispatchEvent(new PointerEvent("pointermove"))));
      const origins = new Set([new URL(baseURL ?? "").origin]);
      const watched: Watched = { complaints: [], foreign: [], origins, expected: [] };
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") {
          watched.complaints.push(`console ${message.type()}: ${message.text()}`);
        }
      });
      page.on("pageerror", (error) => watched.complaints.push(`exception: ${error.message}`));
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith("http") && !origins.has(url.origin)) {
          watched.foreign.push(request.url());
        }
      });
      page.on("response", (response) => {
        if (response.status() >= 400) {
          watched.complaints.push(`${response.status()}: ${response.url()}`);
        }
      });
      await use(watched);
      const unexpected = watched.complaints.filter((text) => !watched.expected.some((pattern) => pattern.test(text)));
      expect(unexpected, "the page complained").toEqual([]);
      expect(watched.foreign, "requests to another origin").toEqual([]);
    },
    { auto: true },
  ],
});

/** As a reader who has been here before: the tour of the first visit stays away. */
export async function returning(page: Page): Promise<void> {
  await page.addInitScript(() => {
    try {
      localStorage.setItem("highwater.tour", "seen");
    } catch {
      // Without storage there is no tour.
    }
  });
}

/** Opens the page (with a query such as "?lang=ko") and waits until the application has taken over. */
export async function open(page: Page, query = ""): Promise<void> {
  await page.goto(`./${query}`);
  await wake(page);
}

/** A person shows up, and the application takes over. */
export async function wake(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new PointerEvent("pointermove")));
  await expect(page.locator("#boot")).toHaveCount(0);
  await expect(page.locator("#app:not([data-first], [aria-busy])")).toBeAttached();
}

/** On a phone the settings are in a sheet: it is opened, or closed again. Elsewhere they are always there. */
export async function sheet(page: Page, open = true): Promise<void> {
  const line = page.locator(".settings-line");
  if ((await line.isVisible()) && (await line.getAttribute("aria-expanded")) === String(!open)) await line.click();
}

/** Chooses a value of a toggle, wherever the settings are. */
export async function set(page: Page, group: string, value: string): Promise<void> {
  await sheet(page);
  await page.getByRole("group", { name: group }).getByText(value, { exact: true }).click();
}

/** Opens everything behind "more": in the sheet of a phone, or by its button. */
export async function more(page: Page): Promise<void> {
  const line = page.locator(".settings-line");
  if (await line.isVisible()) await line.click();
  else await page.getByRole("button", { name: /^More/ }).click();
}
