//! Links: the whole view in the query of an address. This room has types of its own, which are not the model's, and
//! defaults of its own: what a link leaves out means for ever what it meant when the link was made.
//!
//! [`read`] takes an address as a chat or a blog hands it on, says what it could not read, and uses the rest.
//! [`v1`] is frozen: `corpus.txt` holds links that were published and what they stand for; it only ever grows.

pub mod frozen;
#[cfg(test)]
pub(crate) mod fuzz;
pub mod message;
pub mod query;
pub mod script;
pub mod tracking;
pub mod v1;
pub mod widget;

pub use v1::{read, write};

use highwater_core::scenario::Expected;

/// The longest address that is made; a longer view is handed over as a file.
pub const LONGEST: usize = 8_000;

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A scenario of the library by its id.
    Library(String),
    /// A recording by its id.
    Recording(String),
    /// A script.
    Script(String),
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name in scripts.
    pub name: String,
    /// Its value as a script writes it.
    pub value: String,
}

impl Default for Content {
    fn default() -> Content {
        Content::Library(frozen::SCENARIO.to_owned())
    }
}

/// Where the playhead stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playhead {
    /// In that millisecond, after so many of its events.
    At(u64, u32),
    /// At the end of the run.
    End,
}

/// What a link says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// What is run.
    pub content: Content,
    /// Settings of A that differ from those of the content.
    pub settings: Vec<Setting>,
    /// With a B: its settings that differ from those of A.
    pub against: Option<Vec<Setting>>,
    /// The playhead; none = where the answer is.
    pub playhead: Option<Playhead>,
    /// The selected record (`Some(None)` = none is); none = the one that the answer is about.
    pub record: Option<Option<u64>>,
    /// The pauses that are open, each by an instant in it, in ms.
    pub open: Vec<u64>,
    /// Whether the messages stand where the timelines do.
    pub messages: bool,
    /// The language's tag; none = the reader's own.
    pub language: Option<String>,
}

/// A link that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// What it says.
    pub view: View,
    /// What could not be read.
    pub mistakes: Vec<Mistake>,
    /// Where each parameter stands, by the name that [`write`] gives it, in characters from 1.
    pub places: Vec<(String, usize)>,
}

impl Link {
    /// Notes that the value of a parameter, which is in order by itself, does not fit the rest.
    pub fn refuse(&mut self, part: &str, found: &str, expected: Expected, instead: Option<String>) {
        let place = self.places.iter().find(|(name, _)| name == part);
        let place = place.map_or(0, |(_, place)| *place);
        let mistake = Mistake::new(part, place, found, expected);
        self.mistakes.push(Mistake { instead, ..mistake });
    }
}

/// A part of a link that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The name of the parameter.
    pub part: String,
    /// Where it stands in the link, in characters from 1.
    pub place: usize,
    /// What was found, shortened.
    pub found: String,
    /// What should have stood there.
    pub expected: Expected,
    /// The nearest good thing.
    pub instead: Option<String>,
}

impl Mistake {
    /// A mistake without a guess.
    pub fn new(part: &str, place: usize, found: &str, expected: Expected) -> Mistake {
        let short = |text: &str| -> String {
            let mut short: String = text.chars().take(40).collect();
            if text.chars().nth(40).is_some() {
                short.push('…');
            }
            short
        };
        Mistake {
            part: short(part),
            place,
            found: short(found),
            expected,
            instead: None,
        }
    }
}

#[cfg(test)]
mod tests;
