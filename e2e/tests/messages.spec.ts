// The messages view: arrows on the clock of the timelines, each field with its meaning, by hand and by keys alone.
import { expect, open, sheet, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";
import type { Locator, Page } from "@playwright/test";

const arrows = (page: Page): Locator => page.locator("#later-messages .arrows");
const chosen = (page: Page): Locator => page.locator("#later-messages .msg.chosen");

/** Shows the messages where the timelines are. */
async function show(page: Page): Promise<void> {
  await page.locator(".seg label:visible").filter({ has: page.locator('input[value="messages"]') }).click();
  await expect(page.locator("#later-messages .msg").first()).toBeAttached({ timeout: 20_000 });
}

/** What is said of the selected message: in the side column, or over the bar where there is none. */
const detail = (page: Page): Locator => page.locator("#message-side:visible, #message-sheet:visible");

/** The y of an element's middle on the screen. */
const middle = async (at: Locator): Promise<number> => {
  const box = await at.boundingBox();
  if (!box) throw new Error("it is not on the page");
  return box.y + box.height / 2;
};

test("nothing of the messages is fetched before they are shown", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").pop() ?? ""));
  await open(page);
  expect(asked.filter((name) => name.startsWith("later"))).toEqual([]);
  await show(page);
  const kinds = asked.filter((name) => name.startsWith("later")).map((name) => name.split(".").pop());
  expect(kinds.sort()).toEqual(["css", "js", "js", "wasm"]);
});

test("a click tells a message field by field, and moves the playhead to it", async ({ page }, info) => {
  await open(page);
  await show(page);
  await screenshot(page, info, "messages");
  // The acknowledgement of m3 stands out, because m3 is selected.
  const carried = page.locator("#later-messages .msg.carries");
  expect(await carried.count()).toBeGreaterThanOrEqual(2);
  await carried.first().locator(".hit").dispatchEvent("click");
  await expect(detail(page).getByRole("heading", { name: "ProduceRequest" })).toBeVisible();
  await expect(detail(page)).toContainText("acks");
  await expect(detail(page)).toContainText("1 = itself");
  await expect(page.locator("#r-now")).toContainText("523 ms");
  // Its answer is one click away.
  await detail(page).getByRole("button", { name: /ProduceResponse/ }).click();
  await expect(detail(page).getByRole("heading", { name: "ProduceResponse" })).toBeVisible();
  await expect(detail(page)).toContainText("baseOffset");
  await expect(chosen(page)).toHaveCount(1);
  await screenshot(page, info, "message");
  await expectAccessible(page);
  await detail(page).getByRole("button", { name: "Close" }).click();
  await expect(chosen(page)).toHaveCount(0);
});

test("it shares the clock, the folds and the playhead of the timelines", async ({ page }) => {
  await open(page);
  const ruler = (): Promise<string | null> => page.locator("#drawing").getAttribute("height");
  const before = await ruler();
  await show(page);
  expect(await ruler()).toBe(before);
  // m3 leaves at the height of its step.
  const hair = page.locator('#drawing [data-id="hair-4-0"]');
  const step = await middle(hair);
  const leaves = await page.locator("#later-messages .msg.carries .wire").first().boundingBox();
  expect(Math.abs((leaves?.y ?? 0) - step)).toBeLessThan(2);
  // A fold that is opened opens for both.
  const fold = page.locator("[data-fold]").first();
  await fold.focus();
  await page.keyboard.press("Enter");
  await expect.poll(ruler).not.toBe(before);
  await expect(async () => {
    const there = await page.locator("#later-messages .msg.carries .wire").first().boundingBox();
    const now = await middle(hair);
    expect(Math.abs((there?.y ?? 0) - now)).toBeLessThan(2);
  }).toPass();
});

