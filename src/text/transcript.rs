//! A whole run as text, one line an event: what is copied, what `cargo xtask run` prints, and the picture's text
//! alternative.

use highwater_core::kafka::cause::{Quantity, Value};
use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::sim::{Run, Verdict};

use super::Text;
use super::arg::millis;
use super::because::Narrator;
use super::describe::record_line;
use super::headline::headline;
use crate::say;

/// How much a transcript tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The events that matter ([`matters`]).
    #[default]
    Plain,
    /// Every event, idle polling, heartbeats and each message as well.
    Everything,
}

/// Whether an event belongs into a plain transcript: it changed what somebody knows or has. Messages on their way,
/// fetches without an error and the positions that the leader notes are left out: their effects have lines.
pub fn matters(event: &Event) -> bool {
    !event.idle
        && !follows_the_hw(event)
        && !matches!(
            event.kind,
            EventKind::MessageSent { .. }
                | EventKind::MessageArrived { .. }
                | EventKind::MetadataApplied { .. }
                | EventKind::FetchParked { .. }
                | EventKind::FollowerStateUpdated { .. }
                | EventKind::IsrLearned { .. }
                | EventKind::FetchServed {
                    error: None,
                    diverging: false,
                    ..
                }
        )
}

/// Whether it is an LSO that moves with the HW because there is no transaction.
fn follows_the_hw(event: &Event) -> bool {
    matches!(event.kind, EventKind::LsoChanged { .. })
        && event.cause.value(Quantity::FirstUnstable) == Some(&Value::Offset(None))
}

/// A run as text: one line an event with its time and its sentence, each ended by a line feed.
pub fn transcript(text: &Text, run: &Run, detail: Detail) -> String {
    let narrator = Narrator::new(text, run);
    let mut out = String::new();
    for event in &run.events {
        if detail == Detail::Everything || matters(event) {
            out.push_str(&line(&narrator, event));
            out.push('\n');
        }
    }
    out
}

/// One line of a transcript, without a line feed. Times stand right-aligned in ten columns.
pub fn line(narrator: &Narrator<'_>, event: &Event) -> String {
    let time = format!("{:>10}", millis(event.at));
    say!(
        narrator.text(),
        TimeAndText,
        time = time,
        text = narrator.because(event).text
    )
}

/// The verdict as text: the headline, its line, what else happened, and one line a record.
pub fn verdict_text(text: &Text, verdict: &Verdict) -> String {
    let headline = headline(text, verdict);
    let mut lines = vec![headline.title, headline.line];
    lines.extend(headline.also);
    lines.extend(
        verdict
            .records
            .iter()
            .map(|record| record_line(text, record)),
    );
    let mut out = lines.join("\n");
    out.push('\n');
    out
}
