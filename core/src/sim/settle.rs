//! The end of a run: when only idle polling and heartbeats would follow.

use super::recorder::Recorder;
use super::simulation::Simulation;
use crate::kafka::broker::{Broker, Process};
use crate::kafka::follower::Phase;
use crate::kafka::ids::Millis;
use crate::kafka::leader::Leader;
use crate::kafka::message::Node;

/// The longest time that a run goes on after its last step.
pub const TAIL_LIMIT: Millis = Millis(120_000);

/// How long it must have been quiet with nothing due: two rounds of parked fetches.
const QUIET_ROUNDS: u64 = 2;

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It goes on, at least to this instant.
    Until(Millis),
    /// It is over, and ended at this instant.
    Over(Millis),
    /// It ended at this instant although something was still due.
    CutOff(Millis),
}

/// Whether the run goes on.
pub fn rest(simulation: &Simulation, recorder: &Recorder) -> Rest {
    let progress = &simulation.progress;
    if progress.next < simulation.scenario.steps.len() || progress.active.is_some() {
        return Rest::Until(Millis(u64::MAX));
    }
    let limit = progress.done_at.plus(TAIL_LIMIT);
    let last = recorder.last_significant.max(progress.done_at);
    let settings = &simulation.cluster.settings;
    let polls = settings
        .replica_fetch_wait_max
        .max(settings.consumer_fetch_wait_max)
        .0
        .saturating_mul(QUIET_ROUNDS);
    // What is due comes within the longest of the clocks that make things happen by themselves.
    let longest = settings.replica_lag_time_max.0.saturating_mul(3) / 2
        + settings.session_timeout.0.saturating_mul(9) / 8;
    let quiet = if is_due(simulation) {
        longest.saturating_add(polls)
    } else {
        polls.saturating_add(10)
    };
    let until = last.plus(Millis(quiet)).min(limit);
    if simulation.now < until {
        return Rest::Until(until);
    }
    if until == limit && is_due(simulation) {
        Rest::CutOff(limit)
    } else {
        Rest::Over(last)
    }
}

/// Whether something will still happen by itself: a session to expire, an ISR tick to remove somebody, a follower to
/// catch up, a retry or timeout of the producer, a consumer to read on.
pub fn is_due(simulation: &Simulation) -> bool {
    let cluster = &simulation.cluster;
    cluster.producer.is_busy()
        || simulation
            .cluster
            .brokers
            .iter()
            .any(|broker| broker_is_due(simulation, broker))
        || cluster
            .acting_leader()
            .is_some_and(|leader| leader_is_due(simulation, leader))
}

fn broker_is_due(simulation: &Simulation, broker: &Broker) -> bool {
    let controller = &simulation.cluster.controller;
    let Some(registration) = controller.brokers.get(&broker.id) else {
        return false;
    };
    let reaches = controller.running
        && !simulation
            .network
            .is_cut(Node::Broker(broker.id), Node::Controller)
        && !simulation
            .network
            .is_cut(Node::Controller, Node::Broker(broker.id));
    match broker.process {
        Process::Down => controller.running && !registration.fenced,
        Process::Registering | Process::ShuttingDown => reaches,
        Process::Running if !reaches => controller.running && !registration.fenced,
        Process::Running => {
            (registration.fenced && !registration.kept_fenced)
                || follower_is_due(simulation, broker)
        }
    }
}

fn follower_is_due(simulation: &Simulation, broker: &Broker) -> bool {
    let Some(follower) = broker.follower() else {
        return false;
    };
    let Some(leader) = follower
        .leader
        .and_then(|id| simulation.cluster.broker(id))
        .filter(|l| l.is_up())
    else {
        return false;
    };
    let gate_open = simulation
        .network
        .gates
        .get(&broker.id)
        .is_none_or(|gate| !gate.held);
    let link_open = !simulation
        .network
        .is_cut(Node::Broker(broker.id), Node::Broker(leader.id))
        && !simulation
            .network
            .is_cut(Node::Broker(leader.id), Node::Broker(broker.id));
    if !gate_open || !link_open || follower.phase == Phase::Failed {
        return false;
    }
    let Some(state) = leader.leader() else {
        return false;
    };
    broker.leo() != leader.leo()
        || broker.hw() != leader.hw()
        || !state.committed_isr.contains(broker.id)
}

fn leader_is_due(simulation: &Simulation, leader: &Broker) -> bool {
    let Some(state) = leader.leader() else {
        return false;
    };
    let reaches = simulation.cluster.controller.running
        && !simulation
            .network
            .is_cut(Node::Broker(leader.id), Node::Controller);
    let held = simulation.network.holds_alter_partition(leader.id);
    let pending = state.pending.as_ref().is_some_and(|p| !p.stuck) && reaches && !held;
    let behind = reaches && !held && lags(state, leader);
    let unread = simulation.cluster.consumer.position < leader.log.lso().min(leader.hw());
    pending || behind || unread || !state.parked.is_empty()
}

/// Whether an ISR member is behind: it will catch up or be removed.
fn lags(state: &Leader, leader: &Broker) -> bool {
    state
        .committed_isr
        .iter()
        .filter(|b| *b != leader.id)
        .any(|member| state.followers.get(&member).and_then(|f| f.leo) != Some(leader.leo()))
}
