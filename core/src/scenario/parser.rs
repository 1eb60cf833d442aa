//! Text to scenario, with the line of every step; mistakes with their places.

use super::arguments::{arguments, option_words};
use super::check::{MAX_STEPS, Place as Where, check, valid_title};
use super::convert::{action_of, replica_of, start_of};
use super::error::{Counted, Expected, ScriptError};
use super::form::Kind;
use super::lexer::{Mark, Token, words};
use super::lists;
use super::names;
use super::time;
use super::value::{Action, Scenario, Start, Step, When};
use super::verbs::{self, BROKER_LINE, START, VERBS};
use super::words::nearest;
use crate::kafka::sort;

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 1_000_000;
/// After so many mistakes the rest is not looked at.
pub const MAX_ERRORS: usize = 20;

/// A scenario with the lines that its parts stood on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The scenario.
    pub scenario: Scenario,
    /// For each step the line it stands on, from 1.
    pub step_lines: Vec<u32>,
}

/// Reads a script. See `docs/scenario-language.md` for the language.
pub fn parse(text: &str) -> Result<Scenario, Vec<ScriptError>> {
    parse_with_lines(text).map(|parsed| parsed.scenario)
}

/// Reads a script from bytes that may not be UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Parsed, Vec<ScriptError>> {
    if bytes.len() > MAX_BYTES {
        return Err(vec![too_long(bytes.len(), MAX_BYTES)]);
    }
    match core::str::from_utf8(bytes) {
        Ok(text) => parse_with_lines(text),
        Err(error) => Err(vec![not_utf8(bytes, error)]),
    }
}

/// The refusal of bytes that are not UTF-8, at the first that is not.
pub(crate) fn not_utf8(bytes: &[u8], error: core::str::Utf8Error) -> ScriptError {
    let (good, bad) = bytes
        .split_at_checked(error.valid_up_to())
        .unwrap_or((bytes, &[]));
    let found = bad
        .first()
        .map(|b| format!("byte 0x{b:02x}"))
        .unwrap_or_default();
    place_after(core::str::from_utf8(good).unwrap_or("")).error(&found, Expected::Utf8)
}

/// The place directly after a text.
pub(crate) fn place_after(text: &str) -> Mark {
    let line = text.bytes().filter(|b| *b == b'\n').count() + 1;
    let last = text.rsplit('\n').next().unwrap_or("");
    Mark {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(last.chars().count() + 1).unwrap_or(u32::MAX),
        length: 1,
    }
}

/// The refusal of a text that is not looked at.
pub(crate) fn too_long(bytes: usize, max: usize) -> ScriptError {
    let start = Mark {
        line: 1,
        column: 1,
        length: 0,
    };
    let max = u64::try_from(max).unwrap_or(u64::MAX);
    let expected = Expected::AtMost {
        what: Counted::Bytes,
        max,
    };
    start.error(&format!("{bytes} bytes"), expected)
}

/// Reads a script and keeps the line of each step.
pub fn parse_with_lines(text: &str) -> Result<Parsed, Vec<ScriptError>> {
    if text.len() > MAX_BYTES {
        return Err(vec![too_long(text.len(), MAX_BYTES)]);
    }
    let mut parser = Parser::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, number) in text.lines().zip(1u32..) {
        if let Err(error) = parser.line(line, number) {
            parser.errors.push(error);
        }
        if parser.errors.len() >= MAX_ERRORS || parser.full {
            break;
        }
    }
    parser.finish()
}

/// A `name=value` pair of a `set` line.
struct Pair {
    name: String,
    value: String,
    name_mark: Mark,
    value_mark: Mark,
}

#[derive(Default)]
struct Parser {
    parsed: Parsed,
    pairs: Vec<Pair>,
    marks: Vec<(Where, Mark)>,
    has_title: bool,
    /// Steps whose line was wrong count too: what is before the first of them is.
    has_steps: bool,
    full: bool,
    errors: Vec<ScriptError>,
}

type Line<T> = Result<T, ScriptError>;

impl Parser {
    fn line(&mut self, line: &str, number: u32) -> Line<()> {
        let trimmed = line.trim();
        if let Some(rest) = trimmed.strip_prefix("title")
            && rest.chars().next().is_none_or(char::is_whitespace)
        {
            return self.title(line, rest.trim(), number);
        }
        let (tokens, end) = words(line, number)?;
        let Some((first, rest)) = tokens.split_first() else {
            return Ok(());
        };
        match first.text {
            "set" => self.settings(first, rest, end),
            "start" => self.start(first, rest, end),
            "broker" => self.replica(first, rest, end),
            "at" | "after" | "then" => self.step(first, rest, end),
            _ => Err(unknown_statement(first)),
        }
    }

