//! The prose of one language: Markdown whose headings are the steps.
//!
//! `# Title`, `> one sentence for search engines`, then for each step `## Heading` and its text; `### ` is the question of the
//! step, and what stands under it is shown once it is answered.

use std::collections::BTreeMap;

use highwater::text::template::{self, Form, Piece};
use highwater::text::{Locale, Text, korean};
use pulldown_cmark::{Event, Options, Parser, Tag, html};

use crate::fault::Fault;
use crate::numbers::{self, Allowed};
use crate::value::Value;

/// The most words of prose, in words of English.
pub const MOST_WORDS: usize = 400;

/// The prose of one language, filled and rendered.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// The title.
    pub title: String,
    /// One sentence for search engines and for the index.
    pub description: String,
    /// The steps.
    pub steps: Vec<Step>,
    /// How long it is, in words of English.
    pub words: usize,
}

/// The prose of a step.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Its heading.
    pub heading: String,
    /// Its text as HTML.
    pub body: String,
    /// The question.
    pub prompt: Option<String>,
    /// What is said once the question is answered, as HTML.
    pub after: String,
    /// Whether the text has a quotation: the belief of the first step, the sentence to take away of the last.
    pub quotes: bool,
}

/// What the prose may use.
pub struct Means<'a> {
    /// The language.
    pub text: &'a Text,
    /// Values by the names of their claims.
    pub claims: &'a BTreeMap<String, Value>,
    /// Which numbers are names.
    pub allowed: &'a Allowed,
}

