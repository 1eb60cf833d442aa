//! Replays a recording of a real cluster step by step, and holds the model's state against what the cluster showed.

mod compare;
mod words;

use super::outside::latest_at_leader;
use super::recorder::Recorder;
use super::simulation::Simulation;
use crate::kafka::broker::Broker;
use crate::kafka::context::Context;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Event, Outcome};
use crate::kafka::ids::Millis;
use crate::kafka::log::Log;
use crate::kafka::producer::CallState;
use crate::kafka::record::{Batch, Payload};
use crate::kafka::settings::{Isolation, Settings};
use crate::scenario::trace::{Ack, End, Known, LogEntry, Observation, Trace, TraceStep};
use crate::scenario::value::{AWAIT_LIMIT, Scenario, Step, When};
use compare::compare;
use std::sync::Arc;

/// One value that the recording and the model tell differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is: `leader`, `hw/2`, `acks/p1`, `result`.
    pub name: String,
    /// What the cluster showed.
    pub recorded: String,
    /// What the model shows.
    pub model: String,
}

/// A step of the recording, held against the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepComparison {
    /// The step's index in the recording; none = the state before the first step.
    pub step: Option<u64>,
    /// The model's clock when it was looked at.
    pub at: Millis,
    /// How many values were compared.
    pub compared: usize,
    /// Those that differ.
    pub differences: Vec<Difference>,
    /// The model's whole state.
    pub model: Observation,
}

/// Replays a trace; one comparison for the start and one for each step.
pub fn replay(trace: &Trace) -> Vec<StepComparison> {
    replay_best(trace).1
}

/// Replays a trace, and the phase of the ISR tick that it was replayed with.
///
/// When a broker's `isr-expiration` task ticked was not recorded (it depends on when its process started), and what is
/// removed together or one by one depends on it. So where the first phase does not fit, others are tried; the best counts.
pub fn replay_best(trace: &Trace) -> (Millis, Vec<StepComparison>) {
    let half = (trace.settings.replica_lag_time_max.0 / 2).max(1);
    let mut best: Option<(usize, Millis, Vec<StepComparison>)> = None;
    for eighth in 0..TICK_PHASES {
        let phase = Millis(half * eighth / TICK_PHASES);
        let comparisons = replay_with(trace, phase);
        let wrong = comparisons.iter().map(|c| c.differences.len()).sum();
        if best.as_ref().is_none_or(|(least, ..)| wrong < *least) {
            best = Some((wrong, phase, comparisons));
        }
        if wrong == 0 {
            break;
        }
    }
    best.map(|(_, phase, comparisons)| (phase, comparisons))
        .unwrap_or_default()
}

/// How many phases of the ISR tick are tried.
pub const TICK_PHASES: u64 = 8;

/// Replays a trace with one phase of the ISR tick.
pub fn replay_with(trace: &Trace, isr_tick_phase: Millis) -> Vec<StepComparison> {
    replay_watched(trace, isr_tick_phase, |_, _, _| ())
}

/// As [`replay_with`]; `watch` sees the simulation and what was recorded so far at the start (the index is none) and when
/// each step has settled.
pub fn replay_watched(
    trace: &Trace,
    isr_tick_phase: Millis,
    watch: impl FnMut(Option<u64>, &Simulation, &Recorder),
) -> Vec<StepComparison> {
    replay_observed(trace, isr_tick_phase, &mut |_, _| {}, watch)
}

/// Sees a state, with all events so far.
type Observe<'a> = dyn FnMut(&Simulation, &[Event]) + 'a;

/// As [`replay_watched`]; `observe` sees the state that the replay begins with, and then the state after each single thing
/// that happened.
pub fn replay_observed(
    trace: &Trace,
    isr_tick_phase: Millis,
    observe: &mut Observe<'_>,
    mut watch: impl FnMut(Option<u64>, &Simulation, &Recorder),
) -> Vec<StepComparison> {
    let base = trace.scenario();
    let settings = Settings {
        isr_tick_phase,
        ..base.settings
    };
    let scenario = Scenario {
        settings,
        steps: Vec::new(),
        ..trace.scenario()
    };
    let mut recorder = Recorder::default();
    let mut simulation = Simulation::new(&scenario, &mut recorder);
    let mut known = Known::at_start(trace);
    observe(&simulation, &recorder.events);
    settle(&mut simulation, &mut recorder, observe);
    watch(None, &simulation, &recorder);
    let mut comparisons = vec![compare(None, &simulation, &recorder, &known, None)];
    for step in &trace.steps {
        let first_event = recorder.events.len();
        perform(step, &mut simulation, &mut recorder, observe);
        known.after(trace, step);
        wait_for_timeouts(step, &mut simulation, &mut recorder, observe);
        watch(Some(step.index), &simulation, &recorder);
        let result = step.result.as_ref().map(|recorded| (recorded, first_event));
        comparisons.push(compare(
            Some(step.index),
            &simulation,
            &recorder,
            &known,
            result,
        ));
    }
    comparisons
}

fn perform(
    step: &TraceStep,
    simulation: &mut Simulation,
    recorder: &mut Recorder,
    observe: &mut Observe<'_>,
) {
    for action in &step.actions {
        let scenario = Arc::make_mut(&mut simulation.scenario);
        scenario.steps.push(Step {
            when: When::After(Millis(0)),
            action: action.clone(),
        });
        settle(simulation, recorder, observe);
    }
}

