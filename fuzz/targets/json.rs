//! The reader of scenarios as JSON.
#![no_main]

use highwater_core::scenario::from_json;
use highwater_fuzz::{read, refused};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match from_json(text) {
        Ok(scenario) => read(&scenario),
        Err(errors) => refused(text, &errors),
    }
});
