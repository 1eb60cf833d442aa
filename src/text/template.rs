//! The form of a message: literal text with named slots. The build script checks every message with this reader and
//! the page renders with it, so the two cannot disagree.
//!
//! `{hw}` puts the value in · `{^node}` the same with a capital first letter · `{n|record|records}` only the word that
//! fits the count · `{broker:이/가}` the value and the particle that fits its last sound.

/// A piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text as it stands.
    Literal(&'a str),
    /// A value by name.
    Slot {
        /// The name.
        name: &'a str,
        /// What is made of the value.
        form: Form<'a>,
    },
}

/// What a slot makes of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form<'a> {
    /// The value.
    Plain,
    /// The value, its first letter a capital.
    Capital,
    /// Not the value: the first word when it counts one, otherwise the second.
    Count(&'a str, &'a str),
    /// The value, and after it the first particle when it ends in a consonant, otherwise the second.
    Particle(&'a str, &'a str),
}

/// Reads the first piece of a message and what is left; none at its end. A slot that cannot be read is literal text
/// here; the build script refuses it by [`fault`].
pub fn next(message: &str) -> Option<(Piece<'_>, &str)> {
    if message.is_empty() {
        return None;
    }
    let Some(open) = message.find('{') else {
        return Some((Piece::Literal(message), ""));
    };
    if open > 0 {
        let (literal, rest) = message.split_at(open);
        return Some((Piece::Literal(literal), rest));
    }
    let inside = message.strip_prefix('{').unwrap_or(message);
    match inside.split_once('}') {
        Some((slot, rest)) => Some((read_slot(slot), rest)),
        None => Some((Piece::Literal(message), "")),
    }
}

fn read_slot(slot: &str) -> Piece<'_> {
    if let Some((name, words)) = slot.split_once('|') {
        let (one, many) = words.split_once('|').unwrap_or((words, words));
        return Piece::Slot {
            name,
            form: Form::Count(one, many),
        };
    }
    if let Some((name, particles)) = slot.split_once(':') {
        let (consonant, vowel) = particles.split_once('/').unwrap_or((particles, particles));
        return Piece::Slot {
            name,
            form: Form::Particle(consonant, vowel),
        };
    }
    match slot.strip_prefix('^') {
        Some(name) => Piece::Slot {
            name,
            form: Form::Capital,
        },
        None => Piece::Slot {
            name: slot,
            form: Form::Plain,
        },
    }
}
