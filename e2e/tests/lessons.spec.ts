// Lessons as a reader takes them: by mouse, by keys only, on a phone, in three languages, with and without scripts.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import { host, post } from "../helpers/host";
import { screenshot } from "../helpers/screenshot";

const SLUG = "the-fetch-is-the-ack";
const at = (language: string, query = "", slug = SLUG) => `./lessons/${language}/${slug}/${query}`;
const step = (page: Page, number: number): Locator => page.locator(`#step-${number}`);
const check = (page: Page, number: number): Locator => page.locator(`#ask-${number} .btn.main`);

async function fits(page: Page): Promise<void> {
  // Not against `innerWidth`: a phone zooms out of a page that is too wide, and both grow.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing widens the page").toBeLessThanOrEqual(page.viewportSize()!.width);
}

for (const [language, next, wrong, right] of [
  ["en", "Next", "Not so. You said HW 2; the run says HW 1.", "Right: HW 1."],
  ["ko", "다음", "아니다. 고른 답: HW 2. 실행 결과: HW 1.", "맞다. HW 1."],
  ["zh", "下一步", "不对。你选的是 HW 2，运行结果是 HW 1。", "正确：HW 1。"],
] as const) {
  test(`from start to end, wrong and right (${language})`, async ({ page }, info) => {
    await page.goto(at(language));
    await expect(page.locator("html")).toHaveAttribute("lang", language === "zh" ? "zh-Hans" : language);
    await expect(step(page, 1)).toBeVisible();
    await expect(step(page, 2)).toBeHidden();
    await expectAccessible(page);
    await step(page, 1).getByRole("link", { name: next, exact: true }).click();

    // An order, wrong first: its last event stands on top.
    await expect(step(page, 2).locator(".order li")).toHaveCount(4);
    await fits(page);
    await check(page, 2).click();
    await expect(step(page, 2).locator(".judged")).not.toHaveClass(/good/);
    await expect(step(page, 2).locator(".reason.mine")).toHaveCount(1);
    await expectAccessible(page);
    await screenshot(page, info, `lesson-order-${language}`);
    await step(page, 2).locator("[data-again]").click();
    for (const rank of [0, 1, 2, 3]) {
      const item = step(page, 2).locator(`.order li[data-rank="${rank}"]`);
      while ((await item.evaluate((li) => [...li.parentElement!.children].indexOf(li))) > rank) {
        await item.locator('[data-move="-1"]').click();
      }
    }
    await check(page, 2).click();
    await expect(step(page, 2).locator(".judged")).toHaveClass(/good/);
    await step(page, 2).getByRole("link", { name: next, exact: true }).click();

    // The HW of a follower: a wrong offset gets the sentence for that offset, then the right one.
    const spots = step(page, 3).getByRole("radio");
    await expect(spots).toHaveCount(4);
    await step(page, 3).locator(".spot").nth(2).click();
    await check(page, 3).click();
    await expect(step(page, 3).locator(".judged")).toHaveText(wrong);
    await expect(step(page, 3).locator(".reason.mine")).toContainText("612 ms");
    await expect(step(page, 3).locator(".guess")).toBeVisible();
    await fits(page);
    await expectAccessible(page);
    await screenshot(page, info, `lesson-hw-${language}`);
    await step(page, 3).locator("[data-again]").click();
    await step(page, 3).locator(".spot").nth(1).click();
    await check(page, 3).click();
    await expect(step(page, 3).locator(".judged")).toHaveText(right);
    await step(page, 3).getByRole("link", { name: next, exact: true }).click();

    await expect(step(page, 4).locator(".one")).toHaveCount(2);
    await fits(page);
    await screenshot(page, info, `lesson-two-${language}`);
    await step(page, 4).getByRole("link", { name: next, exact: true }).click();
    await expect(step(page, 5).locator(".take-away")).toBeVisible();
    await expectAccessible(page);

    // The index knows that it is done.
    await page.goto(`./lessons/${language}/`);
    await expect(page.locator(`li[data-slug="${SLUG}"]`)).toHaveClass(/done/);
    await fits(page);
    await expectAccessible(page);
    await screenshot(page, info, `lesson-index-${language}`);
  });
}

