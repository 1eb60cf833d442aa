//! A recording as a row of states: as the cluster showed them, and as the model has them.

use std::collections::BTreeMap;

use highwater_core::kafka::settings::Acks;
use highwater_core::scenario::trace::{Known, Observation, Trace};
use highwater_core::scenario::value::{Action, Produce};
use highwater_core::sim::replay::replay_best;

/// A state, and what was done before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// What was done; nothing before the first step.
    pub actions: Vec<Action>,
    /// The whole state that had settled. What the recording does not know is not in it, in the model's either.
    pub state: Observation,
}

/// The records of one produce call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The number of its first record.
    pub first: u64,
    /// How many there are.
    pub records: u64,
    /// What it was sent with.
    pub acks: Acks,
}

/// A recording, or the model's run of it.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The start, and the state after each step.
    pub moments: Vec<Moment>,
    /// The produce calls by name.
    pub sent: BTreeMap<String, Sent>,
}

/// A recording with both histories.
pub struct Both {
    /// The recording.
    pub trace: Trace,
    /// As the cluster showed it.
    pub recorded: History,
    /// As the model has it, in the same values.
    pub model: History,
    /// How many values were compared.
    pub values: usize,
    /// How many of them differ.
    pub wrong: usize,
}

impl Both {
    /// Replays a recording.
    pub fn of(trace: Trace) -> Both {
        let (_, comparisons) = replay_best(&trace);
        let mut known = Known::at_start(&trace);
        let mut recorded = vec![Moment {
            actions: Vec::new(),
            state: without_unknown(&known.state, &known),
        }];
        let mut told = vec![known.clone()];
        for step in &trace.steps {
            known.after(&trace, step);
            recorded.push(Moment {
                actions: step.actions.clone(),
                state: without_unknown(&known.state, &known),
            });
            told.push(known.clone());
        }
        let model = comparisons.iter().zip(&told).zip(&recorded);
        let model = model.map(|((comparison, known), moment)| Moment {
            actions: moment.actions.clone(),
            state: as_told(&comparison.model, known),
        });
        let sent = sent(&trace);
        Both {
            values: comparisons.iter().map(|c| c.compared).sum(),
            wrong: comparisons.iter().map(|c| c.differences.len()).sum(),
            model: History {
                moments: model.collect(),
                sent: sent.clone(),
            },
            recorded: History {
                moments: recorded,
                sent,
            },
            trace,
        }
    }
}

/// The state without the values that the recording does not know.
fn without_unknown(state: &Observation, known: &Known) -> Observation {
    let mut state = state.clone();
    let unknown = |name: &str| known.unknown.contains(name);
    let missing = |name: &str, of: &dyn std::fmt::Display| unknown(&format!("{name}/{of}"));
    state.leo.retain(|broker, _| !missing("leo", broker));
    state.hw.retain(|broker, _| !missing("hw", broker));
    state.epochs.retain(|broker, _| !missing("epochs", broker));
    state.logs.retain(|broker, _| !missing("logs", broker));
    state.acks.retain(|id, _| !missing("acks", id));
    for (name, gone) in [
        ("leader", &mut state.leader as &mut dyn Forget),
        ("leader_epoch", &mut state.leader_epoch),
        ("partition_epoch", &mut state.partition_epoch),
        ("isr", &mut state.isr),
        ("elr", &mut state.elr),
        ("last_known_elr", &mut state.last_known_elr),
        ("recovery", &mut state.recovery),
        ("fenced", &mut state.fenced),
        ("running", &mut state.running),
        ("consumer_end", &mut state.consumer_end),
        ("read_committed_end", &mut state.read_committed_end),
    ] {
        if unknown(name) {
            gone.forget();
        }
    }
    state
}

/// A value that can become unknown.
trait Forget {
    fn forget(&mut self);
}

impl<T> Forget for Option<T> {
    fn forget(&mut self) {
        *self = None;
    }
}

/// The model's state in the values that the recording has: the same names, and logs without epochs where it has none.
fn as_told(model: &Observation, known: &Known) -> Observation {
    let mut state = without_unknown(model, known);
    let told = &known.state;
    fn like<T, U>(value: &mut Option<T>, told: &Option<U>) {
        if told.is_none() {
            *value = None;
        }
    }
    like(&mut state.leader, &told.leader);
    like(&mut state.leader_epoch, &told.leader_epoch);
    like(&mut state.partition_epoch, &told.partition_epoch);
    like(&mut state.isr, &told.isr);
    like(&mut state.elr, &told.elr);
    like(&mut state.last_known_elr, &told.last_known_elr);
    like(&mut state.recovery, &told.recovery);
    like(&mut state.fenced, &told.fenced);
    like(&mut state.running, &told.running);
    like(&mut state.consumer_end, &told.consumer_end);
    like(&mut state.read_committed_end, &told.read_committed_end);
    state.leo.retain(|broker, _| told.leo.contains_key(broker));
    state.hw.retain(|broker, _| told.hw.contains_key(broker));
    state
        .epochs
        .retain(|broker, _| told.epochs.contains_key(broker));
    state
        .logs
        .retain(|broker, _| told.logs.contains_key(broker));
    state.acks.retain(|id, _| told.acks.contains_key(id));
    for (broker, log) in &mut state.logs {
        let entries = told.logs.get(broker).into_iter().flatten();
        if entries.clone().all(|entry| entry.epoch.is_none()) && entries.count() > 0 {
            log.iter_mut().for_each(|entry| entry.epoch = None);
        }
    }
    state
}

/// The produce calls of a recording by name. Records are numbered through the whole of it, also those of a call that could
/// not be sent; a retry sends the same ones again.
fn sent(trace: &Trace) -> BTreeMap<String, Sent> {
    let mut next = 1;
    let mut calls: BTreeMap<String, Sent> = BTreeMap::new();
    for action in trace.steps.iter().flat_map(|step| &step.actions) {
        let Action::Produce(Produce {
            records,
            acks,
            id,
            retry_of,
            ..
        }) = action
        else {
            continue;
        };
        let again = retry_of.as_ref().and_then(|id| calls.get(id)).copied();
        let call = again.unwrap_or(Sent {
            first: next,
            records: *records,
            acks: acks.unwrap_or(trace.settings.acks),
        });
        if again.is_none() {
            next += records;
        }
        if let Some(id) = id {
            calls.insert(id.clone(), call);
        }
    }
    calls
}
