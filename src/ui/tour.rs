//! The tour of the first visit: where it begins, and what its buttons do.

use super::lab::Lab;
use crate::browser::{dom, storage};
use crate::view::tour::ABOUT;

/// Kept once the tour was dismissed.
const SEEN: &str = "highwater.tour";

/// Where the tour begins: at its first step for a reader who never dismissed it and came by no link.
pub fn first(came_by_link: bool) -> Option<usize> {
    let seen = storage::read(SEEN).is_some();
    // Where nothing can be kept it would come back at every visit.
    (!came_by_link && !seen && storage::works()).then_some(0)
}

/// An act on the tour: `tour`, `tour:next`, `tour:close`.
pub fn perform(lab: Lab, act: &str) {
    lab.change(|state| {
        state.tour = match (act, state.tour) {
            ("next", Some(step)) => Some(step.saturating_add(1)).filter(|next| *next < ABOUT.len()),
            ("close", _) => None,
            _ => Some(0),
        };
    });
    match lab.peek(|state| state.tour) {
        Some(_) => dom::focus_later("tour-words"),
        None => {
            storage::write(SEEN, Some("seen"));
            dom::focus_later("tour-button");
        }
    }
}
