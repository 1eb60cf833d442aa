//! Why a wrong answer is wrong: the events of the run that decided it. Their sentences are the page's own.

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{BrokerId, BrokerSet, EventId, Offset};
use highwater_core::kafka::message::Node;
use highwater_core::sim::waits::{Fact, waits};
use highwater_core::sim::{Instant, RecordVerdict};

use crate::anchor::Ran;

/// Something that the run says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The sentence of an event.
    Event(EventId),
    /// The facts of a record.
    Record(u64),
    /// What a record still waits for at an instant: why it is not acknowledged, not committed or not visible.
    Wait {
        /// The record.
        record: u64,
        /// What it lacks.
        fact: Fact,
        /// When.
        at: Instant,
    },
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

/// Why a record lacks these facts at an instant, as far as it does.
fn lacks(ran: &Ran, record: &RecordVerdict, facts: &[Fact], at: Instant) -> Vec<Reason> {
    let lacking = waits(&ran.run, record, at);
    let of = |fact: &&Fact| lacking.iter().any(|(lacked, _)| lacked == *fact);
    let list = facts.iter().filter(of);
    list.map(|fact| Reason::Wait {
        record: record.record,
        fact: *fact,
        at,
    })
    .collect()
}

/// The record that stands at an offset of the leader's log at an instant.
fn record_at(ran: &Ran, offset: Offset, at: Instant) -> Option<&RecordVerdict> {
    let happened = ran.run.events_before(at);
    ran.verdict.records.iter().find(|record| {
        let last = record.appended.iter().rev();
        let mut known = last.filter(|append| (append.since.event.0 as usize) < happened);
        known.next().is_some_and(|append| append.offset == offset)
    })
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
    // The fields of a fetch are an offset of the follower and an HW that it is told.
    let name = match name {
        "request.fetchOffset" => "leo",
        _ => name,
    };
    // What stands just below the guess has not come so far: that record says why.
    let facts: &[Fact] = match name {
        _ if what == "consumer_end" => &[Fact::Visible, Fact::Committed],
        "lso" if leads(ran, at, broker) => &[Fact::Visible],
        "hw" if leads(ran, at, broker) => &[Fact::Committed],
        _ => &[],
    };
    let below = guess.0.checked_sub(1).filter(|_| guess > key);
    if let Some(record) = below.and_then(|below| record_at(ran, Offset(below), at)) {
        let why = lacks(ran, record, facts, at);
        if !why.is_empty() {
            return why;
        }
    }
    match name {
        "leo" => leo(ran, at, broker, guess, key),
        _ => hw(ran, at, broker, guess, key),
    }
}

