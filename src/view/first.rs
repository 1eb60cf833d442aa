//! The page as one piece of markup: what is shown before the module is there, drawn while the page is built. The module
//! then takes over the very elements, so what is written here is what it would have written.

use super::html::Html;
use super::regions::{ATTRIBUTES, REGIONS};
use super::skeleton::skeleton;
use super::state::State;
use crate::picture::svg::escape_char;

/// The page in that state, as it stands in `#app`: the skeleton with its attributes and regions filled in, in one walk.
pub fn page(state: &State) -> String {
    let mut html = Html::default();
    skeleton(&state.text, state.theme, &mut html);
    let skeleton = html.done();
    let (mut page, mut rest) = (String::new(), skeleton.as_str());
    // In values the bracket is escaped.
    while let Some((before, (tag, after))) = rest
        .split_once('<')
        .and_then(|(before, rest)| Some((before, rest.split_once('>')?)))
    {
        page.push_str(before);
        element(state, tag, &mut page);
        rest = after;
    }
    page.push_str(rest);
    page
}

/// A start tag with the attributes that follow the state, and what the state puts behind it. `tag` stands between brackets.
fn element(state: &State, tag: &str, page: &mut String) {
    let id = tag
        .split_once(" id=\"")
        .and_then(|(_, id)| id.split_once('"'));
    let id = id.map_or("", |(id, _)| id);
    let mut changed = tag.to_owned();
    let mut content = Html::default();
    for attribute in ATTRIBUTES.iter().filter(|attribute| attribute.id == id) {
        let value = (attribute.value)(state);
        if attribute.name == "value" && tag.starts_with("textarea") {
            // The value of a text area is its content, of which the reader of the markup drops the first line break.
            let text = escaped(&value.unwrap_or_default());
            content.raw("\n").markup(&text);
            continue;
        }
        changed = without(&changed, attribute.name);
        if let Some(value) = value {
            changed = format!("{changed} {}=\"{}\"", attribute.name, escaped(&value));
        }
    }
    for region in REGIONS.iter().filter(|region| region.id == id) {
        (region.draw)(state, &mut content);
    }
    page.push('<');
    page.push_str(&changed);
    page.push('>');
    page.push_str(&content.done());
}

/// As [`Html::text`], but the lines of a script stay lines.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    text.chars().for_each(|c| escape_char(&mut out, c));
    out
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
