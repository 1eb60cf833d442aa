//! Version 1: `?scenario=state-e&unclean.leader.election.enable=true&at=530.2&record=3&lang=ko&v=1`.
//!
//! `v` comes last: what a chat glues to the end of a link meets a number, and a link that was cut off has none.

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::{Expected, names, nearest, time};

use super::query;
use super::tracking::is_tracking;
use super::{Content, Link, Mistake, Playhead, Setting, View, script};

/// The names that are no settings.
const NAMES: &[&str] = &[
    "v",
    "scenario",
    "recording",
    "script",
    "at",
    "record",
    "open",
    "view",
    "lang",
    "b",
    "lesson",
    "step",
];
/// Those that say what is run.
const CONTENT: &[&str] = &["scenario", "recording", "script"];
/// What can stand where the picture does; the first is what a link leaves out.
const VIEWS: &[&str] = &["timelines", "messages"];
/// The languages that a link can ask for.
const LANGUAGES: &[&str] = &["en", "ko", "zh"];

/// Reads a link, or its query: what could be read, and what could not.
pub fn read(link: &str) -> Link {
    let mut read = Link::default();
    for parameter in query::parameters(link) {
        let name = known(&parameter.name);
        let found = match &name {
            None if is_tracking(&parameter.name) => continue,
            None => Err((Expected::SettingName, guess(&parameter.name, &read))),
            Some(name) => {
                // A view has one content, by whatever name.
                let said = match CONTENT.contains(&name.as_str()) {
                    true => "scenario",
                    false => name,
                };
                let twice = read.places.iter().any(|(known, _)| known == said);
                if !twice {
                    read.places.push((said.to_owned(), parameter.place));
                }
                match (twice, parameter.utf8) {
                    (true, _) => Err((Expected::Once, None)),
                    (_, true) => take(&mut read.view, name, &parameter.value),
                    (_, false) => {
                        // A script that was cut within a letter: what can be read of it is used.
                        let _ = take(&mut read.view, name, &parameter.value);
                        Err((Expected::Utf8, None))
                    }
                }
            }
        };
        if let Err((expected, instead)) = found {
            let found = match name {
                Some(_) => &parameter.value,
                None => &parameter.name,
            };
            let mistake = Mistake::new(&parameter.name, parameter.place, found, expected);
            read.mistakes.push(Mistake { instead, ..mistake });
        }
    }
    let is_versioned = read.places.iter().any(|(name, _)| name == "v");
    if matches!(read.view.content, Content::Script(_)) && !is_versioned {
        // Only a script makes a link so long that it is cut, and then its last parameter is missing.
        let place = link.chars().count() + 1;
        let expected = Expected::Number { min: 1, max: 1 };
        read.mistakes.push(Mistake::new("v", place, "", expected));
    }
    read
}

type Taken = Result<(), (Expected, Option<String>)>;

fn take(view: &mut View, name: &str, given: &str) -> Taken {
    let value = given.trim();
    let wrong = |expected| Err((expected, None));
    match name {
        "v" => {
            // What follows the number belongs to the sentence around the link.
            let number: String = value.chars().take_while(char::is_ascii_digit).collect();
            if number != "1" {
                return wrong(Expected::Number { min: 1, max: 1 });
            }
        }
        "scenario" => view.content = Content::Library(value.to_owned()),
        "recording" => view.content = Content::Recording(value.to_owned()),
        "script" => view.content = Content::Script(script::lengthen(given)),
        "at" => match playhead(value) {
            Some(playhead) => view.playhead = Some(playhead),
            _ => {
                let (min, max) = (Millis(0), time::LONGEST);
                return wrong(Expected::Time { min, max });
            }
        },
        "record" => match (value, value.parse()) {
            ("none", _) => view.record = Some(None),
            (_, Ok(record)) => view.record = Some(Some(record)),
            _ => {
                let max = names::INT_MAX;
                return wrong(Expected::Number { min: 1, max });
            }
        },
        "open" => {
            for word in value.split(',') {
                match time::read(word).filter(|at| *at <= time::LONGEST) {
                    Some(at) => view.open.push(at.0),
                    None => {
                        let (min, max) = (Millis(0), time::LONGEST);
                        return wrong(Expected::Time { min, max });
                    }
                }
            }
        }
        "view" => match VIEWS.iter().position(|view| *view == value) {
            Some(place) => view.messages = place > 0,
            None => return wrong(Expected::OneOf(VIEWS)),
        },
        "lang" => {
            if language(value).is_none() {
                return wrong(Expected::OneOf(LANGUAGES));
            }
            view.language = Some(value.to_owned());
        }
        "b" if value == "a" => drop(view.against.get_or_insert_default()),
        "b" => return wrong(Expected::OneOf(&["a"])),
        // They are kept free for lessons: a page that has them reads them.
        "lesson" | "step" => return wrong(Expected::OneOf(NAMES)),
        _ => {
            let (settings, name) = match name.strip_prefix("b.") {
                Some(name) => (view.against.get_or_insert_default(), name),
                None => (&mut view.settings, name),
            };
            settings.push(Setting {
                name: name.to_owned(),
                value: value.to_owned(),
            });
        }
    }
    Ok(())
}

