//! Values of the JSON form of a run: what a number, a set of brokers or a choice looks like.

use crate::kafka::cause::Value;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{
    ChangeReason, Election, HwHold, IsrChange, LinkState, Loss, Outcome, QueryAnswer, Stale, Stop,
    TransactionState, isolation_name,
};
use crate::kafka::ids::{
    BrokerEpoch, BrokerId, BrokerSet, EventId, LeaderEpoch, MessageId, MetadataOffset, Millis,
    Offset, PartitionEpoch, ProducerId, SendId,
};
use crate::kafka::message::{BrokerImage, DivergingEpoch, MetadataImage, Node};
use crate::kafka::partition::{PartitionState, Recovery};
use crate::kafka::record::{Batch, Payload, ProducerStamp};
use crate::kafka::settings::{Acks, Isolation};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;

/// A JSON value whose keys keep the order in which they are written here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`: none, unknown, never.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number; nothing in a run is negative or a fraction.
    Number(u64),
    /// A text.
    Text(Cow<'static, str>),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Fields),
}

/// The fields of an object, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub Vec<(&'static str, Json)>);

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Flag(flag) => serializer.serialize_bool(*flag),
            Json::Number(number) => serializer.serialize_u64(*number),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(items) => serializer.collect_seq(items),
            Json::Object(fields) => fields.serialize(serializer),
        }
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// What has a JSON form.
pub trait ToJson {
    /// Its form.
    fn json(&self) -> Json;
}

/// An object of the named fields of a value; a field that is forgotten does not compile.
macro_rules! fields {
    ($type:ident { $($field:ident),* $(,)? } of $value:expr) => {{
        let $type { $($field),* } = $value;
        Fields(vec![$((stringify!($field), $field.json())),*])
    }};
}
pub(super) use fields;

/// A choice that carries something: an object with the word as its only key.
fn choice(word: &'static str, fields: Vec<(&'static str, Json)>) -> Json {
    Json::Object(Fields(vec![(word, Json::Object(Fields(fields)))]))
}

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl ToJson for $type { fn json(&self) -> Json { Json::Number(u64::from(self.0)) } })*
    };
}
numbers!(
    BrokerEpoch,
    BrokerId,
    EventId,
    LeaderEpoch,
    MessageId,
    MetadataOffset,
    Millis,
    Offset,
    PartitionEpoch,
    ProducerId,
    SendId
);

/// Choices that carry nothing: their word.
macro_rules! words {
    ($($type:ty),*) => {
        $(impl ToJson for $type { fn json(&self) -> Json { Json::Text(format!("{self:?}").into()) } })*
    };
}
words!(Election, IsrChange, Loss, Stale, TransactionState);

impl ToJson for bool {
    fn json(&self) -> Json {
        Json::Flag(*self)
    }
}

impl ToJson for u32 {
    fn json(&self) -> Json {
        Json::Number(u64::from(*self))
    }
}

impl ToJson for u64 {
    fn json(&self) -> Json {
        Json::Number(*self)
    }
}

impl ToJson for &'static str {
    fn json(&self) -> Json {
        Json::Text(Cow::Borrowed(self))
    }
}

