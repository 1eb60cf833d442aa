//! Views that few readers open: they are a module of their own, fetched when the first of them is opened, so that the first
//! load stays small. [`answer`] is the interface of the views: strings in, markup out.
//!
//! What readers do seldom is here as well: a view as a file ([`picture`]), and files that are no plain scripts ([`open`]).
//!
//! The page has an element `<later-view ask="…" scenario="…" at="…" position="…">` for each (`public/boot.js`). When it is
//! seen for the first time it fetches the module (`src/bin/later.rs`), asks, and shows the answer; when an attribute
//! changes, it asks again. What is asked for must be all in the strings: the module shares no memory with the page.
//!
//! Names in these views are Kafka's own (files, MBeans, classes, fields), which are the same in every language. Sentences
//! are not said here.

mod fields;
mod html;
mod inspect;
pub mod open;
mod operator;
pub mod picture;
pub mod recording;
#[cfg(test)]
mod tests;

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::parse;
use highwater_core::sim::{Instant, run};

use crate::session::recorded;
use crate::text::{Locale, Text};

/// What a view is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Which view: `operator` or `inspect`.
    pub view: &'a str,
    /// The scenario as text, without mistakes.
    pub scenario: &'a str,
    /// The instant: milliseconds since the start,
    pub at: u64,
    /// and how many events of that millisecond have happened.
    pub position: u32,
    /// The word on a button that copies, in the reader's language.
    pub copy: &'a str,
}

/// The markup of a view.
///
/// # Errors
/// A view that does not exist, or a scenario that cannot be read: what was found.
pub fn answer(question: &Question<'_>) -> Result<String, String> {
    let scenario = parse(question.scenario).map_err(|errors| {
        let first = errors.first().map(ToString::to_string);
        first.unwrap_or_default()
    })?;
    let run = run(&scenario);
    let instant = Instant {
        at: Millis(question.at),
        position: question.position,
    };
    match question.view {
        "operator" => Ok(operator::view(&run, instant, question.copy)),
        "inspect" => Ok(inspect::view(&run, instant)),
        other => Err(other.to_owned()),
    }
}

/// Where the words of a language lie beside the page; none = they are here already.
pub fn words_address(tag: &str) -> Option<&'static str> {
    Locale::of_tag(tag).unwrap_or_default().file()
}

/// The words of a language from its file.
///
/// # Errors
/// The file belongs to another version of the page.
pub fn words_of(tag: &str, file: String) -> Result<Text, String> {
    let locale = Locale::of_tag(tag).unwrap_or_default();
    match locale.file() {
        None => Ok(Text::english()),
        Some(_) => Text::read(locale, file).map_err(|error| error.to_string()),
    }
}

/// Where a recording lies beside the page.
pub fn recording_address(id: &str) -> String {
    recorded::address(id)
}
