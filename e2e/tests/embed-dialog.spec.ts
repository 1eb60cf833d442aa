// The dialog that makes a snippet for a page of one's own, and whether what it makes works in such a page.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, open, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { host, post } from "../helpers/host";
import { screenshot } from "../helpers/screenshot";

const dialog = (page: Page): Locator => page.getByRole("dialog", { name: "Embed this view" });
const snippet = (page: Page): Locator => page.locator("#embed-text");

async function ask(page: Page, query: string): Promise<Locator> {
  await open(page, query);
  await page.locator("#embed-button").click();
  await expect(dialog(page)).toBeVisible();
  await expect(dialog(page).getByRole("status")).toHaveText(/^At this width it is \d+ px tall\.$/);
  return dialog(page);
}

test("the preview and the snippet follow what is chosen", async ({ page }, info) => {
  const box = await ask(page, "?scenario=state-e&unclean.leader.election.enable=true&lang=en&v=1");
  const preview = page.frameLocator(".embed-dialog iframe");
  await expect(preview.locator("#r-answer")).toHaveText("1 acknowledged record was lost: m1.");
  await screenshot(page, info, "embed-dialog");
  await expectAccessible(page);
  await box.getByLabel("Follower HW lag").uncheck();
  await box.getByLabel("min.insync.replicas").uncheck();
  await box.getByLabel("Question before the outcome").selectOption("lost");
  await box.getByLabel("Caption").fill(`"State E" & <more>`);
  await expect(preview.getByRole("button", { name: "Answer and see the outcome" })).toBeVisible();
  await expect(snippet(page)).toHaveValue(/show="acks,visibility" controls="acks,unclean,elr" question="lost" caption="&quot;State E&quot; &amp; &lt;more>" lang="en"/);
  await box.getByLabel("Clock from").fill("soon");
  await expect(preview.locator("#mistakes li")).toHaveText(/^start: found `soon`/);
  await page.keyboard.press("Escape");
  await expect(box).toHaveCount(0);
  await expect(page.locator("#embed-button")).toBeFocused();
});

