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
    let top = dom::above_window("picture").filter(|_| !whole);
    let window = top.map(|top| top.div_euclid(STEP).max(0) * STEP);
    if lab.peek(|state| state.window != window) {
        lab.see(window);
    }
}