    fn title(&mut self, line: &str, title: &str, number: u32) -> Line<()> {
        let before = line.len() - line.trim_start().len();
        let indent = line.get(..before).unwrap_or("").chars().count();
        let mark = Mark {
            line: number,
            column: u32::try_from(indent + 1).unwrap_or(u32::MAX),
            length: 5,
        };
        self.before_steps(mark, "title")?;
        if core::mem::replace(&mut self.has_title, true) {
            return Err(mark.error("title", Expected::Once));
        }
        if !valid_title(title) {
            return Err(mark.error(title, Expected::Title));
        }
        self.parsed.scenario.title = title.to_owned();
        Ok(())
    }

    fn before_steps(&self, mark: Mark, word: &str) -> Line<()> {
        if self.has_steps {
            return Err(mark.error(word, Expected::BeforeSteps));
        }
        Ok(())
    }

    fn settings(&mut self, first: &Token<'_>, rest: &[Token<'_>], end: Mark) -> Line<()> {
        self.before_steps(first.mark, first.text)?;
        if rest.is_empty() {
            return Err(end.error("", Expected::NameAndValue));
        }
        for token in rest {
            let Some(name) = token.key else {
                let mut error = token.mark.error(token.text, Expected::NameAndValue);
                if let ([name, value], Some(setting)) = (rest, names::find(token.text))
                    && name.mark == token.mark
                {
                    error.instead = Some(format!("set {}={}", setting.name, value.text));
                }
                return Err(error);
            };
            let key_length = u32::try_from(name.chars().count()).unwrap_or(u32::MAX);
            self.pairs.push(Pair {
                name: name.to_owned(),
                value: token.value.clone().into_owned(),
                name_mark: Mark {
                    length: key_length,
                    ..token.mark
                },
                value_mark: token.value_mark,
            });
        }
        Ok(())
    }

    fn start(&mut self, first: &Token<'_>, rest: &[Token<'_>], end: Mark) -> Line<()> {
        self.before_steps(first.mark, first.text)?;
        // `start 1` is the action, which lacks its time.
        if let [token, ..] = rest
            && token.key.is_none()
            && lists::read_broker(token.text).is_some()
        {
            let mut error = token.mark.error(token.text, option_words(&START));
            error.instead = Some(format!("then start {}", token.text));
            return Err(error);
        }
        if self.parsed.scenario.start.is_some() {
            return Err(first.mark.error(first.text, Expected::Once));
        }
        self.parsed.scenario.start = Some(Start::default());
        self.marks.push((Where::Start(""), first.mark));
        let (form, marks) = arguments(&START, rest, end)?;
        for (name, mark) in marks {
            self.marks.push((Where::Start(name), mark));
        }
        self.parsed.scenario.start = Some(start_of(&form));
        Ok(())
    }

    fn replica(&mut self, first: &Token<'_>, rest: &[Token<'_>], end: Mark) -> Line<()> {
        self.before_steps(first.mark, first.text)?;
        let Some(start) = &mut self.parsed.scenario.start else {
            return Err(first.mark.error(first.text, Expected::AfterStart));
        };
        let index = start.replicas.len();
        let (form, marks) = arguments(&BROKER_LINE, rest, end)?;
        start.replicas.push(replica_of(&form));
        self.marks.push((Where::Replica(index, ""), first.mark));
        for (name, mark) in marks {
            self.marks.push((Where::Replica(index, name), mark));
        }
        Ok(())
    }

    fn step(&mut self, first: &Token<'_>, rest: &[Token<'_>], end: Mark) -> Line<()> {
        self.has_steps = true;
        let index = self.parsed.scenario.steps.len();
        if index >= MAX_STEPS {
            self.full = true;
            let expected = Expected::AtMost {
                what: Counted::Steps,
                max: MAX_STEPS as u64,
            };
            return Err(first.mark.error(first.text, expected));
        }
        let (when, when_mark, rest) = when(first, rest, end)?;
        let Some((word, rest)) = rest.split_first() else {
            return Err(end.error("", Expected::Action));
        };
        let Some(verb) = verbs::find(word.text) else {
            return Err(unknown_action(word, rest));
        };
        let (form, marks) = arguments(verb, rest, end)?;
        let action = action_of(verb.word, &form).map_err(|expected| end.error("", expected))?;
        let given = form.get("records").is_some();
        let action = with_records(&self.parsed.scenario.steps, action, given);
        self.marks.push((Where::Step(index, "when"), when_mark));
        self.marks.push((Where::Step(index, "do"), word.mark));
        for (name, mark) in marks {
            self.marks.push((Where::Step(index, name), mark));
        }
        self.parsed.step_lines.push(first.mark.line);
        self.parsed.scenario.steps.push(Step { when, action });
        Ok(())
    }

    fn finish(mut self) -> Result<Parsed, Vec<ScriptError>> {
        let pairs: Vec<(&str, &str)> = self
            .pairs
            .iter()
            .map(|pair| (pair.name.as_str(), pair.value.as_str()))
            .collect();
        let settings = &mut self.parsed.scenario.settings;
        if let Err(errors) = names::set_all(settings, &pairs) {
            for (place, error) in errors {
                let Some(pair) = self.pairs.get(place) else {
                    continue;
                };
                let mark = match error.expected {
                    Expected::SettingName | Expected::Once => pair.name_mark,
                    _ => pair.value_mark,
                };
                self.errors.push(ScriptError {
                    instead: error.instead,
                    ..mark.error(&error.found, error.expected)
                });
            }
        }
        // What depends on other lines is looked at only when every line could be read.
        if self.errors.is_empty() {
            for fault in check(&self.parsed.scenario).into_iter().take(MAX_ERRORS) {
                let mark = self.mark(fault.place);
                self.errors.push(mark.error(&fault.found, fault.expected));
            }
        }
        if self.errors.is_empty() {
            return Ok(self.parsed);
        }
        sort::insertion(&mut self.errors, |a, b| {
            (a.line, a.column) < (b.line, b.column)
        });
        self.errors.dedup_by_key(|error| error.line);
        self.errors.truncate(MAX_ERRORS);
        Err(self.errors)
    }

    /// The place of an argument; of its line when it was not written.
    fn mark(&self, place: Where) -> Mark {
        let line = match place {
            Where::Title => Where::Title,
            Where::Start(_) => Where::Start(""),
            Where::Replica(index, _) => Where::Replica(index, ""),
            Where::Step(index, _) => Where::Step(index, "do"),
        };
        let find = |place| self.marks.iter().find(|(p, _)| *p == place);
        let found = find(place).or_else(|| find(line));
        found.map(|(_, mark)| *mark).unwrap_or(Mark {
            line: 1,
            column: 1,
            length: 0,
        })
    }
}

