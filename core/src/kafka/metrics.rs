//! What a broker's JMX metrics say of the partition (rules 10.4).

use super::broker::Broker;
use super::context::Context;
use super::event::{EventKind, IsrChange};
use super::ids::BrokerId;
use super::map::Map;

/// `IsrShrinksPerSec`, `IsrExpandsPerSec` and `FailedIsrUpdatesPerSec` of `ReplicaManager`, as counts.
///
/// They are marked when AlterPartition is answered, so changes that the controller makes by itself are not counted.
/// They follow from a run's events: no transition looks at them, so they are no part of a broker's state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IsrMetrics {
    /// Committed removals.
    pub shrinks: u64,
    /// Committed additions.
    pub expands: u64,
    /// Refused or unusable answers.
    pub failures: u64,
    /// What each leader proposed last.
    proposed: Map<BrokerId, IsrChange>,
}

impl IsrMetrics {
    /// Takes an event of the run, in order (`AlterPartitionListener.markIsrExpand`, `markIsrShrink`, `markFailed`).
    pub fn note(&mut self, kind: &EventKind) {
        match kind {
            EventKind::IsrProposed { leader, change, .. } => {
                self.proposed.insert(*leader, *change);
            }
            EventKind::IsrAnswered { result: Err(_), .. } => self.failures += 1,
            EventKind::IsrAnswered {
                leader,
                result: Ok(_),
            } => match self.proposed.get(leader) {
                Some(IsrChange::Shrink) => self.shrinks += 1,
                Some(IsrChange::Expand) => self.expands += 1,
                None => {}
            },
            _ => {}
        }
    }
}

impl Broker {
    /// `UnderMinIsr`: it leads, and the committed ISR is smaller than the effective min ISR (`Partition.isUnderMinIsr`).
    pub fn is_under_min_isr(&self, context: &Context<'_>) -> bool {
        self.isr_size()
            .is_some_and(|size| size < self.effective_min_isr(context))
    }

    /// `AtMinIsr`: it leads, and the committed ISR is as small as it may be (`Partition.isAtMinIsr`).
    pub fn is_at_min_isr(&self, context: &Context<'_>) -> bool {
        self.isr_size() == Some(self.effective_min_isr(context))
    }

    /// `UnderReplicated`: it leads, and a replica is missing from the committed ISR (`Partition.isUnderReplicated`).
    pub fn is_under_replicated(&self) -> bool {
        self.leader()
            .is_some_and(|leader| leader.committed_isr.len() < leader.replicas.len())
    }

    /// How many members the committed ISR has; none when it does not lead.
    fn isr_size(&self) -> Option<u32> {
        let size = self.leader()?.committed_isr.len();
        Some(u32::try_from(size).unwrap_or(u32::MAX))
    }
}
