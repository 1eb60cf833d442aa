//! The ZooKeeper controller of versions before 3.0, as far as recordings need it (rules 5.8): no ELR, no recovery state;
//! a broker is registered (not "fenced") or it is not. It numbers leader epochs by its own rule: its every ISR or leader
//! change moves the leader epoch; a leader that writes its own ISR moves the partition epoch (znode version) only.

use super::{BrokerState, Controller, Step, because};
use crate::kafka::cause::{Cause, Rule};
use crate::kafka::change_builder::BuiltChange;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{ChangeReason, Election, EventKind};
use crate::kafka::ids::{BrokerId, BrokerSet, EventId, Millis};
use crate::kafka::message::HeartbeatRequest;
use crate::kafka::partition_change::PartitionChange;
use crate::kafka::rules::Rules;
use crate::kafka::settings::Settings;
use crate::kafka::sink::Sink;
use crate::kafka::topic::ElectionKind;

impl Controller {
    /// A leader writes its ISR into ZooKeeper: there is nobody to refuse it, except that a broker which is no longer the
    /// leader fails on the znode's version. Errors: NOT_LEADER_OR_FOLLOWER for such a broker.
    pub fn write_isr<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        leader: BrokerId,
        isr: &BrokerSet,
        sink: &mut S,
    ) -> Result<(), KafkaError> {
        if self.partition.leader != Some(leader) {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        if self.partition.isr == *isr {
            return Ok(());
        }
        let change = PartitionChange {
            isr: Some(isr.clone()),
            ..PartitionChange::default()
        };
        let built = BuiltChange {
            change,
            election: Election::None,
        };
        let reason = ChangeReason::AlterPartition(leader);
        let why = because(reason, Rule::ZooKeeperIsr, None);
        // ZooKeeper takes the write even while no controller runs; then nobody is told yet.
        let mut step = Step {
            rules,
            settings,
            now,
            sink,
        };
        let before = self.offset;
        self.commit(&mut step, built, why);
        if self.running {
            self.publish_since(before, &mut step);
        }
        Ok(())
    }

    /// `KafkaController.onBrokerFailure`: out of the ISR, except the last member while unclean election is off; another
    /// leader if it led.
    pub(super) fn zookeeper_broker_is_gone<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        broker: BrokerId,
        reason: ChangeReason,
        trigger: Option<EventId>,
    ) {
        // The controller is one of the brokers: when the last one goes, nobody is left to change anything. Seen on 0.10.2.2
        // to 2.0.1: the partition keeps the leader that was stopped last.
        if !self
            .brokers
            .iter()
            .any(|(id, r)| *id != broker && !r.fenced)
        {
            return;
        }
        let mut isr = self.partition.isr.without(broker);
        if isr.is_empty() && !self.unclean_enabled(step.rules) {
            isr = self.partition.isr.clone();
        }
        let leader = self.partition.leader;
        let built = match leader {
            Some(leader) if leader != broker => self.zookeeper_change(isr, None),
            _ => {
                let (isr, winner, how) = self.offline_election(step.rules, isr);
                self.zookeeper_change(isr, Some((winner, how)))
            }
        };
        if let Some(built) = built {
            self.commit(step, built, because(reason, Rule::Fence, trigger));
        }
    }

    /// `KafkaController.onBrokerStartup`: a partition without a leader is looked at.
    pub(super) fn zookeeper_broker_is_back<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        broker: BrokerId,
        cause: Cause,
    ) {
        let kind = EventKind::BrokerUnfenced { broker };
        let trigger = step.sink.event(|| (kind, cause));
        // A controller that takes over elects for a leader that is gone too (`PartitionStateMachine.triggerOnlinePartitionStateChange`).
        let leader_lives = |leader| leader != broker && self.is_active(leader);
        if self.partition.leader.is_some_and(leader_lives) {
            return;
        }
        let (isr, winner, how) = self.offline_election(step.rules, self.partition.isr.clone());
        if winner.is_none() {
            // An election that fails leaves the record as it was.
            return;
        }
        if let Some(built) = self.zookeeper_change(isr, Some((winner, how))) {
            let reason = ChangeReason::Unfenced(broker);
            self.commit(step, built, because(reason, Rule::Unfence, trigger));
        }
    }

    /// A session is kept alive; one that had ended begins anew (`KafkaHealthcheck.handleNewSession`); a controlled
    /// shutdown ends it at once (`KafkaController.doControlledShutdown`).
    pub(super) fn zookeeper_heartbeat<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        request: &HeartbeatRequest,
    ) -> BrokerState {
        let broker = request.broker;
        let Some(registration) = self.brokers.get_mut(&broker) else {
            return BrokerState::Fenced;
        };
        if request.want_shut_down {
            if !registration.fenced {
                let cause = Cause::of(Rule::ControlledShutdown);
                let kind = EventKind::ControlledShutdownBegan { broker };
                let began = step.sink.event(|| (kind, cause));
                let cause = Cause::of(Rule::ShutdownNow).after(began);
                self.fence_now(step, broker, false, cause);
            }
            return BrokerState::ShutdownNow;
        }
        if registration.fenced && !registration.kept_fenced && !request.want_fence {
            registration.fenced = false;
            self.wrote();
            self.zookeeper_broker_is_back(step, broker, Cause::of(Rule::Registration));
            return BrokerState::Unfenced;
        }
        match registration.fenced {
            true => BrokerState::Fenced,
            false => BrokerState::Unfenced,
        }
    }

    /// An election that was asked for: preferred (only if it is live and in the ISR), unclean, or a named clean winner.
    pub(super) fn zookeeper_election(&self, kind: ElectionKind) -> Option<BuiltChange> {
        let isr = self.partition.isr.clone();
        let wanted = match kind {
            ElectionKind::Preferred => self.partition.replicas.first().copied(),
            ElectionKind::Named(winner) => Some(winner),
            ElectionKind::Unclean => {
                let from_isr = self.first_live(|b| isr.contains(b));
                let winner = from_isr.or_else(|| self.first_live(|_| true))?;
                let how = match from_isr {
                    Some(_) => Election::FromIsr,
                    None => Election::Unclean,
                };
                let isr = match from_isr {
                    Some(_) => isr,
                    None => [winner].into_iter().collect(),
                };
                return self.zookeeper_change(isr, Some((Some(winner), how)));
            }
        };
        let winner = wanted.filter(|b| isr.contains(*b) && self.is_active(*b))?;
        self.zookeeper_change(isr, Some((Some(winner), Election::FromIsr)))
    }

    /// `OfflinePartitionLeaderElectionStrategy`: the first live member of the ISR in assignment order; with unclean
    /// election otherwise the first live replica, alone in the ISR.
    fn offline_election(
        &self,
        rules: &Rules,
        isr: BrokerSet,
    ) -> (BrokerSet, Option<BrokerId>, Election) {
        if let Some(winner) = self.first_live(|b| isr.contains(b)) {
            let live = isr.iter().filter(|b| self.is_active(*b)).collect();
            return (live, Some(winner), Election::FromIsr);
        }
        let any = self.first_live(|_| true);
        match any.filter(|_| self.unclean_enabled(rules)) {
            Some(winner) => (
                [winner].into_iter().collect(),
                Some(winner),
                Election::Unclean,
            ),
            None => (isr, None, Election::NoLeader),
        }
    }

    fn first_live(&self, may: impl Fn(BrokerId) -> bool) -> Option<BrokerId> {
        let replicas = self.partition.replicas.iter().copied();
        replicas.filter(|b| self.is_active(*b)).find(|b| may(*b))
    }

    /// The record for another ISR and perhaps another leader; none when both are as they were.
    fn zookeeper_change(
        &self,
        isr: BrokerSet,
        elected: Option<(Option<BrokerId>, Election)>,
    ) -> Option<BuiltChange> {
        let (leader, how) = elected.unwrap_or((self.partition.leader, Election::None));
        let moved = leader != self.partition.leader;
        let isr = (isr != self.partition.isr).then_some(isr);
        if !moved && isr.is_none() {
            return None;
        }
        let change = PartitionChange {
            leader: Some(leader),
            isr,
            ..PartitionChange::default()
        };
        let election = match moved {
            true => how,
            false => Election::None,
        };
        Some(BuiltChange { change, election })
    }
}
