//! `PartitionChangeBuilder`: from the partition's state and a target ISR to the record that the controller writes:
//! ELR, election, last known leader (rules 5.1, 5.2, 5.4).

use super::event::Election;
use super::ids::{BrokerId, BrokerSet};
use super::partition::{PartitionState, Recovery};
use super::partition_change::PartitionChange;
use super::reassignment::maybe_complete_reassignment;
use super::rules::{LastKnownLeader, Rules};

/// `PartitionChangeBuilder.Election`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElectionType {
    /// Keep the partition online from the ISR, or from the ELR when the ISR is empty.
    #[default]
    Online,
    /// As online, but the preferred leader comes first. Never plainly unclean.
    Preferred,
    /// As online, and then any replica that may lead.
    Unclean,
}

/// Who wins an election, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElectionResult {
    /// The winner; none = nobody may lead.
    pub leader: Option<BrokerId>,
    /// How it was chosen.
    pub how: Election,
}

impl ElectionResult {
    /// Whether records may be lost by it. Electing the last known leader counts as unclean.
    pub fn unclean(self) -> bool {
        matches!(self.how, Election::Unclean | Election::LastKnownLeader)
    }
}

/// A record to be written, and how its leader was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltChange {
    /// The record.
    pub change: PartitionChange,
    /// `Election::None` when no election changed the leader.
    pub election: Election,
}

/// Builds one change of a partition. `acceptable` says who may lead: registered, not fenced, not shutting down.
#[derive(Clone, Debug)]
pub struct PartitionChangeBuilder<'a, F> {
    partition: &'a PartitionState,
    acceptable: F,
    rules: &'a Rules,
    min_isr: u32,
    elr_enabled: bool,
    election: ElectionType,
    target_isr: BrokerSet,
    target_replicas: Vec<BrokerId>,
    target_adding: Vec<BrokerId>,
    target_removing: Vec<BrokerId>,
    target_elr: BrokerSet,
    target_last_known_elr: Vec<BrokerId>,
    target_recovery: Recovery,
    unclean_shutdown: BrokerSet,
}

impl<'a, F: Fn(BrokerId) -> bool> PartitionChangeBuilder<'a, F> {
    /// Starts from the partition as it is. `min_isr` is the effective one; `rules` says whether and when the last
    /// known leader is remembered, whether it must be live, and whether a shrink bumps the leader epoch.
    pub fn new(
        partition: &'a PartitionState,
        acceptable: F,
        rules: &'a Rules,
        min_isr: u32,
        elr_enabled: bool,
    ) -> Self {
        PartitionChangeBuilder {
            partition,
            acceptable,
            rules,
            min_isr,
            elr_enabled,
            election: ElectionType::Online,
            target_isr: partition.isr.clone(),
            target_replicas: partition.replicas.clone(),
            target_adding: partition.adding.clone(),
            target_removing: partition.removing.clone(),
            target_elr: partition.elr.clone(),
            target_last_known_elr: partition.last_known_elr.clone(),
            target_recovery: partition.recovery,
            unclean_shutdown: BrokerSet::new(),
        }
    }

    /// Sets the kind of election.
    pub fn election(mut self, election: ElectionType) -> Self {
        self.election = election;
        self
    }

    /// Sets the ISR that is wanted.
    pub fn target_isr(mut self, isr: BrokerSet) -> Self {
        self.target_isr = isr;
        self
    }

    /// Sets the assignment that is wanted.
    pub fn target_replicas(mut self, replicas: Vec<BrokerId>) -> Self {
        self.target_replicas = replicas;
        self
    }

    /// Sets the replicas that are to be added.
    pub fn target_adding(mut self, adding: Vec<BrokerId>) -> Self {
        self.target_adding = adding;
        self
    }

    /// Sets the replicas that are to be removed.
    pub fn target_removing(mut self, removing: Vec<BrokerId>) -> Self {
        self.target_removing = removing;
        self
    }

    /// Sets the recovery state that an AlterPartition carries.
    pub fn target_recovery(mut self, recovery: Recovery) -> Self {
        self.target_recovery = recovery;
        self
    }

