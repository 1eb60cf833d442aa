//! The arguments of a line: their kinds, how each is read and written. Text and JSON share them.

use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset};
use crate::kafka::message::Node;

use super::error::Expected;
use super::lists::{print_brokers, read_broker, read_brokers, read_number};
use super::names::{INT_MAX, MAX_BROKERS};
use super::time;

/// Kafka's largest long: the highest offset there can be.
pub(crate) const OFFSET_MAX: u64 = 9_223_372_036_854_775_807;
/// The most ranges of one log.
pub(crate) const MAX_RANGES: usize = 100;

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A broker id.
    Broker,
    /// A broker id or `none`.
    Leader,
    /// Broker ids or `none`.
    Brokers,
    /// A broker id, `controller`, `producer`, `consumer`.
    Node,
    /// A whole number from .0 to .1.
    Number(u64, u64),
    /// A time from .0 ms to a day.
    Time(u64),
    /// A name.
    Name,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `all`, `1`, `0`.
    Acks,
    /// `true` or `false`.
    Truth,
    /// Given or not.
    Flag,
    /// `preferred`, `unclean`, or a broker id.
    Winner,
    /// `epoch:records` ranges.
    Ranges,
    /// `epoch@offset` entries.
    Starts,
}

/// What stands for an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A number, a broker, an offset, an epoch.
    Number(u64),
    /// A time.
    Time(Millis),
    /// A word of the language.
    Word(&'static str),
    /// A name that the script gives.
    Name(String),
    /// A list of brokers.
    Brokers(Vec<BrokerId>),
    /// A place in the network.
    Node(Node),
    /// Given, or true or false.
    Truth(bool),
    /// Pairs of epoch and records.
    Ranges(Vec<(u32, u64)>),
    /// Pairs of epoch and start offset.
    Starts(Vec<(u32, u64)>),
}

/// Where an argument stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// By its position; must be given.
    Needed,
    /// By its position; may be left out.
    Maybe,
    /// As `name=value`; must be given.
    NeededOption,
    /// As `name=value`; may be left out.
    Option,
}

/// One argument of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub place: Place,
}

/// The arguments that were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form(pub Vec<(&'static str, Value)>);

const WINNERS: &[&str] = &["preferred", "unclean"];
const ACKS: &[&str] = &["all", "1", "0"];
const TRUTH: &[&str] = &["true", "false"];
const OFF: &[(&str, Node)] = &[
    ("controller", Node::Controller),
    ("producer", Node::Producer),
    ("consumer", Node::Consumer),
];

fn word_of(words: &[&'static str], text: &str) -> Option<Value> {
    words.iter().find(|w| **w == text).map(|w| Value::Word(w))
}

fn read_pairs(text: &str, mark: char, ascending: bool) -> Option<Vec<(u32, u64)>> {
    if text == "none" {
        return Some(Vec::new());
    }
    let mut pairs: Vec<(u32, u64)> = Vec::new();
    for part in text.split(',') {
        let (epoch, count) = part.split_once(mark)?;
        let epoch = u32::try_from(read_number(epoch).filter(|n| *n <= INT_MAX)?).ok()?;
        let count = read_number(count).filter(|n| *n <= OFFSET_MAX)?;
        pairs.push((epoch, count));
        if pairs.len() > MAX_RANGES {
            return None;
        }
    }
    valid_pairs(&pairs, ascending).then_some(pairs)
}

/// Epochs ascend; with `ascending` the offsets do too, else every count is at least 1.
pub(crate) fn valid_pairs(pairs: &[(u32, u64)], ascending: bool) -> bool {
    let epochs = pairs.windows(2).all(|w| match w {
        [a, b] => a.0 < b.0 && (!ascending || a.1 <= b.1),
        _ => true,
    });
    epochs && (ascending || pairs.iter().all(|(_, count)| *count > 0)) && pairs.len() <= MAX_RANGES
}

fn print_pairs(pairs: &[(u32, u64)], mark: char) -> String {
    let list: Vec<String> = pairs.iter().map(|(e, n)| format!("{e}{mark}{n}")).collect();
    if list.is_empty() {
        "none".to_owned()
    } else {
        list.join(",")
    }
}

/// Whether a name may be given: 1 to 64 characters, none of them a control character.
pub(crate) fn valid_name(name: &str) -> bool {
    !name.is_empty() && name.chars().take(65).count() <= 64 && !name.chars().any(char::is_control)
}

/// The name as a script writes it: in quotation marks where it could be taken for something else.
pub(crate) fn print_name(name: &str) -> String {
    // Beyond ASCII only spaces could be taken for something else; a table of all letters is not worth its size.
    let plain = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '-' | '_' | '.')
            || !(c.is_ascii() || c.is_whitespace())
    };
    if !name.is_empty() && name.chars().all(plain) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Kind {
    /// Reads the text of an argument.
    pub(crate) fn read(self, text: &str) -> Result<Value, Expected> {
        let broker = |text| read_broker(text).map(|b| Value::Number(u64::from(b.0)));
        let value = match self {
            Kind::Broker => broker(text),
            Kind::Leader => word_of(&["none"], text).or_else(|| broker(text)),
            Kind::Winner => word_of(WINNERS, text).or_else(|| broker(text)),
            Kind::Brokers => read_brokers(text).map(Value::Brokers),
            Kind::Node => OFF
                .iter()
                .find(|(word, _)| *word == text)
                .map(|(_, node)| *node)
                .or_else(|| read_broker(text).map(Node::Broker))
                .map(Value::Node),
            Kind::Number(min, max) => read_number(text)
                .filter(|n| (min..=max).contains(n))
                .map(Value::Number),
            Kind::Time(min) => time::read(text)
                .filter(|t| t.0 >= min && *t <= time::LONGEST)
                .map(Value::Time),
            Kind::Name => valid_name(text).then(|| Value::Name(text.to_owned())),
            Kind::Word(words) => word_of(words, text),
            Kind::Acks => word_of(ACKS, if text == "-1" { "all" } else { text }),
            Kind::Truth | Kind::Flag => match text {
                "true" | "on" => Some(Value::Truth(true)),
                "false" | "off" => Some(Value::Truth(false)),
                _ => None,
            },
            Kind::Ranges => read_pairs(text, ':', false).map(Value::Ranges),
            Kind::Starts => read_pairs(text, '@', true).map(Value::Starts),
        };
        value.ok_or_else(|| self.expected())
    }

    /// What may stand there.
    pub(crate) fn expected(self) -> Expected {
        match self {
            Kind::Broker => Expected::BrokerId,
            Kind::Leader => Expected::BrokerOr("none"),
            Kind::Brokers => Expected::BrokerList {
                min: 0,
                max: MAX_BROKERS,
            },
            Kind::Node => Expected::Node,
            Kind::Number(min, max) => Expected::Number { min, max },
            Kind::Time(min) => Expected::Time {
                min: Millis(min),
                max: time::LONGEST,
            },
            Kind::Name => Expected::Name,
            Kind::Word(words) => Expected::OneOf(words),
            Kind::Acks => Expected::OneOf(ACKS),
            Kind::Truth | Kind::Flag => Expected::OneOf(TRUTH),
            Kind::Winner => Expected::BrokerOr("preferred or unclean"),
            Kind::Ranges => Expected::LogRanges,
            Kind::Starts => Expected::EpochStarts,
        }
    }
}

