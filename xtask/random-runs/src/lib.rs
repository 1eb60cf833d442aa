//! Trials of random scenarios, with panics caught and failures shrunk.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use highwater_core::check::{Property, random, same_again, shrink, trial};
use highwater_core::scenario::{Scenario, print};

/// How many smaller scenarios are tried to explain a failure.
const SHRINK_BUDGET: usize = 600;

/// A random run takes at most so many events: what goes on and on, as a consumer that finds no leader, or brokers whose
/// session is shorter than their heartbeat, says all that it has to say by then.
pub const MOST_EVENTS: u32 = 6_000;

/// Every so many seeds are run a second time, to be the same.
const TWICE: u64 = 8;

/// A seed whose run fails.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The seed of [`random::scenario`].
    pub seed: u64,
    /// What is wrong.
    pub why: String,
    /// The text of a small scenario that fails as well.
    pub text: String,
}

/// After so many failures a thread gives up.
const MOST_FAILURES: usize = 100;

/// What came of many runs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Runs that were made.
    pub runs: u64,
    /// Their events.
    pub events: u64,
    /// Runs that ended at a limit.
    pub cut_off: u64,
    /// How often each property was violated where settings and faults allow it.
    pub findings: BTreeMap<Property, u64>,
    /// How many failed.
    pub failures: u64,
    /// Of those, the first of each kind.
    pub failed: Vec<Failed>,
}

impl Tally {
    /// Adds what came of other runs.
    pub fn add(&mut self, other: Tally) {
        self.runs += other.runs;
        self.events += other.events;
        self.cut_off += other.cut_off;
        for (property, count) in other.findings {
            *self.findings.entry(property).or_default() += count;
        }
        self.failed.extend(other.failed);
    }
}

/// What is wrong with a scenario's run, a panic included; its events, cut-offs and findings are added to `tally`.
fn attempt(scenario: &Scenario, twice: bool, tally: Option<&mut Tally>) -> Option<String> {
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let passed = trial(scenario, MOST_EVENTS)?;
        if twice {
            same_again(&passed.run, MOST_EVENTS)?;
        }
        Ok(passed)
    }));
    match tried {
        Ok(Ok(passed)) => {
            if let Some(tally) = tally {
                tally.events += passed.run.events.len() as u64;
                tally.cut_off += u64::from(passed.run.cut_off);
                for finding in &passed.findings {
                    *tally.findings.entry(finding.property).or_default() += 1;
                }
            }
            None
        }
        Ok(Err(why)) => Some(why),
        Err(panic) => {
            let said = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("something else");
            Some(format!("panic: {said}"))
        }
    }
}

/// The kind of a failure: its words without the numbers, so that a smaller scenario fails for the same reason.
fn kind(why: &str) -> String {
    why.chars()
        .take_while(|c| *c != '{')
        .filter(|c| !c.is_ascii_digit())
        .take(60)
        .collect()
}

/// Runs one seed.
pub fn run_seed(seed: u64, tally: &mut Tally) {
    let scenario = random::scenario(seed);
    tally.runs += 1;
    let Some(why) = attempt(&scenario, seed.is_multiple_of(TWICE), Some(tally)) else {
        return;
    };
    eprintln!("seed {seed}: {why}");
    tally.failed.push(Failed {
        seed,
        why,
        text: String::new(),
    });
}

/// Keeps the first failure of each kind, with the text of a small scenario that fails the same way.
fn explain(failed: Vec<Failed>) -> Vec<Failed> {
    let mut kinds = BTreeMap::new();
    for failure in failed {
        let first = kinds
            .entry(kind(&failure.why))
            .or_insert_with(|| failure.clone());
        if failure.seed < first.seed {
            *first = failure;
        }
    }
    let smaller = |(wanted, failure): (String, Failed)| {
        let small = shrink(
            &random::scenario(failure.seed),
            SHRINK_BUDGET,
            |candidate| attempt(candidate, true, None).is_some_and(|why| kind(&why) == wanted),
        );
        Failed {
            seed: failure.seed,
            why: attempt(&small, true, None).unwrap_or(failure.why),
            text: print(&small),
        }
    };
    kinds.into_iter().map(smaller).collect()
}

/// Runs the seeds `first..first + runs` on so many threads; `progress` is told now and then how many are done.
pub fn run_seeds(first: u64, runs: u64, threads: u64, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let threads = threads.max(1);
    let mut total = Tally::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let mut tally = Tally::default();
                    for place in (worker..runs).step_by(usize::try_from(threads).unwrap_or(1)) {
                        run_seed(first.wrapping_add(place), &mut tally);
                        if place.is_multiple_of(1_000) {
                            progress(place);
                        }
                        if tally.failed.len() >= MOST_FAILURES {
                            break;
                        }
                    }
                    tally
                })
            })
            .collect();
        for worker in workers {
            if let Ok(tally) = worker.join() {
                total.add(tally);
            }
        }
    });
    total.failures = total.failed.len() as u64;
    total.failed = explain(std::mem::take(&mut total.failed));
    total
}
