//! Small drawings: controls and the marks of the verdict table. Their shapes carry the meaning, colour only repeats it.

use leptos::prelude::*;

fn glyph(path: &'static str) -> impl IntoView {
    view! { <svg viewBox="0 0 14 14" aria-hidden="true"><path d=path/></svg> }
}

/// Previous event.
pub fn previous() -> impl IntoView {
    glyph("M11 2v10L4 7zM2 2h1.6v10H2z")
}

/// Next event.
pub fn next() -> impl IntoView {
    glyph("M3 2v10l7-5zM10.4 2H12v10h-1.6z")
}

/// Play.
pub fn play() -> impl IntoView {
    glyph("M3 1.5v11l9-5.5z")
}

/// Pause.
pub fn pause() -> impl IntoView {
    glyph("M3 2h3v10H3zM8 2h3v10H8z")
}

/// Add.
pub fn plus() -> impl IntoView {
    glyph("M6.2 2h1.6v4.2H12v1.6H7.8V12H6.2V7.8H2V6.2h4.2z")
}

/// Remove.
pub fn remove() -> impl IntoView {
    glyph("M3.2 2.2 7 6l3.8-3.8 1 1L8 7l3.8 3.8-1 1L7 8l-3.8 3.8-1-1L6 7 2.2 3.2z")
}

/// A disclosure; the style sheet turns it.
pub fn chevron() -> impl IntoView {
    view! {
        <svg class="turns" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M2 4.2 7 9.3l5-5.1 1 1-6 6.1-6-6.1z"/>
        </svg>
    }
}

/// Light and dark.
pub fn theme() -> impl IntoView {
    glyph("M7 1a6 6 0 1 0 0 12A6 6 0 0 0 7 1zm0 1.5v9a4.5 4.5 0 0 1 0-9z")
}

/// Highwater's mark: two stairs.
pub fn logo() -> impl IntoView {
    view! {
        <svg viewBox="0 0 20 20" aria-hidden="true">
            <path class="logo-hw" d="M1 4h6v6h6v6h6"/>
            <path class="logo-leo" d="M7 4h6v6h6"/>
        </svg>
    }
}

/// A mark of the verdict table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Disc with a tick.
    Ok,
    /// Square with a bar.
    Refused,
    /// Ring with a question mark.
    Unknown,
    /// Cross.
    Lost,
}

/// Draws a mark.
pub fn mark(mark: Mark) -> AnyView {
    match mark {
        Mark::Ok => view! {
            <svg class="icon-ok" viewBox="0 0 14 14" aria-hidden="true">
                <circle cx="7" cy="7" r="6"/><path d="M4 7.2l2.2 2.2L10 5"/>
            </svg>
        }
        .into_any(),
        Mark::Refused => view! {
            <svg class="icon-refused" viewBox="0 0 14 14" aria-hidden="true">
                <rect x="1.5" y="1.5" width="11" height="11"/><path d="M4 7h6"/>
            </svg>
        }
        .into_any(),
        Mark::Unknown => view! {
            <svg class="icon-unknown" viewBox="0 0 14 14" aria-hidden="true">
                <circle cx="7" cy="7" r="5.6"/><text x="7" y="10.2">"?"</text>
            </svg>
        }
        .into_any(),
        Mark::Lost => view! {
            <svg class="icon-lost" viewBox="0 0 14 14" aria-hidden="true">
                <path d="M2.5 2.5l9 9M11.5 2.5l-9 9"/>
            </svg>
        }
        .into_any(),
    }
}
