//! The module of the views that load later. On wasm32 it exports one function; natively it does nothing.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// The markup of a view ([`highwater::later`]); an exception for the page to show when there is none.
///
/// # Errors
/// As [`highwater::later::answer`].
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn answer(
    view: &str,
    scenario: &str,
    at: f64,
    position: u32,
    copy: &str,
) -> Result<String, String> {
    highwater::later::answer(&highwater::later::Question {
        view,
        scenario,
        // Milliseconds of a run are far below what a double holds exactly.
        at: at as u64,
        position,
        copy,
    })
}

fn main() {}
