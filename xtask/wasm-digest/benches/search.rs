//! The native half of the checker's figures in `cargo xtask bench`: one line a search, `name states seconds bytes`, as
//! `search.mjs` prints them for wasm. Every search is made some times, and of each slice of it the fastest time counts:
//! whatever else the machine does only ever slows a slice. So both halves are warm.

use std::time::Instant;
use wasm_digest::search::{SEARCHES, search_begin, search_bytes, search_slice, search_states};

/// How often each search is made, unless the command line says so; `search.mjs` has the same number.
const REPEATS: usize = 2;

fn main() {
    let told = std::env::args().find_map(|argument| argument.parse().ok());
    let begun = Instant::now();
    for (number, (name, _)) in (0..).zip(SEARCHES) {
        let mut fastest: Vec<f64> = Vec::new();
        for _ in 0..told.unwrap_or(REPEATS) {
            search_begin(number);
            let mut slice = 0;
            let mut over = false;
            while !over {
                let start = seconds(begun);
                over = search_slice() == 1;
                let took = seconds(begun) - start;
                match fastest.get_mut(slice) {
                    Some(best) => *best = best.min(took),
                    None => fastest.push(took),
                }
                slice += 1;
            }
        }
        let took: f64 = fastest.iter().sum();
        println!("{name} {} {took} {}", search_states(), search_bytes());
    }
}

/// How long this thread has computed, where the system tells (Linux); else how long it is since the beginning. A machine that
/// is busy with other things would otherwise be measured, too.
fn seconds(begun: Instant) -> f64 {
    // The system brings the account of a thread up to date when it gives way.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |spent| spent / 1e9)
}
