//! The words that a picture needs, as data. The languages are in `text/`; the picture never builds a sentence itself.

use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset};
use highwater_core::scenario::value::Action;

/// Why nothing happens for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FoldReason {
    /// Followers' fetches wait at the leader for data.
    FetchesParked,
    /// The controller has not heard from the broker and its session runs out.
    BrokerSilent(BrokerId),
    /// The broker is down and nothing else goes on.
    BrokerDown(BrokerId),
    /// A produce request waits at the leader for the HW.
    ProduceParked,
    /// The producer waits for an answer that does not come.
    ProducerWaits,
    /// The producer waits before it sends again.
    RetryBackoff,
    /// The leader waits until a follower is out of sync for too long.
    FollowerLags,
    /// A follower waits before it fetches again.
    FetchBackoff,
    /// Nothing is due before the next step.
    Quiet,
}

/// Something a picture says.
#[derive(Clone, Debug, PartialEq)]
pub enum Word<'a> {
    /// "Script".
    Script,
    /// "what happens from outside".
    ScriptAbout,
    /// "Partition".
    Partition,
    /// "leader, ISR, ELR".
    PartitionAbout,
    /// "Producer acks".
    Acks,
    /// "Acks": the same, short.
    AcksShort,
    /// "what it was told".
    AcksAbout,
    /// "Follower HW lag".
    Lag,
    /// "HW lag".
    LagShort,
    /// "what each broker has and knows".
    LagAbout,
    /// "Consumer visibility".
    Visibility,
    /// "Visible".
    VisibilityShort,
    /// "what can be read".
    VisibilityAbout,
    /// "in its log": a key.
    KeyOpen,
    /// "not told yet": committed.
    KeyGap,
    /// "knows".
    KeyKnown,
    /// "in the log, hidden".
    KeyTail,
    /// "read".
    KeyRead,
    /// "offset", before the numbers of the columns.
    OffsetAxis,
    /// "no offset": the column of records that were never appended.
    NoOffset,
    /// An instant of the clock: "524 ms", "5.530 s".
    Instant(Millis),
    /// A duration: "0.50 s".
    Duration(Millis),
    /// Why a pause is folded.
    Fold(FoldReason),
    /// A step, the verb: "produce", "kill"; empty when the language puts it elsewhere.
    StepVerb(&'a Action),
    /// What the step acts on: "m1", "broker 1"; may be empty. The records are the numbers of first and last, for a
    /// produce.
    StepObject(&'a Action, Option<(u64, u64)>),
    /// The same in the room of a phone: "kill 1", "m1".
    StepShort(&'a Action, Option<(u64, u64)>),
    /// "leader 1, epoch 0".
    LeaderIs(BrokerId, LeaderEpoch),
    /// "no leader".
    NoLeader,
    /// "e0": the epoch, short.
    EpochShort(LeaderEpoch),
    /// "ISR 1 2 3"; "ISR empty".
    Isr(&'a BrokerSet),
    /// "ELR 1"; "ELR empty".
    Elr(&'a BrokerSet),
    /// "last known leader 1".
    LastKnownLeader(BrokerId),
    /// "L": its letter on the strip.
    LastKnownLetter,
    /// "1 is down".
    IsDown(BrokerId),
    /// "1 is back".
    IsBack(BrokerId),
    /// "m3".
    Record(u64),
    /// "m5–m9".
    Records(u64, u64),
    /// The outcome of an attempt: "ok", "no answer", "NOT_ENOUGH_REPLICAS".
    Outcome(Outcome),
    /// "delivery timeout".
    DeliveryTimedOut,
    /// "try 2".
    Try(u32),
    /// "m1 again".
    Again(u64),
    /// "kept".
    Kept,
    /// "lost".
    Lost,
    /// "LEO 3".
    Leo(Offset),
    /// "HW 3".
    Hw(Offset),
    /// "HW": the name of the bound.
    HwName,
    /// "LSO 3".
    Lso(Offset),
    /// "LSO": the name of the bound.
    LsoName,
    /// "reads m1".
    Reads(u64),
    /// "only 1 has m3".
    OnlyHas(BrokerId, u64),
    /// "not on 2 or 3".
    NotOn(&'a BrokerSet),
    /// "1 truncates m3", "1 truncates m3–m5": the broker, the first and the last record.
    Truncates(BrokerId, u64, u64),
    /// "m3 is never readable".
    NeverReadable(u64),
    /// "2 and 3 learn HW 2".
    LearnHw(&'a BrokerSet, Offset),
    /// "one fetch later, 0.50 s".
    FetchLater(Millis),
    /// Accessible text of a mark: "m3 sent", "m3: ok at 524 ms" and so on.
    AnsweredAt(u64, Outcome, Millis),
    /// "m3 is lost at 5.530 s".
    LostAt(u64, Millis),
    /// "broker 1 is down from 530 ms".
    DownAt(BrokerId, Millis),
    /// "5.00 s folded: broker 1 is silent".
    FoldedFor(Millis, FoldReason),
}

/// Says the words in one language.
pub trait Words {
    /// The words for it.
    fn say(&self, word: Word<'_>) -> String;
}
