//! Three steps for whoever is here for the first time: change a setting, move in time, break something. It stands in the
//! flow of the page and covers nothing; what a step speaks of is outlined.

use super::html::Html;
use super::state::State;
use crate::say;
use crate::session::Command;

/// The elements that the steps speak of.
pub const ABOUT: [&str; 3] = ["r-toggles", "scrubber", "picture"];

/// The step that is shown.
pub fn draw(state: &State, html: &mut Html) {
    let text = &*state.text;
    let Some(step) = state.tour else { return };
    let all = [
        say!(text, TourToggle),
        say!(text, TourTime),
        say!(text, TourBreak),
    ];
    let last = step.saturating_add(1) == ABOUT.len();
    html.raw("<section class=\"tour\"")
        .attr("aria-label", &say!(text, Tour));
    // The others take their room unseen: what stands below must not move under the hand when a step is done.
    html.raw("><div class=\"tour-steps\">");
    for (place, words) in all.iter().enumerate() {
        html.raw(match place == step {
            true => "<p id=\"tour-words\" tabindex=\"-1\">",
            false => "<p aria-hidden=\"true\">",
        });
        html.element("b", &format!("{}/{}", place.saturating_add(1), ABOUT.len()));
        html.raw(" ").text(words).raw("</p>");
    }
    html.raw("</div>");
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

/// The step after which what the reader just did belongs, when it is what the shown step asks for: the tour goes on by itself.
/// The last step stays until it is dismissed.
pub fn after(step: usize, done: &Command) -> Option<usize> {
    let asked = match step {
        0 => matches!(done, Command::SetSetting { .. }),
        1 => matches!(
            done,
            Command::Seek(_)
                | Command::SeekEvent(_)
                | Command::NextEvent
                | Command::PreviousEvent
                | Command::First
                | Command::Last
                | Command::PlayPause
        ),
        _ => false,
    };
    asked.then(|| step.saturating_add(1))
}

/// The id of the element that the step speaks of.
pub fn about(state: &State) -> &'static str {
    let about = state.tour.and_then(|step| ABOUT.get(step));
    about.copied().unwrap_or_default()
}
