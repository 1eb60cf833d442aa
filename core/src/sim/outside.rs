//! Steps that act on links, on the controller, or ask a single question.

use super::recorder::Recorder;
use super::simulation::Simulation;
use crate::kafka::broker::Broker;
use crate::kafka::cause::{Cause, Rule};
use crate::kafka::context::Context;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{EventKind, LinkState, QueryAnswer};
use crate::kafka::ids::{BrokerId, BrokerSet, EventId, LeaderEpoch, Millis, Offset};
use crate::kafka::message::{Body, FetchRequest, ListOffsetsRequest, MetadataImage, Node};
use crate::kafka::settings::{Isolation, IsrMode};
use crate::kafka::sink::Sink;
use crate::scenario::value::{Action, StepOutcome};

impl Simulation {
    /// Steps that act on links.
    pub(super) fn perform_link(
        &mut self,
        action: &Action,
        event: EventId,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        let controller = Node::Controller;
        match *action {
            Action::Isolate(broker) => {
                for other in self.neighbours(broker) {
                    self.cut(Node::Broker(broker), other, recorder);
                }
            }
            Action::Heal(broker) => {
                for other in self.neighbours(broker) {
                    self.heal(Node::Broker(broker), other, event, recorder);
                }
            }
            Action::HealAll => {
                let cuts: Vec<(Node, Node)> = self.network.cuts().collect();
                for (a, b) in cuts {
                    self.heal(a, b, event, recorder);
                }
            }
            Action::CutController(broker) => self.cut(Node::Broker(broker), controller, recorder),
            Action::HealController(broker) => {
                self.heal(Node::Broker(broker), controller, event, recorder)
            }
            Action::Cut(a, b) => self.cut(a, b, recorder),
            Action::HealLink(a, b) => self.heal(a, b, event, recorder),
            Action::Slow { from, to, latency } => {
                self.network.slow(from, to, latency);
                self.link_changed(from, to, LinkState::Slow(latency), recorder);
            }
            Action::Hold { from, to } => {
                self.network.hold_link(from, to);
                self.link_changed(from, to, LinkState::Held, recorder);
            }
            Action::Release { from, to, count } => {
                let waiting = self.network.release_link(from, to, count);
                self.link_changed(from, to, LinkState::Open, recorder);
                self.let_go(waiting);
            }
            Action::LoseNext { from, to } => self.network.lose_next(from, to),
            Action::HoldAlterPartition(broker) => {
                self.network.hold_alter_partition(broker);
                self.link_changed(Node::Broker(broker), controller, LinkState::Held, recorder);
            }
            Action::ReleaseAlterPartition(broker) => {
                let waiting = self.network.release_alter_partition(broker);
                self.link_changed(Node::Broker(broker), controller, LinkState::Open, recorder);
                self.let_go(waiting);
            }
            Action::LoseAlterPartitionResponse(broker) => {
                self.network.lose_alter_partition_response(broker)
            }
            Action::HoldMetadata(broker) => {
                self.network.hold_metadata(broker);
                self.link_changed(controller, Node::Broker(broker), LinkState::Held, recorder);
            }
            Action::DeliverMetadata { broker, count } => {
                let waiting = self.network.release_metadata(broker, count);
                self.let_go(waiting.into_iter().collect());
            }
            _ => {}
        }
        StepOutcome::Done
    }

    /// Every broker but this one, and the controller.
    fn neighbours(&self, broker: BrokerId) -> Vec<Node> {
        let brokers = self
            .cluster
            .brokers
            .iter()
            .map(|b| b.id)
            .filter(|id| *id != broker)
            .map(Node::Broker);
        brokers.chain([Node::Controller]).collect()
    }

    fn link_changed(&self, from: Node, to: Node, state: LinkState, recorder: &mut Recorder) {
        self.tell(
            recorder,
            EventKind::LinkChanged { from, to, state },
            Rule::Script,
        );
    }

    fn cut(&mut self, a: Node, b: Node, recorder: &mut Recorder) {
        self.link_changed(a, b, LinkState::Cut, recorder);
        let broken = self.network.cut_link(a, b);
        self.break_requests(broken);
    }

