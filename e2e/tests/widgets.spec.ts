// Widgets as blogs have them: on a page of another origin, in every sandbox, in the dark, many of them, without
// scripts, on a hostile page, by keyboard, with mistakes.
import type { FrameLocator, Page } from "@playwright/test";
import { expect, test as base } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { host, post, type Host } from "../helpers/host";
import { wideFont } from "../helpers/font";
import { screenshot } from "../helpers/screenshot";

interface Blog extends Host {
  /** The address of a file of the embedded page. */
  at(path: string): string;
  /** The script of the widgets. */
  script: string;
  /** A widget with a link in it. */
  lab(attributes: string, query?: string): string;
}

const test = base.extend<{ site: Blog }>({
  site: async ({ watched, baseURL }, use) => {
    const site = await host();
    watched.origins.add(site.origin);
    const at = (path: string): string => new URL(path, baseURL).href;
    const lab = (attributes: string, query = "?scenario=state-e&v=1"): string =>
      `<highwater-lab ${attributes}><a href="${at(`./${query.replaceAll("&", "&amp;")}`)}">State E in the lab</a></highwater-lab>`;
    await use({ ...site, at, lab, script: `<script async src="${at("embed.js")}"></script>` });
    await site.close();
  },
});

/** The frame that stands in the widget of that number. */
const widget = (page: Page, nth = 0): FrameLocator => page.locator("highwater-lab").nth(nth).frameLocator("iframe");

const height = (page: Page, nth = 0): Promise<number> =>
  page
    .locator("highwater-lab iframe")
    .nth(nth)
    .evaluate((frame) => frame.getBoundingClientRect().height);

/** The frame is as tall as its content, so nothing scrolls in it. */
async function fits(page: Page, nth = 0): Promise<void> {
  const app = widget(page, nth).locator("#app");
  const content = (): Promise<number> => app.evaluate((element) => element.getBoundingClientRect().height);
  await expect.poll(async () => Math.abs((await height(page, nth)) - (await content()))).toBeLessThan(2);
}

const answer = (inside: FrameLocator) => inside.locator("#r-answer");

/** Flips a toggle of the widget. */
const flip = (inside: FrameLocator, group: string, value: string): Promise<void> =>
  inside.getByRole("group", { name: group }).getByText(value, { exact: true }).click();

test("a link becomes a widget, as tall as its content, and a toggle changes both", async ({ page, site }, info) => {
  const inner = site.lab(`scenario="state-e" lang="en" caption="Only a stale replica is left: wait + see (100%)."`);
  await page.goto(site.put("/", post(inner, { head: site.script, filler: 3 })));
  await page.locator("highwater-lab").scrollIntoViewIfNeeded();
  const inside = widget(page);
  await expect(inside.getByRole("heading", { level: 1 })).toHaveText("State E: only a stale replica is left");
  await expect(inside.locator("#w-caption")).toHaveText("Only a stale replica is left: wait + see (100%).");
  await fits(page);
  await screenshot(page, info, "widget");
  await expect(answer(inside)).toHaveText("The partition is unavailable: nobody may lead.");
  await flip(inside, "unclean election", "on");
  await expect(answer(inside)).toHaveText("1 acknowledged record was lost: m1.");
  await fits(page);
  const closed = await height(page);
  await inside.locator("#w-verdict summary").click();
  await expect(inside.locator("#r-verdict tr").first()).toBeVisible();
  await expect.poll(() => height(page)).toBeGreaterThan(closed + 40);
  await fits(page);
  await screenshot(page, info, "widget-verdict");
  // The lab that it opens has what was chosen here.
  const open = await inside.getByRole("link", { name: "Open in the lab" }).getAttribute("href");
  expect(open).toContain("scenario=state-e&unclean.leader.election.enable=true");
  // Nothing is kept, and the address of the frame is its author's.
  const frame = page.frames().find((one) => one.url().includes("embed.html"));
  const kept = await frame?.evaluate(() => [Object.keys(localStorage).join(), sessionStorage.length, document.cookie, location.search]);
  // The one that is there is put there by the helper of all tests.
  expect(kept?.slice(0, 3)).toEqual(["highwater.tour", 0, ""]);
  expect(kept?.[3]).toContain("scenario=state-e");
  expect(kept?.[3]).not.toContain("unclean");
  await expectAccessible(page);
});

