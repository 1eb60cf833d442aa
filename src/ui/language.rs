//! The language and the theme: chosen by the reader, kept where the browser keeps anything.

use super::behind;
use super::html::Html;
use super::lab::Lab;
use crate::browser::{address, dom, load, reader, resize, stop, storage};
use crate::say;
use crate::session::link;
use crate::text::{Locale, Text};
use crate::view::skeleton::{THEMES, skeleton};
use crate::view::widget;

const LANGUAGE: &str = "highwater.language";
const THEME: &str = "highwater.theme";

/// The language to begin with: what the address asks for, what the reader chose, what the browser prefers. A widget
/// keeps nothing and asks for nothing that was kept.
pub fn first(widget: bool) -> Locale {
    let kept = match widget {
        true => None,
        false => storage::read(LANGUAGE),
    };
    link::language(&address::query())
        .into_iter()
        .chain(kept)
        .chain(reader::languages())
        .find_map(|tag| Locale::of_tag(&tag))
        .unwrap_or_default()
}

/// Hands over the words of a language; they are fetched unless it is English. The error is a short reason.
pub fn fetch(locale: Locale, tell: impl FnOnce(Result<Text, String>) + 'static) {
    let Some(file) = locale.file() else {
        tell(Ok(Text::english()));
        return;
    };
    load::text_then(file, move |file| {
        tell(file.and_then(|file| Text::read(locale, file).map_err(|error| error.to_string())));
    });
}

/// The document is in this language.
pub fn name_document(text: &Text) {
    dom::set_root("lang", Some(text.locale().tag()));
    stop::install(stop::Words {
        stopped: say!(text, Stopped),
        reload: say!(text, Reload),
    });
}

/// The page in another language; everything else stays as it is.
pub fn choose(lab: Lab, tag: &str) {
    let Some(locale) = Locale::of_tag(tag) else {
        return;
    };
    lab.change(|state| state.wanted = locale);
    fetch(locale, move |fetched| {
        // The reader may have chosen again meanwhile.
        if lab.peek(|state| state.wanted != locale) {
            return;
        }
        let (text, failed) = match fetched {
            Ok(text) => (text, None),
            Err(reason) => {
                let text = lab.peek(|state| (*state.text).clone());
                let failed = say!(&text, LanguageFailed, reason = reason);
                (text, Some(failed))
            }
        };
        let widget = lab.peek(|state| state.widget.is_some());
        if failed.is_none() && !widget {
            storage::write(LANGUAGE, Some(locale.tag()));
        }
        let mut html = Html::default();
        match widget {
            true => widget::frame(&text, &mut html),
            false => skeleton(&text, lab.peek(|state| state.theme), &mut html),
        }
        dom::fill("app", &html.done());
        resize::again("pair");
        behind::again();
        name_document(&text);
        lab.change(|state| state.speak(text, failed));
    });
}

/// The theme that the reader chose.
pub fn theme() -> &'static str {
    let kept = storage::read(THEME);
    theme_of(kept.as_deref().unwrap_or_default())
}

fn theme_of(name: &str) -> &'static str {
    let [auto, ..] = THEMES;
    THEMES
        .into_iter()
        .find(|theme| *theme == name)
        .unwrap_or(auto)
}

/// The document has that theme.
pub fn show_theme(theme: &str) {
    dom::set_root("data-theme", Some(theme).filter(|name| *name != "auto"));
}

/// Another theme, from now on.
pub fn choose_theme(lab: Lab, name: &str) {
    let theme = theme_of(name);
    storage::write(THEME, Some(theme).filter(|name| *name != "auto"));
    show_theme(theme);
    lab.change(|state| state.theme = theme);
}
