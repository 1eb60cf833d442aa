//! One scenario held against everything that can be said of any run.

use super::guard::Guard;
use super::observer::Violation;
use crate::kafka::cluster::Cluster;
use crate::kafka::event::Event;
use crate::kafka::ids::{EventId, Millis};
use crate::scenario::check::check;
use crate::scenario::{Scenario, parse, print};
use crate::sim::{Run, Simulation, run_watched};

/// A run that passed, with what its settings and faults allowed to go wrong.
#[derive(Debug)]
pub struct Trial {
    /// The run.
    pub run: Run,
    /// Violations that are allowed.
    pub findings: Vec<Violation>,
}

/// Runs a scenario, up to `most_events`, and checks: it is valid and printed as it is read; the run keeps the model's
/// invariants and every property that must hold after each step; its record is in order; and the state at some instants
/// is what the run had there. [`same_again`] runs it once more.
///
/// # Errors
/// What is wrong, in words.
pub fn trial(scenario: &Scenario, most_events: u32) -> Result<Trial, String> {
    same_when_read(scenario)?;
    let mut watcher = Watcher::default();
    let first = run_watched(scenario, most_events, &mut |simulation, events| {
        watcher.look(simulation, events)
    });
    let findings = watcher.guard.findings()?;
    in_order(&first)?;
    // What follows the end is idle polling, which `Run::at` does not replay; a cut may go through a millisecond.
    let told = |at| at < first.end || at == first.end && !first.cut_off;
    for sample in watcher.samples.iter().filter(|s| told(s.at)) {
        let state = first.at(first.after(sample.event));
        if *state.cluster() != sample.cluster {
            return Err(format!(
                "Run::at after event {} ({} ms) is not the state the run had there",
                sample.event, sample.at
            ));
        }
    }
    Ok(Trial {
        run: first,
        findings,
    })
}

fn same_when_read(scenario: &Scenario) -> Result<(), String> {
    if let Some(fault) = check(scenario).first() {
        return Err(format!("the scenario is not valid: {fault:?}"));
    }
    let text = print(scenario);
    match parse(&text) {
        Ok(read) if read == *scenario => Ok(()),
        Ok(_) => Err("what is printed is read as another scenario".to_owned()),
        Err(errors) => Err(format!("what is printed cannot be read: {errors:?}")),
    }
}

/// A state to hold `Run::at` against.
struct Sample {
    event: EventId,
    at: Millis,
    cluster: Cluster,
}

/// A sample that is not decided yet: it depends on whether the next event is in the same millisecond.
struct Candidate {
    events: usize,
    at: Millis,
    just_after: Cluster,
    end_of_millisecond: Cluster,
}

/// Looks at which the first sample is taken.
const FIRST_SAMPLE: u64 = 3;

#[derive(Default)]
struct Watcher {
    guard: Guard,
    seen: usize,
    looks: u64,
    /// The look that the next sample is taken at, when it is not the first.
    next_sample: Option<u64>,
    candidate: Option<Candidate>,
    samples: Vec<Sample>,
}

impl Watcher {
    fn look(&mut self, simulation: &Simulation, events: &[Event]) {
        self.guard.look(simulation, events);
        self.sample(simulation, events);
        self.seen = events.len();
        self.looks += 1;
    }

    /// Samples are taken at looks 3, 9, 27, …, where events happened.
    fn sample(&mut self, simulation: &Simulation, events: &[Event]) {
        let grown = events.len() > self.seen;
        if let Some(candidate) = &mut self.candidate {
            if !grown && simulation.now == candidate.at {
                candidate.end_of_millisecond = simulation.cluster.clone();
            } else if grown && let Some(candidate) = self.candidate.take() {
                let next_at = events.get(candidate.events).map(|e| e.at);
                let cluster = if next_at == Some(candidate.at) {
                    candidate.just_after
                } else {
                    candidate.end_of_millisecond
                };
                self.samples.push(Sample {
                    event: EventId(u32::try_from(candidate.events - 1).unwrap_or(u32::MAX)),
                    at: candidate.at,
                    cluster,
                });
            }
        }
        let next = self.next_sample.unwrap_or(FIRST_SAMPLE);
        if grown && self.seen > 0 && self.candidate.is_none() && self.looks >= next {
            self.next_sample = Some(next.saturating_mul(3));
            self.candidate = Some(Candidate {
                events: events.len(),
                at: simulation.now,
                just_after: simulation.cluster.clone(),
                end_of_millisecond: simulation.cluster.clone(),
            });
        }
    }
}

/// Ids, instants and references of a run's record.
fn in_order(run: &Run) -> Result<(), String> {
    let mut before: Option<&Event> = None;
    for (place, event) in run.events.iter().enumerate() {
        let expected = before.map_or(0, |b| if b.at == event.at { b.sequence + 1 } else { 0 });
        let follows = event.cause.trigger.is_none_or(|trigger| trigger < event.id);
        let set_before = event
            .cause
            .numbers
            .iter()
            .all(|number| number.set_by.is_none_or(|by| by < event.id));
        if event.id.0 as usize != place
            || event.sequence != expected
            || before.is_some_and(|b| b.at > event.at)
            || event.at > run.end && !run.cut_off && !event.idle
            || !follows
            || !set_before
        {
            return Err(format!("event {place} is out of order: {event:?}"));
        }
        before = Some(event);
    }
    for (place, message) in run.messages.iter().enumerate() {
        let sent = run.events.get(message.sent_event.0 as usize);
        let times = message.arrived_at.is_none_or(|at| at >= message.sent_at);
        let ends = message.end_event.is_none_or(|end| end > message.sent_event);
        if message.id.0 as usize != place
            || !times
            || !ends
            || sent.is_none_or(|event| event.at != message.sent_at)
        {
            return Err(format!("message {place} is out of order: {message:?}"));
        }
    }
    if run.steps.len() != run.scenario.steps.len() {
        return Err(format!(
            "{} steps have {} records",
            run.scenario.steps.len(),
            run.steps.len()
        ));
    }
    Ok(())
}

/// Whether a run of [`trial`] is the same a second time.
///
/// # Errors
/// That it is not.
pub fn same_again(first: &Run, most_events: u32) -> Result<(), String> {
    let second = run_watched(&first.scenario, most_events, &mut |_, _| {});
    let same = first.events == second.events
        && first.messages == second.messages
        && first.steps == second.steps
        && first.end == second.end
        && first.cut_off == second.cut_off
        && first.last().cluster() == second.last().cluster();
    if same {
        Ok(())
    } else {
        Err("a second run is not the same".to_owned())
    }
}
