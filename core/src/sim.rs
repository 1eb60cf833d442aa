//! Runs a scenario on a timed agenda: `run(&Scenario) -> Run`, `Run::at(instant)`, `verdict(&Run) -> Verdict`.

pub mod run;
pub mod verdict;

pub use run::{Instant, MessageRecord, Run, StepRecord};
pub use verdict::{RecordVerdict, Verdict};
