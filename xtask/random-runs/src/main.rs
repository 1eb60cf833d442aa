//! `random-runs runs RUNS SEED [THREADS]`: runs the seeds SEED, SEED + 1, … and prints what came of them.
//! `random-runs only SEED`: prints the scenario of one seed and runs it.
//! `random-runs find PROPERTY SEED`: looks for a run, from that seed on, that violates the property, allowed or not, and
//! prints a small scenario of it.

use std::process::ExitCode;
use std::time::Instant;

use highwater_core::check::{Property, observe, random, shrink, trial};
use highwater_core::scenario::{Scenario, print};
use random_runs::{MOST_EVENTS, run_seeds};

/// How many smaller scenarios are tried for one that was found.
const FIND_BUDGET: usize = 1_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| {
        arguments
            .get(place)
            .and_then(|text| text.parse::<u64>().ok())
    };
    let property = arguments.get(1).and_then(|name| Property::from_name(name));
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    match (arguments.first().map(String::as_str), property, number(1)) {
        (Some("find"), Some(property), _) => find(property, number(2).unwrap_or(1)),
        (Some("only"), _, Some(seed)) => one(seed),
        (Some("runs"), _, Some(runs)) => {
            many(runs, number(2).unwrap_or(1), number(3).unwrap_or(cores))
        }
        _ => {
            eprintln!(
                "random-runs: expected `runs` RUNS SEED THREADS, `only` SEED, or `find` PROPERTY SEED"
            );
            ExitCode::from(2)
        }
    }
}

fn find(property: Property, first: u64) -> ExitCode {
    // A state that the script makes up may violate anything at once, which tells nothing.
    let violates = |scenario: &Scenario| {
        if scenario.start.is_some() {
            return false;
        }
        let (_, observer) = observe(scenario);
        observer.violations().iter().any(|v| v.property == property)
    };
    for seed in first.. {
        let scenario = random::scenario(seed);
        if violates(&scenario) {
            let small = shrink(&scenario, FIND_BUDGET, violates);
            print!("{}", print(&small));
            println!("# seed {seed}: {:?}", observe(&small).1.violations());
            return ExitCode::SUCCESS;
        }
    }
    ExitCode::FAILURE
}

fn one(seed: u64) -> ExitCode {
    let scenario = random::scenario(seed);
    print!("{}", print(&scenario));
    match trial(&scenario, MOST_EVENTS) {
        Ok(passed) => {
            println!(
                "# {} events, findings {:?}",
                passed.run.events.len(),
                passed.findings
            );
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("# {why}");
            ExitCode::FAILURE
        }
    }
}

fn many(runs: u64, seed: u64, threads: u64) -> ExitCode {
    // Panics are caught and told with their scenario; the usual report would only stand in between.
    std::panic::set_hook(Box::new(|_| {}));
    let began = Instant::now();
    let total = run_seeds(seed, runs, threads, &|done| {
        eprintln!("{done} of {runs} runs, {} s", began.elapsed().as_secs());
    });
    for failed in &total.failed {
        println!("seed {}: {}\n{}", failed.seed, failed.why, failed.text);
    }
    println!(
        "{} runs from seed {seed}, {} events, {} at a limit, {} failed, {:.1} s",
        total.runs,
        total.events,
        total.cut_off,
        total.failures,
        began.elapsed().as_secs_f64()
    );
    for (property, count) in &total.findings {
        println!("allowed violations of {property}: {count}");
    }
    if total.failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
