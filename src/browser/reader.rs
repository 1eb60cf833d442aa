//! What the reader asks for without saying it in the page: the address's language and the browser's.

/// The address's `lang` parameter.
pub fn asked() -> Option<String> {
    let search = web_sys::window()?.location().search().ok()?;
    let mut pairs = search.trim_start_matches('?').split('&');
    pairs
        .find_map(|pair| pair.strip_prefix("lang="))
        .map(str::to_owned)
}

/// The browser's languages as tags, best first.
pub fn languages() -> Vec<String> {
    web_sys::window().map_or_else(Vec::new, |window| {
        let tags = window.navigator().languages();
        tags.iter().filter_map(|tag| tag.as_string()).collect()
    })
}
