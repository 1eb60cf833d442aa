// The views that load later: their module is not fetched before one is opened, and they follow the playhead.
import { expect, open, test } from "../helpers/page";
import { expectAccessible } from "../helpers/axe";
import type { Page } from "@playwright/test";

const scrub = async (page: Page, key: string): Promise<void> => {
  await page.getByRole("slider", { name: "Playhead" }).focus();
  await page.keyboard.press(key);
};

test("what an operator sees loads when it is opened, and follows the playhead", async ({ page, context }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").pop() ?? ""));
  await open(page);
  const later = () => asked.filter((name) => name.startsWith("later"));
  await scrub(page, "End");
  expect(later()).toEqual([]);
  await page.getByText("What an operator sees").click();
  const view = page.locator("#later-operator");
  await expect(view).toContainText("kafka-topics.sh --describe --topic orders");
  expect(later().filter((name) => name.endsWith(".wasm"))).toHaveLength(1);
  await expect(view.locator("pre").first()).toContainText("Leader: 2");
  await expectAccessible(page);
  await scrub(page, "Home");
  await expect(view.locator("pre").first()).toContainText("Leader: 1");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await view.getByRole("button", { name: "Copy: broker 2: orders-0/leader-epoch-checkpoint" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^0\n\d\n/);
});

test("each piece is copied in the form that Kafka's own tools and files have", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  await scrub(page, "End");
  await page.getByText("What an operator sees").click();
  const buttons = page.locator("#later-operator [data-copy]");
  await expect(buttons.first()).toBeVisible();
  const forms: [RegExp, RegExp][] = [
    [
      /kafka-topics.sh/,
      /^Topic: orders\tTopicId: \S{22}\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \S+\n\tTopic: orders\tPartition: 0\tLeader: 2\tReplicas: 1,2,3\tIsr: [\d,]+\tElr: ?[\d,]*\tLastKnownElr: ?[\d,]*\n$/,
    ],
    [/leader-epoch-checkpoint/, /^0\n(?:1\n\d+ \d+\n|2\n\d+ \d+\n\d+ \d+\n)$/],
    [/replication-offset-checkpoint/, /^0\n1\norders 0 \d+\n$/],
    [/metrics/, /^(?:kafka\.\w+:type=\w+,name=\w+\S*: (?:\d+|-) -> (?:\d+|-)\n)+$/],
    [/(?:server|controller|state-change)\.log/, /^(?:\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] (?:INFO|WARN|ERROR|DEBUG) .+\n)+$/],
  ];
  const seen = new Set<number>();
  for (const button of await buttons.all()) {
    const name = (await button.getAttribute("aria-label")) ?? "";
    const form = forms.findIndex(([of]) => of.test(name));
    if (form < 0) continue;
    seen.add(form);
    await button.click();
    await expect(button).toHaveText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText()), name).toMatch(forms[form]?.[1] ?? /$^/);
  }
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
});

test("every field is inspected at the playhead, with the same module", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await open(page);
  await page.getByText("What an operator sees").click();
  await page.getByText("Inspect every field").click();
  const view = page.locator("#later-inspect");
  await expect(view).toContainText("controller: PartitionRegistration");
  await scrub(page, "End");
  await expect(view.getByRole("table").first()).toContainText("leader");
  // Each table says what it tells, and what its names mean.
  await expect(view).toContainText("What the leader knows of each follower, from its fetches alone.");
  await expect(view).toContainText("eligible, and in the ISR");
  await view.locator(".means summary").first().click();
  await expect(view.getByText("Where its log ends: the offset of the next record.")).toBeVisible();
  await view.locator(".messages summary").first().click();
  await expect(view.locator("li table").first()).toBeVisible();
  expect(asked.filter((url) => url.endsWith(".wasm") && url.includes("later"))).toHaveLength(1);
  await expectAccessible(page);
});
