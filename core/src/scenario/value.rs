//! A scenario as a value: settings, an optional start section, and the steps that come from outside.

use crate::kafka::error::KafkaError;
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset, PartitionEpoch};
use crate::kafka::message::Node;
use crate::kafka::partition::Recovery;
use crate::kafka::settings::{Acks, Isolation, Settings};

pub use crate::kafka::topic::{ConfigChange, ElectionKind};

/// A script under settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// One line, for people; may be empty.
    pub title: String,
    /// What the run is set to.
    pub settings: Settings,
    /// The state it starts from; none = empty logs, all brokers up and in the ISR, the first replica leads epoch 0.
    pub start: Option<Start>,
    /// What happens from outside, in order.
    pub steps: Vec<Step>,
}

/// The state that a run starts from. It is frozen: nothing is fetched before the first step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The leader; none = nobody leads.
    pub leader: Option<BrokerId>,
    /// The leader epoch.
    pub leader_epoch: LeaderEpoch,
    /// The partition epoch.
    pub partition_epoch: PartitionEpoch,
    /// The controller's ISR.
    pub isr: BrokerSet,
    /// The controller's ELR.
    pub elr: BrokerSet,
    /// The controller's last known ELR.
    pub last_known_elr: Vec<BrokerId>,
    /// The recovery state.
    pub recovery: Recovery,
    /// Per replica what is on its disk; a replica that is not named has an empty log and is up.
    pub replicas: Vec<StartReplica>,
    /// The first offset of a transaction that is open.
    pub open_transaction: Option<Offset>,
}

/// One replica at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartReplica {
    /// The broker.
    pub broker: BrokerId,
    /// Its log as ranges: each epoch with the number of records written in it. Offsets begin at `log_start`.
    pub log: Vec<(LeaderEpoch, u64)>,
    /// Where its log begins.
    pub log_start: Offset,
    /// Entries of its epoch cache that differ from those of its log (an epoch without records); none = from the log.
    pub epochs: Option<Vec<(LeaderEpoch, Offset)>>,
    /// Its HW.
    pub hw: Offset,
    /// Whether its process is down.
    pub down: bool,
    /// Whether it was stopped cleanly (only when it is down).
    pub clean: bool,
}

/// When a step is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At an instant since the start of the run.
    At(Millis),
    /// So long after the step before was carried out.
    After(Millis),
    /// When the step before is done and nothing has changed for `Settings::settle`.
    Settled,
}

/// One step of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub when: When,
    /// What.
    pub action: Action,
}

/// A produce call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Produce {
    /// How many records the batch has; they are numbered on through the script.
    pub records: u64,
    /// acks; none = as set.
    pub acks: Option<Acks>,
    /// The broker it is sent to; none = the leader that the producer knows.
    pub to: Option<BrokerId>,
    /// The request's timeout; none = as set.
    pub timeout: Option<Millis>,
    /// A name to await, to retry, or to read its answer by.
    pub id: Option<String>,
    /// The idempotent producer by name.
    pub producer: Option<String>,
    /// The first sequence number of that producer; none = the next.
    pub sequence: Option<u32>,
    /// The call whose batch is sent again, unchanged.
    pub retry_of: Option<String>,
    /// The request is lost before it reaches the broker.
    pub lose_request: bool,
    /// The client closes before the answer arrives.
    pub lose_response: bool,
    /// It belongs to the open transaction.
    pub transactional: bool,
}

