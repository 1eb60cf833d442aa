//! The outcome matrix: a table of every combination of the toggles, each cell named by the worst that happened there.

use super::html::Html;
use super::icons;
use super::state::State;
use crate::say;
use crate::session::beside::{TOGGLES, toggle_values};
use crate::session::matrix::Matrix;
use crate::session::model::{Acks, Cell, Settings, Toggles, Worst};
use crate::text::Text;
use crate::text::arg::acks_word;

/// The table, as far as it was computed.
pub fn table(state: &State, html: &mut Html) {
    let (session, text) = (&state.session, &*state.text);
    let Some(matrix) = session.matrix() else {
        return;
    };
    html.raw("<p class=\"note\">")
        .text(&say!(text, MatrixAbout));
    if !matrix.finished() {
        let (n, total) = (matrix.done.len(), matrix.all.len());
        html.raw(" ")
            .text(&say!(text, MatrixDone, n = n, total = total));
    }
    html.raw("</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"matrix-button\"><table class=\"v matrix\">");
    let columns = columns(matrix);
    head(text, columns, html);
    let marks = [
        ("A", Some(&session.scenario().settings)),
        ("B", session.beside().map(|b| &b.scenario.settings)),
    ];
    html.raw("<tbody>");
    for (nth, row) in matrix.all.chunks(columns.max(1)).enumerate() {
        let Some(first) = row.first() else { continue };
        html.raw(if first.min_insync_replicas == 1 {
            "<tr class=\"first\"><th scope=\"row\"><code translate=\"no\">acks="
        } else {
            "<tr><th scope=\"row\"><code translate=\"no\">acks="
        });
        html.text(acks_word(first.acks)).raw("</code> ");
        let min = say!(text, MatrixMin, min = first.min_insync_replicas);
        html.element("span", &min).raw("</th>");
        for (place, toggles) in row.iter().enumerate() {
            let done = matrix.done.get(nth * columns + place);
            draw(text, *toggles, done, &marks, html);
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
}

/// How many cells a row has: unclean election off and on, with ELR off and on where there is one.
fn columns(matrix: &Matrix) -> usize {
    if matrix.all.iter().any(|toggles| toggles.elr) {
        4
    } else {
        2
    }
}

fn head(text: &Text, columns: usize, html: &mut Html) {
    let values = [say!(text, SettingOff), say!(text, SettingOn)];
    html.raw("<thead><tr><td></td>");
    for value in &values {
        html.raw(if columns == 4 {
            "<th scope=\"colgroup\" colspan=\"2\">"
        } else {
            "<th scope=\"col\">"
        });
        html.text(&say!(text, SettingUnclean))
            .raw(" ")
            .text(value)
            .raw("</th>");
    }
    if columns == 4 {
        html.raw("</tr><tr><td></td>");
        for value in values.iter().chain(&values) {
            html.raw("<th scope=\"col\">ELR ").text(value).raw("</th>");
        }
    }
    html.raw("</tr></thead>");
}

fn draw(
    text: &Text,
    toggles: Toggles,
    cell: Option<&Cell>,
    marks: &[(&'static str, Option<&Settings>); 2],
    html: &mut Html,
) {
    let Some(cell) = cell else {
        html.raw("<td>…</td>");
        return;
    };
    let (name, icon) = match cell.worst {
        Worst::Lost => ("bad", icons::LOST),
        Worst::Duplicated => ("dup", icons::DUPLICATED),
        Worst::Unavailable => ("unk", icons::UNAVAILABLE),
        Worst::Refused => ("ref", icons::REFUSED),
        // What nobody was promised is not safe.
        Worst::Safe if promises_nothing(cell) => ("", ""),
        Worst::Safe => ("good", icons::OK),
    };
    let values = toggle_values(toggles);
    let pairs = TOGGLES.into_iter().zip(&values);
    let pairs: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    html.raw("<td><button type=\"button\"")
        .act("b", &pairs.join(","));
    html.attr("class", name).raw(">").raw(icon);
    let counts = [
        (Some(Worst::Lost), cell.lost, say!(text, ColumnLost)),
        (
            Some(Worst::Duplicated),
            cell.duplicated,
            say!(text, ColumnDuplicated),
        ),
        (
            Some(Worst::Refused),
            cell.refused,
            say!(text, MatrixRefused),
        ),
        (None, cell.unknown, say!(text, ColumnUnknown)),
    ];
    let named = counts.iter().find(|(of, _, _)| *of == Some(cell.worst));
    html.text(&match (cell.worst, named) {
        (_, Some((_, n, what))) => count(text, *n, what),
        (Worst::Unavailable, _) => say!(text, MatrixUnavailable),
        _ if promises_nothing(cell) => say!(text, MatrixNoPromise),
        _ => say!(text, MatrixSafe),
    });
    for (letter, _) in marks
        .iter()
        .filter(|(_, of)| of.is_some_and(|of| is_of(of, toggles)))
    {
        html.raw(" <b class=\"letter\">").text(letter).raw("</b>");
    }
    let rest = counts
        .iter()
        .filter(|(of, n, _)| *n > 0 && *of != Some(cell.worst));
    let rest: Vec<String> = rest.map(|(_, n, what)| count(text, *n, what)).collect();
    if !rest.is_empty() {
        html.raw(" ").element("small", &rest.join(" · "));
    }
    html.raw("</button></td>");
}

fn promises_nothing(cell: &Cell) -> bool {
    cell.toggles.acks == Acks::None && cell.unknown > 0
}

fn is_of(settings: &Settings, toggles: Toggles) -> bool {
    Toggles::of(settings) == toggles
}

fn count(text: &Text, n: u32, what: &str) -> String {
    say!(text, MatrixCount, n = n, what = what)
}
