//! A and B: the settings of B, where the two runs part, and what stands over the pictures.

use super::html::Html;
use super::settings;
use super::side::narrated;
use super::state::State;
use crate::say;
use crate::session::beside::{Beside, reason};
use crate::session::model::{Difference, Kind};
use crate::text::difference::sentence;
use crate::text::headline::headline;

/// The toggles of B.
pub fn toggles(state: &State, html: &mut Html) {
    let Some(beside) = state.session.beside() else {
        return;
    };
    html.raw("<form").attr("class", settings::class(state));
    html.attr("aria-label", &say!(&state.text, SettingsOf, run = "B"));
    html.raw("><b class=\"letter\">B</b>");
    settings::toggles_of(state, Some(beside), html);
    html.raw("</form>");
}

/// The letter of A, while there is a B.
pub fn letter(state: &State, html: &mut Html) {
    if state.session.beside().is_some() {
        html.raw("<b class=\"letter\">A</b>");
    }
}

/// B's answer beside A's.
pub fn answer(state: &State, html: &mut Html) {
    let shown = state.session.until().is_none();
    let Some(beside) = state.session.beside().filter(|_| shown) else {
        return;
    };
    html.raw("<div><p class=\"ans\">");
    super::side::answer_of(state, &beside.ran.verdict, html);
    let said = headline(&state.text, &beside.ran.verdict);
    html.raw("</p>")
        .element("p class=\"why\"", &said.line)
        .raw("</div>");
}

/// The first difference, and what can be done with A and B.
pub fn difference(state: &State, html: &mut Html) {
    let (session, text) = (&state.session, &*state.text);
    let Some(beside) = session.beside() else {
        return;
    };
    html.raw("<div class=\"difference\"><p tabindex=\"-1\" id=\"difference\">");
    match beside.comparison.first() {
        Some(first) => {
            let at = first.at();
            html.element("b class=\"bad\"", &say!(text, FirstDifferenceAt, time = at));
            html.raw(" ")
                .text(&sentence(text, first, &session.ran().run));
            html.raw("</p>");
            reasons(state, beside, first, html);
        }
        None => {
            let n = beside.comparison.differences.len();
            html.text(&match n {
                0 => say!(text, NoDifference),
                _ => say!(text, NoDifferenceTiming, n = n),
            });
            html.raw("</p>");
        }
    }
    html.raw("<div class=\"tools\">");
    let outcomes = beside.comparison.differences.iter();
    let outcomes = outcomes.filter(|d| d.kind == Kind::Outcome).count();
    let buttons = [
        ("first-difference", say!(text, GoToIt), outcomes > 0),
        ("next-difference", say!(text, NextDifference), outcomes > 1),
        ("copy-b", say!(text, CopyToB), true),
        ("copy-a", say!(text, CopyToA), true),
        ("swap", say!(text, Swap), true),
        ("close-b", say!(text, CloseB), true),
    ];
    for (act, words, _) in buttons.iter().filter(|(_, _, shown)| *shown) {
        html.raw("<button type=\"button\" class=\"btn\"")
            .attr("data-do", act)
            .attr("id", act)
            .raw(">");
        html.text(words).raw("</button>");
    }
    html.raw("</div></div>");
}

/// Why it came so in each run.
fn reasons(state: &State, beside: &Beside, difference: &Difference, html: &mut Html) {
    let runs = [
        ("A", &difference.a, state.session.ran()),
        ("B", &difference.b, &beside.ran),
    ];
    for (run, moment, ran) in runs {
        if let Some(event) = reason(ran, difference.subject, moment.as_ref()) {
            html.raw("<p class=\"quiet\">");
            html.text(&say!(
                &state.text,
                InRun,
                run = run,
                text = narrated(state, ran, event)
            ));
            html.raw("</p>");
        }
    }
}

/// Over each picture its run and the settings that are its own.
pub fn which(state: &State, html: &mut Html) {
    let session = &state.session;
    let Some(beside) = session.beside() else {
        return;
    };
    let widths = state.halves().map(|view| view.width);
    let changed = beside.changed(&session.scenario().settings);
    for (place, (run, width)) in ["A", "B"].into_iter().zip(widths).enumerate() {
        html.raw("<p").attr("style", &format!("width:{width}px"));
        html.raw(">").element("b", run).raw(" ");
        for (name, a, b) in &changed {
            let value = if place == 0 { a } else { b };
            html.element("code translate=\"no\"", &format!("{name}={value}"));
            html.raw(" ");
        }
        if changed.is_empty() {
            html.text(&say!(&state.text, SameSettings));
        }
        html.raw("</p>");
    }
}

/// The heading of a verdict: while there are two it is that run's answer.
pub fn verdict_title(state: &State, html: &mut Html) {
    let shown = state.session.until().is_none();
    match state.session.beside().filter(|_| shown) {
        None => html.text(&say!(&state.text, Verdict)),
        Some(_) => html.text(&named(state, "A")),
    };
}

/// The heading of B's.
pub fn verdict_title_b(state: &State, html: &mut Html) {
    let shown = state.session.until().is_none();
    if state.session.beside().is_some_and(|_| shown) {
        html.text(&named(state, "B"));
    }
}

/// A run's answer after its letter.
pub fn named(state: &State, run: &str) -> String {
    let ran = match state.session.beside() {
        Some(beside) if run == "B" => &beside.ran,
        _ => state.session.ran(),
    };
    let said = headline(&state.text, &ran.verdict);
    say!(&state.text, InRun, run = run, text = said.title)
}
