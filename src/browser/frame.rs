//! The player's clock: a callback before each frame, with the milliseconds since the frame before.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

type Hear = Closure<dyn FnMut(f64)>;

fn request(hear: &Hear) {
    if let Some(window) = web_sys::window() {
        // A page without frames (hidden, closing) stands still; nothing else is to be done.
        let _ = window.request_animation_frame(hear.as_ref().unchecked_ref());
    }
}

/// Calls `tick` before each frame until it answers false. A long pause (a hidden tab) counts as 100 ms at most.
pub fn each(mut tick: impl FnMut(f64) -> bool + 'static) {
    let slot: Rc<RefCell<Option<Hear>>> = Rc::new(RefCell::new(None));
    let again = slot.clone();
    let mut last: Option<f64> = None;
    let hear = Hear::new(move |now: f64| {
        let passed = last.map_or(0.0, |before| (now - before).clamp(0.0, 100.0));
        last = Some(now);
        if tick(passed) {
            if let Some(hear) = again.borrow().as_ref() {
                request(hear);
            }
        } else {
            // The closure must not be dropped while it runs: it is let go after this frame.
            let done = again.clone();
            gloo_timers::callback::Timeout::new(0, move || drop(done.borrow_mut().take())).forget();
        }
    });
    request(&hear);
    *slot.borrow_mut() = Some(hear);
}

/// Milliseconds since the page was opened, with fractions.
pub fn now() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |performance| performance.now())
}

thread_local! {
    /// What is done next, and the channel that calls for it.
    static NEXT: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
    static CHANNEL: RefCell<Option<web_sys::MessageChannel>> = const { RefCell::new(None) };
}

/// Does it after what waits now, keys and frames among it. A chain of timers would stand still for 4 ms each time.
pub fn soon(act: impl FnOnce() + 'static) {
    NEXT.with_borrow_mut(|next| next.push(Box::new(act)));
    let asked = CHANNEL.with_borrow_mut(|channel| {
        if channel.is_none() {
            *channel = open();
        }
        channel
            .as_ref()?
            .port2()
            .post_message(&wasm_bindgen::JsValue::NULL)
            .ok()
    });
    if asked.is_none() {
        gloo_timers::callback::Timeout::new(0, next).forget();
    }
}

fn next() {
    let acts = NEXT.with_borrow_mut(std::mem::take);
    acts.into_iter().for_each(|act| act());
}

fn open() -> Option<web_sys::MessageChannel> {
    let channel = web_sys::MessageChannel::new().ok()?;
    let hear = Closure::<dyn FnMut()>::new(next);
    channel
        .port1()
        .set_onmessage(Some(hear.as_ref().unchecked_ref()));
    hear.forget();
    Some(channel)
}
