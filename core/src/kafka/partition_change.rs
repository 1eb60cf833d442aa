//! `PartitionChangeRecord`: what the controller writes about the partition, and what applying it makes of it.

use super::ids::{BrokerId, BrokerSet};
use super::partition::{PartitionState, Recovery};

/// `PartitionChangeRecord`: the fields that change; a field that is `None` stays as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionChange {
    /// The leader. Set, even to the same broker, it bumps the leader epoch.
    pub leader: Option<Option<BrokerId>>,
    /// The ISR.
    pub isr: Option<BrokerSet>,
    /// The ELR.
    pub elr: Option<BrokerSet>,
    /// The last known ELR.
    pub last_known_elr: Option<Vec<BrokerId>>,
    /// The assignment.
    pub replicas: Option<Vec<BrokerId>>,
    /// Replicas being added.
    pub adding: Option<Vec<BrokerId>>,
    /// Replicas being removed.
    pub removing: Option<Vec<BrokerId>>,
    /// The recovery state.
    pub recovery: Option<Recovery>,
}

impl PartitionChange {
    /// `PartitionChangeBuilder.changeRecordIsNoOp`.
    pub fn is_no_op(&self) -> bool {
        *self == PartitionChange::default()
    }

    /// `PartitionRegistration.merge`: partition epoch + 1; leader epoch + 1 exactly when the leader field is set.
    pub fn merge_into(&self, before: &PartitionState) -> PartitionState {
        let mut after = before.clone();
        after.partition_epoch = before.partition_epoch.next();
        if let Some(leader) = self.leader {
            after.leader = leader;
            after.leader_epoch = before.leader_epoch.next();
        }
        after.isr = self.isr.clone().unwrap_or(after.isr);
        after.elr = self.elr.clone().unwrap_or(after.elr);
        after.last_known_elr = self.last_known_elr.clone().unwrap_or(after.last_known_elr);
        after.replicas = self.replicas.clone().unwrap_or(after.replicas);
        after.adding = self.adding.clone().unwrap_or(after.adding);
        after.removing = self.removing.clone().unwrap_or(after.removing);
        after.recovery = self.recovery.unwrap_or(after.recovery);
        after
    }
}
