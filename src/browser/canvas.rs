//! Drawings as pixels.

use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Array, Function, Promise, Uint8Array};

/// An SVG of that many px as PNG, one px of it being `scale` px.
///
/// # Errors
/// A short reason, when the browser does not paint it.
pub async fn png(svg: &str, size: (u32, u32), scale: u32) -> Result<Vec<u8>, String> {
    let painted = paint(svg, size, scale).await;
    painted.map_err(|error| error.as_string().unwrap_or_else(|| String::from("canvas")))
}

async fn paint(svg: &str, (width, height): (u32, u32), scale: u32) -> Result<Vec<u8>, JsValue> {
    let kind = web_sys::BlobPropertyBag::new();
    kind.set_type("image/svg+xml");
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&Array::of1(&svg.into()), &kind)?;
    let address = web_sys::Url::create_object_url_with_blob(&blob)?;
    let image = web_sys::HtmlImageElement::new()?;
    image.set_src(&address);
    let decoded = JsFuture::from(image.decode()).await;
    web_sys::Url::revoke_object_url(&address)?;
    decoded?;
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or(JsValue::NULL)?;
    let canvas: web_sys::HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    let (width, height) = (width * scale, height * scale);
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: web_sys::CanvasRenderingContext2d = context.dyn_into()?;
    let (wide, tall) = (f64::from(width), f64::from(height));
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, wide, tall)?;
    let mut failed = None;
    let promise = Promise::new(&mut |resolve: Function, _| {
        let tell = Closure::once_into_js(move |blob: JsValue| resolve.call1(&JsValue::NULL, &blob));
        failed = canvas.to_blob(tell.unchecked_ref()).err();
    });
    if let Some(error) = failed {
        return Err(error);
    }
    // A canvas that is too large gives no blob.
    let blob: web_sys::Blob = JsFuture::from(promise).await?.dyn_into()?;
    let buffer = JsFuture::from(blob.array_buffer()).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}
