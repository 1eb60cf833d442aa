//! Which elements are in the window or near it, and time in which the browser has nothing else to do.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::dom::{after, by_id};

/// So far from the window an element counts as in it, in CSS pixels above and below.
const NEAR: &str = "200px 0px";

/// If the browser finds no idle time for so many milliseconds, it is done all the same.
const AT_LATEST: u32 = 250;

thread_local! {
    /// It lives as long as the page.
    static OBSERVER: RefCell<Option<web_sys::IntersectionObserver>> = const { RefCell::new(None) };
}

/// Tells of each of the elements whether it is in the window or near it: at first, and whenever that changes.
pub fn watch(ids: &[&str], mut tell: impl FnMut(&str, bool) + 'static) {
    let hear = Closure::<dyn FnMut(Box<[web_sys::IntersectionObserverEntry]>)>::new(
        move |entries: Box<[web_sys::IntersectionObserverEntry]>| {
            for entry in &entries {
                tell(&entry.target().id(), entry.is_intersecting());
            }
        },
    );
    let options = web_sys::IntersectionObserverInit::new();
    options.set_root_margin(NEAR);
    let made =
        web_sys::IntersectionObserver::new_with_options(hear.as_ref().unchecked_ref(), &options);
    // Where there is none, everything counts as seen.
    let Ok(observer) = made else { return };
    hear.forget();
    OBSERVER.with_borrow_mut(|place| *place = Some(observer));
    again(ids);
}

/// The elements of those ids are others now: from now on those are watched.
pub fn again(ids: &[&str]) {
    OBSERVER.with_borrow(|observer| {
        let Some(observer) = observer else { return };
        observer.disconnect();
        for element in ids.iter().filter_map(|id| by_id(id)) {
            observer.observe(&element);
        }
    });
}

/// Does it when the browser has nothing else to do, or soon.
pub fn when_idle(act: impl FnOnce() + 'static) {
    let slot = Rc::new(Cell::new(Some(act)));
    let again = slot.clone();
    let take = move || {
        if let Some(act) = slot.take() {
            act();
        }
    };
    let hear = Closure::once_into_js(take);
    if let Some(window) = web_sys::window() {
        // Safari has no such call: then the timer does it.
        let _ = window.request_idle_callback(hear.unchecked_ref());
    }
    after(AT_LATEST, move || {
        if let Some(act) = again.take() {
            act();
        }
    });
}