test("the height follows a font that comes late, in the frame and in the page around it", async ({ page, site }) => {
  const caption = "Only a stale replica is left, and whoever waits for the leader waits for broker 2.";
  const style = "highwater-lab { width: min(100%, 40ch); font-family: Late, sans-serif }";
  await page.goto(site.put("/", post(site.lab(`lang="en" caption="${caption}"`), { head: site.script, style })));
  await fits(page);
  const font = wideFont().toString("base64");
  /** Written in it from the beginning, as with every font of the network; it comes later. */
  const come = async (written: string): Promise<void> => {
    const file = Uint8Array.from(atob(written), (c) => c.charCodeAt(0));
    document.fonts.add(await new FontFace("Late", file).load());
  };
  const frame = page.frames().find((one) => one.url().includes("embed.html"));
  await frame?.evaluate(() => document.documentElement.style.setProperty("--sans", "Late, sans-serif"));
  await fits(page);
  const before = await height(page);
  await frame?.evaluate(come, font);
  await expect.poll(() => height(page)).toBeGreaterThan(before + 60);
  await fits(page);
  const width = (): Promise<number> => page.locator("highwater-lab").evaluate((lab) => lab.clientWidth);
  const narrow = await width();
  await page.evaluate(come, font);
  const room = await page.locator("main").evaluate((main) => main.clientWidth);
  // On a phone it was as wide as the page before.
  await expect.poll(width).toBe(room);
  expect(room).toBeGreaterThanOrEqual(narrow);
  await fits(page);
});

test("an author chooses timelines, toggles, the stretch of the clock and the language", async ({ page, site }, info) => {
  const inner = site.lab(`show="acks,visibility" controls="acks,elr" start="520ms" end="560ms" acks="1" lang="ko"`, "?scenario=acknowledged-by-one&v=1");
  await page.goto(site.put("/", post(inner, { head: site.script })));
  const inside = widget(page);
  await fits(page);
  await expect(inside.locator("html")).toHaveAttribute("lang", "ko");
  await expect(inside.locator("#mistakes")).toHaveCount(0);
  await expect(inside.locator("#r-toggles fieldset")).toHaveCount(2);
  const panels = inside.locator("#g-shapes, #g-heads");
  await expect(panels.first()).toBeAttached();
  // The clock goes from its start to its end and no further.
  const slider = inside.locator("#scrubber");
  await slider.press("Home");
  await expect(inside.locator("#r-now b")).toHaveText("520 ms");
  await slider.press("End");
  await expect(inside.locator("#r-now b")).toHaveText("560 ms");
  const svg = await inside.locator("#drawing").evaluate((drawing) => drawing.getAttribute("viewBox"));
  expect(Number(svg?.split(" ")[1])).toBeGreaterThan(100);
  await screenshot(page, info, "widget-cropped-ko");
});

test("a question comes before the outcome", async ({ page, site }, info) => {
  const inner = site.lab(`question="lost" lang="en"`, "?scenario=acknowledged-by-one&v=1");
  await page.goto(site.put("/", post(inner, { head: site.script })));
  const inside = widget(page);
  await fits(page);
  const asked = inside.getByRole("group", { name: "Which of these records are lost at the end?" });
  await expect(asked).toBeVisible();
  await expect(answer(inside)).toBeEmpty();
  expect(await inside.locator("#app").textContent()).not.toMatch(/was lost|is lost|lost: m3/);
  await expectAccessible(page);
  await screenshot(page, info, "widget-question");
  await asked.getByRole("checkbox", { name: "m1" }).check();
  await expect(asked.getByRole("checkbox", { name: "m1" })).toBeChecked();
  await inside.getByRole("button", { name: "Answer and see the outcome" }).click();
  await expect(inside.locator("#judged")).toHaveText("Not so. It is: m3.");
  await expect(inside.locator("#judged")).toBeFocused();
  await expect(answer(inside)).toHaveText("1 acknowledged record was lost: m3.");
  await fits(page);
  await screenshot(page, info, "widget-answered");
});

