//! The reader of recorded traces, and the replay that compares each step.
#![no_main]

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::trace;
use highwater_core::sim::replay;
use highwater_fuzz::{read, refused};
use libfuzzer_sys::fuzz_target;

/// A longer recording is read and run, but not replayed: that has no bound but the script's own end.
const MOST_STEPS: usize = 4;

fuzz_target!(|text: &str| {
    match trace::read(text) {
        Ok(trace) => {
            let scenario = trace.scenario();
            read(&scenario);
            assert_eq!(trace.last_scenario_steps().len(), trace.steps.len());
            if scenario.steps.len() <= MOST_STEPS {
                let compared = replay::replay_with(&trace, Millis(0));
                // One for the start as well.
                assert_eq!(compared.len(), trace.steps.len() + 1);
            }
        }
        Err(errors) => refused(text, &errors),
    }
});