test("every platform has its own snippet and its rule @once", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const box = await ask(page, "?scenario=state-e&acks=1&lang=en&v=1");
  const place = box.getByLabel("Where does it go?");
  const has: Record<string, RegExp> = {
    html: /^<script async src="http:\S+\/embed\.js"><\/script>\n<highwater-lab lang="en">\n {2}<a href="http:\S+scenario=state-e&amp;acks=1&amp;lang=en&amp;v=1">State E/,
    frame: /^<iframe src="http:\S+embed\.html\?scenario=state-e&amp;acks=1&amp;lang=en&amp;v=1" title="State E.*height:\d{3,4}px/,
    hugo: /safeHTMLAttr[\s\S]*\n{2}\{\{< highwater `lang="en"` >\}\}<a href=/,
    jekyll: /^<div>\n<script/,
    mdx: /^<script async src="[^"]+" \/>\n\n<highwater-lab/,
    tistory: /^<iframe /,
    wordpress: /^<script/,
    notion: /^http:\S+embed\.html\?scenario=state-e&acks=1&lang=en&v=1\n\nhttp/,
    medium: /^http:\S+\?scenario=state-e&acks=1&lang=en&v=1$/,
    velog: /^\[!\[State E: only a stale replica is left\]\(highwater-state-e\.png\)\]\(http/,
    devto: /^\[!\[State E/,
  };
  const notes = new Set<string>();
  for (const [name, expected] of Object.entries(has)) {
    await place.selectOption(name);
    await expect(snippet(page), name).toHaveValue(expected);
    const note = page.locator("#embed-note");
    await expect.poll(async () => notes.has((await note.textContent()) ?? ""), name).toBe(false);
    notes.add((await note.textContent()) ?? "");
  }
  await box.getByRole("button", { name: "Copy" }).click();
  await expect(box.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await snippet(page).inputValue());
});

test("what is copied works in a page of another origin @once", async ({ page, watched }) => {
  const box = await ask(page, "?scenario=acknowledged-by-one&acks=all&lang=en&v=1");
  await box.getByLabel("Consumer visibility").uncheck();
  await expect(snippet(page)).toHaveValue(/show="acks,lag"/);
  const html = await snippet(page).inputValue();
  await box.getByLabel("Where does it go?").selectOption("frame");
  await expect(snippet(page)).toHaveValue(/^<iframe/);
  const frame = await snippet(page).inputValue();
  const site = await host();
  watched.origins.add(site.origin);
  await page.goto(site.put("/", post(html)));
  const inside = page.locator("highwater-lab").frameLocator("iframe");
  await expect(inside.getByRole("radio", { name: "all", exact: true })).toBeChecked();
  await expect(inside.locator("#mistakes")).toHaveCount(0);
  await page.goto(site.put("/frame", post(frame)));
  const plain = page.frameLocator("iframe");
  await expect(plain.getByRole("radio", { name: "all", exact: true })).toBeChecked();
  await site.close();
});

test("the picture has the name that the snippet uses, and the snippet works once it lies beside the post", async ({ page, browser, watched }) => {
  const box = await ask(page, "?scenario=state-e&lang=en&v=1");
  const place = box.getByLabel("Where does it go?");
  const save = page.locator("#embed-save");
  await expect(save).toBeHidden();
  await box.getByLabel("Follower HW lag").uncheck();
  await box.getByLabel("Clock from").fill("500ms");
  await box.getByLabel("Picture for readers without scripts").check();
  await expect(snippet(page)).toHaveValue(/<img src="highwater-state-e\.svg" alt="State E: only a stale replica is left"><\/a>/);
  await expect(page.locator("#embed-note")).toContainText("The snippet shows highwater-state-e.svg");
  const taken = async (name: string): Promise<Buffer> => {
    await expect(save).toHaveText(`Save ${name}`);
    const waiting = page.waitForEvent("download");
    await save.click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe(name);
    await expect(save).toHaveText(`Saved ${name}`);
    return readFile(await download.path());
  };
  const svg = (await taken("highwater-state-e.svg")).toString("utf8");
  // What was chosen: two timelines, a part of the clock; and the link into the lab.
  expect(svg).toContain("Producer acks");
  expect(svg).not.toContain("Follower HW lag");
  expect(svg).toContain("<svg x=");
  expect(svg).toMatch(/<metadata>http\S+\?scenario=state-e&amp;lang=en&amp;v=1<\/metadata>/);
  const html = await snippet(page).inputValue();
  for (const name of ["notion", "medium", "velog", "devto"]) {
    await place.selectOption(name);
    await expect(page.locator("#embed-note")).toContainText("highwater-state-e.png");
    await expect(save).toHaveText("Save highwater-state-e.png");
  }
  await expect(snippet(page)).toHaveValue(/^\[!\[State E: only a stale replica is left\]\(highwater-state-e\.png\)\]\(http\S+\)$/);
  const png = await taken("highwater-state-e.png");
  expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
  for (const name of ["frame", "tistory"]) {
    await place.selectOption(name);
    await expect(save).toBeHidden();
  }
  await expectAccessible(page);
  const site = await host();
  watched.origins.add(site.origin);
  site.put("/post/highwater-state-e.svg", svg, { "Content-Type": "image/svg+xml" });
  const url = site.put("/post/", post(html));
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto(url);
  const image = still.getByRole("img", { name: "State E: only a stale replica is left" });
  await expect(image).toBeVisible();
  // Boxes can be measured from outside where the page has no scripts.
  expect((await image.boundingBox())?.height).toBeGreaterThan(200);
  await context.close();
  await page.goto(url);
  const inside = page.locator("highwater-lab").frameLocator("iframe");
  await expect(inside.locator("#r-answer")).toHaveText("The partition is unavailable: nobody may lead.");
  await expect(page.getByRole("img", { name: "State E: only a stale replica is left" })).toBeHidden();
  await site.close();
});

test("it speaks the three languages, and costs nothing until it is asked for @once", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").pop() ?? ""));
  for (const [lang, title] of [["ko", "이 화면을 글에 넣기"], ["zh", "嵌入此视图"]] as const) {
    await open(page, `?lang=${lang}&v=1`);
    expect(asked.filter((name) => name.startsWith("embed"))).toEqual([]);
    await page.locator("#embed-button").click();
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    expect(await page.locator(".embed-dialog").textContent()).not.toMatch(/undefined|\{height\}/);
    asked.length = 0;
  }
});
