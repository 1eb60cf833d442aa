//! What is expected of the end of a run.

use highwater_core::kafka::broker::Broker;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::Offset;
use highwater_core::kafka::log::Log;
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::scenario::Action;
use highwater_core::sim::{Run, Verdict, verdict};
use serde_json::{Value, json};

use super::labels::Labels;
use super::moment::Moment;
use super::{Findings, changed, look};

/// Keys for people.
const NOT_EXPECTED: &[&str] = &["note", "notes", "also", "why", "contrast"];

/// Compares everything that the end lists for this run.
pub fn compare(
    case: &Value,
    run: &Run,
    moment: &Moment<'_>,
    labels: &Labels,
    findings: &mut Findings,
) {
    let verdict = verdict(run);
    each(
        case,
        moment,
        &verdict,
        &moment.notation.end,
        labels,
        findings,
    );
}

fn each(
    case: &Value,
    moment: &Moment<'_>,
    verdict: &Verdict,
    end: &Value,
    labels: &Labels,
    findings: &mut Findings,
) {
    let keys = end.as_object().into_iter().flatten();
    for (key, wanted) in keys.filter(|(key, _)| !NOT_EXPECTED.contains(&key.as_str())) {
        match labels.speaks(key) {
            Some(true) => {
                each(case, moment, verdict, wanted, labels, findings);
                continue;
            }
            Some(false) => continue,
            None => {}
        }
        let Some(wanted) = labels.resolve(wanted) else {
            continue;
        };
        match key.as_str() {
            "lost_acked" => findings.compare(key, wanted, &json!(lost_acked(moment, verdict))),
            "duplicates" => findings.compare(key, wanted, &json!(duplicates(verdict, moment))),
            "duplicates_if_idempotent" => {
                match changed(case, "idempotent", json!(true), moment.notation) {
                    Err(error) => findings.differs(key, error),
                    Ok((run, notation)) => {
                        let other = Moment::end(&run, &notation);
                        let is = duplicates(&highwater_core::sim::verdict(&run), &other);
                        findings.compare(key, wanted, &json!(is));
                    }
                }
            }
            "in_log" => {
                let in_log = verdict.records.iter().filter(|r| r.in_final_log).count();
                findings.compare(key, wanted, &json!(in_log));
            }
            "consumer_saw_lost" => {
                let saw = verdict.lost().any(|record| {
                    let offsets = record.appended.iter().map(|fact| fact.offset);
                    record.visible.is_some() || offsets.into_iter().any(|at| consumed(moment, at))
                });
                findings.compare(key, wanted, &json!(saw));
            }
            "reset" => findings.compare(key, wanted, &json!(reset(moment))),
            "flapping" => {
                let flapped = flaps(moment);
                findings.compare(key, wanted, &json!(flapped));
            }
            "after" => after(moment, key, wanted, findings),
            _ => look::state(moment, key, wanted, labels, findings),
        }
    }
}

/// The log that counts: of the leader, or without one of each replica that may still be elected.
fn logs<'a>(moment: &'a Moment<'_>) -> Vec<&'a Log> {
    let cluster = moment.state.cluster();
    let partition = &cluster.controller.partition;
    let electable = partition.isr.union(&partition.elr);
    let counts = |broker: &&Broker| match partition.leader {
        Some(leader) => broker.id == leader,
        None if electable.is_empty() => partition.last_known_elr.contains(&broker.id),
        None => electable.contains(broker.id),
    };
    cluster
        .brokers
        .iter()
        .filter(counts)
        .map(|b| &b.log)
        .collect()
}

/// Acknowledged records that are lost: the script's, and those that lay below the HW at the start.
fn lost_acked(moment: &Moment<'_>, verdict: &Verdict) -> u64 {
    let start = moment.notation.scenario.start.as_ref();
    let replicas = start.into_iter().flat_map(|start| &start.replicas);
    let hw = replicas.map(|replica| replica.hw).max().unwrap_or_default();
    let held = |log: &&Log| -> u64 {
        let before = log
            .batches()
            .iter()
            .filter(|b| b.payload == Payload::Before);
        let below = before.filter_map(|batch| batch.up_to(hw));
        below.map(|batch: Batch| batch.count).sum()
    };
    let kept = logs(moment).iter().map(held).max().unwrap_or(0);
    verdict.acknowledged_lost().count() as u64 + hw.0.saturating_sub(kept)
}

/// How many copies of the script's records there are beyond the first of each.
fn duplicates(verdict: &Verdict, moment: &Moment<'_>) -> u64 {
    let logs = logs(moment);
    let copies = |number: u64| {
        let each = logs.iter().map(|log| log.offsets_of_record(number).count());
        each.max().unwrap_or(0).saturating_sub(1)
    };
    let records = verdict.records.iter();
    records.map(|record| copies(record.record) as u64).sum()
}

/// Whether the consumer read what is at an offset.
fn consumed(moment: &Moment<'_>, offset: Offset) -> bool {
    moment.events.iter().any(|event| match &event.kind {
        EventKind::Consumed { from, to, .. } => *from <= offset && offset < *to,
        _ => false,
    })
}

/// Whether a consumer had to begin again elsewhere: the consumer of the run failed, or an offset that a follower refused is
/// not to be had from the leader either.
fn reset(moment: &Moment<'_>) -> bool {
    let failed = |event: &highwater_core::kafka::event::Event| {
        matches!(event.kind, EventKind::ConsumerFailed { .. })
    };
    let leader = moment.leader();
    let asked = moment.notation.scenario.steps.iter();
    let mut offsets = asked.filter_map(|step| match &step.action {
        Action::Consume { offset, .. } => Some(*offset),
        _ => None,
    });
    let beyond = |offset: Offset| leader.is_none_or(|b| offset > b.leo());
    moment.events.iter().any(failed) || offsets.any(beyond)
}

/// Whether a broker was added to the ISR again after it had been removed from it.
fn flaps(moment: &Moment<'_>) -> bool {
    let brokers = &moment.state.cluster().brokers;
    brokers.iter().any(|broker| {
        let changes = moment.events.iter().filter_map(|event| match &event.kind {
            EventKind::PartitionChanged { before, after, .. } => Some((
                before.isr.contains(broker.id),
                after.isr.contains(broker.id),
            )),
            _ => None,
        });
        let joins = changes.filter(|change| *change == (false, true));
        joins.count() > 1
    })
}

/// The state that the end is described in.
fn after(moment: &Moment<'_>, key: &str, wanted: &Value, findings: &mut Findings) {
    match wanted.as_str() {
        Some("all replicas caught up") => {
            let leo = moment.leader().map(Broker::leo);
            let brokers = &moment.state.cluster().brokers;
            let all = brokers.iter().all(|b| Some(b.leo()) == leo);
            findings.compare(key, &json!(true), &json!(all));
        }
        _ => findings.differs(key, "the runner does not know this state".to_string()),
    }
}
