//! Causes as JSON: the rule, its source, and each number with the event that set it.

use super::value::{Json, ToJson};
use crate::kafka::cause::{Cause, Quantity};
use crate::kafka::ids::{BrokerId, EventId};
use serde::Serialize;

/// Why an event happened.
#[derive(Serialize)]
pub struct CauseJson {
    rule: &'static str,
    source: &'static str,
    kip: Option<u32>,
    trigger: Option<u32>,
    numbers: Vec<NumberJson>,
}

/// A number that the rule looked at.
#[derive(Serialize)]
struct NumberJson {
    quantity: &'static str,
    /// Whose: the replica, or the leader that knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    broker: Option<u32>,
    /// Of whom a leader knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    follower: Option<u32>,
    value: Json,
    set_by: Option<u32>,
}

impl CauseJson {
    /// The form of a cause.
    pub fn of(cause: &Cause) -> CauseJson {
        let id = |event: EventId| event.0;
        let number = |number: &crate::kafka::cause::Number| {
            let (quantity, broker, follower) = quantity(number.quantity);
            NumberJson {
                quantity,
                broker: broker.map(|broker| broker.0),
                follower: follower.map(|follower| follower.0),
                value: number.value.json(),
                set_by: number.set_by.map(id),
            }
        };
        CauseJson {
            rule: cause.rule.name(),
            source: cause.rule.source(),
            kip: cause.rule.kip(),
            trigger: cause.trigger.map(id),
            numbers: cause.numbers.iter().map(number).collect(),
        }
    }
}

/// The word of a quantity, whose it is, and of which follower.
fn quantity(quantity: Quantity) -> (&'static str, Option<BrokerId>, Option<BrokerId>) {
    macro_rules! words {
        (of a broker: $($owned:ident)*; of the run: $($plain:ident)*;) => {
            match quantity {
                $(Quantity::$owned(broker) => (stringify!($owned), Some(broker), None),)*
                $(Quantity::$plain => (stringify!($plain), None, None),)*
                Quantity::FollowerLeo { leader, follower } => ("FollowerLeo", Some(leader), Some(follower)),
                Quantity::LastCaughtUp { leader, follower } => ("LastCaughtUp", Some(leader), Some(follower)),
            }
        };
    }
    words! {
        of a broker: Leo Hw Lso CommittedIsr MaximalIsr EpochStart BrokerLeaderEpoch Running BrokerEpoch Fenced
            InControlledShutdown LastContact;
        of the run: ControllerIsr Elr LastKnownElr Leader LeaderEpoch PartitionEpoch MinIsr UncleanElection
            ConsumerPosition Acks ReplicationFactor IsrSize LagTimeMax SessionTimeout RequestTimeout DeliveryTimeout
            FetchMaxWait Waited Backoff FetchOffset RequiredOffset ResponseHw RequestEpoch LastFetchedEpoch
            DivergingEpoch DivergingEnd OwnEpochEnd Sequence ExpectedSequence Records Attempt Retries KeepLeo
            FirstUnstable Preferred;
    }
}
