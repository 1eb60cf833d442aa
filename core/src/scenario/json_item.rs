//! Walks a JSON document: every mistake with its path, and from that with its line and column.

use serde_json::Value as Json;

use super::error::{Expected, ScriptError, shorten};
use super::form::{Kind, Value};
use super::lexer::Mark;
use super::parser::{place_after, too_long};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(String),
    Index(usize),
}

/// A mistake in a document.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    pub path: Vec<Segment>,
    pub found: String,
    pub expected: Expected,
    pub instead: Option<String>,
}

/// A value of the document and the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub value: &'a Json,
    pub path: Vec<Segment>,
}

pub(crate) type Read<T> = Result<T, Wrong>;

/// Parses a document of at most `max` bytes and hands it to `read`; places its mistakes.
pub(crate) fn document<T>(
    text: &str,
    max: usize,
    read: impl FnOnce(&Item<'_>) -> Result<T, Vec<Wrong>>,
) -> Result<T, Vec<ScriptError>> {
    if text.len() > max {
        return Err(vec![too_long(text.len(), max)]);
    }
    let value: Json = serde_json::from_str(text).map_err(|error| {
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or("").to_owned();
        let place = |n: usize| u32::try_from(n.max(1)).unwrap_or(u32::MAX);
        let mark = Mark {
            line: place(error.line()),
            column: place(error.column()),
            length: 0,
        };
        vec![mark.error("", Expected::JsonSyntax(words))]
    })?;
    let root = Item {
        value: &value,
        path: Vec::new(),
    };
    read(&root).map_err(|list| list.into_iter().map(|w| w.placed(text)).collect())
}

impl Wrong {
    /// The mistake at its place in the text.
    fn placed(self, text: &str) -> ScriptError {
        let offset = find(text, &self.path);
        let mut mark = place_after(text.get(..offset).unwrap_or(""));
        mark.length = 0;
        ScriptError {
            path: print(&self.path),
            instead: self.instead,
            ..mark.error(&self.found, self.expected)
        }
    }
}

/// `steps[3].keep`.
pub(crate) fn print(path: &[Segment]) -> String {
    let mut out = String::new();
    for segment in path {
        match segment {
            Segment::Index(index) => out.push_str(&format!("[{index}]")),
            Segment::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&shorten(key));
            }
        }
    }
    out
}

impl<'a> Item<'a> {
    /// A mistake here: what stands here is not what was expected.
    pub(crate) fn wrong(&self, expected: Expected) -> Wrong {
        let found = match self.value {
            Json::String(text) => text.clone(),
            Json::Array(_) => "an array".to_owned(),
            Json::Object(_) => "an object".to_owned(),
            other => other.to_string(),
        };
        Wrong {
            path: self.path.clone(),
            found: shorten(&found),
            expected,
            instead: None,
        }
    }

    fn at(&self, segment: Segment, value: &'a Json) -> Item<'a> {
        let mut path = self.path.clone();
        path.push(segment);
        Item { value, path }
    }

    /// The value under a key, if the key is there.
    pub(crate) fn maybe(&self, key: &str) -> Option<Item<'a>> {
        let value = self.value.as_object()?.get(key)?;
        Some(self.at(Segment::Key(key.to_owned()), value))
    }

    /// The value under a key.
    pub(crate) fn need(&self, key: &'static str) -> Read<Item<'a>> {
        self.maybe(key).ok_or_else(|| Wrong {
            path: self.path.clone(),
            found: String::new(),
            expected: Expected::Argument(key),
            instead: None,
        })
    }

    /// All keys with their values, in alphabetical order.
    pub(crate) fn entries(&self) -> Read<Vec<(&'a str, Item<'a>)>> {
        let object = self.value.as_object();
        let object = object.ok_or_else(|| self.wrong(Expected::Json("an object")))?;
        let entry = |(key, value): (&'a String, &'a Json)| {
            (key.as_str(), self.at(Segment::Key(key.clone()), value))
        };
        Ok(object.iter().map(entry).collect())
    }

    /// Sees to it that the object has no other keys than these.
    pub(crate) fn only(&self, known: &[&'static str]) -> Read<()> {
        for (key, item) in self.entries()? {
            if !known.contains(&key) {
                return Err(Wrong {
                    found: shorten(key),
                    expected: Expected::Words(known.to_vec()),
                    instead: super::words::nearest(key, known.iter().copied()).map(str::to_owned),
                    path: item.path,
                });
            }
        }
        Ok(())
    }

    /// The members of an array.
    pub(crate) fn list(&self) -> Read<Vec<Item<'a>>> {
        let list = self.value.as_array();
        let list = list.ok_or_else(|| self.wrong(Expected::Json("an array")))?;
        let member = |(index, value)| self.at(Segment::Index(index), value);
        Ok(list.iter().enumerate().map(member).collect())
    }

    /// A string.
    pub(crate) fn text(&self) -> Read<&'a str> {
        let text = self.value.as_str();
        text.ok_or_else(|| self.wrong(Expected::Json("a string")))
    }

