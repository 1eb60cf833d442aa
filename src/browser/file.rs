//! Files of the reader's own: given to the page, and handed out by it. Nothing leaves the machine.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::js_sys::{Array, Uint8Array};

/// A file that the reader gave.
pub struct Given(web_sys::File);

impl Given {
    /// The first file that a field or a drop holds.
    pub fn first(list: Option<web_sys::FileList>) -> Option<Given> {
        list?.get(0).map(Given)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Its bytes, at most so many.
    pub fn read(&self, most: usize, tell: impl FnOnce(Vec<u8>) + 'static) {
        // One byte more than may be read shows that there are too many.
        let part = self.0.slice_with_i32_and_i32(0, most as i32 + 1);
        spawn_local(async move {
            let Ok(part) = part else { return };
            if let Ok(buffer) = JsFuture::from(part.array_buffer()).await {
                tell(Uint8Array::new(&buffer).to_vec());
            }
        });
    }
}

/// Hands out bytes of a media type as a file.
pub fn save(name: &str, bytes: &[u8], kind: &str) {
    // A browser that forbids downloads does nothing.
    let _ = hand_out(name, bytes, kind);
}

fn hand_out(name: &str, bytes: &[u8], kind: &str) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or(JsValue::NULL)?;
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options)?;
    let address = web_sys::Url::create_object_url_with_blob(&blob)?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&address)
}
