//! A recording step by step: what was done, what the cluster showed after it, and what the model has.

use highwater::html::Html;
use highwater::session::Ran;
use highwater::session::against::{Row, compare};
use highwater::session::recorded::Recorded;
use highwater::text::step;
use highwater_core::scenario::parse;
use highwater_core::scenario::trace::Trace;

use crate::page::{Whole, close_table, open_table};
use crate::recorded;

/// The table, folded until it is asked for. Nothing where the recording is none for the page, which a test excludes.
pub fn details(whole: &Whole<'_>, trace: &Trace, html: &mut Html) {
    let words = whole.words;
    let file = recorded::file(trace);
    let Ok(recording) = Recorded::read(&trace.id, &file) else {
        return;
    };
    let Ok(scenario) = parse(&recording.text) else {
        return;
    };
    let rows = compare(&recording, &Ran::of(&scenario));
    let said = step::steps(whole.text, &scenario);
    let summary = format!("{} ({})", words.say("Steps"), trace.id);
    html.raw("<details><summary>")
        .text(&summary)
        .raw("</summary>");
    let columns = [
        ("Step", true),
        ("Did", false),
        ("Showed", false),
        ("Model", false),
    ];
    open_table(html, words, &summary, &columns);
    for group in rows.chunk_by(|a, b| a.step == b.step) {
        let Some(first) = group.first() else { continue };
        html.raw("<tr>");
        html.element(
            "th scope=\"row\" class=\"n\"",
            &(first.step + 1).to_string(),
        );
        html.element("td", said.get(first.step).map_or("", String::as_str));
        html.raw("<td class=\"mono\">")
            .text(&values(group, |row| &row.recorded))
            .raw("</td>");
        if group.iter().all(Row::same) {
            html.element("td class=\"same\"", words.say("AsRecorded"));
        } else {
            html.element("td class=\"mono lost\"", &values(group, |row| &row.model));
        }
        html.raw("</tr>");
    }
    close_table(html);
    html.raw("</details>");
}

/// `isr: 1 2; leo 2: 5`.
fn values(group: &[Row], of: impl Fn(&Row) -> &String) -> String {
    let told: Vec<String> = group
        .iter()
        .map(|row| format!("{}: {}", row.what.replace('/', " "), of(row)))
        .collect();
    told.join("; ")
}
