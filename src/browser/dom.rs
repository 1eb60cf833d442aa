//! The document: fill an element, set an attribute, hear what happens, move the focus.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::file::Given;

pub use web_sys::Element;

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

/// The element of that id.
pub fn by_id(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

fn focus(element: Element) {
    if let Ok(element) = element.dyn_into::<web_sys::HtmlElement>() {
        // An element that cannot be focused stays as it is.
        let _ = element.focus();
    }
}

/// Puts markup into the element of that id. The focus stays on the element with the same id, when there is one.
pub fn fill(id: &str, markup: &str) {
    let Some(element) = by_id(id) else { return };
    let active = document().and_then(|document| document.active_element());
    let held = active
        .filter(|active| element.contains(Some(active)))
        .map(|active| active.id())
        .filter(|id| !id.is_empty());
    element.set_inner_html(markup);
    if let Some(again) = held.and_then(|id| by_id(&id)) {
        focus(again);
    }
}

/// Puts markup into the element of that id, which is made at the end of the document when it is not there.
pub fn put(id: &str, markup: &str) {
    if by_id(id).is_none() {
        // A document without a body shows nothing anyway.
        let _ = document().and_then(|document| {
            let made = document.create_element("div").ok()?;
            made.set_id(id);
            document.body()?.append_child(&made).ok()
        });
    }
    fill(id, markup);
}

/// Sets or removes an attribute; `value` is set as the property of a field, and only when it differs.
pub fn set(id: &str, name: &str, value: Option<&str>) {
    let Some(element) = by_id(id) else { return };
    if name == "value" {
        set_value(&element, value.unwrap_or_default());
        return;
    }
    // A name of ours is always a valid one.
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}

fn set_value(element: &Element, value: &str) {
    if let Some(field) = element.dyn_ref::<web_sys::HtmlInputElement>() {
        field.set_value(value);
    } else if let Some(area) = element.dyn_ref::<web_sys::HtmlTextAreaElement>() {
        // What was typed is there already: putting megabytes back costs seconds and moves the cursor.
        if area.value() != value {
            area.set_value(value);
        }
    }
}

/// Gives `class` to those elements that `selector` finds whose attribute has that value, and takes it from the others.
pub fn mark(selector: &str, attribute: &str, value: &str, class: &str) {
    let Some(found) = document().and_then(|document| document.query_selector_all(selector).ok())
    else {
        return;
    };
    for place in 0..found.length() {
        if let Some(element) = found
            .get(place)
            .and_then(|node| node.dyn_into::<Element>().ok())
        {
            let is_it = element.get_attribute(attribute).as_deref() == Some(value);
            let _ = element.class_list().toggle_with_force(class, is_it);
        }
    }
}

/// An attribute of the root element.
pub fn root(name: &str) -> Option<String> {
    document()?.document_element()?.get_attribute(name)
}

/// Whether the element of that id has anything in it.
pub fn is_filled(id: &str) -> bool {
    by_id(id).is_some_and(|element| element.has_child_nodes())
}

/// Sets or removes an attribute of the root element.
pub fn set_root(name: &str, value: Option<&str>) {
    let Some(root) = document().and_then(|document| document.document_element()) else {
        return;
    };
    let _ = match value {
        Some(value) => root.set_attribute(name, value),
        None => root.remove_attribute(name),
    };
}

/// Sets the document's title.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Takes the element of that id out of the document.
pub fn remove(id: &str) {
    if let Some(element) = by_id(id) {
        element.remove();
    }
}

/// Does it after what is going on now.
pub fn later(act: impl FnOnce() + 'static) {
    after(0, act);
}

/// Does it after so many milliseconds.
pub fn after(pause: u32, act: impl FnOnce() + 'static) {
    gloo_timers::callback::Timeout::new(pause, act).forget();
}

/// Opens the choice of a file of the field of that id.
pub fn choose(id: &str) {
    if let Some(element) = by_id(id).and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        element.click();
    }
}

/// Moves the keyboard's focus to the element of that id, after the page has been brought up to date.
pub fn focus_later(id: &str) {
    let id = id.to_owned();
    later(move || {
        if let Some(element) = by_id(&id) {
            focus(element);
        }
    });
}

/// Moves it to the first button inside the element of that id.
pub fn focus_first_later(id: &str) {
    let selector = format!("#{id} button");
    later(move || {
        let found =
            document().and_then(|document| document.query_selector(&selector).ok().flatten());
        if let Some(element) = found {
            focus(element);
        }
    });
}

