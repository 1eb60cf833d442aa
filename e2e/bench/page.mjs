// Figures of the page for `cargo xtask bench`, one line a figure: `name value…`. Node, with Playwright's browser driver.
// A redraw is timed from inside the browser: what a reader does is done at the beginning of a frame, and the clock is read
// when that frame has been laid out and painted. So the figure is all the work of the main thread, without the wait for
// the screen; at 60 frames a second up to 16.7 ms of it go unseen.
import { readFile } from "node:fs/promises";
import { chromium } from "@playwright/test";

const [shortScript, longScript] = process.argv.slice(2);
const { HIGHWATER_URL: url, HIGHWATER_CHROMIUM: executablePath } = process.env;
const root = process.getuid?.() === 0;

/** What runs in the page before it: finds the memory of its wasm, and times frames. */
function instrument() {
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = async (...given) => {
      const made = await original(...given);
      globalThis.benchMemory = (made.instance ?? made).exports.memory;
      return made;
    };
  }
  const painted = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const drawn = () => document.querySelector("#picture > svg")?.innerHTML.length ?? 0;
  /** Milliseconds of one frame in which `act` is done. What was drawn later than that would be a lie: it is refused. */
  globalThis.benchFrame = async (act) => {
    await frame();
    const start = performance.now();
    act();
    const time = (await painted()) - start;
    const at = drawn();
    await frame();
    await frame();
    if (drawn() !== at) throw new Error("the picture was drawn after the frame that was timed");
    return time;
  };
}

const browser = await chromium.launch({
  executablePath,
  args: ["--disable-gpu", "--no-first-run", "--disable-background-networking", ...(root ? ["--no-sandbox"] : [])],
});

const at = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];

/** Opens the page with a script in its text area. */
async function opened(path, throttling) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(instrument);
  await page.goto(url);
  await page.locator("#picture > svg").waitFor();
  const text = page.locator("#script-text");
  if (!(await text.isVisible())) await page.locator("[aria-controls=script]").first().click();
  await text.fill(await readFile(path, "utf8"));
  await page.waitForFunction(() => document.querySelector("#script-errors")?.childElementCount === 0);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: throttling });
  return page;
}

for (const throttling of [1, 4]) {
  const page = await opened(shortScript, throttling);
  const toggles = await page.evaluate(async () => {
    const times = [];
    const radios = ["0", "1", "all"].map((value) => document.querySelector(`input[name=acks][value="${value}"]`));
    for (let count = 0; count < 45; count += 1) {
      const radio = radios[count % radios.length];
      const time = await globalThis.benchFrame(() => radio.click());
      if (count >= 9) times.push(time);
    }
    return times;
  });
  console.log(`toggle-${throttling} ${at(toggles, 0.5)} ${at(toggles, 0.95)}`);
  await page.close();
}

for (const throttling of [1, 4]) {
  const page = await opened(longScript, throttling);
  const scrubs = await page.evaluate(async () => {
    const range = document.querySelector("#scrubber");
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    const times = [];
    let seed = 1;
    for (let count = 0; count < 130; count += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      const place = Math.floor((seed / 2 ** 32) * Number(range.max));
      const time = await globalThis.benchFrame(() => {
        set.call(range, String(place));
        range.dispatchEvent(new Event("input", { bubbles: true }));
      });
      if (count >= 10) times.push(time);
    }
    return times;
  });
  console.log(`scrub-${throttling} ${at(scrubs, 0.5)} ${at(scrubs, 0.95)}`);
  if (throttling === 1) {
    console.log(`page-memory ${await page.evaluate(() => globalThis.benchMemory?.buffer.byteLength ?? 0)}`);
  }
  await page.close();
}
{
  // The question of the bar, as a reader asks it: in a worker, with progress, from the click to the answer.
  const page = await browser.newPage();
  await page.goto(new URL("check/en/?faults=power_loss=1,fence=1&records=3", url).href);
  await page.locator("form button.main").click();
  await page.locator("#answer[data-answer=holds]").waitFor({ timeout: 120_000 });
  const { seconds, states } = await page.locator("#progress").evaluate((element) => ({ ...element.dataset }));
  console.log(`check ${seconds} ${states}`);
  await page.close();
}
await browser.close();
