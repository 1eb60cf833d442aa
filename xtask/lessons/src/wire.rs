//! What went over the wire: a field of a fetch as Kafka names it, and how a single question of the script was answered.

use highwater::later::fields::fields;
use highwater_core::kafka::event::{Event, EventKind, QueryAnswer};
use highwater_core::kafka::ids::BrokerId;
use highwater_core::kafka::message::{Body, Node};
use highwater_core::sim::Instant;

use crate::anchor::Ran;
use crate::value::Value;

/// A fetch went well and brought records.
pub const RECORDS: &str = "records";
/// A fetch went well and brought none.
pub const NO_RECORDS: &str = "no records";

/// A field of the last fetch request that somebody sent before an instant, or of the last response that reached them:
/// `request.fetchOffset` of `2`, `response.highWatermark` of `consumer`.
pub fn field(ran: &Ran, when: Instant, key: &str, of: &str) -> Option<Value> {
    let (kind, name) = key.split_once('.')?;
    let who = match of {
        "consumer" => Node::Consumer,
        _ => Node::Broker(BrokerId(of.parse().ok()?)),
    };
    let happened = ran.run.events_before(when);
    let mut past = ran.run.events.get(..happened)?.iter().rev();
    let body = past.find_map(|event| {
        let message = match (kind, &event.kind) {
            ("request", EventKind::MessageSent { message }) => *message,
            ("response", EventKind::MessageArrived { message }) => *message,
            _ => return None,
        };
        let record = ran.run.messages.iter().find(|m| m.id == message)?;
        let (from, to) = (record.message.from, record.message.to);
        match (kind, &record.message.body) {
            ("request", body @ Body::FetchRequest(_)) if from == who => Some(body),
            ("response", body @ Body::FetchResponse(_)) if to == who => Some(body),
            _ => None,
        }
    })?;
    let field = fields(body).into_iter().find(|field| field.name == name)?;
    Some(match field.value.parse() {
        Ok(number) => Value::Number(number),
        Err(_) => Value::Word(field.value),
    })
}

/// The event that answered the question of a step (`step 4`) of the script.
pub fn answered<'a>(ran: &'a Ran, of: &str) -> Option<&'a Event> {
    let step = of.strip_prefix("step ")?.trim().parse::<u32>().ok()?;
    let index = step.checked_sub(1)?;
    let mut events = ran.run.events.iter();
    events.find(|e| matches!(e.kind, EventKind::QueryAnswered { step, .. } if step == index))
}

/// How that question was answered, in a word: [`RECORDS`], [`NO_RECORDS`], Kafka's error, or `no leader`.
pub fn reply(event: &Event) -> Option<&'static str> {
    let EventKind::QueryAnswered { answer, .. } = &event.kind else {
        return None;
    };
    match answer {
        QueryAnswer::Fetch { error, batches, .. } => Some(match error {
            Some(error) => error.name(),
            None if batches.is_empty() => NO_RECORDS,
            None => RECORDS,
        }),
        QueryAnswer::NoLeader => Some("no leader"),
        _ => None,
    }
}
