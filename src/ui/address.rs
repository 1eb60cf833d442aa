//! The address bar follows the view; links to hand on.

use std::cell::Cell;

use leptos::task::spawn_local;

use super::behind;
use super::lab::Lab;
use crate::browser::{address, clipboard, dom};
use crate::session::Command;
use crate::session::link::LONGEST;
use crate::view::address::{Linked, query, summary};
use crate::view::regions::{Aspect, Place, stamp};

/// Milliseconds between two writings: browsers refuse to be told too often.
const PAUSE: u32 = 350;

thread_local! {
    /// The run and the language that the title tells.
    static TITLE: Cell<u64> = const { Cell::new(0) };
    /// The view that the address stands for, or will once it is written.
    static VIEW: Cell<u64> = const { Cell::new(0) };
    /// Whether a writing is due.
    static DUE: Cell<bool> = const { Cell::new(false) };
    /// The edits that the present entry of the history stands for.
    static EDITS: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// The address and the title follow the view: to be called after every change.
pub fn watch(lab: Lab) {
    const OF: &[Aspect] = &[
        Aspect::Run,
        Aspect::Script,
        Aspect::Playhead,
        Aspect::Selected,
        Aspect::Shows,
        Aspect::Playing,
    ];
    let (run, view) = lab.peek(|state| {
        let pauses = state.session.unfolded().iter();
        let open = pauses.fold(0_u64, |sum, at| sum.rotate_left(7) ^ at.0.wrapping_add(1));
        (
            stamp(&[Aspect::Run], state),
            stamp(OF, state) ^ open.rotate_left(32),
        )
    });
    if TITLE.replace(run) != run {
        let tell = move || dom::set_title(&lab.peek(summary));
        behind::draw(("title", ""), Place::Behind, tell);
    }
    // The address of a widget is its author's.
    if lab.peek(|state| state.widget.is_some()) {
        return;
    }
    let before = VIEW.replace(view);
    // The address that opened the page stays until the reader does something.
    if before != view && before != 0 && !DUE.replace(true) {
        dom::after(PAUSE, move || write(lab));
    }
}

/// The view follows back and forward; the recording that the link of the page asks for is fetched.
pub fn hear(lab: Lab) {
    fetch_wanted(lab);
    if lab.peek(|state| state.widget.is_some()) {
        return;
    }
    address::hear(move || {
        lab.send(Command::OpenLink(address::query()));
        EDITS.set(lab.peek(|state| state.session.edits()));
        fetch_wanted(lab);
    });
}

/// The recording that a link asks for.
pub fn fetch_wanted(lab: Lab) {
    let wanted = lab.peek(|state| state.session.wanted_recording().map(str::to_owned));
    if let Some(id) = wanted {
        super::events::fetch(lab, id);
    }
}

fn write(lab: Lab) {
    DUE.set(false);
    if lab.peek(|state| state.session.playing() || state.session.wanted_recording().is_some()) {
        return;
    }
    let edits = lab.peek(|state| state.session.edits());
    let new = EDITS.replace(edits) != edits;
    let query = lab.peek(query);
    // What is too long for a link is not half in the address, and the reader is told what to keep instead.
    let length = address::base().len() + query.len();
    let fits = length <= LONGEST;
    address::write(if fits { &query } else { "" }, new);
    let told = lab.peek(|state| matches!(state.linked, Some(Linked::TooLong(_))));
    if !fits || told {
        let linked = (!fits).then_some(Linked::TooLong(length));
        lab.change(|state| state.linked = linked);
    }
}

/// Copies the link, or hands it to the share sheet.
pub fn hand_on(lab: Lab, share: bool) {
    let link = address::base() + &lab.peek(query);
    let linked = |how| lab.change(|state| state.linked = Some(how));
    if link.len() > LONGEST {
        linked(Linked::TooLong(link.len()));
    } else if share {
        address::share(&lab.peek(summary), &link);
    } else {
        copy(lab, link);
    }
}

fn copy(lab: Lab, link: String) {
    spawn_local(async move {
        let how = match clipboard::write(&link).await {
            true => Linked::Copied,
            false => Linked::Refused,
        };
        lab.change(|state| state.linked = Some(how));
    });
}

/// The dialog that makes a snippet for other pages, which is a file of its own, asks for this view.
pub fn offer(lab: Lab) {
    dom::set("embed-button", "data-query", Some(&lab.peek(query)));
}

/// Copies the link that could not be read.
pub fn copy_original(lab: Lab) {
    let original = lab.peek(|state| state.session.opened().map(|opened| opened.original.clone()));
    copy(lab, address::base() + &original.unwrap_or_default());
}
