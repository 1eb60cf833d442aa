//! Why a wrong answer is wrong: the events of the run that decided it. Their sentences are the page's own.

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{BrokerId, BrokerSet, EventId, Offset, SendId};
use highwater_core::kafka::message::Node;
use highwater_core::sim::{Instant, RecordVerdict};

use crate::anchor::Ran;

/// Something that the run says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The sentence of an event.
    Event(EventId),
    /// The facts of a record.
    Record(u64),
}

/// The last event before an instant that fits.
fn last(ran: &Ran, at: Instant, fits: impl Fn(&EventKind) -> bool) -> Option<&Event> {
    let happened = ran.run.events_before(at);
    let events = ran.run.events.get(..happened).unwrap_or_default();
    events.iter().rev().find(|event| fits(&event.kind))
}

/// The first of these that there is.
fn first_of<const N: usize>(found: [Option<&Event>; N]) -> Vec<Reason> {
    let event = found.into_iter().flatten().next();
    event.map(|e| Reason::Event(e.id)).into_iter().collect()
}

/// Why an HW, LEO or consumer's end is not where it was guessed.
pub fn offset(ran: &Ran, at: Instant, what: &str, guess: u64, key: u64) -> Vec<Reason> {
    let (name, broker) = match what.split_once(" of ") {
        Some((name, of)) => (name, of.trim().parse().ok().map(BrokerId)),
        None => ("hw", ran.run.at(at).cluster().controller.partition.leader),
    };
    let Some(broker) = broker else {
        return first_of([last(ran, at, |k| {
            matches!(k, EventKind::PartitionChanged { .. })
        })]);
    };
    let (guess, key) = (Offset(guess), Offset(key));
    match name {
        "leo" => leo(ran, at, broker, guess, key),
        _ => hw(ran, at, broker, guess, key),
    }
}

fn leo(ran: &Ran, at: Instant, of: BrokerId, guess: Offset, key: Offset) -> Vec<Reason> {
    let appended = |k: &EventKind| matches!(k, EventKind::Appended { broker, .. } if *broker == of);
    if guess < key {
        return first_of([
            last(ran, at, |k| {
                matches!(k, EventKind::Appended { broker, batch, leo, .. }
                    if *broker == of && batch.base <= guess && guess < *leo)
            }),
            last(ran, at, appended),
        ]);
    }
    first_of([
        last(
            ran,
            at,
            |k| matches!(k, EventKind::Truncated { broker, to, .. } if *broker == of && *to == key),
        ),
        last(ran, at, appended),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::FetchServed { by: Node::Broker(by), .. } if *by == of),
        ),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::LinkChanged { from: Node::Broker(from), .. } if *from == of),
        ),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::BecameFollower { broker, .. } if *broker == of),
        ),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::BecameLeader { broker, .. } if *broker == of),
        ),
    ])
}

fn hw(ran: &Ran, at: Instant, of: BrokerId, guess: Offset, key: Offset) -> Vec<Reason> {
    let moved = |k: &EventKind| matches!(k, EventKind::HwChanged { broker, .. } if *broker == of);
    if guess < key {
        return first_of([
            last(ran, at, |k| {
                matches!(k, EventKind::HwChanged { broker, from, to, .. }
                    if *broker == of && *from <= guess && guess < *to)
            }),
            last(ran, at, moved),
            last(
                ran,
                at,
                |k| matches!(k, EventKind::BecameLeader { broker, .. } if *broker == of),
            ),
        ]);
    }
    let leads = ran
        .run
        .at(at)
        .cluster()
        .broker(of)
        .is_some_and(|b| b.leader().is_some());
    if leads {
        return first_of([
            last(
                ran,
                at,
                |k| matches!(k, EventKind::HwHeld { broker, at, .. } if *broker == of && *at == key),
            ),
            last(
                ran,
                at,
                |k| matches!(k, EventKind::HwChanged { broker, to, .. } if *broker == of && *to == key),
            ),
            last(
                ran,
                at,
                |k| matches!(k, EventKind::Appended { broker, .. } if *broker == of),
            ),
            last(
                ran,
                at,
                |k| matches!(k, EventKind::BecameLeader { broker, .. } if *broker == of),
            ),
        ]);
    }
    // The leader may be there already; then the follower has not been told.
    let passed = last(ran, at, |k| {
        matches!(k, EventKind::HwChanged { broker, from, to, leads: true }
            if *broker != of && *from < guess && guess <= *to)
    });
    let mut reasons = first_of([passed]);
    reasons.extend(first_of([
        last(ran, at, |k| {
            matches!(k, EventKind::FetchServed { by: Node::Broker(by), hw, error: None, .. }
                if *by == of && *hw == key)
        }),
        last(ran, at, moved),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::BrokerStarted { broker, .. } if *broker == of),
        ),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::BecameFollower { broker, .. } if *broker == of),
        ),
    ]));
    reasons
}

