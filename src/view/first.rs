//! The page as one piece of markup: what is shown before the module is there, drawn while the page is built. The module
//! then takes over the very elements, so what is written here is what it would have written.

use std::ops::Range;

use super::html::Html;
use super::regions::{ATTRIBUTES, REGIONS};
use super::skeleton::skeleton;
use super::state::State;
use crate::picture::svg::escape_char;

/// The page in that state, as it stands in `#app`.
pub fn page(state: &State) -> String {
    let mut html = Html::default();
    skeleton(&state.text, state.theme, &mut html);
    let mut page = html.done();
    for attribute in ATTRIBUTES {
        set(
            &mut page,
            attribute.id,
            attribute.name,
            (attribute.value)(state),
        );
    }
    for region in REGIONS {
        let mut html = Html::default();
        (region.draw)(state, &mut html);
        if let Some(tag) = tag_of(&page, region.id) {
            page.insert_str(tag.end.saturating_add(1), &html.done());
        }
    }
    page
}

/// Sets or removes an attribute of the element of that id; the value of a text area is its content.
fn set(page: &mut String, id: &str, name: &str, value: Option<String>) {
    let Some(place) = tag_of(page, id) else {
        return;
    };
    let tag = page.get(place.clone()).unwrap_or_default();
    if name == "value" && tag.starts_with("<textarea") {
        // The first line break of a text area is dropped by the reader of the markup.
        let content = format!("\n{}", escaped(&value.unwrap_or_default()));
        page.insert_str(place.end.saturating_add(1), &content);
        return;
    }
    let mut changed = without(tag, name);
    if let Some(value) = value {
        changed = format!("{changed} {name}=\"{}\"", escaped(&value));
    }
    page.replace_range(place, &changed);
}

/// As [`Html::text`], but the lines of a script stay lines.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|c| escape_char(&mut out, c));
    out
}

/// The start tag of the element of that id, without its last bracket.
fn tag_of(page: &str, id: &str) -> Option<Range<usize>> {
    let at = page.find(&format!(" id=\"{id}\""))?;
    let start = page.get(..at)?.rfind('<')?;
    // In values the bracket is escaped.
    let end = page.get(at..)?.find('>')?.saturating_add(at);
    Some(start..end)
}

/// A start tag without that attribute.
fn without(tag: &str, name: &str) -> String {
    let begin = format!(" {name}");
    for (at, _) in tag.match_indices(&begin) {
        let rest = tag
            .get(at.saturating_add(begin.len())..)
            .unwrap_or_default();
        let before = tag.get(..at).unwrap_or_default();
        if rest.is_empty() || rest.starts_with(' ') {
            return format!("{before}{rest}");
        }
        let value = rest
            .strip_prefix("=\"")
            .and_then(|rest| rest.split_once('"'));
        if let Some((_, after)) = value {
            return format!("{before}{after}");
        }
    }
    tag.to_owned()
}
