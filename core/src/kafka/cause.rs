//! Why an event happened, as data: the rule, what triggered it, and each number the rule looked at with the event
//! that set it.

use super::ids::{
    BrokerEpoch, BrokerId, BrokerSet, EventId, LeaderEpoch, Millis, Offset, PartitionEpoch,
};
use super::settings::Acks;

/// Why an event happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The rule that was applied.
    pub rule: Rule,
    /// The event that triggered it; none at the start of a run.
    pub trigger: Option<EventId>,
    /// The numbers that the rule looked at, in the order in which it names them.
    pub numbers: Vec<Number>,
}

/// One number that a rule looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// What it is.
    pub quantity: Quantity,
    /// Its value at that moment.
    pub value: Value,
    /// The event that set it; none = it was so from the start, or is a setting.
    pub set_by: Option<EventId>,
}

impl Cause {
    /// A cause by `rule`, triggered by whatever is being handled.
    pub fn of(rule: Rule) -> Cause {
        Cause {
            rule,
            trigger: None,
            numbers: Vec::new(),
        }
    }

    /// Adds a number that the rule looked at; the recorder fills in which event set it.
    pub fn number(mut self, quantity: Quantity, value: impl Into<Value>) -> Cause {
        self.numbers.push(Number {
            quantity,
            value: value.into(),
            set_by: None,
        });
        self
    }

    /// Names the triggering event, when it is not the message or timer being handled.
    pub fn by(mut self, trigger: EventId) -> Cause {
        self.trigger = Some(trigger);
        self
    }

    /// As [`Cause::by`], with the answer of a sink that may record nothing.
    pub fn after(mut self, trigger: Option<EventId>) -> Cause {
        self.trigger = trigger.or(self.trigger);
        self
    }

    /// The value of a quantity in this cause, if it was looked at.
    pub fn value(&self, quantity: Quantity) -> Option<&Value> {
        self.numbers
            .iter()
            .find(|n| n.quantity == quantity)
            .map(|n| &n.value)
    }
}

/// A value of a quantity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An offset; none = unknown (-1).
    Offset(Option<Offset>),
    /// A count or size.
    Count(u64),
    /// An instant or a duration in ms; none = never.
    Millis(Option<Millis>),
    /// A leader epoch; none = unknown.
    LeaderEpoch(Option<LeaderEpoch>),
    /// A partition epoch.
    PartitionEpoch(PartitionEpoch),
    /// A broker epoch; none = not known.
    BrokerEpoch(Option<BrokerEpoch>),
    /// A broker; none = -1.
    Broker(Option<BrokerId>),
    /// A set of brokers.
    Brokers(BrokerSet),
    /// Yes or no.
    Flag(bool),
    /// acks.
    Acks(Acks),
}

macro_rules! value_from {
    ($($from:ty => |$x:ident| $make:expr;)*) => {
        $(impl From<$from> for Value { fn from($x: $from) -> Value { $make } })*
    };
}
value_from! {
    Offset => |x| Value::Offset(Some(x));
    Option<Offset> => |x| Value::Offset(x);
    u64 => |x| Value::Count(x);
    u32 => |x| Value::Count(u64::from(x));
    usize => |x| Value::Count(x as u64);
    Millis => |x| Value::Millis(Some(x));
    Option<Millis> => |x| Value::Millis(x);
    LeaderEpoch => |x| Value::LeaderEpoch(Some(x));
    Option<LeaderEpoch> => |x| Value::LeaderEpoch(x);
    PartitionEpoch => |x| Value::PartitionEpoch(x);
    BrokerEpoch => |x| Value::BrokerEpoch(Some(x));
    Option<BrokerEpoch> => |x| Value::BrokerEpoch(x);
    BrokerId => |x| Value::Broker(Some(x));
    Option<BrokerId> => |x| Value::Broker(x);
    BrokerSet => |x| Value::Brokers(x);
    &BrokerSet => |x| Value::Brokers(x.clone());
    bool => |x| Value::Flag(x);
    Acks => |x| Value::Acks(x);
}

