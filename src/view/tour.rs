//! Three steps for whoever is here for the first time: change a setting, move in time, break something. It stands in the
//! flow of the page and covers nothing; what a step speaks of is outlined.

use super::html::Html;
use super::state::State;
use crate::say;

/// The elements that the steps speak of.
pub const ABOUT: [&str; 3] = ["r-toggles", "scrubber", "picture"];

/// The step that is shown.
pub fn draw(state: &State, html: &mut Html) {
    let text = &*state.text;
    let Some(step) = state.tour else { return };
    let words = match step {
        0 => say!(text, TourToggle),
        1 => say!(text, TourTime),
        _ => say!(text, TourBreak),
    };
    let last = step.saturating_add(1) == ABOUT.len();
    html.raw("<section class=\"tour\"")
        .attr("aria-label", &say!(text, Tour));
    html.raw("><p id=\"tour-words\" tabindex=\"-1\">")
        .element("b", &format!("{}/{}", step.saturating_add(1), ABOUT.len()));
    html.raw(" ").text(&words).raw("</p>");
    if !last {
        html.raw("<button type=\"button\" class=\"btn\" data-do=\"tour:next\">");
        html.text(&say!(text, TourNext)).raw("</button>");
    }
    let close = if last {
        say!(text, TourDone)
    } else {
        say!(text, TourDismiss)
    };
    html.raw("<button type=\"button\" class=\"btn plain\" data-do=\"tour:close\">");
    html.text(&close).raw("</button></section>");
}

/// The id of the element that the step speaks of.
pub fn about(state: &State) -> &'static str {
    let about = state.tour.and_then(|step| ABOUT.get(step));
    about.copied().unwrap_or_default()
}
