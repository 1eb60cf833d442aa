//! Where a follower cuts its log when the leader says that it diverges (rules 6.4).

use super::epoch_cache::EpochCache;
use super::ids::Offset;
use super::message::DivergingEpoch;

/// What a follower does with its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Truncate {
    /// The offset to cut to; it is the new LEO.
    pub to: Offset,
    /// False when the follower does not know the leader's epoch: it goes to a lower one of its own and asks again.
    pub completed: bool,
}

/// Where to cut a log that ends at `leo`, whose epochs are `own`, when the leader answered `answer`
/// (`AbstractFetcherThread.getOffsetTruncationState`).
pub fn truncation_point(
    answer: DivergingEpoch,
    own: &EpochCache,
    leo: Offset,
    fetch_offset: Offset,
) -> Truncate {
    decide(
        answer,
        own.end_offset_for(answer.epoch, leo),
        leo,
        fetch_offset,
    )
}

/// The same, when the follower's own end of the answered epoch is known already.
pub fn decide(
    answer: DivergingEpoch,
    own: DivergingEpoch,
    leo: Offset,
    fetch_offset: Offset,
) -> Truncate {
    let completed = |to: Offset| Truncate {
        to,
        completed: true,
    };
    let Some(end) = answer.end_offset else {
        // The leader knows no epoch at all.
        return completed(fetch_offset);
    };
    let (Some(epoch), Some(own_epoch), Some(own_end)) = (answer.epoch, own.epoch, own.end_offset)
    else {
        // An answer without an epoch (KIP-101), or a follower that keeps none.
        return completed(end.min(leo));
    };
    if own_epoch != epoch {
        return Truncate {
            to: own_end.min(leo),
            completed: false,
        };
    }
    completed(own_end.min(end).min(leo))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::ids::LeaderEpoch;

    /// Cuts a log that ends at 30, fetches from 25, and has the epochs 1 (from 0), 3 (from 10) and 5 (from 20).
    fn cut(epoch: Option<u32>, end: Option<u64>) -> (u64, bool) {
        let entries = [(1, 0), (3, 10), (5, 20)];
        let own = EpochCache::from_entries(entries.map(|(e, s)| (LeaderEpoch(e), Offset(s))));
        let answer = DivergingEpoch {
            epoch: epoch.map(LeaderEpoch),
            end_offset: end.map(Offset),
        };
        let truncate = truncation_point(answer, &own, Offset(30), Offset(25));
        (truncate.to.0, truncate.completed)
    }

    #[test]
    fn a_shared_epoch_is_cut_at_the_shorter_end() {
        assert_eq!(cut(Some(3), Some(15)), (15, true));
        assert_eq!(cut(Some(3), Some(28)), (20, true));
        assert_eq!(cut(Some(5), Some(40)), (30, true));
    }

    #[test]
    fn an_epoch_that_the_follower_does_not_know_leads_to_the_next_lower_one() {
        assert_eq!(cut(Some(4), Some(12)), (20, false));
        assert_eq!(cut(Some(2), Some(28)), (10, false));
    }

    #[test]
    fn an_answer_without_epoch_or_end_is_taken_as_it_is() {
        assert_eq!(cut(None, Some(12)), (12, true));
        assert_eq!(cut(None, Some(99)), (30, true));
        assert_eq!(cut(Some(3), None), (25, true));
        assert_eq!(cut(None, None), (25, true));
        // The follower knows no epoch as high as this one.
        assert_eq!(cut(Some(6), Some(12)), (12, true));
    }
}