/// What a number is. The quantities that have an owner are tracked: the recorder knows which event set them last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// A replica's LEO.
    Leo(BrokerId),
    /// A replica's HW.
    Hw(BrokerId),
    /// A leader's LSO.
    Lso(BrokerId),
    /// A follower's LEO as its leader knows it.
    FollowerLeo {
        /// Who knows it.
        leader: BrokerId,
        /// Whose LEO.
        follower: BrokerId,
    },
    /// When a follower was last caught up, as its leader knows it.
    LastCaughtUp {
        /// Who knows it.
        leader: BrokerId,
        /// Who was caught up.
        follower: BrokerId,
    },
    /// The committed ISR as a leader knows it.
    CommittedIsr(BrokerId),
    /// The maximal ISR at a leader (committed plus a pending addition; a pending removal still counts).
    MaximalIsr(BrokerId),
    /// `leaderEpochStartOffset` of a leader.
    EpochStart(BrokerId),
    /// The leader epoch that a broker is in.
    BrokerLeaderEpoch(BrokerId),
    /// Whether a broker's process runs.
    Running(BrokerId),
    /// The controller's ISR.
    ControllerIsr,
    /// The controller's ELR.
    Elr,
    /// The controller's last known ELR.
    LastKnownElr,
    /// The controller's leader.
    Leader,
    /// The controller's leader epoch.
    LeaderEpoch,
    /// The controller's partition epoch.
    PartitionEpoch,
    /// A broker's registered epoch.
    BrokerEpoch(BrokerId),
    /// Whether a broker is fenced.
    Fenced(BrokerId),
    /// Whether a broker is in controlled shutdown.
    InControlledShutdown(BrokerId),
    /// The controller's last contact with a broker.
    LastContact(BrokerId),
    /// The effective min ISR.
    MinIsr,
    /// unclean.leader.election.enable.
    UncleanElection,
    /// The consumer's position.
    ConsumerPosition,
    /// acks of a request.
    Acks,
    /// How many replicas there are.
    ReplicationFactor,
    /// The size of an ISR.
    IsrSize,
    /// replica.lag.time.max.ms.
    LagTimeMax,
    /// broker.session.timeout.ms.
    SessionTimeout,
    /// The time-out of a request.
    RequestTimeout,
    /// delivery.timeout.ms.
    DeliveryTimeout,
    /// How long a fetch may wait.
    FetchMaxWait,
    /// How long something waited or was silent.
    Waited,
    /// The wait before the next attempt.
    Backoff,
    /// An offset that a request asked for.
    FetchOffset,
    /// An offset that the HW must reach.
    RequiredOffset,
    /// The leader's HW in a fetch response.
    ResponseHw,
    /// An epoch that a request carried.
    RequestEpoch,
    /// The last fetched epoch of a request.
    LastFetchedEpoch,
    /// The epoch of a divergence.
    DivergingEpoch,
    /// The end offset of a divergence.
    DivergingEnd,
    /// A follower's own end of an epoch.
    OwnEpochEnd,
    /// A sequence number of a batch.
    Sequence,
    /// The sequence number that was expected.
    ExpectedSequence,
    /// How many records.
    Records,
    /// The attempt of a produce call.
    Attempt,
    /// retries.
    Retries,
    /// An offset up to which a log is kept.
    KeepLeo,
    /// The first unstable offset.
    FirstUnstable,
    /// The preferred leader.
    Preferred,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $variant:ident: $source:literal, $kip:expr;)*) => {
        /// A rule of the protocol (or of the model's outside world), by its source.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $($(#[$doc])* $variant,)* }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant,)*];

            /// Kafka's class and method, or the tool or config that acts.
            pub fn source(self) -> &'static str {
                match self { $(Rule::$variant => $source,)* }
            }

            /// The KIP that introduced it, when there is one.
            pub fn kip(self) -> Option<u32> {
                match self { $(Rule::$variant => $kip,)* }
            }

            /// The name in JSON and in scripts' expectations.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$variant => stringify!($variant),)* }
            }
        }
    };
}

