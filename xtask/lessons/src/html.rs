//! A little HTML writer: what is text is escaped, what is markup is a literal of ours.

use highwater::picture::shape::Tenths;
use highwater::picture::svg::{decimal, escape};

/// Markup that grows.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Markup of ours.
    pub fn raw(&mut self, markup: &str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Text.
    pub fn text(&mut self, text: &str) -> &mut Html {
        escape(&mut self.0, text);
        self
    }

    /// An attribute.
    pub fn attr(&mut self, name: &str, value: &str) -> &mut Html {
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push_str("=\"");
        escape(&mut self.0, value);
        self.0.push('"');
        self
    }

    /// An element with text: `open` is its name and attributes.
    pub fn element(&mut self, open: &str, text: &str) -> &mut Html {
        let name = open.split(' ').next().unwrap_or(open).to_owned();
        self.raw("<").raw(open).raw(">").text(text);
        self.raw("</").raw(&name).raw(">")
    }

    /// What was written.
    pub fn done(self) -> String {
        self.0
    }
}

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
        let mut html = Html::default();
        html.element("a class=\"x\"", "1 < 2");
        assert_eq!(html.done(), "<a class=\"x\">1 &lt; 2</a>");
        assert_eq!(length(745), "74.5px");
    }
}