test("every lesson: each step fits, each question answers", async ({ page }) => {
  // 24 lessons, each of their steps: on a busy machine they take their time.
  test.setTimeout(900_000);
  await page.goto("./lessons/ko/");
  const links = await page.locator(".path li:not(.coming) > div > a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) {
    await page.goto(`./lessons/ko/${link}`);
    const steps = Number(await page.locator("main").getAttribute("data-steps"));
    for (let number = 1; number <= steps; number += 1) {
      await expect(step(page, number), `${link} ${number}`).toBeVisible();
      await fits(page);
      if (await page.locator(`#ask-${number}`).count()) {
        const first = step(page, number).locator(".spot input").first();
        if (await first.count()) await first.check({ force: true });
        await check(page, number).click();
        await expect(step(page, number).locator(".judged"), `${link} ${number}`).not.toBeEmpty();
        await expect(step(page, number).locator(".key")).toBeVisible();
        await fits(page);
      }
      if (number < steps) await step(page, number).locator(`.turn [data-go="${number + 1}"]`).click();
    }
    await expectAccessible(page);
  }
});

test("by keys only", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  // From the top of the page to the mark on the axis.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name") ?? "");
  for (let presses = 0; presses < 40 && (await focused()) !== "c-3"; presses += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(step(page, 3).locator(".judged")).toHaveText("Not so. You said HW 2; the run says HW 1.");
  await expect(step(page, 3).locator(".judged")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(step(page, 3).getByRole("radio", { name: "HW 2" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(step(page, 3).locator(".judged")).toHaveText("Right: HW 1.");
  // An order by arrow keys.
  await page.goto(at("en", "?step=2"));
  const first = step(page, 2).locator(".order li").first();
  const said = await first.locator("span").textContent();
  await first.locator("button").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(step(page, 2).locator(".order li").nth(2)).toContainText(said ?? "");
});

test("the mark is dragged along the offsets", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  const box = async (place: number) => (await step(page, 3).locator(".spot").nth(place).boundingBox())!;
  const [from, to] = [await box(3), await box(1)];
  await step(page, 3).locator(".spots").scrollIntoViewIfNeeded();
  const [start, end] = [await box(3), await box(1)];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height - 30);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2 + 6, end.y + end.height - 60, { steps: 5 });
  await page.mouse.up();
  expect(from.x).toBeGreaterThan(to.x);
  await expect(step(page, 3).getByRole("radio", { name: "HW 1" })).toBeChecked();
});

test("a link opens a step, a reload keeps the answer, back goes back @once", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  await expect(step(page, 3)).toBeVisible();
  await step(page, 3).locator("[data-show]").click();
  await expect(step(page, 3).locator(".key")).toContainText("HW 1");
  await page.reload();
  await expect(step(page, 3).locator(".key")).toBeVisible();
  await step(page, 3).getByRole("link", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/step=4/);
  await expect(page.locator("#h-4")).toBeFocused();
  await page.goBack();
  await expect(step(page, 3)).toBeVisible();
  await page.goto(at("en", "#step-2"));
  await expect(step(page, 2)).toBeVisible();
  await page.goto(at("en", "?step=99"));
  await expect(step(page, 1)).toBeVisible();
});

test("nothing chosen is said, and nothing is shown @once", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  await check(page, 3).click();
  await expect(step(page, 3).locator(".judged")).toHaveText("Choose something first.");
  await expect(step(page, 3).locator(".answer")).not.toHaveAttribute("open");
});

test("what is hidden is not in the page's accessible text before the answer @once", async ({ page }) => {
  await page.goto(at("en", "?step=3"));
  const seen = () => step(page, 3).innerText();
  expect(await seen()).not.toContain("still 1");
  await step(page, 3).locator("[data-show]").click();
  expect(await seen()).toContain("still 1");
});

test("storage that throws, or holds rubbish, changes nothing @once", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new Error("no storage here");
      },
    });
  });
  await page.goto(at("en", "?step=3"));
  await step(page, 3).locator(".spot").nth(1).click();
  await check(page, 3).click();
  await expect(step(page, 3).locator(".judged")).toHaveText("Right: HW 1.");
});

