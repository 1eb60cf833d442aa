//! What the address says of the view; what is wrong with a link that was opened; links to hand on.

use super::html::Html;
use super::page::name;
use super::state::State;
use crate::say;
use crate::session::library;
use crate::session::link::{LONGEST, Mistake};
use crate::text::headline::headline;
use crate::text::mistake::expected;

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

/// The query of the view, with its question mark.
pub fn query(state: &State) -> String {
    state.session.link(Some(state.text.locale().tag()))
}

/// A short human summary of what is on the page.
pub fn summary(state: &State) -> String {
    if state.widget.is_some() {
        return format!("{} · Highwater", name(state));
    }
    let answer = headline(&state.text, &state.session.ran().verdict).title;
    format!("{answer} · {} · Highwater", name(state))
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
    if state.can_share {
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
