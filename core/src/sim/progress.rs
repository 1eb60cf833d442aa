//! How far the script is, and what its steps have named.

use crate::kafka::ids::{Millis, SendId};
use crate::kafka::map::Map;
use crate::kafka::producer::Producer;
use crate::kafka::record::ProducerStamp;
/// A step that lasts: a wait, an await, or fetch rounds that are not done yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveStep {
    /// Its index.
    pub step: usize,
    /// When it began.
    pub began: Millis,
    /// When it ends by itself: a wait's end, or the limit of an await.
    pub deadline: Millis,
}

/// The script's progress.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The next step.
    pub next: usize,
    /// The step that lasts.
    pub active: Option<ActiveStep>,
    /// When the last step was done.
    pub done_at: Millis,
    /// The next record's number.
    pub next_record: u64,
    /// Named produce calls.
    pub named: Map<String, SendId>,
    /// Named producers, by their place.
    pub producers: Map<String, usize>,
    /// The producer of the open transaction.
    pub transaction: Option<usize>,
    /// How many transactions there were.
    pub transactions: u32,
}

impl Progress {
    /// The transaction that is open at the start: the script's next `txn-end` ends it. The stamp of its first record.
    pub(super) fn open_transaction(&mut self, producer: &mut Producer) -> ProducerStamp {
        let place = self.begin_transaction();
        let identity = producer.identity(place);
        identity.next_sequence = 1;
        ProducerStamp {
            id: identity.id,
            epoch: identity.epoch,
            first_sequence: 0,
            transactional: true,
        }
    }

    /// A transaction begins, with a producer of its own; returns the producer's place.
    pub(super) fn begin_transaction(&mut self) -> usize {
        self.transactions += 1;
        let place = self.producer_place(format!("transaction {}", self.transactions));
        self.transaction = Some(place);
        place
    }

    /// The place of a producer by name; place 0 is the default one.
    pub(super) fn producer_place(&mut self, name: String) -> usize {
        let next = self.producers.len() + 1;
        *self.producers.entry(name).or_insert(next)
    }
}
