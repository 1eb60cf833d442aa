//! Random scenarios of every version, with every fault: nothing that is said of any run is false in one of them.

use highwater_core::check::{Property, PropertySet};
use random_runs::{Tally, run_seeds};

/// The runs of every test; `cargo xtask fuzz --runs N --seed S` makes more.
const RUNS: u64 = 20_000;

#[test]
fn random_runs_keep_what_any_run_must() {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let total = run_seeds(1, RUNS, threads, &|_| {});
    let told: Vec<String> = total
        .failed
        .iter()
        .map(|f| format!("seed {}: {}\n{}", f.seed, f.why, f.text))
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert_eq!(total.runs, RUNS);
    // What is allowed to break does break: the runs reach everything that the properties speak of.
    let found: PropertySet = total.findings.keys().copied().collect();
    let never = PropertySet::all().minus(found);
    let by_construction: PropertySet = [
        Property::LeaderInIsr,
        Property::OneLeaderPerEpoch,
        Property::EpochMonotone,
    ]
    .into_iter()
    .collect();
    assert_eq!(never, by_construction);
    leave(&total);
}

/// Leaves what was run as data, in the form of the conformance run (`docs/checked-cases.md`).
fn leave(total: &Tally) {
    let mut figures = format!("\"events\": {}", total.events);
    for (property, runs) in &total.findings {
        figures.push_str(&format!(", \"{property}\": {runs}"));
    }
    let text = format!(
        "{{\"checked\": [{{\"source\": \"random runs\", \"count\": {}, \"passed\": {}, \"failed\": 0, \"skipped\": 0, \
         \"figures\": {{{figures}}}}}]}}\n",
        total.runs, total.runs
    );
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.expect("a folder in the target folder");
    std::fs::write(target.join("checked-random.json"), text).expect("the target folder is there");
}
