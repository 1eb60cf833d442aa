//! What the page remembers on this device: the theme, the language, and that the tour was seen. A browser that forbids storage is no error.

fn store() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// The value kept under `key`, if the browser has one and lets us read it.
pub fn read(key: &str) -> Option<String> {
    store()?.get_item(key).ok()?
}

/// Whether there is a place to keep things.
pub fn works() -> bool {
    store().is_some()
}

/// Keeps `value` under `key`, or removes it; does nothing where storage is forbidden or full.
pub fn write(key: &str, value: Option<&str>) {
    let Some(store) = store() else { return };
    // A refusal (private mode, quota) only means that the choice is not remembered.
    let _ = match value {
        Some(value) => store.set_item(key, value),
        None => store.remove_item(key),
    };
}
