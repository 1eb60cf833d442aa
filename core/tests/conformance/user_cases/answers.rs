//! What is expected of the answer to a step, and of when a broker leaves the ISR after it.

use highwater_core::kafka::event::{EventKind, QueryAnswer};
use highwater_core::kafka::ids::BrokerId;
use highwater_core::kafka::message::{Body, Node};
use highwater_core::scenario::trace::Ack;
use highwater_core::scenario::value::StepOutcome;
use serde_json::{Value, json};

use super::Findings;
use super::moment::{Moment, text};
use crate::support::notation::NotationStep;

/// The answer to a step that asks something.
pub fn answer(moment: &Moment<'_>, step: &NotationStep, wanted: &Value, findings: &mut Findings) {
    let queried = moment.events.iter().find_map(|event| match &event.kind {
        EventKind::QueryAnswered { answer, .. } => Some(answer),
        _ => None,
    });
    let is = match step.raw["do"].as_str() {
        Some("produce" | "retry" | "txn_produce") => {
            let call = step.produce.as_deref().unwrap_or_default();
            match (moment.answer(call), offset_of(moment, call)) {
                (Value::String(word), Some(offset)) if wanted != "ok" && word == "ok" => {
                    json!(format!("ok (offset {offset})"))
                }
                (word, _) => word,
            }
        }
        Some("elect" | "set_config") => match moment.steps.last().map(|s| s.outcome.clone()) {
            Some(StepOutcome::Error(error)) => json!(error.name()),
            Some(StepOutcome::Done) => json!("ok"),
            _ => Value::Null,
        },
        Some("follower_fetch" | "zombie_fetch") => served(moment, step),
        _ => queried.map_or(Value::Null, told),
    };
    match (wanted, &is) {
        (Value::Object(listed), Value::Object(is)) => {
            for (key, wanted) in listed {
                let is = is.get(key).cloned();
                let is = is.unwrap_or_else(|| json!("the runner does not tell it"));
                findings.compare(&format!("expect.{key}"), wanted, &is);
            }
        }
        _ => findings.compare("expect", wanted, &is),
    }
}

/// The answer to a question, in the notation's words: a word, or an object of which a case lists what it is about.
fn told(answer: &QueryAnswer) -> Value {
    match answer {
        QueryAnswer::NoLeader => json!("no leader"),
        QueryAnswer::Latest(Ok(offset)) => json!(offset.0),
        QueryAnswer::Latest(Err(error))
        | QueryAnswer::Fetch {
            error: Some(error), ..
        }
        | QueryAnswer::EpochEnd {
            error: Some(error), ..
        } => json!(error.name()),
        QueryAnswer::Fetch {
            batches, hw, lso, ..
        } => match (batches.first(), batches.last()) {
            (Some(first), Some(last)) => json!({
                "first": first.base.0,
                "last": last.end().0.saturating_sub(1),
                "n": batches.iter().map(|batch| batch.count).sum::<u64>(),
                "hw": hw.0,
                "lso": lso.0,
            }),
            _ => json!("empty"),
        },
        QueryAnswer::EpochEnd { epoch, end, .. } => json!({
            "epoch": epoch.map_or(-1, |e| i64::from(e.0)),
            "end_offset": end.map_or(json!(-1), |end| json!(end.0)),
        }),
    }
}

/// How the leader served a follower's last fetch of the step.
fn served(moment: &Moment<'_>, step: &NotationStep) -> Value {
    let follower = step.raw.get("broker").map(text).unwrap_or_default();
    let id = moment.notation.brokers.get(&follower).copied();
    let events = moment.events.iter().rev();
    let mut answers = events.filter_map(|event| match &event.kind {
        EventKind::FetchServed {
            by: Node::Broker(by),
            error,
            diverging,
            ..
        } if Some(*by) == id => Some(match (error, diverging) {
            (Some(error), _) => error.name(),
            (None, true) => "diverging",
            (None, false) => "ok",
        }),
        _ => None,
    });
    json!(answers.next())
}

fn offset_of(moment: &Moment<'_>, call: &str) -> Option<u64> {
    match moment.observed().acks.get(call)? {
        Ack::Success(base) => Some(base.0),
        _ => None,
    }
}

/// What the broker answered to the first attempt of a call.
pub fn first_attempt(moment: &Moment<'_>, call: &str) -> Value {
    let send = moment.state.simulation.progress.named.get(call).copied();
    let at = moment.at();
    let answers = moment.messages.iter().filter(|m| m.sent_at <= at);
    let mut results = answers.filter_map(|message| match &message.message.body {
        Body::ProduceResponse(response) if Some(response.send) == send && response.attempt == 1 => {
            Some(response.result)
        }
        _ => None,
    });
    match results.next() {
        None => json!("pending"),
        Some(Ok(_)) => json!("ok"),
        Some(Err(error)) => json!(error.name()),
    }
}

/// `expect_isr_without_2_within_ms: 1000`, `expect_isr_without_2_between_ms: [30000, 46000]`, `expect_isr_without_2: "never"`.
pub fn left_isr(moment: &Moment<'_>, key: &str, wanted: &Value, findings: &mut Findings) {
    let words = key.strip_prefix("expect_isr_without_");
    let Some((name, how)) = words.map(|words| words.split_once('_').unwrap_or((words, ""))) else {
        return findings.differs(key, "the runner does not know this key".to_string());
    };
    let Some(id): Option<BrokerId> = moment.notation.brokers.get(name).copied() else {
        return findings.differs(key, format!("no such broker: {name}"));
    };
    let began = moment.steps.first().and_then(|step| step.began);
    let left = moment.all.iter().find_map(|event| match &event.kind {
        EventKind::PartitionChanged { after, .. }
            if Some(event.at) >= began && !after.isr.contains(id) =>
        {
            Some(event.at.since(began.unwrap_or_default()).0)
        }
        _ => None,
    });
    let holds = match (how, left, wanted) {
        ("within_ms", Some(left), Value::Number(most)) => most.as_u64() >= Some(left),
        ("between_ms", Some(left), Value::Array(range)) => {
            let bound = |place: usize| range.get(place).and_then(Value::as_u64);
            bound(0) <= Some(left) && bound(1) >= Some(left)
        }
        ("", left, Value::String(word)) if word == "never" => left.is_none(),
        ("within_ms" | "between_ms" | "", _, _) => false,
        _ => return findings.differs(key, "the runner does not know this key".to_string()),
    };
    findings.compare(key, &json!(true), &json!(holds));
    if !holds {
        findings.differs(key, format!("expected {wanted}, it left after {left:?} ms"));
    }
}
