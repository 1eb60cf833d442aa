//! What is to come: an ordered agenda of arrivals and timers. Equal times are ordered by kind, then receiver, then
//! sequence, so that adding something elsewhere does not reorder them.

use crate::kafka::ids::{EventId, MessageId, Millis};
use crate::kafka::message::{Message, Node};
use crate::kafka::sink::Timer;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Something that is to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// A message arrives.
    Arrival {
        /// Its number.
        id: MessageId,
        /// The message.
        message: Arc<Message>,
    },
    /// A requester learns that its connection broke.
    Broken {
        /// Its request.
        request: MessageId,
        /// Whom it had asked.
        asked: Node,
        /// Who learns it.
        requester: Node,
        /// Whether an answer had been sent.
        response_lost: bool,
    },
    /// A timer.
    Timer {
        /// Which.
        timer: Timer,
        /// The event that asked for it, when it is not a recurring one.
        set_by: Option<EventId>,
    },
}

/// Time, then kind, then receiver, then sequence.
type Key = (Millis, u8, Node, u64);

/// An entry; the heap gives the one with the least key first.
#[derive(Clone, Debug)]
struct Entry {
    key: Reverse<Key>,
    due: Due,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.key == other.key
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

/// The agenda.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    entries: BinaryHeap<Entry>,
    sequence: u64,
}

impl Agenda {
    /// Puts something on the agenda.
    pub fn add(&mut self, at: Millis, due: Due) {
        let (kind, receiver) = match &due {
            Due::Arrival { message, .. } => (0, message.to),
            Due::Broken { requester, .. } => (1, *requester),
            Due::Timer { timer, .. } => (2, timer_owner(*timer)),
        };
        let key = Reverse((at, kind, receiver, self.sequence));
        self.entries.push(Entry { key, due });
        self.sequence += 1;
    }

    /// When the next thing is due.
    pub fn next_at(&self) -> Option<Millis> {
        self.entries.peek().map(|entry| entry.key.0.0)
    }

    /// Takes a message that has not arrived yet off the agenda.
    pub fn withdraw(&mut self, message: MessageId) -> Option<Arc<Message>> {
        let is_it = |due: &Due| matches!(due, Due::Arrival { id, .. } if *id == message);
        let found = self.entries.iter().find_map(|entry| match &entry.due {
            Due::Arrival { id, message: body } if *id == message => Some(Arc::clone(body)),
            _ => None,
        })?;
        self.entries.retain(|entry| !is_it(&entry.due));
        Some(found)
    }

    /// Takes the next thing.
    pub fn take(&mut self) -> Option<(Millis, Due)> {
        self.entries.pop().map(|entry| (entry.key.0.0, entry.due))
    }
}

/// Whose timer it is.
fn timer_owner(timer: Timer) -> Node {
    match timer {
        Timer::ProduceExpires { broker, .. }
        | Timer::FetchExpires { broker, .. }
        | Timer::IsrTick { broker, .. }
        | Timer::FollowerFetch { broker, .. }
        | Timer::Heartbeat { broker, .. }
        | Timer::Register { broker, .. }
        | Timer::AlterPartition { broker, .. } => Node::Broker(broker),
        Timer::SessionCheck | Timer::UncleanElection | Timer::LeaderRebalance => Node::Controller,
        Timer::ProducerRetry { .. }
        | Timer::ProducerRequestTimeout { .. }
        | Timer::ProducerDeliveryTimeout { .. } => Node::Producer,
        Timer::ConsumerFetch { .. } => Node::Consumer,
    }
}

/// Whether a timer comes again and again by itself: then nothing in particular asked for it.
pub fn is_recurring(timer: Timer) -> bool {
    matches!(
        timer,
        Timer::IsrTick { .. }
            | Timer::Heartbeat { .. }
            | Timer::SessionCheck
            | Timer::UncleanElection
            | Timer::LeaderRebalance
    )
}
