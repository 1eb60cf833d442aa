//! Keeps everything that a transition puts out: messages with their numbers, events, timers.

use highwater_core::kafka::cause::Cause;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{EventId, MessageId, Millis};
use highwater_core::kafka::message::Message;
use highwater_core::kafka::sink::{Sink, Timer};

/// What was put out since it was last emptied; the numbers go on.
#[derive(Default)]
pub struct Outbox {
    /// Messages.
    pub messages: Vec<(MessageId, Message)>,
    /// Events.
    pub events: Vec<EventKind>,
    /// Timers that are not due yet, in the order in which they were asked for.
    pub timers: Vec<(Millis, Timer)>,
    next: u32,
}

impl Outbox {
    /// A number for a request that the runner makes itself.
    pub fn number(&mut self) -> MessageId {
        self.next += 1;
        MessageId(self.next)
    }

    /// Forgets messages and events.
    pub fn clear(&mut self) {
        self.messages.clear();
        self.events.clear();
    }

    /// The timer that is due first, up to an instant.
    pub fn due(&mut self, until: Millis) -> Option<(Millis, Timer)> {
        let timers = self.timers.iter().enumerate();
        let first = timers.min_by_key(|(place, (at, _))| (*at, *place))?;
        let place = first.0;
        (self.timers[place].0 <= until).then(|| self.timers.remove(place))
    }
}

impl Sink for Outbox {
    fn records_events(&self) -> bool {
        true
    }

    fn event(&mut self, make: impl FnOnce() -> (EventKind, Cause)) -> Option<EventId> {
        self.events.push(make().0);
        None
    }

    fn send(&mut self, message: Message) -> MessageId {
        let id = self.number();
        self.messages.push((id, message));
        id
    }

    fn timer(&mut self, at: Millis, timer: Timer) {
        self.timers.push((at, timer));
    }
}