/// The name as it is written by [`write`]; none for a name of nothing.
fn known(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    if NAMES.contains(&lower.as_str()) {
        return Some(lower);
    }
    if let Some(setting) = lower.strip_prefix("b.").and_then(names::find) {
        return Some(format!("b.{}", setting.name));
    }
    names::find(name).map(|setting| setting.name.to_owned())
}

/// What the name of nothing may have been meant to be; not asked again and again for a text that is no link.
fn guess(name: &str, read: &Link) -> Option<String> {
    let all = names::ALL.iter().flat_map(|s| [Some(s.name), s.alias]);
    let all = all.flatten().chain(NAMES.iter().copied());
    let few = read.mistakes.len() < 3;
    few.then(|| nearest(name, all)).flatten().map(str::to_owned)
}

/// The tag itself, when it is of a language that a link can ask for.
pub fn language(tag: &str) -> Option<&str> {
    let base = tag.split(['-', '_']).next().unwrap_or_default();
    let known = LANGUAGES.iter().any(|tag| tag.eq_ignore_ascii_case(base));
    known.then_some(tag)
}

/// `530` and `530ms` are before the first event of that millisecond, `530.2` is after its second.
pub fn playhead(value: &str) -> Option<Playhead> {
    if value == "end" {
        return Some(Playhead::End);
    }
    let (at, position) = match value.split_once('.') {
        Some((at, position)) if position.parse::<u32>().is_ok() => (at, position.parse().ok()?),
        _ => (value, 0),
    };
    let at = time::read(at).filter(|at| *at <= time::LONGEST)?;
    Some(Playhead::At(at.0, position))
}

/// The query of a view, with its question mark.
pub fn write(view: &View) -> String {
    let mut out = String::from("?");
    let mut add = |name: &str, value: &str| {
        query::encode(&mut out, name);
        out.push('=');
        query::encode(&mut out, value);
        out.push('&');
    };
    match &view.content {
        Content::Library(id) => add("scenario", id),
        Content::Recording(id) => add("recording", id),
        Content::Script(text) => add("script", &script::shorten(text)),
    }
    for setting in &view.settings {
        add(&setting.name, &setting.value);
    }
    match view.against.as_deref() {
        None => {}
        Some([]) => add("b", "a"),
        Some(settings) => {
            for setting in settings {
                add(&format!("b.{}", setting.name), &setting.value);
            }
        }
    }
    match view.playhead {
        None => {}
        Some(Playhead::End) => add("at", "end"),
        Some(Playhead::At(at, 0)) => add("at", &at.to_string()),
        Some(Playhead::At(at, position)) => add("at", &format!("{at}.{position}")),
    }
    match view.record {
        None => {}
        Some(None) => add("record", "none"),
        Some(Some(record)) => add("record", &record.to_string()),
    }
    if !view.open.is_empty() {
        let open: Vec<String> = view.open.iter().map(u64::to_string).collect();
        add("open", &open.join(","));
    }
    if view.messages {
        add("view", "messages");
    }
    if let Some(tag) = &view.language {
        add("lang", tag);
    }
    out.push_str("v=1");
    out
}
