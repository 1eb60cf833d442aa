//! The plain answer, the proof in numbered moments, why the present event happened, and everything in words.

use super::html::Html;
use super::state::State;
use crate::say;
use crate::session::Ran;
use crate::session::model::{Event, Verdict};
use crate::text::arg::{millis, record_range};
use crate::text::because::Narrator;
use crate::text::headline::{Worst, headline};
use crate::text::waits;

/// The answer.
pub fn answer(state: &State, html: &mut Html) {
    answer_of(state, &state.session.ran().verdict, html);
}

/// The answer to one of the runs.
pub fn answer_of(state: &State, verdict: &Verdict, html: &mut Html) {
    if state.session.until().is_some() {
        return;
    }
    let said = headline(&state.text, verdict);
    let open = match said.worst {
        Worst::Lost => "span class=\"bad\"",
        Worst::Safe => "span class=\"good\"",
        _ => "span",
    };
    html.element(open, &said.title);
}

/// The sentences under it.
pub fn why(state: &State, html: &mut Html) {
    if state.session.until().is_some() {
        return;
    }
    let said = headline(&state.text, &state.session.ran().verdict);
    html.text(&said.line);
    for also in &said.also {
        html.raw(" ").text(also);
    }
}

/// What happened at the playhead; with its reason or without.
pub fn event_words(state: &State, with_reason: bool) -> String {
    let session = &state.session;
    let at = session.playhead();
    let a = session.ran();
    // Of two runs the one in which something happened last.
    let b = session
        .beside()
        .filter(|b| b.ran.moments.at(at) > a.moments.at(at));
    let (ran, run) = b.map_or((a, "A"), |b| (&b.ran, "B"));
    let narrator = Narrator::new(&state.text, &ran.run);
    let words = match ran.event_at(at) {
        Some(event) if with_reason => narrator.because(event).text,
        Some(event) => narrator.caption(event),
        None => return say!(&state.text, NothingYet),
    };
    match session.beside() {
        Some(_) => say!(&state.text, InRun, run = run, text = words),
        None => words,
    }
}

/// Why an event of a run happened, in a sentence.
pub fn narrated(state: &State, ran: &Ran, event: &Event) -> String {
    Narrator::new(&state.text, &ran.run).because(event).text
}

/// The chain of the verdict: each moment is a link to its instant.
pub fn chain(state: &State, html: &mut Html) {
    let ran = state.session.ran();
    if ran.verdict.chain.is_empty() || state.session.until().is_some() {
        return;
    }
    let narrator = Narrator::new(&state.text, &ran.run);
    html.element("h2 class=\"h\"", &say!(&state.text, Chain))
        .raw("<ol class=\"chain\">");
    let events = ran.verdict.chain.iter().filter_map(|id| ran.event(*id));
    for (place, event) in events.enumerate() {
        html.raw("<li><button type=\"button\"")
            .act("seek", &event.id.to_string())
            .raw(">");
        html.element("span class=\"number\"", &(place + 1).to_string());
        html.raw("<span>")
            .element("time", &millis(event.at))
            .text(&narrator.caption(event));
        html.raw("</span></button></li>");
    }
    html.raw("</ol>");
}

/// Why the event at the playhead happened, with the rule's source and the numbers it looked at.
pub fn because(state: &State, html: &mut Html) {
    let (session, text) = (&state.session, &*state.text);
    let at = session.playhead().at;
    html.element("h2 class=\"h\"", &say!(text, BecauseAt, time = at));
    let narrator = Narrator::new(text, &session.ran().run);
    let Some(event) = session.event() else {
        html.element("p", &say!(text, NothingYet));
        return;
    };
    let said = narrator.because(event);
    html.element("p", &said.text);
    if !said.links.is_empty() {
        html.raw("<ul class=\"sources\">");
        for link in &said.links {
            html.raw("<li><a rel=\"noopener noreferrer\" target=\"_blank\" translate=\"no\"")
                .attr("href", &link.url);
            html.raw(">").text(&link.label).raw("</a></li>");
        }
        html.raw("</ul>");
    }
    numbers(&narrator, event, html);
    let other = session.beside().map(|b| &b.ran);
    if let Some((ran, event)) = other.and_then(|ran| Some((ran, ran.event_at(session.playhead())?)))
    {
        let words = narrated(state, ran, event);
        html.element(
            "p class=\"other\"",
            &say!(text, InRun, run = "B", text = words),
        );
    }
}

/// What the selected record still waits for at the playhead.
pub fn why_not(state: &State, html: &mut Html) {
    let (session, text) = (&state.session, &*state.text);
    let ran = session.ran();
    let chosen = session.selected();
    let mut records = ran.verdict.records.iter();
    let Some(record) = records.find(|record| Some(record.record) == chosen) else {
        return;
    };
    let name = record_range(record.record, 1);
    html.element("h2 class=\"h\"", &say!(text, WhyNotOf, record = name));
    for line in waits::why_not(text, &ran.run, record, session.playhead()) {
        html.element("p", &line);
    }
}

fn numbers(narrator: &Narrator<'_>, event: &Event, html: &mut Html) {
    let numbers = narrator.numbers(&event.cause);
    if numbers.is_empty() {
        return;
    }
    html.raw("<dl class=\"numbers\">");
    for number in &numbers {
        html.element("dt", &number.label).raw("<dd>");
        match number.set_by {
            Some(id) => {
                html.raw("<button type=\"button\" class=\"link\"")
                    .act("seek", &id.to_string());
                html.raw(">").text(&number.value).raw("</button>");
            }
            None => {
                html.text(&number.value);
            }
        }
        html.raw("</dd>");
    }
    html.raw("</dl>");
}

/// Everything that the picture shows, as text: one line an event, each a way to its instant.
pub fn transcript(state: &State, html: &mut Html) {
    if !state.transcript {
        return;
    }
    let (session, text) = (&state.session, &*state.text);
    let ran = session.ran();
    let here = session.event_id();
    let narrator = Narrator::new(text, &ran.run);
    html.raw("<p class=\"pages\"><button type=\"button\" class=\"link\" aria-live=\"polite\" data-do=\"copy-transcript\">");
    html.text(&match state.transcribed {
        None => say!(text, CopyTranscript),
        Some(true) => say!(text, Copied),
        Some(false) => say!(text, CopyFailed),
    });
    html.raw("</button></p><ol class=\"lines\">");
    let shown = ran.moments.iter().take(state.lines);
    for event in shown.filter_map(|(_, id)| ran.event(id)) {
        html.raw(if here == Some(event.id) {
            "<li class=\"here\">"
        } else {
            "<li>"
        });
        html.raw("<button type=\"button\" class=\"link\"")
            .act("seek", &event.id.to_string());
        html.attr("id", &format!("line-{}", event.id));
        html.raw(">").text(&millis(event.at)).raw("</button>");
        html.element("span", &narrator.because(event).text)
            .raw("</li>");
    }
    html.raw("</ol>");
    let left = ran.moments.len().saturating_sub(state.lines);
    if left > 0 {
        html.raw("<button type=\"button\" class=\"btn\" data-do=\"more-lines\">");
        html.text(&say!(text, TranscriptMore, n = left))
            .raw("</button>");
    }
}
