//! The searches that are measured, natively and in wasm. Nothing here reads a clock: whoever calls it does.

use highwater_core::check::{Bounds, Budget, Checker, Fault, Question};
use highwater_core::kafka::rules::LastKnownLeader;
use highwater_core::kafka::settings::Settings;
use std::cell::RefCell;

/// What is searched: a name, and the question.
pub type Search = (&'static str, fn() -> Question);

/// The searches, those of single golden rows first (`core/cases/checker-golden.json`, all with three brokers); the last one
/// is the page's: three brokers, three records, two faults.
pub const SEARCHES: &[Search] = &[
    ("row-R7", || of(Settings::default(), 2, power_and_fence())),
    ("row-R2", || {
        let mut settings = Settings {
            min_insync_replicas: 1,
            elr: false,
            ..Settings::default()
        };
        settings.rules.hw_gated_by_min_isr = false;
        let faults = Budget::NONE
            .with_unbounded(Fault::Crash)
            .with_unbounded(Fault::CleanShutdown);
        of(settings, 2, faults)
    }),
    ("row-R9m", || {
        let mut settings = Settings::default();
        settings.rules.last_known_leader = LastKnownLeader::Off;
        let faults = Budget::NONE
            .with(Fault::PowerLoss, 1)
            .with_unbounded(Fault::Crash);
        of(settings, 2, faults)
    }),
    ("three-records-two-faults", || {
        of(Settings::default(), 3, power_and_fence())
    }),
];

fn of(mut settings: Settings, records: u8, faults: Budget) -> Question {
    // As in the golden rows: the reference model has no such rule.
    settings.rules.higher_epoch_batches_skipped = false;
    Question {
        faults,
        bounds: Bounds { records, epochs: 3 },
        ..Question::of(settings)
    }
}

fn power_and_fence() -> Budget {
    Budget::NONE.with(Fault::PowerLoss, 1).with(Fault::Fence, 1)
}

/// How many states a page expands before it looks at its messages.
pub const SLICE: u64 = 20_000;

thread_local! {
    static CHECKER: RefCell<Option<Checker>> = const { RefCell::new(None) };
}

fn with<T: Default>(ask: impl FnOnce(&mut Checker) -> T) -> T {
    CHECKER.with_borrow_mut(|checker| checker.as_mut().map(ask).unwrap_or_default())
}

/// Begins a search; 1 when there is one of that number.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn search_begin(number: u32) -> u32 {
    let search = SEARCHES.get(number as usize);
    let checker = search.and_then(|(_, question)| Checker::new(question()).ok());
    let begun = checker.is_some();
    CHECKER.set(checker);
    u32::from(begun)
}

/// Goes on by a slice; 1 when the search is over.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn search_slice() -> u32 {
    with(|checker| u32::from(checker.advance(SLICE).done))
}

/// Distinct states so far.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn search_states() -> u32 {
    with(|checker| checker.progress().states as u32)
}

/// The most bytes that were in use.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn search_bytes() -> u32 {
    with(|checker| checker.progress().peak_bytes as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_can_be_asked_and_there_is_no_other() {
        for number in 0..SEARCHES.len() as u32 {
            assert_eq!(search_begin(number), 1);
            assert_eq!(search_slice(), 0);
            assert!(search_states() as u64 > SLICE && search_bytes() > 1_000_000);
        }
        assert_eq!(search_begin(SEARCHES.len() as u32), 0);
        assert_eq!(search_states(), 0);
    }
}
