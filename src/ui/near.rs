//! Follows the window: of a tall picture only what is near it is drawn (`view/near.rs`).

use super::lab::Lab;
use crate::browser::dom;
use crate::view::near::STEP;

/// Follows the window from now on. A print has the whole picture.
pub fn watch(lab: Lab) {
    look(lab, false);
    for name in ["scroll", "resize", "beforeprint", "afterprint"] {
        dom::hear_window(name, move || look(lab, name == "beforeprint"));
    }
}

fn look(lab: Lab, whole: bool) {
    let eye = eye().filter(|_| !whole);
    let window = eye.map(|(top, _)| top.div_euclid(STEP).max(0) * STEP);
    lab.look(eye);
    if lab.peek(|state| state.window != window || state.shows_more()) {
        lab.see(window);
    }
}

/// The stretch of the picture that the window shows, in px.
pub fn eye() -> Option<(i32, i32)> {
    let top = dom::above_window("picture")?;
    Some((top, top.saturating_add(dom::window_height())))
}
