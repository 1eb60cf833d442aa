//! Elections that a client, a script or a timer asks for (rules 5.5, 5.6).

use super::{Because, Concerns, Controller, Step, because};
use crate::kafka::cause::{Cause, Rule};
use crate::kafka::change_builder::{BuiltChange, ElectionType, PartitionChangeBuilder};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{ChangeReason, EventKind};
use crate::kafka::ids::{BrokerId, Millis};
use crate::kafka::rules::Rules;
use crate::kafka::settings::Settings;
use crate::kafka::sink::Sink;
use crate::kafka::topic::ElectionKind;

impl Controller {
    /// `ReplicationControlManager.electLeader`, or the script's named winner. Errors: ELECTION_NOT_NEEDED when there is
    /// nothing to elect, PREFERRED_LEADER_NOT_AVAILABLE or ELIGIBLE_LEADERS_NOT_AVAILABLE when nobody can be, and
    /// REQUEST_TIMED_OUT when the controller's process is down.
    pub fn elect<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        kind: ElectionKind,
        sink: &mut S,
    ) -> Result<(), KafkaError> {
        let answered = self.act(rules, settings, now, sink, |controller, step| {
            let result = controller.election_asked(step, kind);
            step.sink.event(|| {
                let kind = EventKind::ElectionAnswered { result };
                (kind, Cause::of(Rule::ElectLeaders))
            });
            result
        });
        answered.unwrap_or(Err(KafkaError::RequestTimedOut))
    }

    fn election_asked<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        kind: ElectionKind,
    ) -> Result<(), KafkaError> {
        let leader = self.partition.leader;
        let preferred = self.partition.replicas.first().copied();
        let (needed, error) = match kind {
            ElectionKind::Preferred => (
                leader.is_none() || leader != preferred,
                KafkaError::PreferredLeaderNotAvailable,
            ),
            ElectionKind::Unclean => (leader.is_none(), KafkaError::EligibleLeadersNotAvailable),
            ElectionKind::Named(winner) => (
                leader != Some(winner),
                KafkaError::EligibleLeadersNotAvailable,
            ),
        };
        if !needed {
            return Err(KafkaError::ElectionNotNeeded);
        }
        let built = match kind {
            _ if step.zookeeper() => self.zookeeper_election(kind),
            ElectionKind::Preferred => self.built(step.rules, ElectionType::Preferred),
            ElectionKind::Unclean => self.built(step.rules, ElectionType::Unclean),
            ElectionKind::Named(winner) => self.named(step.rules, winner),
        };
        let reason = match kind {
            ElectionKind::Preferred => ChangeReason::PreferredElection,
            ElectionKind::Unclean => ChangeReason::UncleanElection,
            ElectionKind::Named(winner) => ChangeReason::NamedElection(winner),
        };
        let built = built.ok_or(error)?;
        self.commit(step, built, because(reason, Rule::ElectLeaders, None));
        Ok(())
    }

    /// The timer that looks for leaderless partitions where unclean election is on (`maybeElectUncleanLeaders`,
    /// KAFKA-12670); every `unclean.leader.election.interval.ms`.
    pub fn periodic_unclean<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        sink: &mut S,
    ) {
        let wanted = rules.unclean_election_timer && self.unclean_enabled(rules);
        if !wanted || self.partition.leader.is_some() {
            return;
        }
        let reason = ChangeReason::UncleanElectionTimer;
        let why = because(reason, Rule::UncleanTimer, None);
        self.act(rules, settings, now, sink, |controller, step| {
            let built = controller.built(step.rules, ElectionType::Unclean);
            controller.commit_if(step, built, why);
        });
    }

    /// The timer that moves leadership back to the preferred leader (`maybeBalancePartitionLeaders`); every
    /// `leader.imbalance.check.interval.seconds`, if `auto.leader.rebalance.enable` (the caller looks at it).
    pub fn periodic_preferred<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        sink: &mut S,
    ) {
        let leader = self.partition.leader;
        if leader.is_some() && leader == self.partition.replicas.first().copied() {
            return;
        }
        let reason = ChangeReason::LeaderRebalance;
        let why = because(reason, Rule::RebalanceTimer, None);
        self.act(rules, settings, now, sink, |controller, step| {
            let built = match step.zookeeper() {
                true => controller.zookeeper_election(ElectionKind::Preferred),
                false => controller.built(step.rules, ElectionType::Preferred),
            };
            controller.commit_if(step, built, why);
        });
    }

    fn commit_if<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        built: Option<BuiltChange>,
        why: Because,
    ) {
        if let Some(built) = built {
            self.commit(step, built, why);
        }
    }

    fn built(&self, rules: &Rules, election: ElectionType) -> Option<BuiltChange> {
        self.builder(rules, Concerns::default())
            .election(election)
            .build()
    }

    /// An election in which nobody else may lead; only if it is clean.
    fn named(&self, rules: &Rules, winner: BrokerId) -> Option<BuiltChange> {
        let builder = PartitionChangeBuilder::new(
            &self.partition,
            |broker| broker == winner && self.is_active(broker),
            rules,
            self.effective_min_isr(),
            self.elr_enabled,
        );
        let result = builder.elect();
        let wins = result.leader == Some(winner) && !result.unclean();
        wins.then(|| builder.build()).flatten()
    }
}
