// The lab as a person uses it: pick a scenario, flip a toggle, scrub, break a broker, take it back, write a script.
import type { Locator, Page } from "@playwright/test";
import { expect, more, open, set as choose, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { screenshot } from "../helpers/screenshot";

const answer = (page: Page): Locator => page.locator(".ans");
const picture = (page: Page): Locator => page.locator("#picture > svg");
const scrubber = (page: Page): Locator => page.getByRole("slider", { name: "Playhead" });
const scriptText = (page: Page): Locator => page.getByRole("textbox", { name: "Script as text" });

/** What the picture says to those who cannot see it. */
async function said(page: Page): Promise<string> {
  const name = await picture(page).getAttribute("aria-label");
  return `${name} ${await page.locator("#picture-words").textContent()}`;
}

async function pick(page: Page, scenario: string): Promise<void> {
  await page.getByRole("button", { name: "Scenarios" }).click();
  await page.locator("#menu section:not(.long)").getByRole("button", { name: scenario }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(scenario);
}

/** Chooses a value of a toggle, which is chosen then. */
async function set(page: Page, group: string, value: string): Promise<void> {
  await choose(page, group, value);
  await expect(page.getByRole("group", { name: group }).getByRole("radio", { name: value, exact: true })).toBeChecked();
}

test("it opens with an answer, a proof and everything in words", async ({ page }, info) => {
  await open(page);
  await expect(answer(page)).toHaveText("1 acknowledged record was lost: m3.");
  await expect(picture(page)).toHaveAttribute("aria-label", /1 acknowledged record was lost: m3/);
  expect(await said(page)).toContain("m3: sent at 522 ms");
  await expect(page.getByRole("row", { name: /^m3/ })).toContainText("lost");
  await expect(page.locator(".chain li")).not.toHaveCount(0);
  await expectAccessible(page);
  await screenshot(page, info, "lab");
});

test("acks=all: the same script loses nothing that was acknowledged", async ({ page }, info) => {
  await open(page);
  const before = await said(page);
  const at = await scrubber(page).getAttribute("aria-valuetext");
  await set(page, "acks", "all");
  await expect(answer(page)).not.toContainText("lost");
  expect(await said(page)).not.toBe(before);
  expect(await said(page)).not.toContain("lost at");
  // The playhead stays.
  expect((await scrubber(page).getAttribute("aria-valuetext"))?.split(",")[0]).toBe(at?.split(",")[0]);
  await set(page, "acks", "0");
  await expect.poll(() => said(page)).toContain("no answer awaited");
  await expectAccessible(page);
  await screenshot(page, info, "acks");
});

test("min.insync.replicas 3: the HW stands still after a broker is gone", async ({ page }) => {
  await open(page);
  const m4 = page.getByRole("row", { name: /^m4/ });
  await expect(m4.getByRole("cell").nth(3)).toContainText("yes");
  const two = await said(page);
  await set(page, "min.insync.replicas", "3");
  await expect.poll(() => said(page)).not.toBe(two);
  const three = await said(page);
  await set(page, "min.insync.replicas", "1");
  await expect.poll(() => said(page)).not.toBe(three);
});

test("unclean election: without it the partition waits, with it an acknowledged record is lost", async ({ page }, info) => {
  await open(page);
  await pick(page, "State E: only a stale replica is left");
  await expect(answer(page)).toContainText("unavailable");
  expect(await said(page)).toContain("At the end nobody leads");
  await set(page, "unclean election", "on");
  await expect(answer(page)).toHaveText("1 acknowledged record was lost: m1.");
  expect(await said(page)).toContain("At the end broker 3 leads");
  await expectAccessible(page);
  await screenshot(page, info, "unclean");
});

test("ELR: with it a replica outside the ISR is elected without a loss, without it nobody is", async ({ page }) => {
  await open(page);
  await pick(page, "A candidate outside the ISR");
  expect(await said(page)).toContain("At the end broker 2 leads");
  await set(page, "ELR", "off");
  await expect.poll(() => said(page)).toContain("At the end nobody leads");
});

test("every scenario of the library opens", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Scenarios" }).click();
  const names = await page.locator("#menu section:not(.long) button").evaluateAll((buttons) =>
    buttons.map((button) => button.firstChild?.textContent ?? ""),
  );
  expect(names).toHaveLength(14);
  await page.getByRole("button", { name: "Scenarios" }).click();
  for (const name of names) {
    await pick(page, name);
    await expect(answer(page)).not.toBeEmpty();
  }
  await expectAccessible(page);
});

test("a recording is marked, and what the cluster showed stands beside what the model shows", async ({ page }, info) => {
  await open(page);
  await page.getByRole("button", { name: "Scenarios" }).click();
  await expect(page.locator("#menu section.long li").first()).toBeVisible();
  expect(await page.locator("#menu section.long li").count()).toBeGreaterThan(60);
  await expectAccessible(page);
  await screenshot(page, info, "menu");
  await page.getByRole("button", { name: /acks-1-lost-on-crash\.elr$/ }).click();
  await expect(page.locator(".recorded")).toHaveText("recorded on Kafka 4.4.0");
  await expect(page.getByRole("heading", { name: /Recorded on Kafka 4\.4\.0/ })).toBeVisible();
  await expect(page.locator(".against")).toContainText(/Each of the \d+ values below is in the model what it was in the cluster/);
  await expect(page.locator(".against tbody tr")).not.toHaveCount(0);
  await expectAccessible(page);
  await screenshot(page, info, "recording");
  await set(page, "acks", "0");
  await expect(page.locator(".against")).toHaveCount(0);
  await expect(page.locator(".recorded")).toContainText("changed by you");
});

test("the playhead goes by keys, by mouse or touch, and by event", async ({ page }) => {
  await open(page);
  const now = (): Promise<string | null> => scrubber(page).getAttribute("aria-valuetext");
  await scrubber(page).focus();
  await page.keyboard.press("Home");
  expect(await now()).toContain("0 ms");
  await page.keyboard.press("ArrowRight");
  const first = await now();
  await page.keyboard.press("ArrowRight");
  const second = await now();
  expect(second).not.toBe(first);
  await page.keyboard.press("ArrowLeft");
  expect(await now()).toBe(first);
  await page.keyboard.press("End");
  const end = await now();
  const box = await scrubber(page).boundingBox();
  if (!box) throw new Error("the scrubber has no box");
  const touch = await page.evaluate(() => navigator.maxTouchPoints > 0);
  if (touch) await page.touchscreen.tap(box.x + box.width * 0.3, box.y + box.height / 2);
  else await page.mouse.click(box.x + box.width * 0.3, box.y + box.height / 2);
  const there = await now();
  expect(there).not.toBe(end);
  await page.getByRole("button", { name: "Next event" }).click();
  expect(await now()).not.toBe(there);
  await expect(page.locator("[role=status].unseen")).not.toBeEmpty();
});

test("playing moves the playhead to the end", async ({ page }) => {
  await open(page);
  await scrubber(page).focus();
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await expect.poll(() => scrubber(page).inputValue().then(Number), { timeout: 5_000 }).toBeGreaterThan(600);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const there = await scrubber(page).inputValue();
  await page.waitForTimeout(200);
  expect(await scrubber(page).inputValue()).toBe(there);
});

test("with reduced motion it plays event by event, once a second", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page);
  await scrubber(page).focus();
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForTimeout(500);
  expect(await scrubber(page).getAttribute("aria-valuetext")).toContain("Nothing has happened yet");
  await expect(scrubber(page)).not.toHaveAttribute("aria-valuetext", /Nothing has happened yet/, { timeout: 3_000 });
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expectAccessible(page);
});

