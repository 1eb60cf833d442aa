//! Values in the words of the recordings' files: `m1@0`, `NONE@2`, `no leader`.

use crate::kafka::error::KafkaError;
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Offset, PartitionEpoch};
use crate::kafka::partition::Recovery;
use crate::scenario::trace::{Ack, End, LogEntry, StepResult};

/// What can be said in the words of the recordings.
pub(super) trait Words {
    /// The words.
    fn words(&self) -> String;
}

macro_rules! plain {
    ($($type:ty),*) => {
        $(impl Words for $type { fn words(&self) -> String { self.to_string() } })*
    };
}
plain!(
    BrokerId,
    LeaderEpoch,
    Offset,
    PartitionEpoch,
    KafkaError,
    u64
);

impl Words for BrokerSet {
    fn words(&self) -> String {
        format!(
            "[{}]",
            self.iter()
                .map(|b| b.words())
                .collect::<Vec<_>>()
                .join(", ")
        )
    }
}

impl<T: Words> Words for Vec<T> {
    fn words(&self) -> String {
        let items: Vec<String> = self.iter().map(Words::words).collect();
        format!("[{}]", items.join(", "))
    }
}

/// Kafka's -1.
impl<T: Words> Words for Option<T> {
    fn words(&self) -> String {
        self.as_ref().map_or_else(|| "-1".to_owned(), Words::words)
    }
}

impl Words for Recovery {
    fn words(&self) -> String {
        self.name().to_owned()
    }
}

impl Words for (LeaderEpoch, Offset) {
    fn words(&self) -> String {
        format!("{}@{}", self.0, self.1)
    }
}

impl Words for LogEntry {
    fn words(&self) -> String {
        let record = match self.record {
            Some(number) => format!("m{number}"),
            None => "marker".to_owned(),
        };
        match self.epoch {
            Some(epoch) => format!("{record}@{epoch}"),
            None => record,
        }
    }
}

impl Words for End {
    fn words(&self) -> String {
        match self {
            End::At(offset) => offset.words(),
            End::NoLeader => "no leader".to_owned(),
            End::NoAnswer => "no answer".to_owned(),
            End::Error(error) => error.words(),
        }
    }
}

impl Words for Ack {
    fn words(&self) -> String {
        match self {
            Ack::Pending => "pending".to_owned(),
            Ack::Success(offset) => format!("NONE@{offset}"),
            Ack::Error(error) => error.words(),
            Ack::NoneExpected => "no answer expected".to_owned(),
            Ack::ConnectionClosed => "connection closed".to_owned(),
            Ack::NoAnswer => "no answer".to_owned(),
            Ack::NoLeader => "no leader".to_owned(),
        }
    }
}

impl Words for StepResult {
    fn words(&self) -> String {
        let name = |error: &Option<KafkaError>| match error {
            Some(error) => error.words(),
            None => "NONE".to_owned(),
        };
        match self {
            StepResult::NoBroker => "no broker".to_owned(),
            StepResult::Done(error) => name(error),
            StepResult::Produced { error, base_offset } => {
                format!("{} base offset {}", name(error), base_offset.words())
            }
            StepResult::Consumed {
                error,
                hw,
                lso,
                aborted,
                values,
            } => format!(
                "{} hw {} lso {} aborted {aborted} values {}",
                name(error),
                hw.words(),
                lso.words(),
                values.words()
            ),
            StepResult::Listed {
                error,
                offset,
                epoch,
            } => format!(
                "{} offset {} epoch {}",
                name(error),
                offset.words(),
                epoch.words()
            ),
            StepResult::EpochEnd {
                error,
                epoch,
                end_offset,
            } => format!(
                "{} epoch {} end {}",
                name(error),
                epoch.words(),
                end_offset.words()
            ),
        }
    }
}