test("a mistake in an attribute is named, and the rest works", async ({ page, site }, info) => {
  const inner = site.lab(`scenario="state-z" show="ack,visibility" contrls="acks" start="soon" question="why" theme="blue" height="tall" lang="en"`);
  await page.goto(site.put("/", post(inner, { head: site.script })));
  const inside = widget(page);
  const told = inside.locator("#mistakes li");
  await expect(told.filter({ hasText: /^show: found `ack`, expected acks, lag or visibility\. Write `acks`\?$/ })).toHaveCount(1);
  await expect(told.filter({ hasText: /^scenario: found `state-z`/ })).toHaveCount(1);
  await expect(told.filter({ hasText: /^contrls: .*Write `controls`\?$/ })).toHaveCount(1);
  await expect(told.filter({ hasText: /^start: found `soon`, expected a time/ })).toHaveCount(1);
  await expect(told.filter({ hasText: /^question: found `why`, expected lost, acknowledged, visible or leader/ })).toHaveCount(1);
  await expect(told.filter({ hasText: /^theme: found `blue`, expected auto, light or dark/ })).toHaveCount(1);
  await expect(told.filter({ hasText: /^height: found `tall`.*Write `auto`\?$/ })).toHaveCount(1);
  await expect(told).toHaveCount(7);
  await expect(inside.locator("#g-shapes > *").first()).toBeAttached();
  await screenshot(page, info, "widget-mistakes");
});

for (const [name, sandbox] of [
  ["without a sandbox", ""],
  ["in a sandbox with its own origin", ` sandbox="allow-scripts allow-same-origin"`],
  ["in a sandbox without an origin", ` sandbox="allow-scripts"`],
] as const) {
  test(`it works ${name} @once`, async ({ page, site, watched }) => {
    // What a frame without an origin may not do is said by nobody.
    watched.expected.push(/'allow-scripts' and 'allow-same-origin'/);
    const inner = site.lab(`lang="zh"${sandbox}`);
    await page.goto(site.put("/", post(inner, { head: site.script })));
    const inside = widget(page);
    await fits(page);
    await expect(inside.locator("html")).toHaveAttribute("lang", "zh-Hans");
    const before = await answer(inside).textContent();
    await flip(inside, "unclean", "开");
    await expect(answer(inside)).not.toHaveText(before ?? "");
    await fits(page);
    const plain = `<iframe src="${site.at("embed.html?scenario=state-e&lang=en&v=1")}"${sandbox} style="width:100%;height:700px" title="State E"></iframe>`;
    await page.goto(site.put("/plain", post(plain)));
    const frame = page.frameLocator("iframe");
    await expect(answer(frame)).toHaveText("The partition is unavailable: nobody may lead.");
  });
}

test("ten widgets share one download, and those far away sleep @once", async ({ page, site }) => {
  const requests: { url: string; from: boolean }[] = [];
  // What would wake the page again and again: timers and animation frames of the page around the widgets.
  await page.addInitScript(() => {
    const woken: string[] = [];
    if (window === window.top) Object.assign(window, { woken });
    for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"] as const) {
      const real = window[name] as (...given: unknown[]) => number;
      Object.assign(window, { [name]: (...given: unknown[]) => (woken.push(name), real.apply(window, given)) });
    }
  });
  const bytes = new Map<string, number>();
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  page.on("response", (response) => {
    if (response.url().startsWith(site.at("./"))) requests.push({ url: response.url(), from: response.fromServiceWorker() });
  });
  const scenarios = ["state-a", "state-b", "state-c", "state-d", "state-e", "hw-6-4-5", "input-isr-one", "input-elr", "input-unclean", "input-late-follower"];
  const inner = scenarios.map((id) => site.lab(`scenario="${id}" lang="en"`) + "<p>Between them there is text.</p>".repeat(60)).join("");
  await page.goto(site.put("/", post(inner, { head: site.script, filler: 30 })));
  await page.waitForLoadState("networkidle");
  const asleep = requests.map((one) => one.url);
  expect(asleep, "asleep").toEqual([site.at("embed.js")]);
  expect(page.frames()).toHaveLength(1);
  expect(await page.evaluate(() => (window as unknown as { woken: string[] }).woken)).toEqual([]);
  for (const [nth] of scenarios.entries()) {
    await page.locator("highwater-lab").nth(nth).scrollIntoViewIfNeeded();
    await fits(page, nth);
  }
  const sizes = await page.evaluate(() => performance.getEntriesByType("resource").length);
  expect(sizes).toBeGreaterThan(0);
  // What each frame took from the network, told by the frames themselves.
  for (const frame of page.frames().filter((one) => one.url().includes("embed.html"))) {
    const taken = await frame.evaluate(() => {
      const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const of = (kind: RegExp): number =>
        entries.filter((entry) => kind.test(new URL(entry.name).pathname)).reduce((sum, entry) => sum + entry.transferSize, 0);
      const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return { code: of(/\.(js|wasm|css)$/), html: page?.transferSize ?? 0 };
    });
    bytes.set(frame.url(), taken.code);
    expect(taken.html, frame.url()).toBeLessThanOrEqual(4096);
  }
  expect(bytes.size).toBe(10);
  const paid = [...bytes.values()].filter((code) => code > 0);
  expect(paid, "widgets that took code from the network").toHaveLength(1);
});

