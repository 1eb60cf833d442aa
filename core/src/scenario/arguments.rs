//! The words after a verb as arguments.

use super::error::{Expected, ScriptError};
use super::form::{Form, Kind, Param, Place, Value};
use super::lexer::{Mark, Token};
use super::verbs::Verb;
use super::words::nearest;

/// What may still be said in a line.
pub(super) fn option_words(verb: &Verb) -> Expected {
    let options = verb.params.iter();
    let words: Vec<&'static str> = options
        .filter(|p| matches!(p.place, Place::Option | Place::NeededOption))
        .map(|p| p.name)
        .collect();
    if words.is_empty() {
        Expected::EndOfLine
    } else {
        Expected::Words(words)
    }
}

/// The arguments and where each stands.
pub(super) type Arguments = (Form, Vec<(&'static str, Mark)>);

/// Reads the words after a verb by its parameters.
pub(super) fn arguments(
    verb: &'static Verb,
    tokens: &[Token<'_>],
    end: Mark,
) -> Result<Arguments, ScriptError> {
    let mut form = Form::default();
    let mut marks: Vec<(&'static str, Mark)> = Vec::new();
    let mut positions = verb
        .params
        .iter()
        .filter(|p| matches!(p.place, Place::Needed | Place::Maybe));
    for token in tokens {
        let flag = |p: &&Param| {
            p.kind == Kind::Flag && token.key.is_none() && !token.quoted && p.name == token.text
        };
        let (param, value, mark) = if let Some(param) = verb.params.iter().find(flag) {
            (param, Value::Truth(true), token.mark)
        } else if let Some(key) = token.key {
            let named = |p: &&Param| p.name == key && p.kind != Kind::Flag;
            let Some(param) = verb.params.iter().find(named) else {
                return Err(unknown_option(verb, token));
            };
            let value = param.kind.read(&token.value);
            let mark = token.value_mark;
            let wrong = |expected| mark.error(&token.value, expected);
            (param, value.map_err(wrong)?, mark)
        } else {
            let Some(param) = positions.next() else {
                return Err(unknown_option(verb, token));
            };
            let wrong = |expected| token.mark.error(&token.value, expected);
            (
                param,
                param.kind.read(&token.value).map_err(wrong)?,
                token.mark,
            )
        };
        if form.get(param.name).is_some() {
            return Err(token.mark.error(token.text, Expected::Once));
        }
        form = form.with(param.name, value);
        marks.push((param.name, mark));
    }
    let missing = verb.params.iter().find(|p| {
        matches!(p.place, Place::Needed | Place::NeededOption) && form.get(p.name).is_none()
    });
    match missing {
        Some(param) => Err(end.error("", missing_argument(param))),
        None => Ok((form, marks)),
    }
}

fn missing_argument(param: &Param) -> Expected {
    match param.place {
        Place::NeededOption => Expected::Argument(param.name),
        _ => param.kind.expected(),
    }
}

fn unknown_option(verb: &Verb, token: &Token<'_>) -> ScriptError {
    let mut error = token.mark.error(token.text, option_words(verb));
    let word = token.key.unwrap_or(token.text);
    error.instead = nearest(word, verb.params.iter().map(|p| p.name)).map(|name| match token.key {
        Some(_) => format!("{name}={}", token.value),
        None => name.to_owned(),
    });
    error
}
