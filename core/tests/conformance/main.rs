//! Kafka's own expectations (typed from its unit tests) against the model: `kafka-unit-cases.json`.
//!
//! The file is read from the directory in `HIGHWATER_CASES`, or from `core/cases`. Each kind of case has a module that
//! drives the model's real types; none of them repeats a rule. A kind that nobody runs yet is reported as skipped.

mod broker_state;
mod case;
mod change_builder;
mod compare;
mod controller;
mod delayed_produce;
mod elr_config;
mod epoch_cache;
mod follower_sync;
mod leader;
mod log;
mod outbox;
mod partition;
mod producer_state;
mod read_replica;
mod replica_state;
mod truncation_reply;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

use case::{Case, Fields};
use serde_json::{Map, Value};

/// A small machine that runs the operations of one kind of case.
trait Machine {
    /// Does one operation and tells everything that a case of this kind may ask after it.
    fn apply(&mut self, op: &Fields) -> Result<Map<String, Value>, String>;
}

/// What one step answers: the keys in a JSON object.
type Answer = Result<Map<String, Value>, String>;

/// The machine for a case, in its given state; none = nobody runs this kind yet.
fn machine(case: &Case) -> Option<Result<Box<dyn Machine>, String>> {
    let given = &case.given;
    Some(match case.kind.as_str() {
        "broker_state" => broker_state::start(given),
        "change_builder" => change_builder::start(given),
        "controller" => controller::start(given),
        "delayed_produce" => delayed_produce::start(given),
        "elr_config" => elr_config::start(given),
        "epoch_cache" => epoch_cache::start(given),
        "follower_sync" => follower_sync::start(given),
        "leader" => leader::start(given),
        "log" => log::start(given),
        "producer_state" => producer_state::start(given),
        "read_replica" => read_replica::start(given),
        "replica_state" => replica_state::start(given),
        "truncation_reply" => truncation_reply::start(given),
        _ => return None,
    })
}

/// Runs a case; the error says at which step what is different.
fn run(case: &Case, mut machine: Box<dyn Machine>) -> Result<(), String> {
    for (place, (op, expected)) in case.when.iter().zip(&case.expect).enumerate() {
        let name = op.op();
        let answer = machine
            .apply(op)
            .map_err(|error| format!("step {place} ({name}): {error}"))?;
        let Some(expected) = expected else { continue };
        let found = compare::differences(expected, &answer);
        if !found.is_empty() {
            return Err(format!("step {place} ({name}): {}", found.join("; ")));
        }
    }
    Ok(())
}

/// How the cases of a file went.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: Vec<String>,
    skipped: BTreeMap<String, usize>,
}

impl Tally {
    fn take(&mut self, value: &Value) {
        let case = match Case::read(value) {
            Ok(case) => case,
            Err(error) => {
                self.failed.push(format!("{}: {error}", value["id"]));
                return;
            }
        };
        match machine(&case) {
            None => {
                let reason = format!("kind {} is not run yet", case.kind);
                *self.skipped.entry(reason).or_default() += 1;
            }
            Some(started) => match started.and_then(|machine| run(&case, machine)) {
                Ok(()) => self.passed += 1,
                Err(error) => self
                    .failed
                    .push(format!("{} ({}): {error}", case.id, case.kind)),
            },
        }
    }

    fn report(&self, file: &str) -> String {
        let skipped: usize = self.skipped.values().sum();
        let mut lines = vec![format!(
            "{file}: {} passed, {} failed, {skipped} skipped",
            self.passed,
            self.failed.len()
        )];
        lines.extend(
            self.failed
                .iter()
                .map(|failure| format!("  failed: {failure}")),
        );
        lines.extend(
            self.skipped
                .iter()
                .map(|(reason, count)| format!("  skipped: {count}: {reason}")),
        );
        lines.join("\n")
    }
}

/// The directory of the cases.
fn directory() -> PathBuf {
    match std::env::var_os("HIGHWATER_CASES") {
        Some(named) => PathBuf::from(named),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases"),
    }
}

#[test]
fn kafka_unit_cases() {
    let file = "kafka-unit-cases.json";
    let path = directory().join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    let mut tally = Tally::default();
    for case in &cases {
        tally.take(case);
    }
    let report = tally.report(file);
    // Written past the test harness, so that a passing run shows what was skipped.
    writeln!(std::io::stdout(), "{report}").expect("standard output");
    assert!(tally.failed.is_empty(), "{report}");
    assert!(tally.passed > 0, "{report}");
}
