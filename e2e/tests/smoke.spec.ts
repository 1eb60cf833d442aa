// The built page as a static host gives it: under a sub path, under its own content policy, without other origins.
import { expect, open, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

test("the page opens under a sub path", async ({ page }, info) => {
  await open(page);
  expect(new URL(page.url()).pathname).toBe("/some/sub/path/");
  await expect(page).toHaveTitle(/Highwater/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, info, "smoke");
});

test("the page does not scroll sideways", async ({ page }) => {
  await open(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test("the page for frames opens and is not indexed @once", async ({ page }) => {
  await page.goto("./embed.html");
  await expect(page.locator("#boot")).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("data-page", "embed");
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
});

test("a module that does not load is said in words @once", async ({ page, watched }) => {
  watched.expected.push(/404/, /console error/);
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./?lang=ko");
  await expect(page.getByRole("alert")).toContainText("Highwater를 불러오지 못했습니다");
  await expectAccessible(page, ["landmark-one-main", "page-has-heading-one", "region"]);
});

test("a browser without WebAssembly is told so @once", async ({ page, watched }) => {
  // The module is preloaded before anything can know that it is of no use.
  watched.expected.push(/preload/);
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
  await page.goto("./?lang=en");
  await expect(page.getByRole("alert")).toContainText("WebAssembly switched off");
});

test("the content policy refuses inline scripts @once", async ({ page, watched }) => {
  watched.expected.push(/Content Security Policy/);
  await open(page);
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.intruder = true";
    document.head.append(script);
  });
  expect(await page.evaluate(() => "intruder" in window)).toBe(false);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the page says what it needs @once", async ({ page, watched }) => {
    // The module is preloaded before anything can know that it is of no use.
    watched.expected.push(/preload/);
    await page.goto("./");
    // Not getByText: it never looks into <noscript>.
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(page.locator("noscript p")).toContainText("needs JavaScript and WebAssembly");
    await expect(page.locator("#boot")).toBeHidden();
  });
});
