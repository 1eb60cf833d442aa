//! The address bar and the history of the tab.

use wasm_bindgen::JsValue;

fn location() -> Option<web_sys::Location> {
    Some(web_sys::window()?.location())
}

/// The query with its question mark; empty when there is none.
pub fn query() -> String {
    location()
        .and_then(|location| location.search().ok())
        .unwrap_or_default()
}

/// The address without query and fragment.
pub fn base() -> String {
    let parts = location().and_then(|l| Some(l.origin().ok()? + &l.pathname().ok()?));
    parts.unwrap_or_default()
}

/// Writes the query into the address: as a new entry of the history, or over the present one.
pub fn write(query: &str, new: bool) {
    let history = web_sys::window().and_then(|window| window.history().ok());
    let Some(history) = history else { return };
    let address = base() + query;
    // A frame without an origin, or a browser that thinks it is too often, refuses: then the address stays.
    let _ = match new {
        true => history.push_state_with_url(&JsValue::NULL, "", Some(&address)),
        false => history.replace_state_with_url(&JsValue::NULL, "", Some(&address)),
    };
}

/// Calls `tell` when the reader has gone back or forward.
pub fn hear(tell: impl Fn() + 'static) {
    super::dom::hear_window("popstate", tell);
}

/// Whether the platform has a share sheet.
pub fn can_share() -> bool {
    web_sys::window().is_some_and(|window| {
        let name = JsValue::from_str("share");
        web_sys::js_sys::Reflect::has(&window.navigator(), &name).unwrap_or(false)
    })
}

/// Opens the platform's share sheet.
pub fn share(title: &str, address: &str) {
    let Some(window) = web_sys::window() else {
        return;
    };
    let data = web_sys::ShareData::new();
    data.set_title(title);
    data.set_text(title);
    data.set_url(address);
    let promise = window.navigator().share_with_data(&data);
    wasm_bindgen_futures::spawn_local(async move {
        // A reader who closes the sheet has changed their mind: nothing to say.
        let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
    });
}
