//! Markup that escapes what it is given.

use crate::picture::svg::escape_char;

/// Appends text; unlike a picture's words it keeps its tabs and line breaks.
pub fn escape(out: &mut String, text: &str) {
    text.chars().for_each(|c| escape_char(out, c));
}

/// A table: names of its columns, rows of cells. Everything is text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows: Kafka's name of it.
    pub name: String,
    /// What it tells, in a sentence of the reader's language; may be empty.
    pub about: String,
    /// Columns or rows by name, with what they mean.
    pub meanings: Vec<(&'static str, String)>,
    /// The names of the columns.
    pub head: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new(name: impl Into<String>, head: &[&'static str]) -> Table {
        Table {
            name: name.into(),
            about: String::new(),
            meanings: Vec::new(),
            head: head.to_vec(),
            rows: Vec::new(),
        }
    }

    /// With what it tells.
    pub fn about(mut self, about: String) -> Table {
        self.about = about;
        self
    }

    /// With what one of its columns or rows means.
    pub fn means(mut self, name: &'static str, meaning: String) -> Table {
        self.meanings.push((name, meaning));
        self
    }

    /// A table of fields and their values.
    pub fn of_fields(name: impl Into<String>, fields: Vec<(&'static str, String)>) -> Table {
        let mut table = Table::new(name, &["field", "value"]);
        table.rows = fields
            .into_iter()
            .map(|(field, value)| vec![field.to_owned(), value])
            .collect();
        table
    }
}

/// An element with text in it.
pub fn element(out: &mut String, open: &str, text: &str) {
    let name = open.split(' ').next().unwrap_or(open);
    out.push('<');
    out.push_str(open);
    out.push('>');
    escape(out, text);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// A button with attributes of ours and words of its own.
pub fn button(out: &mut String, class: &str, attributes: &[(&str, &str)], words: &str) {
    out.push_str("<button type=\"button\" class=\"");
    out.push_str(class);
    out.push('"');
    for (name, value) in attributes {
        out.push(' ');
        out.push_str(name);
        out.push_str("=\"");
        escape(out, value);
        out.push('"');
    }
    out.push('>');
    escape(out, words);
    out.push_str("</button>");
}

/// A table under its name and what it tells, the meaning of its names behind a disclosure.
pub fn table(out: &mut String, table: &Table, means: &str) {
    out.push_str("<section class=\"table\">");
    element(out, "h3 translate=\"no\"", &table.name);
    if !table.about.is_empty() {
        element(out, "p class=\"note\"", &table.about);
    }
    if !table.rows.is_empty() {
        rows(out, table);
    }
    meanings(out, table, means);
    out.push_str("</section>");
}

fn rows(out: &mut String, table: &Table) {
    out.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
    escape(out, &table.name);
    out.push_str("\"><table class=\"fields\">");
    out.push_str("<thead><tr>");
    for name in &table.head {
        element(out, "th scope=\"col\" translate=\"no\"", name);
    }
    out.push_str("</tr></thead><tbody>");
    for row in &table.rows {
        out.push_str("<tr>");
        for (place, cell) in row.iter().enumerate() {
            let open = if place == 0 { "th scope=\"row\"" } else { "td" };
            element(out, open, cell);
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
}

fn meanings(out: &mut String, table: &Table, means: &str) {
    if table.meanings.is_empty() || table.rows.is_empty() {
        return;
    }
    out.push_str("<details class=\"means\">");
    element(out, "summary", means);
    out.push_str("<dl>");
    for (name, meaning) in &table.meanings {
        element(out, "dt translate=\"no\"", name);
        element(out, "dd", meaning);
    }
    out.push_str("</dl></details>");
}