test("only the keyboard: from message to message, to the answer, and back @once", async ({ page }) => {
  await open(page);
  await page.locator('input[value="messages"]:visible').focus();
  await page.keyboard.press("Space");
  await expect(page.locator("#later-messages .msg").first()).toBeAttached({ timeout: 20_000 });
  await arrows(page).focus();
  await page.keyboard.press("Home");
  await expect(chosen(page)).toHaveCount(1);
  const first = await detail(page).locator(".way").textContent();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const third = await detail(page).textContent();
  await page.keyboard.press("ArrowRight");
  const partner = await detail(page).textContent();
  expect(partner).not.toBe(third);
  await page.keyboard.press("ArrowRight");
  expect(await detail(page).textContent()).toBe(third);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await detail(page).locator(".way").textContent()).toBe(first);
  await expect(page.locator("#later-messages [role=status]")).not.toBeEmpty();
  await page.keyboard.press("End");
  // It is in sight, clear of the bar.
  await expect(async () => {
    const y = await middle(chosen(page).locator(".hit"));
    const bar = await page.locator(".bar").boundingBox();
    expect(y).toBeLessThan(bar?.y ?? 0);
    expect(y).toBeGreaterThan(0);
  }).toPass({ timeout: 5_000 });
  await page.keyboard.press("Escape");
  await expect(chosen(page)).toHaveCount(0);
});

test("a link opens them, they survive a reload, and the timelines leave the link as it was", async ({ page }) => {
  await open(page, "?view=messages&v=1");
  await expect(page.locator("#later-messages .msg").first()).toBeAttached({ timeout: 20_000 });
  await expect(page.locator('input[value="messages"]:visible')).toBeChecked();
  await page.locator("#record-2").click();
  await expect(page).toHaveURL(/record=2.*view=messages/);
  await page.reload();
  await expect(page.locator("#later-messages .msg").first()).toBeAttached({ timeout: 20_000 });
  await expect(page.locator("#record-2")).toHaveAttribute("aria-pressed", "true");
  const timelines = /^(timelines|lag)$/;
  await page.locator(".seg label:visible").filter({ has: page.locator('input[value="timelines"], input[value="lag"]') }).click();
  await expect(page).not.toHaveURL(/view=/);
  expect(await page.locator(".panel-choice input:checked, #r-views input:checked").first().inputValue()).toMatch(timelines);
});

for (const lang of ["en", "ko", "zh"]) {
  test(`nothing stands on the names of the lanes, in ${lang}`, async ({ page, isMobile }) => {
    if (isMobile) await page.setViewportSize({ width: 360, height: 800 });
    await open(page, `?view=messages&lang=${lang}&v=1`);
    await expect(page.locator("#later-messages .msg").first()).toBeAttached({ timeout: 20_000 });
    const overlaps = await page.evaluate(() => {
      const link = document.querySelector(".message-tools .link");
      const names = [...document.querySelectorAll("#later-messages .arrows text")].slice(0, 6);
      // The words themselves, not the room that a thumb has around them.
      const words = document.createRange();
      if (!link) return ["no button"];
      words.selectNodeContents(link);
      const box = words.getBoundingClientRect();
      const hits = (at: DOMRect): boolean =>
        at.left < box.right && at.right > box.left && at.top < box.bottom - 2 && at.bottom > box.top + 2;
      return names.filter((name) => hits(name.getBoundingClientRect())).map((name) => name.textContent);
    });
    expect(overlaps).toEqual([]);
  });
}

test("on paper what is said of a message is whole, and in forced colours every arrow is there", async ({ page }, info) => {
  await open(page, "?view=messages&v=1");
  await page.locator("#later-messages .msg.carries .hit").first().dispatchEvent("click");
  await expect(detail(page)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll(".side, .message-sheet")].filter((part) => part.scrollHeight > part.clientHeight + 1).length,
  );
  expect(cut).toBe(0);
  await expect(page.locator(".message-tools .link").first()).toBeHidden();
  await screenshot(page, info, "messages-print");
  await page.emulateMedia({ media: "screen", forcedColors: "active" });
  const [wire, paper] = await page.evaluate(() => [
    getComputedStyle(document.querySelector(".msg:not(.chosen) .wire") as Element).stroke,
    getComputedStyle(document.body).backgroundColor,
  ]);
  expect(wire).not.toBe(paper);
  await screenshot(page, info, "messages-forced");
  await expectAccessible(page);
});

