//! The head of the page: the name, where we are, light and dark.

use leptos::prelude::*;

use super::context::Lab;
use super::icons;
use crate::browser::{dom, media, storage};
use crate::say;

const THEME: &str = "highwater.theme";
const DARK: &str = "(prefers-color-scheme: dark)";

/// Puts the remembered theme on the page before anything is drawn.
pub fn restore_theme() {
    if let Some(theme @ ("light" | "dark")) = storage::read(THEME).as_deref() {
        dom::set_root("data-theme", Some(theme));
    }
}

/// The header.
pub fn header(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let dark = RwSignal::new(match storage::read(THEME).as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => media::matches(DARK),
    });
    media::watch(DARK, move |now| {
        // Once the reader has chosen, the system no longer decides.
        if storage::read(THEME).is_none() {
            dark.set(now);
        }
    });
    let flip = move |_| {
        let now = !dark.get_untracked();
        let name = if now { "dark" } else { "light" };
        dark.set(now);
        storage::write(THEME, Some(name));
        dom::set_root("data-theme", Some(name));
    };
    view! {
        <a class="skip" href="#picture">{say!(text, SkipToPicture)}</a>
        <header class="top">
            <a class="word" href="./">{icons::logo()}"Highwater"</a>
            <nav aria-label=say!(text, NavMain)>
                <a href="./" aria-current="page">{say!(text, NavLab)}</a>
            </nav>
            <div class="right">
                <button
                    type="button"
                    class="btn plain"
                    aria-label=say!(text, ThemeSwitch)
                    title=say!(text, ThemeSwitch)
                    aria-pressed=move || dark.get().to_string()
                    on:click=flip
                >
                    {icons::theme()}
                </button>
            </div>
        </header>
    }
}
