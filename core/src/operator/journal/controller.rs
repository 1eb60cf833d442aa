//! The controller's lines (`ReplicationControlManager`, `ClusterControlManager`, `BrokerHeartbeatManager`), KRaft only: the
//! words of the ZooKeeper controller are not told.

use super::{Journal, Registration};
use crate::kafka::event::{ChangeReason, Event, EventKind};
use crate::kafka::ids::{BrokerId, BrokerSet};
use crate::kafka::partition::PartitionState;
use crate::kafka::rules::Version;
use crate::operator::describe::joined;
use crate::operator::line::{Level, Line, Origin};
use crate::operator::topic::id_of;

/// The controller's node id. The brokers have the small ones.
pub const NODE: u32 = 100;

const REPLICATION: &str = "org.apache.kafka.controller.ReplicationControlManager";
const CLUSTER: &str = "org.apache.kafka.controller.ClusterControlManager";
const HEARTBEATS: &str = "org.apache.kafka.controller.BrokerHeartbeatManager";

/// What a BrokerRegistrationChangeRecord changes.
#[derive(Clone, Copy)]
struct Change {
    /// 1 = fenced, -1 = unfenced, 0 = as before.
    fenced: i8,
    /// Whether controlled shutdown begins.
    shutdown: bool,
    /// Whether it tells that no log directory is cordoned, as the first heartbeat of a process does.
    cordoned: bool,
}

impl Journal {
    /// The lines of the topic's creation; a run that starts from a given state has none.
    pub(super) fn begins(&mut self, created: bool) {
        if !self.kraft() {
            return;
        }
        let ids: Vec<BrokerId> = self.registrations.keys().copied().collect();
        let before = self.lines.len();
        for id in ids {
            for change in FIRST {
                self.registration_changed(id, change);
            }
        }
        // They were written before the run begins.
        self.lines.truncate(before);
        let message = self.created();
        self.replays(REPLICATION, message);
        if !created {
            self.lines.truncate(before);
        }
    }

    /// `changes`: the partition's record is changed by the same action.
    pub(super) fn of_controller(&mut self, event: &Event, changes: bool) {
        if !self.kraft() {
            return;
        }
        match &event.kind {
            EventKind::BrokerFenced {
                broker,
                session_expired,
            } => self.fenced(*broker, *session_expired, changes),
            EventKind::BrokerUnfenced { broker } => self.unfenced(*broker),
            EventKind::ControlledShutdownBegan { broker } => {
                let message = format!(
                    "Unfenced broker {broker} has requested and been granted a controlled shutdown."
                );
                self.says(HEARTBEATS, message);
                if let Some(known) = self.registrations.get_mut(broker) {
                    known.shutting_down = true;
                }
                self.registration_changed(*broker, SHUTDOWN);
            }
            EventKind::BrokerRegistered { broker, epoch, .. } => {
                let registration = Registration {
                    epoch: *epoch,
                    record: epoch.0,
                    fresh: true,
                    shutting_down: false,
                };
                self.registrations.insert(*broker, registration);
            }
            EventKind::PartitionChanged {
                before,
                after,
                reason,
                ..
            } => self.partition_changed(before, after, *reason),
            EventKind::ControllerStarted => {
                for line in self.replayed.clone() {
                    self.lines.push(Line {
                        at: self.at,
                        event: self.event,
                        ..line
                    });
                }
            }
            _ => {}
        }
    }

    fn fenced(&mut self, broker: BrokerId, session_expired: bool, changes: bool) {
        let Some(known) = self.registrations.get(&broker).copied() else {
            return;
        };
        if session_expired {
            let epoch = known.epoch;
            let message = match self.version() >= Version::V4_0 {
                true => format!(
                    "Fencing broker {broker} at epoch {epoch} because its session has timed out."
                ),
                false => format!("Fencing broker {broker} because its session has timed out."),
            };
            self.says(REPLICATION, message);
        } else if !known.shutting_down {
            let message = format!(
                "Unfenced broker {broker} has requested and been granted an immediate shutdown."
            );
            self.says(HEARTBEATS, message);
        }
        if changes {
            self.says(
                REPLICATION,
                "handleBrokerFenced: changing 1 partition(s)".to_owned(),
            );
        }
        self.registration_changed(broker, FENCED);
    }

    fn unfenced(&mut self, broker: BrokerId) {
        let Some(known) = self.registrations.get_mut(&broker) else {
            return;
        };
        let (record, fresh) = (known.record, std::mem::take(&mut known.fresh));
        if fresh && self.version() >= Version::V4_2 {
            self.registration_changed(broker, CORDONED);
        }
        let message = format!(
            "The request from broker {broker} to unfence has been granted because it has caught up with the offset of \
             its register broker record {record}."
        );
        self.says(HEARTBEATS, message);
        self.registration_changed(broker, UNFENCED);
    }

