//! The width of an element, whenever it changes: the picture is computed for it, never scaled.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Calls `tell` with the inner width of `element` in CSS pixels, now and whenever it changes.
pub fn watch_width(element: &web_sys::Element, mut tell: impl FnMut(f64) + 'static) {
    let measured = element.clone();
    let hear = Closure::<dyn FnMut()>::new(move || tell(inner_width(&measured)));
    if let Ok(observer) = web_sys::ResizeObserver::new(hear.as_ref().unchecked_ref()) {
        observer.observe(element);
        hear.forget();
    }
}

/// The width inside the padding, in CSS pixels.
pub fn inner_width(element: &web_sys::Element) -> f64 {
    let padding = |side: &str| {
        web_sys::window()
            .and_then(|window| window.get_computed_style(element).ok().flatten())
            .and_then(|style| style.get_property_value(side).ok())
            .and_then(|value| whole(&value))
            .unwrap_or(0)
    };
    f64::from(element.client_width() - padding("padding-left") - padding("padding-right"))
}

/// The whole pixels of a computed length such as `12.8px`, rounded up: what reads any float brings 15 KB of tables along.
fn whole(length: &str) -> Option<i32> {
    let number = length.strip_suffix("px")?;
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    Some(whole.parse::<i32>().ok()? + i32::from(!rest.is_empty()))
}
