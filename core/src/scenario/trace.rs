//! What a real cluster did, step by step, as a recorder wrote it down; and the scenario that does the same.
//!
//! The file format is described in `core/cases/cluster-traces/README.md`.

mod observation;
mod read;
mod step;

pub use observation::{Ack, End, Known, LogEntry, Observation};
pub use read::{MAX_BYTES, read};

use crate::kafka::error::KafkaError;
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset, PartitionEpoch};
use crate::kafka::partition::Recovery;
use crate::kafka::settings::Settings;

use super::value::{Action, Scenario, Start, StartReplica, Step, When};

/// A recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its name.
    pub id: String,
    /// What it shows, in one line.
    pub title: String,
    /// The release that was recorded, such as `4.4.0`.
    pub kafka: String,
    /// How often it was recorded.
    pub recorded: u64,
    /// The settings of the cluster and its clients.
    pub settings: Settings,
    /// The whole state before the first step.
    pub start: Observation,
    /// Every partition record that the controller wrote, in order; empty before 3.0.
    pub partition_history: Vec<PartitionRecord>,
    /// What was done, and what was seen after each.
    pub steps: Vec<TraceStep>,
    /// Brokers whose HW is unknown throughout.
    pub hw_not_recorded: Vec<BrokerId>,
}

/// One step of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Its index in the recording; some are left out of the file.
    pub index: u64,
    /// The recorder's word for it.
    pub word: String,
    /// What was done: one action, more only where one `set_config` changes several configs.
    pub actions: Vec<Action>,
    /// When it was done, since the first step; of use for request timeouts only.
    pub at: Millis,
    /// What has changed since the step before.
    pub observed: Observation,
    /// Values (`hw/2`, `partition_epoch`) that are unknown from here on, until they are named again.
    pub varies: Vec<String>,
    /// What the step itself was answered.
    pub result: Option<StepResult>,
    /// A fetch step: the follower stopped asking after so many rounds.
    pub rounds_possible: Option<u32>,
}

/// The answer to a step that asks something. Numbers that Kafka gives as -1 are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepResult {
    /// No broker was running that could have been asked.
    NoBroker,
    /// Elections, config changes, ends of transactions; none = NONE.
    Done(Option<KafkaError>),
    /// A produce in a transaction.
    Produced {
        /// None = NONE.
        error: Option<KafkaError>,
        /// Where the batch begins.
        base_offset: Option<Offset>,
    },
    /// A fetch.
    Consumed {
        /// None = NONE.
        error: Option<KafkaError>,
        /// HW.
        hw: Option<Offset>,
        /// LSO.
        lso: Option<Offset>,
        /// How many aborted transactions were named.
        aborted: u64,
        /// As fetched, before the client filters aborted records and markers.
        values: Vec<LogEntry>,
    },
    /// ListOffsets(latest).
    Listed {
        /// None = NONE.
        error: Option<KafkaError>,
        /// The offset.
        offset: Option<Offset>,
        /// Its leader epoch.
        epoch: Option<LeaderEpoch>,
    },
    /// OffsetsForLeaderEpoch.
    EpochEnd {
        /// None = NONE.
        error: Option<KafkaError>,
        /// The epoch that was answered.
        epoch: Option<LeaderEpoch>,
        /// Its end, exclusive.
        end_offset: Option<Offset>,
    },
}

/// A record of the controller's metadata log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionRecord {
    /// `PartitionRecord`, `PartitionChangeRecord` or `ClearElrRecord`.
    pub kind: String,
    /// The leader after it.
    pub leader: Option<BrokerId>,
    /// The leader epoch.
    pub leader_epoch: LeaderEpoch,
    /// The partition epoch.
    pub partition_epoch: PartitionEpoch,
    /// The ISR.
    pub isr: BrokerSet,
    /// The ELR.
    pub elr: BrokerSet,
    /// The last known ELR.
    pub last_known_elr: Vec<BrokerId>,
    /// The recovery state.
    pub recovery: Recovery,
}

