//! What is expected of the state at a check, and of the answer to any other step.

use std::collections::BTreeMap;

use highwater_core::kafka::context::Context;
use highwater_core::kafka::event::{Election, EventKind};
use highwater_core::kafka::ids::{Millis, Offset};
use highwater_core::kafka::message::FetchRequest;
use highwater_core::kafka::settings::Isolation;
use highwater_core::scenario::trace::End;
use highwater_core::scenario::value::StepOutcome;
use highwater_core::sim::latest_at_leader;
use serde_json::{Map, Value, json};

use super::Findings;
use super::answers;
use super::labels::Labels;
use super::moment::{Moment, sorted, text};
use crate::support::notation::NotationStep;

/// Keys that choose a run, place a step, or are for people.
pub const NOT_EXPECTED: &[&str] = &[
    "do",
    "t",
    "case",
    "mode",
    "version",
    "note",
    "notes",
    "also",
    "why",
    "contrast",
    "follower_hw_note",
];

/// Compares everything that a step lists.
pub fn at_step(moment: &Moment<'_>, step: &NotationStep, labels: &Labels, findings: &mut Findings) {
    let Some(raw) = step.raw.as_object() else {
        return findings.differs("step", "it is no object".to_string());
    };
    if raw["do"] == "check" {
        return at_check(moment, step, labels, findings, raw);
    }
    for (key, wanted) in raw.iter().filter(|(key, _)| key.starts_with("expect")) {
        let Some(wanted) = labels.resolve(wanted) else {
            continue;
        };
        match key.as_str() {
            "expect" => answers::answer(moment, step, wanted, findings),
            _ => answers::left_isr(moment, key, wanted, findings),
        }
    }
    if let Some(winner) = raw.get("winner").map(text) {
        // Whether it led already or won now is all the same.
        let is = moment.leader().map_or(Value::Null, |b| moment.name(b.id));
        return findings.compare("winner", &json!(winner), &is);
    }
    for record in moment.steps {
        // An election or config change that is refused must be expected to be.
        if let StepOutcome::Impossible(why) = record.outcome {
            findings.differs("outcome", format!("impossible: {why}"));
        }
        if let (StepOutcome::Error(error), None) = (record.outcome.clone(), raw.get("expect")) {
            findings.differs("outcome", format!("refused: {}", error.name()));
        }
    }
}

fn at_check(
    moment: &Moment<'_>,
    step: &NotationStep,
    labels: &Labels,
    findings: &mut Findings,
    raw: &Map<String, Value>,
) {
    for (key, wanted) in raw
        .iter()
        .filter(|(key, _)| !NOT_EXPECTED.contains(&key.as_str()))
    {
        let Some(wanted) = labels.resolve(wanted) else {
            continue;
        };
        match key.as_str() {
            "ack" => {
                let call = step.produce.as_deref().unwrap_or_default();
                findings.compare(key, wanted, &moment.answer(call));
            }
            "ack_first_attempt" => {
                let call = step.produce.as_deref().unwrap_or_default();
                findings.compare(key, wanted, &answers::first_attempt(moment, call));
            }
            "known_leo_before_response" => known_leo(moment, key, wanted, findings),
            _ => state(moment, key, wanted, labels, findings),
        }
    }
}

