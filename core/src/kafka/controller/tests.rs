//! What Kafka's cases and the recordings do not ask: sessions, registrations, causes, ZooKeeper, and any input at all.

mod any_input;
mod broker_events;
mod election;
mod zookeeper;

use super::*;
use crate::kafka::cause::Cause;
use crate::kafka::message::{HeartbeatRequest, HeartbeatResponse, Message, RegistrationRequest};
use crate::kafka::rules::Version;
use crate::kafka::sink::Timer;

const ONE: BrokerId = BrokerId(1);
const TWO: BrokerId = BrokerId(2);
const THREE: BrokerId = BrokerId(3);

/// Keeps events and messages.
#[derive(Default)]
struct Record {
    events: Vec<(EventKind, Cause)>,
    messages: Vec<Message>,
}

impl Sink for Record {
    fn event(&mut self, make: impl FnOnce() -> (EventKind, Cause)) -> Option<EventId> {
        self.events.push(make());
        Some(EventId(self.events.len() as u32 - 1))
    }

    fn send(&mut self, message: Message) -> MessageId {
        self.messages.push(message);
        MessageId(self.messages.len() as u32 - 1)
    }

    fn timer(&mut self, _: Millis, _: Timer) {}
}

/// A controller with its settings and everything it has said.
struct Lab {
    settings: Settings,
    controller: Controller,
    record: Record,
    now: Millis,
}

impl Lab {
    fn of(version: Version, min_insync_replicas: u32, unclean: bool) -> Lab {
        let settings = Settings {
            min_insync_replicas,
            unclean_leader_election: unclean,
            ..Settings::default().with_version(version)
        };
        Lab {
            controller: Controller::new(&settings, None),
            settings,
            record: Record::default(),
            now: Millis(1_000),
        }
    }

    /// Kafka 4.4 with ELR, min ISR 2, unclean election off.
    fn new() -> Lab {
        Lab::of(Version::V4_2, 2, false)
    }

    /// Calls an action that takes `(rules, settings, now, …, sink)`.
    fn act<R>(
        &mut self,
        action: impl FnOnce(&mut Controller, &Rules, &Settings, Millis, &mut Record) -> R,
    ) -> R {
        let rules = &self.settings.rules;
        let (controller, record) = (&mut self.controller, &mut self.record);
        action(controller, rules, &self.settings, self.now, record)
    }

    fn fence(&mut self, broker: BrokerId) {
        let result =
            self.act(|c, rules, settings, now, s| c.fence(rules, settings, now, broker, s));
        assert_eq!(result, Ok(()));
    }

    fn ask(&mut self, from: BrokerId, body: Body) -> Body {
        let before = self.record.messages.len();
        self.act(|c, rules, settings, now, sink| {
            c.handle(rules, settings, now, MessageId(7), from, &body, sink);
        });
        let answer = self.record.messages[before..]
            .iter()
            .find(|m| m.reply_to == Some(MessageId(7)) && m.to == Node::Broker(from));
        answer.expect("an answer").body.clone()
    }

    fn register(
        &mut self,
        broker: BrokerId,
        incarnation: u32,
        previous: Option<BrokerEpoch>,
    ) -> Result<BrokerEpoch, super::super::error::KafkaError> {
        let request = RegistrationRequest {
            broker,
            incarnation,
            previous_broker_epoch: previous,
        };
        match self.ask(broker, Body::RegistrationRequest(request)) {
            Body::RegistrationResponse(answer) => answer.result,
            other => panic!("{other:?}"),
        }
    }

    fn heartbeat(
        &mut self,
        broker: BrokerId,
        offset: MetadataOffset,
        want_shut_down: bool,
    ) -> HeartbeatResponse {
        let request = HeartbeatRequest {
            broker,
            broker_epoch: self.controller.brokers[&broker].epoch,
            metadata_offset: offset,
            want_fence: false,
            want_shut_down,
        };
        match self.ask(broker, Body::HeartbeatRequest(request)) {
            Body::HeartbeatResponse(answer) => answer,
            other => panic!("{other:?}"),
        }
    }

    /// Ends a broker's fence: its next heartbeat has caught up.
    fn bring_back(&mut self, broker: BrokerId) {
        self.controller.unfence(broker).expect("registered");
        let offset = self.controller.offset;
        assert!(!self.heartbeat(broker, offset, false).is_fenced);
    }

    fn isr(&self) -> String {
        self.controller.partition.isr.to_string()
    }

    fn elr(&self) -> String {
        self.controller.partition.elr.to_string()
    }

    fn leader(&self) -> Option<BrokerId> {
        self.controller.partition.leader
    }

    /// Metadata images that were sent to a broker.
    fn images(&self, broker: BrokerId) -> Vec<&MetadataImage> {
        let to_it = self.record.messages.iter();
        to_it
            .filter(|m| m.to == Node::Broker(broker))
            .filter_map(|m| match &m.body {
                Body::Metadata(image) => Some(&**image),
                _ => None,
            })
            .collect()
    }
}