    fn partition_changed(
        &mut self,
        before: &PartitionState,
        after: &PartitionState,
        reason: ChangeReason,
    ) {
        match reason {
            ChangeReason::Unfenced(_) => self.says(
                REPLICATION,
                "handleBrokerUnfenced: changing 1 partition(s)".to_owned(),
            ),
            // Its own record comes first in the log, so the register record is one further on.
            ChangeReason::Registered { broker, .. } => {
                if let Some(known) = self.registrations.get_mut(&broker) {
                    known.record = known.record.saturating_add(1);
                }
            }
            ChangeReason::ElrCleared => {
                let message = format!(
                    "Removed ELRs from 1 partitions of topic {}.",
                    self.topic.name
                );
                self.replays(REPLICATION, message);
            }
            _ => {}
        }
        if before.recovery != after.recovery && after.recovery.name() == "RECOVERING" {
            let message = self.unclean(before, after);
            self.replays(REPLICATION, message);
        }
    }

    /// `ReplicationControlManager.replay(PartitionRecord)`.
    fn created(&self) -> String {
        let partition = &self.partition;
        let wide = |list: String| format!("[{}]", list.replace(',', ", "));
        let replicas = wide(joined(&partition.replicas));
        let version = self.version();
        let directories = match version >= Version::V3_7 {
            true => {
                let ids = partition
                    .replicas
                    .iter()
                    .map(|b| id_of(&format!("directory of {b}")));
                format!("directories=[{}], ", ids.collect::<Vec<_>>().join(", "))
            }
            false => String::new(),
        };
        let elr = match version >= Version::V4_0 {
            true => format!(
                "elr={}, lastKnownElr={}, ",
                wide(partition.elr.to_string()),
                wide(joined(&partition.last_known_elr))
            ),
            false => String::new(),
        };
        format!(
            "Replayed PartitionRecord for new partition {} with topic ID {} and PartitionRegistration(replicas={replicas}, \
             {directories}isr={}, removingReplicas=[], addingReplicas=[], {elr}leader={}, leaderRecoveryState={}, \
             leaderEpoch={}, partitionEpoch={}).",
            self.topic.partition(),
            self.topic.id,
            wide(partition.isr.to_string()),
            leader(partition.leader),
            partition.recovery.name(),
            partition.leader_epoch,
            partition.partition_epoch
        )
    }

    /// `PartitionRegistration.maybeLogPartitionChange`: only what differs.
    fn unclean(&self, before: &PartitionState, after: &PartitionState) -> String {
        let set = |set: &BrokerSet| format!("[{}]", set.to_string().replace(',', ", "));
        let list = |list: &[BrokerId]| format!("[{}]", joined(list).replace(',', ", "));
        let pairs = [
            ("isr", set(&before.isr), set(&after.isr)),
            ("leader", leader(before.leader), leader(after.leader)),
            (
                "leaderRecoveryState",
                before.recovery.name().to_owned(),
                after.recovery.name().to_owned(),
            ),
            (
                "leaderEpoch",
                before.leader_epoch.to_string(),
                after.leader_epoch.to_string(),
            ),
            ("elr", set(&before.elr), set(&after.elr)),
            (
                "lastKnownElr",
                list(&before.last_known_elr),
                list(&after.last_known_elr),
            ),
            (
                "partitionEpoch",
                before.partition_epoch.to_string(),
                after.partition_epoch.to_string(),
            ),
        ];
        let changes: Vec<String> = pairs
            .into_iter()
            .filter(|(_, before, after)| before != after)
            .map(|(name, before, after)| format!("{name}: {before} -> {after}"))
            .collect();
        format!(
            "UNCLEAN partition change for {} with topic ID {}: {}",
            self.topic.partition(),
            self.topic.id,
            changes.join(", ")
        )
    }

    fn registration_changed(&mut self, broker: BrokerId, change: Change) {
        let Some(known) = self.registrations.get(&broker) else {
            return;
        };
        let Change {
            fenced,
            shutdown,
            cordoned,
        } = change;
        let version = self.version();
        let directories = match (version >= Version::V4_2, version >= Version::V3_7) {
            (true, _) if cordoned => ", logDirs=[], cordonedLogDirs=[]",
            (true, _) => ", logDirs=[], cordonedLogDirs=null",
            (false, true) => ", logDirs=[]",
            (false, false) => "",
        };
        let message = format!(
            "Replayed BrokerRegistrationChangeRecord modifying the registration for broker {broker}: \
             BrokerRegistrationChangeRecord(brokerId={broker}, brokerEpoch={}, fenced={fenced}, inControlledShutdown={}\
             {directories})",
            known.epoch,
            u8::from(shutdown)
        );
        self.replays(CLUSTER, message);
    }

    fn says(&mut self, logger: &'static str, message: String) {
        let message = format!("[QuorumController id={NODE}] {message}");
        self.write(Origin::Controller, Level::Info, logger, message);
    }

    /// A line that is written when a record is applied.
    fn replays(&mut self, logger: &'static str, message: String) {
        self.says(logger, message);
        self.replayed.extend(self.lines.last().cloned());
    }
}

const FENCED: Change = Change {
    fenced: 1,
    shutdown: false,
    cordoned: false,
};
const UNFENCED: Change = Change {
    fenced: -1,
    ..FENCED
};
const SHUTDOWN: Change = Change {
    fenced: 0,
    shutdown: true,
    cordoned: false,
};
const CORDONED: Change = Change {
    fenced: 0,
    shutdown: false,
    cordoned: true,
};
/// What a broker that has just come tells of itself.
const FIRST: [Change; 2] = [CORDONED, UNFENCED];

fn leader(leader: Option<BrokerId>) -> String {
    leader.map_or_else(|| "-1".to_owned(), |leader| leader.to_string())
}