    /// A healed link to the controller: the broker fetches the metadata it missed, and its waiting requests go out.
    fn heal(&mut self, a: Node, b: Node, event: EventId, recorder: &mut Recorder) {
        if !self.network.heal_link(a, b) {
            return;
        }
        self.link_changed(a, b, LinkState::Open, recorder);
        let (Node::Broker(broker), Node::Controller) = (
            if a == Node::Controller { b } else { a },
            if a == Node::Controller { a } else { b },
        ) else {
            return;
        };
        if !self.cluster.controller.running {
            return;
        }
        let image: MetadataImage = self.cluster.controller.image();
        self.with_outputs(recorder, Some(event), |_, outputs| {
            outputs.request(
                Node::Controller,
                Node::Broker(broker),
                Body::Metadata(Box::new(image)),
            );
        });
    }

    /// Steps that act on the controller.
    pub(super) fn perform_admin(
        &mut self,
        action: &Action,
        event: EventId,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        if matches!(action, Action::Elect(_) | Action::SetConfig(_)) && self.nobody_runs() {
            return StepOutcome::Impossible("no broker is running");
        }
        let result = match action.clone() {
            Action::Fence(broker) => self.on_controller(event, recorder, |c, context, out| {
                c.fence(context.rules(), context.settings, context.now, broker, out)
            }),
            Action::Unfence(broker) => {
                let result = self.cluster.controller.unfence(broker);
                let now = self.now;
                self.with_outputs(recorder, Some(event), |simulation, outputs| {
                    simulation
                        .cluster
                        .with_broker(now, broker, |b, _| b.send_heartbeat(outputs));
                });
                result
            }
            Action::Elect(kind) => self.on_controller(event, recorder, |c, context, out| {
                c.elect(context.rules(), context.settings, context.now, kind, out)
            }),
            Action::SetConfig(change) => self.on_controller(event, recorder, |c, context, out| {
                c.set_config(context.rules(), context.settings, context.now, change, out)
            }),
            Action::ProposeIsr(isr) if self.by_hand() => {
                return match self.leader_proposes(&isr, event, recorder) {
                    true => StepOutcome::Done,
                    false => StepOutcome::Impossible("no leader may propose that ISR now"),
                };
            }
            Action::ProposeIsr(isr) => {
                let before = self.cluster.controller.partition.isr.clone();
                let result = self.on_controller(event, recorder, |c, context, out| {
                    c.propose(context.rules(), context.settings, context.now, &isr, out)
                });
                // A leader proposes to remove only whom it finds out of sync.
                let leader = self.cluster.controller.partition.leader;
                let leader = leader.and_then(|id| self.cluster.broker_mut(id));
                if let (Ok(()), Some(leader)) = (&result, leader.and_then(|b| b.leader_mut())) {
                    leader.take_as_late(&before.minus(&isr));
                }
                result
            }
            Action::IsrCheck(broker) => {
                let now = self.now;
                self.with_outputs(recorder, Some(event), |simulation, outputs| {
                    simulation.cluster.with_broker(now, broker, |b, context| {
                        b.maybe_shrink_isr(context, outputs)
                    });
                });
                Ok(())
            }
            _ => Ok(()),
        };
        result.map_or_else(StepOutcome::Error, |()| StepOutcome::Done)
    }

    /// Whether leaders propose only in steps.
    fn by_hand(&self) -> bool {
        self.cluster.settings.isr_mode == IsrMode::Manual
    }

    /// The acting leader proposes, with a real request; false when it may not.
    fn leader_proposes(
        &mut self,
        isr: &BrokerSet,
        event: EventId,
        recorder: &mut Recorder,
    ) -> bool {
        let Some(leader) = self.cluster.acting_leader().map(|b| b.id) else {
            return false;
        };
        let now = self.now;
        let mut proposed = false;
        self.with_outputs(recorder, Some(event), |simulation, outputs| {
            simulation.cluster.with_broker(now, leader, |b, context| {
                proposed = b.propose_isr(context, isr, outputs);
            });
        });
        proposed
    }

