//! What the reader's system prefers.

/// Reduced motion is asked for.
pub const REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";

/// Whether a media query holds now.
pub fn matches(query: &str) -> bool {
    web_sys::window()
        .and_then(|window| window.match_media(query).ok().flatten())
        .is_some_and(|list| list.matches())
}
