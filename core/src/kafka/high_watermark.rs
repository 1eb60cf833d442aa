//! The leader's HW and what waits for it (`Partition.maybeIncrementLeaderHW`, `Partition.tryCompleteDelayedRequests`).

use super::broker::{Broker, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::delayed_produce::EnoughReplicas;
use super::error::KafkaError;
use super::event::{EventKind, HwHold};
use super::ids::{MessageId, Offset};
use super::leader::{Leader, ParkedProduce};
use super::message::{Body, Node, ProduceResponse};
use super::sink::Sink;

impl Broker {
    /// Moves the leader's HW as far as the rules let it, and wakes what waits for it (rules 1.2). True when it moved.
    pub fn try_hw<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) -> bool {
        let Role::Leader(leader) = &self.role else {
            return false;
        };
        let (leo, hw) = (self.log.leo(), self.log.hw());
        if leo <= hw {
            return false;
        }
        let min = self.effective_min_isr(context);
        let size = u32::try_from(leader.committed_isr.len()).unwrap_or(u32::MAX);
        if context.rules().hw_gated_by_min_isr && size < min {
            let isr = leader.committed_isr.clone();
            sink.event(|| {
                (
                    EventKind::HwHeld {
                        broker: self.id,
                        at: hw,
                        why: HwHold::BelowMinIsr { isr: size, min },
                    },
                    Cause::of(Rule::HwFreeze)
                        .number(Quantity::CommittedIsr(self.id), &isr)
                        .number(Quantity::MinIsr, min)
                        .number(Quantity::Hw(self.id), hw)
                        .number(Quantity::Leo(self.id), leo),
                )
            });
            return false;
        }
        let (candidate, holders) = leader.hw_candidate(leo, &self.metadata, context);
        let Some(to) = candidate.filter(|candidate| *candidate > hw) else {
            sink.event(|| {
                (
                    EventKind::HwHeld {
                        broker: self.id,
                        at: hw,
                        why: HwHold::Replicas(holders.clone()),
                    },
                    self.hw_cause(leader, hw, context),
                )
            });
            return false;
        };
        sink.event(|| {
            (
                EventKind::HwChanged {
                    broker: self.id,
                    from: hw,
                    to,
                    leads: true,
                },
                self.hw_cause(leader, hw, context),
            )
        });
        self.raise_hw(to, context, sink);
        self.complete_parked_produce(context, sink);
        self.complete_parked_fetches(context, sink);
        true
    }

    /// The positions that the HW is the minimum of.
    fn hw_cause(&self, leader: &Leader, hw: Offset, context: &Context<'_>) -> Cause {
        let maximal = leader.maximal_isr(context);
        let leo = self.log.leo();
        let mut cause = Cause::of(Rule::LeaderHw)
            .number(Quantity::MaximalIsr(self.id), &maximal)
            .number(Quantity::Leo(self.id), leo)
            .number(Quantity::Hw(self.id), hw);
        for (&follower, state) in &leader.followers {
            if maximal.contains(follower)
                || leader.counts_outside_isr(follower, leo, &self.metadata, context)
            {
                cause = cause.number(
                    Quantity::FollowerLeo {
                        leader: self.id,
                        follower,
                    },
                    state.leo,
                );
            }
        }
        cause
    }

    fn raise_hw<S: Sink>(&mut self, to: Offset, context: &Context<'_>, sink: &mut S) {
        let (from, lso) = (self.log.hw(), self.log.lso());
        self.checkpoint
            .hw_changes(context.settings.hw_checkpoint_interval, context.now, from);
        self.log.raise_hw(to);
        self.tell_lso(lso, sink);
    }

    /// Tells that the LSO moved.
    pub(super) fn tell_lso<S: Sink>(&self, before: Offset, sink: &mut S) {
        let (lso, hw) = (self.log.lso(), self.log.hw());
        if lso == before {
            return;
        }
        let unstable = self.log.first_unstable();
        sink.event(|| {
            (
                EventKind::LsoChanged {
                    broker: self.id,
                    from: before,
                    to: lso,
                },
                Cause::of(Rule::UnstableOffset)
                    .number(Quantity::Hw(self.id), hw)
                    .number(Quantity::FirstUnstable, unstable),
            )
        });
    }

    /// Looks at every parked produce request again (`DelayedProduce.tryComplete`, rules 4.1 item 6).
    pub(super) fn complete_parked_produce<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        let hw = self.log.hw();
        let min = self.effective_min_isr(context);
        let id = self.id;
        let Role::Leader(leader) = &mut self.role else {
            return;
        };
        let size = u32::try_from(leader.maximal_isr(context).len()).unwrap_or(u32::MAX);
        let mut parked = std::mem::take(&mut leader.parked);
        parked.retain_mut(|produce| {
            let reply = leader.enough_replicas(hw, produce.required, size, min);
            if !produce.status.check(reply) {
                return true;
            }
            let result = produce.result();
            let rule = if result.is_ok() {
                Rule::DelayedProduceCheck
            } else {
                Rule::NotEnoughAfterAppend
            };
            let cause = || {
                Cause::of(rule)
                    .number(Quantity::Hw(id), hw)
                    .number(Quantity::RequiredOffset, produce.required)
                    .number(Quantity::IsrSize, size)
                    .number(Quantity::MinIsr, min)
            };
            answer_produce(id, produce, result, false, cause, sink);
            false
        });
        leader.parked = parked;
    }

    /// A parked produce request runs out of time: REQUEST_TIMED_OUT; its records stay (rules 4.1 item 7).
    pub fn produce_expires<S: Sink>(
        &mut self,
        request: MessageId,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let hw = self.log.hw();
        let id = self.id;
        let Role::Leader(leader) = &mut self.role else {
            return;
        };
        let Some(place) = leader
            .parked
            .iter()
            .position(|p| p.request == request && p.until <= context.now)
        else {
            return;
        };
        let produce = leader.parked.remove(place);
        let cause = || {
            Cause::of(Rule::DelayedProduceExpired)
                .number(Quantity::Hw(id), hw)
                .number(Quantity::RequiredOffset, produce.required)
                .number(Quantity::CommittedIsr(id), &leader.committed_isr)
        };
        answer_produce(id, &produce, produce.result(), true, cause, sink);
    }

    /// Parked produce requests of a leader that leads no more: NOT_LEADER_OR_FOLLOWER.
    pub(super) fn refuse_parked_produce<S: Sink>(
        &mut self,
        parked: Vec<ParkedProduce>,
        sink: &mut S,
    ) {
        for mut produce in parked {
            produce.status.check(EnoughReplicas {
                enough: false,
                error: Some(KafkaError::NotLeaderOrFollower),
            });
            let cause = || {
                Cause::of(Rule::DelayedProduceNotLeader)
                    .number(
                        Quantity::BrokerLeaderEpoch(self.id),
                        self.metadata.partition.leader_epoch,
                    )
                    .number(Quantity::RequiredOffset, produce.required)
            };
            answer_produce(self.id, &produce, produce.result(), false, cause, sink);
        }
    }
}

/// Answers a parked produce request.
fn answer_produce<S: Sink>(
    broker: super::ids::BrokerId,
    produce: &ParkedProduce,
    result: Result<Offset, KafkaError>,
    timed_out: bool,
    cause: impl FnOnce() -> Cause,
    sink: &mut S,
) {
    sink.event(|| {
        (
            EventKind::ProduceCompleted {
                broker,
                send: produce.send,
                result,
                timed_out,
            },
            cause(),
        )
    });
    let body = Body::ProduceResponse(ProduceResponse {
        send: produce.send,
        attempt: produce.attempt,
        result,
    });
    sink.reply(Node::Broker(broker), Node::Producer, produce.request, body);
}
