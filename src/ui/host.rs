//! What a widget and the page around it tell each other: the height of the one, the wishes of the other.

use std::cell::{Cell, RefCell};

use super::lab::Lab;
use super::language;
use crate::browser::{dom, frame, host, resize};
use crate::session::widget::{Asked, Gate, LONGEST_MESSAGE, START, message};

thread_local! {
    static GATE: Cell<Gate> = Cell::default();
    /// The last message of a flood: it is read when the flood is over.
    static HELD: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The height that was told last.
    static HEIGHT: Cell<u32> = const { Cell::new(0) };
}

/// The widget is in the document: from now on both talk.
pub fn start(lab: Lab) {
    host::hear(LONGEST_MESSAGE as u32, move |text| heard(lab, text));
    resize::watch_height("app", tell_height);
}

/// Tells the height once the picture is drawn.
fn tell_height(height: u32) {
    if dom::is_filled("g-shapes") && HEIGHT.replace(height) != height {
        host::post(&format!("{START}height={height}"));
    }
}

fn heard(lab: Lab, text: String) {
    let mut gate = GATE.get();
    let passes = gate.lets_through(frame::now());
    GATE.set(gate);
    if passes {
        obey(lab, &text);
    } else if HELD.replace(Some(text)).is_none() {
        dom::after(Gate::STRETCH, move || {
            if let Some(text) = HELD.take() {
                obey(lab, &text);
            }
        });
    }
}

fn obey(lab: Lab, text: &str) {
    for asked in message(text).into_iter().flatten() {
        match asked {
            Asked::Theme(theme) => language::show_theme(theme),
            Asked::Language(tag) => language::choose(lab, &tag),
            other => {
                if let Some(command) = lab.peek(|state| state.session.wish(other)) {
                    lab.send(command);
                }
            }
        }
    }
}
