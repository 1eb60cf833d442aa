//! The named properties as predicates over a state and its ghosts.

use super::ghosts::Ghosts;
use super::intervals::Intervals;
use super::property::{Property, PropertySet};
use crate::kafka::broker::{Broker, Process};
use crate::kafka::cluster::Cluster;
use crate::kafka::context::Context;
use crate::kafka::ids::Millis;
use crate::kafka::log::Log;

/// The properties that are false in this state.
pub fn violated(cluster: &Cluster, ghosts: &Ghosts) -> PropertySet {
    let held: Vec<(&Broker, Intervals)> = replicas(cluster)
        .map(|broker| (broker, Intervals::of_log(&broker.log)))
        .collect();
    let mut broken = PropertySet::EMPTY;
    let mut note = |property: Property, holds: bool| {
        if !holds {
            broken.insert(property);
        }
    };
    note(
        Property::AckedSomewhere,
        somewhere(&held).first_missing(&ghosts.acked).is_none(),
    );
    note(
        Property::CandidatesComplete,
        held.iter()
            .filter(|(broker, _)| is_live_candidate(cluster, broker))
            .all(|(_, records)| records.first_missing(&ghosts.acked).is_none()),
    );
    note(Property::ReadStable, !ghosts.conflict);
    note(Property::NoDupVisible, !ghosts.duplicate);
    note(Property::OneLeaderPerEpoch, !ghosts.two_leaders);
    note(Property::EpochMonotone, !ghosts.epoch_went_back);
    note(
        Property::LogsAgreeBelowHw,
        logs_agree(held.iter().map(|(broker, _)| &broker.log)),
    );
    note(
        Property::LogEpochsMonotone,
        held.iter().all(|(broker, _)| epochs_ascend(&broker.log)),
    );
    let partition = &cluster.controller.partition;
    note(
        Property::LeaderInIsr,
        partition
            .leader
            .is_none_or(|leader| partition.isr.contains(leader)),
    );
    let acting = cluster.acting_leader();
    let records = held
        .iter()
        .find(|(broker, _)| Some(broker.id) == acting.map(|b| b.id));
    note(
        Property::AckedDurable,
        records.is_none_or(|(_, records)| records.first_missing(&ghosts.acked).is_none()),
    );
    if let Some(broker) = acting {
        of_acting_leader(cluster, broker, ghosts, &mut note);
    }
    broken
}

/// The properties of the acting leader's log, HW and ISR.
fn of_acting_leader(
    cluster: &Cluster,
    broker: &Broker,
    ghosts: &Ghosts,
    note: &mut impl FnMut(Property, bool),
) {
    let Some(leader) = broker.leader() else {
        return;
    };
    let (hw, visible) = (broker.hw(), ghosts.visible.leo());
    note(
        Property::VisibleSurvives,
        visible <= broker.leo() && broker.log.first_difference(&ghosts.visible).is_none(),
    );
    note(Property::NaiveHwMonotone, hw >= visible);
    note(
        Property::AppliedHwMonotone,
        hw < leader.epoch_start || hw >= visible,
    );
    let context = Context {
        settings: &cluster.settings,
        now: Millis(0),
    };
    let min = broker.effective_min_isr(&context) as usize;
    let partition = &cluster.controller.partition;
    let maximal = leader.maximal_isr(&context);
    let electable = partition.isr.union(&partition.elr);
    note(
        Property::EffIsrSuperset,
        leader.committed_isr.len() < min || electable.minus(&maximal).is_empty(),
    );
}

fn replicas(cluster: &Cluster) -> impl Iterator<Item = &Broker> {
    let replicas = &cluster.controller.partition.replicas;
    cluster
        .brokers
        .iter()
        .filter(|broker| replicas.contains(&broker.id))
}

fn somewhere(held: &[(&Broker, Intervals)]) -> Intervals {
    let mut all = Intervals::default();
    for (_, records) in held {
        all.add(records);
    }
    all
}

/// Whether it may be elected as it is: in ISR or ELR, running as the process that is registered, and not fenced.
fn is_live_candidate(cluster: &Cluster, broker: &Broker) -> bool {
    let partition = &cluster.controller.partition;
    let member = partition.isr.contains(broker.id) || partition.elr.contains(broker.id);
    let registered = cluster
        .controller
        .brokers
        .get(&broker.id)
        .is_some_and(|r| !r.fenced && Some(r.epoch) == broker.epoch);
    let runs = matches!(broker.process, Process::Running | Process::ShuttingDown);
    member && registered && runs
}

fn logs_agree<'a>(logs: impl Iterator<Item = &'a Log> + Clone) -> bool {
    logs.clone().enumerate().all(|(place, log)| {
        logs.clone().skip(place + 1).all(|other| {
            let end = log.hw().min(other.hw());
            log.first_difference(other).is_none_or(|at| at >= end)
        })
    })
}

fn epochs_ascend(log: &Log) -> bool {
    log.batches()
        .windows(2)
        .all(|pair| pair[0].epoch <= pair[1].epoch)
}
