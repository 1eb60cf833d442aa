//! A swipe over the picture, where one panel is open at a time.

use super::lab::Lab;
use crate::picture::view::Panel;
use crate::session::Command;

/// A swipe over the picture opens the next panel, where one is open at a time.
pub fn perform(lab: Lab, to_the_left: bool) {
    // The messages are one panel, and stay.
    let (panel, narrow) = lab.peek(|state| {
        let swipes = state.narrow() && !state.messages();
        (state.session.panel(), swipes)
    });
    let place = match to_the_left {
        true => panel.place().saturating_add(1),
        false => panel.place().saturating_sub(1),
    };
    if let Some(next) = Panel::ALL.get(place).filter(|_| narrow) {
        lab.send(Command::OpenPanel(*next));
    }
}
