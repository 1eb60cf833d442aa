//! The native half of the checker's figures in `cargo xtask bench`: one line a search, `name states seconds bytes`, as
//! `search.mjs` prints them for wasm.

use std::time::Instant;
use wasm_digest::search::{SEARCHES, search_begin, search_bytes, search_slice, search_states};

fn main() {
    let begun = Instant::now();
    for (number, (name, _)) in (0..).zip(SEARCHES) {
        let start = seconds(begun);
        search_begin(number);
        while search_slice() == 0 {}
        let took = seconds(begun) - start;
        println!("{name} {} {took} {}", search_states(), search_bytes());
    }
}

/// How long this thread has computed, where the system tells (Linux); else how long it is since the beginning. A machine that
/// is busy with other things would otherwise be measured, too.
fn seconds(begun: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |spent| spent / 1e9)
}
