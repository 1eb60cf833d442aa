// The wasm half of the checker's figures in `cargo xtask bench`: one line a search, `name states seconds bytes`, as
// `benches/search.rs` prints them. The bytes are those of the module's whole memory.
import { readFileSync } from "node:fs";

/** How long this thread has computed, where the system tells (Linux); else how long it is since the beginning. */
const seconds = () => {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e9;
  } catch {
    return performance.now() / 1000;
  }
};

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
for (const [number, name] of process.argv.slice(3).entries()) {
  // Memory never shrinks: each search gets one of its own.
  const { exports } = await WebAssembly.instantiate(module, {});
  const start = seconds();
  if (exports.search_begin(number) !== 1) {
    throw new Error(`there is no search ${name}`);
  }
  while (exports.search_slice() === 0);
  const took = seconds() - start;
  console.log(`${name} ${exports.search_states()} ${took} ${exports.memory.buffer.byteLength}`);
}
