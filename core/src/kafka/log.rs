//! One replica's log: batches, LEO, HW, log start, leader epochs and producers (rules 1).
//!
//! The batches follow each other up to the LEO. What the lab's leaders write has no gaps; a log that was compacted has, and a
//! follower takes them over. The first batch may begin before the log start, since deleting records does not split a
//! batch.

mod lookup;

use super::epoch_cache::EpochCache;
use super::error::KafkaError;
use super::ids::{LeaderEpoch, Offset};
use super::producer_state::ProducerStates;
use super::record::{Batch, Payload, ProducerStamp};

/// One replica's log.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Log {
    log_start: Offset,
    hw: Offset,
    leo: Offset,
    batches: Vec<Batch>,
    epochs: EpochCache,
    producers: ProducerStates,
}

/// What became of a leader's append.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Appended {
    /// The batch is in the log.
    Batch(Batch),
    /// Nothing was appended: it is a retry of a batch that the log has.
    Duplicate {
        /// The base offset of the first append.
        base: Offset,
        /// Its end offset (exclusive).
        end: Offset,
    },
}

impl Log {
    /// An empty log that begins at `log_start`.
    pub fn new(log_start: Offset) -> Log {
        Log {
            log_start,
            hw: log_start,
            leo: log_start,
            ..Log::default()
        }
    }

    /// A log loaded from disk (`LogLoader.load`, `Partition.createLog`); it begins at its first batch, or at 0.
    ///
    /// The HW is the checkpointed one, clamped into the log. Epochs that begin at the LEO or later are forgotten. A batch
    /// that overlaps with the one before it ends the log.
    pub fn load(batches: Vec<Batch>, epochs: EpochCache, checkpointed_hw: Offset) -> Log {
        let log_start = batches.first().map_or(Offset(0), |batch| batch.base);
        let mut log = Log::new(log_start);
        log.batches.reserve(batches.len());
        for batch in batches {
            if !log.push(batch) {
                break;
            }
        }
        log.epochs = epochs;
        log.reload(checkpointed_hw);
        log
    }

    /// The log end offset: the offset of the next record (`LocalLog.logEndOffset`).
    pub fn leo(&self) -> Offset {
        self.leo
    }

    /// The high watermark: the first offset not known to be committed (`UnifiedLog.highWatermark`).
    pub fn hw(&self) -> Offset {
        self.hw
    }

    /// The first readable offset.
    pub fn log_start(&self) -> Offset {
        self.log_start
    }

    /// The last stable offset: the HW, or the first unstable offset below it (`UnifiedLog.lastStableOffset`).
    pub fn lso(&self) -> Offset {
        self.first_unstable()
            .map_or(self.hw, |first| first.min(self.hw))
    }

    /// The first offset of the oldest transaction that is open, or whose marker the HW has not passed, but not below the
    /// log start (`UnifiedLog.maybeIncrementFirstUnstableOffset`).
    pub fn first_unstable(&self) -> Option<Offset> {
        self.producers
            .first_unstable()
            .map(|first| first.max(self.log_start))
    }

    /// The batches, in order.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The leader epochs and where they begin.
    pub fn epochs(&self) -> &EpochCache {
        &self.epochs
    }

    /// The producers and their transactions.
    pub fn producers(&self) -> &ProducerStates {
        &self.producers
    }

    /// Notes that `epoch` begins at `offset`; true when an entry was added (`UnifiedLog.assignEpochStartOffset`).
    pub fn assign_epoch(&mut self, epoch: LeaderEpoch, offset: Offset) -> bool {
        self.epochs.assign(epoch, offset)
    }

    /// Forgets every epoch, as a log of a version without an epoch cache would.
    pub fn clear_epochs(&mut self) {
        self.epochs.clear();
    }

    /// Appends a batch at the LEO as leader of `epoch` (`UnifiedLog.appendAsLeader`); a marker takes one offset.
    ///
    /// # Errors
    /// What [`ProducerStates::check`] refuses (for a marker only the epoch is looked at), and INVALID_REQUEST for a batch
    /// without records or beyond the last offset that there is.
    pub fn append_leader(
        &mut self,
        count: u64,
        epoch: LeaderEpoch,
        producer: Option<ProducerStamp>,
        payload: Payload,
    ) -> Result<Appended, KafkaError> {
        let marker = matches!(payload, Payload::Marker { .. });
        match producer {
            Some(stamp) if marker => self.producers.validate_epoch(&stamp)?,
            Some(stamp) => {
                if let Some((base, end)) = self.producers.check(&stamp, count)? {
                    return Ok(Appended::Duplicate { base, end });
                }
            }
            None => {}
        }
        let batch = Batch {
            base: self.leo,
            count: if marker { 1 } else { count },
            epoch,
            producer,
            payload,
        };
        if self.append_follower(batch) {
            Ok(Appended::Batch(batch))
        } else {
            Err(KafkaError::InvalidRequest)
        }
    }

    /// Appends a replicated batch without validating its producer (`UnifiedLog.appendAsFollower`). It may begin after the
    /// LEO, as in a compacted log. False, and nothing is changed, when it has no records or begins before the LEO
    /// (`UnexpectedAppendOffsetException`).
    pub fn append_follower(&mut self, batch: Batch) -> bool {
        if !self.push(batch) {
            return false;
        }
        self.epochs.assign(batch.epoch, batch.base);
        self.producers.update(&batch);
        true
    }