/// What happens from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A producer sends one batch.
    Produce(Produce),
    /// `rounds` rounds of a follower's fetch: request to the leader, answer back. With `lose_response` the answers
    /// are lost and the follower asks again with the same offset. Only of effect while its fetching is held.
    Fetch {
        /// The follower.
        broker: BrokerId,
        /// How many rounds.
        rounds: u32,
        /// The answers are lost.
        lose_response: bool,
    },
    /// From now on the follower's fetch requests are held before they reach the leader.
    PauseFetch(BrokerId),
    /// They flow freely.
    ResumeFetch(BrokerId),
    /// The follower waits so long before each fetch (0 = as fast as it can).
    SlowFetch {
        /// The follower.
        broker: BrokerId,
        /// The wait.
        delay: Millis,
    },
    /// From now on the follower takes at most so many records of one fetch's answer (none = all of them). As with
    /// `replica.fetch.max.bytes` the first batch is taken whole even when it is larger; records that were there at the
    /// start count as batches of one.
    LimitFetch {
        /// The follower.
        broker: BrokerId,
        /// The most records of one answer.
        records: Option<u64>,
    },
    /// Resume, and wait until its LEO equals the leader's.
    CatchUp(BrokerId),
    /// Controlled shutdown.
    Stop(BrokerId),
    /// SIGKILL; the controller is not told.
    Kill(BrokerId),
    /// SIGKILL, and the log above `keep` is gone (it was not flushed).
    PowerLoss {
        /// The broker.
        broker: BrokerId,
        /// The LEO that is left.
        keep: Offset,
    },
    /// The process is back. Waits until it is unfenced unless `wait` is false.
    Start {
        /// The broker.
        broker: BrokerId,
        /// Overrides what the registration proves: true = clean.
        clean: Option<bool>,
        /// Whether the step lasts until the broker is unfenced.
        wait: bool,
    },
    /// The process stops and starts with its log intact, unnoticed by the controller (the pre-registration era's bounce).
    Bounce {
        /// The broker.
        broker: BrokerId,
        /// The LEO that is left; none = all of it.
        keep: Option<Offset>,
    },
    /// Cuts all links to brokers and controller (clients still reach it).
    Isolate(BrokerId),
    /// Heals all links of the broker.
    Heal(BrokerId),
    /// Heals every link.
    HealAll,
    /// Cuts the broker off from the controller only.
    CutController(BrokerId),
    /// Heals it.
    HealController(BrokerId),
    /// Cuts the link between two nodes, both ways.
    Cut(Node, Node),
    /// Heals it.
    HealLink(Node, Node),
    /// Sets the latency from one node to another (one way).
    Slow {
        /// From here.
        from: Node,
        /// To there.
        to: Node,
        /// One way.
        latency: Millis,
    },
    /// Holds every message from one node to another, in order.
    Hold {
        /// From here.
        from: Node,
        /// To there.
        to: Node,
    },
    /// Lets held messages go: `count` of them, or all and from now on freely.
    Release {
        /// From here.
        from: Node,
        /// To there.
        to: Node,
        /// How many; none = all, and the hold ends.
        count: Option<u32>,
    },
    /// Loses the next message from one node to another.
    LoseNext {
        /// From here.
        from: Node,
        /// To there.
        to: Node,
    },
    /// The controller's process ends.
    KillController,
    /// It is back.
    StartController,
    /// AlterPartition requests of that broker are held.
    HoldAlterPartition(BrokerId),
    /// They are let through.
    ReleaseAlterPartition(BrokerId),
    /// The answers to AlterPartition requests of that broker are lost while this is on.
    LoseAlterPartitionResponse(BrokerId),
    /// The controller ends that broker's session now, although it is alive. It stays fenced until `Unfence`.
    Fence(BrokerId),
    /// Lets the broker's heartbeats unfence it again.
    Unfence(BrokerId),
    /// Metadata to a broker is held.
    HoldMetadata(BrokerId),
    /// Delivers so many held metadata changes to a broker (none = all, and the hold ends), as one batch: it takes the role
    /// that the last of them gives it, and none of those before.
    DeliverMetadata {
        /// The broker.
        broker: BrokerId,
        /// How many changes.
        count: Option<u32>,
    },
    /// ElectLeaders, or a forced winner.
    Elect(ElectionKind),
    /// The topic's config changes.
    SetConfig(ConfigChange),
    /// The leader's proposal for this ISR is made and accepted now; where leaders propose by hand (`isr=manual`), the
    /// acting leader sends its AlterPartition for it.
    ProposeIsr(BrokerSet),
    /// The leader's ISR expiration check runs now.
    IsrCheck(BrokerId),
    /// One Fetch without waiting.
    Consume {
        /// The offset.
        offset: Offset,
        /// The broker; none = the leader.
        from: Option<BrokerId>,
        /// The leader epoch that the request carries, if any.
        leader_epoch: Option<LeaderEpoch>,
        /// The isolation level.
        isolation: Isolation,
    },
    /// ListOffsets(latest) at the leader.
    ListOffset {
        /// The isolation level.
        isolation: Isolation,
    },
    /// OffsetsForLeaderEpoch.
    EpochEnd {
        /// The epoch.
        epoch: LeaderEpoch,
        /// The broker; none = the leader.
        broker: Option<BrokerId>,
    },
    /// A transaction begins.
    TransactionBegin,
    /// It ends.
    TransactionEnd {
        /// COMMIT or ABORT.
        commit: bool,
    },
    /// Waits until the controller has ended that broker's session.
    AwaitFenced(BrokerId),
    /// Waits until the broker is unfenced.
    AwaitUnfenced(BrokerId),
    /// Waits until the controller's ISR is this.
    AwaitIsr(BrokerSet),
    /// Waits until the produce call of that name has its answer.
    AwaitAck(String),
    /// Lets time pass.
    Wait(Millis),
    /// Nothing: a moment to look at.
    Check,
}

/// The longest wait of an `Await…` step, after which the run goes on and says so.
pub const AWAIT_LIMIT: Millis = Millis(120_000);

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// It was carried out.
    Done,
    /// It waited [`AWAIT_LIMIT`] and what it waited for did not happen.
    NeverHappened,
    /// The call was answered with an error.
    Error(KafkaError),
    /// It could not be carried out as things were (for example: no broker was running).
    Impossible(&'static str),
}