test("kill leader at the playhead, and take it back", async ({ page }, info) => {
  await open(page);
  await page.getByRole("button", { name: "Script as text" }).click();
  const before = await scriptText(page).inputValue();
  await scrubber(page).focus();
  await page.keyboard.press("Home");
  for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: /^Add step at/ }).click();
  await expectAccessible(page);
  await screenshot(page, info, "add-step");
  await page.getByRole("button", { name: "kill leader (broker 1)" }).click();
  await expect(scriptText(page)).toHaveValue(/at \d+ms kill 1\n.*produce/s);
  const changed = await said(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(scriptText(page)).toHaveValue(before);
  await page.getByRole("button", { name: "Redo" }).click();
  expect(await said(page)).toBe(changed);
});

test("a wrong line is pointed at, the last good run stays, nothing typed is lost", async ({ page }, info) => {
  await open(page);
  await page.getByRole("button", { name: "Script as text" }).click();
  const good = await scriptText(page).inputValue();
  const run = await said(page);
  const wrong = good.replace("at 530ms kill 1", "at 530ms kil 1");
  await scriptText(page).fill(wrong);
  await expect(page.locator("#script-errors")).toContainText("Line 8, column 10");
  await expect(page.locator("#script-errors")).toContainText("kill");
  expect(await said(page)).toBe(run);
  await expect(scriptText(page)).toHaveValue(wrong);
  await expect(scriptText(page)).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await screenshot(page, info, "wrong-line");
  await page.locator("#script-errors button").first().click();
  const selected = await scriptText(page).evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  );
  expect(selected).toBe("kil");
  await page.keyboard.type("kill");
  await expect(page.locator("#script-errors")).toBeEmpty();
  await expect(scriptText(page)).toHaveValue(good);
});