/// Compares a key that speaks of the state, at a check or at the end.
pub fn state(
    moment: &Moment<'_>,
    key: &str,
    wanted: &Value,
    labels: &Labels,
    findings: &mut Findings,
) {
    let cluster = moment.state.cluster();
    let partition = &cluster.controller.partition;
    let per_broker = |findings: &mut Findings, of: &dyn Fn(&str) -> Value| {
        let Some(each) = wanted.as_object() else {
            return findings.differs(key, format!("{wanted} is not given per broker"));
        };
        for (name, wanted) in each {
            if let Some(wanted) = labels.resolve(wanted) {
                findings.compare(&format!("{key}.{name}"), wanted, &of(name));
            }
        }
    };
    match key {
        "hw" if wanted.is_object() => per_broker(findings, &|name| {
            json!(moment.broker(name).map(|b| b.hw().0))
        }),
        "hw" => findings.compare(key, wanted, &json!(moment.leader().map(|b| b.hw().0))),
        "leo" => per_broker(findings, &|name| {
            json!(moment.broker(name).map(|b| b.leo().0))
        }),
        "follower_hw" => per_broker(findings, &|name| {
            json!(moment.broker(name).map(|b| b.hw().0))
        }),
        "consumer_end_at" => per_broker(findings, &|name| readable_at(moment, name)),
        "isr" => findings.compare(key, &sorted(wanted), &moment.set(&partition.isr)),
        "elr" => findings.compare(key, &sorted(wanted), &moment.set(&partition.elr)),
        "last_known" => {
            let is = moment.names(&partition.last_known_elr);
            findings.compare(key, &texts(wanted), &is);
        }
        "leader" => {
            let is = partition.leader.map_or(Value::Null, |id| moment.name(id));
            let wanted = if wanted.is_null() {
                Value::Null
            } else {
                json!(text(wanted))
            };
            findings.compare(key, &wanted, &is);
        }
        "epoch" | "leader_epoch" => {
            findings.compare(key, wanted, &json!(partition.leader_epoch.0));
        }
        "recovery" => findings.compare(key, wanted, &json!(partition.recovery.name())),
        "epochs" => per_broker(findings, &|name| epochs(moment, name)),
        "log_start" => per_broker(findings, &|name| {
            json!(moment.broker(name).map(|b| b.log.log_start().0))
        }),
        "partition_epoch" => findings.compare(key, wanted, &json!(partition.partition_epoch.0)),
        "consumer_end" => consumer_end(moment, key, wanted, findings),
        "list_offsets_latest" => {
            let latest = latest_at_leader(&moment.state.simulation, Isolation::ReadUncommitted);
            let is = match latest {
                None => json!("no leader"),
                Some(Ok(offset)) => json!(offset.0),
                Some(Err(error)) => json!(error.name()),
            };
            findings.compare(key, wanted, &is);
        }
        "truncated_to" => {
            let Some(each) = wanted.as_object() else {
                return findings.differs(key, "it is not given per broker".to_string());
            };
            for (name, wanted) in each {
                findings.compare(&format!("{key}.{name}"), wanted, &cut_to(moment, name));
            }
        }
        "diverged" | "diverged_at" => diverged(moment, key, wanted, findings),
        "isr_changes_at_least" => {
            let changes = isr_changes(moment);
            let enough = wanted.as_u64().is_some_and(|least| changes >= least);
            findings.compare(key, &json!(true), &json!(enough));
        }
        "unclean" => {
            let is = matches!(
                last_election(moment),
                Some(Election::Unclean | Election::LastKnownLeader)
            );
            findings.compare(key, wanted, &json!(is));
        }
        "election" => {
            let is = match last_election(moment) {
                Some(Election::LastKnownLeader) => "last_known_leader (unclean)",
                Some(Election::Unclean) => "unclean",
                Some(Election::FromElr) => "elr",
                Some(Election::FromIsr) => "isr",
                _ => "none",
            };
            findings.compare(key, wanted, &json!(is));
        }
        _ => findings.differs(key, "the runner does not know this key".to_string()),
    }
}

/// A broker's epoch cache as pairs of epoch and start offset.
fn epochs(moment: &Moment<'_>, name: &str) -> Value {
    let broker = moment.broker(name);
    let entries = broker.map(|b| b.log.epochs().entries()).unwrap_or_default();
    entries
        .iter()
        .map(|(epoch, start)| json!([epoch.0, start.0]))
        .collect()
}

fn texts(list: &Value) -> Value {
    let list = list.as_array().into_iter().flatten();
    list.map(|name| json!(text(name))).collect()
}

/// The last election among the events up to the moment.
fn last_election(moment: &Moment<'_>) -> Option<Election> {
    let events = moment.before().iter();
    let elections = events.filter_map(|event| match &event.kind {
        EventKind::PartitionChanged { election, .. } => Some(*election),
        _ => None,
    });
    elections
        .rev()
        .find(|election| !matches!(election, Election::None | Election::NoLeader))
}

/// How often the controller changed the ISR, up to the moment.
fn isr_changes(moment: &Moment<'_>) -> u64 {
    let events = moment.before().iter();
    let changes = events.filter(|event| match &event.kind {
        EventKind::PartitionChanged { before, after, .. } => before.isr != after.isr,
        _ => false,
    });
    changes.count() as u64
}

