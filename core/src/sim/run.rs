//! A run: its events, messages and steps, and the state at any instant.

use crate::kafka::event::Event;
use crate::kafka::ids::{EventId, MessageId, Millis};
use crate::kafka::message::Message;
use crate::scenario::value::{Scenario, StepOutcome};

/// A point of a run: a millisecond, and a position among the events of that millisecond.
/// `position` counts the events that have happened: 0 = before the first of that millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// Since the start of the run.
    pub at: Millis,
    /// Events of that millisecond that have happened already.
    pub position: u32,
}

/// A message with its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageRecord {
    /// Its number.
    pub id: MessageId,
    /// What was sent.
    pub message: Message,
    /// When it left.
    pub sent_at: Millis,
    /// The event of its leaving.
    pub sent_event: EventId,
    /// When it arrived, if it did.
    pub arrived_at: Option<Millis>,
    /// The event of its arrival, its loss, or none while it is on its way or held.
    pub end_event: Option<EventId>,
}

/// When a step was carried out and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRecord {
    /// When it began; none = the run ended before.
    pub began: Option<Millis>,
    /// When it was done (a wait that ended, the last fetch round).
    pub done: Option<Millis>,
    /// The event of its beginning.
    pub event: Option<EventId>,
    /// What came of it.
    pub outcome: StepOutcome,
}

/// A run of a scenario: everything that happened, in order.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was run.
    pub scenario: Scenario,
    /// All events; `events[i].id == i`, ascending by (at, sequence).
    pub events: Vec<Event>,
    /// All messages, by id.
    pub messages: Vec<MessageRecord>,
    /// One for each step of the scenario.
    pub steps: Vec<StepRecord>,
    /// The end of the run: after it only idle polling and heartbeats would follow.
    pub end: Millis,
}
