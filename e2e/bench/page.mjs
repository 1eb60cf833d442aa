// Figures of the page for `cargo xtask bench`, one line a figure: `name value…`. Node, with Playwright's browser driver.
// A redraw is timed from inside the browser: the work of the main thread from what a reader does until the picture is
// written, and then that of the frame in which it is laid out and painted, without the wait for the screen in between.
import { readFile } from "node:fs/promises";
import { chromium } from "@playwright/test";

const [shortScript, manyScript, longScript] = process.argv.slice(2);
const { HIGHWATER_URL: url, HIGHWATER_CHROMIUM: executablePath } = process.env;
const root = process.getuid?.() === 0;

/** What runs in the page before it: finds the memory of its wasm, and times frames. */
function instrument() {
  // The module comes when a person shows up.
  addEventListener("DOMContentLoaded", () => dispatchEvent(new PointerEvent("pointermove")));
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = async (...given) => {
      const made = await original(...given);
      globalThis.benchMemory = (made.instance ?? made).exports.memory;
      return made;
    };
  }
  /** When everything that is under way now is done. */
  const free = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())));
  /** Milliseconds of work from `act` until what it changes of the picture is painted. A picture that does not change is refused. */
  globalThis.benchRedraw = async (act) => {
    await frame();
    await free();
    const drawn = new Promise((resolve, refuse) => {
      const late = setTimeout(() => refuse(new Error("nothing was drawn")), 20_000);
      const watch = new MutationObserver(() => {
        watch.disconnect();
        clearTimeout(late);
        resolve();
      });
      for (const svg of document.querySelectorAll("#picture > svg, #picture-b > svg")) {
        watch.observe(svg, { childList: true, subtree: true });
      }
    });
    const start = performance.now();
    act();
    await drawn;
    const written = await free();
    const begun = await frame();
    return written - start + ((await free()) - begun);
  };
  const choose = (value) => document.querySelector(`#settings input[name="acks"][value="${value}"]`).click();
  globalThis.benchToggle = async (value) => globalThis.benchRedraw(() => choose(value));
  /** Milliseconds, waits included, until the page has written the last of what a toggle changes, below the window too. */
  globalThis.benchSettled = async (value) => {
    let last = performance.now();
    const start = last;
    const watch = new MutationObserver(() => (last = performance.now()));
    watch.observe(document.body, { childList: true, subtree: true });
    choose(value);
    do await new Promise((resolve) => setTimeout(resolve, 100));
    while (performance.now() - last < 600);
    watch.disconnect();
    return last - start;
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
  await page.locator("#app:not([data-first], [aria-busy])").waitFor({ state: "attached" });
  await page.locator("#picture > svg").waitFor();
  const text = page.locator("#script-text");
  if (!(await text.isVisible())) await page.locator("[aria-controls=script]").first().click();
  await text.fill(await readFile(path, "utf8"));
  await page.waitForFunction(() => document.querySelector("#script-errors")?.childElementCount === 0);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: throttling });
  return page;
}

/** How long each of many toggles took until it was drawn, in ms; the first ones warm up. */
const toggled = (page) =>
  page.evaluate(async () => {
    const times = [];
    for (let count = 0; count < 45; count += 1) {
      const time = await globalThis.benchToggle(["0", "1", "all"][count % 3]);
      if (count >= 9) times.push(time);
    }
    return times;
  });

for (const throttling of [1, 4]) {
  const page = await opened(shortScript, throttling);
  const toggles = await toggled(page);
  console.log(`toggle-${throttling} ${at(toggles, 0.5)} ${at(toggles, 0.95)}`);
  const settled = await page.evaluate(async () => {
    const times = [];
    for (let count = 0; count < 9; count += 1) times.push(await globalThis.benchSettled(["0", "1", "all"][count % 3]));
    return times;
  });
  console.log(`settled-${throttling} ${at(settled, 0.5)} ${at(settled, 0.95)}`);
  await page.close();
}

{
  // Every toggle of A in turn, with B beside it: both runs are drawn anew, and compared.
  const page = await opened(manyScript, 1);
  await page.locator("[data-do^='b:']").first().click();
  await page.locator("#drawing-b [data-id]").first().waitFor({ state: "attached" });
  const pairs = await toggled(page);
  console.log(`pair ${at(pairs, 0.5)} ${at(pairs, 0.95)}`);
  await page.close();
}

{
  // The matrix of the short script, computed anew at each edit, while keys are pressed: from the edit to the last cell, and
  // how long each key waits until the page hears it. The browser stamps a key when it comes in from outside.
  const page = await opened(shortScript, 1);
  await page.locator("#matrix-button").click();
  await page.waitForFunction(() => document.querySelectorAll(".matrix td button").length === 36);
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    globalThis.benchDelays = [];
    addEventListener("keydown", (event) => benchDelays.push(performance.now() - event.timeStamp), true);
  });
  let computing = true;
  const typing = (async () => {
    while (computing) {
      for (const type of ["rawKeyDown", "keyUp"]) {
        await session.send("Input.dispatchKeyEvent", { type, key: "Shift", code: "ShiftLeft", windowsVirtualKeyCode: 16 });
      }
    }
  })();
  const { edits, gaps } = await page.evaluate(async () => {
    const whole = () => !document.querySelector(".matrix td:not(:has(button)):not(:empty)");
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const text = document.querySelector("#script-text");
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
    const table = document.querySelector("#r-matrix");
    const script = text.value;
    const edits = [];
    const gaps = [];
    for (let count = 0; count < 24; count += 1) {
      // Another time of the last step: another script, and all of the matrix is another.
      set.call(text, script.replace(/at 30480ms/, `at ${30480 + 20 * (1 + (count % 12))}ms`));
      await frame();
      const done = new Promise((resolve) => {
        const watch = new MutationObserver(() => {
          if (!whole()) return;
          watch.disconnect();
          resolve();
        });
        watch.observe(table, { childList: true, subtree: true });
      });
      let running = true;
      const frames = (async () => {
        let last = await frame();
        while (running) {
          const now = await frame();
          gaps.push(now - last);
          last = now;
        }
      })();
      const start = performance.now();
      text.dispatchEvent(new Event("input", { bubbles: true }));
      await done;
      edits.push(performance.now() - start);
      running = false;
      await frames;
    }
    return { edits, gaps };
  });
  computing = false;
  await typing;
  const delays = await page.evaluate(() => globalThis.benchDelays);
  console.log(`matrix ${at(edits, 0.5)} ${at(edits, 0.95)}`);
  console.log(`matrix-delay ${at(delays, 0.5)} ${Math.max(...delays)} ${delays.length}`);
  console.log(`matrix-frame ${at(gaps, 0.5)} ${at(gaps, 0.95)} ${Math.max(...gaps)}`);
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
      const time = await globalThis.benchRedraw(() => {
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