test("absurd text does not stop the page @once", async ({ page }) => {
  test.slow();
  await open(page);
  await page.getByRole("button", { name: "Script as text" }).click();
  for (const text of ["at -1ms kill 1", "at 5ms kill 99", "at 9999999999999999s check", "(".repeat(50_000)]) {
    await scriptText(page).fill(text);
    await expect(page.locator("#script-errors li").first()).toBeVisible();
    await expect(scriptText(page)).toHaveValue(text);
    await expect(answer(page)).toHaveText("1 acknowledged record was lost: m3.");
  }
  const long = "at 0ms produce\n".repeat(700_000);
  await scriptText(page).evaluate((area: HTMLTextAreaElement, text) => {
    area.value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }, long);
  await expect(page.locator("#script-errors li").first()).toBeVisible();
});

test("steps are edited in the list", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Script as text" }).click();
  await page.getByRole("textbox", { name: "Time of step 2" }).fill("12ms");
  await page.keyboard.press("Enter");
  await expect(scriptText(page)).toHaveValue(/at 12ms produce/);
  await page.getByRole("textbox", { name: "What step 2 does" }).fill("produce 2");
  await page.keyboard.press("Enter");
  await expect(scriptText(page)).toHaveValue(/at 12ms produce 2/);
  await page.getByRole("textbox", { name: "What step 2 does" }).fill("prodduce");
  await page.keyboard.press("Enter");
  await expect(page.locator(".steps [role=alert]")).toContainText("produce");
  await page.getByRole("button", { name: "Remove step 2" }).click();
  await expect(scriptText(page)).not.toHaveValue(/12ms/);
});

test("a step is dragged in time; Escape puts it back @once", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Script as text" }).click();
  const before = await scriptText(page).inputValue();
  const handle = page.locator("#step-1");
  await handle.scrollIntoViewIfNeeded();
  const box = await handle.boundingBox();
  if (!box) throw new Error("the step has no box");
  const [x, y] = [box.x + 20, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 15, { steps: 4 });
  await expect(scriptText(page)).toHaveValue(/at 12ms produce/);
  await page.keyboard.press("Escape");
  await expect(scriptText(page)).toHaveValue(before);
  await page.mouse.up();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 22, { steps: 4 });
  await page.mouse.up();
  await expect(scriptText(page)).toHaveValue(/at 13ms produce/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(scriptText(page)).toHaveValue(before);
});

test("a pause opens and folds again", async ({ page }, info) => {
  await open(page);
  const fold = page.locator(".fold-button").first();
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await fold.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".fold-button").first()).toHaveAttribute("aria-expanded", "true");
  await screenshot(page, info, "unfolded");
  await page.locator(".fold-button").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".fold-button").first()).toHaveAttribute("aria-expanded", "false");
});

test("a record lights up everywhere when it is selected", async ({ page }) => {
  await open(page);
  const m2 = page.getByRole("button", { name: "m2", exact: true });
  await m2.focus();
  await expect(picture(page).locator(".focusring").first()).toBeAttached();
  await m2.click();
  await expect(m2).toHaveAttribute("aria-pressed", "true");
  await expect(picture(page).locator(".seledge")).toHaveCount(3);
});

test("everything behind more can be set, and a wrong value is refused with a reason", async ({ page }, info) => {
  await open(page);
  await more(page);
  await expectAccessible(page);
  await screenshot(page, info, "more");
  await page.getByLabel("retries", { exact: true }).fill("many");
  await page.keyboard.press("Enter");
  await expect(page.locator(".more [role=alert]")).toContainText("a whole number");
  await page.getByLabel("retries", { exact: true }).fill("3");
  await page.keyboard.press("Enter");
  await expect(page.locator(".more [role=alert]")).toHaveCount(0);
  await page.getByLabel("kafka.version").selectOption("3.7");
  await expect(page.locator(".run .note")).toContainText("Kafka 3.7 has no ELR");
});

