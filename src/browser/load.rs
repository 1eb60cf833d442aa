//! Files of the page's own origin, beside the page: recorded traces, languages.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// The text of a file, addressed relative to the page; the error is a short reason for people.
pub async fn text(address: &str) -> Result<String, String> {
    let window = web_sys::window().ok_or("no window")?;
    let answer = JsFuture::from(window.fetch_with_str(address))
        .await
        .map_err(|_| String::from("network"))?;
    let answer: web_sys::Response = answer.dyn_into().map_err(|_| String::from("no answer"))?;
    if !answer.ok() {
        return Err(format!("HTTP {}", answer.status()));
    }
    let body = answer.text().map_err(|_| String::from("no text"))?;
    JsFuture::from(body)
        .await
        .ok()
        .and_then(|text| text.as_string())
        .ok_or_else(|| String::from("no text"))
}

/// The same, handed over when it is there.
pub fn text_then(address: &'static str, tell: impl FnOnce(Result<String, String>) + 'static) {
    wasm_bindgen_futures::spawn_local(async move { tell(text(address).await) });
}
