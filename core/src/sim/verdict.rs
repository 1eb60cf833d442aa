//! The verdict: what became of each record, as separate facts that are never merged into one "success".

use crate::kafka::error::KafkaError;
use crate::kafka::event::Outcome;
use crate::kafka::ids::{BrokerId, BrokerSet, EventId, LeaderEpoch, Millis, Offset, SendId};

/// A fact with its instant and the event that made it true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// Since when.
    pub at: Millis,
    /// By which event.
    pub event: EventId,
}

/// An append of a record at a leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppendFact {
    /// The leader that appended it.
    pub broker: BrokerId,
    /// Where.
    pub offset: Offset,
    /// In which epoch.
    pub epoch: LeaderEpoch,
    /// When.
    pub since: Since,
}

/// One record's facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordVerdict {
    /// The record's number: m1 is 1.
    pub record: u64,
    /// The produce call it belongs to.
    pub send: SendId,
    /// When the producer was given it.
    pub sent: Since,
    /// Each append at a leader (a retry without idempotence makes a second).
    pub appended: Vec<AppendFact>,
    /// Answered with success (never true for acks=0, which promises nothing).
    pub acknowledged: Option<Since>,
    /// The last error the producer was told, if it never got a success.
    pub refused: Option<(KafkaError, Since)>,
    /// The last outcome of an attempt, as the producer saw it.
    pub last_outcome: Option<(Outcome, Since)>,
    /// The leader's HW passed it.
    pub committed: Option<Since>,
    /// A consumer of the chosen isolation level could read it at some time.
    pub visible: Option<Since>,
    /// It was acknowledged or visible, and at the end the leader's log (or, with no leader, the log of every replica
    /// that may still be elected) does not have it. The event is the one by which it left (election or truncation).
    pub lost: Option<Since>,
    /// The same send is in that log more than once.
    pub duplicated: bool,
    /// Sent, and answered neither with success nor with a refusal that excludes an append.
    pub unknown: bool,
    /// Whether it is in the log of the final leader (or of an electable replica).
    pub in_final_log: bool,
}

/// Why the partition takes no writes (or no reads) at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// No leader: nobody in ISR, ELR or last known leader may lead.
    NoLeader {
        /// ISR at the end.
        isr: BrokerSet,
        /// ELR at the end.
        elr: BrokerSet,
    },
    /// The leader's process is down and the controller has not noticed.
    LeaderDown(BrokerId),
    /// acks=all writes are refused: the ISR is smaller than the effective min ISR.
    BelowMinIsr {
        /// ISR size.
        isr: u32,
        /// Effective min ISR.
        min: u32,
    },
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// One for each record that the script sent.
    pub records: Vec<RecordVerdict>,
    /// Why the partition is unavailable at the end, if it is.
    pub unavailable: Option<Unavailable>,
    /// The chain of events that proves the headline: from the first fault to the loss (or refusal), in order.
    pub chain: Vec<EventId>,
}

impl Verdict {
    /// Records that were acknowledged and are lost.
    pub fn acknowledged_lost(&self) -> impl Iterator<Item = &RecordVerdict> {
        self.records
            .iter()
            .filter(|r| r.lost.is_some() && r.acknowledged.is_some())
    }

    /// Records that are lost, acknowledged or merely seen.
    pub fn lost(&self) -> impl Iterator<Item = &RecordVerdict> {
        self.records.iter().filter(|r| r.lost.is_some())
    }
}
