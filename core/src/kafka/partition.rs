//! The partition's state as the controller keeps it and publishes it.

use super::ids::{BrokerId, BrokerSet, LeaderEpoch, PartitionEpoch};

/// `leaderRecoveryState` (KIP-704).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Recovery {
    /// The usual state.
    #[default]
    Recovered,
    /// Set by an unclean election until the new leader's next AlterPartition.
    Recovering,
}

impl Recovery {
    /// Kafka's word.
    pub fn name(self) -> &'static str {
        match self {
            Recovery::Recovered => "RECOVERED",
            Recovery::Recovering => "RECOVERING",
        }
    }
}

/// `PartitionRegistration`: what the controller knows of the partition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartitionState {
    /// Assignment order; the first is the preferred leader.
    pub replicas: Vec<BrokerId>,
    /// In-sync replicas.
    pub isr: BrokerSet,
    /// Eligible leader replicas.
    pub elr: BrokerSet,
    /// Last known ELR: in all released versions at most one entry, the last known leader.
    pub last_known_elr: Vec<BrokerId>,
    /// The leader; none = -1.
    pub leader: Option<BrokerId>,
    /// The leader epoch.
    pub leader_epoch: LeaderEpoch,
    /// The partition epoch.
    pub partition_epoch: PartitionEpoch,
    /// The recovery state.
    pub recovery: Recovery,
    /// Replicas being added by a reassignment.
    pub adding: Vec<BrokerId>,
    /// Replicas being removed by a reassignment.
    pub removing: Vec<BrokerId>,
}
