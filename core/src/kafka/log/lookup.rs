//! Reading a log and looking things up in it, by batches, never by single offsets.

use super::Log;
use crate::kafka::ids::{LeaderEpoch, Offset};
use crate::kafka::record::{Batch, Payload};

impl Log {
    /// What a fetch from `from` returns (`LocalLog.read`): batches up to `bound` (exclusive), as many as fit `max_bytes`
    /// when a record takes `record_bytes`, and at least one even when it is larger (`minOneMessage`).
    ///
    /// Where `from` or `bound` lies inside a batch, only the part between them is returned: a batch may be a range that
    /// stands for many of Kafka's. Nothing is returned for a `from` outside the log.
    pub fn read(
        &self,
        from: Offset,
        bound: Offset,
        max_bytes: u64,
        record_bytes: u64,
    ) -> Vec<Batch> {
        let mut found = Vec::new();
        let mut total: u64 = 0;
        if from < self.log_start {
            return found;
        }
        for batch in self.batches_after(from) {
            let Some(part) = batch
                .up_to(bound)
                .and_then(|batch| batch.starting_at(from.max(batch.base)))
            else {
                break;
            };
            total = total.saturating_add(part.count.saturating_mul(record_bytes));
            if total > max_bytes && !found.is_empty() {
                break;
            }
            found.push(part);
        }
        found
    }

    /// The batch that holds the record at `offset`; none outside the log.
    pub fn batch_at(&self, offset: Offset) -> Option<&Batch> {
        let batch = self.batches_after(offset).first()?;
        (batch.base <= offset && offset >= self.log_start).then_some(batch)
    }

    /// The leader epoch of the record at `offset`; none outside the log.
    pub fn epoch_at(&self, offset: Offset) -> Option<LeaderEpoch> {
        self.batch_at(offset).map(|batch| batch.epoch)
    }

    /// Where the script's record m*number* is first found, at or after the log start.
    pub fn contains_record(&self, number: u64) -> Option<Offset> {
        self.offsets_of_record(number).next()
    }

    /// Every offset at which the script's record m*number* is found: more than one when a retry was not recognised.
    pub fn offsets_of_record(&self, number: u64) -> impl Iterator<Item = Offset> + '_ {
        self.batches.iter().filter_map(move |batch| {
            let Payload::Records { first } = batch.payload else {
                return None;
            };
            let place = number
                .checked_sub(first)
                .filter(|place| *place < batch.count)?;
            let offset = batch.base.plus(place);
            (offset >= self.log_start).then_some(offset)
        })
    }

    /// The first offset, at or after both log starts and below both LEOs, at which two logs hold different records.
    pub fn first_difference(&self, other: &Log) -> Option<Offset> {
        let mut at = self.log_start.max(other.log_start);
        let end = self.leo.min(other.leo);
        let mut mine = self.batches_after(at);
        let mut theirs = other.batches_after(at);
        while at < end {
            let (left, right) = (mine.first(), theirs.first());
            let begun = |batch: Option<&Batch>| batch.is_some_and(|batch| batch.base <= at);
            match (left, right) {
                (Some(left), Some(right)) if begun(Some(left)) && begun(Some(right)) => {
                    if !left.agrees_at(right, at) {
                        return Some(at);
                    }
                    // Within an overlap of two batches everything goes up by one an offset, so one look is enough.
                    at = left.end().min(right.end());
                }
                _ if begun(left) || begun(right) => return Some(at),
                // A gap in both: on to where the first of them goes on.
                _ => {
                    at = left
                        .into_iter()
                        .chain(right)
                        .map(|batch| batch.base)
                        .min()?
                }
            }
            mine = after(mine, at);
            theirs = after(theirs, at);
        }
        None
    }

    /// The batches from the one that ends after `offset`.
    fn batches_after(&self, offset: Offset) -> &[Batch] {
        let place = self.batches.partition_point(|batch| batch.end() <= offset);
        self.batches.get(place..).unwrap_or_default()
    }
}

/// Without its first batch, when that ends at or before `offset`.
fn after(batches: &[Batch], offset: Offset) -> &[Batch] {
    match batches {
        [first, rest @ ..] if first.end() <= offset => rest,
        all => all,
    }
}
