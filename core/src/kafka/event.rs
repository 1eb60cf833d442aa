//! What happened: the events of a run. Each carries its [`Cause`] as data.

use super::cause::{Cause, Quantity, Value};
use super::error::KafkaError;
use super::ids::{
    BrokerEpoch, BrokerId, BrokerSet, EventId, LeaderEpoch, MessageId, MetadataOffset, Millis,
    Offset, PartitionEpoch, SendId,
};
use super::message::Node;
use super::partition::PartitionState;
use super::record::{Batch, Payload};
use super::settings::{Acks, Isolation};

/// An event of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its place in the run.
    pub id: EventId,
    /// When.
    pub at: Millis,
    /// Its position among the events of that millisecond, from 0.
    pub sequence: u32,
    /// What happened.
    pub kind: EventKind,
    /// Why.
    pub cause: Cause,
    /// Whether it belongs to idle polling and heartbeats: it changed nothing that anybody can see.
    pub idle: bool,
}

/// How a broker's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// Controlled shutdown (SIGTERM), clean-shutdown file written.
    Clean,
    /// SIGKILL: the log stays as it was written (page cache).
    Kill,
    /// The unflushed tail is gone: the log ends at this offset.
    PowerLoss(Offset),
}

/// What an ISR proposal wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IsrChange {
    /// Members that are not caught up leave.
    Shrink,
    /// One replica joins.
    Expand,
}

/// Why the controller wrote a partition record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeReason {
    /// The partition was made.
    Created,
    /// The broker's session expired.
    SessionExpired(BrokerId),
    /// The broker asked to shut down.
    ControlledShutdown(BrokerId),
    /// The broker registered again; `clean` = with proof of a clean shutdown.
    Registered {
        /// The broker.
        broker: BrokerId,
        /// Whether its shutdown was clean.
        clean: bool,
    },
    /// The broker was unfenced.
    Unfenced(BrokerId),
    /// The broker was unregistered.
    Unregistered(BrokerId),
    /// The leader proposed an ISR.
    AlterPartition(BrokerId),
    /// ElectLeaders, preferred.
    PreferredElection,
    /// ElectLeaders, unclean.
    UncleanElection,
    /// The timer for unclean elections.
    UncleanElectionTimer,
    /// The timer for preferred leaders.
    LeaderRebalance,
    /// A change of min.insync.replicas cleared the ELR (ClearElrRecord).
    ElrCleared,
    /// The script named the winner.
    NamedElection(BrokerId),
}

/// How the leader of a change was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Election {
    /// The leader field was not touched.
    None,
    /// A member of the target ISR.
    FromIsr,
    /// A member of the target ELR.
    FromElr,
    /// The last known leader (counts as unclean).
    LastKnownLeader,
    /// Any acceptable replica (unclean).
    Unclean,
    /// Nobody may lead.
    NoLeader,
}

/// Why a message did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// The script lost it.
    Dropped,
    /// The link is cut.
    LinkCut,
    /// The receiver's process is not running.
    ReceiverDown,
    /// The sender's process ended before it was sent or answered.
    ConnectionClosed,
}

/// Why a response or request was put aside without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stale {
    /// The leader epoch moved on since the request.
    LeaderEpoch,
    /// The fetch offset moved on since the request.
    FetchOffset,
    /// The partition state object changed since the proposal.
    PartitionState,
    /// The metadata is not newer than what is applied.
    Metadata,
    /// The process was started again since the request.
    Incarnation,
    /// The producer has an answer, or gave up, already.
    Attempt,
}

