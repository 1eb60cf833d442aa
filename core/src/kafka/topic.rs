//! What a client can ask of the controller about the topic: its two configs, and elections.

use super::ids::BrokerId;

/// The topic's configs as the active controller resolves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicConfig {
    /// `min.insync.replicas`, as configured (not capped).
    pub min_insync_replicas: u32,
    /// `unclean.leader.election.enable`.
    pub unclean_leader_election: bool,
}

/// A config change (`IncrementalAlterConfigs` of the topic).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfigChange {
    /// `min.insync.replicas` of the topic.
    MinInsyncReplicas(u32),
    /// `unclean.leader.election.enable` of the topic.
    UncleanLeaderElection(bool),
}

/// Which election is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElectionKind {
    /// ElectLeaders, preferred.
    Preferred,
    /// ElectLeaders, unclean.
    Unclean,
    /// A clean election of that broker (a member of the ISR, or of the ELR when the ISR is empty).
    Named(BrokerId),
}
