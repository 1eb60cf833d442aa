//! The width of an element, whenever it changes: the picture is computed for it, never scaled.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::dom::by_id;

thread_local! {
    /// There is one element whose width is watched.
    static OBSERVER: RefCell<Option<web_sys::ResizeObserver>> = const { RefCell::new(None) };
}

/// Calls `tell` with the inner width of the element of that id in CSS pixels, now and whenever it changes.
pub fn watch_width(id: &'static str, mut tell: impl FnMut(f64) + 'static) {
    let hear = Closure::<dyn FnMut()>::new(move || {
        if let Some(element) = by_id(id) {
            tell(inner_width(&element));
        }
    });
    if let Ok(observer) = web_sys::ResizeObserver::new(hear.as_ref().unchecked_ref()) {
        hear.forget();
        OBSERVER.with_borrow_mut(|place| *place = Some(observer));
        again(id);
    }
}

/// The element of that id is another one now: from now on that one is watched.
pub fn again(id: &str) {
    OBSERVER.with_borrow(|observer| {
        if let (Some(observer), Some(element)) = (observer, by_id(id)) {
            observer.disconnect();
            observer.observe(&element);
        }
    });
}

/// Calls `tell` with the height of the element of that id in whole CSS pixels, now and whenever it changes.
pub fn watch_height(id: &'static str, mut tell: impl FnMut(u32) + 'static) {
    let Some(element) = by_id(id) else { return };
    let watched = element.clone();
    let hear = Closure::<dyn FnMut()>::new(move || {
        // Rounded up, and never negative.
        let height = watched.get_bounding_client_rect().height() + 0.999;
        tell(height.clamp(0.0, 100_000.0) as u32);
    });
    if let Ok(observer) = web_sys::ResizeObserver::new(hear.as_ref().unchecked_ref()) {
        observer.observe(&element);
        hear.forget();
        // It lives as long as the page.
        std::mem::forget(observer);
    }
}

/// The width inside the padding, in CSS pixels.
fn inner_width(element: &web_sys::Element) -> f64 {
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
