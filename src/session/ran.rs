//! A scenario with what it came to.

use std::sync::Arc;

use highwater_core::kafka::event::Event;
use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::scenario::value::Scenario;
use highwater_core::sim::verdict::Verdict;
use highwater_core::sim::{Instant, Run};

use super::moments::{Moments, after};
use super::script;

/// A run, its verdict, and what the page looks up in it again and again.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The run.
    pub run: Run,
    /// What became of each record.
    pub verdict: Verdict,
    /// The events that the playhead stops at.
    pub moments: Moments,
    /// When each step was carried out.
    pub times: Vec<Millis>,
}

impl Ran {
    /// Runs a scenario.
    pub fn of(scenario: &Scenario) -> Arc<Ran> {
        let run = highwater_core::sim::run(scenario);
        let verdict = highwater_core::sim::verdict(&run);
        let moments = Moments::of(&run);
        let times = script::times(&run.scenario, &run.steps);
        Arc::new(Ran {
            run,
            verdict,
            moments,
            times,
        })
    }

    /// An event by its id.
    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.run.events.get(usize::try_from(id.0).ok()?)
    }

    /// The instant just after an event.
    pub fn after(&self, id: EventId) -> Option<Instant> {
        self.event(id).map(after)
    }

    /// The event that the playhead stands on or has passed last.
    pub fn event_at(&self, instant: Instant) -> Option<&Event> {
        self.event(self.moments.at(instant)?.1)
    }

    /// The instant at the end of the run.
    pub fn end(&self) -> Instant {
        Instant {
            at: self.run.end,
            position: u32::MAX,
        }
    }

    /// The instant after everything that happens in that millisecond, not after the end of the run.
    pub fn settle(&self, at: Millis) -> Instant {
        let at = at.min(self.run.end);
        let count = self.run.events.partition_point(|event| event.at <= at);
        let last = count
            .checked_sub(1)
            .and_then(|place| self.run.events.get(place));
        match last {
            Some(event) if event.at == at => after(event),
            _ => Instant { at, position: 0 },
        }
    }
}
