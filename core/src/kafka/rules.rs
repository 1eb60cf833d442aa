//! The rules of a Kafka version as data: one named field a rule. No transition asks for a version number.

use core::fmt;

/// A Kafka version that the model knows; each is a constant set of [`Rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// 0.10: truncate to the HW.
    V0_10,
    /// 0.11: KIP-101.
    V0_11,
    /// 2.0: KIP-279.
    V2_0,
    /// 2.8: truncation inside fetch, AlterIsr.
    V2_8,
    /// 3.6: KRaft, no HW freeze, raw min ISR.
    V3_6,
    /// 3.7: HW freeze below min ISR, effective min ISR.
    V3_7,
    /// 4.0: ELR available, off by default.
    V4_0,
    /// 4.1: ELR on in new clusters.
    V4_1,
    /// 4.2 and later (to 4.4): last known leader by leader, not by empty ISR.
    V4_2,
}

impl Version {
    /// Every version, oldest first.
    pub const ALL: [Version; 9] = [
        Version::V0_10,
        Version::V0_11,
        Version::V2_0,
        Version::V2_8,
        Version::V3_6,
        Version::V3_7,
        Version::V4_0,
        Version::V4_1,
        Version::V4_2,
    ];

    /// The name as settings, links and scripts write it.
    pub fn name(self) -> &'static str {
        match self {
            Version::V0_10 => "0.10",
            Version::V0_11 => "0.11",
            Version::V2_0 => "2.0",
            Version::V2_8 => "2.8",
            Version::V3_6 => "3.6",
            Version::V3_7 => "3.7",
            Version::V4_0 => "4.0",
            Version::V4_1 => "4.1",
            Version::V4_2 => "4.4",
        }
    }

    /// The model's version for a release such as `4.4.0` or `0.10.2.2`: the newest listed one that is not newer
    /// than the release. `None` for text that is no release number or older than 0.10.
    pub fn of_release(release: &str) -> Option<Version> {
        let mut parts = release.split('.').map(|part| part.parse::<u32>().ok());
        let major = parts.next()??;
        let minor = parts.next().unwrap_or(Some(0))?;
        if parts.any(|part| part.is_none()) {
            return None;
        }
        let found = match (major, minor) {
            (0, 10) => Version::V0_10,
            (0, 11) | (1, _) => Version::V0_11,
            (2, 0..=6) => Version::V2_0,
            (2, _) => Version::V2_8,
            (3, 0..=6) => Version::V3_6,
            (3, _) => Version::V3_7,
            (4, 0) => Version::V4_0,
            (4, 1) => Version::V4_1,
            (4, _) => Version::V4_2,
            _ => return None,
        };
        Some(found)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a replica makes its log agree with a new leader's (rules 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truncation {
    /// Up to 0.10.2: cut to the own HW when becoming follower (`ReplicaManager.makeFollowers`).
    HighWatermark,
    /// KIP-101 (0.11): ask the leader for the end of the own last epoch; the answer carries an offset only.
    LeaderEpoch,
    /// KIP-279 (2.0): the answer carries the epoch too; ask again until it is known.
    LeaderEpochAndOffset,
    /// KAFKA-10554 (2.8): the fetch carries `lastFetchedEpoch`, the leader answers with `divergingEpoch`.
    InFetch,
}

/// Who keeps the partition's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ControllerKind {
    /// Before 3.0 (rules 5.8): the leader writes the ISR itself.
    ZooKeeper,
    /// KRaft: the leader proposes, the controller decides (AlterPartition, KIP-497).
    KRaft,
}

/// When the last known leader is remembered and may be elected (rules 5.1 item 8, 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LastKnownLeader {
    /// Never.
    Off,
    /// 4.0 and 4.1: remembered when the ISR becomes empty.
    ByEmptyIsr,
    /// 4.2+: remembered when the leader becomes none.
    ByLeader,
}