test("idle polling is left out until it is asked for", async ({ page }) => {
  await open(page);
  await show(page);
  const count = (): Promise<number> => page.locator("#later-messages .msg").count();
  const before = await count();
  await expect(page.locator("#later-messages .msg.idle")).toHaveCount(0);
  const button = page.locator("#later-messages [data-idle]");
  await button.click();
  await expect.poll(count).toBeGreaterThan(before);
  await expect(button).toHaveText("Hide idle polling");
  await expect(page.locator("#later-messages")).toContainText(/\d+ messages/);
  await button.click();
  await expect.poll(count).toBe(before);
});

test("the list says everything that is drawn, and leads to it", async ({ page }) => {
  await open(page);
  await show(page);
  const list = page.locator("#message-list");
  await list.locator("summary").click();
  await page.getByRole("slider", { name: "Playhead" }).focus();
  await page.keyboard.press("Home");
  await expect(list).toContainText("the producer → broker 1: ProduceRequest (Produce m1); left 0 ms, arrived 1 ms");
  const lost = list.locator("li", { hasText: "lost: the receiver is down" }).first();
  await lost.getByRole("button").click();
  await expect(detail(page)).toContainText("It never arrived.");
  await expect(list.locator("li.here")).toHaveCount(1);
  await expectAccessible(page);
});

test("lost messages end in a cross before anything is chosen", async ({ page }) => {
  await open(page);
  await show(page);
  await expect(page.locator("#later-messages .msg.lost .g-cross").first()).toBeAttached();
});

test("A and B: both are drawn on one clock, the fields of either are told", async ({ page }, info) => {
  await open(page);
  await sheet(page);
  await page.locator('[data-do="b:acks=all"]').click();
  await sheet(page, false);
  await show(page);
  const b = page.locator("#later-messages-b .msg");
  await expect(b.first()).toBeAttached();
  await b.first().locator(".hit").dispatchEvent("click");
  await expect(page.locator("#message-sheet")).toBeVisible();
  await expect(page.locator("#message-sheet")).toContainText("-1");
  await expect(chosen(page)).toHaveCount(0);
  await screenshot(page, info, "messages-b");
  await expectAccessible(page);
});

for (const [lang, words, kind] of [
  ["ko", "팔로워에게는 ack이기도 하다", "light"],
  ["zh", "对 follower 而言它也是确认", "dark"],
] as const) {
  test(`in ${lang}, ${kind}: fields are told in the reader's language`, async ({ page }, info) => {
    await page.emulateMedia({ colorScheme: kind });
    await open(page, `?lang=${lang}`);
    await show(page);
    const list = page.locator("#message-list");
    await list.locator("summary").click();
    const fetch = list.locator("li", { hasText: "FetchRequest" }).first();
    await fetch.getByRole("button").click();
    await expect(detail(page)).toContainText(words);
    await expectAccessible(page);
    await screenshot(page, info, `messages-${lang}`);
  });
}

test("five replicas and a long run: only what is near is drawn, and scrolling draws the rest", async ({ page }) => {
  await open(page);
  await page.locator("#script-button").click();
  const produce = Array.from({ length: 400 }, (_, n) => `at ${n * 5}ms produce`).join("\n");
  await page.locator("#script-text").fill(`set replicas=1,2,3,4,5\nset brokers=1,2,3,4,5\n${produce}\n`);
  await show(page);
  const count = (): Promise<number> => page.locator("#later-messages .msg").count();
  await expect.poll(count).toBeGreaterThan(50);
  expect(await count()).toBeLessThan(500);
  await expect(page.locator("#later-messages")).toContainText(/\d+ more messages in this stretch; the list has them/);
  await page.evaluate(() => scrollTo(0, 0));
  const last = (): Promise<string | null> => page.locator("#later-messages .msg").last().getAttribute("data-message");
  await expect.poll(async () => Number(await last())).toBeLessThan(3_000);
  const before = Number(await last());
  const time = await page.evaluate(async () => {
    const figure = document.querySelector("#picture");
    if (!figure) return -1;
    scrollTo(0, figure.getBoundingClientRect().bottom + scrollY - innerHeight);
    const began = performance.now();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - began;
  });
  await expect.poll(async () => Number(await last())).toBeGreaterThan(before);
  expect(time).toBeGreaterThanOrEqual(0);
  console.log(`a jump through a run of 400 records and five replicas: ${time.toFixed(1)} ms to the second frame`);
});
