//! Holds one state of the model against what the cluster showed.

use super::words::Words;
use super::{Difference, StepComparison, batch_entries, observe};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{EventKind, Outcome, QueryAnswer};
use crate::kafka::producer::CallState;
use crate::kafka::record::Batch;
use crate::scenario::trace::{End, Known, LogEntry, StepResult};
use crate::scenario::value::StepOutcome;
use crate::sim::recorder::Recorder;
use crate::sim::simulation::Simulation;

/// Compares every value that is known of the recorded cluster, and the answer of the step.
pub(super) fn compare(
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
    fn value<T: PartialEq + Words>(&mut self, name: &str, recorded: &Option<T>, model: &Option<T>) {
        let Some(value) = recorded else { return };
        if self.known.unknown.contains(name) {
            return;
        }
        self.compared += 1;
        if model.as_ref() != Some(value) {
            let model = model
                .as_ref()
                .map_or_else(|| "nothing".to_owned(), Words::words);
            self.differences.push(Difference {
                name: name.to_owned(),
                recorded: value.words(),
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