/// What happened. Offsets named `end`, `leo`, `hw` are exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    // --- from outside ---
    /// A step of the script was carried out.
    Step {
        /// Its index in the script.
        step: u32,
    },
    /// The process ended.
    BrokerStopped {
        /// The broker.
        broker: BrokerId,
        /// How.
        how: Stop,
        /// LEO of what is on its disk afterwards.
        leo: Offset,
        /// HW of its checkpoint file.
        checkpointed_hw: Offset,
    },
    /// The process is back; the log was loaded.
    BrokerStarted {
        /// The broker.
        broker: BrokerId,
        /// LEO after loading.
        leo: Offset,
        /// HW after loading.
        hw: Offset,
        /// Epoch entries that loading dropped (start at or past LEO).
        forgotten_epochs: u32,
        /// Whether a clean-shutdown file was found.
        clean: bool,
    },
    /// A broker refuses to truncate (0.10: longer than its leader and unclean election is off); its fetcher asks no more.
    BrokerExited {
        /// The broker.
        broker: BrokerId,
        /// Its LEO.
        leo: Offset,
        /// The leader's LEO.
        leader_leo: Offset,
    },
    /// The controller's process ended.
    ControllerStopped,
    /// The controller's process is back.
    ControllerStarted,
    /// A follower's fetching was paused or let go, or a link was cut, healed, slowed, held or released.
    LinkChanged {
        /// One end.
        from: Node,
        /// The other end.
        to: Node,
        /// What is so from now on.
        state: LinkState,
    },
    /// A config of the topic was set.
    ConfigSet {
        /// Kafka's name.
        name: &'static str,
        /// The new value.
        value: Value,
        /// The answer.
        result: Result<(), KafkaError>,
    },
    /// An ElectLeaders call was answered.
    ElectionAnswered {
        /// The answer.
        result: Result<(), KafkaError>,
    },

    // --- messages ---
    /// A message left.
    MessageSent {
        /// Its number; the body is in the run's messages.
        message: MessageId,
    },
    /// A message arrived.
    MessageArrived {
        /// Its number.
        message: MessageId,
    },
    /// A message did not arrive.
    MessageLost {
        /// Its number.
        message: MessageId,
        /// Why.
        why: Loss,
    },
    /// A message is held back by the script.
    MessageHeld {
        /// Its number.
        message: MessageId,
    },
    /// A message arrived too late to have an effect.
    MessageIgnored {
        /// Its number, when it is known.
        message: Option<MessageId>,
        /// Who ignored it.
        by: Node,
        /// Why.
        why: Stale,
    },

    // --- producer ---
    /// The producer was given a batch by the script.
    ProduceCalled {
        /// The call.
        send: SendId,
        /// Its records: the number of the first, and how many.
        first_record: u64,
        /// How many records.
        count: u64,
        /// acks of this call.
        acks: Acks,
    },
    /// An attempt was sent.
    ProduceSent {
        /// The call.
        send: SendId,
        /// From 1.
        attempt: u32,
        /// To which broker.
        to: BrokerId,
    },
    /// The producer got the outcome of an attempt.
    ProduceAnswered {
        /// The call.
        send: SendId,
        /// From 1.
        attempt: u32,
        /// What it was told.
        outcome: Outcome,
        /// Whether another attempt follows.
        retry: bool,
    },
    /// The producer gave up: `delivery.timeout.ms` is over.
    DeliveryTimedOut {
        /// The call.
        send: SendId,
    },

    // --- log ---
    /// Records were written at the end of a log: the LEO moved.
    Appended {
        /// Whose log.
        broker: BrokerId,
        /// The batch, with its offsets.
        batch: Batch,
        /// The produce call, at the leader.
        send: Option<SendId>,
        /// LEO afterwards.
        leo: Offset,
    },
    /// The log was cut: the LEO moved back.
    Truncated {
        /// Whose log.
        broker: BrokerId,
        /// LEO before.
        from: Offset,
        /// LEO afterwards.
        to: Offset,
        /// HW afterwards (it never exceeds LEO).
        hw: Offset,
    },
    /// The HW of a replica changed (a follower's may go down).
    HwChanged {
        /// Whose.
        broker: BrokerId,
        /// Before.
        from: Offset,
        /// Afterwards.
        to: Offset,
        /// Whether this broker leads.
        leads: bool,
    },
    /// The leader's HW could not move, and why (told when something would have moved it).
    HwHeld {
        /// The leader.
        broker: BrokerId,
        /// Where it stays.
        at: Offset,
        /// What holds it.
        why: HwHold,
    },
    /// The LSO of the leader changed.
    LsoChanged {
        /// The leader.
        broker: BrokerId,
        /// Before.
        from: Offset,
        /// Afterwards.
        to: Offset,
    },
    /// An entry was added to a leader epoch cache.
    EpochAssigned {
        /// Whose.
        broker: BrokerId,
        /// The epoch.
        epoch: LeaderEpoch,
        /// Its first offset.
        start: Offset,
    },

    // --- leader ---
    /// A batch was refused before it was appended.
    AppendRefused {
        /// The broker that refused.
        broker: BrokerId,
        /// The call.
        send: SendId,
        /// The answer.
        error: KafkaError,
    },
    /// A retried batch was recognised; nothing was appended.
    DuplicateRecognised {
        /// The leader.
        broker: BrokerId,
        /// The call.
        send: SendId,
        /// Where the batch is.
        base: Offset,
        /// Its end (exclusive).
        end: Offset,
    },
    /// An acks=all request waits for the HW.
    ProduceParked {
        /// The leader.
        broker: BrokerId,
        /// The call.
        send: SendId,
        /// The offset that the HW must reach.
        required: Offset,
        /// When it times out.
        until: Millis,
    },
    /// The broker answers (or, with acks=0, would have answered) a produce request.
    ProduceCompleted {
        /// The broker.
        broker: BrokerId,
        /// The call.
        send: SendId,
        /// The base offset or the error.
        result: Result<Offset, KafkaError>,
        /// Whether it waited for its timeout.
        timed_out: bool,
    },
    /// A fetch waits at the leader for data.
    FetchParked {
        /// The broker that was asked.
        broker: BrokerId,
        /// Who asked.
        by: Node,
        /// The offset asked for.
        offset: Offset,
        /// When it is answered at the latest.
        until: Millis,
    },
    /// A fetch was answered.
    FetchServed {
        /// The broker that was asked.
        broker: BrokerId,
        /// Who asked.
        by: Node,
        /// The offset asked for.
        offset: Offset,
        /// End of what is returned (exclusive).
        end: Offset,
        /// The HW in the answer.
        hw: Offset,
        /// The error, if any.
        error: Option<KafkaError>,
        /// Whether it diverges.
        diverging: bool,
    },
    /// The leader noted a follower's position.
    FollowerStateUpdated {
        /// The leader.
        leader: BrokerId,
        /// The follower.
        follower: BrokerId,
        /// Its LEO.
        leo: Offset,
        /// When it was last caught up, if ever.
        last_caught_up: Option<Millis>,
    },
    /// The leader proposes another ISR (with ZooKeeper: writes it).
    IsrProposed {
        /// The leader.
        leader: BrokerId,
        /// The proposed ISR.
        isr: BrokerSet,
        /// Shrink or expand.
        change: IsrChange,
        /// Who leaves or joins.
        members: BrokerSet,
    },
    /// The leader learned what became of its proposal.
    IsrAnswered {
        /// The leader.
        leader: BrokerId,
        /// The committed ISR from now on, or the error.
        result: Result<BrokerSet, KafkaError>,
    },

    // --- roles ---
    /// A broker became leader (or its epoch moved while it led).
    BecameLeader {
        /// The broker.
        broker: BrokerId,
        /// The leader epoch.
        epoch: LeaderEpoch,
        /// The LEO at election (`leaderEpochStartOffset`).
        epoch_start: Offset,
        /// Its HW, kept from before.
        hw: Offset,
        /// The committed ISR.
        isr: BrokerSet,
        /// The partition epoch that it leads by.
        partition_epoch: PartitionEpoch,
    },
    /// A leader learned a new ISR from metadata, its epoch unchanged.
    IsrLearned {
        /// The leader.
        leader: BrokerId,
        /// The committed ISR.
        isr: BrokerSet,
        /// The partition epoch.
        partition_epoch: PartitionEpoch,
    },
    /// A broker became follower of a leader (none: nobody leads).
    BecameFollower {
        /// The broker.
        broker: BrokerId,
        /// Whom it follows.
        leader: Option<BrokerId>,
        /// The leader epoch.
        epoch: LeaderEpoch,
        /// The partition epoch that it follows by.
        partition_epoch: PartitionEpoch,
    },
    /// A broker applied metadata.
    MetadataApplied {
        /// The broker.
        broker: BrokerId,
        /// Up to this offset.
        offset: MetadataOffset,
    },

    // --- follower ---
    /// The follower's position did not fit the leader's log.
    Diverged {
        /// The follower.
        broker: BrokerId,
        /// The epoch in the leader's answer.
        epoch: Option<LeaderEpoch>,
        /// Its end in the leader's answer.
        end: Option<Offset>,
        /// Where the follower cuts its log.
        cut: Offset,
    },
    /// The follower waits before it asks again.
    FetchBackedOff {
        /// The follower.
        broker: BrokerId,
        /// The error, none = the connection broke.
        error: Option<KafkaError>,
        /// Until when.
        until: Millis,
    },
    /// The follower stops fetching until the leader epoch moves (`onPartitionFenced`).
    FetchFailed {
        /// The follower.
        broker: BrokerId,
        /// The error.
        error: KafkaError,
    },

    // --- controller ---
    /// The partition's record changed.
    PartitionChanged {
        /// Before.
        before: Box<PartitionState>,
        /// Afterwards.
        after: Box<PartitionState>,
        /// Why.
        reason: ChangeReason,
        /// How the leader was chosen.
        election: Election,
    },
    /// A proposal was refused.
    AlterPartitionRefused {
        /// The sender.
        broker: BrokerId,
        /// The answer.
        error: KafkaError,
    },
    /// A broker registered.
    BrokerRegistered {
        /// The broker.
        broker: BrokerId,
        /// Its new broker epoch.
        epoch: BrokerEpoch,
        /// Whether it proved a clean shutdown.
        clean: bool,
    },
    /// A registration was refused: the old session is still valid.
    RegistrationRefused {
        /// The broker.
        broker: BrokerId,
        /// The answer.
        error: KafkaError,
    },
    /// A broker was fenced.
    BrokerFenced {
        /// The broker.
        broker: BrokerId,
        /// True: its session expired. False: controlled shutdown ended, or it registered anew.
        session_expired: bool,
    },
    /// A broker was unfenced.
    BrokerUnfenced {
        /// The broker.
        broker: BrokerId,
    },
    /// A broker entered controlled shutdown.
    ControlledShutdownBegan {
        /// The broker.
        broker: BrokerId,
    },

    // --- consumer ---
    /// Records were given to the application.
    Consumed {
        /// From this offset.
        from: Offset,
        /// To this offset (exclusive).
        to: Offset,
        /// The broker that served them.
        broker: BrokerId,
        /// Records that were skipped as aborted or as markers.
        skipped: u64,
    },
    /// The consumer was told an error, or started over.
    ConsumerFailed {
        /// The error.
        error: KafkaError,
        /// Where it goes on.
        position: Offset,
    },
    /// The leader named the replica that the consumer reads from now (KIP-392).
    ConsumerSentTo {
        /// That replica.
        broker: BrokerId,
        /// The leader.
        by: BrokerId,
        /// Then the consumer asks the leader again.
        until: Millis,
    },
    /// A single query of the script was answered.
    QueryAnswered {
        /// The step that asked.
        step: u32,
        /// The answer.
        answer: QueryAnswer,
    },

    // --- transactions ---
    /// A transaction began, or ended with a marker being written.
    TransactionChanged {
        /// Its name in the script.
        transaction: u32,
        /// Began, committed or aborted.
        state: TransactionState,
    },
}