impl Value {
    /// The value as a script writes it.
    pub(crate) fn print(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Time(t) => time::print(*t),
            Value::Word(word) => (*word).to_owned(),
            Value::Name(name) => print_name(name),
            Value::Brokers(list) => print_brokers(list.iter().copied()),
            Value::Node(node) => print_node(*node),
            Value::Truth(truth) => truth.to_string(),
            Value::Ranges(pairs) => print_pairs(pairs, ':'),
            Value::Starts(pairs) => print_pairs(pairs, '@'),
        }
    }
}

fn print_node(node: Node) -> String {
    match node {
        Node::Broker(broker) => broker.to_string(),
        other => OFF
            .iter()
            .find(|(_, n)| *n == other)
            .map_or("", |(word, _)| word)
            .to_owned(),
    }
}

/// Reading a form: what was not given is none or nothing; the reader has seen to what is needed.
impl Form {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn small(&self, name: &str) -> Option<u32> {
        self.number(name).and_then(|n| u32::try_from(n).ok())
    }

    pub(crate) fn maybe_broker(&self, name: &str) -> Option<BrokerId> {
        self.small(name).map(BrokerId)
    }

    pub(crate) fn broker(&self) -> BrokerId {
        self.maybe_broker("broker").unwrap_or_default()
    }

    pub(crate) fn offset(&self, name: &str) -> Option<Offset> {
        self.number(name).map(Offset)
    }

    pub(crate) fn epoch(&self, name: &str) -> Option<LeaderEpoch> {
        self.small(name).map(LeaderEpoch)
    }

    pub(crate) fn time(&self, name: &str) -> Option<Millis> {
        match self.get(name)? {
            Value::Time(time) => Some(*time),
            _ => None,
        }
    }

    pub(crate) fn name(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::Name(text) => Some(text.clone()),
            _ => None,
        }
    }

    pub(crate) fn word(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(Value::Word(word)) => word,
            _ => "",
        }
    }

    pub(crate) fn truth(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Value::Truth(truth) => Some(*truth),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.truth(name) == Some(true)
    }

    pub(crate) fn list(&self, name: &str) -> Vec<BrokerId> {
        match self.get(name) {
            Some(Value::Brokers(list)) => list.clone(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn set(&self, name: &str) -> BrokerSet {
        self.list(name).into_iter().collect()
    }

    pub(crate) fn node(&self, name: &str) -> Node {
        match self.get(name) {
            Some(Value::Node(node)) => *node,
            _ => Node::Controller,
        }
    }

    pub(crate) fn pairs(&self, name: &str) -> Option<Vec<(u32, u64)>> {
        match self.get(name)? {
            Value::Ranges(pairs) | Value::Starts(pairs) => Some(pairs.clone()),
            _ => None,
        }
    }
}

/// Writing a form.
impl Form {
    pub(crate) fn with(mut self, name: &'static str, value: Value) -> Form {
        self.0.push((name, value));
        self
    }

    pub(crate) fn with_broker(self, broker: BrokerId) -> Form {
        self.with("broker", Value::Number(u64::from(broker.0)))
    }

    pub(crate) fn maybe(self, name: &'static str, value: Option<Value>) -> Form {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(crate) fn maybe_number(self, name: &'static str, number: Option<u64>) -> Form {
        self.maybe(name, number.map(Value::Number))
    }

    pub(crate) fn with_flag(self, name: &'static str, given: bool) -> Form {
        self.maybe(name, given.then_some(Value::Truth(true)))
    }
}