/// The lowest offset that a broker's log was cut to; null when it was not.
fn cut_to(moment: &Moment<'_>, name: &str) -> Value {
    let id = moment.notation.brokers.get(name);
    let cuts = moment.events.iter().filter_map(|event| match &event.kind {
        EventKind::Truncated { broker, to, .. } if Some(broker) == id => Some(to.0),
        _ => None,
    });
    json!(cuts.min())
}

/// Where two replicas keep different records: null, one offset, or the first and the last of a range.
fn diverged(moment: &Moment<'_>, key: &str, wanted: &Value, findings: &mut Findings) {
    let brokers = &moment.state.cluster().brokers;
    let mut ranges: BTreeMap<u64, u64> = BTreeMap::new();
    for (place, left) in brokers.iter().enumerate() {
        for right in brokers.iter().skip(place + 1) {
            for range in left.log.differences(&right.log) {
                let end = ranges.entry(range.start.0).or_default();
                *end = range.end.0.max(*end);
            }
        }
    }
    let first = ranges.first_key_value().map(|(start, _)| *start);
    let last = ranges.values().max().map(|end| end.saturating_sub(1));
    let is = match (first, last, wanted.is_number()) {
        (Some(first), Some(last), false) => json!([first, last]),
        (Some(first), Some(last), true) if first == last => json!(first),
        (Some(first), Some(last), true) => json!([first, last]),
        _ => Value::Null,
    };
    findings.compare(key, wanted, &is);
}

/// What a consumer may read up to at a broker, by a fetch from its log start.
fn readable_at(moment: &Moment<'_>, name: &str) -> Value {
    let Some(broker) = moment.broker(name) else {
        return Value::Null;
    };
    let context = Context {
        settings: &moment.state.cluster().settings,
        now: moment.at(),
    };
    let fetch = FetchRequest {
        replica: None,
        broker_epoch: None,
        max_wait: Millis(0),
        min_bytes: 1,
        max_bytes: u64::MAX,
        isolation: Isolation::ReadUncommitted,
        current_leader_epoch: None,
        fetch_offset: broker.log.log_start(),
        last_fetched_epoch: None,
        log_start: Offset(0),
        client_metadata: true,
    };
    match broker.read(&fetch, &context) {
        Err(error) => json!(error.name()),
        Ok(read) => {
            let end = read.batches.last().map_or(fetch.fetch_offset, |b| b.end());
            json!(end.0)
        }
    }
}

fn consumer_end(moment: &Moment<'_>, key: &str, wanted: &Value, findings: &mut Findings) {
    let observed = moment.observed();
    let tell = |end: Option<End>| match end {
        Some(End::At(offset)) => json!(offset.0),
        Some(End::Error(error)) => json!(error.name()),
        _ => json!("no leader"),
    };
    let Some(each) = wanted.as_object() else {
        return findings.compare(key, wanted, &tell(observed.consumer_end));
    };
    for (isolation, wanted) in each {
        let end = match isolation.as_str() {
            "read_uncommitted" => observed.consumer_end,
            "read_committed" => observed.read_committed_end,
            _ => {
                findings.differs(key, format!("no such isolation level: {isolation}"));
                continue;
            }
        };
        findings.compare(&format!("{key}.{isolation}"), wanted, &tell(end));
    }
}

/// Where the leader believed a follower to be when it proposed it for the ISR.
fn known_leo(moment: &Moment<'_>, key: &str, wanted: &Value, findings: &mut Findings) {
    let Some(each) = wanted.as_object() else {
        return findings.differs(key, "it is not given per broker".to_string());
    };
    for (name, wanted) in each {
        let id = moment.notation.brokers.get(name).copied();
        let proposed = moment.before().iter().position(|event| match &event.kind {
            EventKind::IsrProposed { members, .. } => id.is_some_and(|id| members.contains(id)),
            _ => false,
        });
        let before = &moment.before()[..proposed.unwrap_or(0)];
        let noted = before.iter().rev().find_map(|event| match &event.kind {
            EventKind::FollowerStateUpdated { follower, leo, .. } if Some(*follower) == id => {
                Some(leo.0)
            }
            _ => None,
        });
        findings.compare(&format!("{key}.{name}"), wanted, &json!(noted));
    }
}
