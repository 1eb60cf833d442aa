// Scripts as files and as pasted text: save, open, drop, paste; and what is no script is told.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, open, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";

const script = (page: Page): Locator => page.locator("#script-text");
const told = (page: Page): Locator => page.locator("#r-link [role=alert]");
const text = "title 파일 one\nset acks=1\n\nat 0ms produce 2   # two\nat 530ms kill 1\n";

const given = (name: string, content: string | Buffer) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

/** Drops a file on the picture. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  await page.locator("#picture").evaluate(
    (place, [called, inside]) => {
      const data = new DataTransfer();
      data.items.add(new File([inside ?? ""], called ?? ""));
      for (const kind of ["dragover", "drop"]) {
        place.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    [name, content],
  );
}

async function paste(page: Page, content: string): Promise<void> {
  await page.locator("#title").evaluate((place, inside) => {
    const data = new DataTransfer();
    data.setData("text/plain", inside);
    place.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, content);
}

test("a script is saved as a file and opened again", async ({ page }) => {
  await open(page, "?lang=en");
  await page.locator("#script-button").click();
  await script(page).fill(text);
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe("파일-one.hw");
  const saved = await readFile(await download.path());
  expect(saved.toString("utf8")).toBe(text);
  await page.getByRole("button", { name: "Scenarios" }).click();
  await page.getByRole("button", { name: "State A: three in the ISR" }).click();
  await page.locator("#file").setInputFiles(given("mine.hw", saved));
  await expect(script(page)).toHaveValue(text);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("파일 one");
  // It is an edit like any other.
  await page.locator("#undo").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("State A: three in the ISR");
  // The same file once more.
  await page.locator("#file").setInputFiles(given("mine.hw", saved));
  await expect(script(page)).toHaveValue(text);
});

test("a file is dropped on the page: a script, a script with a mistake, a recording", async ({ page }) => {
  await open(page, "?lang=en");
  await drop(page, "mine.hw", text);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("파일 one");
  await drop(page, "wrong.hw", "title W\nat 0ms produce\nat 5ms kil 1\n");
  await expect(page.locator("#script-errors")).toContainText("Line 3, column 8: found `kil`");
  await expect(script(page)).toBeVisible();
  const recording = await (await page.request.get("./traces/acks-1-lost-on-crash.elr.txt")).text();
  await drop(page, "acks-1-lost-on-crash.elr.txt", recording);
  await expect(page.locator(".recorded")).toHaveText("recorded on Kafka 4.4.0");
  await expectAccessible(page);
});

for (const [lang, long, bytes] of [
  ["en", "longer than 1000000 bytes", "byte 4 is not UTF-8"],
  ["ko", "1000000바이트보다 길다", "4번째 바이트가 UTF-8이 아니다"],
  ["zh", "超过 1000000 字节", "第 4 个字节不是 UTF-8"],
] as const) {
  test(`what is no script is told and changes nothing, in ${lang} @once`, async ({ page }) => {
    await open(page, `?scenario=state-a&lang=${lang}`);
    const before = await script(page).inputValue();
    const file = page.locator("#file");
    await file.setInputFiles(given("long.hw", Buffer.alloc(10_000_000, "a")));
    await expect(told(page)).toContainText(long);
    await file.setInputFiles(given("bytes.hw", Buffer.from([65, 66, 67, 0xff, 0xfe, 10])));
    await expect(told(page)).toContainText(bytes);
    await drop(page, "trace.json", '{"kafka": "4.4.0", "steps": []}');
    await expect(told(page)).toContainText("trace.json");
    await drop(page, "broken.txt", "highwater recording 1\nnothing\n");
    await expect(told(page)).toContainText("broken");
    await expectAccessible(page);
    expect(await script(page).inputValue()).toBe(before);
  });
}

test("a script or a link is pasted beside the fields @once", async ({ page }) => {
  await open(page, "?lang=en");
  await paste(page, text);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("파일 one");
  await paste(page, "https://example.org/lab/?scenario=state-e&amp;unclean=true&amp;v=1).");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("State E: only a stale replica is left");
  await expect(page.locator(".ans")).toHaveText("1 acknowledged record was lost: m1.");
  await paste(page, "I only wanted to say hello");
  await expect(told(page)).toContainText("What was pasted: Line 1, column 1");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("State E: only a stale replica is left");
});
