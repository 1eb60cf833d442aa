//! What a widget and the page around it tell each other: short texts such as `highwater:1?theme=dark&at=530.2`, never
//! objects, so that there is nothing to be looked into. A message is checked as a whole: one that has a part that is
//! not known here, or not in order, is no message.

use highwater_core::scenario::names;

use super::widget::THEMES;
use super::{Playhead, query, v1};

/// What every message begins with: the sender, and the version of the form.
pub const START: &str = "highwater:1?";
/// A longer text is no message, in bytes.
pub const LONGEST: usize = 1_000;
/// Parts of one message.
const MOST: usize = 12;

/// One thing that the page around a widget asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// `theme`: one of `auto`, `light` and `dark`.
    Theme(&'static str),
    /// `lang`: a tag of one of the three languages.
    Language(String),
    /// `at`: where the playhead goes.
    At(Playhead),
    /// `play`: whether it plays.
    Play(bool),
    /// A setting by its full name, and its value as a script writes it.
    Set(&'static str, String),
}

/// What a message asks for, in its order; none when the text is no message.
pub fn read(text: &str) -> Option<Vec<Asked>> {
    let parts = text.strip_prefix(START).filter(|_| text.len() <= LONGEST)?;
    let found = query::parameters(&format!("?{parts}"));
    if found.is_empty() || found.len() > MOST || found.len() != parts.split('&').count() {
        return None;
    }
    found
        .iter()
        .map(|parameter| match parameter.utf8 {
            true => asked(&parameter.name, &parameter.value),
            false => None,
        })
        .collect()
}

fn asked(name: &str, value: &str) -> Option<Asked> {
    Some(match name {
        "theme" => Asked::Theme(THEMES.iter().find(|theme| **theme == value)?),
        "lang" => Asked::Language(v1::language(value)?.to_owned()),
        "at" => Asked::At(v1::playhead(value)?),
        "play" => Asked::Play(switch(value)?),
        _ => Asked::Set(names::find(name)?.name, value.to_owned()),
    })
}

fn switch(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Holds a flood of messages back: so many are let through in each stretch of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gate {
    since: f64,
    passed: u32,
}

impl Gate {
    /// The stretch, in ms.
    pub const STRETCH: u32 = 500;
    /// Messages in it.
    pub const THROUGH: u32 = 20;

    /// Whether a message that comes now (in ms, never going back) is let through.
    pub fn lets_through(&mut self, now: f64) -> bool {
        if now - self.since >= f64::from(Gate::STRETCH) {
            (self.since, self.passed) = (now, 0);
        }
        self.passed = self.passed.saturating_add(1);
        self.passed <= Gate::THROUGH
    }
}

#[cfg(test)]
mod tests;
