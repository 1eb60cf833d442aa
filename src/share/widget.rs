//! The query of `embed.html`: a link, and what the author of a page sets besides. The names are those of the attributes
//! of `<highwater-lab>`; they are published, so they keep their meaning.

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::{Counted, Expected, names, nearest, time};

use super::{Mistake, query};

/// The timelines by name, from left to right.
pub const TIMELINES: &[&str] = &["acks", "lag", "visibility"];
/// The toggles by the names that an author writes; every name of a setting is read.
const TOGGLES: &[&str] = &["acks", "min.insync.replicas", "unclean", "elr"];
/// What can be asked before the outcome is shown.
const QUESTIONS: &[&str] = &["lost", "acknowledged", "visible", "leader"];
/// The themes; the first follows the reader's system, and the host page where there is a script.
pub const THEMES: &[&str] = &["auto", "light", "dark"];
/// The attributes of a widget that no link has.
pub const NAMES: &[&str] = &[
    "show", "controls", "start", "end", "question", "caption", "theme", "autoplay", "height",
];
/// The longest caption and the longest question in words, in characters; what is longer is told.
pub const LONGEST: usize = 600;
/// A frame of fixed height has so many px.
const HEIGHTS: (u64, u64) = (80, 4_000);

/// What is asked before the outcome is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Which records are lost at the end.
    Lost,
    /// Which records the producer was told are written.
    Acknowledged,
    /// Which records a consumer could read.
    Visible,
    /// Who leads at the end.
    Leader,
}

impl Asks {
    /// All of them, in the order of their names.
    const ALL: [Asks; 4] = [Asks::Lost, Asks::Acknowledged, Asks::Visible, Asks::Leader];
}

/// What an author set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which of [`TIMELINES`] are drawn; at least one is.
    pub show: [bool; 3],
    /// The toggles that the reader gets, by their full names.
    pub controls: Vec<&'static str>,
    /// Where the clock begins.
    pub start: Option<Millis>,
    /// Where it ends.
    pub end: Option<Millis>,
    /// What is asked first, and in which words; without words it is asked in ours.
    pub question: Option<(Asks, String)>,
    /// What stands under the picture.
    pub caption: String,
    /// One of `auto`, `light` and `dark`.
    pub theme: &'static str,
    /// Whether it plays by itself.
    pub autoplay: bool,
    /// Whether the host page makes the frame as tall as its content.
    pub fits: bool,
    /// The rest of the query: a link.
    pub link: String,
    /// What could not be read.
    pub mistakes: Vec<Mistake>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            show: [true; 3],
            controls: TOGGLES.iter().filter_map(|name| full(name)).collect(),
            start: None,
            end: None,
            question: None,
            caption: String::new(),
            theme: "auto",
            autoplay: false,
            fits: false,
            link: String::new(),
            mistakes: Vec::new(),
        }
    }
}

/// The full name of a setting.
fn full(name: &str) -> Option<&'static str> {
    names::find(name).map(|setting| setting.name)
}

/// Reads the query of `embed.html`: what could be read, and what could not. The rest of it is a link.
pub fn read(address: &str) -> Options {
    let mut options = Options::default();
    let mut link = String::from("?");
    let mut seen: Vec<&str> = Vec::new();
    for parameter in query::parameters(address) {
        let (given, value) = (&parameter.name, &parameter.value);
        let Some(name) = NAMES.iter().find(|name| given.eq_ignore_ascii_case(name)) else {
            query::encode(&mut link, given);
            link.push('=');
            query::encode(&mut link, value);
            link.push('&');
            continue;
        };
        if seen.contains(name) {
            refuse(&mut options, name, value, Expected::Once);
            continue;
        }
        seen.push(name);
        // A caption is a sentence: its signs stay as they are.
        match *name {
            "caption" => options.caption = short(&mut options, name, &query::plain(address, name)),
            "question" => ask(&mut options, &query::plain(address, name)),
            _ => take(&mut options, name, &value.trim().to_ascii_lowercase()),
        }
    }
    options.link = link;
    options
}

/// Notes what could not be read, and what to write instead.
fn refuse(options: &mut Options, name: &str, found: &str, expected: Expected) {
    let near = match &expected {
        Expected::OneOf(words) => nearest(found, words.iter().copied()),
        Expected::Number { .. } => Some("auto"),
        _ => None,
    };
    let instead = near.map(str::to_owned);
    // Where it stands in the query says nothing to who wrote an attribute.
    let mistake = Mistake::new(name, 0, found, expected);
    options.mistakes.push(Mistake { instead, ..mistake });
}

fn ask(options: &mut Options, value: &str) {
    let (kind, words) = value.split_once(':').unwrap_or((value, ""));
    let kind = kind.trim();
    let known = QUESTIONS
        .iter()
        .position(|word| kind.eq_ignore_ascii_case(word));
    let asks = known.and_then(|place| Asks::ALL.get(place));
    match asks {
        Some(asks) => {
            let words = short(options, "question", words);
            options.question = Some((*asks, words));
        }
        None => refuse(options, "question", kind, Expected::OneOf(QUESTIONS)),
    }
}

fn take(options: &mut Options, name: &str, word: &str) {
    match name {
        "show" => {
            let mut show = [false; 3];
            for word in words(word) {
                let place = TIMELINES.iter().position(|name| *name == word);
                match place.and_then(|place| show.get_mut(place)) {
                    Some(shown) => *shown = true,
                    None => refuse(options, name, word, Expected::OneOf(TIMELINES)),
                }
            }
            if show.contains(&true) {
                options.show = show;
            }
        }
        "controls" => {
            let all = std::mem::take(&mut options.controls);
            for word in words(word).filter(|word| *word != "none") {
                match full(word).filter(|name| all.contains(name)) {
                    Some(name) => options.controls.push(name),
                    None => refuse(options, name, word, Expected::OneOf(TOGGLES)),
                }
            }
        }
        "start" | "end" => {
            let at = time::read(word).filter(|at| *at <= time::LONGEST);
            if at.is_none() {
                let (min, max) = (Millis(0), time::LONGEST);
                refuse(options, name, word, Expected::Time { min, max });
            }
            match name {
                "start" => options.start = at,
                _ => options.end = at,
            }
        }
        "theme" => match THEMES.iter().find(|theme| **theme == word) {
            Some(theme) => options.theme = theme,
            None => refuse(options, name, word, Expected::OneOf(THEMES)),
        },
        "autoplay" => match word {
            "" | "on" | "true" | "autoplay" => options.autoplay = true,
            "off" | "false" => {}
            _ => refuse(options, name, word, Expected::OneOf(&["on", "off"])),
        },
        _ => {
            let (min, max) = HEIGHTS;
            match word.parse() {
                _ if word == "auto" => options.fits = true,
                Ok(px) if (min..=max).contains(&px) => {}
                _ => refuse(options, name, word, Expected::Number { min, max }),
            }
        }
    }
}

/// The words of a list.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ' ']).filter(|word| !word.is_empty())
}

/// The words of an author; of those that are too long the beginning, and that is told.
fn short(options: &mut Options, name: &str, words: &str) -> String {
    let words = words.trim();
    if words.chars().nth(LONGEST).is_none() {
        return words.to_owned();
    }
    let expected = Expected::AtMost {
        what: Counted::Characters,
        max: LONGEST as u64,
    };
    refuse(options, name, words, expected);
    words.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests;
