//! A broker: its process, its registration, what it knows of the cluster, its replica's log and its role.

use super::context::Context;
use super::follower::Follower;
use super::ids::{BrokerEpoch, BrokerId, BrokerSet, MessageId, Millis, Offset};
use super::leader::Leader;
use super::log::Log;
use super::message::{FetchRequest, MetadataImage, Node};

/// Where a broker's process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Process {
    /// Not running.
    Down,
    /// Running, not registered yet.
    Registering,
    /// Running and registered.
    Running,
    /// In controlled shutdown: still serving, waiting for the controller's leave.
    ShuttingDown,
}

/// What a broker is for the partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// No metadata yet, not a replica, or down.
    None,
    /// It leads.
    Leader(Box<Leader>),
    /// It follows (or waits for a leader).
    Follower(Follower),
}

/// A fetch that waits for data (`DelayedFetch`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParkedFetch {
    /// The request.
    pub request: MessageId,
    /// Who asked.
    pub from: Node,
    /// What it asked.
    pub fetch: FetchRequest,
    /// Since when it waits.
    pub since: Millis,
    /// When it is answered at the latest.
    pub until: Millis,
}

/// The `replication-offset-checkpoint` file, written every `replica.high.watermark.checkpoint.interval.ms`.
/// Kept as what the file would hold, so that no timer is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HwCheckpoint {
    /// The HW as of the last writing before the last change.
    written: Offset,
    /// When the HW changed last.
    changed_at: Millis,
}

/// A broker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Broker {
    /// Its id.
    pub id: BrokerId,
    /// Its process.
    pub process: Process,
    /// Counts its process starts.
    pub incarnation: u32,
    /// Its broker epoch, once registered.
    pub epoch: Option<BrokerEpoch>,
    /// The epoch in `.kafka_cleanshutdown`, if the file is there.
    pub clean_shutdown: Option<BrokerEpoch>,
    /// When a fenced restart overrides what the file proves (a script's `clean=`): used at the next registration.
    pub registration_override: Option<bool>,
    /// The metadata it has applied.
    pub metadata: MetadataImage,
    /// Its replica's log, on disk and in the page cache.
    pub log: Log,
    /// Its HW checkpoint file.
    pub checkpoint: HwCheckpoint,
    /// Its role.
    pub role: Role,
    /// Fetches that wait here.
    pub parked_fetches: Vec<ParkedFetch>,
    /// How long it waits before each fetch (a script's slow follower).
    pub fetch_delay: Millis,
    /// The most records that it takes from one answer (a script's slow follower); none = all.
    pub fetch_limit: Option<u64>,
    /// Registration attempts since the process start.
    pub registration_attempts: u32,
    /// The registration on its way.
    pub registration_in_flight: Option<MessageId>,
    /// The AlterPartition request that is not answered yet (`DefaultAlterPartitionManager.inflightRequest`). It outlives the
    /// proposal that it carries: until it is answered, or given up, nothing else can be proposed.
    pub alter_partition_in_flight: Option<MessageId>,
    /// The heartbeat on its way.
    pub heartbeat_in_flight: Option<MessageId>,
    /// Whether it has asked to be unfenced since it registered.
    pub announced: bool,
    /// Whether the controller has answered the wish to shut down once.
    pub shutdown_heard: bool,
}

impl HwCheckpoint {
    /// A file that holds `hw`.
    pub fn of(hw: Offset) -> HwCheckpoint {
        HwCheckpoint {
            written: hw,
            changed_at: Millis(0),
        }
    }

    /// Notes that the HW changes now from `from`.
    pub fn hw_changes(&mut self, interval: Millis, now: Millis, from: Offset) {
        if self.period(interval, now) > self.period(interval, self.changed_at) {
            self.written = from;
        }
        self.changed_at = now;
    }

    /// What the file holds now, when the HW is `hw`.
    pub fn content(&self, interval: Millis, now: Millis, hw: Offset) -> Offset {
        if self.period(interval, now) > self.period(interval, self.changed_at) {
            hw
        } else {
            self.written
        }
    }

    /// What was last written: all that matters of a broker that is down.
    pub fn written(&self) -> Offset {
        self.written
    }

    fn period(&self, interval: Millis, at: Millis) -> u64 {
        at.0 / interval.0.max(1)
    }
}

impl Broker {
    /// A broker that runs and is registered, with an empty log and no metadata yet.
    pub fn new(id: BrokerId, epoch: BrokerEpoch) -> Broker {
        Broker {
            id,
            process: Process::Running,
            incarnation: 0,
            epoch: Some(epoch),
            clean_shutdown: None,
            registration_override: None,
            metadata: MetadataImage::default(),
            log: Log::new(Offset(0)),
            checkpoint: HwCheckpoint::default(),
            role: Role::None,
            parked_fetches: Vec::new(),
            fetch_delay: Millis(0),
            fetch_limit: None,
            registration_attempts: 0,
            registration_in_flight: None,
            alter_partition_in_flight: None,
            heartbeat_in_flight: None,
            announced: true,
            shutdown_heard: false,
        }
    }

    /// Whether its process runs (also while it registers or shuts down).
    pub fn is_up(&self) -> bool {
        self.process != Process::Down
    }

    /// The leader's state, when it leads.
    pub fn leader(&self) -> Option<&Leader> {
        match &self.role {
            Role::Leader(leader) => Some(leader),
            _ => None,
        }
    }

    /// The leader's state, to change it.
    pub fn leader_mut(&mut self) -> Option<&mut Leader> {
        match &mut self.role {
            Role::Leader(leader) => Some(leader),
            _ => None,
        }
    }

    /// The follower's state, when it follows.
    pub fn follower(&self) -> Option<&Follower> {
        match &self.role {
            Role::Follower(follower) => Some(follower),
            _ => None,
        }
    }

    /// The effective min ISR as this broker resolves it (`Partition.effectiveMinIsr`, rules 1.3).
    pub fn effective_min_isr(&self, context: &Context<'_>) -> u32 {
        let configured = self.metadata.min_insync_replicas;
        if context.rules().min_isr_capped_at_rf {
            let replicas = self
                .leader()
                .map_or(self.metadata.partition.replicas.len(), |l| l.replicas.len());
            configured.min(u32::try_from(replicas).unwrap_or(u32::MAX))
        } else {
            configured
        }
    }

    /// The LEO of its log.
    pub fn leo(&self) -> Offset {
        self.log.leo()
    }

    /// The HW of its replica.
    pub fn hw(&self) -> Offset {
        self.log.hw()
    }

    /// What its `replication-offset-checkpoint` holds now.
    pub fn checkpointed_hw(&self, context: &Context<'_>) -> Offset {
        if self.is_up() {
            self.checkpoint.content(
                context.settings.hw_checkpoint_interval,
                context.now,
                self.log.hw(),
            )
        } else {
            self.checkpoint_on_disk()
        }
    }

    /// The committed ISR that it knows as leader; empty when it does not lead.
    pub fn committed_isr(&self) -> BrokerSet {
        self.leader()
            .map(|l| l.committed_isr.clone())
            .unwrap_or_default()
    }
}
