//! The sink of the checker: it keeps messages, notes acknowledgements, and records no event.

use crate::kafka::cause::Cause;
use crate::kafka::event::EventKind;
use crate::kafka::ids::{BrokerId, EventId, MessageId, Millis};
use crate::kafka::message::{Body, Message, MetadataImage};
use crate::kafka::sink::{Sink, Timer};

/// Requests that are parked carry the record's number as theirs; those of one event begin here.
const FIRST_MESSAGE: u32 = 1_000;

/// What the transitions of one event put out.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Requests and answers that are not delivered yet, in order.
    messages: Vec<(MessageId, Message)>,
    sent: u32,
    /// Records that a broker confirmed to the producer: bit n - 1 is record n.
    pub acked: u32,
}

impl Outbox {
    /// The oldest message that is not delivered yet.
    pub fn take(&mut self) -> Option<(MessageId, Message)> {
        (!self.messages.is_empty()).then(|| self.messages.remove(0))
    }

    /// The oldest message that is not delivered yet, to look at.
    pub fn peek(&self) -> Option<&Message> {
        self.messages.first().map(|(_, message)| message)
    }
}

impl Sink for Outbox {
    fn event(&mut self, _make: impl FnOnce() -> (EventKind, Cause)) -> Option<EventId> {
        None
    }

    fn send(&mut self, message: Message) -> MessageId {
        let id = MessageId(FIRST_MESSAGE + self.sent);
        self.sent += 1;
        match &message.body {
            Body::ProduceResponse(response) => {
                if response.result.is_ok() {
                    self.acked |= bit(response.send.0);
                }
            }
            _ => self.messages.push((id, message)),
        }
        id
    }

    /// A broker learns a partition record by an event of its own.
    fn metadata(&mut self, _broker: BrokerId, _make: impl FnOnce() -> MetadataImage) {}

    fn timer(&mut self, _at: Millis, _timer: Timer) {}
}

/// The bit of record `number` (from 1) in a mask.
pub(super) fn bit(number: u32) -> u32 {
    1_u32.checked_shl(number.wrapping_sub(1)).unwrap_or(0)
}