    /// `true` or `false`.
    pub(crate) fn truth(&self) -> Read<bool> {
        let truth = self.value.as_bool();
        truth.ok_or_else(|| self.wrong(Expected::Json("true or false")))
    }

    /// A whole number up to `max`.
    pub(crate) fn number(&self, max: u64) -> Read<u64> {
        let number = self.value.as_u64().filter(|n| *n <= max);
        number.ok_or_else(|| self.wrong(Expected::Number { min: 0, max }))
    }

    /// A value as the text form writes it: numbers, words, lists and pairs in JSON's own types or as text.
    pub(crate) fn value(&self, kind: Kind) -> Read<Value> {
        let mark = if kind == Kind::Starts { '@' } else { ':' };
        let text = as_text(self.value, mark);
        let text = text.ok_or_else(|| self.wrong(kind.expected()))?;
        kind.read(&text).map_err(|expected| self.wrong(expected))
    }
}

/// The text form of a JSON value; none for an object or for arrays in arrays in arrays.
pub(crate) fn as_text(value: &Json, mark: char) -> Option<String> {
    let scalar = |value: &Json| match value {
        Json::Null => Some("none".to_owned()),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) => Some(text.clone()),
        _ => None,
    };
    let Json::Array(list) = value else {
        return scalar(value);
    };
    let member = |value: &Json| match value {
        Json::Array(pair) => match pair.as_slice() {
            [a, b] => Some(format!("{}{mark}{}", scalar(a)?, scalar(b)?)),
            _ => None,
        },
        // A string with commas would be taken for several members.
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let members: Option<Vec<String>> = list.iter().map(member).collect();
    let members = members?;
    Some(if members.is_empty() {
        "none".to_owned()
    } else {
        members.join(",")
    })
}

/// Where in the text the value of a path begins (the key, when the last step is a key); of the last that is there.
fn find(text: &str, path: &[Segment]) -> usize {
    let mut place = space(text.as_bytes(), 0);
    let _ = walk(text, path, &mut place);
    place
}

fn walk(text: &str, path: &[Segment], place: &mut usize) -> Option<()> {
    let bytes = text.as_bytes();
    let mut at = *place;
    for segment in path {
        at = space(bytes, at + 1);
        match segment {
            Segment::Index(index) => {
                for _ in 0..*index {
                    at = space(bytes, skip(bytes, at)?);
                    at = space(bytes, at + 1);
                }
                *place = at;
            }
            Segment::Key(key) => loop {
                let end = skip(bytes, at)?;
                let name: String = serde_json::from_str(text.get(at..end)?).ok()?;
                let value = space(bytes, space(bytes, end) + 1);
                if name == *key {
                    *place = at;
                    at = value;
                    break;
                }
                at = space(bytes, skip(bytes, value)?);
                at = space(bytes, at + 1);
            },
        }
    }
    Some(())
}

fn space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The end of the value that begins at `at`.
fn skip(bytes: &[u8], mut at: usize) -> Option<usize> {
    let (mut depth, mut quoted) = (0usize, false);
    let start = at;
    while let Some(byte) = bytes.get(at) {
        match (quoted, byte) {
            (true, b'\\') => at += 1,
            (true, b'"') => quoted = false,
            (true, _) => {}
            (false, b'"') => quoted = true,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']' | b',' | b':') if depth == 0 => return Some(at),
            (false, b'}' | b']') => depth -= 1,
            (false, byte) if depth == 0 && byte.is_ascii_whitespace() => return Some(at),
            _ => {}
        }
        at += 1;
        let complete = matches!(bytes.get(at - 1), Some(b'"' | b'}' | b']'));
        if depth == 0 && !quoted && complete {
            return Some(at);
        }
    }
    (at > start).then_some(at)
}
