//! Watches a run and holds its every step against the named properties.

use super::faults::{Faults, must_hold};
use super::ghosts::Ghosts;
use super::predicate::violated;
use super::property::{Property, PropertySet};
use crate::kafka::cluster::Cluster;
use crate::kafka::event::{Event, EventKind};
use crate::kafka::ids::{EventId, Millis};
use crate::scenario::Scenario;
use crate::sim::{EVENT_LIMIT, Run, Simulation, run_watched};

/// A property that a run violated, at the first step that did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which.
    pub property: Property,
    /// When.
    pub at: Millis,
    /// The last event that had happened; none = the state the run began with.
    pub event: Option<EventId>,
    /// Settings and faults allow it: a finding. Otherwise the model is wrong.
    pub allowed: bool,
}

/// Watches a run.
#[derive(Clone, Debug)]
pub struct Observer {
    ghosts: Ghosts,
    faults: Faults,
    seen: usize,
    broken: PropertySet,
    violations: Vec<Violation>,
}

impl Observer {
    /// One that has seen the state a run begins with; the events so far belong to it.
    pub fn new(simulation: &Simulation, events: &[Event]) -> Observer {
        let cluster = &simulation.cluster;
        let mut observer = Observer {
            ghosts: Ghosts::new(cluster),
            faults: Faults::new(&simulation.scenario, cluster),
            seen: 0,
            broken: PropertySet::EMPTY,
            violations: Vec::new(),
        };
        observer.look(simulation, events);
        observer
    }

    /// Looks at the state after one more thing happened; `events` are all events of the run so far.
    ///
    /// Nothing that a property speaks of changes without an event that is more than idle polling, so only those lead to a
    /// closer look (a test looks every time, and sees no more).
    pub fn look(&mut self, simulation: &Simulation, events: &[Event]) {
        let fresh = events.get(self.seen..).unwrap_or_default();
        let first = self.seen == 0;
        self.seen = events.len();
        if first || fresh.iter().any(may_matter) {
            self.look_closely(simulation, fresh);
        }
    }

    /// Looks at the state whatever happened; `fresh` are the events since the last look.
    pub fn look_closely(&mut self, simulation: &Simulation, fresh: &[Event]) {
        let cluster = &simulation.cluster;
        for event in fresh {
            self.faults.note(&simulation.scenario, event);
            self.ghosts.hear(cluster, event);
        }
        self.ghosts.look(cluster);
        let broken = violated(cluster, &self.ghosts);
        let new = broken.minus(self.broken);
        if new.is_empty() {
            return;
        }
        let must = must_hold(&cluster.settings, &self.faults, &self.ghosts);
        let event = self.seen.checked_sub(1);
        for property in new.iter() {
            self.violations.push(Violation {
                property,
                at: simulation.now,
                event: event.map(|place| EventId(u32::try_from(place).unwrap_or(u32::MAX))),
                allowed: !must.contains(property),
            });
        }
        self.broken = self.broken.union(new);
    }

    /// The violations so far: one for each property, where it was violated first.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The properties that must hold after what happened so far.
    pub fn must_hold(&self, cluster: &Cluster) -> PropertySet {
        must_hold(&cluster.settings, &self.faults, &self.ghosts)
    }

    /// What went wrong from outside so far.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// What is remembered along the run.
    pub fn ghosts(&self) -> &Ghosts {
        &self.ghosts
    }
}

/// Whether an event is more than idle polling.
pub(super) fn may_matter(event: &Event) -> bool {
    !event.idle || matches!(event.kind, EventKind::MetadataApplied { .. })
}

/// Runs a scenario under observation.
pub fn observe(scenario: &Scenario) -> (Run, Observer) {
    let mut observer = None;
    let run = run_watched(
        scenario,
        EVENT_LIMIT,
        &mut |simulation, events| match &mut observer {
            None => observer = Some(Observer::new(simulation, events)),
            Some(observer) => observer.look(simulation, events),
        },
    );
    let observer = observer.unwrap_or_else(|| Observer::new(&run.last().simulation, &run.events));
    (run, observer)
}
