//! The whole cluster behind one door: [`Cluster::step`] takes an input, changes state, and pushes messages, timers and
//! events into a sink. It performs nothing itself: links, clocks and scripts belong to the simulator and the checker.

use super::broker::Broker;
use super::consumer::Consumer;
use super::context::Context;
use super::controller::Controller;
use super::ids::{BrokerId, MessageId, Millis, Offset};
use super::message::{Body, Message, Node};
use super::producer::{LeaderLookup, Producer};
use super::settings::{IsrMode, ProducerMetadata, Settings};
use super::sink::{Sink, Timer};

/// Something that a cluster reacts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A message arrives at a node whose process runs.
    Message {
        /// Its number.
        id: MessageId,
        /// The message.
        message: &'a Message,
        /// The body of a `Disconnected` stands for an answer that was sent and lost.
        response_lost: bool,
    },
    /// A timer is due.
    Timer(Timer),
}

/// The cluster: controller, brokers, producers and consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The settings of the run.
    pub settings: Settings,
    /// The active controller.
    pub controller: Controller,
    /// The brokers, ascending by id.
    pub brokers: Vec<Broker>,
    /// The producers.
    pub producer: Producer,
    /// The consumer.
    pub consumer: Consumer,
}

impl Cluster {
    /// The broker of that id.
    pub fn broker(&self, id: BrokerId) -> Option<&Broker> {
        self.brokers.iter().find(|b| b.id == id)
    }

    /// The broker of that id, to change it.
    pub fn broker_mut(&mut self, id: BrokerId) -> Option<&mut Broker> {
        self.brokers.iter_mut().find(|b| b.id == id)
    }

    /// Whether a node's process runs; clients always do.
    pub fn is_up(&self, node: Node) -> bool {
        match node {
            Node::Broker(id) => self.broker(id).is_some_and(Broker::is_up),
            Node::Controller => self.controller.running,
            Node::Producer | Node::Consumer => true,
        }
    }

    /// The broker that acts as leader: named by the controller, running, and in that epoch.
    pub fn acting_leader(&self) -> Option<&Broker> {
        let broker = self.broker(self.controller.partition.leader?)?;
        let epoch = self.controller.partition.leader_epoch;
        (broker.is_up() && broker.leader().is_some_and(|leader| leader.epoch == epoch))
            .then_some(broker)
    }

    /// What a client finds when it looks for the leader, having `cached` one.
    pub fn lookup(&self, cached: Option<BrokerId>) -> LeaderLookup {
        let up = |broker: Option<BrokerId>| broker.is_some_and(|b| self.is_up(Node::Broker(b)));
        let newest = self
            .brokers
            .iter()
            .filter(|b| b.is_up())
            .map(|b| &b.metadata)
            .max_by_key(|m| m.offset);
        let partition = match (self.settings.producer_metadata, newest) {
            (ProducerMetadata::Cached, Some(image)) => &image.partition,
            _ => &self.controller.partition,
        };
        LeaderLookup {
            leader: partition.leader,
            leader_up: up(partition.leader),
            cached_up: up(cached),
            epoch: partition.leader_epoch,
        }
    }

    /// The producer's look-up.
    pub fn producer_lookup(&self) -> LeaderLookup {
        self.lookup(self.producer.known_leader)
    }

    /// Handles one input at the instant `now`. Never fails: an input that fits nothing has no effect.
    pub fn step<S: Sink>(&mut self, now: Millis, input: &Input<'_>, sink: &mut S) {
        match input {
            Input::Message {
                id,
                message,
                response_lost,
            } => self.message(now, *id, message, *response_lost, sink),
            Input::Timer(timer) => self.timer(now, *timer, sink),
        }
    }

    fn message<S: Sink>(
        &mut self,
        now: Millis,
        id: MessageId,
        message: &Message,
        response_lost: bool,
        sink: &mut S,
    ) {
        match message.to {
            Node::Broker(broker) => self.deliver_to_broker(now, broker, id, message, sink),
            Node::Controller => {
                let Node::Broker(from) = message.from else {
                    return;
                };
                self.with_controller(now, |controller, context| {
                    controller.handle(
                        context.rules(),
                        context.settings,
                        context.now,
                        id,
                        from,
                        &message.body,
                        sink,
                    );
                });
            }
            Node::Producer => self.deliver_to_producer(now, message, response_lost, sink),
            Node::Consumer => self.deliver_to_consumer(now, message, sink),
        }
    }

