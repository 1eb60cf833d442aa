//! A run that is too long to be recorded: a loop for minutes. It is driven without keeping its events, and its checks may
//! ask for the state alone.

use highwater_core::check::broken_invariant;
use highwater_core::kafka::ids::Millis;
use highwater_core::sim::{Recorder, Simulation};

use super::Findings;
use super::labels::Labels;
use super::look;
use super::moment::Moment;
use crate::support::notation::NotationRun;

/// What a state tells without the events that led to it.
const OF_THE_STATE: &[&str] = &[
    "isr",
    "elr",
    "leader",
    "leo",
    "hw",
    "epoch",
    "partition_epoch",
];

/// Drives the run; what a check says must hold then, and its ISR after every step before it too.
pub fn of_run(notation: &NotationRun, labels: &Labels, findings: &mut Findings) {
    let mut recorder = Recorder::default().counting();
    let mut simulation = Simulation::new(&notation.scenario, &mut recorder);
    let first = simulation.cluster.controller.partition.isr.clone();
    let mut kept = true;
    let mut broken = None;
    for step in &notation.steps {
        while simulation.progress.next < step.steps.end || simulation.progress.active.is_some() {
            if !simulation.advance(Millis(u64::MAX), &mut recorder) {
                break;
            }
            kept &= simulation.cluster.controller.partition.isr == first;
        }
        // The log has hundreds of thousands of batches by then: one look for each step, not for each event.
        broken = broken.or_else(|| broken_invariant(&simulation.cluster, false));
        findings.place = format!("after {} steps", step.steps.end);
        let keys = step.raw.as_object().into_iter().flatten();
        for (key, wanted) in keys.filter(|(key, _)| !look::NOT_EXPECTED.contains(&key.as_str())) {
            if step.raw["do"] != "check" {
                if key.starts_with("expect") {
                    findings.differs(key, "a long run has only checks".to_string());
                }
            } else if OF_THE_STATE.contains(&key.as_str()) {
                let moment = Moment::unrecorded(simulation.clone(), notation);
                look::state(&moment, key, wanted, labels, findings);
            } else {
                findings.differs(key, "a long run keeps no events".to_string());
            }
        }
    }
    if let Some(what) = broken {
        findings.differs("run", what);
    }
    // The cases with such loops ask whether a follower stays in the ISR.
    if !kept {
        findings.differs("isr", "it changed on the way".to_string());
    }
    if notation.end.as_object().is_some_and(|end| !end.is_empty()) {
        findings.differs("end", "a long run has only checks".to_string());
    }
}