/// What a link does from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkState {
    /// Messages flow.
    Open,
    /// Nothing passes, connections break.
    Cut,
    /// Messages wait until they are released.
    Held,
    /// Messages take this long.
    Slow(Millis),
    /// A follower's fetch requests are held before they reach the leader.
    FetchPaused,
    /// They flow again.
    FetchResumed,
}

/// What holds the leader's HW.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HwHold {
    /// The committed ISR is smaller than the effective min ISR (since 3.7).
    BelowMinIsr {
        /// ISR size.
        isr: u32,
        /// Effective min ISR.
        min: u32,
    },
    /// These replicas count and have not fetched further.
    Replicas(BrokerSet),
}

/// What the producer was told of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Success; the base offset.
    Ok(Offset),
    /// An error of the broker.
    Refused(KafkaError),
    /// `request.timeout.ms` passed at the producer without an answer.
    NoAnswer,
    /// The connection broke while it waited.
    ConnectionClosed,
    /// The known leader's process is dead: nothing was sent.
    LeaderDown,
    /// There is no leader: nothing was sent.
    NoLeader,
    /// acks=0: no answer is expected.
    NoAnswerExpected,
    /// The script's client closed before the answer came.
    ResponseLost,
}

/// The answer to a single query of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryAnswer {
    /// One fetch without waiting.
    Fetch {
        /// The error.
        error: Option<KafkaError>,
        /// HW in the answer.
        hw: Offset,
        /// LSO in the answer.
        lso: Offset,
        /// How many aborted transactions it names.
        aborted: u32,
        /// What was fetched: offset, count, payload and epoch of each batch.
        batches: Vec<Batch>,
    },
    /// ListOffsets(latest).
    Latest(Result<Offset, KafkaError>),
    /// OffsetsForLeaderEpoch.
    EpochEnd {
        /// The error.
        error: Option<KafkaError>,
        /// The epoch.
        epoch: Option<LeaderEpoch>,
        /// Its end (exclusive).
        end: Option<Offset>,
    },
    /// There is no leader to ask, or it is dead.
    NoLeader,
}

