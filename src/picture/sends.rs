//! Produce calls over time: attempts, their outcomes, and where the records were appended.

use highwater_core::kafka::map::Map;

use highwater_core::kafka::event::{Event, EventKind, Outcome};
use highwater_core::kafka::ids::{BrokerId, EventId, Millis, Offset, SendId};
use highwater_core::kafka::settings::Acks;

/// What the producer was told of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When.
    pub at: Millis,
    /// The event.
    pub event: EventId,
    /// What.
    pub outcome: Outcome,
}

/// One attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// When it left, or when the producer found that it could not send.
    pub sent: Millis,
    /// The event of its leaving.
    pub event: EventId,
    /// What the producer was told, if it was told anything.
    pub answer: Option<Answer>,
}

/// An append at a leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Append {
    /// When.
    pub at: Millis,
    /// The event.
    pub event: EventId,
    /// The leader.
    pub broker: BrokerId,
    /// The first offset.
    pub base: Offset,
}

/// One produce call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    /// The call.
    pub id: SendId,
    /// The number of its first record.
    pub first: u64,
    /// How many records it has.
    pub count: u64,
    /// Its acks.
    pub acks: Acks,
    /// When the producer was given it.
    pub called: Millis,
    /// The event.
    pub event: EventId,
    /// Its attempts in order.
    pub attempts: Vec<Attempt>,
    /// Where its records were appended at a leader.
    pub appends: Vec<Append>,
    /// When the producer gave up.
    pub timed_out: Option<(Millis, EventId)>,
}

impl Send {
    /// The number of its last record.
    pub fn last(&self) -> u64 {
        self.first.saturating_add(self.count.saturating_sub(1))
    }

    /// Where its records are: the first append.
    pub fn base(&self) -> Option<Offset> {
        self.appends.first().map(|a| a.base)
    }

    /// The instant of its last mark in the producer's panel.
    pub fn last_mark(&self, end: Millis) -> Millis {
        let answered = self.attempts.last().map_or(self.called, |a| {
            a.answer.map_or(
                if self.acks == Acks::None { a.sent } else { end },
                |answer| answer.at,
            )
        });
        self.timed_out.map_or(answered, |(at, _)| at.max(answered))
    }
}

/// Collects produce calls from events.
#[derive(Debug, Default)]
pub struct Sends {
    list: Vec<Send>,
    places: Map<SendId, usize>,
}

impl Sends {
    /// Takes an event in, if it is about a produce call.
    pub fn take(&mut self, event: &Event) {
        if let EventKind::ProduceCalled {
            send,
            first_record,
            count,
            acks,
        } = &event.kind
        {
            self.places.insert(*send, self.list.len());
            self.list.push(Send {
                id: *send,
                first: *first_record,
                count: *count,
                acks: *acks,
                called: event.at,
                event: event.id,
                attempts: Vec::new(),
                appends: Vec::new(),
                timed_out: None,
            });
            return;
        }
        let id = match &event.kind {
            EventKind::ProduceSent { send, .. }
            | EventKind::ProduceAnswered { send, .. }
            | EventKind::DeliveryTimedOut { send }
            | EventKind::Appended {
                send: Some(send), ..
            } => *send,
            _ => return,
        };
        let Some(send) = self.places.get(&id).and_then(|p| self.list.get_mut(*p)) else {
            return;
        };
        match &event.kind {
            EventKind::ProduceSent { attempt, .. } => send.attempts.push(Attempt {
                number: *attempt,
                sent: event.at,
                event: event.id,
                answer: None,
            }),
            EventKind::ProduceAnswered {
                attempt, outcome, ..
            } => answer(send, *attempt, *outcome, event),
            EventKind::DeliveryTimedOut { .. } => send.timed_out = Some((event.at, event.id)),
            EventKind::Appended { broker, batch, .. } => send.appends.push(Append {
                at: event.at,
                event: event.id,
                broker: *broker,
                base: batch.base,
            }),
            _ => {}
        }
    }

    /// The calls in the order in which they were made.
    pub fn finish(self) -> Vec<Send> {
        self.list
    }
}

fn answer(send: &mut Send, number: u32, outcome: Outcome, event: &Event) {
    let answer = Some(Answer {
        at: event.at,
        event: event.id,
        outcome,
    });
    match send.attempts.iter_mut().rev().find(|a| a.number == number) {
        Some(attempt) => attempt.answer = answer,
        // Nothing was sent, because there was nobody to send to.
        None => send.attempts.push(Attempt {
            number,
            sent: event.at,
            event: event.id,
            answer,
        }),
    }
}
