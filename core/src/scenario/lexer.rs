//! Splits a line into words. A word is `value` or `key=value`; a value may stand in quotation marks; a `#` at the
//! beginning of a word makes the rest of the line a comment.

use std::borrow::Cow;

use super::error::{Expected, ScriptError, shorten};

/// A place in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// In characters.
    pub length: u32,
}

impl Mark {
    /// An error here.
    pub(crate) fn error(self, found: &str, expected: Expected) -> ScriptError {
        ScriptError {
            line: self.line,
            column: self.column,
            length: self.length,
            path: String::new(),
            found: shorten(found),
            expected,
            instead: None,
        }
    }
}

/// A word of a line.
#[derive(Clone, Debug)]
pub(crate) struct Token<'a> {
    /// The whole word.
    pub text: &'a str,
    /// Before the `=`, if there is one.
    pub key: Option<&'a str>,
    /// After it, or the whole word; without quotation marks.
    pub value: Cow<'a, str>,
    /// Whether the value stood in quotation marks.
    pub quoted: bool,
    /// The whole word.
    pub mark: Mark,
    /// The value.
    pub value_mark: Mark,
}

fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// The words of a line, and the place of its end.
pub(crate) fn words(line: &str, number: u32) -> Result<(Vec<Token<'_>>, Mark), ScriptError> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (line, 1u32);
    let mut end = Mark {
        line: number,
        column,
        length: 0,
    };
    loop {
        let trimmed = rest.trim_start();
        let skipped = rest.len() - trimmed.len();
        column += count(rest.get(..skipped).unwrap_or(""));
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return Ok((tokens, end));
        }
        let here = Mark {
            line: number,
            column,
            length: 0,
        };
        let (token, after) = word(trimmed, here)?;
        column += token.mark.length;
        end.column = column;
        rest = after;
        tokens.push(token);
    }
}

/// The word that `text` begins with, and what follows it.
fn word(text: &str, here: Mark) -> Result<(Token<'_>, &str), ScriptError> {
    let bare = text.find(char::is_whitespace).unwrap_or(text.len());
    let opening = text.find('"').filter(|at| *at < bare);
    let key_end = text.find('=').filter(|at| *at < bare);
    let quote = match (opening, key_end) {
        (Some(0), _) => Some(0),
        (Some(at), Some(key)) if at == key + 1 => Some(at),
        _ => None,
    };
    let (end, value, key) = match quote {
        Some(at) => {
            let mut mark = here;
            mark.column += count(text.get(..at).unwrap_or(""));
            let (end, value) = unquote(text, at, mark)?;
            let key = if at == 0 { None } else { text.get(..at - 1) };
            (end, Cow::Owned(value), key)
        }
        None => {
            let key = key_end.and_then(|at| text.get(..at));
            let from = key_end.map_or(0, |at| at + 1);
            (bare, Cow::Borrowed(text.get(from..bare).unwrap_or("")), key)
        }
    };
    let (whole, after) = text.split_at_checked(end).unwrap_or((text, ""));
    let mark = Mark {
        length: count(whole),
        ..here
    };
    let before = key.map_or(0, |key| count(key) + 1);
    let value_mark = Mark {
        column: mark.column + before,
        length: mark.length - before,
        ..mark
    };
    let token = Token {
        text: whole,
        key,
        value,
        quoted: quote.is_some(),
        mark,
        value_mark,
    };
    Ok((token, after))
}

/// The end of the value that is quoted from `at` on, and the value. `\"` and `\\` stand for the character itself.
fn unquote(text: &str, at: usize, mark: Mark) -> Result<(usize, String), ScriptError> {
    let mut value = String::new();
    let mut letters = text.char_indices().skip_while(|(i, _)| *i <= at);
    let open = |expected| Err(mark.error(text.get(at..).unwrap_or(""), expected));
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                Some((_, other)) => value.extend(['\\', other]),
                None => return open(Expected::ClosingQuote),
            },
            '"' => {
                let end = place + 1;
                let next = text.get(end..).and_then(|rest| rest.chars().next());
                if next.is_some_and(|c| !c.is_whitespace()) {
                    return open(Expected::EndOfLine);
                }
                return Ok((end, value));
            }
            other => value.push(other),
        }
    }
    open(Expected::ClosingQuote)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn words_have_their_columns_in_characters() {
        let (tokens, end) = words("  né  id=\"a \\\"b\" x=1 # c", 4).unwrap();
        let seen: Vec<(u32, u32, Option<&str>, &str)> = tokens
            .iter()
            .map(|t| (t.mark.column, t.mark.length, t.key, &*t.value))
            .collect();
        let expected = vec![
            (3, 2, None, "né"),
            (7, 10, Some("id"), "a \"b"),
            (18, 3, Some("x"), "1"),
        ];
        assert_eq!(seen, expected);
        assert_eq!((end.line, end.column), (4, 21));
    }

    #[test]
    fn an_open_quotation_mark_is_an_error_at_its_place() {
        let error = words("a id=\"b", 1).unwrap_err();
        assert_eq!((error.column, error.expected), (6, Expected::ClosingQuote));
    }
}
