//! The leader's ISR: shrink on its own tick, expand on fetch, AlterPartition in flight (rules 3.2 to 3.4).

use super::broker::{Broker, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::{EventKind, IsrChange};
use super::ids::{BrokerId, BrokerSet, MessageId, Millis};
use super::leader::PendingIsr;
use super::message::{AlterPartitionRequest, AlterPartitionResponse, Body, Node};
use super::rules::ControllerKind;
use super::sink::{Sink, Timer};

/// The wait before an AlterPartition is sent again after a top-level error (`DefaultAlterPartitionManager`).
pub const ALTER_PARTITION_RETRY: Millis = Millis(50);

impl Broker {
    /// The `isr-expiration` task runs (`Partition.maybeShrinkIsr`). Does nothing while a change is in flight.
    pub fn maybe_shrink_isr<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        let leo = self.log.leo();
        let Role::Leader(leader) = &self.role else {
            return;
        };
        if leader.pending.is_some() {
            return;
        }
        let out = leader.out_of_sync(self.id, leo, context);
        if out.is_empty() {
            return;
        }
        let isr = leader.committed_isr.minus(&out);
        let id = self.id;
        let cause = || {
            let mut cause = Cause::of(Rule::IsrShrink)
                .number(Quantity::CommittedIsr(id), &leader.committed_isr)
                .number(Quantity::LagTimeMax, context.settings.replica_lag_time_max)
                .number(Quantity::Leo(id), leo);
            for follower in out.iter() {
                let state = leader.followers.get(&follower);
                cause = cause
                    .number(
                        Quantity::FollowerLeo {
                            leader: id,
                            follower,
                        },
                        state.and_then(|s| s.leo),
                    )
                    .number(
                        Quantity::LastCaughtUp {
                            leader: id,
                            follower,
                        },
                        state.and_then(|s| s.last_caught_up),
                    );
            }
            cause
        };
        let cause = sink_cause(sink, cause);
        self.propose(IsrChange::Shrink, isr, out, cause, context, sink);
    }

    /// A follower has fetched: it may join (`Partition.maybeExpandIsr`).
    pub(super) fn maybe_expand_isr<S: Sink>(
        &mut self,
        context: &Context<'_>,
        follower: BrokerId,
        sink: &mut S,
    ) {
        let hw = self.log.hw();
        let Role::Leader(leader) = &self.role else {
            return;
        };
        if !leader.may_join(follower, hw, &self.metadata, context) {
            return;
        }
        let mut isr = leader.committed_isr.clone();
        isr.insert(follower);
        let id = self.id;
        let cause = || {
            Cause::of(Rule::IsrExpand)
                .number(
                    Quantity::FollowerLeo {
                        leader: id,
                        follower,
                    },
                    leader.followers.get(&follower).and_then(|s| s.leo),
                )
                .number(Quantity::Hw(id), hw)
                .number(Quantity::EpochStart(id), leader.epoch_start)
                .number(Quantity::CommittedIsr(id), &leader.committed_isr)
        };
        let cause = sink_cause(sink, cause);
        self.propose(
            IsrChange::Expand,
            isr,
            [follower].into_iter().collect(),
            cause,
            context,
            sink,
        );
    }

    /// Proposes this ISR, which leaves out members, whether they lag or not, or takes in one replica that may join.
    /// False, and nothing is done, when it does not lead, a change is in flight already, or the replica may not join.
    pub fn propose_isr<S: Sink>(
        &mut self,
        context: &Context<'_>,
        isr: &BrokerSet,
        sink: &mut S,
    ) -> bool {
        let Role::Leader(leader) = &self.role else {
            return false;
        };
        let (gone, new) = (
            leader.committed_isr.minus(isr),
            isr.minus(&leader.committed_isr),
        );
        let (change, members) = match (gone.len(), new.len()) {
            (1.., 0) => (IsrChange::Shrink, gone),
            (0, 1) => (IsrChange::Expand, new),
            _ => return false,
        };
        let hw = self.log.hw();
        let joins = change == IsrChange::Expand;
        let may_join = |id| leader.may_join(id, hw, &self.metadata, context);
        if leader.pending.is_some() || (joins && !members.iter().all(may_join)) {
            return false;
        }
        let cause = Cause::of(Rule::Script);
        self.propose(change, isr.clone(), members, cause, context, sink);
        true
    }

    fn propose<S: Sink>(
        &mut self,
        change: IsrChange,
        isr: BrokerSet,
        members: BrokerSet,
        cause: Cause,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let id = self.id;
        sink.event(|| {
            (
                EventKind::IsrProposed {
                    leader: id,
                    isr: isr.clone(),
                    change,
                    members,
                },
                cause,
            )
        });
        let zookeeper = context.rules().controller == ControllerKind::ZooKeeper;
        if self.alter_partition_in_flight.is_some() && !zookeeper {
            // `DefaultAlterPartitionManager.submit`: the slot is taken by a request whose proposal metadata has replaced.
            return self.alter_partition_failed(KafkaError::OperationNotAttempted, context, sink);
        }
        let Role::Leader(leader) = &mut self.role else {
            return;
        };
        leader.pending = Some(PendingIsr {
            change,
            isr: isr.clone(),
            request: None,
            stuck: false,
        });
        self.send_alter_partition(sink);
    }

    /// Sends the pending proposal (again).
    fn send_alter_partition<S: Sink>(&mut self, sink: &mut S) {
        let (id, epoch) = (self.id, self.epoch);
        let Role::Leader(leader) = &mut self.role else {
            return;
        };
        let Some(pending) = &leader.pending else {
            return;
        };
        let Some(broker_epoch) = epoch else { return };
        let isr = pending
            .isr
            .iter()
            .map(|member| (member, leader.member_epoch(member, id, epoch)))
            .collect();
        let request = AlterPartitionRequest {
            broker: id,
            broker_epoch,
            leader_epoch: leader.epoch,
            partition_epoch: leader.partition_epoch,
            isr,
            recovery: leader.recovery,
        };
        let sent = sink.request(
            Node::Broker(id),
            Node::Controller,
            Body::AlterPartitionRequest(request),
        );
        if let Some(pending) = &mut leader.pending {
            pending.request = Some(sent);
        }
        self.alter_partition_in_flight = Some(sent);
    }

    /// The retry timer after a top-level error.
    pub fn retry_alter_partition<S: Sink>(&mut self, sink: &mut S) {
        let waits = self
            .leader()
            .and_then(|l| l.pending.as_ref())
            .is_some_and(|p| p.request.is_none() && !p.stuck);
        if waits {
            self.send_alter_partition(sink);
        } else {
            // The proposal is gone. Kafka would send it once more, and be refused for its partition epoch.
            self.alter_partition_in_flight = None;
        }
    }

    /// The controller answered, or the connection broke (`response` none). An answer to a proposal that is not the
    /// pending one is ignored entirely (rules 3.4: partition state object changed since), but frees the slot.
    ///
    /// A broken connection and STALE_BROKER_EPOCH concern the whole request: it is sent again after 50 ms without the
    /// partition hearing of it (`DefaultAlterPartitionManager.handleAlterPartitionResponse`).
    pub fn alter_partition_answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        response: Option<&AlterPartitionResponse>,
        sink: &mut S,
    ) {
        if self.alter_partition_in_flight != Some(request) {
            return;
        }
        let (id, incarnation) = (self.id, self.incarnation);
        let whole_request =
            response.is_none_or(|answer| answer.error == Some(KafkaError::StaleBrokerEpoch));
        if !whole_request {
            self.alter_partition_in_flight = None;
        }
        let Role::Leader(leader) = &mut self.role else {
            self.alter_partition_in_flight = None;
            return;
        };
        let Some(pending) = leader
            .pending
            .as_mut()
            .filter(|p| p.request == Some(request))
        else {
            self.alter_partition_in_flight = None;
            return;
        };
        let Some(response) = response.filter(|_| !whole_request) else {
            pending.request = None;
            sink.timer(
                context.now.plus(ALTER_PARTITION_RETRY),
                Timer::AlterPartition {
                    broker: id,
                    incarnation,
                },
            );
            return;
        };
        match response.error {
            None => {
                // An answer that does not fit leaves the proposal pending and counts as a failure; it is told by the error
                // that says what does not fit.
                let misfit = if response.leader_epoch != leader.epoch {
                    Some(KafkaError::FencedLeaderEpoch)
                } else if response.partition_epoch < leader.partition_epoch {
                    Some(KafkaError::InvalidUpdateVersion)
                } else {
                    None
                };
                if let Some(error) = misfit {
                    return self.alter_partition_failed(error, context, sink);
                }
                leader.committed_isr = response.isr.clone();
                leader.partition_epoch = response.partition_epoch;
                leader.recovery = response.recovery;
                leader.pending = None;
                sink.event(|| {
                    (
                        EventKind::IsrAnswered {
                            leader: id,
                            result: Ok(response.isr.clone()),
                        },
                        Cause::of(answered_by(context))
                            .number(Quantity::PartitionEpoch, response.partition_epoch),
                    )
                });
                self.isr_changed(context, sink);
            }
            Some(error) => self.alter_partition_failed(error, context, sink),
        }
    }

    /// `Partition.handleAlterPartitionError` (rules 3.4, leader reaction).
    fn alter_partition_failed<S: Sink>(
        &mut self,
        error: KafkaError,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let id = self.id;
        sink.event(|| {
            (
                EventKind::IsrAnswered {
                    leader: id,
                    result: Err(error),
                },
                Cause::of(Rule::AlterPartitionError),
            )
        });
        let Role::Leader(leader) = &mut self.role else {
            return;
        };
        match error {
            KafkaError::IneligibleReplica | KafkaError::OperationNotAttempted => {
                leader.pending = None;
                self.complete_parked_produce(context, sink);
            }
            KafkaError::InvalidUpdateVersion
            | KafkaError::InvalidRequest
            | KafkaError::FencedLeaderEpoch
            | KafkaError::UnknownTopicId
            | KafkaError::UnknownTopicOrPartition
            | KafkaError::NewLeaderElected => {
                if let Some(pending) = &mut leader.pending {
                    pending.stuck = true;
                }
            }
            // The same proposal is handed in again at once.
            _ => self.send_alter_partition(sink),
        }
    }

    /// After a committed ISR change: the HW may move, and parked requests are looked at
    /// (`Partition.handleAlterPartitionUpdate`).
    pub(super) fn isr_changed<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        if !self.try_hw(context, sink) {
            self.complete_parked_produce(context, sink);
        }
    }
}

/// A cause that is made only when events are recorded.
fn sink_cause<S: Sink>(sink: &S, make: impl FnOnce() -> Cause) -> Cause {
    if sink.records_events() {
        make()
    } else {
        Cause::of(Rule::Script)
    }
}

/// Who took the leader's proposal: the controller, or ZooKeeper (rules 5.8).
fn answered_by(context: &Context<'_>) -> Rule {
    match context.rules().controller {
        ControllerKind::ZooKeeper => Rule::ZooKeeperIsr,
        ControllerKind::KRaft => Rule::AlterPartitionAnswer,
    }
}
