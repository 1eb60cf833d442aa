// Pictures of a view: saved as SVG and PNG, dropped back; a picture without a view is told; JSON and traces are opened.
import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { expect, open, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";

const link = "?scenario=state-e&unclean.leader.election.enable=true&at=11.1&lang=ko&v=1";

/** Drops bytes on the picture. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.locator("#picture").evaluate(
    (place, [called, inside]) => {
      const data = new DataTransfer();
      const binary = Uint8Array.from(atob(inside ?? ""), (c) => c.charCodeAt(0));
      data.items.add(new File([binary], called ?? ""));
      for (const kind of ["dragover", "drop"]) {
        place.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    [name, bytes.toString("base64")],
  );
}

async function saved(page: Page, kind: "SVG" | "PNG"): Promise<[Download, Buffer]> {
  const box = page.locator("#picture-file");
  if (!(await box.evaluate((details: HTMLDetailsElement) => details.open))) await box.locator("summary").click();
  const waiting = page.waitForEvent("download");
  await box.getByRole("button", { name: kind, exact: true }).click();
  const download = await waiting;
  return [download, await readFile(await download.path())];
}

const shown = async (page: Page): Promise<string[]> => [
  await page.locator("#script-text").inputValue(),
  (await page.locator(".ans").first().textContent()) ?? "",
  (await page.locator("#scrubber").getAttribute("aria-valuetext")) ?? "",
];

test("a view is saved as SVG and as PNG, and either opens it again", async ({ page }) => {
  await open(page, link);
  const before = await shown(page);
  const [svgFile, svg] = await saved(page, "SVG");
  expect(svgFile.suggestedFilename()).toMatch(/\.svg$/);
  const words = svg.toString("utf8");
  expect(words).toContain("<metadata>http");
  expect(words).toContain('xml:lang="ko"');
  expect(words).toContain("프로듀서 acks");
  const [pngFile, png] = await saved(page, "PNG");
  expect(pngFile.suggestedFilename()).toMatch(/\.png$/);
  expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
  expect(png.includes("Highwater\0")).toBe(true);
  // Twice as wide as the drawing, and not of one colour.
  expect(png.readUInt32BE(16)).toBe(2 * Number(/ width="(\d+)"/.exec(words)?.[1]));
  expect(png.length).toBeGreaterThan(50_000);
  await expectAccessible(page);
  for (const [name, bytes] of [["twin.svg", svg], ["twin.png", png]] as const) {
    await open(page, "?lang=en&v=1");
    expect(await shown(page)).not.toEqual(before);
    await drop(page, name, bytes);
    await expect(page.locator("#script-text")).toHaveValue(before[0] ?? "");
    expect((await page.locator("#scrubber").getAttribute("aria-valuetext"))?.match(/\d+/)?.[0]).toBe(before[2]?.match(/\d+/)?.[0]);
  }
});

test("a picture is readable on light and on dark ground @once", async ({ page }) => {
  await open(page, "?acks=1&b.acks=all&lang=en&v=1");
  const [, svg] = await saved(page, "SVG");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("about:blank");
    await page.setContent(svg.toString("utf8"));
    const [ground, ink] = await page.evaluate(() => {
      const fill = (what: string) => getComputedStyle(document.querySelector(what) as Element).fill;
      return [fill(".cover"), fill(".ti")];
    });
    const light = (colour: string) => (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, n) => sum + Number(n), 0) / 3;
    const [under, over] = colorScheme === "light" ? [ground, ink] : [ink, ground];
    expect(light(under ?? "")).toBeGreaterThan(200);
    expect(light(over ?? "")).toBeLessThan(60);
    await page.screenshot({ path: `screenshots/twin-${colorScheme}.png`, fullPage: true });
  }
});

for (const [lang, words] of [
  ["en", "is a picture without a view inside"],
  ["ko", "화면 상태가 들어 있지 않은 그림이다"],
  ["zh", "这张图片里没有视图"],
] as const) {
  test(`a picture without a view is told and changes nothing, in ${lang} @once`, async ({ page }) => {
    await open(page, `?scenario=state-a&lang=${lang}&v=1`);
    const before = await shown(page);
    const told = page.locator("#r-link [role=alert]");
    await drop(page, "photo.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]));
    await expect(told).toContainText(words);
    await drop(page, "drawing.svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
    await expect(told).toContainText("drawing.svg");
    expect(await shown(page)).toEqual(before);
  });
}

test("a scenario in JSON and a recorded trace are opened; what is wrong in one is told with its place @once", async ({ page }) => {
  await open(page, "?lang=en&v=1");
  const json = { title: "From JSON", settings: { acks: "1" }, steps: [{ at: 0, do: "produce" }] };
  const trace = await readFile("../core/cases/cluster-traces/acks-1-lost-on-crash.elr.json");
  await drop(page, "trace.json", trace);
  await expect(page.locator(".recorded")).toHaveText("recorded on Kafka 4.4.0");
  // Nobody else has this file under a name: its link is its script.
  await page.locator("input[name=acks][value='all']").first().click({ force: true });
  await expect(page).toHaveURL(/script=/);
  await drop(page, "wrong.json", Buffer.from('{"kafka": "4.4.0", "steps": 7}'));
  await expect(page.locator("#r-link [role=alert]")).toContainText("wrong.json");
  await expect(page.locator("#r-link [role=alert]")).toContainText("expected");
  await expect(page.locator(".recorded")).toBeVisible();
  await drop(page, "scenario.json", Buffer.from(JSON.stringify(json)));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("From JSON");
  await expect(page.locator("#r-link [role=alert]")).toHaveCount(0);
});

test("corrections of published links are shown when they are asked for @once", async ({ page }) => {
  await open(page, "?lang=en&v=1");
  const box = page.locator("#link-changes");
  await box.locator("summary").click();
  await expect(box.locator("pre")).toContainText("Corrections of rules after which a published link has other facts");
  await expectAccessible(page);
});
