// Links as people use them: open one from a chat, flip a toggle, look at the address, go back and forward, copy, hand on.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, open, set, sheet, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

const answer = (page: Page): Locator => page.locator(".ans");
const heading = (page: Page): Locator => page.getByRole("heading", { level: 1 });
const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const trouble = (page: Page): Locator => page.locator("#link-mistakes");

/** The address has settled. */
async function address(page: Page, name: string, value: string | null): Promise<void> {
  await expect.poll(() => query(page).get(name)).toBe(value);
}

async function clipboard(page: Page): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a link opens what it says, and its title tells it", async ({ page }, info) => {
  await open(page, "?scenario=state-e&unclean.leader.election.enable=true&record=1&lang=en&v=1");
  await expect(heading(page)).toHaveText("State E: only a stale replica is left");
  await expect(answer(page)).toHaveText("1 acknowledged record was lost: m1.");
  await expect(page).toHaveTitle(/^1 acknowledged record was lost: m1\. · State E.* · Highwater$/);
  await expect(trouble(page)).toHaveCount(0);
  await expectAccessible(page);
  await screenshot(page, info, "link");
});

test("the address follows the reader, back and forward walk through the steps", async ({ page }) => {
  await open(page, "?lang=en");
  await set(page, "acks", "all");
  await address(page, "acks", "all");
  await expect(answer(page)).not.toContainText("lost");
  await set(page, "acks", "0");
  await address(page, "acks", "0");
  const entries = await page.evaluate(() => history.length);
  // Scrubbing and selecting are no steps.
  const slider = page.getByRole("slider", { name: "Playhead" });
  await slider.focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowLeft");
  await expect.poll(() => query(page).get("at")).toMatch(/^\d+(\.\d+)?$/);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await page.goBack();
  await expect(page.getByRole("radio", { name: "all", exact: true })).toBeChecked();
  await address(page, "acks", "all");
  await page.goBack();
  await expect(answer(page)).toHaveText("1 acknowledged record was lost: m3.");
  await page.goForward();
  await page.goForward();
  await expect(page.getByRole("radio", { name: "0", exact: true })).toBeChecked();
  // What is in the address is what a reload shows.
  const before = page.url();
  await page.reload();
  // On a phone the settings are a sheet, which is closed again.
  await expect(page.locator("#r-caption")).not.toBeEmpty();
  await sheet(page);
  await expect(page.getByRole("radio", { name: "0", exact: true })).toBeChecked();
  expect(page.url()).toBe(before);
});

test("a pause that is open is in the link and in the picture that is saved", async ({ page }) => {
  await open(page, "?scenario=state-e&lang=en&v=1");
  const fold = page.locator(".fold-button");
  await expect(fold.first()).toHaveAttribute("aria-expanded", "false");
  const entries = await page.evaluate(() => history.length);
  await fold.first().focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => query(page).get("open")).toMatch(/^\d+$/);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  const box = page.locator("#picture-file");
  await box.locator("summary").click();
  const waiting = page.waitForEvent("download");
  await box.getByRole("button", { name: "SVG", exact: true }).click();
  const svg = await readFile(await (await waiting).path(), "utf8");
  expect(svg).toContain(`&amp;open=${query(page).get("open")}&amp;`);
  await page.reload();
  await expect(fold.first()).toHaveAttribute("aria-expanded", "true");
  await expect(fold.nth(1)).toHaveAttribute("aria-expanded", "false");
  await expect(trouble(page)).toHaveCount(0);
});

test("a copied link opens the same view in another tab", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "?lang=en");
  await page.locator("#script-button").click();
  const text = "title Mine & yours\nset acks=1\nat 0ms produce 2\nat 530ms kill 1 # why\nthen await-fenced 1\nafter 3ms produce\n";
  await page.locator("#script-text").fill(text);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.locator("#copy-link")).toHaveText("Copied");
  const link = await clipboard(page);
  expect(link.length).toBeLessThan(300);
  expect(link).toContain("acks=1");
  const other = await context.newPage();
  await other.goto(`${link.replace(/&/g, "&amp;")}).`);
  await expect(other.locator("h1")).toHaveText("Mine & yours");
  await other.locator("#script-button").click();
  await expect(other.locator("#script-text")).toHaveValue(text);
  await expect(other.locator("#link-mistakes")).toHaveCount(0);
  await other.close();
});

for (const [name, mangle] of [
  ["&amp;", (q: string) => q.replace(/&/g, "&amp;")],
  ["a bracket after it", (q: string) => `${q})`],
  ["a full stop after it", (q: string) => `${q}].`],
  ["tracking", (q: string) => `?fbclid=IwAR0&${q.slice(1)}&utm_source=chat&gclid=1`],
  ["encoded as a whole", (q: string) => `?${encodeURIComponent(q.slice(1))}`],
  ["encoded twice", (q: string) => q.replace(/%/g, "%25")],
  ["another order", (q: string) => `?${q.slice(1).split("&").reverse().join("&")}`],
  ["a fragment", (q: string) => `${q}#:~:text=HW`],
] as const) {
  test(`a link survives: ${name} @once`, async ({ page }) => {
    const script = "script=title_%EB%82%B4_%EA%B2%83~0_produce~530_kill_1~.await-fenced_1";
    await open(page, mangle(`?${script}&acks=1&min.insync.replicas=1&at=530.1&lang=ko&v=1`));
    await expect(heading(page)).toHaveText("내 것");
    await expect(page.locator("#script-text")).toHaveValue(/^title 내 것\nset acks=1\nset min\.insync\.replicas=1\nat 0ms produce\nat 530ms kill 1\nthen await-fenced 1\n$/);
    await expect(trouble(page)).toHaveCount(0);
  });
}