rules! {
    /// A step of the script.
    Script: "script", None;
    /// The state that the run starts from.
    Start: "start", None;
    /// A message takes the link's latency.
    Link: "link", None;
    /// A link is cut, or the receiver is down.
    LinkBroken: "link", None;
    /// acks=0: nothing is awaited.
    AcksNone: "ReplicaManager.appendRecords", None;
    /// acks=1: answered after the leader's own append.
    AcksLeader: "ReplicaManager.appendRecords", None;
    /// acks=all: parked until the HW passes the batch.
    AcksAll: "ReplicaManager.delayedProduceRequestRequired", None;
    /// The producer sends to the leader it knows.
    ProducerSend: "Sender.sendProduceRequest", None;
    /// The producer takes an answer.
    ProducerAnswer: "Sender.completeBatch", None;
    /// The producer sends a batch again.
    ProducerRetry: "Sender.canRetry", None;
    /// The producer hears nothing for request.timeout.ms.
    ProducerRequestTimeout: "NetworkClient.handleTimedOutRequests", None;
    /// A batch is older than delivery.timeout.ms.
    ProducerDeliveryTimeout: "ProducerBatch.hasReachedDeliveryTimeout", Some(91);
    /// The leader appends a batch.
    LeaderAppend: "Partition.appendRecordsToLeader", None;
    /// The min-ISR gate before an append.
    MinIsrGate: "Partition.appendRecordsToLeader", None;
    /// acks must be -1, 0 or 1.
    ValidAcks: "ReplicaManager.isValidRequiredAcks", None;
    /// Only the leader takes writes.
    NotLeader: "ReplicaManager.appendToLocalLog", None;
    /// A retried batch is recognised.
    Duplicate: "ProducerStateEntry.findDuplicateBatch", Some(98);
    /// The sequence number must follow.
    SequenceCheck: "ProducerAppendInfo.checkSequence", Some(98);
    /// The producer epoch must not go back.
    ProducerEpochCheck: "ProducerAppendInfo.checkProducerEpoch", Some(98);
    /// The leader's HW: minimum over the maximal ISR and the caught-up eligible replicas.
    LeaderHw: "Partition.maybeIncrementLeaderHW", None;
    /// The HW stands still below min ISR.
    HwFreeze: "Partition.maybeIncrementLeaderHW", Some(966);
    /// A parked produce request is looked at again.
    DelayedProduceCheck: "Partition.checkEnoughReplicasReachOffset", None;
    /// A parked produce request runs out of time.
    DelayedProduceExpired: "DelayedProduce.onExpiration", None;
    /// A parked produce request loses its leader.
    DelayedProduceNotLeader: "Partition.checkEnoughReplicasReachOffset", None;
    /// The ISR is below min after the append.
    NotEnoughAfterAppend: "Partition.checkEnoughReplicasReachOffset", None;
    /// A fetch is read.
    FetchRead: "Partition.readRecords", None;
    /// A fetch of another leader epoch is refused.
    FetchEpochCheck: "Partition.checkCurrentLeaderEpoch", Some(320);
    /// A fetch is asked of a broker that does not lead.
    FetchNotLeader: "Partition.getLocalLog", None;
    /// A fetch outside the log.
    FetchOutOfRange: "LocalLog.read", None;
    /// A fetch whose last epoch does not fit.
    FetchDiverging: "Partition.readRecords", Some(595);
    /// A fetch without enough data waits.
    DelayedFetch: "DelayedFetch.tryComplete", None;
    /// A parked fetch runs out of time.
    DelayedFetchExpired: "DelayedFetch.onExpiration", None;
    /// The leader notes where a follower is.
    FollowerState: "Replica.updateFetchStateOrThrow", None;
    /// The follower was caught up with what the leader had at the previous fetch.
    PreviousFetch: "Replica.updateFetchStateOrThrow", None;
    /// A fetch of an old broker epoch.
    FetchBrokerEpoch: "Replica.updateFetchStateOrThrow", Some(903);
    /// Members that are not caught up leave the ISR.
    IsrShrink: "Partition.maybeShrinkIsr", None;
    /// A replica joins the ISR.
    IsrExpand: "Partition.maybeExpandIsr", None;
    /// The removed count rule.
    LagMessages: "Partition.getOutOfSyncReplicas", Some(16);
    /// The leader takes the controller's answer.
    AlterPartitionAnswer: "Partition.handleAlterPartitionUpdate", Some(497);
    /// The leader takes the controller's refusal.
    AlterPartitionError: "Partition.handleAlterPartitionError", Some(497);
    /// The leader writes the ISR itself (ZooKeeper).
    ZooKeeperIsr: "Partition.maybeShrinkIsr", None;
    /// Metadata makes a broker leader.
    MakeLeader: "Partition.makeLeader", None;
    /// Metadata makes a broker follower.
    MakeFollower: "Partition.makeFollower", None;
    /// Metadata is applied.
    ApplyMetadata: "ReplicaManager.applyDelta", None;
    /// A follower starts to fetch.
    FetcherStart: "AbstractFetcherThread.partitionFetchState", None;
    /// A follower appends what it fetched.
    FollowerAppend: "ReplicaFetcherThread.processPartitionData", None;
    /// A follower takes the HW from the response.
    FollowerHw: "ReplicaFetcherThread.processPartitionData", None;
    /// A follower cuts its log where it diverges.
    FollowerTruncate: "AbstractFetcherThread.getOffsetTruncationState", Some(101);
    /// A follower cuts its log to its HW.
    TruncateToHw: "AbstractFetcherThread.truncateToHighWatermark", None;
    /// A follower is out of range.
    FollowerOutOfRange: "AbstractFetcherThread.fetchOffsetAndTruncate", None;
    /// A follower backs off.
    FetchBackoff: "AbstractFetcherThread.processFetchRequest", None;
    /// A follower gives up until the epoch moves.
    PartitionFenced: "AbstractFetcherThread.onPartitionFenced", None;
    /// A response that came too late is dropped.
    StaleResponse: "AbstractFetcherThread.processFetchRequest", None;
    /// A batch of a higher epoch ends the append.
    HigherEpochBatch: "UnifiedLog.hasHigherPartitionLeaderEpoch", None;
    /// A log is loaded at start.
    LogLoad: "LogLoader.load", None;
    /// The HW of a loaded log is the checkpointed one.
    HwCheckpoint: "ReplicaManager.checkpointHighWatermarks", None;
    /// Records that were not flushed are gone.
    PowerLoss: "log.flush.interval.messages", None;
    /// A broker registers.
    Registration: "ClusterControlManager.registerBroker", Some(631);
    /// A registration while the old session is valid.
    DuplicateRegistration: "ClusterControlManager.registerBroker", Some(631);
    /// A registration that proves, or fails to prove, a clean shutdown.
    ShutdownDetection: "ReplicationControlManager.handleBrokerShutdown", Some(966);
    /// A session expires.
    SessionExpired: "ReplicationControlManager.maybeFenceOneStaleBroker", Some(631);
    /// A broker is fenced.
    Fence: "ReplicationControlManager.handleBrokerFenced", Some(631);
    /// A broker is unfenced.
    Unfence: "ReplicationControlManager.handleBrokerUnfenced", Some(631);
    /// A broker asks to shut down.
    ControlledShutdown: "ReplicationControlManager.handleBrokerInControlledShutdown", Some(631);
    /// A broker may stop.
    ShutdownNow: "BrokerHeartbeatManager.calculateNextBrokerState", Some(631);
    /// The controller validates a proposed ISR.
    AlterPartitionValidation: "ReplicationControlManager.validateAlterPartitionData", Some(497);
    /// A proposed member may not join.
    IneligibleReplica: "ReplicationControlManager.validateAlterPartitionData", Some(841);
    /// A leader is chosen from the ISR.
    ElectFromIsr: "PartitionChangeBuilder.electAnyLeader", None;
    /// A leader is chosen from the ELR.
    ElectFromElr: "PartitionChangeBuilder.electAnyLeader", Some(966);
    /// The last known leader is chosen.
    ElectLastKnownLeader: "PartitionChangeBuilder.canElectLastKnownLeader", Some(966);
    /// The first live replica is chosen.
    ElectUnclean: "PartitionChangeBuilder.electAnyLeader", None;
    /// The preferred leader is chosen.
    ElectPreferred: "PartitionChangeBuilder.electPreferredLeader", None;
    /// Nobody may lead.
    ElectNobody: "PartitionChangeBuilder.electLeader", None;
    /// The ELR is filled or emptied.
    TargetElr: "PartitionChangeBuilder.maybePopulateTargetElr", Some(966);
    /// A change of min.insync.replicas clears the ELR.
    ClearElr: "ConfigurationControlManager.createClearElrRecordsAsNeeded", Some(966);
    /// The timer that looks for unclean elections.
    UncleanTimer: "ReplicationControlManager.maybeElectUncleanLeaders", None;
    /// The timer that looks for preferred leaders.
    RebalanceTimer: "ReplicationControlManager.maybeBalancePartitionLeaders", None;
    /// An ElectLeaders call.
    ElectLeaders: "ReplicationControlManager.electLeader", None;
    /// A config change.
    AlterConfig: "ConfigurationControlManager.incrementalAlterConfigs", None;
    /// The consumer reads up to the bound.
    ConsumerRead: "Fetcher.collectFetch", None;
    /// The consumer is bounded by the HW.
    ConsumerHw: "Partition.readRecords", None;
    /// The consumer is bounded by the LSO.
    ConsumerLso: "UnifiedLog.lastStableOffset", Some(98);
    /// The consumer's position is outside the log.
    ConsumerReset: "SubscriptionState.maybeSeekUnvalidated", None;
    /// The leader selects the replica that a consumer reads from.
    PreferredReadReplica: "ReplicaManager.findPreferredReadReplica", Some(392);
    /// The replica that the consumer was sent to lacks the offset: it asks the leader, and resets nothing.
    ConsumerAsksLeader: "FetchCollector.handleInitializeErrors", Some(392);
    /// ListOffsets is answered.
    ListOffsets: "Partition.fetchOffsetForTimestamp", Some(207);
    /// OffsetsForLeaderEpoch is answered.
    EpochEnd: "UnifiedLog.endOffsetForEpoch", Some(101);
    /// A leader epoch entry is noted.
    EpochEntry: "LeaderEpochFileCache.assign", Some(101);
    /// A transaction begins or ends.
    Transaction: "TransactionCoordinator.endTransaction", Some(98);
    /// A transaction stays unstable until the HW passes its marker.
    UnstableOffset: "ProducerStateManager.firstUnstableOffset", Some(98);
}
