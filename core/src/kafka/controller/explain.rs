//! The causes of partition records, as data: which rule, and what it looked at.

use super::Controller;
use crate::kafka::cause::{Cause, Quantity, Rule};
use crate::kafka::event::{ChangeReason, Election};
use crate::kafka::ids::{BrokerId, BrokerSet, EventId};
use crate::kafka::partition::PartitionState;
use crate::kafka::rules::Rules;

/// Why a partition record is written.
#[derive(Clone, Copy)]
pub(super) struct Because {
    /// The reason in the event.
    pub reason: ChangeReason,
    /// The rule that acts, when no election does.
    pub rule: Rule,
    /// The event that triggered it; none = what is being handled.
    pub trigger: Option<EventId>,
}

/// What the rules of an election look at besides the partition.
pub(super) struct Looked {
    min_isr: u32,
    unclean_election: bool,
    /// Per replica: fenced, in controlled shutdown. A replica that is not registered counts as fenced.
    replicas: Vec<(BrokerId, bool, bool)>,
}

impl Looked {
    /// Takes down what there is now. Cheap: at most five replicas.
    pub fn at(controller: &Controller, rules: &Rules) -> Looked {
        let replicas = controller.partition.replicas.iter().map(|id| {
            let registration = controller.brokers.get(id);
            let fenced = registration.is_none_or(|r| r.fenced);
            let shutting_down = registration.is_some_and(|r| r.in_controlled_shutdown);
            (*id, fenced, shutting_down)
        });
        Looked {
            min_isr: controller.effective_min_isr(),
            unclean_election: controller.unclean_enabled(rules),
            replicas: replicas.collect(),
        }
    }

    /// The cause of a record: the election's rule when the leader was chosen, the ELR's when only it moved, otherwise
    /// the rule of the action.
    pub fn cause(
        &self,
        before: &PartitionState,
        after: &PartitionState,
        election: Election,
        because: Because,
    ) -> Cause {
        let preferred = after.replicas.first().copied();
        let asked = matches!(
            because.reason,
            ChangeReason::PreferredElection | ChangeReason::LeaderRebalance
        );
        let rule = match election {
            Election::FromIsr if asked && after.leader == preferred => Rule::ElectPreferred,
            Election::FromIsr => Rule::ElectFromIsr,
            Election::FromElr => Rule::ElectFromElr,
            Election::LastKnownLeader => Rule::ElectLastKnownLeader,
            Election::Unclean => Rule::ElectUnclean,
            Election::NoLeader => Rule::ElectNobody,
            Election::None if because.rule == Rule::AlterPartitionValidation => because.rule,
            Election::None if because.rule == Rule::ClearElr => because.rule,
            Election::None if before.elr != after.elr => Rule::TargetElr,
            Election::None => because.rule,
        };
        let known: BrokerSet = before.last_known_elr.iter().copied().collect();
        let mut cause = Cause::of(rule)
            .after(because.trigger)
            .number(Quantity::Leader, before.leader)
            .number(Quantity::ControllerIsr, &before.isr)
            .number(Quantity::Elr, &before.elr)
            .number(Quantity::LastKnownElr, known)
            .number(Quantity::MinIsr, self.min_isr)
            .number(Quantity::UncleanElection, self.unclean_election);
        if rule == Rule::ElectPreferred {
            cause = cause.number(Quantity::Preferred, preferred);
        }
        for (id, fenced, shutting_down) in &self.replicas {
            cause = cause.number(Quantity::Fenced(*id), *fenced);
            if *shutting_down {
                cause = cause.number(Quantity::InControlledShutdown(*id), true);
            }
        }
        cause
    }
}
