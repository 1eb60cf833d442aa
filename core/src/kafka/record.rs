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

/// How many sequence numbers there are: 2147483647 is followed by 0 (`DefaultRecordBatch.incrementSequence`).
const SEQUENCES: u64 = 1 << 31;

impl ProducerStamp {
    /// The stamp of the record `records` further on in the same batch, or of the batch after it.
    pub fn advanced(self, records: u64) -> ProducerStamp {
        let sequence = (u64::from(self.first_sequence) + records % SEQUENCES) % SEQUENCES;
        ProducerStamp {
            // Below 2^31, so it always fits.
            first_sequence: u32::try_from(sequence).unwrap_or(0),
            ..self
        }
    }
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
        Some(stamp.advanced(self.count.saturating_sub(1)).first_sequence)
    }

    /// The part before `end` (exclusive); none when nothing is left.
    ///
    /// Kafka's batches are never split; the model's can be, because a range of one epoch may stand for many batches.
    pub fn up_to(&self, end: Offset) -> Option<Batch> {
        let count = end.since(self.base).min(self.count);
        (count > 0).then_some(Batch { count, ..*self })
    }

    /// The part from `start` on, with its own record numbers and sequence numbers; none when nothing is left.
    pub fn starting_at(&self, start: Offset) -> Option<Batch> {
        let dropped = start.since(self.base);
        if dropped == 0 {
            return self.up_to(self.end());
        }
        let count = self.count.checked_sub(dropped).filter(|count| *count > 0)?;
        let payload = match self.payload {
            Payload::Records { first } => Payload::Records {
                first: first.saturating_add(dropped),
            },
            other => other,
        };
        Some(Batch {
            base: self.base.plus(dropped),
            count,
            epoch: self.epoch,
            producer: self.producer.map(|stamp| stamp.advanced(dropped)),
            payload,
        })
    }

    /// Whether both hold the same record at `offset`: same epoch, same stamp, same record number.
    pub fn agrees_at(&self, other: &Batch, offset: Offset) -> bool {
        let record = |batch: &Batch| batch.starting_at(offset)?.up_to(offset.plus(1));
        record(self) == record(other)
    }

    /// Whether two batches hold the same records at the same offsets: same epoch, same payload.
    pub fn same_as(&self, other: &Batch) -> bool {
        self == other
    }
}
