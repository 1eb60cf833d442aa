//! The consumer: its position, its fetch loop, and what it does with empty answers and errors.

use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::EventKind;
use super::ids::{BrokerId, MessageId, Millis, Offset};
use super::message::{Body, FetchRequest, FetchResponse, Node};
use super::producer::LeaderLookup;
use super::record::{Batch, Payload};
use super::settings::Isolation;
use super::sink::{Sink, Timer};

/// The consumer's `metadata.max.age.ms`: so long it stays with the replica that it was sent to.
const METADATA_MAX_AGE: Millis = Millis(300_000);

/// The consumer's `reconnect.backoff.max.ms`.
const RECONNECT_BACKOFF_MAX: Millis = Millis(1_000);

/// A consumer of the partition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Consumer {
    /// The next offset it asks for.
    pub position: Offset,
    /// The broker it asks, while it has one.
    pub asks: Option<BrokerId>,
    /// The replica that the leader sent it to, and until when it goes there.
    pub preferred: Option<(BrokerId, Millis)>,
    /// A replica lacked the offset: the next request goes to the leader, whoever is preferred.
    pub asks_leader: bool,
    /// The request on its way.
    pub in_flight: Option<MessageId>,
    /// A timer of an older generation has no effect.
    pub generation: u32,
}

impl Consumer {
    /// Asks for what follows its position, or waits for a broker that it can ask.
    pub fn poll<S: Sink>(
        &mut self,
        context: &Context<'_>,
        lookup: LeaderLookup,
        is_up: impl Fn(BrokerId) -> bool,
        sink: &mut S,
    ) {
        if self.in_flight.is_some() {
            return;
        }
        let settings = context.settings;
        if self.asks.is_none() || !lookup.cached_up {
            self.asks = lookup.leader.filter(|_| lookup.leader_up);
        }
        match self.preferred {
            Some((_, until)) if context.now >= until => self.preferred = None,
            Some((broker, _)) if !is_up(broker) => {
                // It cannot be reached: the leader is asked, but who is sent there again tries only so often.
                self.preferred = None;
                return self.poll_at(context.now.plus(RECONNECT_BACKOFF_MAX), sink);
            }
            _ => {}
        }
        let follower = settings
            .consumer_reads_from
            .filter(|broker| is_up(*broker))
            .or(self.preferred.map(|(broker, _)| broker))
            .filter(|_| !self.asks_leader);
        let Some(broker) = follower.or(self.asks) else {
            return self.poll_later(context, sink);
        };
        self.asks_leader = false;
        let epoch =
            (context.rules().epoch_fencing && self.asks == lookup.leader).then_some(lookup.epoch);
        let fetch = FetchRequest {
            replica: None,
            broker_epoch: None,
            max_wait: settings.consumer_fetch_wait_max,
            min_bytes: settings.consumer_fetch_min_bytes,
            max_bytes: 1 << 20,
            isolation: settings.isolation,
            current_leader_epoch: epoch,
            fetch_offset: self.position,
            last_fetched_epoch: None,
            log_start: Offset(0),
            client_metadata: follower.is_some() || !settings.client_rack.is_empty(),
        };
        self.in_flight = Some(sink.request(
            Node::Consumer,
            Node::Broker(broker),
            Body::FetchRequest(fetch),
        ));
    }

