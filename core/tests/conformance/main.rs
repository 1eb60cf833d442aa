//! What real Kafka is known to do against the model: its own unit tests, users' cases, and recordings of real clusters.
//!
//! The files are read from the folder in `HIGHWATER_CASES` (relative to the workspace), or from `core/cases`. Another folder
//! may hold any of them; one that holds none is an error. Everything listed is compared, and what is not known of a file (an
//! operation, a key) is a failure. What was checked of the repository's own cases is left in `target/checked.json`
//! (`docs/checked-cases.md`).
#![allow(clippy::unwrap_used)] // A test that fails may panic.

mod broker_state;
mod case;
mod change_builder;
mod checker_rows;
mod compare;
mod controller;
mod delayed_produce;
mod elr_config;
mod epoch_cache;
mod follower_sync;
#[path = "../support/golden.rs"]
mod golden;
mod leader;
mod log;
mod operator;
mod outbox;
mod partition;
mod producer_state;
mod properties;
mod read_replica;
mod replica_state;
mod report;
#[allow(dead_code, reason = "other test files use the rest")]
#[path = "../support/mod.rs"]
mod support;
mod traces;
mod truncation_reply;
mod unit_cases;
mod user_cases;

use std::path::{Path, PathBuf};

use report::Report;
use unit_cases::{Answer, Machine};

/// The folder of the cases, and whether it is the repository's own.
fn folder() -> (PathBuf, bool) {
    let core = Path::new(env!("CARGO_MANIFEST_DIR"));
    match std::env::var_os("HIGHWATER_CASES") {
        Some(named) => (core.join("..").join(named), false),
        None => (core.join("cases"), true),
    }
}

/// The report on a file: `check` gets its text.
fn of_file(folder: &Path, file: &str, check: impl FnOnce(&str, &mut Report)) -> Report {
    let mut report = Report::of(file);
    match std::fs::read_to_string(folder.join(file)) {
        Ok(text) => check(&text, &mut report),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => report.absent = true,
        Err(error) => report.fails("the file", error.to_string()),
    }
    report
}

#[test]
fn every_case_is_as_real_kafka_has_it() {
    let (folder, own) = folder();
    let reports = [
        of_file(&folder, unit_cases::FILE, unit_cases::check),
        of_file(&folder, user_cases::FILE, user_cases::check),
        {
            let mut quoted = of_file(&folder, user_cases::FILE, user_cases::check_evidence);
            quoted.file += ", quoted --describe lines";
            quoted
        },
        of_file(&folder, golden::FILE, checker_rows::check),
        traces::check(&folder.join(traces::FOLDER)),
        operator::check(&folder),
    ];
    for report in &reports {
        report.print();
    }
    let there = reports.iter().filter(|report| !report.absent).count();
    assert!(there > 0, "{} has no cases", folder.display());
    let failed: usize = reports.iter().map(|report| report.failed.len()).sum();
    assert_eq!(failed, 0, "cases failed");
    for report in &reports {
        // A file that is there and says nothing was not understood.
        let ran = report.passed + report.skipped.len() > 0;
        assert!(report.absent || ran, "{} has no cases", report.file);
    }
    if own {
        report::write(&reports);
    }
}
