//! Holds every state of a run against all that can be said of any: the model's invariants, and the named properties that
//! settings and faults do not allow to break. Random runs, recordings, scenarios and the tests of the model all go by it.

use super::invariant::broken_invariant;
use super::observer::{Observer, Violation, may_matter};
use crate::kafka::event::Event;
use crate::sim::Simulation;

/// Watches a run; give it every state, the first one included.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    observer: Option<Observer>,
    broken: Option<String>,
    seen: usize,
}

impl Guard {
    /// Looks at the state after one more thing happened; `events` are all events of the run so far.
    pub fn look(&mut self, simulation: &Simulation, events: &[Event]) {
        match &mut self.observer {
            None => self.observer = Some(Observer::new(simulation, events)),
            Some(observer) => observer.look(simulation, events),
        }
        let fresh = events.get(self.seen..).unwrap_or_default();
        if self.broken.is_none() && fresh.iter().any(may_matter) {
            // A leader that lost its tail and leads the same epoch again notes a start of the epoch that its next leader
            // does not know, and forgets older entries when it fetches what it lost (`LeaderEpochFileCache.assign`).
            let lost = self.observer.as_ref().map(Observer::faults);
            let made_up = simulation.scenario.start.is_some()
                || lost.is_some_and(|faults| faults.lost_unnoticed);
            self.broken = broken_invariant(&simulation.cluster, made_up).map(|what| {
                format!(
                    "at {} ms, after event {}: {what}",
                    simulation.now,
                    events.len()
                )
            });
        }
        self.seen = events.len();
    }

    /// The violations that settings and faults allow: findings, each property where it broke first.
    ///
    /// # Errors
    /// What must not be: an invariant or a property that was broken although nothing allows it, in words.
    pub fn findings(&self) -> Result<Vec<Violation>, String> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        let violations = self.observer.as_ref().map_or(&[][..], Observer::violations);
        match violations.iter().find(|v| !v.allowed) {
            None => Ok(violations.to_vec()),
            Some(wrong) => Err(format!(
                "{} is violated at {} ms, event {:?}, although these settings and faults exclude it",
                wrong.property, wrong.at, wrong.event
            )),
        }
    }
}