    fn poll_later<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        let backoff = context.settings.retry_backoff.max(Millis(1));
        self.poll_at(context.now.plus(backoff), sink);
    }

    fn poll_at<S: Sink>(&mut self, at: Millis, sink: &mut S) {
        self.generation = self.generation.wrapping_add(1);
        sink.timer(
            at,
            Timer::ConsumerFetch {
                generation: self.generation,
            },
        );
    }

    /// A fetch was answered, or the connection broke (`response` none). Returns whether it may ask again at once.
    pub fn answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        from: Node,
        request: MessageId,
        response: Option<&FetchResponse>,
        sink: &mut S,
    ) -> bool {
        if self.in_flight != Some(request) {
            return false;
        }
        self.in_flight = None;
        let Some(response) = response else {
            self.asks = None;
            self.preferred = None;
            self.poll_later(context, sink);
            return false;
        };
        match response.error {
            None => {
                match (response.preferred_read_replica, from) {
                    (Some(replica), Node::Broker(by)) => {
                        self.go_to(context, replica, by, response, sink);
                    }
                    _ => self.take(context, from, response, sink),
                }
                true
            }
            Some(KafkaError::OffsetOutOfRange) if Some(from) != self.asks.map(Node::Broker) => {
                // It was sent to a replica that lacks the offset: that says nothing about the log.
                self.preferred = None;
                self.asks_leader = true;
                let position = self.position;
                sink.event(|| {
                    (
                        EventKind::ConsumerFailed {
                            error: KafkaError::OffsetOutOfRange,
                            position,
                        },
                        Cause::of(Rule::ConsumerAsksLeader)
                            .number(Quantity::FetchOffset, response.fetch_offset)
                            .number(Quantity::ResponseHw, response.high_watermark),
                    )
                });
                self.poll_later(context, sink);
                false
            }
            Some(KafkaError::OffsetOutOfRange) => {
                // auto.offset.reset: it starts over at what the log offers now.
                self.position = response.high_watermark.max(response.log_start);
                let position = self.position;
                sink.event(|| {
                    (
                        EventKind::ConsumerFailed {
                            error: KafkaError::OffsetOutOfRange,
                            position,
                        },
                        Cause::of(Rule::ConsumerReset)
                            .number(Quantity::FetchOffset, response.fetch_offset)
                            .number(Quantity::ResponseHw, response.high_watermark),
                    )
                });
                self.poll_later(context, sink);
                false
            }
            Some(_) => {
                self.asks = None;
                self.preferred = None;
                self.poll_later(context, sink);
                false
            }
        }
    }

    /// The leader named the replica to read from (`SubscriptionState.updatePreferredReadReplica`).
    fn go_to<S: Sink>(
        &mut self,
        context: &Context<'_>,
        replica: BrokerId,
        by: BrokerId,
        response: &FetchResponse,
        sink: &mut S,
    ) {
        let until = context.now.plus(METADATA_MAX_AGE);
        self.preferred = Some((replica, until));
        sink.event(|| {
            (
                EventKind::ConsumerSentTo {
                    broker: replica,
                    by,
                    until,
                },
                Cause::of(Rule::PreferredReadReplica)
                    .number(Quantity::FetchOffset, response.fetch_offset)
                    .number(Quantity::Hw(by), response.high_watermark),
            )
        });
    }

    fn take<S: Sink>(
        &mut self,
        context: &Context<'_>,
        from: Node,
        response: &FetchResponse,
        sink: &mut S,
    ) {
        let Some(end) = response
            .batches
            .last()
            .map(Batch::end)
            .filter(|end| *end > self.position)
        else {
            return;
        };
        let Node::Broker(broker) = from else { return };
        let start = self.position;
        self.position = end;
        sink.event(|| {
            let committed = context.settings.isolation == Isolation::ReadCommitted;
            let rule = if committed {
                Rule::ConsumerLso
            } else {
                Rule::ConsumerHw
            };
            let bound = if committed {
                response.last_stable_offset
            } else {
                response.high_watermark
            };
            (
                EventKind::Consumed {
                    from: start,
                    to: end,
                    broker,
                    skipped: skipped(response),
                },
                Cause::of(rule)
                    .number(Quantity::ConsumerPosition, start)
                    .number(
                        if committed {
                            Quantity::Lso(broker)
                        } else {
                            Quantity::Hw(broker)
                        },
                        bound,
                    ),
            )
        });
    }
}

/// Records that the application does not get: markers, and those of aborted transactions.
fn skipped(response: &FetchResponse) -> u64 {
    let aborted = |batch: &Batch| {
        batch.producer.is_some_and(|stamp| stamp.transactional)
            && response.aborted.iter().any(|first| *first <= batch.base)
    };
    response
        .batches
        .iter()
        .filter(|batch| matches!(batch.payload, Payload::Marker { .. }) || aborted(batch))
        .fold(0, |sum: u64, batch| sum.saturating_add(batch.count))
}
