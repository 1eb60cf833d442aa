//! The page around ours, when ours is in a frame: texts to it, and texts from it and from nobody else.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::js_sys::{JsString, Object};

/// The window around ours; none when ours is not in a frame.
fn host() -> Option<web_sys::Window> {
    let window = web_sys::window()?;
    let host = window.parent().ok().flatten()?;
    (!Object::is(&host, &window)).then_some(host)
}

/// Tells the page around ours something that everybody may know.
pub fn post(text: &str) {
    if let Some(host) = host() {
        // A host that is going away is told nothing.
        let _ = host.post_message(&JsValue::from_str(text), "*");
    }
}

/// Hears what the page around ours says, for as long as the page lives: texts of at most so many characters. What comes
/// from another window, is no text or is longer is not looked at.
pub fn hear(longest: u32, mut tell: impl FnMut(String) + 'static) {
    let (Some(window), Some(host)) = (web_sys::window(), host()) else {
        return;
    };
    let heard =
        Closure::<dyn FnMut(web_sys::MessageEvent)>::new(move |event: web_sys::MessageEvent| {
            let from = event.source();
            if !from.is_some_and(|source| Object::is(&source, &host)) {
                return;
            }
            if let Ok(text) = event.data().dyn_into::<JsString>()
                && text.length() <= longest
            {
                tell(String::from(text));
            }
        });
    if window
        .add_event_listener_with_callback("message", heard.as_ref().unchecked_ref())
        .is_ok()
    {
        heard.forget();
    }
}