impl Trace {
    /// The scenario that does what was recorded: each step when the one before it has settled.
    pub fn scenario(&self) -> Scenario {
        let actions = self.steps.iter().flat_map(|step| &step.actions);
        let step = |action: &Action| Step {
            when: When::Settled,
            action: action.clone(),
        };
        Scenario {
            title: self.title.clone(),
            settings: self.settings.clone(),
            start: self.start_section(),
            steps: actions.map(step).collect(),
        }
    }

    /// For each step of the recording the scenario step that ends it. What was observed holds when that has settled.
    pub fn last_scenario_steps(&self) -> Vec<Option<usize>> {
        let mut count = 0usize;
        let mut ends = Vec::new();
        for step in &self.steps {
            count += step.actions.len();
            ends.push(count.checked_sub(1));
        }
        ends
    }

    /// The start section; none when the cluster was new: everything empty, all up, the first replica leads.
    fn start_section(&self) -> Option<Start> {
        let seen = &self.start;
        let settings = &self.settings;
        let down = |broker: &BrokerId| {
            seen.running
                .as_ref()
                .is_some_and(|up| !up.contains(*broker))
        };
        let start = Start {
            leader: match seen.leader {
                Some(leader) => leader,
                None => settings.replicas.first().copied(),
            },
            leader_epoch: seen.leader_epoch.unwrap_or_default(),
            partition_epoch: seen.partition_epoch.unwrap_or_default(),
            isr: match &seen.isr {
                Some(isr) => isr.clone(),
                None => settings.replicas.iter().copied().collect(),
            },
            elr: seen.elr.clone().unwrap_or_default(),
            last_known_elr: seen.last_known_elr.clone().unwrap_or_default(),
            recovery: seen.recovery.unwrap_or_default(),
            replicas: settings
                .brokers
                .iter()
                .map(|broker| self.start_replica(*broker, down(broker)))
                .filter(|replica| {
                    let bare = StartReplica {
                        broker: replica.broker,
                        ..StartReplica::default()
                    };
                    *replica != bare
                })
                .collect(),
            open_transaction: None,
        };
        let new = Start {
            leader: settings.replicas.first().copied(),
            isr: settings.replicas.iter().copied().collect(),
            ..Start::default()
        };
        (start != new).then_some(start)
    }

    fn start_replica(&self, broker: BrokerId, down: bool) -> StartReplica {
        let seen = &self.start;
        let leo = seen.leo.get(&broker).copied().unwrap_or_default();
        let hw = seen.hw.get(&broker).copied().unwrap_or_default();
        let epochs = seen.epochs.get(&broker).cloned().unwrap_or_default();
        let entries = seen
            .logs
            .get(&broker)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let mut log: Vec<(LeaderEpoch, u64)> = Vec::new();
        for entry in entries {
            let epoch = entry.epoch.unwrap_or_default();
            match log.last_mut() {
                Some((last, count)) if *last == epoch => *count += 1,
                _ => log.push((epoch, 1)),
            }
        }
        if log.is_empty() && leo.0 > 0 {
            log = ranges(&epochs, leo);
        }
        let mut from_log = Vec::new();
        let mut at = Offset(0);
        for (epoch, count) in &log {
            from_log.push((*epoch, at));
            at = at.plus(*count);
        }
        let own_epochs = seen.epochs.contains_key(&broker) && !log.is_empty() && epochs != from_log;
        StartReplica {
            broker,
            log,
            log_start: Offset(0),
            epochs: own_epochs.then_some(epochs),
            hw: hw.min(leo),
            down,
            clean: false,
        }
    }
}

/// A log of `leo` records by the entries of its epoch cache; one range of epoch 0 when there are none.
fn ranges(epochs: &[(LeaderEpoch, Offset)], leo: Offset) -> Vec<(LeaderEpoch, u64)> {
    let ends = epochs.iter().skip(1).map(|(_, start)| *start).chain([leo]);
    let list: Vec<(LeaderEpoch, u64)> = epochs
        .iter()
        .zip(ends)
        .map(|((epoch, start), end)| (*epoch, end.since(*start)))
        .filter(|(_, count)| *count > 0)
        .collect();
    if list.is_empty() {
        vec![(LeaderEpoch(0), leo.0)]
    } else {
        list
    }
}
