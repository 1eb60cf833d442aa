//! The leader epoch cache: where each leader epoch begins in a log (rules 6.2, KIP-101).

use super::ids::{LeaderEpoch, Offset};
use super::message::DivergingEpoch;

/// A log's `leader-epoch-checkpoint`: epochs with their start offsets, both strictly increasing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpochCache(Vec<(LeaderEpoch, Offset)>);

impl EpochCache {
    /// A cache with these entries, assigned in order; what does not increase drops what was before it.
    pub fn from_entries(entries: impl IntoIterator<Item = (LeaderEpoch, Offset)>) -> EpochCache {
        let mut cache = EpochCache::default();
        for (epoch, start) in entries {
            cache.assign(epoch, start);
        }
        cache
    }

    /// Notes that `epoch` begins at `start`; true when an entry was added (`LeaderEpochFileCache.assign`).
    ///
    /// Nothing happens when it is the latest epoch and does not begin earlier than noted. Otherwise the entries that
    /// contradict the new one (an epoch or a start that is not smaller) go first.
    pub fn assign(&mut self, epoch: LeaderEpoch, start: Offset) -> bool {
        if self
            .0
            .last()
            .is_some_and(|last| last.0 == epoch && start >= last.1)
        {
            return false;
        }
        while self
            .0
            .pop_if(|last| last.0 >= epoch || last.1 >= start)
            .is_some()
        {}
        self.0.push((epoch, start));
        true
    }

    /// The largest epoch not above `epoch` and its end offset (exclusive), in a log that ends at `leo`
    /// (`LeaderEpochFileCache.endOffsetFor`).
    ///
    /// Both are none when `epoch` is none or above every entry. For an epoch older than every entry the answer is that
    /// epoch itself with the start of the first entry.
    pub fn end_offset_for(
        &self,
        epoch: impl Into<Option<LeaderEpoch>>,
        leo: Offset,
    ) -> DivergingEpoch {
        let undefined = DivergingEpoch {
            epoch: None,
            end_offset: None,
        };
        let (Some(epoch), Some(latest)) = (epoch.into(), self.latest()) else {
            return undefined;
        };
        if epoch == latest {
            return DivergingEpoch {
                epoch: Some(epoch),
                end_offset: Some(leo),
            };
        }
        let place = self.after(epoch);
        let Some((_, next_start)) = self.0.get(place) else {
            return undefined;
        };
        let floor = self.0[..place].last().map_or(epoch, |entry| entry.0);
        DivergingEpoch {
            epoch: Some(floor),
            end_offset: Some(*next_start),
        }
    }

    /// Drops the entries that begin at `end` or later (`LeaderEpochFileCache.truncateFromEnd`).
    pub fn truncate_from_end(&mut self, end: Offset) {
        let kept = self.0.partition_point(|entry| entry.1 < end);
        self.0.truncate(kept);
    }

    /// Lets the cache begin at `start`: the last entry that begins there or before is kept and now begins at `start`,
    /// those before it go (`LeaderEpochFileCache.truncateFromStart`).
    pub fn truncate_from_start(&mut self, start: Offset) {
        let place = self.0.partition_point(|entry| entry.1 <= start);
        self.0.drain(..place.saturating_sub(1));
        if let (Some(first), true) = (self.0.first_mut(), place > 0) {
            first.1 = start;
        }
    }

    /// Drops every entry.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The latest epoch, none when the cache is empty (`LeaderEpochFileCache.latestEpoch`).
    pub fn latest(&self) -> Option<LeaderEpoch> {
        self.0.last().map(|entry| entry.0)
    }

    /// Where an epoch begins, when it is noted.
    pub fn start_of(&self, epoch: LeaderEpoch) -> Option<Offset> {
        let mut entries = self.0.iter();
        entries.find(|entry| entry.0 == epoch).map(|entry| entry.1)
    }

    /// The entries: each epoch with its start offset, both strictly increasing.
    pub fn entries(&self) -> &[(LeaderEpoch, Offset)] {
        &self.0
    }

    /// The largest epoch below `epoch`, or below the latest one when none is given (`LeaderEpochFileCache.previousEpoch`).
    pub fn previous_epoch(&self, epoch: impl Into<Option<LeaderEpoch>>) -> Option<LeaderEpoch> {
        let below = epoch.into().or(self.latest())?;
        self.0
            .iter()
            .rev()
            .map(|entry| entry.0)
            .find(|known| *known < below)
    }

    /// The smallest epoch above `epoch`, or the first one when none is given (`LeaderEpochFileCache.nextEpoch`).
    pub fn next_epoch(&self, epoch: impl Into<Option<LeaderEpoch>>) -> Option<LeaderEpoch> {
        let place = epoch.into().map_or(0, |epoch| self.after(epoch));
        self.0.get(place).map(|entry| entry.0)
    }

    /// The epoch that the record at `offset` belongs to; none before the first entry
    /// (`LeaderEpochFileCache.epochForOffset`).
    pub fn epoch_for_offset(&self, offset: Offset) -> Option<LeaderEpoch> {
        let place = self.0.partition_point(|entry| entry.1 <= offset);
        self.0[..place].last().map(|entry| entry.0)
    }

    /// The place of the first entry above `epoch`.
    fn after(&self, epoch: LeaderEpoch) -> usize {
        self.0.partition_point(|entry| entry.0 <= epoch)
    }
}
