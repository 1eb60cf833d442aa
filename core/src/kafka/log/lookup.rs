//! Reading a log and looking things up in it, by batches, never by single offsets.

use super::Log;
use crate::kafka::ids::{LeaderEpoch, Offset};
use crate::kafka::record::{Batch, Payload};
use core::ops::Range;

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
        self.differences(other).next().map(|range| range.start)
    }

    /// The offsets, at or after both log starts and below both LEOs, at which two logs hold different records, as ranges in
    /// order; neighbours are not merged.
    pub fn differences<'a>(&'a self, other: &'a Log) -> impl Iterator<Item = Range<Offset>> + 'a {
        let at = self.log_start.max(other.log_start);
        Differences {
            mine: self.batches_after(at),
            theirs: other.batches_after(at),
            at,
            end: self.leo.min(other.leo),
        }
    }

    /// The batches from the one that ends after `offset`.
    fn batches_after(&self, offset: Offset) -> &[Batch] {
        let place = self.batches.partition_point(|batch| batch.end() <= offset);
        self.batches.get(place..).unwrap_or_default()
    }
}

/// Two logs side by side, from an offset on.
struct Differences<'a> {
    mine: &'a [Batch],
    theirs: &'a [Batch],
    at: Offset,
    end: Offset,
}

impl Iterator for Differences<'_> {
    type Item = Range<Offset>;

    fn next(&mut self) -> Option<Range<Offset>> {
        while self.at < self.end {
            let at = self.at;
            let begun = |batches: &[Batch]| batches.first().copied().filter(|b| b.base <= at);
            // Within an overlap of two batches, or of a batch and a gap, everything goes up by one an offset, so one look
            // at its first offset is enough.
            let (differs, end) = match (begun(self.mine), begun(self.theirs)) {
                (Some(left), Some(right)) => {
                    (!left.agrees_at(&right, at), left.end().min(right.end()))
                }
                (Some(batch), None) => (true, goes_on(self.theirs, batch.end())),
                (None, Some(batch)) => (true, goes_on(self.mine, batch.end())),
                (None, None) => {
                    let end = goes_on(self.mine, self.end);
                    (false, goes_on(self.theirs, end))
                }
            };
            let end = end.min(self.end);
            self.at = end;
            self.mine = after(self.mine, end);
            self.theirs = after(self.theirs, end);
            if differs {
                return Some(at..end);
            }
        }
        None
    }
}

/// Where the first batch begins, if that is before `end`.
fn goes_on(batches: &[Batch], end: Offset) -> Offset {
    batches.first().map_or(end, |batch| batch.base.min(end))
}

/// Without its first batch, when that ends at or before `offset`.
fn after(batches: &[Batch], offset: Offset) -> &[Batch] {
    match batches {
        [first, rest @ ..] if first.end() <= offset => rest,
        all => all,
    }
}