test("only the keyboard @once", async ({ page }) => {
  await open(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the picture" })).toBeFocused();
  const reach = async (target: Locator): Promise<void> => {
    for (let i = 0; i < 80; i++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
      const visible = await page.evaluate(() => {
        const element = document.activeElement;
        return element === document.body || (element?.matches(":focus-visible") ?? false);
      });
      expect(visible, "the focus can be seen").toBe(true);
    }
    throw new Error("not reached by Tab");
  };
  await reach(page.getByRole("group", { name: "acks" }).getByRole("radio", { name: "1", exact: true }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "all" })).toBeChecked();
  await expect(answer(page)).not.toContainText("lost");
  await reach(page.locator("#step-0"));
  await page.keyboard.press("ArrowDown");
  await expect(page.locator("#step-0")).toBeFocused();
  await expect(page.locator("#step-0")).toHaveAttribute("aria-label", /at 1 ms/);
  await reach(scrubber(page));
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await reach(page.getByRole("button", { name: /^Add step at/ }));
  await page.keyboard.press("Enter");
  await expect(page.locator("#add-list button").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator("#add-button")).toBeFocused();
  await reach(page.getByRole("button", { name: "Undo" }));
  await page.keyboard.press("Enter");
  await expect(page.locator("#step-0")).toHaveAttribute("aria-label", /at 0 ms/);
});

test("on a phone one timeline is wide, and targets are large enough", async ({ page, isMobile }, info) => {
  test.skip(!isMobile, "about the phone");
  await open(page);
  const heads = (): Promise<string> => picture(page).locator(".headrule").first().getAttribute("d").then(String);
  const lag = await heads();
  await page.getByRole("group", { name: "What the picture shows" }).getByText("Acks", { exact: true }).click();
  await expect.poll(heads).not.toBe(lag);
  await screenshot(page, info, "acks-open");
  await page.locator(".settings-line").click();
  await expectAccessible(page);
  await screenshot(page, info, "sheet");
  const small = await page.locator("button:visible, .seg label:visible, summary:visible").evaluateAll((elements) =>
    elements
      .filter((element) => !element.matches(".rail-step, .fold-button, .unseen, .numbers .link, .lines .link"))
      .map((element) => ({ name: element.textContent?.slice(0, 30) ?? "", box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 43.5 || box.width < 43.5)
      .map(({ name, box }) => `${name}: ${Math.round(box.width)}×${Math.round(box.height)}`),
  );
  expect(small).toEqual([]);
});

test("dark, by the system and by choice", async ({ page }, info) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page);
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await ground()).toBe("rgb(20, 23, 27)");
  await expectAccessible(page);
  await screenshot(page, info, "dark");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("light");
  expect(await ground()).toBe("rgb(255, 255, 255)");
  await page.reload();
  await expect(page.locator("#boot")).toHaveCount(0);
  expect(await ground()).toBe("rgb(255, 255, 255)");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("auto");
  expect(await ground()).toBe("rgb(20, 23, 27)");
});

test("forced colours keep every mark @once", async ({ page }, info) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page);
  await expect(picture(page).locator(".g-cross").first()).toBeVisible();
  await screenshot(page, info, "forced-colours");
});

test("the transcript says everything, leads to every instant, and is copied as a whole", async ({ page, context }) => {
  await open(page);
  await page.getByText("Transcript", { exact: true }).click();
  const lines = page.locator(".transcript li");
  expect(await lines.count()).toBeGreaterThan(15);
  await lines.nth(5).getByRole("button").click();
  await expect(lines.nth(5)).toHaveClass(/here/);
  await expectAccessible(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the transcript" }).click();
  await expect(page.locator("#r-transcript").getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^ {6}0 ms {2}/);
  expect(copied).toContain("1 acknowledged record was lost: m3.");
  expect(copied.split("\n").length).toBeGreaterThan(await lines.count());
});

test("nothing scrolls sideways in any state", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Script as text" }).click();
  const overflow = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Scenarios" }).click();
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test("why not: the selected record says what it waits for at the playhead", async ({ page }) => {
  await open(page);
  const why = page.locator("#r-why-not");
  await page.getByRole("row", { name: /^m3/ }).first().click();
  await expect(why.getByRole("heading")).toContainText("m3");
  await scrubber(page).focus();
  await page.keyboard.press("Home");
  await expect(why).toContainText("The script produces m3 at");
  await page.keyboard.press("End");
  await expect(why).not.toContainText("The script produces m3 at");
  await expect(why.locator("p")).not.toHaveCount(0);
  await expectAccessible(page);
});
