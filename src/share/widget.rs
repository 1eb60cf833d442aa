//! The query of `embed.html`: a link, and what the author of a page sets besides. The names are those of the attributes
//! of `<highwater-lab>`; they are published, so they keep their meaning.

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::{Expected, names, nearest, time};

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
    let mut seen: Vec<String> = Vec::new();
    for parameter in query::parameters(address) {
        let name = parameter.name.to_ascii_lowercase();
        if !NAMES.contains(&name.as_str()) {
            for (sign, part) in [("", &parameter.name), ("=", &parameter.value)] {
                link.push_str(sign);
                query::encode(&mut link, part);
            }
            link.push('&');
            continue;
        }
        let mut wrong = Vec::new();
        if seen.contains(&name) {
            wrong.push((parameter.value, Expected::Once));
        } else {
            // A caption is a sentence: its signs stay as they are.
            let plain = query::plain(address, &name);
            take(&mut options, &name, &parameter.value, &plain, &mut wrong);
        }
        for (found, expected) in wrong {
            let near = match &expected {
                Expected::OneOf(words) => nearest(&found, words.iter().copied()),
                Expected::Number { .. } => Some("auto"),
                _ => None,
            };
            let mistake = Mistake::new(&name, parameter.place, &found, expected);
            let instead = near.map(str::to_owned);
            options.mistakes.push(Mistake { instead, ..mistake });
        }
        seen.push(name);
    }
    options.link = link;
    options
}

/// What could not be read: what was found, and what should have stood there.
type Wrong = Vec<(String, Expected)>;

fn take(options: &mut Options, name: &str, value: &str, plain: &str, wrong: &mut Wrong) {
    let value = value.trim();
    let word = value.to_ascii_lowercase();
    let mut refuse = |found: &str, expected| wrong.push((found.to_owned(), expected));
    match name {
        "show" => {
            let mut show = [false; 3];
            for word in words(&word) {
                let place = TIMELINES.iter().position(|name| *name == word);
                match place.and_then(|place| show.get_mut(place)) {
                    Some(shown) => *shown = true,
                    None => refuse(word, Expected::OneOf(TIMELINES)),
                }
            }
            if show.contains(&true) {
                options.show = show;
            }
        }
        "controls" => {
            let all = std::mem::take(&mut options.controls);
            for word in words(&word).filter(|word| *word != "none") {
                match full(word).filter(|name| all.contains(name)) {
                    Some(name) => options.controls.push(name),
                    None => refuse(word, Expected::OneOf(TOGGLES)),
                }
            }
        }
        "start" | "end" => {
            let at = time::read(&word).filter(|at| *at <= time::LONGEST);
            let (min, max) = (Millis(0), time::LONGEST);
            match (at, name) {
                (None, _) => refuse(value, Expected::Time { min, max }),
                (at, "start") => options.start = at,
                (at, _) => options.end = at,
            }
        }
        "question" => {
            let (kind, words) = plain.split_once(':').unwrap_or((plain, ""));
            let asks = match kind.trim().to_ascii_lowercase().as_str() {
                "lost" => Asks::Lost,
                "acknowledged" => Asks::Acknowledged,
                "visible" => Asks::Visible,
                "leader" => Asks::Leader,
                _ => return refuse(kind.trim(), Expected::OneOf(QUESTIONS)),
            };
            options.question = Some((asks, short(words)));
        }
        "caption" => options.caption = short(plain),
        "theme" => match THEMES.iter().find(|theme| **theme == word) {
            Some(theme) => options.theme = theme,
            None => refuse(value, Expected::OneOf(THEMES)),
        },
        "autoplay" => match word.as_str() {
            "" | "on" | "true" | "autoplay" => options.autoplay = true,
            "off" | "false" => options.autoplay = false,
            _ => refuse(value, Expected::OneOf(&["on", "off"])),
        },
        _ => {
            let (min, max) = HEIGHTS;
            match word.parse() {
                _ if word == "auto" => options.fits = true,
                Ok(px) if (min..=max).contains(&px) => options.fits = false,
                _ => refuse(value, Expected::Number { min, max }),
            }
        }
    }
}

/// The words of a list.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ' ']).filter(|word| !word.is_empty())
}

fn short(text: &str) -> String {
    text.trim().chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests;
