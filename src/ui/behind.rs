//! What a reader sees first: the regions in the window are brought up to date at once, the others when the page is idle
//! again, or as soon as they come into the window. Nobody sees an old one; who follows quickly waits for less.

use std::cell::{Cell, RefCell};

use super::lab::Lab;
use crate::browser::{dom, frame, sight};
use crate::view::regions::{ATTRIBUTES, Place, REGIONS};

/// So long the waiting regions are drawn before the page is given back, in ms.
const SLICE: f64 = 8.0;

/// After so many milliseconds without a new picture all of it is drawn (`view/near.rs`).
const QUIET: u32 = 120;

/// What a reader does who can come upon something outside the window: goes there with the keyboard, marks or copies text,
/// prints, or leaves the page for the browser's search.
const ASKING: [&str; 7] = [
    "focusin",
    "selectstart",
    "copy",
    "contextmenu",
    "beforeprint",
    "blur",
    "pagehide",
];

type Act = Box<dyn FnOnce()>;

/// Something that waits.
struct Waits {
    /// Which element and which attribute of it, or the empty name for its content.
    what: (&'static str, &'static str),
    place: Place,
    act: Act,
}

thread_local! {
    /// The places that are not in the window.
    static AWAY: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static WAITING: RefCell<Vec<Waits>> = const { RefCell::new(Vec::new()) };
    static ASKED: Cell<bool> = const { Cell::new(false) };
    /// Counts the pictures.
    static PICTURES: Cell<u64> = const { Cell::new(0) };
}

/// Follows which places are in the window, and who asks for more than it shows.
pub fn watch(lab: Lab) {
    for name in ASKING {
        dom::hear_window(name, move || {
            // A press that brings the focus must find under it what it went down on.
            if name != "focusin" {
                lab.see_all();
            }
            all();
        });
    }
    // It is told before the frame that shows another place.
    dom::hear_window("scroll", all);
    sight::watch(&places(), |id, seen| {
        AWAY.with_borrow_mut(|away| {
            away.retain(|own| own != id);
            if !seen {
                away.push(id.to_owned());
            }
        });
        if seen {
            while let Some(act) = take(|waits| waits.place.watched() == Some(id)) {
                act();
            }
        }
    });
}

/// Everything was written anew: until it is known where it stands, all of it is brought up to date at once.
pub fn again() {
    AWAY.with_borrow_mut(Vec::clear);
    sight::again(&places());
}

fn places() -> Vec<&'static str> {
    let regions = REGIONS.iter().map(|region| region.place);
    let places = regions.chain(ATTRIBUTES.iter().map(|attribute| attribute.place));
    let mut ids: Vec<&'static str> = Vec::new();
    for id in places.filter_map(Place::watched) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// Brings up to date what stands in that place: now, or later when nobody can see it.
pub fn draw(what: (&'static str, &'static str), place: Place, act: impl FnOnce() + 'static) {
    let waits = match place {
        Place::Here => false,
        Place::Behind => true,
        Place::At(id) => AWAY.with_borrow(|away| away.iter().any(|own| own == id)),
    };
    // An older one of the same is done with.
    drop(take(|waits| waits.what == what));
    if !waits {
        act();
        return;
    }
    let act = Box::new(act);
    WAITING.with_borrow_mut(|waiting| waiting.push(Waits { what, place, act }));
    go_on();
}

/// Brings all of it up to date.
fn all() {
    while let Some(act) = take(|_| true) {
        act();
    }
}

fn take(is_it: impl Fn(&Waits) -> bool) -> Option<Act> {
    WAITING.with_borrow_mut(|waiting| {
        let place = waiting.iter().position(is_it)?;
        Some(waiting.remove(place).act)
    })
}

fn go_on() {
    if WAITING.with_borrow(Vec::is_empty) || ASKED.replace(true) {
        return;
    }
    sight::when_idle(|| {
        ASKED.set(false);
        let began = frame::now();
        while frame::now() - began < SLICE {
            let Some(act) = take(|_| true) else { break };
            act();
        }
        go_on();
    });
}

/// There is a new picture, of which only what is in the window is drawn: the rest when the reader rests.
pub fn complete(lab: Lab) {
    let count = PICTURES.get().wrapping_add(1);
    PICTURES.set(count);
    dom::after(QUIET, move || {
        if PICTURES.get() == count {
            sight::when_idle(move || {
                if PICTURES.get() == count {
                    lab.see_all();
                }
            });
        }
    });
}