/// The event that made a fact of a record true.
pub fn event_of_fact(record: &RecordVerdict, fact: &str) -> Option<EventId> {
    let since = match fact {
        "acknowledged" => record.acknowledged,
        "committed" => record.committed,
        "visible" => record.visible,
        "lost" => record.lost,
        "refused" => record.refused.map(|(_, since)| since),
        "duplicated" => record.appended.last().map(|a| a.since),
        "unknown" => record.last_outcome.map(|(_, since)| since),
        _ => None,
    };
    since.map(|s| s.event)
}

/// Why the producer is told what it is told: what the broker did with the call, then the answer.
pub fn answer(ran: &Ran, of: SendId, answered: EventId) -> Vec<Reason> {
    let at = ran.run.after(answered);
    let broker = first_of([
        last(
            ran,
            at,
            |k| matches!(k, EventKind::AppendRefused { send, .. } if *send == of),
        ),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::ProduceCompleted { send, .. } if *send == of),
        ),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::ProduceParked { send, .. } if *send == of),
        ),
    ]);
    broker
        .into_iter()
        .chain([Reason::Event(answered)])
        .collect()
}

/// Why somebody does not lead: what became of that broker, and how the leader was chosen.
pub fn leader(
    ran: &Ran,
    at: Instant,
    picked: Option<BrokerId>,
    key: Option<BrokerId>,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if let Some(picked) = picked {
        let down = ran
            .run
            .at(at)
            .cluster()
            .broker(picked)
            .is_some_and(|b| !b.is_up());
        if down {
            reasons.extend(first_of([last(
                ran,
                at,
                |k| matches!(k, EventKind::BrokerStopped { broker, .. } if *broker == picked),
            )]));
        }
    }
    reasons.extend(first_of([
        last(ran, at, |k| {
            matches!(k, EventKind::PartitionChanged { before, after, .. }
                if after.leader == key && before.leader != after.leader)
        }),
        last(
            ran,
            at,
            |k| matches!(k, EventKind::BecameLeader { broker, .. } if Some(*broker) == key),
        ),
    ]));
    reasons
}

/// Why a broker is, or is not, in the ISR or ELR.
pub fn member(ran: &Ran, at: Instant, what: &str, of: BrokerId) -> Vec<Reason> {
    let set = |state: &highwater_core::kafka::partition::PartitionState| -> BrokerSet {
        if what == "elr" {
            state.elr.clone()
        } else {
            state.isr.clone()
        }
    };
    first_of([
        // It joined or left.
        last(ran, at, |k| {
            matches!(k, EventKind::PartitionChanged { before, after, .. }
                if set(before).contains(of) != set(after).contains(of))
        }),
        // The set changed without it.
        last(
            ran,
            at,
            |k| matches!(k, EventKind::PartitionChanged { before, after, .. } if set(before) != set(after)),
        ),
        last(ran, at, |k| matches!(k, EventKind::PartitionChanged { .. })),
        last(ran, at, |k| matches!(k, EventKind::BecameLeader { .. })),
    ])
}
