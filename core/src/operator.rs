//! What an operator would see of a run at an instant (`kafka-rules.md` section 10 has the forms): the lines of
//! `kafka-topics.sh --describe`, the checkpoint files in the log directories, the lines of the server and state-change
//! logs, and the metrics that moved; and the way back, from pasted output to facts.
//!
//! It is a room of the model and not of the page, because the command line, the tests and the page show the same text, and
//! beside `sim` rather than in it, because nothing of a run depends on it: whoever does not ask for it does not load it.
//!
//! The forms of Kafka 4.4 are held against recorded output of a real cluster (`core/cases/operator-output`). The forms of
//! older versions are those of their sources. Where a version's words are not known, the line is left out.

pub mod clock;
pub mod describe;
pub mod evidence;
pub mod files;
pub mod journal;
pub mod line;
pub mod metrics;
mod section;
pub mod segment;
pub mod topic;

pub use describe::{Described, describe};
pub use files::{File, files};
pub use journal::Journal;
pub use line::{Level, Line, Origin};
pub use metrics::{Metric, Moved, metrics, moved};
pub use section::{Section, sections};
pub use topic::Topic;

use crate::sim::{Instant, Run};

/// Everything that an operator would see at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The answer to `kafka-topics.sh --describe`.
    pub described: Described,
    /// The files in the log directories, by broker.
    pub files: Vec<File>,
    /// The lines of all logs up to the instant, in the order in which they were written.
    pub lines: Vec<Line>,
    /// The metrics that are not what they were at the start of the run.
    pub moved: Vec<Moved>,
}

/// What an operator would see of `topic` at an instant of a run.
pub fn view(run: &Run, instant: Instant, topic: &Topic) -> View {
    let state = run.at(instant);
    let happened = run.events_before(instant);
    let start = run.at(Instant::default());
    let mut journal = Journal::of_start(topic, &start.simulation);
    let events = run.events.get(..happened).unwrap_or_default();
    journal.take(events);
    let first = metrics(&start.simulation, &[], &run.messages, topic);
    let now = metrics(&state.simulation, events, &run.messages, topic);
    View {
        described: describe(&state.simulation, topic),
        files: files(&state.simulation, &journal, topic),
        lines: journal.into_lines(),
        moved: moved(&first, &now),
    }
}