/// Lets the script's steps end, and then everything come to rest.
fn settle(simulation: &mut Simulation, recorder: &mut Recorder, observe: &mut Observe<'_>) {
    // A cluster that never comes to rest is looked at after a while all the same.
    let limit = simulation.now.plus(AWAIT_LIMIT).plus(AWAIT_LIMIT);
    while simulation.now < limit {
        let progress = &simulation.progress;
        let busy = progress.next < simulation.scenario.steps.len() || progress.active.is_some();
        let quiet_since = progress.done_at.max(recorder.last_significant);
        let until = if busy {
            Millis(u64::MAX)
        } else {
            quiet_since.plus(simulation.cluster.settings.settle)
        };
        if !busy && simulation.now >= until {
            return;
        }
        let _ = simulation.advance(until, recorder);
        observe(simulation, &recorder.events);
    }
}

/// An answer REQUEST_TIMED_OUT stands in the first observation made after it: the clock goes on to the timeout when the
/// recording names it (`cluster-traces/README.md`).
fn wait_for_timeouts(
    step: &TraceStep,
    simulation: &mut Simulation,
    recorder: &mut Recorder,
    observe: &mut Observe<'_>,
) {
    let named: Vec<&String> = step
        .observed
        .acks
        .iter()
        .filter(|(_, ack)| **ack == Ack::Error(KafkaError::RequestTimedOut))
        .map(|(id, _)| id)
        .collect();
    let limit = simulation.now.plus(AWAIT_LIMIT);
    let pending = |simulation: &Simulation| {
        named
            .iter()
            .any(|id| ack(simulation, id) == Some(Ack::Pending))
    };
    while pending(simulation) && simulation.now < limit {
        if !simulation.advance(limit, recorder) {
            break;
        }
        observe(simulation, &recorder.events);
    }
    if !named.is_empty() {
        settle(simulation, recorder, observe);
    }
}

/// What the model shows now, in the recorder's words.
pub fn observe(simulation: &Simulation) -> Observation {
    let cluster = &simulation.cluster;
    let partition = &cluster.controller.partition;
    let context = Context {
        settings: &cluster.settings,
        now: simulation.now,
    };
    let replicas = || {
        cluster
            .brokers
            .iter()
            .filter(|b| partition.replicas.contains(&b.id))
    };
    let epochs = |broker: &Broker| broker.log.epochs().entries().to_vec();
    Observation {
        leader: Some(partition.leader),
        leader_epoch: Some(partition.leader_epoch),
        partition_epoch: Some(partition.partition_epoch),
        isr: Some(partition.isr.clone()),
        elr: Some(partition.elr.clone()),
        last_known_elr: Some(partition.last_known_elr.clone()),
        recovery: Some(partition.recovery),
        leo: replicas().map(|b| (b.id, b.leo())).collect(),
        hw: replicas()
            .map(|b| (b.id, b.checkpointed_hw(&context)))
            .collect(),
        epochs: replicas().map(|b| (b.id, epochs(b))).collect(),
        logs: replicas().map(|b| (b.id, entries(&b.log))).collect(),
        fenced: Some(
            cluster
                .controller
                .brokers
                .iter()
                .filter(|(_, r)| r.fenced)
                .map(|(id, _)| *id)
                .collect(),
        ),
        running: Some(
            cluster
                .brokers
                .iter()
                .filter(|b| b.is_up())
                .map(|b| b.id)
                .collect(),
        ),
        consumer_end: Some(end(simulation, Isolation::ReadUncommitted)),
        read_committed_end: Some(end(simulation, Isolation::ReadCommitted)),
        acks: simulation
            .progress
            .named
            .keys()
            .filter_map(|id| Some((id.clone(), ack(simulation, id)?)))
            .collect(),
    }
}

fn end(simulation: &Simulation, isolation: Isolation) -> End {
    match latest_at_leader(simulation, isolation) {
        None => End::NoLeader,
        Some(Ok(offset)) => End::At(offset),
        Some(Err(error)) => End::Error(error),
    }
}

fn ack(simulation: &Simulation, id: &str) -> Option<Ack> {
    let send = simulation.progress.named.get(id)?;
    let call = simulation.cluster.producer.calls.get(send.0 as usize)?;
    Some(match call.state {
        CallState::Waiting | CallState::InFlight(_) => Ack::Pending,
        CallState::Done(outcome) => match outcome {
            Outcome::Ok(base) => Ack::Success(base),
            Outcome::Refused(error) => Ack::Error(error),
            Outcome::NoAnswer | Outcome::ResponseLost => Ack::NoAnswer,
            Outcome::ConnectionClosed => Ack::ConnectionClosed,
            Outcome::LeaderDown => Ack::Error(KafkaError::NetworkException),
            Outcome::NoLeader => Ack::NoLeader,
            Outcome::NoAnswerExpected => Ack::NoneExpected,
        },
    })
}

/// A log record by record; recordings are small. A range from before the script has no record numbers.
fn entries(log: &Log) -> Vec<LogEntry> {
    batch_entries(log.batches())
}

/// Longer logs are not told record by record.
const MOST_ENTRIES: u64 = 10_000;

pub(super) fn batch_entries(batches: &[Batch]) -> Vec<LogEntry> {
    let mut list = Vec::new();
    let mut before = 0;
    for batch in batches {
        for place in 0..batch.count.min(MOST_ENTRIES) {
            let record = match batch.payload {
                Payload::Records { first } => Some(first.saturating_add(place)),
                Payload::Marker { .. } => None,
                Payload::Before => {
                    before += 1;
                    Some(before)
                }
            };
            list.push(LogEntry {
                record,
                epoch: Some(batch.epoch),
            });
        }
    }
    list
}
