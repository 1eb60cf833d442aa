//! Scripts as files and as pasted text, links as pasted text.

use super::address::Linked;
use super::lab::Lab;
use super::page::name;
use crate::browser::dom::{self, Element, Happening};
use crate::browser::file::{self, Given};
use crate::say;
use crate::session::Command;
use crate::session::model::{MAX_BYTES, parse};
use crate::session::state::Refusal;
use crate::text::mistake::mistake;

/// Hands out the script as a file that is named after its title.
pub fn save(lab: Lab) {
    let (title, text) = lab.peek(|state| (name(state), state.session.text().to_string()));
    let title: String = title
        .chars()
        .map(|c| match c.is_ascii() && !c.is_ascii_alphanumeric() {
            true => '-',
            false => c,
        })
        .collect();
    file::save(&format!("{title}.hw"), &text);
}

/// Opens the file that was chosen or dropped.
pub fn open(lab: Lab, given: &Given) {
    let name = given.name();
    given.read(MAX_BYTES, move |bytes| {
        let size = bytes.len();
        match String::from_utf8(bytes) {
            _ if size > MAX_BYTES => {
                refuse(lab, |text| {
                    say!(text, FileTooLong, name = name, max = MAX_BYTES)
                });
            }
            Ok(content) => take(lab, &name, content, false),
            Err(error) => {
                let place = error.utf8_error().valid_up_to() + 1;
                refuse(lab, |text| {
                    say!(text, FileNotText, name = name, place = place)
                });
            }
        }
    });
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
        lab.send(Command::OpenLink(link.to_owned()));
        super::address::fetch_wanted(lab);
    } else {
        let name = lab.peek(|state| say!(&state.text, Pasted));
        take(lab, &name, pasted, true);
    }
}

/// Opens a text by what it is.
fn take(lab: Lab, name: &str, content: String, only_good: bool) {
    let begin = content.trim_start();
    if begin.starts_with("highwater recording") {
        let id = name.strip_suffix(".txt").unwrap_or(name).to_owned();
        lab.send(Command::LoadTrace { id, file: content });
        let reason = lab.peek(|state| match state.session.refusal() {
            Some(Refusal::Recording(reason)) => Some(reason.clone()),
            _ => None,
        });
        if let Some(reason) = reason {
            refuse(lab, |text| {
                say!(text, ReasonAndText, text = name, reason = reason)
            });
        }
    } else if begin.starts_with(['{', '[']) {
        refuse(lab, |text| say!(text, FileJson, name = name));
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
