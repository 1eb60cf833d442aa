//! The parser of scenarios.
#![no_main]

use highwater_core::scenario::{parse_bytes, print, print_step};
use highwater_fuzz::{read, refused};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match parse_bytes(bytes) {
        Ok(parsed) => {
            assert_eq!(parsed.step_lines.len(), parsed.scenario.steps.len());
            read(&parsed.scenario);
            // The canonical text has each step on the line that is told.
            let text = print(&parsed.scenario);
            for step in &parsed.scenario.steps {
                assert!(text.contains(&print_step(step)), "{text}");
            }
        }
        Err(errors) => refused(&String::from_utf8_lossy(bytes), &errors),
    }
});