/// Where a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransactionState {
    /// It began.
    Began,
    /// COMMIT was asked for.
    Committed,
    /// ABORT was asked for.
    Aborted,
}

impl EventKind {
    /// The quantities that this event set: later causes that use them point back here.
    pub fn sets(&self) -> Vec<Quantity> {
        match self {
            EventKind::Appended { broker, .. } => vec![Quantity::Leo(*broker)],
            EventKind::Truncated { broker, .. } => {
                vec![Quantity::Leo(*broker), Quantity::Hw(*broker)]
            }
            EventKind::BrokerStopped { broker, .. } => {
                vec![Quantity::Leo(*broker), Quantity::Running(*broker)]
            }
            EventKind::BrokerStarted { broker, .. } => {
                vec![
                    Quantity::Leo(*broker),
                    Quantity::Hw(*broker),
                    Quantity::Running(*broker),
                ]
            }
            EventKind::HwChanged { broker, .. } => vec![Quantity::Hw(*broker)],
            EventKind::LsoChanged { broker, .. } => vec![Quantity::Lso(*broker)],
            EventKind::FollowerStateUpdated {
                leader, follower, ..
            } => vec![
                Quantity::FollowerLeo {
                    leader: *leader,
                    follower: *follower,
                },
                Quantity::LastCaughtUp {
                    leader: *leader,
                    follower: *follower,
                },
            ],
            EventKind::IsrProposed { leader, .. } => vec![Quantity::MaximalIsr(*leader)],
            EventKind::IsrAnswered { leader, .. } | EventKind::IsrLearned { leader, .. } => {
                vec![
                    Quantity::CommittedIsr(*leader),
                    Quantity::MaximalIsr(*leader),
                ]
            }
            EventKind::BecameLeader { broker, .. } => vec![
                Quantity::CommittedIsr(*broker),
                Quantity::MaximalIsr(*broker),
                Quantity::EpochStart(*broker),
                Quantity::BrokerLeaderEpoch(*broker),
            ],
            EventKind::BecameFollower { broker, .. } => vec![Quantity::BrokerLeaderEpoch(*broker)],
            EventKind::PartitionChanged { before, after, .. } => partition_sets(before, after),
            EventKind::BrokerRegistered { broker, .. } => {
                vec![Quantity::BrokerEpoch(*broker), Quantity::Fenced(*broker)]
            }
            EventKind::BrokerFenced { broker, .. } | EventKind::BrokerUnfenced { broker } => {
                vec![Quantity::Fenced(*broker)]
            }
            EventKind::ControlledShutdownBegan { broker } => {
                vec![Quantity::InControlledShutdown(*broker)]
            }
            EventKind::ConfigSet { .. } => vec![Quantity::MinIsr, Quantity::UncleanElection],
            EventKind::Consumed { .. } | EventKind::ConsumerFailed { .. } => {
                vec![Quantity::ConsumerPosition]
            }
            _ => Vec::new(),
        }
    }

    /// The batch's record numbers, when the event is about records of the script: first and count.
    pub fn records(&self) -> Option<(u64, u64)> {
        match self {
            EventKind::Appended { batch, .. } => match batch.payload {
                Payload::Records { first } => Some((first, batch.count)),
                _ => None,
            },
            EventKind::ProduceCalled {
                first_record,
                count,
                ..
            } => Some((*first_record, *count)),
            _ => None,
        }
    }
}

fn partition_sets(before: &PartitionState, after: &PartitionState) -> Vec<Quantity> {
    let mut sets = vec![Quantity::PartitionEpoch];
    if before.leader != after.leader {
        sets.push(Quantity::Leader);
    }
    if before.leader_epoch != after.leader_epoch {
        sets.push(Quantity::LeaderEpoch);
    }
    if before.isr != after.isr {
        sets.push(Quantity::ControllerIsr);
    }
    if before.elr != after.elr {
        sets.push(Quantity::Elr);
    }
    if before.last_known_elr != after.last_known_elr {
        sets.push(Quantity::LastKnownElr);
    }
    sets
}

/// The consumer's isolation, named in visibility causes.
pub fn isolation_name(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::ReadUncommitted => "read_uncommitted",
        Isolation::ReadCommitted => "read_committed",
    }
}
