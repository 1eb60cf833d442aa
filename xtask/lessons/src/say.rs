//! What the run says, in a language: labels of choices, sentences of events.

use highwater::picture::words::{Word, Words as _};
use highwater::text::arg::millis;
use highwater::text::because::{Link, Narrator};
use highwater::text::describe::record_line;
use highwater::text::waits::sentence;
use highwater::text::{Arg, Text};
use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::ids::{BrokerId, EventId, Offset};
use highwater_core::kafka::message::Node;
use highwater_core::sim::waits::waits;

use crate::anchor::Ran;
use crate::question::{Kind, Pick};
use crate::reason::Reason;
use crate::wire;
use crate::words::Words;

/// A sentence with its instant and its sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// When; empty for what has no instant.
    pub time: String,
    /// What and why.
    pub text: String,
    /// Where the rule stands.
    pub links: Vec<Link>,
}

/// The sentence of an event.
pub fn event(text: &Text, ran: &Ran, id: EventId) -> Said {
    let Some(event) = ran.run.events.get(id.0 as usize) else {
        return Said {
            time: String::new(),
            text: String::new(),
            links: Vec::new(),
        };
    };
    let sentence = Narrator::new(text, &ran.run).because(event);
    Said {
        time: millis(event.at),
        text: sentence.text,
        links: sentence.links,
    }
}

/// A reason as a sentence.
pub fn reason(text: &Text, ran: &Ran, reason: Reason) -> Said {
    match reason {
        Reason::Event(id) => event(text, ran, id),
        Reason::Wait { record, fact, at } => {
            let of = ran.verdict.records.iter().find(|r| r.record == record);
            let lacking = of.map(|r| waits(&ran.run, r, at)).unwrap_or_default();
            let wait = lacking.iter().find(|(lacked, _)| *lacked == fact);
            Said {
                time: millis(at.at),
                text: wait
                    .map(|(_, wait)| sentence(text, record, fact, wait))
                    .unwrap_or_default(),
                links: Vec::new(),
            }
        }
        Reason::Record(number) => {
            let record = ran.verdict.records.iter().find(|r| r.record == number);
            Said {
                time: String::new(),
                text: record.map(|r| record_line(text, r)).unwrap_or_default(),
                links: Vec::new(),
            }
        }
    }
}

/// The name of a choice.
pub fn label(text: &Text, words: &Words, ran: &Ran, kind: &Kind, pick: &Pick) -> String {
    match pick {
        Pick::Offset(offset) => match kind {
            Kind::Offset(what) if what.starts_with("leo") => text.say(Word::Leo(Offset(*offset))),
            Kind::Offset(what) if what.starts_with("lso") => text.say(Word::Lso(Offset(*offset))),
            Kind::Offset(what) => match field_of(what) {
                Some(field) => format!("{field} {offset}"),
                None => text.say(Word::Hw(Offset(*offset))),
            },
            _ => text.say(Word::Hw(Offset(*offset))),
        },
        Pick::Record(Some(record)) => text.say(Word::Record(*record)),
        Pick::Record(None) => words.say("None").to_owned(),
        Pick::Kept => words.say("Kept").to_owned(),
        Pick::Lost => words.say("Lost").to_owned(),
        Pick::Answer(word) if word == wire::RECORDS => words.say("Records").to_owned(),
        Pick::Answer(word) if word == wire::NO_RECORDS => words.say("NoRecords").to_owned(),
        Pick::Answer(word) => match outcome(word) {
            Some(outcome) => text.say(Word::Outcome(outcome)),
            None => word.clone(),
        },
        Pick::Event(id) => match ran.run.events.get(id.0 as usize) {
            Some(event) => Narrator::new(text, &ran.run).caption(event),
            None => String::new(),
        },
        Pick::Broker(Some(broker)) => Arg::Node(Node::Broker(*broker)).write(text),
        Pick::Broker(None) => words.say("Nobody").to_owned(),
    }
}

fn outcome(word: &str) -> Option<Outcome> {
    Some(match word {
        "ok" => Outcome::Ok(Offset(0)),
        "no answer" => Outcome::NoAnswer,
        "connection closed" => Outcome::ConnectionClosed,
        "leader down" => Outcome::LeaderDown,
        "no leader" => Outcome::NoLeader,
        "no answer expected" => Outcome::NoAnswerExpected,
        _ => return None,
    })
}

/// What an axis asks for: `broker 2: HW ?`.
pub fn asked_for(text: &Text, what: &str) -> String {
    let (key, of) = what.split_once(" of ").unwrap_or((what, ""));
    let name = match key {
        "leo" => "LEO",
        "lso" => "LSO",
        _ => field_of(key).unwrap_or("HW"),
    };
    match of.trim().parse() {
        Ok(broker) => format!(
            "{}: {name} ?",
            Arg::Node(Node::Broker(BrokerId(broker))).write(text)
        ),
        Err(_) => format!("{name} ?"),
    }
}

/// Kafka's name of the field that is asked for: `request.fetchOffset of 1`.
fn field_of(what: &str) -> Option<&str> {
    let (kind, rest) = what.split_once('.')?;
    let name = rest.split(' ').next()?;
    ["request", "response"].contains(&kind).then_some(name)
}

/// The places of the replicas, for the hue of a broker.
pub fn place_of(ran: &Ran, broker: BrokerId) -> usize {
    let replicas = &ran.run.scenario.settings.replicas;
    replicas.iter().position(|b| *b == broker).unwrap_or(0)
}
