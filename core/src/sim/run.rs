//! A run: its events, messages and steps, and the state at any instant.

use super::recorder::Recorder;
use super::settle::{self, Rest};
use super::simulation::Simulation;
use crate::kafka::cluster::Cluster;
use crate::kafka::event::Event;
use crate::kafka::ids::{EventId, MessageId, Millis};
use crate::kafka::message::Message;
use crate::scenario::value::{Scenario, StepOutcome};
use std::sync::Arc;

/// How many events lie between two checkpoints: a state is at most that many events away from one.
const CHECKPOINT_EVENTS: u32 = 256;

/// A run never takes more events than this, whatever the script; it then ends where it is and says so.
pub const EVENT_LIMIT: u32 = 400_000;

/// Nor does it take in more than this many things (arrivals, timers, steps), whether they leave events behind or not.
pub const INPUT_LIMIT: u32 = 4_000_000;

/// A point of a run: a millisecond, and a position among the events of that millisecond.
/// `position` counts the events that have happened: 0 = before the first of that millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// Since the start of the run.
    pub at: Millis,
    /// Events of that millisecond that have happened already.
    pub position: u32,
}

/// A message with its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageRecord {
    /// Its number.
    pub id: MessageId,
    /// What was sent.
    pub message: Arc<Message>,
    /// When it left.
    pub sent_at: Millis,
    /// The event of its leaving.
    pub sent_event: EventId,
    /// When it arrived, if it did.
    pub arrived_at: Option<Millis>,
    /// The event of its arrival, its loss, or none while it is on its way or held.
    pub end_event: Option<EventId>,
}

/// When a step was carried out and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRecord {
    /// When it began; none = the run ended before.
    pub began: Option<Millis>,
    /// When it was done (a wait that ended, the last fetch round).
    pub done: Option<Millis>,
    /// The event of its beginning.
    pub event: Option<EventId>,
    /// What came of it.
    pub outcome: StepOutcome,
}

/// A run of a scenario: everything that happened, in order.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was run.
    pub scenario: Scenario,
    /// All events; `events[i].id == i`, ascending by (at, sequence).
    pub events: Vec<Event>,
    /// All messages, by id.
    pub messages: Vec<MessageRecord>,
    /// One for each step of the scenario.
    pub steps: Vec<StepRecord>,
    /// The end of the run: after it only idle polling and heartbeats would follow.
    pub end: Millis,
    /// Whether the run was cut off at [`EVENT_LIMIT`] or at 120 s after the last step, with something still due (or at [`INPUT_LIMIT`]).
    pub cut_off: bool,
    checkpoints: Vec<Checkpoint>,
    last: State,
}

/// The state at an instant.
#[derive(Clone, Debug)]
pub struct State {
    /// Everything: the cluster, its links, what is to come.
    pub simulation: Simulation,
}

impl State {
    /// The cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.simulation.cluster
    }
}

#[derive(Clone, Debug)]
struct Checkpoint {
    simulation: Simulation,
    recorder: Recorder,
}

/// Runs a scenario to its end (design: after the last step until only idle polling and heartbeats would follow, at most
/// 120 s later). Deterministic; never panics.
pub fn run(scenario: &Scenario) -> Run {
    run_watched(scenario, EVENT_LIMIT, &mut |_, _| {})
}

/// As [`run`], cut off at `most_events` (and at [`EVENT_LIMIT`]); `watch` sees the state that the run begins with, and then
/// the state after each thing that happened, with all events so far.
pub fn run_watched(
    scenario: &Scenario,
    most_events: u32,
    watch: &mut dyn FnMut(&Simulation, &[Event]),
) -> Run {
    let most_events = most_events.min(EVENT_LIMIT);
    let mut recorder = Recorder::default();
    let mut simulation = Simulation::new(scenario, &mut recorder);
    watch(&simulation, &recorder.events);
    let mut checkpoints = vec![Checkpoint {
        simulation: simulation.clone(),
        recorder: recorder.counting(),
    }];
    let mut marked = recorder.event_count();
    let mut cut_off = false;
    let mut inputs = 0;
    let end = loop {
        match settle::rest(&simulation, &recorder) {
            Rest::Over(end) => break end,
            Rest::CutOff(end) => {
                cut_off = true;
                break end;
            }
            Rest::Until(until) => {
                simulation.advance(until, &mut recorder);
                watch(&simulation, &recorder.events);
            }
        }
        inputs += 1;
        if recorder.event_count() >= most_events || inputs >= INPUT_LIMIT {
            cut_off = true;
            break simulation.now;
        }
        if recorder.event_count() - marked >= CHECKPOINT_EVENTS {
            marked = recorder.event_count();
            checkpoints.push(Checkpoint {
                simulation: simulation.clone(),
                recorder: recorder.counting(),
            });
        }
    };
    let mut steps = std::mem::take(&mut recorder.steps);
    steps.resize(
        scenario.steps.len(),
        StepRecord {
            began: None,
            done: None,
            event: None,
            outcome: StepOutcome::NeverHappened,
        },
    );
    Run {
        scenario: scenario.clone(),
        events: recorder.events,
        messages: recorder.messages,
        steps,
        end,
        cut_off,
        checkpoints,
        last: State { simulation },
    }
}

impl Run {
    /// How many events have happened at an instant.
    pub fn events_before(&self, instant: Instant) -> usize {
        let first = self.events.partition_point(|event| event.at < instant.at);
        let of_that_millisecond =
            self.events[first..].partition_point(|event| event.at == instant.at);
        first + (instant.position as usize).min(of_that_millisecond)
    }

    /// The instant just after an event.
    pub fn after(&self, event: EventId) -> Instant {
        self.events
            .get(event.0 as usize)
            .map_or(self.end(), |event| Instant {
                at: event.at,
                position: event.sequence + 1,
            })
    }

    /// The instant after everything.
    pub fn end(&self) -> Instant {
        Instant {
            at: self.end,
            position: u32::MAX,
        }
    }

    /// The last event that has happened at an instant.
    pub fn last_event(&self, instant: Instant) -> Option<&Event> {
        self.events_before(instant)
            .checked_sub(1)
            .and_then(|place| self.events.get(place))
    }

    /// The state at an instant, exactly as the run had it there; what one broker does with one message is one piece, so
    /// an instant inside of such a piece shows its end. Re-runs at most a few hundred events, never from zero.
    pub fn at(&self, instant: Instant) -> State {
        let wanted = self.events_before(instant);
        let place = self
            .checkpoints
            .partition_point(|c| c.recorder.event_count() as usize <= wanted);
        let Some(checkpoint) = self.checkpoints.get(place.saturating_sub(1)) else {
            return self.last.clone();
        };
        let Checkpoint {
            mut simulation,
            mut recorder,
        } = checkpoint.clone();
        while (recorder.event_count() as usize) < wanted {
            if !simulation.advance(self.end, &mut recorder) {
                break;
            }
        }
        // What leaves no event behind happens all the same: up to here when every event of this millisecond has
        // happened, else up to the millisecond before.
        let whole = self
            .events
            .get(wanted)
            .is_none_or(|event| event.at > instant.at);
        let until = if whole {
            Some(instant.at)
        } else {
            // There is none before the first.
            instant.at.0.checked_sub(1).map(Millis)
        };
        if let Some(until) = until {
            while simulation.advance(until.min(self.end), &mut recorder) {}
        }
        State { simulation }
    }

    /// The state at the end.
    pub fn last(&self) -> &State {
        &self.last
    }
}
