//! Files and pasted text: scripts, links, recordings, pictures; the script and the picture as files.

use leptos::task::spawn_local;

use super::address;
use super::lab::Lab;
use crate::browser::dom::{self, Element, Happening};
use crate::browser::file::{self, Given};
use crate::browser::{address as bar, later};
use crate::say;
use crate::session::Command;
use crate::session::model::{MAX_BYTES, parse};
use crate::session::state::Refusal;
use crate::text::mistake::mistake;
use crate::view::address::{Linked, query};
use crate::view::page::name;
use crate::view::state::State;

/// A file's name after the title of what is open.
fn named(state: &State, ending: &str) -> String {
    let title = name(state);
    let plain = title
        .chars()
        .map(|c| match c.is_ascii() && !c.is_ascii_alphanumeric() {
            true => '-',
            false => c,
        });
    format!("{}.{ending}", plain.collect::<String>())
}

/// Hands out the script as a file.
pub fn save(lab: Lab) {
    let (name, text) = lab.peek(|state| (named(state, "hw"), state.session.text().to_string()));
    file::save(&name, text.as_bytes(), "text/plain");
}

/// Hands out the picture of what is open as a file, `svg` or `png`.
pub fn picture(lab: Lab, kind: &str) {
    let kind = kind.to_owned();
    let (tag, name, link, theme) = lab.peek(|state| {
        let link = query(state);
        (
            state.text.locale().tag(),
            named(state, &kind),
            link,
            state.theme,
        )
    });
    spawn_local(async move {
        let words = [tag, &kind, &name, &link, &bar::base(), theme];
        if let Err(reason) = later::ask("picture", &words, None).await {
            refuse(lab, |text| say!(text, PictureFailed, reason = reason));
        }
    });
}

/// The longest file that is looked at: a picture may be longer than any script.
const LONGEST: usize = 8_000_000;

/// Opens the file that was chosen or dropped.
pub fn open(lab: Lab, given: &Given) {
    let name = given.name();
    given.read(LONGEST, move |bytes| {
        let text = core::str::from_utf8(&bytes).unwrap_or("<");
        let plain = text.trim_start_matches('\u{feff}').trim_start();
        if plain.starts_with(['{', '<']) {
            read(lab, name, bytes);
        } else if bytes.len() > MAX_BYTES {
            refuse(lab, |text| {
                say!(text, FileTooLong, name = name, max = MAX_BYTES)
            });
        } else {
            take(lab, &name, text.to_owned(), false);
        }
    });
}

/// Opens a file that is no plain script: the module that loads later says what it is.
fn read(lab: Lab, name: String, bytes: Vec<u8>) {
    spawn_local(async move {
        let tag = lab.peek(|state| state.text.locale().tag());
        let read = later::ask("read", &[tag, &name], Some(&bytes)).await;
        match read.as_deref() {
            Ok([kind, link]) if kind == "link" => open_link(lab, link.clone()),
            Ok([_, content]) => take(lab, &name, content.clone(), false),
            Ok(_) => {}
            Err(reason) => refuse(lab, |_| reason.clone()),
        }
    });
}

fn open_link(lab: Lab, link: String) {
    lab.send(Command::OpenLink(link));
    lab.change(|state| state.linked = None);
    address::fetch_wanted(lab);
}

/// What was pasted beside the fields: a link or a script; anything else is told and changes nothing.
pub fn paste(lab: Lab, event: &Happening) {
    let pasted = event.pasted();
    if event.is_field() || pasted.trim().is_empty() {
        return;
    }
    event.prevent_default();
    let link = pasted.trim();
    if !link.contains(['\n', ' ']) && link.contains('?') {
        open_link(lab, link.to_owned());
    } else {
        let name = lab.peek(|state| say!(&state.text, Pasted));
        take(lab, &name, pasted, true);
    }
}

/// Opens a text by what it is.
fn take(lab: Lab, name: &str, content: String, only_good: bool) {
    let begin = content.trim_start();
    if begin.starts_with("highwater recording") {
        // Nobody else has it under a name: a link to it is its script.
        let id = String::new();
        lab.send(Command::LoadTrace { id, file: content });
        let reason = lab.peek(|state| match state.session.refusal() {
            // The file has no id to be named by, only the name that is said before.
            Some(Refusal::Recording(reason)) => Some(reason.trim_start_matches(": ").to_owned()),
            _ => None,
        });
        match reason {
            Some(reason) => refuse(lab, |text| {
                say!(text, ReasonAndText, text = name, reason = reason)
            }),
            None => lab.change(|state| state.linked = None),
        }
    } else {
        let wrong = parse(&content).err().unwrap_or_default();
        if let Some(error) = wrong.first().filter(|_| only_good) {
            refuse(lab, |text| {
                say!(
                    text,
                    ReasonAndText,
                    text = name,
                    reason = mistake(text, error)
                )
            });
            return;
        }
        lab.send(Command::OpenText(content));
        lab.change(|state| {
            state.linked = None;
            state.script |= !wrong.is_empty();
        });
    }
}

fn refuse(lab: Lab, words: impl FnOnce(&crate::text::Text) -> String) {
    lab.change(|state| state.linked = Some(Linked::Said(words(&state.text))));
}

/// Files and scripts that are given by hand; a widget shows what its author chose.
pub fn hear(lab: Lab, root: &Element) {
    dom::hear(root, "paste", move |event| paste(lab, &event));
    dom::hear(root, "dragover", |event| {
        if event.drags_file() {
            event.prevent_default();
        }
    });
    dom::hear(root, "drop", move |event| {
        if let Some(given) = event.file() {
            event.prevent_default();
            open(lab, &given);
        }
    });
}
