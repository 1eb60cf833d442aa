//! What a log knows of its producers: their last batches (idempotence, rules 4.3) and their transactions (rules 7).
//!
//! Leader and follower keep the same state, from the batches; only the leader checks before it appends. That is why a
//! new leader recognises a retry of a batch that it holds. Not modelled: `producer.id.expiration.ms` (a day of silence).

use super::error::KafkaError;
use super::ids::{Offset, ProducerId};
use super::record::{Batch, Payload, ProducerStamp};

/// How many batches of a producer are remembered (`ProducerStateEntry.NUM_BATCHES_TO_RETAIN`).
const BATCHES_TO_RETAIN: usize = 5;

/// One remembered batch of a producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequencedBatch {
    /// The sequence number of its first record.
    pub first_sequence: u32,
    /// The sequence number of its last record.
    pub last_sequence: u32,
    /// Its base offset.
    pub base: Offset,
    /// Its end offset (exclusive).
    pub end: Offset,
}

/// What is known of one producer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProducerEntry {
    /// The producer.
    pub id: ProducerId,
    /// Its epoch, as of its last batch or marker.
    pub epoch: u32,
    /// Its last batches of that epoch, oldest first, five at most.
    pub batches: Vec<SequencedBatch>,
    /// The first offset of its open transaction.
    pub open: Option<Offset>,
}

/// A transaction that ended with a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndedTransaction {
    /// The producer.
    pub producer: ProducerId,
    /// The offset of its first record.
    pub first: Offset,
    /// The offset of its marker.
    pub marker: Offset,
}

/// The producers of a log (`ProducerStateManager`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProducerStates {
    /// Ascending by producer id.
    entries: Vec<ProducerEntry>,
    /// Ended, and the HW has not passed the marker.
    unreplicated: Vec<EndedTransaction>,
    /// Ended with ABORT, by marker offset.
    aborted: Vec<EndedTransaction>,
}

impl ProducerStates {
    /// The state after these batches, in a log whose HW is `hw`.
    pub fn of_batches(batches: &[Batch], hw: Offset) -> ProducerStates {
        let mut states = ProducerStates::default();
        for batch in batches {
            states.update(batch);
        }
        states.on_high_watermark(hw);
        states
    }

    /// What is known of a producer.
    pub fn entry(&self, id: ProducerId) -> Option<&ProducerEntry> {
        let place = self.place(id).ok()?;
        self.entries.get(place)
    }

    /// Whether a leader may append `count` records with this stamp: none = it may; the offsets (base, end) of the first
    /// append when it is a retry of a remembered batch.
    ///
    /// # Errors
    /// INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER or INVALID_TXN_STATE; see [`ProducerStates::validate`].
    pub fn check(
        &self,
        stamp: &ProducerStamp,
        count: u64,
    ) -> Result<Option<(Offset, Offset)>, KafkaError> {
        if let Some(batch) = self.duplicate(stamp, count) {
            return Ok(Some((batch.base, batch.end)));
        }
        self.validate(stamp).map(|()| None)
    }

    /// The remembered batch of the same epoch with exactly these sequence numbers
    /// (`ProducerStateEntry.findDuplicateBatch`); a partial overlap is no duplicate.
    pub fn duplicate(&self, stamp: &ProducerStamp, count: u64) -> Option<SequencedBatch> {
        let entry = self.entry(stamp.id).filter(|e| e.epoch == stamp.epoch)?;
        let last = stamp.advanced(count.saturating_sub(1)).first_sequence;
        let same = |b: &&SequencedBatch| {
            b.first_sequence == stamp.first_sequence && b.last_sequence == last
        };
        entry.batches.iter().find(same).copied()
    }

    /// Whether a batch that is no duplicate follows what is known (`ProducerAppendInfo.maybeValidateDataBatch`).
    ///
    /// # Errors
    /// - INVALID_PRODUCER_EPOCH: the epoch is older than the known one.
    /// - OUT_OF_ORDER_SEQUENCE_NUMBER: in the known epoch the first sequence number must follow the last one, in a newer
    ///   one it must be 0. From a producer that is not known, any is taken.
    /// - INVALID_TXN_STATE: the producer has an open transaction and the batch is not part of it.
    pub fn validate(&self, stamp: &ProducerStamp) -> Result<(), KafkaError> {
        self.validate_epoch(stamp)?;
        let Some(entry) = self.entry(stamp.id) else {
            return Ok(());
        };
        let expected = match entry.batches.last() {
            Some(last) if entry.epoch == stamp.epoch => {
                let last = ProducerStamp {
                    first_sequence: last.last_sequence,
                    ..*stamp
                };
                last.advanced(1).first_sequence
            }
            _ => 0,
        };
        if stamp.first_sequence != expected {
            return Err(KafkaError::OutOfOrderSequenceNumber);
        }
        if entry.open.is_some() && !stamp.transactional {
            return Err(KafkaError::InvalidTxnState);
        }
        Ok(())
    }

