//! The native half of `cargo xtask bench`: one line a figure, `name value…`, as `bench.mjs` prints them for wasm.

use highwater_core::kafka::ids::Millis;
use std::hint::black_box;
use std::time::{Duration, Instant};
use wasm_digest::bench::Bench;

/// How long each figure is measured, the warm-up included.
const LENGTH: Duration = Duration::from_millis(1200);

/// The instants of the scrubbing are as random as they need to be, and the same everywhere.
const SCRUBS: u32 = 400;

/// Each instant is asked for so often, and the fastest answer counts.
const REPEATS: u32 = 3;

fn main() -> Result<(), String> {
    let bench = Bench::new()?;
    let events = bench.long();
    let micros = fastest(|| bench.long());
    println!("events {events}");
    println!("per-second {}", f64::from(events) / micros * 1e6);
    println!("thirty {}", fastest(|| bench.thirty()));
    let end = bench.end().0 as u32;
    let mut seed: u32 = 1;
    let mut times: Vec<f64> = (0..SCRUBS)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = ((u64::from(seed) * u64::from(end)) >> 32) as u32;
            (0..REPEATS)
                .map(|_| timed(|| bench.at(Millis(u64::from(at)))))
                .fold(f64::INFINITY, f64::min)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "scrub {} {}",
        times[times.len() / 2],
        times[times.len() * 95 / 100]
    );
    Ok(())
}

/// Microseconds of one call.
fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1e6
}

/// The fastest of many calls, in microseconds: the one that the rest of the machine disturbed least.
fn fastest<T>(mut work: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    while start.elapsed() < LENGTH {
        least = least.min(timed(&mut work));
    }
    least
}
