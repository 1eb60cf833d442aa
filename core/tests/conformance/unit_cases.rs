//! `kafka-unit-cases.json`: what Kafka's own unit tests expect, typed from them.
//!
//! Each kind of case has a module that drives the model's real types; none of them repeats a rule. A kind that nobody runs
//! is a failure.

use highwater_core::check::PropertySet;
use highwater_core::kafka::cluster::Cluster;
use serde_json::{Map, Value};

use crate::case::{Case, Fields};
use crate::properties::Held;
use crate::report::Report;
use crate::{
    broker_state, change_builder, compare, controller, delayed_produce, elr_config, epoch_cache,
    follower_sync, leader, log, producer_state, read_replica, replica_state, truncation_reply,
};

/// The file in a folder of cases.
pub const FILE: &str = "kafka-unit-cases.json";

/// What the cases were typed from.
const KAFKA: &str = "trunk d79bd502ec (4.4)";

/// A small machine that runs the operations of one kind of case.
pub trait Machine {
    /// Does one operation and tells everything that a case of this kind may ask after it.
    fn apply(&mut self, op: &Fields) -> Result<Map<String, Value>, String>;

    /// The cluster that the case has a part of, for the properties. None for the kinds that have no log, no role and no
    /// partition record: a single replica's state, an epoch cache, a producer's sequence numbers, one request or answer.
    fn cluster(&self) -> Option<Cluster> {
        None
    }
}

/// What one step answers: the keys in a JSON object.
pub type Answer = Result<Map<String, Value>, String>;

/// The machine for a case, in its given state; none = nobody runs this kind.
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

/// The operation that is no transition: it gives the leader another epoch as it stands.
const SET_BY_HAND: &str = "leader_epoch";

/// Runs a case; how many values it expects, or at which step what is different. Its states are held against the properties.
fn run(case: &Case, mut machine: Box<dyn Machine>, held: &mut Held) -> Result<usize, String> {
    let mut values = 0;
    if let Some(cluster) = machine.cluster() {
        held.begin(&cluster);
    }
    for (place, (op, expected)) in case.when.iter().zip(&case.expect).enumerate() {
        let name = op.op();
        let answer = machine
            .apply(op)
            .map_err(|error| format!("step {place} ({name}): {error}"))?;
        match machine.cluster() {
            Some(cluster) if name == SET_BY_HAND => held.begin(&cluster),
            Some(cluster) => held
                .look(&cluster)
                .map_err(|what| format!("step {place} ({name}): {what}"))?,
            None => {}
        }
        let Some(expected) = expected else { continue };
        values += expected.len();
        let found = compare::differences(expected, &answer);
        if !found.is_empty() {
            return Err(format!("step {place} ({name}): {}", found.join("; ")));
        }
    }
    Ok(values)
}

/// Runs every case of the file.
pub fn check(text: &str, report: &mut Report) {
    report.kafka(KAFKA);
    let cases: Vec<Value> = match serde_json::from_str(text) {
        Ok(cases) => cases,
        Err(error) => return report.fails("the file", error.to_string()),
    };
    let (mut states, mut findings) = (0, PropertySet::EMPTY);
    for value in &cases {
        let id = value["id"].to_string();
        let case = match Case::read(value) {
            Ok(case) => case,
            Err(error) => {
                report.fails(&id, error);
                continue;
            }
        };
        let mut held = Held::default();
        let ran = machine(&case)
            .ok_or_else(|| "nobody runs this kind".to_string())
            .and_then(|started| started.and_then(|machine| run(&case, machine, &mut held)));
        states += held.states;
        findings = findings.union(held.findings);
        match ran {
            Ok(values) => report.passes(values),
            Err(error) => report.fails(&format!("{} ({})", case.id, case.kind), error),
        }
    }
    report.notes(format!(
        "{states} states were held against the properties; false in some, as their made-up states allow: {findings:?}"
    ));
}