/// Reads, fills and renders a file.
pub fn read(file: &str, source: &str, means: &Means<'_>) -> Result<Prose, Vec<Fault>> {
    let mut faults = Vec::new();
    let filled = fill(file, source, means, &mut faults);
    let words = length(&filled, means.text.locale());
    if words > MOST_WORDS {
        faults.push(Fault::of(
            file,
            format!("the prose has {words} words, expected at most {MOST_WORDS}"),
        ));
    }
    let mut prose = Prose {
        words,
        ..Prose::default()
    };
    let mut block = Block::default();
    for (number, line) in filled.lines().enumerate().map(|(i, l)| (i + 1, l)) {
        if let Some(title) = line.strip_prefix("# ") {
            prose.title = title.trim().to_owned();
        } else if let Some(heading) = line.strip_prefix("## ") {
            block.close(file, &mut prose, &mut faults);
            prose.steps.push(Step {
                heading: heading.trim().to_owned(),
                ..Step::default()
            });
            block = Block::at(number);
        } else if let Some(prompt) = line.strip_prefix("### ") {
            block.close(file, &mut prose, &mut faults);
            block = Block::at(number);
            match prose.steps.last_mut() {
                Some(step) if step.prompt.is_none() => step.prompt = Some(prompt.trim().to_owned()),
                _ => faults.push(Fault::at(
                    file,
                    number,
                    "a step has at most one question (`### `)",
                )),
            }
            block.after = true;
        } else if prose.steps.is_empty() {
            if let Some(quote) = line.strip_prefix("> ") {
                prose.description.push_str(quote.trim());
            } else if !line.trim().is_empty() {
                faults.push(Fault::at(
                    file,
                    number,
                    "text before the first step (`## `)",
                ));
            }
        } else {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    block.close(file, &mut prose, &mut faults);
    if prose.title.is_empty() {
        faults.push(Fault::of(file, "the title is missing; expected `# Title`"));
    }
    if prose.description.is_empty() {
        faults.push(Fault::of(
            file,
            "the description is missing; expected `> One sentence.` under the title",
        ));
    }
    if faults.is_empty() {
        Ok(prose)
    } else {
        Err(faults)
    }
}

/// Lines that belong together.
#[derive(Default)]
struct Block {
    text: String,
    line: usize,
    after: bool,
}

impl Block {
    fn at(line: usize) -> Block {
        Block {
            line,
            ..Block::default()
        }
    }

    fn close(&mut self, file: &str, prose: &mut Prose, faults: &mut Vec<Fault>) {
        let Some(step) = prose.steps.last_mut() else {
            return;
        };
        match render(&self.text) {
            Ok((rendered, quotes)) if self.after => {
                step.after = rendered;
                step.quotes |= quotes;
            }
            Ok((rendered, quotes)) => {
                step.body = rendered;
                step.quotes |= quotes;
            }
            Err(message) => faults.push(Fault::at(file, self.line, message)),
        }
        self.text.clear();
    }
}

/// Markdown as HTML, and whether it has a quotation. Raw HTML is refused: the page says what a lesson may look like.
fn render(markdown: &str) -> Result<(String, bool), String> {
    let mut quotes = false;
    let mut refused = None;
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).inspect(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => refused = Some(raw.trim().to_owned()),
        Event::Start(Tag::BlockQuote(_)) => quotes = true,
        _ => {}
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    match refused {
        Some(raw) => Err(format!("`{raw}` is HTML; write Markdown")),
        None => Ok((out, quotes)),
    }
}

/// The source with every placeholder filled. Bare numbers are faults.
fn fill(file: &str, source: &str, means: &Means<'_>, faults: &mut Vec<Fault>) -> String {
    let mut out = String::new();
    for (number, line) in source.lines().enumerate().map(|(i, l)| (i + 1, l)) {
        for bare in numbers::bare(line, means.allowed) {
            faults.push(Fault::at(
                file,
                number,
                format!(
                    "the number `{bare}` stands bare; make a claim of it and write {{its_name}}"
                ),
            ));
        }
        let start = out.len();
        let mut rest = line;
        while let Some((piece, left)) = template::next(rest) {
            match piece {
                Piece::Literal(literal) => out.push_str(literal),
                Piece::Slot { name, form } => match means.claims.get(name) {
                    Some(value) => out.push_str(&put(value, form, means.text)),
                    None => faults.push(Fault::at(
                        file,
                        number,
                        format!("there is no claim `{name}` in lesson.toml"),
                    )),
                },
            }
            rest = left;
        }
        let lead = line.len() - line.trim_start_matches(['>', ' ']).len();
        if line.get(lead..).is_some_and(|text| text.starts_with('{')) {
            keep_a_paragraph(&mut out, start + lead);
        }
        out.push('\n');
    }
    out
}

/// A value and a full stop at the start of a line (`2. It has m2`) would begin a list: the stop is escaped.
fn keep_a_paragraph(out: &mut String, from: usize) {
    let text = out.get(from..).unwrap_or("");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let stops = text
        .get(digits..)
        .is_some_and(|after| after.starts_with(['.', ')']));
    if digits > 0 && stops {
        out.insert(from + digits, '\\');
    }
}

fn put(value: &Value, form: Form<'_>, text: &Text) -> String {
    let said = value.said(text);
    match form {
        Form::Plain | Form::Capital => said,
        Form::Count(one, many) => if value.count() == 1 { one } else { many }.to_owned(),
        Form::Particle(after_consonant, after_vowel) => {
            let particle = korean::particle(&said, after_consonant, after_vowel);
            said + particle
        }
    }
}

/// How long a text is in words of English: a Korean word counts 5/4, a Chinese character 5/8 (the usual rates of
/// translation), a Latin word in them one.
pub fn length(source: &str, locale: Locale) -> usize {
    let words = source
        .split_whitespace()
        .filter(|w| w.contains(char::is_alphanumeric));
    match locale {
        Locale::En => words.count(),
        Locale::Ko => (words.count() * 5).div_ceil(4),
        Locale::Zh => {
            let han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
            let characters = source.chars().filter(|c| han(*c)).count();
            let latin = source
                .split(|c: char| !c.is_ascii_alphanumeric() && !"_.=-".contains(c))
                .filter(|w| w.contains(|c: char| c.is_ascii_alphanumeric()));
            (characters * 5).div_ceil(8) + latin.count()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_the_start_of_a_line_is_no_list_item() {
        for (line, kept) in [
            ("2. It has m2", "2\\. It has m2"),
            ("2) and so", "2\\) and so"),
            ("2.", "2\\."),
            ("2, with", "2, with"),
            ("m2.", "m2."),
            ("20ms. So", "20ms. So"),
        ] {
            let mut out = line.to_owned();
            keep_a_paragraph(&mut out, 0);
            assert_eq!(out, kept);
            assert!(
                !render(&out).is_ok_and(|(html, _)| html.contains("<li>")),
                "{out}"
            );
        }
    }

    #[test]
    fn lengths_are_in_words_of_english() {
        assert_eq!(length("# The HW is **low** – so", Locale::En), 5);
        assert_eq!(length("HW는 한 번 늦다", Locale::Ko), 5);
        assert_eq!(length("HW 晚一次 fetch 到", Locale::Zh), 5);
    }
}
