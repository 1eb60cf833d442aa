//! What a run leaves behind: events with causes, and messages with their fates.

use super::network::Waiting;
use super::run::{MessageRecord, StepRecord};
use crate::kafka::cause::{Cause, Quantity, Rule};
use crate::kafka::event::{Event, EventKind, Loss};
use crate::kafka::ids::{EventId, MessageId, Millis};
use crate::kafka::map::Map;
use crate::kafka::message::{Body, Message};
use crate::kafka::sink::Timer;
use crate::scenario::value::StepOutcome;
use std::sync::Arc;

/// Records a run, or (when a run is replayed to an instant) only counts its events.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The events so far; empty when it only counts.
    pub events: Vec<Event>,
    /// The messages so far; empty when it only counts.
    pub messages: Vec<MessageRecord>,
    /// What came of each step so far; empty when it only counts.
    pub steps: Vec<StepRecord>,
    set_by: Map<Quantity, EventId>,
    counts_only: bool,
    event_count: u32,
    message_count: u32,
    now: Millis,
    sequence: u32,
    /// What the events of this input follow from.
    trigger: Option<EventId>,
    /// When something other than idle polling happened last.
    pub last_significant: Millis,
    /// Empty lists with room in them, for the outputs of the next input.
    lists: Lists,
}

/// The messages and timers that one input puts out.
pub type Lists = (Vec<Waiting>, Vec<(Millis, Timer, Option<EventId>)>);

impl Recorder {
    /// One that counts from where `events` and `messages` stand.
    pub fn counting(&self) -> Recorder {
        Recorder {
            counts_only: true,
            event_count: self.event_count,
            message_count: self.message_count,
            now: self.now,
            sequence: self.sequence,
            last_significant: self.last_significant,
            ..Recorder::default()
        }
    }

    /// Empty lists for the outputs of an input; give them back with [`Recorder::keep_lists`].
    pub fn take_lists(&mut self) -> Lists {
        std::mem::take(&mut self.lists)
    }

    /// Keeps the room of lists that were emptied.
    pub fn keep_lists(
        &mut self,
        sends: Vec<Waiting>,
        timers: Vec<(Millis, Timer, Option<EventId>)>,
    ) {
        self.lists = (sends, timers);
    }

    /// How many events there were so far.
    pub fn event_count(&self) -> u32 {
        self.event_count
    }

    /// An input begins at `now`, following from `trigger`.
    pub fn begin(&mut self, now: Millis, trigger: Option<EventId>) {
        if now != self.now {
            self.now = now;
            self.sequence = 0;
        }
        self.trigger = trigger;
    }

    /// The event that what is recorded now follows from.
    pub fn trigger(&self) -> Option<EventId> {
        self.trigger
    }

    /// Records an event.
    pub fn event(&mut self, make: impl FnOnce() -> (EventKind, Cause)) -> EventId {
        let (kind, cause) = make();
        let idle = self.is_idle(&kind);
        self.push(kind, cause, idle)
    }

    fn push(&mut self, kind: EventKind, mut cause: Cause, idle: bool) -> EventId {
        let id = EventId(self.event_count);
        self.event_count += 1;
        if !idle {
            self.last_significant = self.now;
        }
        let about_messages = is_about_message(&kind);
        if !self.counts_only {
            if cause.trigger.is_none() {
                cause.trigger = self.trigger;
            }
            for number in &mut cause.numbers {
                number.set_by = self.set_by.get(&number.quantity).copied();
            }
            for quantity in kind.sets() {
                self.set_by.insert(quantity, id);
            }
            self.events.push(Event {
                id,
                at: self.now,
                sequence: self.sequence,
                kind,
                cause,
                idle,
            });
        }
        self.sequence += 1;
        if !idle && !about_messages {
            self.trigger = Some(id);
        }
        id
    }