    /// Names the brokers that shut down uncleanly: they leave the ELR.
    pub fn unclean_shutdown(mut self, brokers: BrokerSet) -> Self {
        self.unclean_shutdown = brokers;
        self
    }

    /// `electLeader`: who would win as the targets stand, without changing anything.
    pub fn elect(&self) -> ElectionResult {
        let current = self.partition.leader.filter(|b| self.is_valid(*b));
        let in_order = || {
            self.target_replicas
                .iter()
                .copied()
                .find(|b| self.is_valid(*b))
        };
        let preferred = match self.election {
            ElectionType::Preferred => self.target_replicas.first().copied(),
            _ => None,
        };
        let valid = preferred
            .filter(|b| self.is_valid(*b))
            .or(current)
            .or_else(in_order);
        if let Some(leader) = valid {
            let how = match self.target_isr.contains(leader) {
                true => Election::FromIsr,
                false => Election::FromElr,
            };
            return ElectionResult {
                leader: Some(leader),
                how,
            };
        }
        if let Some(leader) = self.last_known_leader() {
            return ElectionResult {
                leader: Some(leader),
                how: Election::LastKnownLeader,
            };
        }
        let any = match self.election {
            ElectionType::Unclean => self
                .target_replicas
                .iter()
                .copied()
                .find(|b| (self.acceptable)(*b)),
            _ => None,
        };
        ElectionResult {
            leader: any,
            how: any.map_or(Election::NoLeader, |_| Election::Unclean),
        }
    }

    /// `build`, in Kafka's order. `None` = nothing changes, no record is written.
    pub fn build(mut self) -> Option<BuiltChange> {
        let mut change = PartitionChange::default();
        self.complete_reassignment();
        self.populate_target_elr();
        let election = self.try_election(&mut change);
        self.bump_epoch_for_removed_replica(&mut change);
        self.record_elr(&mut change);
        self.record_isr(&mut change);
        self.bump_epoch_for_isr_shrink(&mut change);
        self.record_last_known_leader(&mut change);
        self.record_assignment(&mut change);
        if self.target_recovery != self.partition.recovery {
            change.recovery = Some(self.target_recovery);
        }
        (!change.is_no_op()).then_some(BuiltChange { change, election })
    }

    /// `isValidNewLeader`: acceptable, and in the ISR, or in the ELR when the ISR is empty.
    fn is_valid(&self, broker: BrokerId) -> bool {
        let member = self.target_isr.contains(broker)
            || (self.target_isr.is_empty() && self.target_elr.contains(broker));
        member && (self.acceptable)(broker)
    }

    /// `canElectLastKnownLeader`. Happens even with unclean election off, once ISR and ELR are empty.
    fn last_known_leader(&self) -> Option<BrokerId> {
        let remembered = self.elr_enabled && self.rules.last_known_leader != LastKnownLeader::Off;
        if !remembered || !self.target_isr.is_empty() || !self.target_elr.is_empty() {
            return None;
        }
        let [leader] = self.partition.last_known_elr.as_slice() else {
            return None;
        };
        // 4.0 forgot to look whether it is live (KAFKA-19522).
        let live = (self.acceptable)(*leader) || !self.rules.last_known_leader_must_be_live;
        live.then_some(*leader)
    }

    fn complete_reassignment(&mut self) {
        let Some(done) = maybe_complete_reassignment(
            &self.target_replicas,
            &self.target_adding,
            &self.target_removing,
            &self.target_isr,
        ) else {
            return;
        };
        self.target_replicas = done.replicas;
        self.target_isr = done.isr;
        self.target_adding.clear();
        self.target_removing.clear();
    }

    /// `maybePopulateTargetElr`: who leaves the ISR while it is below min ISR stays eligible.
    fn populate_target_elr(&mut self) {
        if !self.elr_enabled {
            return;
        }
        if self.target_isr.len() as u64 >= u64::from(self.min_isr) {
            self.target_elr = BrokerSet::new();
            self.target_last_known_elr.clear();
            return;
        }
        let candidates = self.target_elr.union(&self.partition.isr);
        self.target_elr = candidates
            .minus(&self.target_isr)
            .minus(&self.unclean_shutdown);
        let known: BrokerSet = self.target_last_known_elr.iter().copied().collect();
        self.target_last_known_elr = candidates
            .union(&known)
            .minus(&self.target_isr)
            .minus(&self.target_elr)
            .iter()
            .collect();
    }

