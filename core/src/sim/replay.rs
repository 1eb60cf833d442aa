//! Replays a recording of a real cluster step by step, and holds the model's state against what the cluster showed.

use super::outside::latest_at_leader;
use super::recorder::Recorder;
use super::simulation::Simulation;
use crate::kafka::broker::Broker;
use crate::kafka::context::Context;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{EventKind, Outcome, QueryAnswer};
use crate::kafka::ids::Millis;
use crate::kafka::log::Log;
use crate::kafka::producer::CallState;
use crate::kafka::record::{Batch, Payload};
use crate::kafka::settings::{Isolation, Settings};
use crate::scenario::trace::{
    Ack, End, Known, LogEntry, Observation, StepResult, Trace, TraceStep,
};
use crate::scenario::value::{AWAIT_LIMIT, Scenario, Step, StepOutcome, When};
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
///
/// When a broker's `isr-expiration` task ticked was not recorded (it depends on when its process started), and what is
/// removed together or one by one depends on it. So where the first phase does not fit, others are tried; the best counts.
pub fn replay(trace: &Trace) -> Vec<StepComparison> {
    let half = (trace.settings.replica_lag_time_max.0 / 2).max(1);
    let mut best: Option<(usize, Vec<StepComparison>)> = None;
    for eighth in 0..TICK_PHASES {
        let comparisons = replay_with(trace, Millis(half * eighth / TICK_PHASES));
        let wrong = comparisons.iter().map(|c| c.differences.len()).sum();
        if best.as_ref().is_none_or(|(least, _)| wrong < *least) {
            best = Some((wrong, comparisons));
        }
        if wrong == 0 {
            break;
        }
    }
    best.map(|(_, comparisons)| comparisons).unwrap_or_default()
}

/// How many phases of the ISR tick are tried.
const TICK_PHASES: u64 = 8;

