//! What must be true of anything that was read, whatever it was read from.

use highwater_core::scenario::{Scenario, ScriptError, check, from_json, parse, print, to_json};
use highwater_core::sim::{EVENT_LIMIT, run_watched};

/// A run of what was read takes at most so many events: enough for a failover.
pub const MOST_EVENTS: u32 = 300;

/// One in so many scenarios that were read is run: the readers are what is looked for here, and a run takes as long as
/// a hundred of them. Random runs (`cargo xtask fuzz --runs`) look for what goes wrong in runs.
const RUN_ONE_IN: u32 = 16;

/// Whether every error stands inside the text.
pub fn refused(text: &str, errors: &[ScriptError]) {
    let lines = text.split('\n').count();
    assert!(!errors.is_empty(), "refused without a reason");
    for error in errors {
        let line = error.line as usize;
        assert!(
            (1..=lines).contains(&line),
            "{error} is beyond {lines} lines"
        );
        assert!(error.column >= 1, "{error} has no column");
        assert!(!error.to_string().is_empty());
    }
}

/// A scenario that was read is valid, is the same in either form, and can be run.
pub fn read(scenario: &Scenario) {
    assert_eq!(
        check::check(scenario),
        vec![],
        "it was read, and is not valid"
    );
    let text = print(scenario);
    assert_eq!(parse(&text).as_ref(), Ok(scenario), "{text}");
    let json = to_json(scenario);
    assert_eq!(from_json(&json).as_ref(), Ok(scenario), "{json}");
    const { assert!(MOST_EVENTS < EVENT_LIMIT) };
    let sum = text.bytes().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    if sum.is_multiple_of(RUN_ONE_IN) {
        run_watched(scenario, MOST_EVENTS, &mut |_, _| {});
    }
}
