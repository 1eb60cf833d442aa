//! The title, and what is said beside the picture.

use super::html::Html;
use super::state::State;
use crate::say;
use crate::session::look;
use crate::session::state::Origin;

/// The name of what is open.
pub fn name(state: &State) -> String {
    look::name(&state.text, &state.session)
}

/// The title with what there is below it.
pub fn title(state: &State, html: &mut Html) {
    let (session, text) = (&state.session, &*state.text);
    let scenario = session.scenario();
    html.element("h1 id=\"title\" tabindex=\"-1\"", &name(state));
    html.raw("<div class=\"run-under\">");
    html.element(
        "span",
        &say!(
            text,
            TitleUnder,
            replicas = scenario.settings.replicas.clone()
        ),
    );
    if let Origin::Recording(recorded) = session.origin() {
        let version = recorded.kafka.clone();
        let words = if session.recording().is_some() {
            say!(text, Recorded, version = version)
        } else {
            say!(text, RecordedChanged, version = version)
        };
        html.element("span class=\"recorded\"", &words);
    }
    html.raw("<button type=\"button\" class=\"link tall\" id=\"menu-button\" data-do=\"open:menu\" aria-controls=\"menu\"");
    html.attr(
        "aria-expanded",
        &(state.open == Some(super::state::Open::Menu)).to_string(),
    );
    html.raw(">").text(&say!(text, Scenarios)).raw("</button>");
    super::address::buttons(state, html);
    html.raw("<button type=\"button\" class=\"link tall\" id=\"tour-button\" data-do=\"tour\">");
    html.text(&say!(text, Tour)).raw("</button>");
    html.raw("</div>");
}

/// What is said to a screen reader.
pub fn said(state: &State, html: &mut Html) {
    html.text(&state.said);
}

/// That another language did not come.
pub fn failed(state: &State, html: &mut Html) {
    html.text(state.failed.as_deref().unwrap_or_default());
}
