//! AlterPartition: the leader proposes an ISR, the controller decides (rules 3.4).

use super::{Concerns, Controller, Step, because};
use crate::kafka::cause::{Cause, Quantity, Rule};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{ChangeReason, EventKind};
use crate::kafka::ids::{BrokerEpoch, BrokerId, BrokerSet, Millis};
use crate::kafka::message::{AlterPartitionRequest, AlterPartitionResponse};
use crate::kafka::partition::Recovery;
use crate::kafka::rules::Rules;
use crate::kafka::settings::Settings;
use crate::kafka::sink::Sink;

impl Controller {
    /// `ReplicationControlManager.alterPartition`. NEW_LEADER_ELECTED is the one error with which the change is written:
    /// the new ISR completed a reassignment that moved the leader.
    pub(super) fn alter_partition<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        request: &AlterPartitionRequest,
    ) -> AlterPartitionResponse {
        if let Err(refusal) = self.validate(step.rules, request) {
            let error = refusal.error;
            let broker = request.broker;
            step.sink.event(|| {
                let kind = EventKind::AlterPartitionRefused { broker, error };
                (kind, self.refusal_cause(request, &refusal))
            });
            return self.answer(Some(error));
        }
        let built = self
            .builder(step.rules, Concerns::default())
            .election(self.usual_election(step.rules))
            .target_isr(request.isr.iter().map(|(id, _)| *id).collect())
            .target_recovery(request.recovery)
            .build();
        let Some(built) = built else {
            return self.answer(None);
        };
        let moved = matches!(built.change.leader, Some(leader) if leader != Some(request.broker));
        let reason = ChangeReason::AlterPartition(request.broker);
        let why = because(reason, Rule::AlterPartitionValidation, None);
        self.commit(step, built, why);
        self.answer(moved.then_some(KafkaError::NewLeaderElected))
    }

    /// `validateAlterPartitionData`, in Kafka's order.
    fn validate(&self, rules: &Rules, request: &AlterPartitionRequest) -> Result<(), Refusal> {
        let refuse = |error| {
            Err(Refusal {
                error,
                member: None,
            })
        };
        let partition = &self.partition;
        let registered = self.brokers.get(&request.broker).map(|r| r.epoch);
        if registered != Some(request.broker_epoch) {
            return refuse(KafkaError::StaleBrokerEpoch);
        }
        if request.leader_epoch > partition.leader_epoch
            || request.partition_epoch > partition.partition_epoch
        {
            return refuse(KafkaError::NotController);
        }
        if request.leader_epoch < partition.leader_epoch {
            return refuse(KafkaError::FencedLeaderEpoch);
        }
        if partition.leader != Some(request.broker) {
            return refuse(KafkaError::InvalidRequest);
        }
        if request.partition_epoch < partition.partition_epoch {
            return refuse(KafkaError::InvalidUpdateVersion);
        }
        let isr: BrokerSet = request.isr.iter().map(|(id, _)| *id).collect();
        let duplicates = isr.len() != request.isr.len();
        let strangers = isr.iter().any(|b| !partition.replicas.contains(&b));
        if duplicates || strangers || !isr.contains(request.broker) {
            return refuse(KafkaError::InvalidRequest);
        }
        let recovering = request.recovery == Recovery::Recovering;
        if recovering && (isr.len() > 1 || partition.recovery == Recovery::Recovered) {
            return refuse(KafkaError::InvalidRequest);
        }
        let ineligible = request
            .isr
            .iter()
            .find(|(id, epoch)| !self.may_join(rules, *id, *epoch));
        match ineligible {
            None => Ok(()),
            Some((id, epoch)) => Err(Refusal {
                error: KafkaError::IneligibleReplica,
                member: Some((*id, *epoch)),
            }),
        }
    }

    /// `ineligibleReplicasForIsr`: registered, not fenced, not shutting down (KIP-841), of the registered broker epoch
    /// (KIP-903; none = -1 is not compared).
    fn may_join(&self, rules: &Rules, broker: BrokerId, epoch: Option<BrokerEpoch>) -> bool {
        let Some(registration) = self.brokers.get(&broker) else {
            return !rules.fenced_kept_out_of_isr;
        };
        let live = registration.is_active() || !rules.fenced_kept_out_of_isr;
        let same = epoch.is_none_or(|e| e == registration.epoch) || !rules.broker_epoch_check;
        live && same
    }

    fn refusal_cause(&self, request: &AlterPartitionRequest, refusal: &Refusal) -> Cause {
        let asked: BrokerSet = request.isr.iter().map(|(id, _)| *id).collect();
        let partition = &self.partition;
        let Some((member, epoch)) = refusal.member else {
            let registered = self.brokers.get(&request.broker).map(|r| r.epoch);
            return Cause::of(Rule::AlterPartitionValidation)
                .number(Quantity::MaximalIsr(request.broker), asked)
                .number(Quantity::RequestEpoch, request.leader_epoch)
                .number(Quantity::LeaderEpoch, partition.leader_epoch)
                .number(Quantity::RequestEpoch, request.partition_epoch)
                .number(Quantity::PartitionEpoch, partition.partition_epoch)
                .number(Quantity::RequestEpoch, request.broker_epoch)
                .number(Quantity::BrokerEpoch(request.broker), registered)
                .number(Quantity::Leader, partition.leader);
        };
        let registration = self.brokers.get(&member);
        let shutting_down = registration.is_some_and(|r| r.in_controlled_shutdown);
        Cause::of(Rule::IneligibleReplica)
            .number(Quantity::MaximalIsr(request.broker), asked)
            .number(
                Quantity::Fenced(member),
                registration.is_none_or(|r| r.fenced),
            )
            .number(Quantity::InControlledShutdown(member), shutting_down)
            .number(Quantity::RequestEpoch, epoch)
            .number(Quantity::BrokerEpoch(member), registration.map(|r| r.epoch))
    }

    fn answer(&self, error: Option<KafkaError>) -> AlterPartitionResponse {
        let partition = &self.partition;
        AlterPartitionResponse {
            error,
            leader: partition.leader,
            leader_epoch: partition.leader_epoch,
            partition_epoch: partition.partition_epoch,
            isr: partition.isr.clone(),
            recovery: partition.recovery,
        }
    }

    /// A script has the leader's proposal for `isr` made and decided now, with the epochs as they are. The leader learns
    /// of it by metadata. Errors: as AlterPartition's; LEADER_NOT_AVAILABLE when nobody leads.
    pub fn propose<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        isr: &BrokerSet,
        sink: &mut S,
    ) -> Result<(), KafkaError> {
        let leader = self
            .partition
            .leader
            .ok_or(KafkaError::LeaderNotAvailable)?;
        let registration = self.brokers.get(&leader);
        let request = AlterPartitionRequest {
            broker: leader,
            broker_epoch: registration.map(|r| r.epoch).unwrap_or_default(),
            leader_epoch: self.partition.leader_epoch,
            partition_epoch: self.partition.partition_epoch,
            isr: isr.iter().map(|id| (id, None)).collect(),
            recovery: Recovery::Recovered,
        };
        let answer = self
            .act(rules, settings, now, sink, |controller, step| {
                controller.alter_partition(step, &request)
            })
            .ok_or(KafkaError::RequestTimedOut)?;
        answer.error.map_or(Ok(()), Err)
    }
}

/// Why a proposal is refused.
struct Refusal {
    error: KafkaError,
    /// The member that may not join, with the broker epoch that the request gave it.
    member: Option<(BrokerId, Option<BrokerEpoch>)>,
}
