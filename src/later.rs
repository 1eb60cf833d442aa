//! Views that few readers open: they are a module of their own, fetched when the first of them is opened, so that the first
//! load stays small. [`Desk::answer`] is the interface of the views: strings in, markup out.
//!
//! What readers do seldom is here as well: a view as a file ([`picture`]), and files that are no plain scripts ([`open`]).
//!
//! The page has an element `<later-view ask="…" scenario="…" …>` for each (`public/boot.js`, `public/later_view.js`). When it
//! is seen for the first time it fetches the module (`src/bin/later.rs`), asks, and shows the answer; when an attribute
//! changes, it asks again. What is asked for must be all in the strings: the module shares no memory with the page.
//!
//! Names in these views are Kafka's own (files, MBeans, classes, fields), which are the same in every language. Sentences
//! are said from a table of their own (`later/text`), which has all three languages in it.

mod asked;
mod detail;
mod eligible;
pub mod fields;
mod html;
mod inspect;
pub mod keys;
mod list;
mod messages;
pub mod open;
mod operator;
pub mod picture;
pub mod recording;
#[cfg(test)]
mod tests;
mod walk;
mod words;

use std::sync::Arc;

use highwater_core::scenario::parse;
use highwater_core::sim::{Run, run};

use crate::picture::messages::Diagram;
use crate::picture::messages::idle::Reading;
use crate::session::recorded;
use crate::text::{Locale, Text};
use asked::Asked;

/// A run that was asked about, kept until others are.
#[derive(Debug)]
struct Known {
    scenario: String,
    run: Run,
    reading: Reading,
}

/// So many runs are kept: A and B.
const KEPT: usize = 2;

/// What the module keeps between two questions, so that the second about a run costs little.
#[derive(Debug)]
pub struct Desk {
    text: Text,
    known: Vec<Arc<Known>>,
    /// The diagrams laid out last, with the question that each answers.
    drawn: Vec<(String, Arc<Diagram>)>,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk {
            text: Text::english(),
            known: Vec::new(),
            drawn: Vec::new(),
        }
    }
}

impl Desk {
    /// Speaks another language from now on; `file` is that of the page ([`Locale::file`]), empty for English.
    ///
    /// # Errors
    /// A language that the page does not have, or a file of another version of the page.
    pub fn speak(&mut self, tag: &str, file: String) -> Result<(), String> {
        let locale = Locale::of_tag(tag).ok_or_else(|| tag.to_owned())?;
        self.text = read_words(locale, file)?;
        self.drawn.clear();
        Ok(())
    }

    /// The markup of a view. `asked` holds the rest of the question: `name=value` a line (see [`asked::Asked`]).
    ///
    /// # Errors
    /// A view that does not exist, or a scenario that cannot be read: what was found.
    pub fn answer(&mut self, view: &str, scenario: &str, asked: &str) -> Result<String, String> {
        let known = self.known(scenario)?;
        let asked = Asked::read(asked);
        let text = &self.text.clone();
        match view {
            "operator" => Ok(operator::view(text, &known.run, asked.instant, &asked.copy)),
            "operator.piece" => Ok(operator::whole(&known.run, asked.instant, asked.page)),
            "inspect" => Ok(inspect::view(text, &known.run, asked.instant)),
            "messages" => messages::stretch(self, &known, &asked),
            "messages.label" => messages::label(self, &known, &asked),
            "messages.tools" => Ok(messages::tools(text, &known, &asked)),
            "messages.list" => Ok(list::view(text, &known, &asked)),
            "messages.detail" => Ok(detail::view(text, &known, &asked)),
            "messages.walk" => walk::to(self, &known, &asked),
            other => Err(other.to_owned()),
        }
    }

    fn known(&mut self, scenario: &str) -> Result<Arc<Known>, String> {
        if let Some(known) = self.known.iter().find(|known| known.scenario == scenario) {
            return Ok(Arc::clone(known));
        }
        let parsed = parse(scenario).map_err(|errors| {
            let first = errors.first().map(ToString::to_string);
            first.unwrap_or_default()
        })?;
        let run = run(&parsed);
        let known = Arc::new(Known {
            scenario: scenario.to_owned(),
            reading: Reading::new(&run),
            run,
        });
        self.known.insert(0, Arc::clone(&known));
        self.known.truncate(KEPT);
        Ok(known)
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
    read_words(Locale::of_tag(tag).unwrap_or_default(), file)
}

fn read_words(locale: Locale, file: String) -> Result<Text, String> {
    match locale.file() {
        None => Ok(Text::english()),
        Some(_) => Text::read(locale, file).map_err(|error| error.to_string()),
    }
}

/// Where a recording lies beside the page.
pub fn recording_address(id: &str) -> String {
    recorded::address(id)
}
