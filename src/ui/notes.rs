//! Sentences that more than one component says.

use crate::say;
use crate::session::model::{Event, Outcome, SettingError};
use crate::session::state::Session;
use crate::text::Text;
use crate::text::because::{Narrator, Sentence};
use crate::text::mistake::expected;

/// What is said about an event.
pub fn because(text: &Text, session: &Session, event: &Event) -> Sentence {
    Narrator::new(text, &session.ran().run).because(event)
}

/// What happened at the playhead, without the reason.
pub fn event_short(text: &Text, session: &Session) -> String {
    match session.event() {
        Some(event) => Narrator::new(text, &session.ran().run).caption(event),
        None => say!(text, NothingYet),
    }
}

/// What happened at the playhead, and why.
pub fn event_sentence(text: &Text, session: &Session) -> String {
    match session.event() {
        Some(event) => because(text, session, event).text,
        None => say!(text, NothingYet),
    }
}

/// A value or name of a setting that cannot be taken.
pub fn setting_error(text: &Text, error: &SettingError) -> String {
    let expected = expected(text, &error.expected);
    let what = say!(
        text,
        MistakeFound,
        found = error.found.clone(),
        expected = expected
    );
    match &error.instead {
        Some(word) => format!("{what} {}", say!(text, MistakeInstead, word = word.clone())),
        None => what,
    }
}

/// The outcome of an attempt in a table's cell.
pub fn outcome(text: &Text, outcome: Outcome) -> String {
    match outcome {
        Outcome::Ok(_) => say!(text, CellOk),
        Outcome::Refused(error) => error.name().to_owned(),
        Outcome::NoAnswer => say!(text, MarkNoAnswer),
        Outcome::NoAnswerExpected => say!(text, CellNoPromise),
        Outcome::ConnectionClosed => say!(text, CellClosed),
        Outcome::ResponseLost => say!(text, CellAnswerLost),
        Outcome::LeaderDown => say!(text, CellLeaderDown),
        Outcome::NoLeader => say!(text, CellNoLeader),
    }
}
