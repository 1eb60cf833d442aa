//! What the reader's system prefers, and when that changes.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Reduced motion is asked for.
pub const REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";

/// Whether a media query holds now.
pub fn matches(query: &str) -> bool {
    web_sys::window()
        .and_then(|window| window.match_media(query).ok().flatten())
        .is_some_and(|list| list.matches())
}

/// Calls `tell` with the new answer whenever that of `query` changes, for as long as the page lives.
pub fn watch(query: &str, mut tell: impl FnMut(bool) + 'static) {
    let Some(list) = web_sys::window().and_then(|w| w.match_media(query).ok().flatten()) else {
        return;
    };
    let source = list.clone();
    let hear = Closure::<dyn FnMut()>::new(move || tell(source.matches()));
    if list
        .add_event_listener_with_callback("change", hear.as_ref().unchecked_ref())
        .is_ok()
    {
        hear.forget();
    }
}
