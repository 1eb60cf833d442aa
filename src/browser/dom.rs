//! Small questions to elements and events.

use wasm_bindgen::JsCast;

/// The nearest element at or above the event's target that has the data attribute `name`: its value.
pub fn data_above(event: &web_sys::Event, name: &str) -> Option<String> {
    let target: web_sys::Element = event.target()?.dyn_into().ok()?;
    let found = target.closest(&format!("[{name}]")).ok().flatten()?;
    found.get_attribute(name)
}

/// Where a pointer is, from the top left corner of `element`, in CSS pixels.
pub fn place_in(element: &web_sys::Element, event: &web_sys::MouseEvent) -> (f64, f64) {
    let bounds = element.get_bounding_client_rect();
    (
        f64::from(event.client_x()) - bounds.left(),
        f64::from(event.client_y()) - bounds.top(),
    )
}

/// Keeps pointer events coming to `element` while a drag goes on.
pub fn capture(element: &web_sys::Element, pointer: i32) {
    // A pointer that is gone already cannot be captured: then there is no drag.
    let _ = element.set_pointer_capture(pointer);
}

/// Moves the keyboard's focus to the element of that id, after the view has been updated.
pub fn focus_later(id: &str) {
    let id = id.to_owned();
    gloo_timers::callback::Timeout::new(0, move || {
        let element = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.get_element_by_id(&id))
            .and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(element) = element {
            let _ = element.focus();
        }
    })
    .forget();
}

/// Selects from `start` to `end` (UTF-16 units) in the text area of that id and focuses it.
pub fn select_text(id: &str, start: u32, end: u32) {
    let area = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(id))
        .and_then(|element| element.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
    if let Some(area) = area {
        let _ = area.focus();
        let _ = area.set_selection_range(start, end);
    }
}

/// Sets or removes an attribute of the root element.
pub fn set_root(name: &str, value: Option<&str>) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element());
    if let Some(root) = root {
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// Puts the keyboard's focus on the first button inside the element of that id, after the view has been updated.
pub fn focus_first_later(id: &str) {
    let selector = format!("#{id} button");
    gloo_timers::callback::Timeout::new(0, move || {
        let element = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.query_selector(&selector).ok().flatten())
            .and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(element) = element {
            let _ = element.focus();
        }
    })
    .forget();
}

/// Puts a value back into the field that the event came from.
pub fn set_value(event: &web_sys::Event, value: &str) {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    if let Some(field) = field {
        field.set_value(value);
    }
}

/// Whether the `<details>` that the event came from is open.
pub fn is_open(event: &web_sys::Event) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|element| element.has_attribute("open"))
}

/// The window as something that hears events.
pub fn window() -> Option<web_sys::EventTarget> {
    web_sys::window().map(Into::into)
}

/// Hears keyboard events of `target` for as long as the page lives.
pub fn listen(
    target: &web_sys::EventTarget,
    name: &str,
    hear: impl FnMut(web_sys::KeyboardEvent) + 'static,
) {
    let hear = wasm_bindgen::closure::Closure::<dyn FnMut(web_sys::KeyboardEvent)>::new(hear);
    if target
        .add_event_listener_with_callback(name, hear.as_ref().unchecked_ref())
        .is_ok()
    {
        hear.forget();
    }
}

/// Keeps pointer events coming to the first element inside `element` that fits `selector`.
pub fn capture_in(element: &web_sys::Element, selector: &str, pointer: i32) {
    if let Ok(Some(inner)) = element.query_selector(selector) {
        capture(&inner, pointer);
    }
}