test("the colours follow the page around it", async ({ page, site }, info) => {
  const dark = "body { background: #101418; color: #ddd } body.day { background: #fff; color: #222 }";
  await page.goto(site.put("/", post(site.lab(`lang="en"`), { head: site.script, style: dark })));
  const inside = widget(page);
  await fits(page);
  const root = inside.locator("html");
  await expect(root).toHaveAttribute("data-theme", "dark");
  await screenshot(page, info, "widget-dark");
  await expectAccessible(page);
  await page.evaluate(() => document.body.classList.add("day"));
  await expect(root).toHaveAttribute("data-theme", "light");
});

test("without scripts, in print and while it sleeps there is the link @once", async ({ page, site, browser }) => {
  const url = site.put("/", post(site.lab(`lang="en"`), { head: site.script }));
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto(url);
  await expect(still.getByRole("link", { name: "State E in the lab" })).toBeVisible();
  await context.close();
  await page.goto(url);
  await fits(page);
  const link = page.getByRole("link", { name: "State E in the lab" });
  await expect(link).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(link).toBeVisible();
  await expect(page.locator("highwater-lab iframe")).toBeHidden();
});

test("a hostile page gets nothing but a widget @once", async ({ page, site }) => {
  await page.goto(site.put("/", post(site.lab(`lang="en"`), { head: site.script })));
  const inside = widget(page);
  await fits(page);
  const before = await answer(inside).textContent();
  const took = await page.evaluate(async () => {
    const frame = document.querySelector("highwater-lab")?.shadowRoot?.querySelector("iframe")?.contentWindow;
    const shapes: unknown[] = [
      null, undefined, 0, NaN, [], {}, "", "highwater:1?", "highwater:1?theme", "highwater:1?theme=__proto__", "highwater:2?theme=dark",
      "highwater:1?constructor=1", "highwater:1?__proto__=1&toString=2", "highwater:1?at=1e999", "highwater:1?at=99999999999999999999.4294967296",
      "highwater:1?acks=all&acks=2&lang=../../x", "highwater:1?script=kill", "highwater:1?lang=%00%ff", `highwater:1?${"at=1&".repeat(100)}`,
      `highwater:1?theme=${"x".repeat(1e6)}`, { __proto__: { highwater: 1 } }, JSON.parse('{"__proto__":{"theme":"dark"},"highwater":1}'),
      Object.create(null), new Map([["highwater", 1]]), new Uint8Array(1e6), new Date(NaN), { highwater: 1, type: "theme", theme: "dark" },
      { toString: "highwater:1?theme=dark" }, [["highwater:1?theme=dark"]], new Blob(["highwater:1?theme=dark"]),
    ];
    const began = performance.now();
    for (let round = 0; round < 400; round += 1) {
      for (const shape of shapes.slice(0, 19)) frame?.postMessage(shape, "*");
      frame?.postMessage("highwater:1?theme=" + (round % 2 ? "dark" : "light"), "*");
    }
    for (const shape of shapes) frame?.postMessage(shape, "*");
    frame?.postMessage("highwater:1?theme=dark", "*");
    await new Promise((done) => setTimeout(done, 50));
    return performance.now() - began;
  });
  expect(took).toBeGreaterThan(0);
  // The last that was in order is obeyed when the flood is over; nothing else was.
  await expect(inside.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(answer(inside)).toHaveText(before ?? "");
  await expect(inside.locator("#stopped")).toHaveCount(0);
  await flip(inside, "unclean election", "on");
  await expect(answer(inside)).toHaveText("1 acknowledged record was lost: m1.");
  await fits(page);
  // Frames of others on the page cannot set its height.
  const tall = await height(page);
  await page.evaluate(() => {
    window.postMessage("highwater:1?height=5000", "*");
    const other = document.body.appendChild(document.createElement("iframe"));
    other.srcdoc = "<script>parent.postMessage('highwater:1?height=6000', '*')</" + "script>";
  });
  await page.waitForTimeout(300);
  expect(await height(page)).toBe(tall);
});

test("what the page around it asks for in order is done @once", async ({ page, site }) => {
  await page.goto(site.put("/", post(site.lab(`lang="en"`), { head: site.script })));
  const inside = widget(page);
  await fits(page);
  const tell = (text: string): Promise<void> =>
    page.evaluate((said) => {
      const frame = document.querySelector("highwater-lab")?.shadowRoot?.querySelector("iframe")?.contentWindow;
      frame?.postMessage(said, "*");
    }, text);
  await tell("highwater:1?at=10");
  await expect(inside.locator("#r-now b")).toHaveText("10 ms");
  await tell("highwater:1?unclean=true&at=end");
  await expect(answer(inside)).toHaveText("1 acknowledged record was lost: m1.");
  await tell("highwater:1?lang=ko");
  await expect(inside.locator("html")).toHaveAttribute("lang", "ko");
  await fits(page);
});

test("the keyboard goes into the frame and out of it @once", async ({ page, site }) => {
  const inner = `<button id="before">before</button>${site.lab(`lang="en"`)}<button id="after">after</button>`;
  await page.goto(site.put("/", post(inner, { head: site.script })));
  const inside = widget(page);
  await fits(page);
  await page.locator("#before").focus();
  await page.keyboard.press("Tab");
  await expect(inside.locator("#r-toggles :focus")).toHaveCount(1);
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.locator("#after").evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(page.locator("#after")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(inside.getByRole("link", { name: "Open in the lab" })).toBeFocused();
});

test("a strict policy of the page around it is enough @once", async ({ page, site, baseURL }) => {
  const origin = new URL(baseURL ?? "").origin;
  const policy = `default-src 'none'; script-src ${origin}; frame-src ${origin}; style-src 'nonce-post'`;
  const html = post(site.lab(`lang="en"`), { head: site.script }).replace("<style>", `<style nonce="post">`);
  await page.goto(site.put("/", html, { "Content-Security-Policy": policy }));
  await fits(page);
  await flip(widget(page), "unclean election", "on");
  await expect(answer(widget(page))).toHaveText("1 acknowledged record was lost: m1.");
});

test("the posts of the examples: six widgets, three languages, light and dark", async ({ page, site, request }, info) => {
  // Their page as it is, but served by another origin.
  const from = site.at("embed-examples/");
  const html = await (await request.get(from)).text();
  const there = html.replaceAll(/(href|src)="(?!http)([^"]+)"/g, (_, name: string, path: string) => `${name}="${new URL(path.replaceAll("&amp;", "&"), from).href.replaceAll("&", "&amp;")}"`);
  await page.goto(site.put("/", there));
  const widgets = page.locator("highwater-lab");
  await expect(widgets).toHaveCount(6);
  const languages = ["ko", "ko", "zh-Hans", "zh-Hans", "en", "en"];
  for (const [nth, language] of languages.entries()) {
    await widgets.nth(nth).scrollIntoViewIfNeeded();
    await fits(page, nth);
    await expect(widget(page, nth).locator("html")).toHaveAttribute("lang", language);
    await expect(widget(page, nth).locator("#mistakes")).toHaveCount(0);
    await expect(widget(page, nth).locator("html")).toHaveAttribute("data-theme", "light");
  }
  await screenshot(page, info, "examples");
  // What the Korean post says of its first run, and the English one of its question.
  const first = widget(page, 0);
  await first.getByRole("checkbox", { name: "m3" }).check();
  await first.locator("#answer-button").click();
  await expect(first.locator("#judged")).toHaveText("맞다. m3.");
  await flip(first, "acks", "all");
  await expect(answer(first)).not.toContainText("유실");
  const leader = widget(page, 4);
  await leader.getByRole("radio", { name: "broker 2" }).check();
  await leader.locator("#answer-button").click();
  await expect(leader.locator("#judged")).toHaveText("Right: broker 2.");
  await flip(widget(page, 2), "min.insync.replicas", "1");
  await expect(answer(widget(page, 2))).not.toContainText("NOT_ENOUGH_REPLICAS");
  await page.getByRole("button", { name: "Light or dark" }).click();
  for (const [nth] of languages.entries()) await expect(widget(page, nth).locator("html")).toHaveAttribute("data-theme", "dark");
  await screenshot(page, info, "examples-dark");
});
