//! For a recording: what the cluster showed beside what the model shows, after each step.

use super::html::Html;
use super::state::State;
use crate::say;
use crate::session::against::{Row, compare};
use crate::text::describe;

/// The table; nothing while the open scenario is no recording, or was changed.
pub fn table(state: &State, html: &mut Html) {
    let Some(recorded) = state.session.recording() else {
        return;
    };
    let (text, ran) = (&*state.text, state.session.ran());
    let rows = compare(recorded, ran);
    let steps = describe::steps(text, &ran.run.scenario);
    let differ = rows.iter().filter(|row| !row.same()).count();
    let verdict = if differ == 0 {
        say!(text, AgainstSame, n = rows.len())
    } else {
        say!(text, AgainstDiffers, differ = differ, n = rows.len())
    };
    let title = say!(text, AgainstTitle, version = recorded.kafka.clone());
    html.raw("<section class=\"against\">")
        .element("h2 class=\"h\" id=\"against-title\"", &title);
    html.raw("<p class=\"note\">")
        .element("b", &verdict)
        .raw(" ");
    html.text(&say!(text, AgainstTimes, n = recorded.times))
        .raw("</p>");
    if differ > 0 {
        html.raw("<label class=\"quiet\"><input type=\"checkbox\" id=\"only\" data-do=\"only\"");
        html.flag("checked", state.only_differences)
            .raw("> ")
            .text(&say!(text, AgainstOnly))
            .raw("</label>");
    }
    html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"against-title\"><table class=\"v\"><thead><tr>");
    for column in [
        say!(text, AgainstStep),
        say!(text, AgainstWhat),
        say!(text, AgainstRecorded),
        say!(text, AgainstModel),
    ] {
        html.element("th scope=\"col\"", &column);
    }
    html.raw("</tr></thead><tbody>");
    let mut before = None;
    for row in rows
        .iter()
        .filter(|row| differ == 0 || !state.only_differences || !row.same())
    {
        let first = before != Some(row.step);
        before = Some(row.step);
        let step = steps.get(row.step).filter(|_| first);
        line(row, step.map_or("", String::as_str), html);
    }
    html.raw("</tbody></table></div></section>");
}

fn line(row: &Row, step: &str, html: &mut Html) {
    html.raw("<tr>").element("td class=\"wrap\"", step);
    html.raw("<td translate=\"no\">").element("code", &row.what);
    html.raw("</td><td class=\"wrap\" translate=\"no\">")
        .element("code", &row.recorded);
    html.raw("</td><td class=\"wrap\" translate=\"no\">");
    html.raw(if row.same() {
        "<span>✓ </span>"
    } else {
        "<span class=\"bad\">≠ </span>"
    });
    html.element("code", &row.model).raw("</td></tr>");
}