    fn try_election(&mut self, change: &mut PartitionChange) -> Election {
        let result = self.elect();
        if result.leader == self.partition.leader {
            return Election::None;
        }
        change.leader = Some(result.leader);
        let Some(winner) = result.leader else {
            return result.how;
        };
        let alone: BrokerSet = [winner].into_iter().collect();
        if self.target_elr.remove(winner) {
            self.target_isr = alone.clone();
        }
        if result.unclean() {
            change.isr = Some(alone);
            if self.partition.recovery != Recovery::Recovering {
                change.recovery = Some(Recovery::Recovering);
            }
        }
        result.how
    }

    /// Brokers must notice that a replica is gone, so the leader epoch moves even if the leader stays.
    fn bump_epoch_for_removed_replica(&self, change: &mut PartitionChange) {
        let old = &self.partition.replicas;
        let removed = old.iter().any(|b| !self.target_replicas.contains(b));
        if change.leader.is_none() && removed {
            change.leader = Some(self.partition.leader);
        }
    }

    fn record_elr(&mut self, change: &mut PartitionChange) {
        // Up to here only an unclean election has set the ISR.
        let unclean = change.isr.is_some();
        if unclean || !self.elr_enabled {
            self.target_elr = BrokerSet::new();
            self.target_last_known_elr.clear();
        }
        if self.target_elr != self.partition.elr {
            change.elr = Some(self.target_elr.clone());
        }
        let off = self.rules.last_known_leader == LastKnownLeader::Off;
        if off && self.target_last_known_elr != self.partition.last_known_elr {
            change.last_known_elr = Some(self.target_last_known_elr.clone());
        }
    }

    /// With ELR off an ISR is never emptied: the last member stays listed while nobody leads.
    fn record_isr(&self, change: &mut PartitionChange) {
        let may_be_empty = self.elr_enabled || !self.target_isr.is_empty();
        if change.isr.is_none() && may_be_empty && self.target_isr != self.partition.isr {
            change.isr = Some(self.target_isr.clone());
        }
    }

    /// KAFKA-15021: before metadata version 3.6 brokers needed the bump to notice a shrink.
    fn bump_epoch_for_isr_shrink(&self, change: &mut PartitionChange) {
        let Some(isr) = &change.isr else { return };
        let shrinks = self.partition.isr.iter().any(|b| !isr.contains(b));
        if self.rules.leader_epoch_bump_on_isr_shrink && change.leader.is_none() && shrinks {
            change.leader = Some(self.partition.leader);
        }
    }

    /// `maybeUpdateLastKnownLeader`.
    fn record_last_known_leader(&self, change: &mut PartitionChange) {
        if !self.elr_enabled {
            return;
        }
        let known = &self.partition.last_known_elr;
        let previous = self.partition.leader;
        let becomes_leaderless = match self.rules.last_known_leader {
            LastKnownLeader::Off => return,
            LastKnownLeader::ByLeader => change.leader == Some(None) && known.is_empty(),
            LastKnownLeader::ByEmptyIsr => {
                let emptied = change.isr.as_ref().is_some_and(BrokerSet::is_empty);
                emptied && known.as_slice() != previous.as_slice()
            }
        };
        let has_leader = match change.leader {
            Some(leader) => leader.is_some(),
            None => previous.is_some(),
        };
        if becomes_leaderless {
            change.last_known_elr = previous.map(|leader| vec![leader]);
        } else if has_leader && !known.is_empty() {
            change.last_known_elr = Some(Vec::new());
        }
    }

    fn record_assignment(&self, change: &mut PartitionChange) {
        let changed =
            |target: &Vec<BrokerId>, old: &Vec<BrokerId>| (target != old).then(|| target.clone());
        if !self.target_replicas.is_empty() {
            change.replicas = changed(&self.target_replicas, &self.partition.replicas);
        }
        change.adding = changed(&self.target_adding, &self.partition.adding);
        change.removing = changed(&self.target_removing, &self.partition.removing);
    }
}