/// Selects from `start` to `end` (UTF-16 units) in the text area of that id and focuses it.
pub fn select_text(id: &str, start: u32, end: u32) {
    let area =
        by_id(id).and_then(|element| element.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
    if let Some(area) = area {
        let _ = area.focus();
        let _ = area.set_selection_range(start, end);
    }
}

/// Something that happened to an element.
pub struct Happening {
    event: web_sys::Event,
    element: Element,
}

impl Happening {
    /// The value of a data attribute of the element, or of the nearest one above it that has it.
    pub fn data(&self, name: &str) -> Option<String> {
        let found = self.element.closest(&format!("[{name}]")).ok().flatten()?;
        found.get_attribute(name)
    }

    /// Whether it happened inside the element of that id.
    pub fn inside(&self, id: &str) -> bool {
        matches!(self.element.closest(&format!("#{id}")), Ok(Some(_)))
    }

    /// The element's own id.
    pub fn id(&self) -> String {
        self.element.id()
    }

    /// Whether the element is a field that tells its changes by itself.
    pub fn is_field(&self) -> bool {
        matches!(
            self.element.tag_name().as_str(),
            "INPUT" | "SELECT" | "OPTION" | "TEXTAREA"
        )
    }

    /// The field's value.
    pub fn value(&self) -> String {
        let element = &self.element;
        if let Some(field) = element.dyn_ref::<web_sys::HtmlInputElement>() {
            return field.value();
        }
        if let Some(field) = element.dyn_ref::<web_sys::HtmlSelectElement>() {
            return field.value();
        }
        let area = element.dyn_ref::<web_sys::HtmlTextAreaElement>();
        area.map(web_sys::HtmlTextAreaElement::value)
            .unwrap_or_default()
    }

    /// The field has the value again that it was written with.
    pub fn put_back(&self) {
        if let Some(field) = self.element.dyn_ref::<web_sys::HtmlInputElement>() {
            field.set_value(&field.default_value());
        }
    }

    /// The file that was chosen or dropped.
    pub fn file(&self) -> Option<Given> {
        let field = self.element.dyn_ref::<web_sys::HtmlInputElement>();
        let drop = self.event.dyn_ref::<web_sys::DragEvent>();
        let dropped = || drop?.data_transfer()?.files();
        Given::first(dropped().or_else(|| field?.files()))
    }

    /// Whether something that is no text is dragged.
    pub fn drags_file(&self) -> bool {
        let drag = self.event.dyn_ref::<web_sys::DragEvent>();
        let types = drag.and_then(|drag| Some(drag.data_transfer()?.types()));
        types.is_some_and(|types| types.includes(&"Files".into(), 0))
    }

    /// The text that was pasted.
    pub fn pasted(&self) -> String {
        let event = self.event.dyn_ref::<web_sys::ClipboardEvent>();
        let text = event.and_then(|event| event.clipboard_data()?.get_data("text").ok());
        text.unwrap_or_default()
    }

    /// The browser does nothing of its own.
    pub fn prevent_default(&self) {
        self.event.prevent_default();
    }

    /// The key; empty when it is no key.
    pub fn key(&self) -> String {
        let event = self.event.dyn_ref::<web_sys::KeyboardEvent>();
        event.map(web_sys::KeyboardEvent::key).unwrap_or_default()
    }

    /// Whether Shift is held.
    pub fn shift(&self) -> bool {
        let event = self.event.dyn_ref::<web_sys::KeyboardEvent>();
        event.is_some_and(web_sys::KeyboardEvent::shift_key)
    }

    /// Whether it is the main button, a finger or a pen.
    pub fn main_button(&self) -> bool {
        let event = self.event.dyn_ref::<web_sys::MouseEvent>();
        event.is_some_and(|event| event.button() == 0)
    }

    /// Whether it is a finger.
    pub fn is_touch(&self) -> bool {
        let event = self.event.dyn_ref::<web_sys::PointerEvent>();
        event.is_some_and(|event| event.pointer_type() == "touch")
    }

    /// Where the pointer is, from the top left corner of the element of that id, in CSS pixels.
    pub fn place_in(&self, id: &str) -> Option<(f64, f64)> {
        let event = self.event.dyn_ref::<web_sys::MouseEvent>()?;
        let bounds = by_id(id)?.get_bounding_client_rect();
        Some((
            f64::from(event.client_x()) - bounds.left(),
            f64::from(event.client_y()) - bounds.top(),
        ))
    }

    /// Keeps the pointer's events coming to the element of that id while a drag goes on.
    pub fn capture(&self, id: &str) {
        let pointer = self.event.dyn_ref::<web_sys::PointerEvent>();
        if let (Some(pointer), Some(element)) = (pointer, by_id(id)) {
            // A pointer that is gone already cannot be captured: then there is no drag.
            let _ = element.set_pointer_capture(pointer.pointer_id());
        }
    }
}

/// Hears what happens inside an element, for as long as the page lives.
pub fn hear(root: &Element, name: &str, mut tell: impl FnMut(Happening) + 'static) {
    let heard = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
        let element = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        if let Some(element) = element {
            tell(Happening { event, element });
        }
    });
    if root
        .add_event_listener_with_callback(name, heard.as_ref().unchecked_ref())
        .is_ok()
    {
        heard.forget();
    }
}

/// Calls `tell` at every event of that name of the window.
pub fn hear_window(name: &str, tell: impl Fn() + 'static) {
    // It may happen again while it is told: what is written anew takes the focus along.
    let hear = Closure::<dyn Fn()>::new(tell);
    let window = web_sys::window();
    let added =
        window.map(|w| w.add_event_listener_with_callback(name, hear.as_ref().unchecked_ref()));
    if matches!(added, Some(Ok(()))) {
        hear.forget();
    }
}

/// How much of the element of that id lies above the upper edge of the window, in whole px; negative when it begins below.
pub fn above_window(id: &str) -> Option<i32> {
    let top = by_id(id)?.get_bounding_client_rect().top();
    // No page is taller.
    Some(-top.clamp(-1e8, 1e8) as i32)
}

/// The height of the window in whole px.
pub fn window_height() -> i32 {
    let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64());
    height.unwrap_or(0.0).clamp(0.0, 1e6) as i32
}
