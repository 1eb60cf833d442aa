//! The menu of scenarios: the library, and the recordings of real clusters.

use super::html::Html;
use super::state::{Open, Shelf, State};
use crate::say;
use crate::session::library;
use crate::session::recorded::Listed;
use crate::session::state::Origin;

/// The menu.
pub fn menu(state: &State, html: &mut Html) {
    if state.open != Some(Open::Menu) {
        return;
    }
    let text = &*state.text;
    let open_id = match state.session.origin() {
        Origin::Library(id) => id,
        Origin::Recording(recorded) => recorded.id.as_str(),
    };
    html.raw("<nav class=\"menu\" id=\"menu\"")
        .attr("aria-label", &say!(text, Scenarios))
        .raw(">");
    for shelf in library::SHELVES {
        html.raw("<section>")
            .element("h2", &text.fill(shelf.name, &[]))
            .raw("<ul>");
        for entry in shelf.entries {
            html.raw("<li><button type=\"button\"")
                .act("load", entry.id);
            html.raw(if entry.id == open_id {
                " aria-current=\"true\">"
            } else {
                ">"
            });
            html.text(&text.fill(entry.name, &[]));
            html.element("small", &text.fill(entry.about, &[]))
                .raw("</button></li>");
        }
        html.raw("</ul></section>");
    }
    match &state.shelf {
        Shelf::Unknown | Shelf::Asked => {
            html.element("p class=\"note\" role=\"status\"", &say!(text, MenuLoading));
        }
        Shelf::Failed(reason) => {
            let sentence = say!(text, MenuFailed, reason = reason.clone());
            html.element("p class=\"note\" role=\"alert\"", &sentence);
        }
        Shelf::Here(list) => recordings(state, html, list, open_id),
    }
    let folder = text.locale().tag().get(..2).unwrap_or("en");
    html.raw("<p class=\"note\"><a")
        .attr("href", &format!("./evidence/{folder}/"))
        .raw(">");
    html.text(&say!(text, MenuChecked)).raw("</a></p>");
    html.raw("</nav>");
}

/// By version, newest first; random walks last.
fn recordings(state: &State, html: &mut Html, list: &[Listed], open_id: &str) {
    let text = &*state.text;
    let random = |listed: &Listed| listed.id.starts_with("random-");
    let mut versions: Vec<&str> = Vec::new();
    for listed in list {
        if !versions.contains(&listed.kafka.as_str()) {
            let newer = |known: &&str| *known > listed.kafka.as_str();
            versions.insert(
                versions.iter().take_while(|v| newer(v)).count(),
                &listed.kafka,
            );
        }
    }
    for walks in [false, true] {
        for version in &versions {
            let mut group = list
                .iter()
                .filter(|l| random(l) == walks && l.kafka == *version)
                .peekable();
            if group.peek().is_none() {
                continue;
            }
            let heading = match walks {
                true => say!(text, ShelfRandom, version = *version),
                false => say!(text, Recorded, version = *version),
            };
            html.raw("<section class=\"long\">")
                .element("h2", &heading)
                .raw("<ul>");
            for listed in group {
                html.raw("<li><button type=\"button\"")
                    .act("fetch", &listed.id);
                html.raw(if listed.id == open_id {
                    " aria-current=\"true\">"
                } else {
                    ">"
                });
                html.text(&listed.title);
                html.element("small translate=\"no\"", &listed.id)
                    .raw("</button></li>");
            }
            html.raw("</ul></section>");
        }
    }
}
