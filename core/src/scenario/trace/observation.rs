//! What was seen of the cluster after a step.

use std::collections::{BTreeMap, BTreeSet};

use crate::kafka::error::KafkaError;
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Offset, PartitionEpoch};
use crate::kafka::partition::Recovery;

use super::TraceStep;

/// A record in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogEntry {
    /// The record m*number*; none = a transaction's marker.
    pub record: Option<u64>,
    /// The epoch it was appended in; none where the recording has none.
    pub epoch: Option<LeaderEpoch>,
}

/// What ListOffsets(latest) answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The end, exclusive.
    At(Offset),
    /// No leader, or its process is dead.
    NoLeader,
    /// Nothing came back.
    NoAnswer,
    /// An error.
    Error(KafkaError),
}

/// What a produce call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ack {
    /// No answer yet.
    Pending,
    /// Success, with the base offset.
    Success(Offset),
    /// An error.
    Error(KafkaError),
    /// acks=0.
    NoneExpected,
    /// The broker died or dropped the connection.
    ConnectionClosed,
    /// The client closed before the answer.
    NoAnswer,
    /// Nothing was sent.
    NoLeader,
}

/// A state, or the difference to the one before: what is none or missing kept its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// The controller's leader; `Some(None)` = nobody.
    pub leader: Option<Option<BrokerId>>,
    /// The leader epoch.
    pub leader_epoch: Option<LeaderEpoch>,
    /// The partition epoch.
    pub partition_epoch: Option<PartitionEpoch>,
    /// The ISR.
    pub isr: Option<BrokerSet>,
    /// The ELR.
    pub elr: Option<BrokerSet>,
    /// The last known ELR.
    pub last_known_elr: Option<Vec<BrokerId>>,
    /// The recovery state.
    pub recovery: Option<Recovery>,
    /// LEO by replica.
    pub leo: BTreeMap<BrokerId, Offset>,
    /// HW by replica.
    pub hw: BTreeMap<BrokerId, Offset>,
    /// Epoch cache by replica.
    pub epochs: BTreeMap<BrokerId, Vec<(LeaderEpoch, Offset)>>,
    /// Records by replica, in offset order.
    pub logs: BTreeMap<BrokerId, Vec<LogEntry>>,
    /// Brokers that the controller holds fenced (before 3.0: that are not registered).
    pub fenced: Option<BrokerSet>,
    /// Brokers whose process is alive.
    pub running: Option<BrokerSet>,
    /// What a read_uncommitted consumer can see the end at.
    pub consumer_end: Option<End>,
    /// What a read_committed consumer can see the end at.
    pub read_committed_end: Option<End>,
    /// Answers by produce id.
    pub acks: BTreeMap<String, Ack>,
}

impl Observation {
    /// Takes over what `difference` names.
    pub fn merge(&mut self, difference: &Observation) {
        fn take<T: Clone>(to: &mut Option<T>, from: &Option<T>) {
            if from.is_some() {
                to.clone_from(from);
            }
        }
        fn each<K: Ord + Clone, V: Clone>(to: &mut BTreeMap<K, V>, from: &BTreeMap<K, V>) {
            to.extend(from.iter().map(|(k, v)| (k.clone(), v.clone())));
        }
        take(&mut self.leader, &difference.leader);
        take(&mut self.leader_epoch, &difference.leader_epoch);
        take(&mut self.partition_epoch, &difference.partition_epoch);
        take(&mut self.isr, &difference.isr);
        take(&mut self.elr, &difference.elr);
        take(&mut self.last_known_elr, &difference.last_known_elr);
        take(&mut self.recovery, &difference.recovery);
        each(&mut self.leo, &difference.leo);
        each(&mut self.hw, &difference.hw);
        each(&mut self.epochs, &difference.epochs);
        each(&mut self.logs, &difference.logs);
        take(&mut self.fenced, &difference.fenced);
        take(&mut self.running, &difference.running);
        take(&mut self.consumer_end, &difference.consumer_end);
        take(&mut self.read_committed_end, &difference.read_committed_end);
        each(&mut self.acks, &difference.acks);
    }

    /// The names of the values that are given, as `varies` names them: `leader`, `hw/2`, `acks/p1`.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = [
            ("leader", self.leader.is_some()),
            ("leader_epoch", self.leader_epoch.is_some()),
            ("partition_epoch", self.partition_epoch.is_some()),
            ("isr", self.isr.is_some()),
            ("elr", self.elr.is_some()),
            ("last_known_elr", self.last_known_elr.is_some()),
            ("recovery", self.recovery.is_some()),
            ("fenced", self.fenced.is_some()),
            ("running", self.running.is_some()),
            ("consumer_end", self.consumer_end.is_some()),
            ("read_committed_end", self.read_committed_end.is_some()),
        ]
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(name, _)| name.to_owned())
        .collect();
        let mut each = |name: &str, keys: Vec<String>| {
            names.extend(keys.into_iter().map(|key| format!("{name}/{key}")));
        };
        each("leo", self.leo.keys().map(BrokerId::to_string).collect());
        each("hw", self.hw.keys().map(BrokerId::to_string).collect());
        each(
            "epochs",
            self.epochs.keys().map(BrokerId::to_string).collect(),
        );
        each("logs", self.logs.keys().map(BrokerId::to_string).collect());
        each("acks", self.acks.keys().cloned().collect());
        names
    }
}

/// All that is known of the cluster at a step: the differences so far, and which values are unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The state; of no meaning where the name is in `unknown`.
    pub state: Observation,
    /// Names as [`Observation::names`] gives them.
    pub unknown: BTreeSet<String>,
}

impl Known {
    /// What is known before the first step of a trace.
    pub fn at_start(trace: &super::Trace) -> Known {
        let names = trace.hw_not_recorded.iter().map(|b| format!("hw/{b}"));
        Known {
            state: trace.start.clone(),
            unknown: names.collect(),
        }
    }

    /// What is known after that step. A HW that was not recorded stays unknown.
    pub fn after(&mut self, trace: &super::Trace, step: &TraceStep) {
        self.state.merge(&step.observed);
        for name in step.observed.names() {
            self.unknown.remove(&name);
        }
        self.unknown.extend(step.varies.iter().cloned());
        let names = trace.hw_not_recorded.iter().map(|b| format!("hw/{b}"));
        self.unknown.extend(names);
    }
}
