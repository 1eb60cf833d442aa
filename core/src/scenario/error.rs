//! What is wrong with a script: where, what was found, what was expected, and what to write instead.
//!
//! `Expected` is a value, so that a page can say it in the reader's language; its `Display` is English.

use core::fmt;

use crate::kafka::ids::{BrokerId, Millis};

use super::time;

/// What should have stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A line that begins with `title`, `set`, `start`, `broker`, `at`, `after` or `then`.
    Statement,
    /// The word of an action.
    Action,
    /// The name of a setting.
    SettingName,
    /// `name=value`.
    NameAndValue,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// One of these words, which depend on the line.
    Words(Vec<&'static str>),
    /// The argument of that name, which is missing.
    Argument(&'static str),
    /// A whole number, both ends included.
    Number {
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// A time such as `530ms`, `5.53s` or `2m`, exact to the millisecond, both ends included.
    Time {
        /// The least.
        min: Millis,
        /// The most.
        max: Millis,
    },
    /// A broker id.
    BrokerId,
    /// Broker ids with commas between them, each once, or `none`.
    BrokerList {
        /// The fewest.
        min: usize,
        /// The most.
        max: usize,
    },
    /// A broker id, `controller`, `producer` or `consumer`.
    Node,
    /// A broker id, or that word.
    BrokerOr(&'static str),
    /// Brokers and their racks, such as `1:a,2:b`, or `none`.
    Racks,
    /// The name of a rack, or `none`.
    Rack,
    /// Two different ends of a link.
    TwoNodes,
    /// A broker of the cluster; these are.
    BrokerOf(Vec<BrokerId>),
    /// A replica of the partition; these are.
    ReplicaOf(Vec<BrokerId>),
    /// A list that contains every replica; these are.
    AllReplicas(Vec<BrokerId>),
    /// A Kafka release from 0.10 on.
    KafkaVersion,
    /// A name of 1 to 64 characters, none of them a control character.
    Name,
    /// A title of one line, at most 500 characters, without spaces at its ends.
    Title,
    /// Log ranges `epoch:records` with commas between them, epochs ascending.
    LogRanges,
    /// Epoch cache entries `epoch@offset` with commas between them, both ascending, or `none`.
    EpochStarts,
    /// The end of the line.
    EndOfLine,
    /// The closing quotation mark.
    ClosingQuote,
    /// The name of a produce call of an earlier step; these are.
    EarlierCall(Vec<String>),
    /// A name that no earlier produce call has.
    UnusedName,
    /// As many records as the call that is retried.
    SameRecords(u64),
    /// Something that was not given before.
    Once,
    /// Settings and the start section come before the first step.
    BeforeSteps,
    /// `broker` lines come after `start`.
    AfterStart,
    /// A time that is not before the step before it.
    NotBefore(Millis),
    /// An offset that a log of this script can have.
    OffsetUpTo(u64),
    /// At most so many of these.
    AtMost {
        /// What is counted.
        what: Counted,
        /// The most.
        max: u64,
    },
    /// A member of the ISR as leader.
    LeaderInIsr,
    /// ELR members that are not in the ISR.
    NotInIsr,
    /// An epoch that is not above the leader epoch.
    EpochUpTo(u32),
    /// A broker that is down (`clean` says how it went down).
    Down,
    /// UTF-8.
    Utf8,
    /// JSON of that type.
    Json(&'static str),
    /// Well-formed JSON; the reader's own words.
    JsonSyntax(String),
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Bytes of the text.
    Bytes,
    /// Steps.
    Steps,
    /// Records of all produce calls together.
    Records,
    /// Milliseconds of all steps together.
    Duration,
    /// Characters of a caption or a question.
    Characters,
}

/// One mistake in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// How many characters are meant; 0 = the place itself (something is missing there).
    pub length: u32,
    /// Where in a JSON document (`steps[3].keep`); empty for text.
    pub path: String,
    /// What stood there, shortened; empty when nothing did.
    pub found: String,
    /// What should have.
    pub expected: Expected,
    /// What to write instead, where it can be guessed.
    pub instead: Option<String>,
}

/// A value or name of a setting that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// What was given.
    pub found: String,
    /// What would have been right.
    pub expected: Expected,
    /// The nearest name, when the name is unknown.
    pub instead: Option<String>,
}

impl SettingError {
    /// An error without a guess.
    pub fn new(found: &str, expected: Expected) -> SettingError {
        SettingError {
            found: shorten(found),
            expected,
            instead: None,
        }
    }
}

/// The first 40 characters, with control characters made visible.
pub(crate) fn shorten(text: &str) -> String {
    let mut short: String = text
        .chars()
        .take(40)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (place, item) in items.iter().enumerate() {
        let before = match place {
            0 => "",
            _ if place + 1 == items.len() => " or ",
            _ => ", ",
        };
        write!(f, "{before}{item}")?;
    }
    Ok(())
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Statement => f.write_str(
                "a line that begins with title, set, start, broker, at, after or then",
            ),
            Expected::Action => f.write_str("an action such as produce, kill or pause-fetch"),
            Expected::SettingName => f.write_str("the name of a setting"),
            Expected::NameAndValue => f.write_str("name=value"),
            Expected::OneOf(words) => list(f, words),
            Expected::Words(words) => list(f, words),
            Expected::Argument(name) => write!(f, "the argument {name}"),
            Expected::Number { min, max } => write!(f, "a whole number from {min} to {max}"),
            Expected::Time { min, max } => write!(
                f,
                "a time from {} to {}, such as 530ms, 5.53s or 2m",
                time::print(*min),
                time::print(*max)
            ),
            Expected::BrokerId => f.write_str("a broker id from 0 to 2147483647"),
            Expected::BrokerList { min, max } => write!(
                f,
                "{min} to {max} broker ids with commas between them, each once"
            ),
            Expected::Node => f.write_str("a broker id, controller, producer or consumer"),
            Expected::BrokerOr(word) => write!(f, "a broker id or {word}"),
            Expected::Racks => f.write_str("brokers and their racks such as 1:a,2:b, or none"),
            Expected::Rack => f.write_str("the name of a rack (letters, digits, '.', '_', '-'), or none"),
            Expected::TwoNodes => f.write_str("two different ends"),
            Expected::BrokerOf(brokers) => {
                f.write_str("a broker of the cluster: ")?;
                list(f, brokers)
            }
            Expected::ReplicaOf(replicas) => {
                f.write_str("a replica of the partition: ")?;
                list(f, replicas)
            }
            Expected::AllReplicas(replicas) => {
                f.write_str("brokers with all replicas among them: ")?;
                list(f, replicas)
            }
            Expected::KafkaVersion => f.write_str("a Kafka release from 0.10 on, such as 4.4.0"),
            Expected::Name => f.write_str("a name of 1 to 64 characters"),
            Expected::Title => {
                f.write_str("one line of at most 500 characters, without spaces at its ends")
            }
            Expected::LogRanges => f.write_str(
                "log ranges epoch:records with commas between them, epochs ascending, such as 0:3,4:2",
            ),
            Expected::EpochStarts => f.write_str(
                "epochs with their start offsets, both ascending, such as 0@0,4@3, or none",
            ),
            Expected::EndOfLine => f.write_str("the end of the line"),
            Expected::ClosingQuote => f.write_str("a closing quotation mark"),
            Expected::EarlierCall(names) if names.is_empty() => {
                f.write_str("the id of an earlier produce, but none has one")
            }
            Expected::EarlierCall(names) => {
                f.write_str("the id of an earlier produce: ")?;
                list(f, names)
            }
            Expected::UnusedName => f.write_str("an id that no earlier produce has"),
            Expected::SameRecords(count) => {
                write!(f, "no number, or {count} as in the call that is retried")
            }
            Expected::Once => f.write_str("it only once"),
            Expected::BeforeSteps => f.write_str(
                "settings and the start section before the first step (a step changes a topic's config with: config name=value)",
            ),
            Expected::AfterStart => f.write_str("a line that begins with start before it"),
            Expected::NotBefore(instant) => write!(
                f,
                "{} or later, because the step before is not earlier than that",
                time::print(*instant)
            ),
            Expected::OffsetUpTo(max) => {
                write!(f, "an offset up to {max}: no log of this script is longer")
            }
            Expected::AtMost { what, max } => match what {
                Counted::Bytes => write!(f, "a text of at most {max} bytes"),
                Counted::Steps => write!(f, "at most {max} steps"),
                Counted::Records => write!(f, "at most {max} records in all"),
                Counted::Characters => write!(f, "at most {max} characters"),
                Counted::Duration => {
                    write!(f, "at most {} in all", time::print(Millis(*max)))
                }
            },
            Expected::LeaderInIsr => f.write_str("a leader that is in the ISR"),
            Expected::NotInIsr => f.write_str("brokers that are not in the ISR as well"),
            Expected::EpochUpTo(max) => {
                write!(f, "epochs up to the leader epoch {max}")
            }
            Expected::Down => f.write_str("clean only together with down"),
            Expected::Utf8 => f.write_str("UTF-8"),
            Expected::Json(kind) => f.write_str(kind),
            Expected::JsonSyntax(words) => write!(f, "JSON: {words}"),
        }
    }
}

fn found_expected(
    f: &mut fmt::Formatter<'_>,
    found: &str,
    expected: &Expected,
    instead: Option<&String>,
) -> fmt::Result {
    if found.is_empty() {
        write!(f, "found nothing, expected {expected}")?;
    } else {
        write!(f, "found `{found}`, expected {expected}")?;
    }
    match instead {
        Some(word) => write!(f, "; write `{word}`?"),
        None => Ok(()),
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        found_expected(f, &self.found, &self.expected, self.instead.as_ref())
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        found_expected(f, &self.found, &self.expected, self.instead.as_ref())
    }
}
