//! The values that messages take: each knows how it is written, and what it counts for in a plural.

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::{
    BrokerEpoch, BrokerId, BrokerSet, LeaderEpoch, MetadataOffset, Millis, Offset, PartitionEpoch,
};
use highwater_core::kafka::message::Node;
use highwater_core::kafka::settings::Acks;

use super::{Key, Text};
use crate::say;

/// A value for a slot of a message. It borrows what it can: a call with values must cost little, there are hundreds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg<'a> {
    /// A count, an offset, an epoch, a broker: digits without separators, as Kafka writes them.
    Number(u64),
    /// An instant or a duration.
    Millis(Millis),
    /// A set of brokers, as `{1, 2, 3}`.
    Set(&'a BrokerSet),
    /// Brokers named in a sentence, as `2 and 3`.
    Brokers(&'a [BrokerId]),
    /// The records m*first* …, as `m3` or `m5–m9`.
    Records {
        /// The number of the first.
        first: u64,
        /// How many.
        count: u64,
    },
    /// Offsets, as `2` or `2–4`.
    Offsets {
        /// The first.
        from: Offset,
        /// The end (exclusive).
        end: Offset,
    },
    /// A place that messages leave from and arrive at, in the words of the language.
    Node(Node),
    /// Text as it stands: Kafka's own word (an error, a config, a value), or words that are in the language already.
    Text(&'a str),
    /// A message without slots.
    Said(Key),
    /// `1 record`, `5 records`.
    SomeRecords(u64),
    /// Something that has only a number, as `#3`.
    Unnamed(u64),
}

macro_rules! arg_from {
    ($($from:ty => |$x:ident| $make:expr;)*) => {
        $(impl<'a> From<&'a $from> for Arg<'a> { fn from($x: &'a $from) -> Arg<'a> { $make } })*
    };
}
arg_from! {
    u64 => |x| Arg::Number(*x);
    u32 => |x| Arg::Number(u64::from(*x));
    usize => |x| Arg::Number(*x as u64);
    Offset => |x| Arg::Number(x.0);
    BrokerId => |x| Arg::Number(u64::from(x.0));
    LeaderEpoch => |x| Arg::Number(u64::from(x.0));
    PartitionEpoch => |x| Arg::Number(u64::from(x.0));
    BrokerEpoch => |x| Arg::Number(x.0);
    MetadataOffset => |x| Arg::Number(x.0);
    Millis => |x| Arg::Millis(*x);
    BrokerSet => |x| Arg::Set(x);
    &'a BrokerSet => |x| Arg::Set(x);
    Vec<BrokerId> => |x| Arg::Brokers(x);
    Node => |x| Arg::Node(*x);
    KafkaError => |x| Arg::Text(x.name());
    Acks => |x| Arg::Text(acks_word(*x));
    &'a str => |x| Arg::Text(x);
    String => |x| Arg::Text(x);
    Arg<'a> => |x| *x;
}

/// acks as configs write it.
pub fn acks_word(acks: Acks) -> &'static str {
    match acks {
        Acks::None => "0",
        Acks::Leader => "1",
        Acks::All => "all",
    }
}

/// A duration or an instant: `524 ms`, `5.00 s`, `5.533 s`, `30 s`. Exact: a millisecond is never rounded away.
pub fn millis(time: Millis) -> String {
    let (seconds, rest) = (time.0 / 1000, time.0 % 1000);
    if seconds == 0 {
        format!("{rest} ms")
    } else if rest == 0 && seconds >= 10 {
        format!("{seconds} s")
    } else if rest % 10 == 0 {
        format!("{seconds}.{:02} s", rest / 10)
    } else {
        format!("{seconds}.{rest:03} s")
    }
}

/// Records as `m3` or `m5–m9`.
pub fn record_range(first: u64, count: u64) -> String {
    range("m", first, first.saturating_add(count.saturating_sub(1)))
}

fn range(prefix: &str, first: u64, last: u64) -> String {
    if first >= last {
        format!("{prefix}{first}")
    } else {
        format!("{prefix}{first}–{prefix}{last}")
    }
}

/// Brokers as `{1, 2, 3}`.
pub fn set(brokers: &BrokerSet) -> String {
    let mut out = String::from("{");
    for (place, broker) in brokers.iter().enumerate() {
        if place > 0 {
            out.push_str(", ");
        }
        out.push_str(&broker.to_string());
    }
    out.push('}');
    out
}

impl Arg<'_> {
    /// The value as it is written in a language.
    pub fn write(&self, text: &Text) -> String {
        match self {
            Arg::Number(number) => number.to_string(),
            Arg::Millis(time) => millis(*time),
            Arg::Set(brokers) => set(brokers),
            Arg::Brokers(brokers) => list(text, brokers.iter().map(|b| b.to_string()).collect()),
            Arg::Records { first, count } => record_range(*first, *count),
            Arg::Offsets { from, end } => range("", from.0, end.0.saturating_sub(1)),
            Arg::Node(node) => match node {
                Node::Broker(broker) => say!(text, NodeBroker, broker = *broker),
                Node::Controller => say!(text, NodeController),
                Node::Producer => say!(text, NodeProducer),
                Node::Consumer => say!(text, NodeConsumer),
            },
            Arg::Text(words) => (*words).to_owned(),
            Arg::Said(key) => text.fill(*key, &[]),
            Arg::SomeRecords(n) => say!(text, SomeRecords, n = *n),
            Arg::Unnamed(number) => format!("#{number}"),
        }
    }

    /// `a`, `a or b`, `a, b or c` in the words of the language.
    pub fn either(text: &Text, mut items: Vec<String>) -> String {
        let Some(last) = items.pop() else {
            return String::new();
        };
        match items
            .into_iter()
            .reduce(|a, b| say!(text, ListMore, a = a, b = b))
        {
            Some(front) => say!(text, ListEither, a = front, b = last),
            None => last,
        }
    }

    /// How many it stands for, for a plural.
    pub fn count(&self) -> u64 {
        match self {
            Arg::Number(number) | Arg::SomeRecords(number) => *number,
            Arg::Set(brokers) => brokers.len() as u64,
            Arg::Brokers(brokers) => brokers.len() as u64,
            Arg::Records { count, .. } => *count,
            Arg::Offsets { from, end } => end.since(*from),
            _ => 1,
        }
    }
}