    /// Runs `act` on the controller with the context.
    pub fn with_controller<R>(
        &mut self,
        now: Millis,
        act: impl FnOnce(&mut Controller, &Context<'_>) -> R,
    ) -> R {
        act(
            &mut self.controller,
            &Context {
                settings: &self.settings,
                now,
            },
        )
    }

    /// Runs `act` on a broker with the context; nothing when there is no such broker.
    pub fn with_broker(
        &mut self,
        now: Millis,
        broker: BrokerId,
        act: impl FnOnce(&mut Broker, &Context<'_>),
    ) {
        let context = Context {
            settings: &self.settings,
            now,
        };
        if let Some(broker) = self.brokers.iter_mut().find(|b| b.id == broker) {
            act(broker, &context);
        }
    }

    fn deliver_to_broker<S: Sink>(
        &mut self,
        now: Millis,
        broker: BrokerId,
        id: MessageId,
        message: &Message,
        sink: &mut S,
    ) {
        let answers = message.reply_to.unwrap_or(id);
        self.with_broker(now, broker, |broker, context| match &message.body {
            Body::ProduceRequest(request) => broker.produce(context, id, request, sink),
            Body::FetchRequest(request) => broker.fetch(context, id, message.from, request, sink),
            Body::OffsetsForLeaderEpochRequest(request) => {
                broker.offsets_for_leader_epoch(context, id, message.from, request, sink)
            }
            Body::ListOffsetsRequest(request) => {
                broker.list_offsets(context, id, message.from, request, sink)
            }
            Body::FetchResponse(response) => {
                broker.fetch_answered(context, answers, response, sink)
            }
            Body::OffsetsForLeaderEpochResponse(response) => {
                broker.epoch_end_answered(context, answers, response, sink)
            }
            Body::ListOffsetsResponse(response) => {
                broker.list_offsets_answered(context, answers, response, sink)
            }
            Body::AlterPartitionResponse(response) => {
                broker.alter_partition_answered(context, answers, Some(response), sink)
            }
            Body::RegistrationResponse(response) => {
                broker.registration_answered(context, Some(response), sink)
            }
            Body::HeartbeatResponse(response) => {
                broker.heartbeat_answered(context, answers, Some(response), sink)
            }
            Body::Metadata(image) => broker.apply_metadata(context, image, sink),
            Body::Disconnected => {
                broker.fetch_disconnected(context, answers, sink);
                broker.alter_partition_answered(context, answers, None, sink);
                broker.heartbeat_answered(context, answers, None, sink);
                broker.registration_disconnected(context, answers, sink);
            }
            Body::ProduceResponse(_)
            | Body::AlterPartitionRequest(_)
            | Body::RegistrationRequest(_)
            | Body::HeartbeatRequest(_) => {}
        });
    }

    fn deliver_to_producer<S: Sink>(
        &mut self,
        now: Millis,
        message: &Message,
        response_lost: bool,
        sink: &mut S,
    ) {
        let Some(request) = message.reply_to else {
            return;
        };
        let context = Context {
            settings: &self.settings,
            now,
        };
        match &message.body {
            Body::ProduceResponse(response) => {
                self.producer.answered(&context, request, response, sink)
            }
            Body::Disconnected => {
                self.producer
                    .disconnected(&context, request, response_lost, sink)
            }
            _ => return,
        }
        self.dispatch(now, sink);
    }

    /// Sends what the producer may send now.
    pub fn dispatch<S: Sink>(&mut self, now: Millis, sink: &mut S) {
        let lookup = self.producer_lookup();
        self.producer.dispatch(
            &Context {
                settings: &self.settings,
                now,
            },
            lookup,
            sink,
        );
    }

    fn deliver_to_consumer<S: Sink>(&mut self, now: Millis, message: &Message, sink: &mut S) {
        let Some(request) = message.reply_to else {
            return;
        };
        let response = match &message.body {
            Body::FetchResponse(response) => Some(response),
            Body::Disconnected => None,
            _ => return,
        };
        let context = Context {
            settings: &self.settings,
            now,
        };
        if self
            .consumer
            .answered(&context, message.from, request, response, sink)
        {
            self.poll(now, sink);
        }
    }

    /// Lets the consumer ask.
    pub fn poll<S: Sink>(&mut self, now: Millis, sink: &mut S) {
        let lookup = self.lookup(self.consumer.asks);
        let mut consumer = std::mem::take(&mut self.consumer);
        consumer.poll(
            &Context {
                settings: &self.settings,
                now,
            },
            lookup,
            |broker| self.is_up(Node::Broker(broker)),
            sink,
        );
        self.consumer = consumer;
    }

    fn timer<S: Sink>(&mut self, now: Millis, timer: Timer, sink: &mut S) {
        match timer {
            Timer::ProduceExpires { broker, request } => {
                self.with_broker(now, broker, |b, context| {
                    b.produce_expires(request, context, sink)
                });
            }
            Timer::FetchExpires { broker, request } => {
                self.with_broker(now, broker, |b, context| {
                    b.fetch_expires(request, context, sink)
                });
            }
            Timer::IsrTick {
                broker,
                incarnation,
            } => self.with_broker(now, broker, |b, context| {
                if b.incarnation == incarnation && b.is_up() {
                    if context.settings.isr_mode == IsrMode::Auto {
                        b.maybe_shrink_isr(context, sink);
                    }
                    let half = Millis((context.settings.replica_lag_time_max.0 / 2).max(1));
                    sink.timer(now.plus(half), timer);
                }
            }),
            Timer::FollowerFetch { broker, generation } => {
                self.with_broker(now, broker, |b, context| {
                    b.follower_fetch_due(context, generation, sink)
                });
            }
            Timer::Heartbeat {
                broker,
                incarnation,
            } => {
                self.with_broker(now, broker, |b, context| {
                    b.heartbeat_due(context, incarnation, sink)
                });
            }
            Timer::Register {
                broker,
                incarnation,
            } => self.with_broker(now, broker, |b, _| {
                if b.incarnation == incarnation {
                    b.register(sink);
                }
            }),
            Timer::AlterPartition {
                broker,
                incarnation,
            } => self.with_broker(now, broker, |b, _| {
                if b.incarnation == incarnation {
                    b.retry_alter_partition(sink);
                }
            }),
            Timer::SessionCheck | Timer::UncleanElection | Timer::LeaderRebalance => {
                self.controller_timer(now, timer, sink)
            }
            Timer::ProducerRetry { .. } => self.dispatch(now, sink),
            Timer::ProducerRequestTimeout { send, attempt } => {
                let context = Context {
                    settings: &self.settings,
                    now,
                };
                self.producer
                    .request_timed_out(&context, send, attempt, sink);
                self.dispatch(now, sink);
            }
            Timer::ProducerDeliveryTimeout { send } => {
                let context = Context {
                    settings: &self.settings,
                    now,
                };
                self.producer.delivery_timed_out(&context, send, sink);
                self.dispatch(now, sink);
            }
            Timer::ConsumerFetch { generation } => {
                if self.consumer.generation == generation {
                    self.poll(now, sink);
                }
            }
        }
    }

    fn controller_timer<S: Sink>(&mut self, now: Millis, timer: Timer, sink: &mut S) {
        self.with_controller(now, |controller, context| {
            let (rules, settings) = (context.rules(), context.settings);
            let period = match timer {
                Timer::SessionCheck => {
                    if controller.running {
                        controller.check_sessions(rules, settings, now, sink);
                    }
                    Millis(settings.session_timeout.0 / 8)
                }
                Timer::UncleanElection => {
                    if controller.running && rules.unclean_election_timer {
                        controller.periodic_unclean(rules, settings, now, sink);
                    }
                    settings.unclean_election_interval
                }
                _ => {
                    if controller.running && settings.auto_leader_rebalance {
                        controller.periodic_preferred(rules, settings, now, sink);
                    }
                    settings.leader_imbalance_check_interval
                }
            };
            sink.timer(now.plus(period.max(Millis(1))), timer);
        });
    }

    /// LEO of the acting leader, if there is one.
    pub fn leader_leo(&self) -> Option<Offset> {
        self.acting_leader().map(Broker::leo)
    }
}
