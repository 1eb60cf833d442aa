//! What an operator would see of a run, for claims: a field of `kafka-topics.sh --describe`, a metric, a log line.

use highwater_core::kafka::ids::BrokerId;
use highwater_core::operator::{Described, Origin, Topic, metrics, view};
use highwater_core::sim::Instant;

use crate::anchor::Ran;
use crate::value::Value;

/// The line of the partition in `kafka-topics.sh --describe`, or one of its fields by its name (`Isr`).
pub fn described(ran: &Ran, when: Instant, field: &str) -> Option<Value> {
    let Described::Lines(lines) = view(&ran.run, when, &Topic::default()).described else {
        return None;
    };
    let line = lines.last()?;
    let mut fields = line.split('\t').map(str::trim).filter(|f| !f.is_empty());
    if field.is_empty() {
        let whole: Vec<&str> = fields.collect();
        return Some(Value::Word(whole.join(" ")));
    }
    let value = fields.find_map(|part| part.strip_prefix(field)?.strip_prefix(':'))?;
    Some(Value::Word(value.trim().to_owned()))
}

/// A metric of a broker, or of the `controller`, by the name in its MBean. Meters are counts since the process started.
pub fn metric(ran: &Ran, when: Instant, name: &str, of: &str) -> Option<Value> {
    let origin = origin(of)?;
    let state = ran.run.at(when);
    let happened = ran.run.events_before(when);
    let events = ran.run.events.get(..happened)?;
    let topic = Topic::default();
    let all = metrics(&state.simulation, events, &ran.run.messages, &topic);
    let named = |bean: &str| {
        let rest = bean.split(",name=").nth(1).unwrap_or("");
        rest.split([',', ':']).next() == Some(name)
    };
    let mut own = all.iter().filter(|m| m.origin == origin && named(&m.name));
    Some(Value::Number(own.next()?.value))
}

/// What the last line says that a process logged before an instant and that has a word in it.
pub fn logged(ran: &Ran, when: Instant, word: &str, of: &str) -> Option<Value> {
    let origin = origin(of)?;
    let lines = view(&ran.run, when, &Topic::default()).lines;
    let mut fitting = lines.iter().rev();
    let line = fitting.find(|line| line.origin == origin && line.message.contains(word))?;
    Some(Value::Word(line.message.trim().to_owned()))
}

fn origin(of: &str) -> Option<Origin> {
    match of {
        "controller" => Some(Origin::Controller),
        _ => Some(Origin::Broker(BrokerId(of.parse().ok()?))),
    }
}
