//! The verdict, record by record: separate facts, never one "success".

use super::html::Html;
use super::icons;
use super::state::State;
use crate::say;
use crate::session::model::{Millis, Outcome, RecordVerdict, Since, Verdict};
use crate::text::Text;
use crate::text::arg::millis;
use crate::text::difference::outcome_words;

/// The rows.
pub fn rows(state: &State, html: &mut Html) {
    let other = state.session.beside().map(|b| &b.ran.verdict);
    rows_of(state, "record", &state.session.ran().verdict, other, html);
}

/// Those of B.
pub fn rows_b(state: &State, html: &mut Html) {
    if let Some(beside) = state.session.beside() {
        let other = &state.session.ran().verdict;
        rows_of(state, "b-record", &beside.ran.verdict, Some(other), html);
    }
}

fn rows_of(state: &State, name: &str, of: &Verdict, other: Option<&Verdict>, html: &mut Html) {
    // A question hides what came of the records.
    let shown = match state.session.until() {
        Some(_) => 0,
        None => state.rows,
    };
    for (place, record) in of.records.iter().take(shown).enumerate() {
        let selected = state.session.selected() == Some(record.record);
        // One script sends the same records in the same order.
        let other = other.and_then(|other| other.records.get(place));
        row(&state.text, name, (record, other), selected, html);
    }
}

/// Which of the facts, in the order of the columns, are not those of the other run. When they came to be so is no
/// difference.
fn different(record: &RecordVerdict, other: Option<&RecordVerdict>) -> [bool; 7] {
    let Some(other) = other else {
        return Default::default();
    };
    let places = |of: &RecordVerdict| -> Vec<_> {
        let appended = of.appended.iter();
        appended.map(|fact| (fact.offset, fact.epoch)).collect()
    };
    let told = |of: &RecordVerdict| {
        let outcome = of.last_outcome.map(|(outcome, _)| match outcome {
            // The offset is told beside it.
            Outcome::Ok(_) => None,
            other => Some(other),
        });
        (of.acknowledged.is_some(), outcome)
    };
    let facts = |of: &RecordVerdict| {
        let since = [of.committed, of.visible, of.lost].map(|since| since.is_some());
        (since, of.duplicated, of.unknown)
    };
    let ([committed, visible, lost], duplicated, unknown) = facts(record);
    let ([committed_b, visible_b, lost_b], duplicated_b, unknown_b) = facts(other);
    [
        places(record) != places(other),
        told(record) != told(other),
        committed != committed_b,
        visible != visible_b,
        lost != lost_b,
        duplicated != duplicated_b,
        unknown != unknown_b,
    ]
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

fn row(
    text: &Text,
    name: &str,
    (record, other): (&RecordVerdict, Option<&RecordVerdict>),
    selected: bool,
    html: &mut Html,
) {
    let number = record.record.to_string();
    html.raw("<tr").attr("data-record", &number);
    html.raw(if selected { " class=\"sel\">" } else { ">" });
    html.raw("<th scope=\"row\"><button type=\"button\"")
        .act("select", &number);
    html.attr("id", &format!("{name}-{number}"))
        .attr("aria-pressed", &selected.to_string());
    html.raw(">m")
        .text(&number)
        .raw("</button></th><td>")
        .text(&millis(record.sent.at))
        .raw("</td>");
    for (column, differs) in different(record, other).into_iter().enumerate() {
        html.raw("<td>");
        if differs {
            html.raw("<b class=\"bad\">≠<span class=\"unseen\">");
            html.text(&say!(text, Differs)).raw("</span></b> ");
        }
        match column {
            0 => appended(text, record, html),
            1 => {
                told(text, record, html);
                if let Some(by) = later(record, other).filter(|_| name == "b-record") {
                    html.raw(" ")
                        .element("small class=\"late\"", &format!("{by:+} ms"));
                }
            }
            2 => since(text, record.committed, html),
            3 => match record.visible {
                Some(_) => since(text, record.visible, html),
                None => no(&say!(text, CellNever), html),
            },
            4 => match record.lost {
                Some(lost) => {
                    html.raw(icons::LOST)
                        .element("span class=\"bad\"", &say!(text, CellLost))
                        .raw(" ");
                    html.element("small", &millis(lost.at));
                }
                None => no(&say!(text, CellNo), html),
            },
            5 => flag(text, record.duplicated, "span class=\"dup\"", html),
            _ => flag(text, record.unknown, "span class=\"unk\"", html),
        }
        html.raw("</td>");
    }
    html.raw("</tr>");
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

/// How much later than in the other run the producer was told the same, in ms, where that is not at the same time: in the
/// picture it stands beside the mark, where there is room for it.
fn later(record: &RecordVerdict, other: Option<&RecordVerdict>) -> Option<i64> {
    let (here, there) = (record.acknowledged?.at, other?.acknowledged?.at);
    let by = (here.0 as i64).saturating_sub(there.0 as i64);
    (by != 0).then_some(by)
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