impl ToJson for String {
    fn json(&self) -> Json {
        Json::Text(self.clone().into())
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn json(&self) -> Json {
        self.as_ref().map_or(Json::Null, ToJson::json)
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn json(&self) -> Json {
        Json::List(self.iter().map(ToJson::json).collect())
    }
}

impl<T: ToJson> ToJson for Box<T> {
    fn json(&self) -> Json {
        (**self).json()
    }
}

impl<A: ToJson, B: ToJson> ToJson for (A, B) {
    fn json(&self) -> Json {
        Json::List(vec![self.0.json(), self.1.json()])
    }
}

impl<T: ToJson> ToJson for Result<T, KafkaError> {
    fn json(&self) -> Json {
        Json::Object(Fields(vec![match self {
            Ok(value) => ("ok", value.json()),
            Err(error) => ("error", error.json()),
        }]))
    }
}

impl ToJson for () {
    fn json(&self) -> Json {
        Json::Null
    }
}

impl ToJson for BrokerSet {
    fn json(&self) -> Json {
        Json::List(self.iter().map(|broker| broker.json()).collect())
    }
}

impl ToJson for KafkaError {
    fn json(&self) -> Json {
        self.name().json()
    }
}

impl ToJson for Acks {
    fn json(&self) -> Json {
        match self {
            Acks::None => "0".json(),
            Acks::Leader => "1".json(),
            Acks::All => "all".json(),
        }
    }
}

impl ToJson for Isolation {
    fn json(&self) -> Json {
        isolation_name(*self).json()
    }
}

impl ToJson for Recovery {
    fn json(&self) -> Json {
        self.name().json()
    }
}

impl ToJson for Node {
    fn json(&self) -> Json {
        match self {
            Node::Broker(broker) => broker.json(),
            Node::Controller => "controller".json(),
            Node::Producer => "producer".json(),
            Node::Consumer => "consumer".json(),
        }
    }
}

impl ToJson for Stop {
    fn json(&self) -> Json {
        match self {
            Stop::Clean => "Clean".json(),
            Stop::Kill => "Kill".json(),
            Stop::PowerLoss(keep) => choice("PowerLoss", vec![("keep", keep.json())]),
        }
    }
}

impl ToJson for ChangeReason {
    fn json(&self) -> Json {
        let of = |word, broker: &BrokerId| choice(word, vec![("broker", broker.json())]);
        match self {
            ChangeReason::Created => "Created".json(),
            ChangeReason::SessionExpired(broker) => of("SessionExpired", broker),
            ChangeReason::ControlledShutdown(broker) => of("ControlledShutdown", broker),
            ChangeReason::Registered { broker, clean } => choice(
                "Registered",
                vec![("broker", broker.json()), ("clean", clean.json())],
            ),
            ChangeReason::Unfenced(broker) => of("Unfenced", broker),
            ChangeReason::Unregistered(broker) => of("Unregistered", broker),
            ChangeReason::AlterPartition(broker) => of("AlterPartition", broker),
            ChangeReason::PreferredElection => "PreferredElection".json(),
            ChangeReason::UncleanElection => "UncleanElection".json(),
            ChangeReason::UncleanElectionTimer => "UncleanElectionTimer".json(),
            ChangeReason::LeaderRebalance => "LeaderRebalance".json(),
            ChangeReason::ElrCleared => "ElrCleared".json(),
            ChangeReason::NamedElection(broker) => of("NamedElection", broker),
        }
    }
}

impl ToJson for LinkState {
    fn json(&self) -> Json {
        match self {
            LinkState::Slow(latency) => choice("Slow", vec![("latency", latency.json())]),
            other => format!("{other:?}").json(),
        }
    }
}

impl ToJson for HwHold {
    fn json(&self) -> Json {
        match self {
            HwHold::BelowMinIsr { isr, min } => choice(
                "BelowMinIsr",
                vec![("isr", isr.json()), ("min", min.json())],
            ),
            HwHold::Replicas(brokers) => choice("Replicas", vec![("brokers", brokers.json())]),
        }
    }
}

impl ToJson for Outcome {
    fn json(&self) -> Json {
        match self {
            Outcome::Ok(offset) => choice("Ok", vec![("offset", offset.json())]),
            Outcome::Refused(error) => choice("Refused", vec![("error", error.json())]),
            other => format!("{other:?}").json(),
        }
    }
}

impl ToJson for QueryAnswer {
    fn json(&self) -> Json {
        match self {
            QueryAnswer::Fetch {
                error,
                hw,
                lso,
                aborted,
                batches,
            } => choice(
                "Fetch",
                vec![
                    ("error", error.json()),
                    ("hw", hw.json()),
                    ("lso", lso.json()),
                    ("aborted", aborted.json()),
                    ("batches", batches.json()),
                ],
            ),
            QueryAnswer::Latest(latest) => choice("Latest", vec![("result", latest.json())]),
            QueryAnswer::EpochEnd { error, epoch, end } => choice(
                "EpochEnd",
                vec![
                    ("error", error.json()),
                    ("epoch", epoch.json()),
                    ("end", end.json()),
                ],
            ),
            QueryAnswer::NoLeader => "NoLeader".json(),
        }
    }
}

impl ToJson for Payload {
    fn json(&self) -> Json {
        match self {
            Payload::Records { first } => choice("Records", vec![("first", first.json())]),
            Payload::Marker { commit } => choice("Marker", vec![("commit", commit.json())]),
            Payload::Before => "Before".json(),
        }
    }
}

impl ToJson for Value {
    fn json(&self) -> Json {
        match self {
            Value::Offset(offset) => offset.json(),
            Value::Count(count) => count.json(),
            Value::Millis(millis) => millis.json(),
            Value::LeaderEpoch(epoch) => epoch.json(),
            Value::PartitionEpoch(epoch) => epoch.json(),
            Value::BrokerEpoch(epoch) => epoch.json(),
            Value::Broker(broker) => broker.json(),
            Value::Brokers(brokers) => brokers.json(),
            Value::Flag(flag) => flag.json(),
            Value::Acks(acks) => acks.json(),
        }
    }
}

/// Structures whose JSON form has the same fields.
macro_rules! objects {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        $(impl ToJson for $type {
            fn json(&self) -> Json { Json::Object(fields!($type { $($field),* } of self)) }
        })*
    };
}
objects! {
    ProducerStamp { id, epoch, first_sequence, transactional }
    Batch { base, count, epoch, producer, payload }
    PartitionState {
        replicas, isr, elr, last_known_elr, leader, leader_epoch, partition_epoch, recovery, adding, removing,
    }
    DivergingEpoch { epoch, end_offset }
    MetadataImage { offset, partition, brokers, min_insync_replicas, unclean_leader_election }
    BrokerImage { id, epoch, fenced, in_controlled_shutdown }
}
