//! The clipboard: write only, on the reader's click.

use wasm_bindgen_futures::JsFuture;

/// Puts `text` on the clipboard; false when the browser refuses.
pub async fn write(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    JsFuture::from(window.navigator().clipboard().write_text(text))
        .await
        .is_ok()
}