/// Replays a trace with one phase of the ISR tick.
pub fn replay_with(trace: &Trace, isr_tick_phase: Millis) -> Vec<StepComparison> {
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
    settle(&mut simulation, &mut recorder);
    let mut comparisons = vec![compare(None, &simulation, &recorder, &known, None)];
    for step in &trace.steps {
        let first_event = recorder.events.len();
        perform(step, &mut simulation, &mut recorder);
        known.after(trace, step);
        wait_for_timeouts(step, &mut simulation, &mut recorder);
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

fn perform(step: &TraceStep, simulation: &mut Simulation, recorder: &mut Recorder) {
    for action in &step.actions {
        let scenario = Arc::make_mut(&mut simulation.scenario);
        scenario.steps.push(Step {
            when: When::After(Millis(0)),
            action: action.clone(),
        });
        settle(simulation, recorder);
    }
}

/// Lets the script's steps end, and then everything come to rest.
fn settle(simulation: &mut Simulation, recorder: &mut Recorder) {
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
    }
}

/// An answer REQUEST_TIMED_OUT stands in the first observation made after it: the clock goes on to the timeout when the
/// recording names it (`cluster-traces/README.md`).
fn wait_for_timeouts(step: &TraceStep, simulation: &mut Simulation, recorder: &mut Recorder) {
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
    }
    if !named.is_empty() {
        settle(simulation, recorder);
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

fn batch_entries(batches: &[Batch]) -> Vec<LogEntry> {
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

fn compare(
    step: Option<u64>,
    simulation: &Simulation,
    recorder: &Recorder,
    known: &Known,
    result: Option<(&StepResult, usize)>,
) -> StepComparison {
    let model = observe(simulation);
    let mut comparing = Comparing {
        known,
        compared: 0,
        differences: Vec::new(),
    };
    let seen = &known.state;
    comparing.value("leader", &seen.leader, &model.leader);
    comparing.value("leader_epoch", &seen.leader_epoch, &model.leader_epoch);
    comparing.value(
        "partition_epoch",
        &seen.partition_epoch,
        &model.partition_epoch,
    );
    comparing.value("isr", &seen.isr, &model.isr);
    comparing.value("elr", &seen.elr, &model.elr);
    comparing.value(
        "last_known_elr",
        &seen.last_known_elr,
        &model.last_known_elr,
    );
    comparing.value("recovery", &seen.recovery, &model.recovery);
    comparing.value("fenced", &seen.fenced, &model.fenced);
    comparing.value("running", &seen.running, &model.running);
    comparing.value("consumer_end", &seen.consumer_end, &model.consumer_end);
    // The recorder asks for it only where there is a leader to ask: in no recording is it ever "no leader".
    if !matches!(seen.consumer_end, Some(End::NoLeader | End::NoAnswer)) {
        comparing.value(
            "read_committed_end",
            &seen.read_committed_end,
            &model.read_committed_end,
        );
    }
    for (broker, value) in &seen.leo {
        comparing.value(
            &format!("leo/{broker}"),
            &Some(*value),
            &model.leo.get(broker).copied(),
        );
    }
    for (broker, value) in &seen.hw {
        comparing.value(
            &format!("hw/{broker}"),
            &Some(*value),
            &model.hw.get(broker).copied(),
        );
    }
    for (broker, value) in &seen.epochs {
        comparing.value(
            &format!("epochs/{broker}"),
            &Some(value.clone()),
            &model.epochs.get(broker).cloned(),
        );
    }
    for (broker, value) in &seen.logs {
        let own = model
            .logs
            .get(broker)
            .map(|log| with_known_epochs(log, value));
        comparing.value(&format!("logs/{broker}"), &Some(value.clone()), &own);
    }
    for (id, value) in &seen.acks {
        comparing.value(
            &format!("acks/{id}"),
            &Some(*value),
            &model.acks.get(id).copied(),
        );
    }
    if let Some((recorded, first_event)) = result {
        let own = model_result(simulation, recorder, recorded, first_event);
        comparing.value("result", &Some(recorded.clone()), &Some(own));
    }
    StepComparison {
        step,
        at: simulation.now,
        compared: comparing.compared,
        differences: comparing.differences,
        model,
    }
}

/// Where a recording has no epochs, the model's are left out too.
fn with_known_epochs(log: &[LogEntry], recorded: &[LogEntry]) -> Vec<LogEntry> {
    let without = recorded.iter().any(|entry| entry.epoch.is_none());
    log.iter()
        .map(|entry| LogEntry {
            epoch: if without { None } else { entry.epoch },
            ..*entry
        })
        .collect()
}

struct Comparing<'a> {
    known: &'a Known,
    compared: usize,
    differences: Vec<Difference>,
}

impl Comparing<'_> {
    /// Compares a value that the recording has; `varies` makes it unknown.
    fn value<T: PartialEq + std::fmt::Debug>(
        &mut self,
        name: &str,
        recorded: &Option<T>,
        model: &Option<T>,
    ) {
        let Some(value) = recorded else { return };
        if self.known.unknown.contains(name) {
            return;
        }
        self.compared += 1;
        if model.as_ref() != Some(value) {
            let model = model
                .as_ref()
                .map_or_else(|| "nothing".to_owned(), |m| format!("{m:?}"));
            self.differences.push(Difference {
                name: name.to_owned(),
                recorded: format!("{value:?}"),
                model,
            });
        }
    }
}

/// What the model answered to the step, in the form of the recorded answer.
fn model_result(
    simulation: &Simulation,
    recorder: &Recorder,
    recorded: &StepResult,
    first_event: usize,
) -> StepResult {
    let events = recorder.events.get(first_event..).unwrap_or_default();
    let outcome = recorder.steps.last().map(|step| &step.outcome);
    let answer = events.iter().find_map(|event| match &event.kind {
        EventKind::QueryAnswered { answer, .. } => Some(answer),
        _ => None,
    });
    match (recorded, answer) {
        (
            _,
            Some(QueryAnswer::Fetch {
                error,
                hw,
                lso,
                aborted,
                batches,
            }),
        ) => StepResult::Consumed {
            error: *error,
            hw: Some(*hw),
            lso: Some(*lso),
            aborted: u64::from(*aborted),
            values: values(batches, recorded),
        },
        (StepResult::Listed { epoch, .. }, Some(QueryAnswer::Latest(latest))) => {
            StepResult::Listed {
                error: latest.err(),
                offset: latest.ok(),
                // The epoch beside the offset is the leader's own; the model's answer carries the offset alone.
                epoch: epoch.and(
                    simulation
                        .cluster
                        .acting_leader()
                        .and_then(|b| b.leader())
                        .map(|l| l.epoch),
                ),
            }
        }
        (_, Some(QueryAnswer::EpochEnd { error, epoch, end })) => StepResult::EpochEnd {
            error: *error,
            epoch: *epoch,
            end_offset: *end,
        },
        (StepResult::Produced { .. }, _) => produced(simulation),
        (_, _) => match outcome {
            Some(StepOutcome::Impossible(_)) => StepResult::NoBroker,
            Some(StepOutcome::Error(error)) => StepResult::Done(Some(*error)),
            _ => StepResult::Done(None),
        },
    }
}

fn values(batches: &[Batch], recorded: &StepResult) -> Vec<LogEntry> {
    let list = batch_entries(batches);
    match recorded {
        StepResult::Consumed { values, .. } => with_known_epochs(&list, values),
        _ => list,
    }
}

/// The last produce call, as a transactional produce is answered.
fn produced(simulation: &Simulation) -> StepResult {
    match simulation
        .cluster
        .producer
        .calls
        .last()
        .map(|call| call.state)
    {
        Some(CallState::Done(Outcome::Ok(base))) => StepResult::Produced {
            error: None,
            base_offset: Some(base),
        },
        Some(CallState::Done(Outcome::Refused(error))) => StepResult::Produced {
            error: Some(error),
            base_offset: None,
        },
        _ => StepResult::Produced {
            error: Some(KafkaError::RequestTimedOut),
            base_offset: None,
        },
    }
}
