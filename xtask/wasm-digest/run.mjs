// Evaluates every case of the wasm build of the golden runs: one line "index digest" or "index trap message".
// A case that traps leaves the memory of its module in an unknown state, so each case gets a fresh instance.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const fresh = () => WebAssembly.instantiate(module, {});
const { exports } = await fresh();
for (let index = 0; index < exports.count(); index += 1) {
  try {
    const digest = BigInt.asUintN(64, (await fresh()).exports.digest(index));
    console.log(`${index} ${digest.toString(16).padStart(16, "0")}`);
  } catch (error) {
    console.log(`${index} trap ${String(error).replaceAll("\n", " ")}`);
  }
}
