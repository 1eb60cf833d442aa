//! What is counted event by event.

use crate::kafka::cause::Rule;
use crate::kafka::event::{Election, Event, EventKind, IsrChange};
use crate::kafka::ids::{BrokerId, MessageId};
use crate::kafka::map::Map;
use crate::kafka::message::{Body, Node};
use crate::sim::MessageRecord;

/// The counts of a run so far.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Elections that set RECOVERING (`TopicDelta`: the last known leader's too).
    pub unclean: u64,
    /// Elections from the ELR.
    pub from_elr: u64,
    /// AlterPartition requests that reached the controller.
    pub alter_partition: u64,
    brokers: Map<BrokerId, OfBroker>,
}

/// The counts of a broker's process.
#[derive(Clone, Debug, Default)]
pub struct OfBroker {
    /// Shrinks that the controller agreed to.
    pub shrinks: u64,
    /// Expansions that it agreed to.
    pub expands: u64,
    /// Proposals that it refused.
    pub failed_updates: u64,
    /// Produce requests that ran out of time.
    pub produce_expired: u64,
    /// Followers' fetches that ran out of time.
    pub follower_fetch_expired: u64,
    /// Consumers' fetches that ran out of time.
    pub consumer_fetch_expired: u64,
    /// As a follower: from whom it fetched last, and how many records below that answer's HW it stays.
    pub lag: Option<(BrokerId, u64)>,
    proposed: Option<IsrChange>,
}

impl Counts {
    /// Counts what these events tell.
    pub fn of(events: &[Event], messages: &[MessageRecord]) -> Counts {
        let mut counts = Counts::default();
        for event in events {
            counts.take(event, messages);
        }
        counts
    }

    /// The counts of a broker since its process started.
    pub fn of_broker(&self, broker: BrokerId) -> OfBroker {
        self.brokers.get(&broker).cloned().unwrap_or_default()
    }

    fn take(&mut self, event: &Event, messages: &[MessageRecord]) {
        match &event.kind {
            EventKind::PartitionChanged {
                before,
                after,
                election,
                ..
            } => {
                let recovering = after.recovery.name() == "RECOVERING";
                self.unclean += u64::from(recovering && before.leader_epoch != after.leader_epoch);
                self.from_elr += u64::from(*election == Election::FromElr);
            }
            EventKind::MessageArrived { message } => self.arrived(*message, messages),
            // A new process counts from zero.
            EventKind::BrokerStarted { broker, .. } => {
                self.brokers.insert(*broker, OfBroker::default());
            }
            EventKind::IsrProposed { leader, change, .. } => {
                self.at(*leader).proposed = Some(*change);
            }
            EventKind::IsrAnswered { leader, result } => {
                let counted = self.at(*leader);
                match (result, counted.proposed) {
                    (Ok(_), Some(IsrChange::Shrink)) => counted.shrinks += 1,
                    (Ok(_), _) => counted.expands += 1,
                    (Err(_), _) => counted.failed_updates += 1,
                }
            }
            EventKind::ProduceCompleted {
                broker,
                timed_out: true,
                ..
            } => self.at(*broker).produce_expired += 1,
            EventKind::FetchServed { broker, by, .. }
                if event.cause.rule == Rule::DelayedFetchExpired =>
            {
                match by {
                    Node::Broker(_) => self.at(*broker).follower_fetch_expired += 1,
                    _ => self.at(*broker).consumer_fetch_expired += 1,
                }
            }
            EventKind::BecameLeader { broker, .. } => self.at(*broker).lag = None,
            _ => {}
        }
    }

    fn arrived(&mut self, message: MessageId, messages: &[MessageRecord]) {
        let Some(record) = messages.get(message.0 as usize) else {
            return;
        };
        match (&record.message.body, record.message.from, record.message.to) {
            (Body::AlterPartitionRequest(_), ..) => self.alter_partition += 1,
            (Body::FetchResponse(answer), Node::Broker(leader), Node::Broker(broker))
                if answer.error.is_none() =>
            {
                let records: u64 = answer.batches.iter().map(|batch| batch.count).sum();
                let next = answer.fetch_offset.plus(records);
                self.at(broker).lag = Some((leader, answer.high_watermark.since(next)));
            }
            _ => {}
        }
    }

    fn at(&mut self, broker: BrokerId) -> &mut OfBroker {
        self.brokers.entry(broker).or_default()
    }
}
