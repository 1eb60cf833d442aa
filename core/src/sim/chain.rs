//! The chain of a verdict: the shortest list of moments that proves it, in order.

use super::judge::is_refusal;
use super::run::Run;
use super::verdict::{RecordVerdict, Unavailable};
use crate::kafka::event::{Event, EventKind, Outcome, Stop};
use crate::kafka::ids::EventId;
use crate::kafka::map::Set;

/// The most moments of a chain.
const LONGEST: usize = 9;

/// The moments that prove the headline: of a lost acknowledged record, else of a lost one, else of what makes the
/// partition unavailable, else of a refusal. Empty when everything went well.
pub fn chain(
    run: &Run,
    records: &[RecordVerdict],
    unavailable: Option<&Unavailable>,
) -> Vec<EventId> {
    let lost = records
        .iter()
        .find(|r| r.lost.is_some() && r.acknowledged.is_some())
        .or_else(|| records.iter().find(|r| r.lost.is_some()));
    let mut chain: Set<EventId> = Set::new();
    if let Some(record) = lost {
        loss(run, record, &mut chain);
    } else if unavailable.is_some() {
        unavailability(run, &mut chain);
    } else if let Some(record) = records
        .iter()
        .find(|r| r.refused.is_some_and(|(error, _)| is_refusal(error)))
    {
        refusal(run, record, &mut chain);
    } else if let Some(record) = records.iter().find(|r| r.duplicated) {
        chain.extend(record.appended.iter().map(|append| append.since.event));
    }
    chain.into_iter().take(LONGEST).collect()
}

/// From the promise to the loss: who had the record, what failed, who was elected, when the last copies went.
fn loss(run: &Run, record: &RecordVerdict, chain: &mut Set<EventId>) {
    let Some(lost) = record.lost else { return };
    let first_append = record
        .appended
        .first()
        .map_or(record.sent.event, |append| append.since.event);
    if let Some(promise) = record.acknowledged.or(record.visible) {
        chain.insert(completed(run, record, promise.event));
    }
    let between = |event: &&Event| event.id > first_append && event.id <= lost.event;
    if let Some(held) = run
        .events
        .iter()
        .filter(between)
        .find(|e| matches!(e.kind, EventKind::HwHeld { .. }))
    {
        chain.insert(held.id);
    }
    for event in run.events.iter().filter(between) {
        if is_fault(&event.kind) {
            chain.insert(event.id);
        }
    }
    if let Some(election) = run
        .events
        .iter()
        .filter(between)
        .rfind(|e| moves_leader(&e.kind))
    {
        chain.insert(election.id);
    }
    chain.insert(lost.event);
    let offset = record.appended.first().map(|append| append.offset);
    let cut = run.events.iter().filter(|e| e.id > first_append).rfind(|e| {
        matches!(e.kind, EventKind::Truncated { from, to, .. } if offset.is_some_and(|o| to <= o && o < from))
    });
    chain.extend(cut.map(|e| e.id));
}

/// The broker's answer that became the promise, when the run has it.
fn completed(run: &Run, record: &RecordVerdict, promise: EventId) -> EventId {
    let answer = run.events.iter().find(|e| {
        e.id <= promise && matches!(e.kind, EventKind::ProduceCompleted { send, result: Ok(_), .. } if send == record.send)
    });
    answer.map_or(promise, |event| event.id)
}

fn unavailability(run: &Run, chain: &mut Set<EventId>) {
    let last_leader = run.events.iter().rfind(|e| moves_leader(&e.kind));
    for event in &run.events {
        let matters = is_fault(&event.kind)
            || shrinks(&event.kind)
            || matches!(event.kind, EventKind::BrokerFenced { .. });
        if matters {
            chain.insert(event.id);
        }
    }
    chain.extend(last_leader.map(|e| e.id));
    keep_last(chain);
}

fn refusal(run: &Run, record: &RecordVerdict, chain: &mut Set<EventId>) {
    let Some((_, refused)) = record.refused else {
        return;
    };
    for event in run.events.iter().filter(|e| e.id <= refused.event) {
        if is_fault(&event.kind) || shrinks(&event.kind) {
            chain.insert(event.id);
        }
    }
    let answer = run.events.iter().rfind(|e| {
        e.id <= refused.event
            && matches!(e.kind, EventKind::AppendRefused { send, .. } | EventKind::ProduceCompleted { send, .. } if send == record.send)
    });
    chain.insert(answer.map_or(refused.event, |e| e.id));
    keep_last(chain);
}

/// Of a long history the end matters.
fn keep_last(chain: &mut Set<EventId>) {
    while chain.len() > LONGEST {
        chain.pop_first();
    }
}

fn is_fault(kind: &EventKind) -> bool {
    match kind {
        EventKind::BrokerStopped { how, .. } => *how != Stop::Clean,
        EventKind::BrokerFenced {
            session_expired, ..
        } => *session_expired,
        EventKind::BrokerExited { .. } => true,
        EventKind::ProduceAnswered { outcome, .. } => *outcome == Outcome::ResponseLost,
        _ => false,
    }
}

fn shrinks(kind: &EventKind) -> bool {
    matches!(kind, EventKind::PartitionChanged { before, after, .. } if after.isr.len() < before.isr.len())
}

fn moves_leader(kind: &EventKind) -> bool {
    matches!(kind, EventKind::PartitionChanged { before, after, .. } if before.leader != after.leader)
}
