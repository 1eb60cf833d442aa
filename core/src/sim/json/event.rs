//! Events as JSON: the word of the event and its fields.

use super::value::{Fields, ToJson};
use crate::kafka::event::EventKind;

/// One line an event; a field or an event that is forgotten does not compile.
macro_rules! kinds {
    ($($word:ident { $($field:ident),* $(,)? })*) => {
        /// Every event by its word, with the names of its fields.
        pub const ALL: &[(&str, &[&str])] = &[$((stringify!($word), &[$(stringify!($field)),*])),*];

        /// The word of an event and its fields, named as in [`EventKind`].
        pub fn fields_of(kind: &EventKind) -> (&'static str, Fields) {
            match kind {
                $(EventKind::$word { $($field),* } => {
                    (stringify!($word), Fields(vec![$((stringify!($field), $field.json())),*]))
                })*
            }
        }
    };
}

kinds! {
    Step { step }
    BrokerStopped { broker, how, leo, checkpointed_hw }
    BrokerStarted { broker, leo, hw, forgotten_epochs, clean }
    BrokerExited { broker, leo, leader_leo }
    ControllerStopped {}
    ControllerStarted {}
    LinkChanged { from, to, state }
    ConfigSet { name, value, result }
    ElectionAnswered { result }
    MessageSent { message }
    MessageArrived { message }
    MessageLost { message, why }
    MessageHeld { message }
    MessageIgnored { message, by, why }
    ProduceCalled { send, first_record, count, acks }
    ProduceSent { send, attempt, to }
    ProduceAnswered { send, attempt, outcome, retry }
    DeliveryTimedOut { send }
    Appended { broker, batch, send, leo }
    Truncated { broker, from, to, hw }
    HwChanged { broker, from, to, leads }
    HwHeld { broker, at, why }
    LsoChanged { broker, from, to }
    EpochAssigned { broker, epoch, start }
    AppendRefused { broker, send, error }
    DuplicateRecognised { broker, send, base, end }
    ProduceParked { broker, send, required, until }
    ProduceCompleted { broker, send, result, timed_out }
    FetchParked { broker, by, offset, until }
    FetchServed { broker, by, offset, end, hw, error, diverging }
    FollowerStateUpdated { leader, follower, leo, last_caught_up }
    IsrProposed { leader, isr, change, members }
    IsrAnswered { leader, result }
    BecameLeader { broker, epoch, epoch_start, hw, isr, partition_epoch }
    IsrLearned { leader, isr, partition_epoch }
    BecameFollower { broker, leader, epoch, partition_epoch }
    MetadataApplied { broker, offset }
    Diverged { broker, epoch, end, cut }
    FetchBackedOff { broker, error, until }
    FetchFailed { broker, error }
    PartitionChanged { before, after, reason, election }
    AlterPartitionRefused { broker, error }
    BrokerRegistered { broker, epoch, clean }
    RegistrationRefused { broker, error }
    BrokerFenced { broker, session_expired }
    BrokerUnfenced { broker }
    ControlledShutdownBegan { broker }
    Consumed { from, to, broker, skipped }
    ConsumerFailed { error, position }
    ConsumerSentTo { broker, by, until }
    QueryAnswered { step, answer }
    TransactionChanged { transaction, state }
}
