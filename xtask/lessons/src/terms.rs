//! `lessons/words/terms.toml`: Kafka's terms, each in one sentence a language. Every lesson lists those that it uses, so that
//! no reader has to know the rows before it.

use std::collections::BTreeMap;

use highwater::html::Html;
use highwater::text::Locale;
use serde::Deserialize;
use toml::Spanned;

use crate::fault::{Fault, line_of};
use crate::lesson::short;
use crate::path::Row;

/// The file.
pub const FILE: &str = "lessons/words/terms.toml";

/// A term.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// As Kafka writes it; what it is called in another language, where that differs.
    pub name: BTreeMap<String, String>,
    /// The row of the path that explains it.
    pub row: u32,
    /// What it means, by language.
    pub says: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    term: Vec<Spanned<Term>>,
}

/// Reads the terms: each has a row, and a sentence in every language.
pub fn read(text: &str, rows: &[Row]) -> Result<Vec<Term>, Vec<Fault>> {
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        vec![Fault::at(FILE, line, error.message())]
    })?;
    let mut faults = Vec::new();
    for term in &file.term {
        let line = line_of(text, term.span().start);
        let term = term.get_ref();
        let name = term.name("en");
        if name.is_empty() {
            faults.push(Fault::at(FILE, line, "a term has no `name.en`"));
        }
        if !rows.iter().any(|row| row.number == term.row) {
            let message = format!("`{name}`: the path has no row {}", term.row);
            faults.push(Fault::at(FILE, line, message));
        }
        for locale in Locale::ALL {
            let language = short(locale);
            if !term.says.contains_key(language) {
                let message = format!("`{name}`: `says.{language}` is missing");
                faults.push(Fault::at(FILE, line, message));
            }
        }
        for language in term.name.keys().chain(term.says.keys()) {
            if !Locale::ALL.iter().any(|l| short(*l) == language) {
                let message = format!("`{name}`: `{language}` is no language of the page");
                faults.push(Fault::at(FILE, line, message));
            }
        }
    }
    if faults.is_empty() {
        Ok(file.term.into_iter().map(Spanned::into_inner).collect())
    } else {
        Err(faults)
    }
}

impl Term {
    /// What it is called in a language.
    pub fn name(&self, language: &str) -> &str {
        let own = self.name.get(language).or_else(|| self.name.get("en"));
        own.map_or("", String::as_str)
    }

    /// Whether a text has it as a word of its own.
    pub fn is_in(&self, text: &str, language: &str) -> bool {
        let name = self.name(language);
        let letter = |c: char| c.is_ascii_alphanumeric();
        !name.is_empty()
            && text.match_indices(name).any(|(place, _)| {
                let before = text.get(..place).and_then(|t| t.chars().next_back());
                let after = text
                    .get(place + name.len()..)
                    .and_then(|t| t.chars().next());
                // A plural or another ending is the same word.
                !before.is_some_and(letter) && !after.is_some_and(|c| letter(c) && name.len() < 4)
            })
    }
}

/// The terms that the page of a row uses, folded up under the word for them. `page` is the page's markup.
pub fn list(
    terms: &[Term],
    page: &str,
    language: &str,
    word: &str,
    row: &Row,
    rows: &[Row],
) -> String {
    let used: Vec<&Term> = terms.iter().filter(|t| t.is_in(page, language)).collect();
    if used.is_empty() {
        return String::new();
    }
    let mut html = Html::default();
    let names: Vec<&str> = used.iter().map(|term| term.name(language)).collect();
    html.raw("<details class=\"terms\"><summary>").text(word);
    html.raw(" <span>")
        .text(&names.join(" · "))
        .raw("</span></summary><dl>");
    for term in used {
        html.raw("<dt>").text(term.name(language)).raw("</dt><dd>");
        html.text(term.says.get(language).map_or("", String::as_str));
        let other = rows
            .iter()
            .find(|r| r.number == term.row && r.number != row.number);
        if let Some(other) = other {
            html.raw(" <a")
                .attr("href", &format!("../{}/", other.slug))
                .raw(">");
            let title = other.title.get(language).map_or("", String::as_str);
            html.markup(&crate::html::inline(title)).raw("</a>");
        }
        html.raw("</dd>");
    }
    html.raw("</dl></details>\n");
    html.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_term_is_a_word_of_its_own() {
        let term = |name: &str| Term {
            name: BTreeMap::from([("en".to_owned(), name.to_owned())]),
            row: 1,
            says: BTreeMap::new(),
        };
        assert!(term("HW").is_in("the HW moves", "en") && term("HW").is_in("HW는", "ko"));
        assert!(!term("HW").is_in("HWM and aHW", "en"));
        assert!(term("fence").is_in("was fenced", "en"));
    }
}
