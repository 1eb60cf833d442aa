//! When a reassignment (replicas being added and removed) is complete.

use super::ids::{BrokerId, BrokerSet};

/// What a completed reassignment leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedReassignment {
    /// The new assignment, in order.
    pub replicas: Vec<BrokerId>,
    /// The ISR without the removed replicas.
    pub isr: BrokerSet,
}

/// `PartitionReassignmentReplicas.maybeCompleteReassignment`: complete when all added replicas are in the ISR, someone
/// who stays is in the ISR, and, when there will be fewer replicas than before it began, all of them are in the ISR.
/// `None` when nothing is being reassigned, or not complete.
pub fn maybe_complete_reassignment(
    replicas: &[BrokerId],
    adding: &[BrokerId],
    removing: &[BrokerId],
    target_isr: &BrokerSet,
) -> Option<CompletedReassignment> {
    if adding.is_empty() && removing.is_empty() {
        return None;
    }
    if adding.iter().any(|b| !target_isr.contains(*b)) {
        return None;
    }
    let stays = |b: &BrokerId| !removing.contains(b);
    let isr: BrokerSet = target_isr.iter().filter(stays).collect();
    let kept: Vec<BrokerId> = replicas.iter().copied().filter(stays).collect();
    if isr.is_empty() || kept.is_empty() {
        return None;
    }
    let original = replicas.iter().filter(|b| !adding.contains(b)).count();
    if kept.len() < original && kept.iter().any(|b| !isr.contains(*b)) {
        return None;
    }
    Some(CompletedReassignment {
        replicas: kept,
        isr,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(list: &[u32]) -> Vec<BrokerId> {
        list.iter().copied().map(BrokerId).collect()
    }

    fn complete(
        replicas: &[u32],
        adding: &[u32],
        removing: &[u32],
        isr: &[u32],
    ) -> Option<(Vec<BrokerId>, BrokerSet)> {
        let isr = ids(isr).into_iter().collect();
        maybe_complete_reassignment(&ids(replicas), &ids(adding), &ids(removing), &isr)
            .map(|done| (done.replicas, done.isr))
    }

    #[test]
    fn nothing_to_complete() {
        assert_eq!(complete(&[1, 2], &[], &[], &[1, 2]), None);
    }

    #[test]
    fn an_added_replica_must_be_in_sync() {
        assert_eq!(complete(&[1, 2, 3], &[3], &[1], &[1, 2]), None);
        let done = Some((ids(&[2, 3]), ids(&[2, 3]).into_iter().collect()));
        assert_eq!(complete(&[1, 2, 3], &[3], &[1], &[1, 2, 3]), done);
    }

    #[test]
    fn somebody_who_stays_must_be_in_sync() {
        assert_eq!(complete(&[1, 2], &[], &[1], &[1]), None);
    }

    #[test]
    fn fewer_replicas_must_all_be_in_sync() {
        assert_eq!(complete(&[1, 2, 3], &[], &[1], &[1, 2]), None);
        let done = Some((ids(&[2, 3]), ids(&[2, 3]).into_iter().collect()));
        assert_eq!(complete(&[1, 2, 3], &[], &[1], &[2, 3]), done);
    }
}