for (const rubbish of ["[1]", "{", "null", '{"the-fetch-is-the-ack":7}', '{"the-fetch-is-the-ack":{"seen":3,"picks":{"3":["99"],"2":[1,2]}}}']) {
  test(`rubbish in storage: ${rubbish} @once`, async ({ page }) => {
    await page.addInitScript((text) => localStorage.setItem("highwater.lessons", text), rubbish);
    await page.goto(at("en", "?step=3"));
    await expect(step(page, 3).locator(".judged")).toHaveText("");
    await check(page, 3).click();
    await expect(step(page, 3).locator(".judged")).toHaveText("Choose something first.");
  });
}

test("the lab comes only when it is asked for @once", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(at("en", "?step=5"));
  expect(asked.filter((url) => url.endsWith(".wasm"))).toEqual([]);
  await page.locator("[data-lab]").click();
  const lab = page.frameLocator(".lab-frame");
  await expect(lab.getByRole("heading", { level: 1 })).toBeVisible();
  const link = await page.getByRole("link", { name: "Open it in the lab" }).getAttribute("href");
  expect(link).toMatch(/^\.\.\/\.\.\/\.\.\/\?script=/);
});

test("the first load of a lesson is small @once", async ({ page }) => {
  const sizes: number[] = [];
  page.on("response", async (response) => sizes.push((await response.body()).length));
  await page.goto(at("ko"), { waitUntil: "networkidle" });
  // Uncompressed: markup, styles and script; gzip makes a sixth of it.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
});

/** Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 90; presses += 1) {
    if (await element.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(element, "reached by Tab").toBeFocused();
}

for (const [language, next] of [
  ["en", "Next"],
  ["ko", "다음"],
  ["zh", "下一步"],
] as const) {
  test(`from start to end by keys only (${language})`, async ({ page }) => {
    await page.goto(at(language));
    const go = async (number: number) => {
      await tabTo(page, step(page, number).getByRole("link", { name: next, exact: true }));
      await page.keyboard.press("Enter");
      await expect(page.locator(`#h-${number + 1}`)).toBeFocused();
    };
    await go(1);
    // The order, event by event: up until it stands in its place.
    for (const rank of [0, 1, 2, 3]) {
      const item = step(page, 2).locator(`.order li[data-rank="${rank}"]`);
      const place = () => item.evaluate((li) => [...li.parentElement!.children].indexOf(li));
      if ((await place()) > rank) {
        await page.locator("#h-2").focus();
        await tabTo(page, item.locator('[data-move="-1"]'));
      }
      while ((await place()) > rank) await page.keyboard.press("ArrowUp");
    }
    await tabTo(page, check(page, 2));
    await page.keyboard.press("Enter");
    await expect(step(page, 2).locator(".judged")).toHaveClass(/good/);
    await go(2);
    // An offset: wrong first, with its reason, then right.
    await tabTo(page, step(page, 3).getByRole("radio").first());
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(step(page, 3).locator(".judged")).not.toHaveClass(/good/);
    await expect(step(page, 3).locator(".reason.mine")).toBeVisible();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await expect(step(page, 3).locator(".judged")).toHaveClass(/good/);
    await go(3);
    await go(4);
    await expect(step(page, 5).locator(".take-away")).toBeVisible();
  });
}

test("two runs have room: side by side where it is wide, above one another on a phone", async ({ page }, info) => {
  await page.goto(at("en", "?step=3", "refused-before-or-after"));
  const wide = info.project.name !== "phone";
  const shown = step(page, 3).locator(`.one .pic.${wide ? "wide" : "slim"}`);
  await expect(shown).toHaveCount(2);
  const [a, b] = await Promise.all([0, 1].map(async (nth) => (await shown.nth(nth).boundingBox())!));
  expect(Math.min(a.width, b.width)).toBeGreaterThan(320);
  if (info.project.name === "phone") expect(b.y).toBeGreaterThan(a.y + a.height);
  else expect(Math.abs(a.y - b.y)).toBeLessThan(2);
  await expect(step(page, 3).locator(".one h3 code")).toHaveText(["kafka.version=4.4", "kafka.version=3.6"]);
  await fits(page);
  await page.goto(at("ko", "?step=6", "eligible-leader-replicas"));
  await expect(step(page, 6).locator(".one h3")).toHaveText(["C 브로커 2가 죽었다", "D 브로커 2가 끊겼을 뿐이다"]);
});

test("one step, or one question, alone; what does not exist is said", async ({ page }, info) => {
  await page.goto(at("en", "?only=question-3"));
  await expect(page.locator(".step:visible")).toHaveCount(1);
  await expect(page.locator("#q-3")).toBeVisible();
  await expect(page.locator(".steps-nav")).toBeHidden();
  await expect(page.getByRole("link", { name: "Who tells the leader" })).toHaveAttribute("href", "./?step=3");
  await fits(page);
  await expectAccessible(page);
  await screenshot(page, info, "lesson-only");
  await page.goto(at("ko", "?only=step-4"));
  await expect(page.locator("#h-4")).toBeVisible();
  await expect(page.locator(".step:visible")).toHaveCount(1);
  for (const wrong of ["step-99", "question-1", "nonsense", ""]) {
    await page.goto(at("en", `?only=${wrong}`));
    await expect(page.locator(".whole")).toContainText(`This lesson has no “${wrong}”`);
    await expect(step(page, 1)).toBeVisible();
    await expect(page.locator(".steps-nav")).toBeVisible();
  }
  // One step alone is not the whole lesson.
  await page.goto(at("en", "?only=step-5"));
  await page.goto("./lessons/en/");
  await expect(page.locator(`li[data-slug="${SLUG}"]`)).not.toHaveClass(/done/);
});

test("a step says how it is linked and put into a page @once", async ({ page }) => {
  await page.goto(at("zh", "?step=2"));
  await page.locator(".share summary").click();
  const [link, widget] = await page.locator(".share textarea").evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
  expect(link).toMatch(/\/lessons\/zh\/the-fetch-is-the-ack\/\?step=2$/);
  expect(widget).toContain('<highwater-lab lesson="the-fetch-is-the-ack" question="2" lang="zh">');
  expect(widget).toContain(link);
  await expectAccessible(page);
  await step(page, 2).getByRole("link", { name: "下一步", exact: true }).click();
  await expect(page.locator(".share textarea").first()).toHaveValue(/\?step=3$/);
  await page.goto(link);
  await expect(step(page, 2)).toBeVisible();
});

test("the markup of a step makes a widget of it in another page", async ({ page, watched, baseURL }, info) => {
  await page.goto(at("ko", "?step=3"));
  const markup = await page.locator(".share textarea").nth(1).inputValue();
  const other = await host();
  watched.origins.add(other.origin);
  const dark = "body { background: #14181d !important; color: #eee !important }";
  await page.goto(other.put("/post", post(`<div id="own">${markup}</div>`, { lang: "zh", style: dark })));
  const own = page.locator("#own highwater-lab");
  await own.scrollIntoViewIfNeeded();
  const widget = page.frameLocator("#own iframe");
  await expect(widget.locator("#q-3")).toBeVisible();
  await expect(widget.locator("html")).toHaveAttribute("lang", "ko");
  await expect(widget.locator("html")).toHaveAttribute("data-theme", "dark");
  // The link gave way to a frame that is as tall as its content, and no wider than the post.
  await expect(own.getByRole("link")).toBeHidden();
  const rest = () => widget.locator("html").evaluate((root) => root.scrollHeight - window.innerHeight);
  await expect.poll(rest).toBe(0);
  expect(await widget.locator("html").evaluate((root) => root.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await widget.locator(".spot").nth(2).click();
  await widget.getByRole("button", { name: "확인하기" }).click();
  await expect(widget.locator("#ask-3 .judged")).toHaveText("아니다. 고른 답: HW 2. 실행 결과: HW 1.");
  await expect.poll(rest).toBe(0);
  await screenshot(page, info, "lesson-widget");
  // A lesson that does not exist leaves the link.
  watched.expected.push(/404/);
  const gone = new URL("embed.js", baseURL);
  const nothing = `<script async src="${gone}"></script><highwater-lab lesson="nowhere" step="1"><a href="#x">A lesson</a></highwater-lab>`;
  await page.goto(other.put("/gone", post(nothing)));
  await expect(page.locator("highwater-lab iframe")).toHaveCount(1);
  await expect(page.getByRole("link", { name: "A lesson" })).toBeVisible();
  await other.close();
});

test("as a widget it has no header @once", async ({ page }) => {
  await page.goto(at("en", "?step=3&embed"));
  await expect(page.locator("header.top")).toBeHidden();
  await expect(step(page, 3)).toBeVisible();
});

for (const sandbox of [undefined, "allow-scripts", "allow-scripts allow-same-origin"]) {
  test(`a question in a page of another origin, sandbox ${sandbox ?? "none"} @once`, async ({ page, watched, baseURL }) => {
    const other = await host();
    watched.origins.add(other.origin);
    const src = new URL("lessons/en/hw-is-the-lowest-leo/?only=question-1&embed&theme=dark", baseURL);
    const box = sandbox === undefined ? "" : `sandbox="${sandbox}"`;
    const frame = `<iframe title="Lesson" ${box} src="${src}" style="width:700px;height:100px"></iframe>
      <script>const frame = document.querySelector("iframe"); window.heard = [];
      addEventListener("message", ({ source, data }) => {
        const height = /^highwater:1\\?height=(\\d{1,5})$/.exec(data)?.[1];
        if (source !== frame.contentWindow || !height) return;
        heard.push(data); frame.style.height = height + "px";
      });</script>`;
    await page.goto(other.put("/post", post(frame)));
    const widget = page.frameLocator("iframe");
    await expect(widget.locator("#q-1")).toBeVisible();
    await expect(widget.locator("header.top")).toBeHidden();
    await expect(widget.locator("html")).toHaveAttribute("data-theme", "dark");
    // The page around it made it as tall as its content.
    const rest = () => widget.locator("html").evaluate((root) => root.scrollHeight - window.innerHeight);
    await expect.poll(rest).toBe(0);
    await widget.locator(".spot").nth(2).click();
    await widget.getByRole("button", { name: "Check" }).click();
    await expect(widget.locator("#ask-1 .judged")).toHaveText("Not so. You said HW 5; the run says HW 4.");
    await expect(widget.locator(".reason.mine")).toContainText("m1 is not committed: broker 2 of ISR {1, 2, 3} has not fetched it, so HW is 4 and not 5.");
    await expect.poll(rest).toBe(0);
    await widget.getByRole("button", { name: "Ask me again" }).click();
    await widget.getByRole("radio", { name: "HW 4" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await expect(widget.locator("#ask-1 .judged")).toHaveText("Right: HW 4.");
    expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard.length)).toBeGreaterThan(1);
    // It hears which colours the page around it has, and nothing that is no such text.
    await page.evaluate(() => {
      const to = document.querySelector("iframe")!.contentWindow!;
      for (const message of ["highwater:1?theme=light", { theme: "dark" }, "highwater:1?theme=blue", "theme=dark"]) to.postMessage(message, "*");
    });
    await expect(widget.locator("html")).toHaveAttribute("data-theme", "light");
    await other.close();
  });
}

test("the lab leads to the lessons and back @once", async ({ page }) => {
  await page.goto("./");
  await page.getByRole("link", { name: "Lessons" }).click();
  await expect(page.locator(".path")).toBeVisible();
  await page.getByRole("link", { name: "Lab", exact: true }).click();
  await expect(page.locator("#picture")).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("a lesson is complete and readable @once", async ({ page }) => {
    await page.goto(at("en"));
    for (const number of [1, 2, 3, 4, 5]) await expect(step(page, number)).toBeVisible();
    const answer = step(page, 3).locator("details.answer");
    await expect(answer.locator(".key")).toBeHidden();
    await answer.locator("summary").first().click();
    await expect(answer.locator(".key")).toContainText("HW 1");
    // The picture with the answer takes the place of the asked one.
    await expect(step(page, 3).locator(".stage.after")).toBeVisible();
    await expect(step(page, 3).locator(".stage.asked")).toBeHidden();
  });
});
