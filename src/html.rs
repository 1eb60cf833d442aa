//! Writes HTML, for the page and for the lessons. Everything that is not markup of ours goes through [`Html::text`] or
//! [`Html::attr`], which escape.

use crate::picture::svg::escape;

/// Markup that is being written.
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// Markup of ours, as it stands.
    pub fn raw(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Markup that was written elsewhere with the same care (a picture).
    pub fn markup(&mut self, markup: &str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Text.
    pub fn text(&mut self, text: &str) -> &mut Html {
        escape(&mut self.0, text);
        self
    }

    /// Text of an element: `<name>text</name>`; the name may carry attributes of ours.
    pub fn element(&mut self, open: &'static str, text: &str) -> &mut Html {
        let name = open.split(' ').next().unwrap_or(open);
        self.0.push('<');
        self.0.push_str(open);
        self.0.push('>');
        escape(&mut self.0, text);
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
        self
    }

    /// An attribute of the element that is open: ` name="value"`.
    pub fn attr(&mut self, name: &'static str, value: &str) -> &mut Html {
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push_str("=\"");
        escape(&mut self.0, value);
        self.0.push('"');
        self
    }

    /// An attribute when it is so.
    pub fn flag(&mut self, name: &'static str, is_so: bool) -> &mut Html {
        if is_so {
            self.0.push(' ');
            self.0.push_str(name);
        }
        self
    }

    /// The act of the element that is open: `data-do="name:of"`.
    pub fn act(&mut self, name: &'static str, of: &str) -> &mut Html {
        self.0.push_str(" data-do=\"");
        self.0.push_str(name);
        self.0.push(':');
        escape(&mut self.0, of);
        self.0.push('"');
        self
    }

    /// What was written.
    pub fn done(self) -> String {
        self.0
    }
}
