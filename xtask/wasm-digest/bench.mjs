// The wasm half of `cargo xtask bench`: one line a figure, `name value…`, as `benches/native.rs` prints them.
import { readFile } from "node:fs/promises";

/** How long each figure is measured, the warm-up included. */
const LENGTH = 1200;
const SCRUBS = 400;
/** Each instant is asked for so often, and the fastest answer counts. */
const REPEATS = 3;

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const { exports } = await WebAssembly.instantiate(module, {});
if (exports.bench_ready() !== 1) {
  throw new Error("the scripts of the benchmarks are refused");
}
// One run is held, as in the page, and no other was made yet.
console.log(`memory ${exports.memory.buffer.byteLength}`);

const timed = (work) => {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1000;
};
/** The fastest of many calls: the one that the rest of the machine disturbed least. */
const fastest = (work) => {
  const start = performance.now();
  let least = Infinity;
  while (performance.now() - start < LENGTH) least = Math.min(least, timed(work));
  return least;
};

const events = exports.bench_long();
console.log(`events ${events}`);
console.log(`per-second ${(events / fastest(exports.bench_long)) * 1e6}`);
console.log(`thirty ${fastest(exports.bench_thirty)}`);
const end = exports.bench_end();
let seed = 1;
const times = [];
for (let count = 0; count < SCRUBS; count += 1) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  const at = Math.floor((seed * end) / 2 ** 32);
  const each = Array.from({ length: REPEATS }, () => timed(() => exports.bench_at(at)));
  times.push(Math.min(...each));
}
times.sort((a, b) => a - b);
console.log(`scrub ${times[Math.floor(SCRUBS / 2)]} ${times[Math.floor(SCRUBS * 0.95)]}`);
console.log(`memory-after ${exports.memory.buffer.byteLength}`);