/// One named field a rule. A Kafka version is a constant of this; the checker and some cases switch single rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rules {
    /// How logs are made to agree.
    pub truncation: Truncation,
    /// KIP-320 (2.1): fetch and truncation carry the leader epoch and are fenced by it.
    pub epoch_fencing: bool,
    /// KAFKA-7415 (2.0): a leader notes (epoch, LEO) in its cache at election, before anything is written.
    pub epoch_recorded_at_election: bool,
    /// 2.1: a replica joins the ISR only from `leaderEpochStartOffset` on (`Partition.isFollowerInSync`).
    pub epoch_start_rule: bool,
    /// 2.7 (KIP-497): the HW and acks count a proposed member before the controller agreed (`maximalIsr`).
    pub maximal_isr: bool,
    /// 3.5 (KIP-903): a joining replica's broker epoch must be the registered one.
    pub broker_epoch_check: bool,
    /// 3.3 (KIP-841): fenced and shutting-down replicas stay out of the ISR.
    pub fenced_kept_out_of_isr: bool,
    /// 3.7 (KAFKA-15583): the HW stands still while the committed ISR is below the effective min ISR.
    pub hw_gated_by_min_isr: bool,
    /// 3.7: min.insync.replicas counts as at most the number of replicas.
    pub min_isr_capped_at_rf: bool,
    /// Who keeps the state.
    pub controller: ControllerKind,
    /// Whether the version has ELR at all (4.0+); the setting switches it on.
    pub elr_available: bool,
    /// When the last known leader is remembered.
    pub last_known_leader: LastKnownLeader,
    /// KAFKA-19522 (4.1): a fenced last known leader is not elected. False = 4.0's fault.
    pub last_known_leader_must_be_live: bool,
    /// An ISR shrink also bumps the leader epoch (metadata version below 3.6-IV0, KAFKA-15021).
    pub leader_epoch_bump_on_isr_shrink: bool,
    /// KAFKA-18723 (4.1, 4.0.1): a follower skips batches of an epoch higher than its own.
    pub higher_epoch_batches_skipped: bool,
    /// 2.4 and 2.5 (KAFKA-8443): an advanced HW wakes parked follower fetches.
    pub hw_wakes_follower_fetch: bool,
    /// Whether the controller reads `unclean.leader.election.enable`. The ZooKeeper controller did; the KRaft one does since
    /// 3.9 (KAFKA-12670), and before that only an ElectLeaders call elected uncleanly (seen on 3.6.2 and 3.7.2).
    pub unclean_election_config: bool,
    /// 3.9 (KAFKA-12670): the controller looks for leaderless partitions with unclean election on a timer.
    pub unclean_election_timer: bool,
    /// An unclean registration leaves the ELR (KIP-966; 4.0+).
    pub unclean_registration_leaves_elr: bool,
    /// 0.10: a follower longer than its leader exits instead of truncating when unclean election is off.
    pub exits_rather_than_truncate: bool,
    /// Kafka 0.8.2 and older (removed by KIP-16): a follower this many records behind leaves the ISR.
    pub replica_lag_max_messages: Option<u64>,
    /// A leader answers OffsetsForLeaderEpoch for an epoch above all that it knows with its latest epoch and its LEO, as the
    /// published models of KIP-279 have it. No release does: the answer is "undefined", and the follower cuts to its HW.
    pub higher_epoch_answered: bool,
    /// KIP-392 (2.4): the leader sends a consumer to the replica of its rack.
    pub preferred_read_replica: bool,
    /// KIP-207 (2.2): `ListOffsets(latest)` answers OFFSET_NOT_AVAILABLE while HW < leader epoch start.
    pub offset_not_available: bool,
}

impl Rules {
    /// The rules of a version.
    pub fn of(version: Version) -> Rules {
        let since = |first: Version| version >= first;
        Rules {
            truncation: match version {
                Version::V0_10 => Truncation::HighWatermark,
                Version::V0_11 => Truncation::LeaderEpoch,
                Version::V2_0 => Truncation::LeaderEpochAndOffset,
                _ => Truncation::InFetch,
            },
            epoch_fencing: since(Version::V2_8),
            epoch_recorded_at_election: since(Version::V2_0),
            epoch_start_rule: since(Version::V2_8),
            maximal_isr: since(Version::V2_8),
            broker_epoch_check: since(Version::V3_6),
            fenced_kept_out_of_isr: since(Version::V3_6),
            hw_gated_by_min_isr: since(Version::V3_7),
            min_isr_capped_at_rf: since(Version::V3_7),
            controller: if since(Version::V3_6) {
                ControllerKind::KRaft
            } else {
                ControllerKind::ZooKeeper
            },
            elr_available: since(Version::V4_0),
            last_known_leader: match version {
                Version::V4_0 | Version::V4_1 => LastKnownLeader::ByEmptyIsr,
                Version::V4_2 => LastKnownLeader::ByLeader,
                _ => LastKnownLeader::Off,
            },
            last_known_leader_must_be_live: since(Version::V4_1),
            leader_epoch_bump_on_isr_shrink: !since(Version::V3_6),
            higher_epoch_batches_skipped: since(Version::V4_1),
            hw_wakes_follower_fetch: false,
            unclean_election_config: !since(Version::V3_6) || since(Version::V4_0),
            unclean_election_timer: since(Version::V4_0),
            unclean_registration_leaves_elr: since(Version::V4_0),
            exits_rather_than_truncate: version == Version::V0_10,
            replica_lag_max_messages: None,
            higher_epoch_answered: false,
            preferred_read_replica: since(Version::V2_8),
            offset_not_available: since(Version::V2_8),
        }
    }
}