/// A retry without a number has as many records as the call that it sends again.
pub(crate) fn with_records(before: &[Step], action: Action, given: bool) -> Action {
    let Action::Produce(mut call) = action else {
        return action;
    };
    if !given && call.retry_of.is_some() {
        let found = before.iter().find_map(|step| match &step.action {
            Action::Produce(earlier) if earlier.id == call.retry_of => Some(earlier.records),
            _ => None,
        });
        call.records = found.unwrap_or(1);
    }
    Action::Produce(call)
}

type Timed<'t, 'a> = (When, Mark, &'t [Token<'a>]);

fn when<'t, 'a>(first: &Token<'a>, rest: &'t [Token<'a>], end: Mark) -> Line<Timed<'t, 'a>> {
    if first.text == "then" {
        return Ok((When::Settled, first.mark, rest));
    }
    let expected = Kind::Time(0).expected();
    let Some((token, rest)) = rest.split_first() else {
        return Err(end.error("", expected));
    };
    let time = time::read(token.text).filter(|t| *t <= time::LONGEST);
    let time = time.ok_or_else(|| token.mark.error(token.text, expected))?;
    let when = match first.text {
        "at" => When::At(time),
        _ => When::After(time),
    };
    Ok((when, token.mark, rest))
}

fn unknown_statement(token: &Token<'_>) -> ScriptError {
    let mut error = token.mark.error(token.text, Expected::Statement);
    let statements = ["title", "set", "start", "broker", "at", "after", "then"];
    error.instead = if verbs::find(token.text).is_some() {
        Some(format!("then {}", token.text))
    } else if token.key.is_some_and(|key| names::find(key).is_some()) {
        Some(format!("set {}", token.text))
    } else {
        nearest(token.text, statements.into_iter()).map(str::to_owned)
    };
    error
}

fn unknown_action(token: &Token<'_>, rest: &[Token<'_>]) -> ScriptError {
    let mut error = token.mark.error(token.text, Expected::Action);
    let joined = rest
        .first()
        .map(|next| format!("{}-{}", token.text, next.text));
    let joined = joined.and_then(|word| verbs::find(&word));
    error.instead = match joined {
        Some(verb) => Some(verb.word.to_owned()),
        None => nearest(token.text, VERBS.iter().map(|v| v.word)).map(str::to_owned),
    };
    error
}
