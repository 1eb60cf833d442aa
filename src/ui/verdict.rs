//! The verdict, record by record: separate facts, never one "success".

use super::html::Html;
use super::icons;
use super::state::State;
use crate::say;
use crate::session::model::{Millis, Outcome, RecordVerdict, Since};
use crate::text::Text;
use crate::text::arg::millis;

/// The rows.
pub fn rows(state: &State, html: &mut Html) {
    let records = &state.session.ran().verdict.records;
    for record in records.iter().take(state.rows) {
        row(
            &state.text,
            record,
            state.session.selected() == Some(record.record),
            html,
        );
    }
}

/// A button for more of them.
pub fn more(state: &State, html: &mut Html) {
    let left = state
        .session
        .ran()
        .verdict
        .records
        .len()
        .saturating_sub(state.rows);
    if left > 0 {
        html.raw("<button type=\"button\" class=\"btn\" data-do=\"more-rows\">");
        html.text(&say!(&state.text, VerdictMore, n = left))
            .raw("</button>");
    }
}

fn row(text: &Text, record: &RecordVerdict, selected: bool, html: &mut Html) {
    let number = record.record.to_string();
    html.raw("<tr").attr("data-record", &number);
    html.raw(if selected { " class=\"sel\">" } else { ">" });
    html.raw("<th scope=\"row\"><button type=\"button\"")
        .act("select", &number);
    html.attr("id", &format!("record-{number}"))
        .attr("aria-pressed", &selected.to_string());
    html.raw(">m")
        .text(&number)
        .raw("</button></th><td>")
        .text(&millis(record.sent.at))
        .raw("</td><td>");
    appended(text, record, html);
    html.raw("</td><td>");
    told(text, record, html);
    html.raw("</td><td>");
    since(text, record.committed, html);
    html.raw("</td><td>");
    match record.visible {
        Some(_) => since(text, record.visible, html),
        None => no(&say!(text, CellNever), html),
    }
    html.raw("</td><td>");
    match record.lost {
        Some(lost) => {
            html.raw(icons::LOST)
                .element("span class=\"bad\"", &say!(text, CellLost))
                .raw(" ");
            html.element("small", &millis(lost.at));
        }
        None => no(&say!(text, CellNo), html),
    }
    html.raw("</td><td>");
    flag(text, record.duplicated, "span class=\"dup\"", html);
    html.raw("</td><td>");
    flag(text, record.unknown, "span class=\"unk\"", html);
    html.raw("</td></tr>");
}

fn no(word: &str, html: &mut Html) {
    html.element("span class=\"no\"", word);
}

fn flag(text: &Text, is_so: bool, open: &'static str, html: &mut Html) {
    if is_so {
        html.element(open, &say!(text, CellYes));
    } else {
        no(&say!(text, CellNo), html);
    }
}

fn since(text: &Text, fact: Option<Since>, html: &mut Html) {
    match fact {
        Some(since) => {
            html.text(&say!(text, CellYes))
                .raw(" ")
                .element("small", &millis(since.at));
        }
        None => no(&say!(text, CellNo), html),
    }
}

fn appended(text: &Text, record: &RecordVerdict, html: &mut Html) {
    if record.appended.is_empty() {
        no(&say!(text, CellNo), html);
    }
    for fact in &record.appended {
        html.raw("<div>")
            .text(&say!(text, CellPlace, offset = fact.offset))
            .raw(" ");
        html.element("small", &say!(text, CellEpoch, epoch = fact.epoch))
            .raw("</div>");
    }
}

/// What the producer was told, with how long it waited.
fn told(text: &Text, record: &RecordVerdict, html: &mut Html) {
    let after = |at: Millis| say!(text, CellAfter, wait = at.since(record.sent.at));
    if let Some(ok) = record.acknowledged {
        html.raw(icons::OK)
            .text(&say!(text, CellOk))
            .raw(" ")
            .element("small", &after(ok.at));
        return;
    }
    if let Some((error, since)) = record.refused {
        if error.excludes_append() {
            html.raw(icons::REFUSED)
                .element("span class=\"ref\" translate=\"no\"", error.name());
        } else {
            html.raw(icons::UNKNOWN)
                .element("span class=\"unk\" translate=\"no\"", error.name());
        }
        html.raw(" ").element("small", &after(since.at));
        return;
    }
    match record.last_outcome {
        Some((Outcome::NoAnswerExpected, _)) => no(&say!(text, CellNoPromise), html),
        Some((outcome, since)) => {
            html.raw(icons::UNKNOWN)
                .element("span class=\"unk\"", &outcome_words(text, outcome));
            html.raw(" ").element("small", &after(since.at));
        }
        None => {
            html.raw(icons::UNKNOWN)
                .element("span class=\"unk\"", &say!(text, CellWaiting));
        }
    }
}

fn outcome_words(text: &Text, outcome: Outcome) -> String {
    match outcome {
        Outcome::Ok(_) => say!(text, CellOk),
        Outcome::Refused(error) => error.name().to_owned(),
        Outcome::NoAnswer => say!(text, MarkNoAnswer),
        Outcome::NoAnswerExpected => say!(text, CellNoPromise),
        Outcome::ConnectionClosed => say!(text, CellClosed),
        Outcome::ResponseLost => say!(text, CellAnswerLost),
        Outcome::LeaderDown => say!(text, CellLeaderDown),
        Outcome::NoLeader => say!(text, CellNoLeader),
    }
}
