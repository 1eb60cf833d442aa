// Minifies the given JavaScript and CSS files in place. esbuild comes from the packages of the browser tests.
import { createRequire } from "node:module";
import { readFile, writeFile } from "node:fs/promises";

const esbuild = createRequire(new URL("../e2e/package.json", import.meta.url))("esbuild");
for (const path of process.argv.slice(2)) {
  const loader = path.endsWith(".css") ? "css" : "js";
  const source = await readFile(path, "utf8");
  const { code } = await esbuild.transform(source, { loader, minify: true, charset: "utf8", legalComments: "none" });
  await writeFile(path, code);
}