    /// Whether the epoch is at least the known one, which is all that a marker must fulfil
    /// (`ProducerAppendInfo.checkProducerEpoch`).
    ///
    /// # Errors
    /// INVALID_PRODUCER_EPOCH when it is older.
    pub fn validate_epoch(&self, stamp: &ProducerStamp) -> Result<(), KafkaError> {
        match self.entry(stamp.id) {
            Some(entry) if stamp.epoch < entry.epoch => Err(KafkaError::InvalidProducerEpoch),
            _ => Ok(()),
        }
    }

    /// Notes a batch that was appended, without validating it (`ProducerStateManager.update`, `completeTxn`).
    pub fn update(&mut self, batch: &Batch) {
        let Some(stamp) = batch.producer else { return };
        let Some(entry) = self.entry_or_new(&stamp) else {
            return;
        };
        if entry.epoch != stamp.epoch {
            entry.epoch = stamp.epoch;
            entry.batches.clear();
        }
        if let Payload::Marker { commit } = batch.payload {
            // A marker without a transaction before it ends nothing.
            let Some(first) = entry.open.take() else {
                return;
            };
            let ended = EndedTransaction {
                producer: stamp.id,
                first,
                marker: batch.base,
            };
            self.unreplicated.push(ended);
            if !commit {
                self.aborted.push(ended);
            }
            return;
        }
        if entry.batches.len() >= BATCHES_TO_RETAIN {
            entry.batches.remove(0);
        }
        entry.batches.push(SequencedBatch {
            first_sequence: stamp.first_sequence,
            last_sequence: batch.last_sequence().unwrap_or(stamp.first_sequence),
            base: batch.base,
            end: batch.end(),
        });
        if stamp.transactional && entry.open.is_none() {
            entry.open = Some(batch.base);
        }
    }

    /// The HW is now `hw`: ended transactions whose marker lies below it are stable
    /// (`ProducerStateManager.onHighWatermarkUpdated`).
    pub fn on_high_watermark(&mut self, hw: Offset) {
        self.unreplicated.retain(|ended| ended.marker >= hw);
    }

    /// The log now begins at `start` (`ProducerStateManager.onLogStartOffsetIncremented`).
    pub fn on_log_start(&mut self, start: Offset) {
        self.unreplicated.retain(|ended| ended.marker >= start);
        self.aborted.retain(|ended| ended.marker >= start);
    }

    /// The smallest first offset of a transaction that is open, or ended but not yet replicated
    /// (`ProducerStateManager.firstUnstableOffset`).
    pub fn first_unstable(&self) -> Option<Offset> {
        let open = self.entries.iter().filter_map(|entry| entry.open);
        let ended = self.unreplicated.iter().map(|ended| ended.first);
        open.chain(ended).min()
    }

    /// The aborted transactions that have records or their marker in `from..to`, by marker offset
    /// (`UnifiedLog.collectAbortedTransactions`).
    pub fn aborted_between(
        &self,
        from: Offset,
        to: Offset,
    ) -> impl Iterator<Item = &EndedTransaction> {
        self.aborted
            .iter()
            .filter(move |ended| ended.marker >= from && ended.first < to)
    }

    /// Whether a batch belongs to an aborted transaction; a read_committed consumer drops it.
    pub fn is_aborted(&self, batch: &Batch) -> bool {
        let Some(stamp) = batch.producer.filter(|stamp| stamp.transactional) else {
            return false;
        };
        self.aborted_between(batch.base, batch.end())
            .any(|ended| ended.producer == stamp.id && ended.first <= batch.base)
    }

    fn place(&self, id: ProducerId) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&id, |entry| entry.id)
    }

    fn entry_or_new(&mut self, stamp: &ProducerStamp) -> Option<&mut ProducerEntry> {
        let place = match self.place(stamp.id) {
            Ok(place) => place,
            Err(place) => {
                let entry = ProducerEntry {
                    id: stamp.id,
                    epoch: stamp.epoch,
                    batches: Vec::new(),
                    open: None,
                };
                self.entries.insert(place, entry);
                place
            }
        };
        self.entries.get_mut(place)
    }
}
