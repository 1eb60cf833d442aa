// The page behind nginx with hosting/nginx.conf, as docs/hosting.md says. `cargo xtask test --browser` starts it.
import type { APIResponse } from "@playwright/test";
import { expect, open, test } from "../helpers/page";

const address = process.env.HIGHWATER_NGINX;
test.use({ baseURL: address ?? "http://127.0.0.1:1/" });

test.beforeEach(() => {
  expect(address, process.env.HIGHWATER_NGINX_MISSING ?? "HIGHWATER_NGINX is not set").toBeTruthy();
});

const header = (answer: APIResponse, name: string): string | undefined => answer.headers()[name];

test("the lab, a lesson and a widget work behind nginx without a complaint @once", async ({ page }) => {
  await open(page, "?acks=1&lang=ko&v=1");
  await expect(page.locator(".ans").first()).toContainText("m3");
  // The module that loads later.
  await page.locator("#picture-file summary").click();
  const waiting = page.waitForEvent("download");
  await page.locator("#picture-file").getByRole("button", { name: "PNG" }).click();
  expect((await waiting).suggestedFilename()).toMatch(/\.png$/);
  await page.goto("./lessons/");
  await expect(page).toHaveURL(/\/lessons\/en\/$/);
  await page.locator("main a").first().click();
  await expect(page.locator("h1")).toBeVisible();
  await page.goto("./embed.html?acks=1&v=1");
  await expect(page.locator("svg.pic").first()).toBeVisible();
});

test("what is named after its content is kept for ever, all else is asked for again @once", async ({ request }) => {
  const page = await request.get("./");
  const html = await page.text();
  expect(header(page, "cache-control")).toBe("no-cache");
  expect(header(page, "content-type")).toBe("text/html; charset=utf-8");
  expect(header(page, "content-encoding")).toBe("gzip");
  const names = [...html.matchAll(/"(?:\.\/)?([\w-]+-[0-9a-f]{16}\.(?:js|css|wasm))"/g)].map((match) => match[1] ?? "");
  expect(new Set(names.map((name) => name.split(".").pop()))).toEqual(new Set(["js", "css", "wasm"]));
  const later = /name="?later"? content="?(later-[0-9a-f]{16})/.exec(html)?.[1];
  const [digest, width] = /name="?first"? content="([0-9a-f]{16}) (\d+) /.exec(html)?.slice(1) ?? [];
  for (const name of [...names, `${later}.js`, `${later}_bg.wasm`, `first/zh-Hans-${width}-${digest}.txt`]) {
    const answer = await request.get(`./${name}`);
    expect(answer.status(), name).toBe(200);
    expect(header(answer, "cache-control"), name).toBe("public, max-age=31536000, immutable");
    expect(header(answer, "content-encoding"), name).toBe("gzip");
    expect(header(answer, "access-control-allow-origin"), name).toBe("*");
    if (name.endsWith(".wasm")) expect(header(answer, "content-type")).toBe("application/wasm");
    if (name.endsWith(".js")) expect(header(answer, "content-type")).toMatch(/^text\/javascript/);
  }
  for (const name of ["index.html", "embed.html", "text/ko.txt", "favicon.svg", "embed.js", "lessons/"]) {
    const answer = await request.get(`./${name}`);
    expect(header(answer, "cache-control"), name).toBe("no-cache");
    expect(header(answer, "content-security-policy"), name).toContain("frame-ancestors *");
    expect(header(answer, "x-frame-options"), name).toBeUndefined();
  }
  expect((await request.get("./no-such-file.js")).status()).toBe(404);
});

test("a picture that is opened by itself has its colours @once", async ({ page, request }) => {
  const lessons = await (await request.get("./lessons/en/")).text();
  const slug = /href="(?:\.\/)?([a-z0-9-]+)\/"/.exec(lessons)?.[1];
  await page.goto(`./lessons/en/${slug}/step-1.svg`);
  const fill = await page.evaluate(() => getComputedStyle(document.querySelector(".ti") as Element).fill);
  expect(fill).not.toBe("rgb(0, 0, 0)");
});
