//! Sets of record numbers as disjoint ranges: a batch of a hundred thousand records costs as much as one of one.

use crate::kafka::log::Log;
use crate::kafka::record::{Batch, Payload};

/// Record numbers as ranges `first..end`, ascending, disjoint, with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intervals(Vec<(u64, u64)>);

impl Intervals {
    /// Adds `first..end`; true when none of it was there.
    pub fn insert(&mut self, first: u64, end: u64) -> bool {
        if first >= end {
            return true;
        }
        // The ranges from `from` to `to` (exclusive) touch or overlap the new one.
        let from = self.0.partition_point(|range| range.1 < first);
        let to = self.0.partition_point(|range| range.0 <= end);
        let touched = self.0.get(from..to).unwrap_or_default();
        let fresh = touched.iter().all(|r| r.1 <= first || r.0 >= end);
        let low = touched.first().map_or(first, |r| r.0.min(first));
        let high = touched.last().map_or(end, |r| r.1.max(end));
        self.0.splice(from..to, [(low, high)]);
        fresh
    }

    /// The script's records of a batch, if it has any.
    pub fn of_batch(batch: &Batch) -> Option<(u64, u64)> {
        match batch.payload {
            Payload::Records { first } => Some((first, first.saturating_add(batch.count))),
            _ => None,
        }
    }

    /// The script's records that a log holds, from its log start on.
    pub fn of_log(log: &Log) -> Intervals {
        let mut held = Intervals::default();
        for batch in log.batches() {
            let part = batch.starting_at(log.log_start().max(batch.base));
            if let Some((first, end)) = part.as_ref().and_then(Intervals::of_batch) {
                held.insert(first, end);
            }
        }
        held
    }

    /// Adds all of `other`.
    pub fn add(&mut self, other: &Intervals) {
        for &(first, end) in &other.0 {
            self.insert(first, end);
        }
    }

    /// The first number of `wanted` that is not here.
    pub fn first_missing(&self, wanted: &Intervals) -> Option<u64> {
        wanted.0.iter().find_map(|&(first, end)| {
            let place = self.0.partition_point(|range| range.1 <= first);
            match self.0.get(place) {
                Some(&(low, high)) if low <= first => (high < end).then_some(high),
                _ => Some(first),
            }
        })
    }

    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_set_of_the_numbers_put_into_it() {
        // Every order of a few ranges against a plain list of numbers.
        let ranges = [(1, 3), (3, 5), (8, 9), (4, 9), (2, 2), (0, 1), (20, 22)];
        for rotation in 0..ranges.len() {
            let mut set = Intervals::default();
            let mut plain = [false; 32];
            for place in 0..ranges.len() {
                let (first, end) = ranges[(place + rotation) % ranges.len()];
                let fresh = plain[first as usize..end as usize].iter().all(|n| !n);
                plain[first as usize..end as usize].fill(true);
                assert_eq!(set.insert(first, end), fresh);
            }
            for number in 0..31u64 {
                let mut one = Intervals::default();
                one.insert(number, number + 1);
                let missing = (!plain[number as usize]).then_some(number);
                assert_eq!(set.first_missing(&one), missing);
            }
            assert!(set.0.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let (mut held, mut wanted) = (Intervals::default(), Intervals::default());
        held.insert(1, 4);
        held.insert(6, 9);
        wanted.insert(2, 8);
        assert_eq!(held.first_missing(&wanted), Some(4));
        held.insert(4, 6);
        assert_eq!(held.first_missing(&wanted), None);
    }
}
