// Evaluates every case of the wasm build of the golden runs: one line "index digest" or "index trap message"; and every chunk
// of random runs: "random index digest".
// A case that traps leaves the memory of its module in an unknown state, so each case gets a fresh instance.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const fresh = () => WebAssembly.instantiate(module, {});
const { exports } = await fresh();
const evaluate = async (name, index) => {
  const label = name === "digest" ? index : `random ${index}`;
  try {
    const digest = BigInt.asUintN(64, (await fresh()).exports[name](index));
    console.log(`${label} ${digest.toString(16).padStart(16, "0")}`);
  } catch (error) {
    console.log(`${label} trap ${String(error).replaceAll("\n", " ")}`);
  }
};
for (let index = 0; index < exports.count(); index += 1) {
  await evaluate("digest", index);
}
for (let index = 0; index < exports.random_chunks(); index += 1) {
  await evaluate("random_digest", index);
}