    /// Sets the HW, clamped into the log; it may go down, as at a follower (`UnifiedLog.updateHighWatermark`).
    /// True when it moved.
    pub fn set_hw(&mut self, hw: Offset) -> bool {
        let old = self.hw;
        self.hw = hw.min(self.leo).max(self.log_start);
        self.producers.on_high_watermark(self.hw);
        self.hw != old
    }

    /// Raises the HW, up to the LEO at most; never lowers it (`UnifiedLog.maybeIncrementHighWatermark`).
    /// True when it moved.
    pub fn raise_hw(&mut self, hw: Offset) -> bool {
        hw > self.hw && self.set_hw(hw)
    }

    /// Cuts the log to end at `to`; true when records went (`UnifiedLog.truncateTo`).
    ///
    /// Also when no record goes, epochs that begin at the LEO or later are dropped: a leader that wrote nothing loses its
    /// entry. Cutting below the HW is allowed and takes the HW along.
    pub fn truncate_to(&mut self, to: Offset) -> bool {
        if to >= self.leo {
            self.epochs.truncate_from_end(self.leo);
            return false;
        }
        self.log_start = self.log_start.min(to);
        self.cut(to);
        self.epochs.truncate_from_end(to);
        self.hw = self.hw.min(to);
        self.producers = ProducerStates::of_batches(&self.batches, self.hw);
        true
    }

    /// Drops everything and begins again at `start` (`UnifiedLog.truncateFullyAndStartAt`).
    pub fn truncate_fully(&mut self, start: Offset) {
        *self = Log::new(start);
    }

    /// Lets the log begin at `start`, if that is further on; batches that lie before it go
    /// (`UnifiedLog.maybeIncrementLogStartOffset`).
    ///
    /// # Errors
    /// OFFSET_OUT_OF_RANGE when `start` lies beyond the HW; nothing is changed.
    pub fn delete_records(&mut self, start: Offset) -> Result<(), KafkaError> {
        if start > self.hw {
            return Err(KafkaError::OffsetOutOfRange);
        }
        if start > self.log_start {
            self.log_start = start;
            self.batches.retain(|batch| batch.end() > start);
            self.epochs.truncate_from_start(start);
            self.producers.on_log_start(start);
        }
        Ok(())
    }

    /// The log after its process died and loaded it again (`LogLoader.load`); the records from `keep` on, if given, were
    /// not flushed and are gone. The HW is the checkpointed one, clamped into the log.
    ///
    /// Returns how many epoch entries were forgotten.
    pub fn crash(&mut self, checkpointed_hw: Offset, keep: Option<Offset>) -> usize {
        if let Some(keep) = keep {
            self.cut(keep.max(self.log_start));
        }
        self.reload(checkpointed_hw)
    }

    /// The records from `keep` on were not flushed and are gone from the disk; epoch entries stay until it is loaded.
    pub fn lose_tail(&mut self, keep: Offset) {
        self.cut(keep.max(self.log_start));
    }

    /// What a starting process makes of the disk (`LogLoader.load`); returns how many epoch entries were forgotten.
    pub fn load_from_disk(&mut self, checkpointed_hw: Offset) -> u32 {
        u32::try_from(self.reload(checkpointed_hw)).unwrap_or(u32::MAX)
    }

    /// A follower takes its leader's log start, as far as its HW allows (`UnifiedLog.maybeIncrementLogStartOffset`).
    pub fn raise_log_start(&mut self, start: Offset) {
        let start = start.min(self.hw);
        // It never lies beyond the HW here, so this cannot be refused.
        let _ = self.delete_records(start);
    }

    /// First offsets of the aborted transactions that lie in `from..to` (`UnifiedLog.collectAbortedTransactions`).
    pub fn aborted_transactions(&self, from: Offset, to: Offset) -> Vec<Offset> {
        self.producers
            .aborted_between(from, to)
            .map(|aborted| aborted.first)
            .collect()
    }

    /// Does what loading does with a log whose batches are given; returns how many epoch entries were forgotten.
    fn reload(&mut self, checkpointed_hw: Offset) -> usize {
        let known = self.epochs.entries().len();
        self.epochs.truncate_from_end(self.leo);
        self.epochs.truncate_from_start(self.log_start);
        self.producers = ProducerStates::of_batches(&self.batches, Offset(0));
        self.set_hw(checkpointed_hw);
        known.saturating_sub(self.epochs.entries().len())
    }

    /// Adds a batch; false when it begins before the LEO, has no records, or ends beyond the last offset.
    fn push(&mut self, batch: Batch) -> bool {
        let fits = batch.base >= self.leo
            && batch.count > 0
            && batch.base.0.checked_add(batch.count).is_some();
        if fits {
            self.leo = batch.end();
            self.batches.push(batch);
        }
        fits
    }

    /// Keeps the batches below `end`; a range that reaches beyond it is split. What then lies before the log start goes.
    fn cut(&mut self, end: Offset) {
        let kept = self.batches.partition_point(|batch| batch.base < end);
        self.batches.truncate(kept);
        if let Some(last) = self.batches.pop() {
            self.batches.extend(last.up_to(end));
        }
        self.leo = self.leo.min(end);
        self.batches.retain(|batch| batch.end() > self.log_start);
    }
}

#[cfg(test)]
mod tests;