/// `a`, `a and b`, `a, b and c` in the words of the language.
pub fn list(text: &Text, mut items: Vec<String>) -> String {
    let Some(last) = items.pop() else {
        return String::new();
    };
    match items
        .into_iter()
        .reduce(|a, b| say!(text, ListMore, a = a, b = b))
    {
        Some(front) => say!(text, ListLast, a = front, b = last),
        None => last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        let written: Vec<String> = [
            0, 524, 999, 1000, 5000, 5530, 5533, 9000, 10_000, 10_500, 30_000, 120_001,
        ]
        .map(|ms| millis(Millis(ms)))
        .to_vec();
        assert_eq!(
            written,
            [
                "0 ms",
                "524 ms",
                "999 ms",
                "1.00 s",
                "5.00 s",
                "5.53 s",
                "5.533 s",
                "9.00 s",
                "10 s",
                "10.50 s",
                "30 s",
                "120.001 s"
            ]
        );
        assert_eq!(millis(Millis(u64::MAX)), "18446744073709551.615 s");
    }

    #[test]
    fn ranges_name_one_or_both_ends() {
        let text = Text::english();
        assert_eq!(Arg::Records { first: 3, count: 1 }.write(&text), "m3");
        assert_eq!(Arg::Records { first: 5, count: 5 }.write(&text), "m5–m9");
        let offsets = |from, end| {
            Arg::Offsets {
                from: Offset(from),
                end: Offset(end),
            }
            .write(&text)
        };
        assert_eq!(offsets(2, 3), "2");
        assert_eq!(offsets(2, 5), "2–4");
        assert_eq!(
            offsets(1_239_742_830, u64::MAX),
            "1239742830–18446744073709551614"
        );
    }

    #[test]
    fn brokers_are_sets_or_words() {
        let text = Text::english();
        let brokers: Vec<BrokerId> = [1, 2, 3].map(BrokerId).to_vec();
        let some: BrokerSet = brokers.iter().copied().collect();
        assert_eq!(Arg::from(&some).write(&text), "{1, 2, 3}");
        assert_eq!(Arg::from(&BrokerSet::new()).write(&text), "{}");
        assert_eq!(Arg::from(&brokers).write(&text), "1, 2 and 3");
        assert_eq!(Arg::Brokers(&brokers[..2]).write(&text), "1 and 2");
        assert_eq!(Arg::Brokers(&[]).write(&text), "");
    }
}
