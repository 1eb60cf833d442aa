//! The picture as rows: the text alternative of everything that is drawn, drawn or not.

use highwater_core::kafka::ids::Millis;

use super::Picture;
use super::shape::Subject;
use super::words::{Word, Words};

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The instant.
    pub at: Millis,
    /// The same in words.
    pub time: String,
    /// What happens.
    pub what: String,
    /// What it belongs to.
    pub subject: Subject,
}

/// The rows by time. The same words at the same instant are said once.
pub fn rows(picture: &Picture, words: &dyn Words) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(picture.notes.len());
    for note in &picture.notes {
        let mut same = rows.iter().rev().take_while(|r| r.at == note.at);
        if same.any(|r| r.what == note.words) {
            continue;
        }
        rows.push(Row {
            at: note.at,
            time: words.say(Word::Instant(note.at)),
            what: note.words.clone(),
            subject: note.subject,
        });
    }
    rows
}
