//! The numbers of a cause: looked up for a sentence, and listed one by one.

use highwater_core::kafka::cause::{Cause, Quantity, Value};
use highwater_core::kafka::ids::EventId;

use super::Narrator;
use crate::say;
use crate::text::Text;
use crate::text::arg::{acks_word, millis, set};

/// The first value of a cause whose quantity fits.
pub(super) fn find(cause: &Cause, fits: impl Fn(&Quantity) -> bool) -> Option<&Value> {
    cause
        .numbers
        .iter()
        .find(|n| fits(&n.quantity))
        .map(|n| &n.value)
}

/// One number that a rule looked at, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberLine {
    /// What it is.
    pub label: String,
    /// Its value.
    pub value: String,
    /// The event that set it; none = it was so from the start, or is a setting.
    pub set_by: Option<EventId>,
}

impl Narrator<'_> {
    /// The numbers that the rule of a cause looked at, in its order.
    pub fn numbers(&self, cause: &Cause) -> Vec<NumberLine> {
        cause
            .numbers
            .iter()
            .map(|number| NumberLine {
                label: label(self.text, number.quantity),
                value: value(self.text, &number.value),
                set_by: number.set_by,
            })
            .collect()
    }
}

/// A value as it is written.
pub fn value(text: &Text, value: &Value) -> String {
    match value {
        Value::Offset(Some(offset)) => offset.to_string(),
        Value::Count(count) => count.to_string(),
        Value::Millis(Some(time)) => millis(*time),
        Value::LeaderEpoch(Some(epoch)) => epoch.to_string(),
        Value::PartitionEpoch(epoch) => epoch.to_string(),
        Value::BrokerEpoch(Some(epoch)) => epoch.to_string(),
        Value::Broker(Some(broker)) => broker.to_string(),
        Value::Broker(None) => say!(text, ValueNone),
        Value::Millis(None) => say!(text, ValueNever),
        Value::Offset(None) | Value::LeaderEpoch(None) | Value::BrokerEpoch(None) => {
            say!(text, ValueUnknown)
        }
        Value::Brokers(brokers) => set(brokers),
        Value::Flag(true) => say!(text, CellYes),
        Value::Flag(false) => say!(text, CellNo),
        Value::Acks(acks) => acks_word(*acks).to_owned(),
    }
}

/// What a number is, in words.
pub fn label(text: &Text, quantity: Quantity) -> String {
    match quantity {
        Quantity::Leo(broker) => say!(text, NumberLeo, broker = broker),
        Quantity::Hw(broker) => say!(text, NumberHw, broker = broker),
        Quantity::Lso(broker) => say!(text, NumberLso, broker = broker),
        Quantity::FollowerLeo { leader, follower } => {
            say!(
                text,
                NumberFollowerLeo,
                leader = leader,
                follower = follower
            )
        }
        Quantity::LastCaughtUp { leader, follower } => {
            say!(
                text,
                NumberLastCaughtUp,
                leader = leader,
                follower = follower
            )
        }
        Quantity::CommittedIsr(broker) => say!(text, NumberCommittedIsr, broker = broker),
        Quantity::MaximalIsr(broker) => say!(text, NumberMaximalIsr, broker = broker),
        Quantity::EpochStart(broker) => say!(text, NumberEpochStart, broker = broker),
        Quantity::BrokerLeaderEpoch(broker) => say!(text, NumberBrokerLeaderEpoch, broker = broker),
        Quantity::Running(broker) => say!(text, NumberRunning, broker = broker),
        Quantity::BrokerEpoch(broker) => say!(text, NumberBrokerEpoch, broker = broker),
        Quantity::Fenced(broker) => say!(text, NumberFenced, broker = broker),
        Quantity::InControlledShutdown(broker) => say!(text, NumberShutdown, broker = broker),
        Quantity::LastContact(broker) => say!(text, NumberLastContact, broker = broker),
        other => plain_label(text, other),
    }
}

/// Those that belong to no broker: a config by its name, the others in words.
fn plain_label(text: &Text, quantity: Quantity) -> String {
    match quantity {
        Quantity::MinIsr => "min.insync.replicas".to_owned(),
        Quantity::UncleanElection => "unclean.leader.election.enable".to_owned(),
        Quantity::Acks => "acks".to_owned(),
        Quantity::LagTimeMax => "replica.lag.time.max.ms".to_owned(),
        Quantity::SessionTimeout => "broker.session.timeout.ms".to_owned(),
        Quantity::DeliveryTimeout => "delivery.timeout.ms".to_owned(),
        Quantity::Retries => "retries".to_owned(),
        Quantity::ControllerIsr => say!(text, NumberControllerIsr),
        Quantity::Elr => say!(text, NumberElr),
        Quantity::LastKnownElr => say!(text, NumberLastKnownElr),
        Quantity::Leader => say!(text, NumberLeader),
        Quantity::LeaderEpoch => say!(text, NumberLeaderEpoch),
        Quantity::PartitionEpoch => say!(text, NumberPartitionEpoch),
        Quantity::ConsumerPosition => say!(text, NumberPosition),
        Quantity::ReplicationFactor => say!(text, NumberRf),
        Quantity::IsrSize => say!(text, NumberIsrSize),
        Quantity::RequestTimeout => say!(text, NumberRequestTimeout),
        Quantity::FetchMaxWait => say!(text, NumberFetchMaxWait),
        Quantity::Waited => say!(text, NumberWaited),
        Quantity::Backoff => say!(text, NumberBackoff),
        Quantity::FetchOffset => say!(text, NumberFetchOffset),
        Quantity::RequiredOffset => say!(text, NumberRequired),
        Quantity::ResponseHw => say!(text, NumberResponseHw),
        Quantity::RequestEpoch => say!(text, NumberRequestEpoch),
        Quantity::LastFetchedEpoch => say!(text, NumberLastFetchedEpoch),
        Quantity::DivergingEpoch => say!(text, NumberDivergingEpoch),
        Quantity::DivergingEnd => say!(text, NumberDivergingEnd),
        Quantity::OwnEpochEnd => say!(text, NumberOwnEnd),
        Quantity::Sequence => say!(text, NumberSequence),
        Quantity::ExpectedSequence => say!(text, NumberExpected),
        Quantity::Records => say!(text, NumberRecords),
        Quantity::Attempt => say!(text, NumberAttempt),
        Quantity::KeepLeo => say!(text, NumberKeep),
        Quantity::FirstUnstable => say!(text, NumberUnstable),
        Quantity::Preferred => say!(text, NumberPreferred),
        // Those with an owner are named in `label`.
        _ => String::new(),
    }
}
