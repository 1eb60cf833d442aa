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
