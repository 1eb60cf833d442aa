//! What the benchmarks run, natively and in wasm. Nothing here reads a clock: whoever calls it does.

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::{Scenario, parse};
use highwater_core::sim::{Instant, Run, run, verdict};
use std::cell::RefCell;
use std::hint::black_box;

/// The script that the page's figures are about: thirty steps, with faults, an election and a return.
pub const THIRTY: &str = include_str!("thirty.hw");

/// At least so many events has [`long`]; every request and answer counts.
pub const LONG_EVENTS: usize = 10_000;

/// A script whose run has more than [`LONG_EVENTS`] events: a batch every 40 ms, and a failover in the middle.
pub fn long() -> String {
    let mut text = "title Ten thousand events\nset enable.idempotence=true retries=10\n".to_owned();
    for batch in 0..320_u32 {
        let at = batch * 40;
        match batch {
            80 => text.push_str(&format!("at {at}ms pause-fetch 3\n")),
            100 => text.push_str(&format!("at {at}ms resume-fetch 3\n")),
            120 => text.push_str(&format!("at {at}ms kill 1\n")),
            250 => text.push_str(&format!("at {at}ms start 1 no-wait\n")),
            _ => text.push_str(&format!("at {at}ms produce 3\n")),
        }
    }
    text
}

/// So many steps has [`three_hundred`].
pub const MANY_STEPS: u32 = 300;

/// The script that A and B are compared on: [`MANY_STEPS`] steps, one every 60 ms, most of them a record, with a follower
/// that falls behind and comes back, a failover, and the old leader's return.
pub fn three_hundred() -> String {
    let mut text = "title Three hundred steps\nset retries=5 request.timeout.ms=3000\n".to_owned();
    for step in 0..MANY_STEPS {
        let at = step * 60;
        match step {
            60 => text.push_str(&format!("at {at}ms pause-fetch 3\n")),
            80 => text.push_str(&format!("at {at}ms resume-fetch 3\n")),
            110 => text.push_str(&format!("at {at}ms kill 1\n")),
            280 => text.push_str(&format!("at {at}ms start 1 no-wait\n")),
            _ => text.push_str(&format!("at {at}ms produce\n")),
        }
    }
    text
}

/// The scripts, read once, and the long run that is scrubbed through.
pub struct Bench {
    long: Scenario,
    thirty: Scenario,
    run: Run,
}

impl Bench {
    /// Reads the scripts and runs the long one.
    ///
    /// # Errors
    /// What the language refuses of a script.
    pub fn new() -> Result<Bench, String> {
        let read = |text: &str| {
            parse(text).map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                errors.join("; ")
            })
        };
        let long = read(&long())?;
        Ok(Bench {
            run: run(&long),
            thirty: read(THIRTY)?,
            long,
        })
    }

    /// Runs the long script; the number of its events.
    pub fn long(&self) -> u32 {
        black_box(run(black_box(&self.long))).events.len() as u32
    }

    /// How long the long run lasts.
    pub fn end(&self) -> Millis {
        self.run.end
    }

    /// The state at an instant of the long run, as the page asks for it while its playhead is moved.
    pub fn at(&self, at: Millis) -> u64 {
        let state = self.run.at(Instant {
            at,
            position: u32::MAX,
        });
        black_box(&state).cluster().consumer.position.0
    }

    /// What a flipped toggle costs in the model: run and verdict of the script of thirty steps. The number of events.
    pub fn thirty(&self) -> u32 {
        let run = run(black_box(&self.thirty));
        black_box(verdict(&run));
        run.events.len() as u32
    }
}

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

fn with<T: Default>(ask: impl FnOnce(&Bench) -> T) -> T {
    BENCH.with_borrow(|bench| bench.as_ref().map(ask).unwrap_or_default())
}

/// Prepares the benchmarks; 1 when they are ready.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn bench_ready() -> u32 {
    let bench = Bench::new().ok();
    let ready = bench.is_some();
    BENCH.set(bench);
    u32::from(ready)
}

/// [`Bench::long`]; 0 when nothing is prepared, as with the others.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn bench_long() -> u32 {
    with(Bench::long)
}

/// [`Bench::end`] in milliseconds.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn bench_end() -> u32 {
    with(|bench| bench.end().0 as u32)
}

/// [`Bench::at`] a millisecond.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn bench_at(at: u32) -> u32 {
    with(|bench| bench.at(Millis(u64::from(at))) as u32)
}

/// [`Bench::thirty`].
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn bench_thirty() -> u32 {
    with(Bench::thirty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_run_has_enough_events_and_the_short_script_thirty_steps() {
        let bench = Bench::new().expect("the scripts are read");
        assert!(bench.long() as usize >= LONG_EVENTS, "{}", bench.long());
        assert_eq!(bench.thirty.steps.len(), 30);
        let many = parse(&three_hundred()).expect("the script is read");
        assert_eq!(many.steps.len(), MANY_STEPS as usize);
        assert!(bench.thirty() > 300);
        assert!(bench.at(bench.end()) > 900, "{}", bench.at(bench.end()));
    }
}
