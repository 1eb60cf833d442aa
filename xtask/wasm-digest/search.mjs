// The wasm half of the checker's figures in `cargo xtask bench`: one line a search, `name states seconds bytes`, as
// `benches/search.rs` prints them. The bytes are those of the module's whole memory.
import { readFileSync } from "node:fs";

/** How often each search is made: of each slice the fastest time counts, so the compiler's work is not measured. */
const REPEATS = Number(process.env.REPEATS ?? 2);

/** How long this process has computed: a machine that is busy with other things would otherwise be measured, too. */
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
for (const [number, name] of process.argv.slice(3).entries()) {
  const fastest = [];
  let exports;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    // Memory never shrinks: each search gets one of its own.
    ({ exports } = await WebAssembly.instantiate(module, {}));
    if (exports.search_begin(number) !== 1) {
      throw new Error(`there is no search ${name}`);
    }
    for (let slice = 0, over = false; !over; slice++) {
      const start = seconds();
      over = exports.search_slice() === 1;
      fastest[slice] = Math.min(fastest[slice] ?? Infinity, seconds() - start);
    }
  }
  const took = fastest.reduce((sum, slice) => sum + slice, 0);
  console.log(`${name} ${exports.search_states()} ${took} ${exports.memory.buffer.byteLength}`);
}
