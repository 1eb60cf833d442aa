//! What a log holds: batches of records. Nothing iterates over single offsets, so a range of a billion costs nothing.

use super::ids::{LeaderEpoch, Offset, ProducerId};

/// What an idempotent producer stamps on a batch (KIP-98).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProducerStamp {
    /// The producer's id.
    pub id: ProducerId,
    /// The producer's epoch.
    pub epoch: u32,
    /// The sequence number of the batch's first record; 2147483647 is followed by 0.
    pub first_sequence: u32,
    /// Whether the batch belongs to a transaction.
    pub transactional: bool,
}

/// What the records of a batch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Payload {
    /// The records m*first*, m*first+1*, … of the script.
    Records {
        /// The number of the first record, from 1.
        first: u64,
    },
    /// A transaction's control record (one offset, never delivered to an application).
    Marker {
        /// COMMIT (true) or ABORT.
        commit: bool,
    },
    /// Records that were there before the script began, known only as a range of an epoch.
    Before,
}

/// One batch of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Batch {
    /// The offset of its first record.
    pub base: Offset,
    /// How many offsets it takes, at least 1.
    pub count: u64,
    /// The leader epoch it was appended in.
    pub epoch: LeaderEpoch,
    /// The producer's stamp, when it is idempotent or transactional.
    pub producer: Option<ProducerStamp>,
    /// What its records are.
    pub payload: Payload,
}

impl Batch {
    /// The offset after its last record (exclusive).
    pub fn end(&self) -> Offset {
        self.base.plus(self.count)
    }

    /// The sequence number of the last record; wraps after 2147483647.
    pub fn last_sequence(&self) -> Option<u32> {
        let stamp = self.producer?;
        let last = (u64::from(stamp.first_sequence) + self.count.saturating_sub(1)) % (1 << 31);
        u32::try_from(last).ok()
    }

    /// Whether two batches hold the same records at the same offsets: same epoch, same payload.
    pub fn same_as(&self, other: &Batch) -> bool {
        self == other
    }
}
