// Not committed: screenshots while building.
import { chromium } from "@playwright/test";
const [,, name, width, height, scheme = "light", act = ""] = process.argv;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: +width, height: +height }, colorScheme: scheme, hasTouch: +width < 600, isMobile: +width < 600, deviceScaleFactor: 1 });
page.on("console", m => { if (["error","warning"].includes(m.type())) console.log(m.type(), m.text().slice(0, 600)); });
page.on("pageerror", e => console.log("EXC", e.message.slice(0, 600)));
await page.goto("http://127.0.0.1:8765/index.html");
await page.waitForTimeout(1500);
if (act) { await (new Function("page", `return (async()=>{${act}})()`))(page); await page.waitForTimeout(400); }
await page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: true });
console.log(await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.documentElement.scrollHeight]));
await browser.close();
