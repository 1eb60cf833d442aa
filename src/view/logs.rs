//! The logs at the playhead, cell by cell, and the line that an operator would read.

use std::fmt::Write as _;

use super::html::Html;
use super::state::State;
use crate::picture::svg::escape;
use crate::say;
use crate::session::logs::{LogRow, Logs};
use crate::text::Text;

/// Left edge and width of the cells, height of a row, in px.
const LEFT: u64 = 74;
const CELL: u64 = 47;
const ROW: u64 = 46;

/// The section.
pub fn section(state: &State, html: &mut Html) {
    let (text, logs) = (&*state.text, &*state.logs);
    let at = state.session.playhead().at;
    html.element("h2 class=\"h\"", &say!(text, LogsAt, time = at));
    html.raw("<div class=\"logs\"><svg class=\"pic\" role=\"img\" width=\"268\"");
    html.attr("height", &(logs.rows.len() as u64 * ROW + 18).to_string());
    html.attr(
        "aria-label",
        &say!(text, LogsLabel, at = at, logs = in_words(text, logs)),
    );
    html.raw(">")
        .markup(&drawing(text, logs))
        .raw("</svg></div>");
    html.element("p class=\"describe well\" translate=\"no\"", &logs.describe);
}

fn in_words(text: &Text, logs: &Logs) -> String {
    let rows = logs.rows.iter();
    let said = rows.map(|row| say!(text, LogOf, broker = row.broker, leo = row.leo, hw = row.hw));
    said.collect::<Vec<_>>().join("; ")
}

fn drawing(text: &Text, logs: &Logs) -> String {
    let mut out = String::new();
    for place in 0..logs.count {
        let x = LEFT + place * CELL + CELL / 2;
        let offset = logs.from.plus(place);
        let _ = write!(
            out,
            "<text class=\"ax\" x=\"{x}\" y=\"10\" text-anchor=\"middle\">{offset}</text>"
        );
    }
    for (place, row) in logs.rows.iter().enumerate() {
        draw_row(&mut out, text, logs, row, place as u64 * ROW + 16);
    }
    out
}

fn draw_row(out: &mut String, text: &Text, logs: &Logs, row: &LogRow, y: u64) {
    let state = if !row.up {
        say!(text, LogDown)
    } else if row.leads {
        say!(text, LogLeader)
    } else {
        String::new()
    };
    let hue = row.place.min(4) + 1;
    let positions = say!(text, LogPositions, leo = row.leo, hw = row.hw);
    let _ = write!(
        out,
        "<text class=\"note\" x=\"0\" y=\"{}\"><tspan class=\"log-broker b{hue}\">{}</tspan> ",
        y + 14,
        row.broker
    );
    escape(out, &state);
    let _ = write!(out, "</text><text class=\"ax\" x=\"0\" y=\"{}\">", y + 31);
    escape(out, &positions);
    out.push_str("</text>");
    for place in 0..logs.count {
        let offset = logs.from.plus(place);
        let cell = row.cells.iter().find(|cell| cell.offset == offset);
        let x = LEFT + place * CELL;
        let (class, fill) = match cell {
            None => ("cell none", ""),
            Some(cell) if cell.offset < row.hw => ("cell in", ""),
            Some(_) => ("cell", " fill=\"url(#hw-tail)\""),
        };
        let _ = write!(
            out,
            "<rect class=\"{class}\"{fill} x=\"{x}.5\" y=\"{y}.5\" width=\"{}\" height=\"26\"/>",
            CELL - 1
        );
        let Some(cell) = cell else { continue };
        let middle = x + CELL / 2;
        let _ = write!(
            out,
            "<text class=\"cell-name\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">",
            y + 12
        );
        escape(out, &cell.name);
        let _ = write!(
            out,
            "</text><text class=\"cell-epoch\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">e{}</text>",
            y + 23,
            cell.epoch
        );
    }
    edge(out, logs, row.leo.0, "leobar", y);
    edge(out, logs, row.hw.0, "hwbar", y);
}

/// The line before an offset, when it is in the window.
fn edge(out: &mut String, logs: &Logs, offset: u64, class: &str, y: u64) {
    let Some(place) = offset
        .checked_sub(logs.from.0)
        .filter(|place| *place <= logs.count)
    else {
        return;
    };
    let x = LEFT + place * CELL + u64::from(class == "leobar");
    let (top, bottom) = (y.saturating_sub(2), y + 29);
    let _ = write!(out, "<path class=\"{class}\" d=\"M{x} {top}V{bottom}\"/>");
}