fn leads(ran: &Ran, at: Instant, broker: BrokerId) -> bool {
    let state = ran.run.at(at);
    let broker = state.cluster().broker(broker);
    broker.is_some_and(|b| b.leader().is_some())
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
        // Its request is still at the leader, which has nothing for it, or not enough.
        last(ran, at, |k| {
            matches!(k, EventKind::FetchParked { by: Node::Broker(by), offset, until, .. }
                if *by == of && *offset == key && *until > at.at)
        }),
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
    if leads(ran, at, of) {
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

/// Why a record does not have a fact: what it waits for, or else all that it has.
pub fn fact(ran: &Ran, record: &RecordVerdict, fact: &str, at: Instant) -> Vec<Reason> {
    let asked = match fact {
        "acknowledged" => Fact::Acknowledged,
        "committed" => Fact::Committed,
        "visible" => Fact::Visible,
        _ => return vec![Reason::Record(record.record)],
    };
    // A record that was refused is in no log, and that is why.
    if let Some(refused) = last(
        ran,
        at,
        |k| matches!(k, EventKind::AppendRefused { send, .. } if *send == record.send),
    ) && record.appended.is_empty()
    {
        return vec![Reason::Event(refused.id)];
    }
    let why = lacks(ran, record, &[asked, Fact::Committed], at);
    if why.is_empty() {
        return vec![Reason::Record(record.record)];
    }
    why
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

/// Why the producer is not told `pick`: what that answer would have needed, and what happened instead.
pub fn answer(ran: &Ran, record: &RecordVerdict, answered: EventId, pick: &str) -> Vec<Reason> {
    let at = ran.run.after(answered);
    let of = record.send;
    let found = |fits: &dyn Fn(&EventKind) -> bool| last(ran, at, fits);
    let refused = found(&|k| matches!(k, EventKind::AppendRefused { send, .. } if *send == of));
    let completed =
        found(&|k| matches!(k, EventKind::ProduceCompleted { send, .. } if *send == of));
    let parked = found(&|k| matches!(k, EventKind::ProduceParked { send, .. } if *send == of));
    let mut appends = record
        .appended
        .iter()
        .rev()
        .map(|append| append.since.event);
    let appended = appends.find(|event| *event < answered);
    // Before the answer left, and before it came: what the record waited for then.
    let waited = completed.or(parked).map(|event| Instant {
        at: event.at,
        position: event.sequence,
    });
    let held = |fact| waited.map_or_else(Vec::new, |at| lacks(ran, record, &[fact], at));
    let mut reasons = match pick {
        // A refusal excludes an append.
        "NOT_ENOUGH_REPLICAS" => appended.map(Reason::Event).into_iter().collect(),
        // The error after an append needs an HW that has passed the record.
        "NOT_ENOUGH_REPLICAS_AFTER_APPEND" if refused.is_none() => held(Fact::Committed),
        "ok" => held(Fact::Acknowledged),
        "REQUEST_TIMED_OUT" => first_of([parked]),
        _ => Vec::new(),
    };
    reasons.extend(first_of([refused, completed, parked]));
    reasons.push(Reason::Event(answered));
    reasons.dedup();
    reasons
}

/// Why a fetch is answered as it is: the answer, and where the leader's HW stood.
pub fn reply(ran: &Ran, answered: &Event) -> Vec<Reason> {
    let at = ran.run.after(answered.id);
    let hw = [
        last(ran, at, |k| matches!(k, EventKind::HwHeld { .. })),
        last(ran, at, |k| {
            matches!(k, EventKind::HwChanged { leads: true, .. })
        }),
    ];
    let newest = hw.into_iter().flatten().max_by_key(|event| event.id);
    let mut reasons = vec![Reason::Event(answered.id)];
    reasons.extend(newest.map(|event| Reason::Event(event.id)));
    reasons
}

/// The last leader that started after a record was appended: its log is why the record is kept.
pub fn led_since(ran: &Ran, record: &RecordVerdict) -> Option<Reason> {
    let appended = record.appended.first()?.since.event;
    let end = ran.run.end();
    let led = last(ran, end, |k| matches!(k, EventKind::BecameLeader { .. }))?;
    (led.id > appended).then_some(Reason::Event(led.id))
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
        let state = ran.run.at(at);
        let down = state.cluster().broker(picked).is_some_and(|b| !b.is_up());
        // It is down, or it left the ISR before.
        reasons.extend(if down {
            first_of([last(
                ran,
                at,
                |k| matches!(k, EventKind::BrokerStopped { broker, .. } if *broker == picked),
            )])
        } else {
            first_of([last(ran, at, |k| {
                matches!(k, EventKind::PartitionChanged { before, after, .. }
                    if before.isr.contains(picked) && !after.isr.contains(picked))
            })])
        });
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
    // Where it left the ISR as the other was elected, one event says both.
    reasons.dedup();
    reasons
}

/// Where the controller's numbers come from: the leader with its epoch, and the last change of the partition.
pub fn number(ran: &Ran, at: Instant) -> Vec<Reason> {
    let leads = last(ran, at, |k| matches!(k, EventKind::BecameLeader { .. }));
    let changed = last(ran, at, |k| matches!(k, EventKind::PartitionChanged { .. }));
    let mut both: Vec<_> = leads.into_iter().chain(changed).map(|e| e.id).collect();
    // As they happened: a change of the ISR comes after the election, an election before its leader starts.
    both.sort_unstable();
    both.into_iter().map(Reason::Event).collect()
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
        // The leader knows how far it is, and when it last had everything.
        last(ran, at, |k| {
            what == "isr"
                && matches!(k, EventKind::FollowerStateUpdated { follower, .. } if *follower == of)
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