    /// A single question, answered at once: what the broker would say now. Nothing of the state changes.
    pub(super) fn perform_query(
        &mut self,
        index: usize,
        action: &Action,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        let asked = match action {
            Action::Consume { from, .. } => *from,
            Action::EpochEnd { broker, .. } => *broker,
            _ => None,
        };
        let leader = self.cluster.controller.partition.leader;
        let broker = asked
            .or(leader)
            .and_then(|id| self.cluster.broker(id))
            .filter(|b| b.is_up());
        let context = Context {
            settings: &self.cluster.settings,
            now: self.now,
        };
        let (answer, rule) = match (action, broker) {
            (_, None) => (QueryAnswer::NoLeader, Rule::FetchNotLeader),
            (
                Action::Consume {
                    offset,
                    from,
                    leader_epoch,
                    isolation,
                },
                Some(broker),
            ) => (
                fetch_once(
                    broker,
                    &context,
                    *offset,
                    from.is_some(),
                    *leader_epoch,
                    *isolation,
                ),
                Rule::FetchRead,
            ),
            (Action::ListOffset { isolation }, Some(broker)) => {
                let asked = ListOffsetsRequest {
                    replica: None,
                    isolation: *isolation,
                    current_leader_epoch: None,
                };
                (
                    QueryAnswer::Latest(broker.latest_offset(&asked, &context)),
                    Rule::ListOffsets,
                )
            }
            (Action::EpochEnd { epoch, .. }, Some(broker)) => {
                (epoch_end(broker, *epoch), Rule::EpochEnd)
            }
            _ => return StepOutcome::Done,
        };
        let step = u32::try_from(index).unwrap_or(u32::MAX);
        recorder.event(|| (EventKind::QueryAnswered { step, answer }, Cause::of(rule)));
        StepOutcome::Done
    }
}

fn fetch_once(
    broker: &Broker,
    context: &Context<'_>,
    offset: Offset,
    from_follower: bool,
    leader_epoch: Option<LeaderEpoch>,
    isolation: Isolation,
) -> QueryAnswer {
    let fetch = FetchRequest {
        replica: None,
        broker_epoch: None,
        max_wait: Millis(0),
        min_bytes: 1,
        max_bytes: 50 << 20,
        isolation,
        current_leader_epoch: leader_epoch,
        fetch_offset: offset,
        last_fetched_epoch: None,
        log_start: Offset(0),
        client_metadata: from_follower,
    };
    match broker.read(&fetch, context) {
        Err(error) => QueryAnswer::Fetch {
            error: Some(error),
            hw: broker.hw(),
            lso: broker.log.lso(),
            aborted: 0,
            batches: Vec::new(),
        },
        Ok(read) => {
            let end = read
                .batches
                .last()
                .map_or(offset, crate::kafka::record::Batch::end);
            let aborted = broker.aborted_in(&fetch, end).len();
            QueryAnswer::Fetch {
                error: None,
                hw: read.hw,
                lso: read.lso,
                aborted: u32::try_from(aborted).unwrap_or(u32::MAX),
                batches: read.batches,
            }
        }
    }
}

fn epoch_end(broker: &Broker, epoch: LeaderEpoch) -> QueryAnswer {
    match broker.epoch_end(epoch, None, true) {
        Ok(answer) => QueryAnswer::EpochEnd {
            error: None,
            epoch: answer.epoch,
            end: answer.end_offset,
        },
        Err(error) => QueryAnswer::EpochEnd {
            error: Some(error),
            epoch: None,
            end: None,
        },
    }
}

/// What ListOffsets(latest) at the leader answers a client of that isolation level now; none = no live leader.
pub fn latest_at_leader(
    simulation: &Simulation,
    isolation: Isolation,
) -> Option<Result<Offset, KafkaError>> {
    let leader = simulation.cluster.controller.partition.leader?;
    let broker = simulation.cluster.broker(leader).filter(|b| b.is_up())?;
    let context = Context {
        settings: &simulation.cluster.settings,
        now: simulation.now,
    };
    let asked = ListOffsetsRequest {
        replica: None,
        isolation,
        current_leader_epoch: None,
    };
    Some(broker.latest_offset(&asked, &context))
}
