//! What the reader asks for without saying it in the page: the browser's languages.

/// The browser's languages as tags, best first.
pub fn languages() -> Vec<String> {
    web_sys::window().map_or_else(Vec::new, |window| {
        let tags = window.navigator().languages();
        tags.iter().filter_map(|tag| tag.as_string()).collect()
    })
}
