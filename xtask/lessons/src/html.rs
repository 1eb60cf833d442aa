//! What the lessons write besides what [`highwater::html`] does: escaped text, lengths, the inline form of Markdown.

use highwater::picture::shape::Tenths;
use highwater::picture::svg::{decimal, escape};

/// A text with what HTML needs escaped.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    escape(&mut out, text);
    out
}

/// Tenths of a px as a CSS length.
pub fn length(tenths: Tenths) -> String {
    let mut out = String::new();
    decimal(&mut out, tenths);
    out.push_str("px");
    out
}

/// A line of Markdown's inline form: only `code` is known in headings and questions.
pub fn inline(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 1 {
            out.push_str("<code>");
            escape(&mut out, part);
            out.push_str("</code>");
        } else {
            escape(&mut out, part);
        }
    }
    out
}

/// The same without marks, for titles.
pub fn plain(text: &str) -> String {
    text.replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_code_is_marked() {
        assert_eq!(
            inline("a < `acks=1` & b"),
            "a &lt; <code>acks=1</code> &amp; b"
        );
        assert_eq!(length(745), "74.5px");
    }
}
