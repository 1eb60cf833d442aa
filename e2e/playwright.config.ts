// The page is served by `cargo xtask test`, which also says which browser to use and counts the JSON report.
// One worker: the machine of CI has two cores, and a test that is alone does not depend on luck.
import { defineConfig } from "@playwright/test";

const url = process.env.HIGHWATER_URL;
if (!url) {
  throw new Error("HIGHWATER_URL is not set; run `cargo xtask test --browser` (arguments for Playwright go after --)");
}

// Chromium refuses its sandbox to root, and must not ask the network for anything of its own.
const root = process.getuid?.() === 0;
const args = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(root ? ["--no-sandbox"] : []),
];

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  // One picture for every machine (tests/visual.spec.ts).
  snapshotPathTemplate: "baselines/{arg}-{projectName}{ext}",
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Long, because axe over a long table takes its time on a busy machine; what a test waits for has its own limit.
  timeout: 120_000,
  reporter: [["line"], ["json"]],
  use: {
    baseURL: url,
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "UTC",
    colorScheme: "light",
    screenshot: "only-on-failure",
    launchOptions: { executablePath: process.env.HIGHWATER_CHROMIUM, args },
  },
  // A test whose title has @once is about the page and not about its width; it runs in the first project only.
  projects: [
    { name: "desktop", use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "tablet",
      use: { viewport: { width: 1024, height: 768 } },
      grepInvert: /@once/,
      // The pictures that are compared are of the widest and the narrowest.
      testIgnore: /visual/,
    },
    {
      name: "phone",
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
      grepInvert: /@once/,
    },
  ],
});
