//! What transitions push their outputs into: messages, timers and events. The simulator records them all; the checker
//! passes a sink that keeps only messages and timers, and then events cost nothing.

use super::cause::Cause;
use super::event::EventKind;
use super::ids::{BrokerId, EventId, MessageId, Millis, SendId};
use super::message::{Body, Message, MetadataImage, Node};

/// A timer that a transition asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// A parked produce request times out.
    ProduceExpires {
        /// The leader.
        broker: BrokerId,
        /// The request.
        request: MessageId,
    },
    /// A parked fetch is answered with what there is.
    FetchExpires {
        /// The broker that was asked.
        broker: BrokerId,
        /// The request.
        request: MessageId,
    },
    /// `isr-expiration` runs on a broker.
    IsrTick {
        /// The broker.
        broker: BrokerId,
        /// The process start it belongs to.
        incarnation: u32,
    },
    /// A follower asks (again).
    FollowerFetch {
        /// The follower.
        broker: BrokerId,
        /// The fetcher's generation: a timer of an older one is ignored.
        generation: u32,
    },
    /// A broker sends a heartbeat.
    Heartbeat {
        /// The broker.
        broker: BrokerId,
        /// The process start it belongs to.
        incarnation: u32,
    },
    /// A broker tries to register (again).
    Register {
        /// The broker.
        broker: BrokerId,
        /// The process start it belongs to.
        incarnation: u32,
    },
    /// A broker sends its AlterPartition (again).
    AlterPartition {
        /// The broker.
        broker: BrokerId,
        /// The process start it belongs to.
        incarnation: u32,
    },
    /// The controller looks for expired sessions.
    SessionCheck,
    /// The controller looks for unclean elections.
    UncleanElection,
    /// The controller looks for preferred leaders.
    LeaderRebalance,
    /// The producer sends a batch again.
    ProducerRetry {
        /// The call.
        send: SendId,
        /// The attempt to come.
        attempt: u32,
    },
    /// The producer hears nothing for request.timeout.ms.
    ProducerRequestTimeout {
        /// The call.
        send: SendId,
        /// The attempt.
        attempt: u32,
    },
    /// delivery.timeout.ms is over.
    ProducerDeliveryTimeout {
        /// The call.
        send: SendId,
    },
    /// The consumer asks (again).
    ConsumerFetch {
        /// A timer of an older generation is ignored.
        generation: u32,
    },
}

/// Where outputs go.
pub trait Sink {
    /// Whether events are recorded at all.
    fn records_events(&self) -> bool {
        false
    }

    /// Records an event; `make` is not called by a sink that records none.
    /// Returns its id, or `None` when nothing is recorded.
    fn event(&mut self, make: impl FnOnce() -> (EventKind, Cause)) -> Option<EventId>;

    /// Sends a message; it gets its id here.
    fn send(&mut self, message: Message) -> MessageId;

    /// Asks for a timer at an instant (not before the present).
    fn timer(&mut self, at: Millis, timer: Timer);

    /// Sends `body` from `from` to `to` as a new request.
    fn request(&mut self, from: Node, to: Node, body: Body) -> MessageId {
        self.send(Message {
            from,
            to,
            reply_to: None,
            body,
        })
    }

    /// Publishes metadata to a broker; `make` is not called by a sink that brings it there in another way.
    fn metadata(&mut self, broker: BrokerId, make: impl FnOnce() -> MetadataImage) {
        let body = Body::Metadata(Box::new(make()));
        self.request(Node::Controller, Node::Broker(broker), body);
    }

    /// Sends `body` as the answer to `request`.
    fn reply(&mut self, from: Node, to: Node, request: MessageId, body: Body) -> MessageId {
        self.send(Message {
            from,
            to,
            reply_to: Some(request),
            body,
        })
    }
}
