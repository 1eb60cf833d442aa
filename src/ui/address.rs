//! The address bar follows the view; what is wrong with a link that was opened; links to hand on.

use std::cell::Cell;

use leptos::task::spawn_local;

use super::html::Html;
use super::lab::Lab;
use super::page::name;
use super::regions::{Aspect, stamp};
use super::state::State;
use crate::browser::{address, clipboard, dom};
use crate::say;
use crate::session::link::{LONGEST, Mistake};
use crate::session::{Command, library};
use crate::text::headline::headline;
use crate::text::mistake::expected;

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

/// What came of a link that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linked {
    /// It is on the clipboard.
    Copied,
    /// The browser did not allow it.
    Refused,
    /// It has so many characters.
    TooLong(usize),
    /// Something else could not be opened, for that reason.
    Said(String),
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
        dom::set_title(&lab.peek(summary));
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

/// The query of the view, with its question mark.
pub fn query(state: &State) -> String {
    state.session.link(Some(state.text.locale().tag()))
}

/// A short human summary of what is on the page.
fn summary(state: &State) -> String {
    if state.widget.is_some() {
        return format!("{} · Highwater", name(state));
    }
    let answer = headline(&state.text, &state.session.ran().verdict).title;
    format!("{answer} · {} · Highwater", name(state))
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

/// The buttons.
pub fn buttons(state: &State, html: &mut Html) {
    let text = &*state.text;
    html.raw("<button type=\"button\" class=\"link tall\" id=\"copy-link\" data-do=\"link\" aria-live=\"polite\">");
    html.text(&match state.linked {
        Some(Linked::Copied) => say!(text, Copied),
        Some(Linked::Refused) => say!(text, CopyFailed),
        _ => say!(text, CopyLink),
    });
    html.raw("</button><button type=\"button\" class=\"link tall\" id=\"embed-button\" data-do=\"embed\" aria-haspopup=\"dialog\">")
        .text(&say!(text, Embed))
        .raw("</button>");
    if address::can_share() {
        html.raw(
            "<button type=\"button\" class=\"link tall\" id=\"share-link\" data-do=\"share\">",
        )
        .text(&say!(text, ShareLink))
        .raw("</button>");
    }
}

/// What is wrong with the link that was opened or asked for.
pub fn notes(state: &State, html: &mut Html) {
    let text = &*state.text;
    let told = match &state.linked {
        Some(Linked::TooLong(n)) => say!(text, LinkTooLong, n = *n, max = LONGEST),
        Some(Linked::Said(sentence)) => sentence.clone(),
        _ => String::new(),
    };
    if !told.is_empty() {
        html.raw("<div class=\"errors\" role=\"alert\">")
            .element("p", &told);
        if matches!(state.linked, Some(Linked::TooLong(_))) {
            html.raw("<button type=\"button\" class=\"btn\" data-do=\"save\">")
                .text(&say!(text, SaveScript))
                .raw("</button>");
        }
        html.raw("</div>");
    }
    let Some(opened) = state.session.opened() else {
        return;
    };
    if opened.mistakes.is_empty() {
        return;
    }
    html.raw("<section class=\"errors\" role=\"alert\" id=\"link-mistakes\">")
        .element("p", &say!(text, LinkWrong))
        .raw("<ul>");
    for mistake in opened.mistakes.iter().take(MOST) {
        html.raw("<li>").text(&sentence(state, mistake));
        let instead = mistake.instead.as_deref();
        if let Some(entry) = instead.and_then(library::find) {
            html.raw(" <button type=\"button\" class=\"link tall\"")
                .act("load", entry.id)
                .raw(">")
                .text(&text.fill(entry.name, &[]))
                .raw("</button>");
        } else if let Some(word) = instead {
            let word = format!("`{word}`");
            html.raw(" ").text(&say!(text, ScriptInstead, word = word));
        }
        html.raw("</li>");
    }
    html.raw("</ul>")
        .element("pre translate=\"no\"", &opened.original);
    html.raw("<button type=\"button\" class=\"btn\" data-do=\"copy-original\">")
        .text(&say!(text, CopyLink));
    html.raw("</button> <button type=\"button\" class=\"btn plain\" data-do=\"close-link\">")
        .text(&say!(text, Close))
        .raw("</button></section>");
}

/// Most mistakes that are listed.
const MOST: usize = 8;

fn sentence(state: &State, mistake: &Mistake) -> String {
    let text = &*state.text;
    let part = format!("`{}`", mistake.part);
    let found = format!("`{}`", mistake.found);
    let place = mistake.place;
    match mistake.part.as_str() {
        "v" if mistake.found.is_empty() => say!(text, LinkEnds),
        "v" | "lesson" | "step" => say!(text, LinkNewer, part = part, place = place, found = found),
        _ => {
            let expected = expected(text, &mistake.expected);
            say!(
                text,
                LinkMistake,
                part = part,
                place = place,
                found = found,
                expected = expected
            )
        }
    }
}
