//! Runs a scenario on a timed agenda: `run`, `Run::at`, `verdict`.

mod agenda;
mod align;
mod chain;
mod client_steps;
pub mod compare;
#[cfg(feature = "json")]
pub mod json;
mod judge;
pub mod matrix;
mod network;
mod outside;
mod progress;
mod recorder;
#[cfg(feature = "json")]
pub mod replay;
mod run;
mod settle;
mod simulation;
mod start;
mod steps;
pub mod verdict;
pub mod waits;

pub use agenda::Due;
pub use judge::verdict;
pub use network::{Gate, Network};
pub use outside::latest_at_leader;
pub use progress::{ActiveStep, Progress};
pub use recorder::{Recorder, message_is_idle};
pub use run::{EVENT_LIMIT, Instant, MessageRecord, Run, State, StepRecord, run, run_watched};
pub use settle::TAIL_LIMIT;
pub use simulation::Simulation;
pub use verdict::{RecordVerdict, Verdict};

#[cfg(test)]
mod compare_tests;
#[cfg(test)]
mod tests;
