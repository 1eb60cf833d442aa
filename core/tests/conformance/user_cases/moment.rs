//! The state of a run at the moment that an expectation speaks of.

use highwater_core::kafka::broker::Broker;
use highwater_core::kafka::event::{Event, Outcome};
use highwater_core::kafka::ids::{BrokerId, BrokerSet, Millis};
use highwater_core::kafka::producer::CallState;
use highwater_core::scenario::When;
use highwater_core::scenario::trace::Observation;
use highwater_core::sim::replay::observe;
use highwater_core::sim::{Instant, MessageRecord, Run, Simulation, State, StepRecord};
use serde_json::{Value, json};

use crate::support::notation::NotationRun;

/// A moment of a run.
pub struct Moment<'a> {
    /// All events of the run.
    pub all: &'a [Event],
    /// All messages of the run.
    pub messages: &'a [MessageRecord],
    /// How many events had happened.
    happened: usize,
    /// What it was made from.
    pub notation: &'a NotationRun,
    /// Its state then.
    pub state: State,
    /// The events between the step before and this moment.
    pub events: &'a [Event],
    /// What the scenario steps of this step came to.
    pub steps: &'a [StepRecord],
}

impl<'a> Moment<'a> {
    /// After a step of the notation.
    pub fn after_step(run: &'a Run, notation: &'a NotationRun, place: usize) -> Moment<'a> {
        let range = notation.steps[place].steps.clone();
        let first = event_of(run, range.start).unwrap_or(run.events.len());
        let is_check = notation.steps[place].raw["do"] == "check";
        // What happened since the step before belongs to a look, with what that step itself did.
        let before = place.checked_sub(1).map(|p| notation.steps[p].steps.start);
        let from = match before {
            Some(step) if is_check => event_of(run, step).unwrap_or(0),
            None if is_check => 0,
            _ => first,
        };
        let instant = instant_after(run, notation, place);
        let until = run.events_before(instant);
        Moment {
            all: &run.events,
            messages: &run.messages,
            happened: until,
            notation,
            state: run.at(instant),
            events: run.events.get(from..until).unwrap_or_default(),
            steps: run.steps.get(range).unwrap_or_default(),
        }
    }

    /// The end of the run, with all its events.
    pub fn end(run: &'a Run, notation: &'a NotationRun) -> Moment<'a> {
        Moment {
            all: &run.events,
            messages: &run.messages,
            happened: run.events.len(),
            notation,
            state: run.last().clone(),
            events: &run.events,
            steps: &run.steps,
        }
    }

    /// A state whose run was not recorded.
    pub fn unrecorded(simulation: Simulation, notation: &'a NotationRun) -> Moment<'a> {
        Moment {
            all: &[],
            messages: &[],
            happened: 0,
            notation,
            state: State { simulation },
            events: &[],
            steps: &[],
        }
    }

    /// Everything that had happened.
    pub fn before(&self) -> &'a [Event] {
        self.all.get(..self.happened).unwrap_or_default()
    }

    /// What an observer sees.
    pub fn observed(&self) -> Observation {
        observe(&self.state.simulation)
    }

    /// The case's name of a broker.
    pub fn name(&self, broker: BrokerId) -> Value {
        let names = self.notation.brokers.iter();
        let mut named = names.filter(|(_, id)| **id == broker);
        named.next().map_or(Value::Null, |(name, _)| json!(name))
    }

    /// Names as numbers where the case writes numbers, in order.
    pub fn names<'b>(&self, brokers: impl IntoIterator<Item = &'b BrokerId>) -> Value {
        brokers.into_iter().map(|id| self.name(*id)).collect()
    }

    /// A set of brokers, as a sorted list of names.
    pub fn set(&self, brokers: &BrokerSet) -> Value {
        let ids: Vec<BrokerId> = brokers.iter().collect();
        sorted(&self.names(&ids))
    }

    /// The broker that a case names.
    pub fn broker(&self, name: &str) -> Option<&Broker> {
        let id = self.notation.brokers.get(name)?;
        self.state.cluster().broker(*id)
    }

    /// The broker that the controller names as leader.
    pub fn leader(&self) -> Option<&Broker> {
        let cluster = self.state.cluster();
        cluster.broker(cluster.controller.partition.leader?)
    }

    /// The instant.
    pub fn at(&self) -> Millis {
        self.state.simulation.now
    }

    /// The answer to a named produce call, in the notation's words.
    pub fn answer(&self, call: &str) -> Value {
        let simulation = &self.state.simulation;
        let send = simulation.progress.named.get(call);
        let calls = &simulation.cluster.producer.calls;
        let state = send.and_then(|send| calls.get(send.0 as usize));
        match state.map(|call| call.state) {
            None => Value::Null,
            Some(CallState::Waiting | CallState::InFlight(_)) => json!("pending"),
            Some(CallState::Done(outcome)) => json!(word(outcome)),
        }
    }
}

/// An outcome in the notation's words.
pub fn word(outcome: Outcome) -> String {
    match outcome {
        Outcome::Ok(_) | Outcome::NoAnswerExpected => "ok".to_owned(),
        Outcome::Refused(error) => error.name().to_owned(),
        Outcome::NoLeader | Outcome::LeaderDown => "no leader".to_owned(),
        Outcome::NoAnswer | Outcome::ConnectionClosed | Outcome::ResponseLost => {
            "no_response".to_owned()
        }
    }
}

/// A list whose order means nothing, in order; names are texts even where the case writes numbers.
pub fn sorted(list: &Value) -> Value {
    let mut texts: Vec<String> = list.as_array().into_iter().flatten().map(text).collect();
    texts.sort_unstable();
    json!(texts)
}

/// A broker's name as a text.
pub fn text(name: &Value) -> String {
    name.as_str()
        .map_or_else(|| name.to_string(), str::to_owned)
}

fn event_of(run: &Run, step: usize) -> Option<usize> {
    run.steps.get(step)?.event.map(|event| event.0 as usize)
}

/// Just before the next step, when that waits for rest; else right after the step; the end after the last one.
fn instant_after(run: &Run, notation: &NotationRun, place: usize) -> Instant {
    let range = &notation.steps[place].steps;
    let raw = &notation.steps[place].raw;
    let own_time = raw["do"] == "check" || raw.get("t").is_some();
    let next = notation.scenario.steps.get(range.end);
    let settles = match next {
        None => raw.get("t").is_none(),
        Some(step) => step.when == When::Settled,
    };
    let last = run.steps.get(range.end.saturating_sub(1));
    if own_time || !settles || range.is_empty() {
        let event = last.and_then(|step| step.event);
        return event.map_or(run.end(), |event| run.after(event));
    }
    match run.steps.get(range.end).and_then(|step| step.event) {
        Some(event) => run
            .events
            .get(event.0 as usize)
            .map_or(run.end(), |e| Instant {
                at: e.at,
                position: e.sequence,
            }),
        None => run.end(),
    }
}
