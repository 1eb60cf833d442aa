// Figures of Lighthouse for `cargo xtask bench --lighthouse`, one line a page: `NAME performance accessibility
// best-practices seo lcp-ms`, medians of three rounds. Lighthouse's own mobile profile: slow 4G and a processor of a
// quarter's speed, both simulated.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages] = process.argv.slice(2);
const { HIGHWATER_URL: url, HIGHWATER_CHROMIUM: chromePath } = process.env;
const load = (name) => import(pathToFileURL(createRequire(`${packages}/`).resolve(name)).href);
const { default: lighthouse } = await load("lighthouse");
const { launch } = await load("chrome-launcher");

const root = process.getuid?.() === 0;
const lessons = await (await fetch(new URL("lessons/en/", url))).text();
const slug = /href="(?:\.\/)?([a-z0-9-]+)\/"/.exec(lessons)?.[1];
const pages = {
  lab: "?lang=en&v=1",
  widget: "embed.html?acks=1&lang=en&v=1",
  lesson: `lessons/en/${slug}/`,
  lessons: "lessons/en/",
};
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

for (const [name, path] of Object.entries(pages)) {
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const chrome = await launch({
      chromePath,
      chromeFlags: ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking", ...(root ? ["--no-sandbox"] : [])],
    });
    const { lhr } = await lighthouse(new URL(path, url).href, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" });
    await chrome.kill();
    rounds.push([...CATEGORIES.map((id) => Math.round((lhr.categories[id]?.score ?? 0) * 100)), lhr.audits["largest-contentful-paint"].numericValue]);
    for (const audit of Object.values(lhr.audits)) {
      const counts = CATEGORIES.slice(1).some((id) => lhr.categories[id]?.auditRefs.some((ref) => ref.id === audit.id && ref.weight > 0));
      if (round === 0 && counts && audit.score !== null && audit.score < 1) console.error(`    ${name}: ${audit.id}: ${audit.title}`);
    }
  }
  console.log([name, ...rounds[0].map((_, place) => median(rounds.map((round) => round[place])))].join(" "));
}