test("a bad link says what is wrong, opens the rest and offers the nearest", async ({ page, context }, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const bad = "?scenario=stat-e&acks=2&unclean=true&ack=1&at=99h&lang=en&v=1";
  await open(page, bad);
  await expect(trouble(page)).toContainText("Part of the link could not be read");
  await expect(trouble(page)).toContainText("`acks` (character 18): found `2`, expected all, 1 or 0.");
  await expect(trouble(page)).toContainText("`ack` (character 38)");
  await expect(trouble(page)).toContainText("Write `acks`?");
  await expect(trouble(page)).toContainText(bad);
  await expect(page.locator("#script-text")).toHaveValue(/unclean\.leader\.election\.enable=true/);
  // The address stays as it came until the reader does something.
  expect(new URL(page.url()).search).toBe(bad);
  await expectAccessible(page);
  await screenshot(page, info, "link-wrong");
  await trouble(page).getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => clipboard(page)).toContain(bad);
  await trouble(page).getByRole("button", { name: /State E/ }).click();
  await expect(heading(page)).toHaveText("State E: only a stale replica is left");
  await expect(trouble(page)).toHaveCount(0);
  await address(page, "scenario", "state-e");
});

for (const [lang, newer, cut, close] of [
  ["en", "newer Highwater", "cut off", "Close"],
  ["ko", "더 새로운 Highwater", "잘린 것 같다", "닫기"],
  ["zh", "更新的 Highwater", "被截断", "关闭"],
] as const) {
  test(`links of a later version and links that were cut, in ${lang} @once`, async ({ page }) => {
    await open(page, `?scenario=state-a&lang=${lang}&v=2`);
    await expect(trouble(page)).toContainText(newer);
    await expectAccessible(page);
    await trouble(page).getByRole("button", { name: close }).click();
    await expect(trouble(page)).toHaveCount(0);
    await open(page, `?lang=${lang}&script=0_produce~530_kill_1~70`);
    await expect(trouble(page)).toContainText(cut);
  });
}

test("a script with a mistake opens with its text, its mistake and what can be run", async ({ page }) => {
  await open(page, "?lang=en&script=title_T~0_produce~5_kil_1~600_kill_1&v=1");
  await expect(heading(page)).toHaveText("T");
  await expect(page.locator("#script-button")).toContainText("mistake");
  await expect(page.getByRole("row", { name: /^m1/ })).toContainText("yes");
  await page.locator("#script-button").click();
  await expect(page.locator("#script-errors")).toContainText("Line 3, column 8: found `kil`");
});

test("a link opens a recording @once", async ({ page }) => {
  await open(page, "?recording=acks-1-lost-on-crash.elr&at=end&lang=en&v=1");
  await expect(page.locator(".recorded")).toHaveText("recorded on Kafka 4.4.0");
  await page.getByRole("button", { name: "Scenarios" }).click();
  await page.getByRole("button", { name: /acks-1-lost-on-crash\.noelr$/ }).click();
  await address(page, "recording", "acks-1-lost-on-crash.noelr");
  await page.goBack();
  await address(page, "recording", "acks-1-lost-on-crash.elr");
  await expect(page.locator(".recorded")).toHaveText("recorded on Kafka 4.4.0");
});

test("what is too long for a link is refused when it is made @once", async ({ page }) => {
  await open(page, "?lang=en");
  await page.locator("#script-button").click();
  const lines = Array.from({ length: 600 }, (_, n) => `at ${n * 10}ms produce # a comment that makes it long`);
  await page.locator("#script-text").fill(`title Long\n${lines.join("\n")}\n`);
  // The address bar goes bare, which is said before anybody asks for a link, and the file is offered.
  const told = page.getByRole("alert").filter({ hasText: "chats and browsers carry 8000" });
  await expect(told).toBeVisible();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  const waiting = page.waitForEvent("download");
  await told.getByRole("button", { name: "Save as a file" }).click();
  expect((await waiting).suggestedFilename()).toBe("Long.hw");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(told).toBeVisible();
  await page.locator("#script-text").fill("title Short\nat 0ms produce\n");
  await expect(told).toHaveCount(0);
  await expect.poll(() => new URL(page.url()).search).toContain("script=");
});

test("what a chat shows of a link: the lab's words, and each lesson's own @once", async ({ request }) => {
  const said = async (path: string): Promise<(string | undefined)[]> => {
    const html = await (await request.get(path)).text();
    return ["title", "description"].map((name) => new RegExp(`property="?og:${name}"? content="([^"]{20,})"`).exec(html)?.[1]);
  };
  const lab = await said("./?scenario=state-e&v=1");
  expect(lab[0]).toContain("Kafka");
  const lessons = await (await request.get("./lessons/en/")).text();
  const slugs = [...lessons.matchAll(/href="(?:\.\/)?([a-z0-9-]+)\/"/g)].map((match) => match[1] ?? "").slice(0, 3);
  expect(slugs).toHaveLength(3);
  const all = [lab, ...(await Promise.all(slugs.map((slug) => said(`./lessons/en/${slug}/`))))];
  expect(all.flat().every((words) => words !== undefined)).toBe(true);
  expect(new Set(all.map((words) => words.join())).size).toBe(4);
});

test("the share sheet is used where there is one @once", async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: (data: unknown) => {
        Object.assign(window, { shared: data });
        return Promise.resolve();
      },
    });
  });
  await open(page, "?scenario=state-e&lang=en&v=1");
  await page.locator("#share-link").click();
  const shared = await page.evaluate(() => (window as unknown as { shared: { title: string; text: string; url: string } }).shared);
  expect(shared.title).toContain("State E");
  expect(shared.text).toContain("The partition is unavailable");
  expect(shared.url).toMatch(/\?scenario=state-e&lang=en&v=1$/);
});