    /// Whether an event belongs to idle polling and heartbeats.
    fn is_idle(&self, kind: &EventKind) -> bool {
        match kind {
            EventKind::MessageSent { .. } | EventKind::MessageArrived { .. } => true,
            EventKind::FetchParked { .. }
            | EventKind::MetadataApplied { .. }
            | EventKind::FetchBackedOff { .. } => true,
            EventKind::MessageIgnored { .. }
            | EventKind::MessageHeld { .. }
            | EventKind::MessageLost { .. } => true,
            EventKind::FetchServed {
                offset,
                end,
                error,
                diverging,
                ..
            } => end == offset && error.is_none() && !diverging,
            _ => false,
        }
    }

    /// A message leaves.
    pub fn sent(&mut self, message: &Arc<Message>) -> MessageId {
        let id = MessageId(self.message_count);
        self.message_count += 1;
        let idle = message_is_idle(&message.body);
        let event = self.push(
            EventKind::MessageSent { message: id },
            Cause::of(Rule::Link),
            idle,
        );
        if !self.counts_only {
            self.messages.push(MessageRecord {
                id,
                message: Arc::clone(message),
                sent_at: self.now,
                sent_event: event,
                arrived_at: None,
                end_event: None,
            });
        }
        id
    }

    /// A message arrives: it becomes what the events to come follow from.
    pub fn arrived(&mut self, id: MessageId, message: &Message) {
        let idle = message_is_idle(&message.body);
        self.trigger = self.messages.get(id.0 as usize).map(|m| m.sent_event);
        let event = self.push(
            EventKind::MessageArrived { message: id },
            Cause::of(Rule::Link),
            idle,
        );
        if let Some(record) = self.messages.get_mut(id.0 as usize) {
            record.arrived_at = Some(self.now);
            record.end_event = Some(event);
        }
        self.trigger = Some(event);
    }

    /// A message does not arrive.
    pub fn lost(&mut self, id: MessageId, message: &Message, why: Loss) -> EventId {
        let idle = message_is_idle(&message.body) && why != Loss::Dropped;
        let event = self.push(
            EventKind::MessageLost { message: id, why },
            Cause::of(Rule::LinkBroken),
            idle,
        );
        if let Some(record) = self.messages.get_mut(id.0 as usize) {
            record.end_event = Some(event);
        }
        event
    }

    /// A step of the script begins.
    pub fn step_began(&mut self, step: usize, at: Millis, event: EventId) {
        if self.counts_only {
            return;
        }
        self.steps.truncate(step);
        self.steps.push(StepRecord {
            began: Some(at),
            done: None,
            event: Some(event),
            outcome: StepOutcome::Done,
        });
    }

    /// A step is done.
    pub fn step_done(&mut self, step: usize, at: Millis, outcome: StepOutcome) {
        if let Some(record) = self.steps.get_mut(step) {
            record.done = Some(at);
            record.outcome = outcome;
        }
    }

    /// A message is held back.
    pub fn held(&mut self, id: MessageId) {
        self.push(
            EventKind::MessageHeld { message: id },
            Cause::of(Rule::Script),
            true,
        );
    }
}

fn is_about_message(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::MessageSent { .. }
            | EventKind::MessageArrived { .. }
            | EventKind::MessageLost { .. }
            | EventKind::MessageHeld { .. }
    )
}

/// Whether a message belongs to idle polling and heartbeats.
pub fn message_is_idle(body: &Body) -> bool {
    match body {
        Body::FetchRequest(_)
        | Body::HeartbeatRequest(_)
        | Body::HeartbeatResponse(_)
        | Body::Metadata(_) => true,
        Body::FetchResponse(response) => {
            response.batches.is_empty() && response.error.is_none() && response.diverging.is_none()
        }
        // Sent again and again while the other side cannot be reached; what they are for is an event of its own.
        Body::AlterPartitionRequest(_)
        | Body::RegistrationRequest(_)
        | Body::OffsetsForLeaderEpochRequest(_)
        | Body::ListOffsetsRequest(_)
        | Body::Disconnected => true,
        _ => false,
    }
}
