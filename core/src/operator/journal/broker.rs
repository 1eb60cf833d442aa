//! A broker's lines (`Partition`, `ReplicaFetcherThread`, `UnifiedLog`, the state-change logger).

use super::Journal;
use crate::kafka::cause::{Cause, Quantity, Value};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Event, EventKind, IsrChange};
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Offset, PartitionEpoch};
use crate::kafka::rules::{Truncation, Version};
use crate::operator::clock::epoch_millis;
use crate::operator::line::{Level, Origin};
use crate::operator::segment;

const STATE: &str = "state.change.logger";
const PARTITION: &str = "kafka.cluster.Partition";
const FETCHER: &str = "kafka.server.ReplicaFetcherThread";
const MANAGER: &str = "kafka.server.ReplicaManager";

impl Journal {
    pub(super) fn of_broker(&mut self, event: &Event) {
        match &event.kind {
            EventKind::BecameLeader { broker, .. } => self.leads(*broker, &event.kind),
            EventKind::BecameFollower {
                broker,
                leader,
                epoch,
                partition_epoch,
            } => self.follows(*broker, *leader, *epoch, *partition_epoch),
            EventKind::Diverged {
                broker,
                epoch,
                end,
                cut,
            } => self.diverged(*broker, *epoch, *end, *cut),
            EventKind::Truncated { broker, to, hw, .. } => self.truncated(*broker, *to, *hw),
            EventKind::HwChanged {
                broker,
                from,
                to,
                leads: false,
            } if to < from => self.hw_went_down(*broker, *from, *to),
            EventKind::IsrProposed {
                leader,
                isr,
                change,
                members,
            } => self.isr_proposed(*leader, isr, *change, members, &event.cause),
            EventKind::IsrAnswered {
                leader,
                result: Ok(isr),
            } => self.isr_updated(*leader, isr, &event.cause),
            EventKind::FetchFailed {
                broker,
                error: KafkaError::FencedLeaderEpoch,
            } => self.fetch_failed(*broker),
            EventKind::AppendRefused {
                broker,
                error: KafkaError::NotEnoughReplicas,
                ..
            } => self.not_enough_replicas(*broker, &event.cause),
            _ => {}
        }
    }

    /// `Partition.makeLeader`.
    fn leads(&mut self, broker: BrokerId, kind: &EventKind) {
        let EventKind::BecameLeader {
            epoch,
            epoch_start,
            hw,
            isr,
            partition_epoch,
            ..
        } = kind
        else {
            return;
        };
        let (known, previous) = self.known(broker);
        let was_leader = self.seats.get(&broker).is_some_and(|seat| seat.leads);
        let recovering =
            self.partition.leader_epoch == *epoch && self.partition.recovery.name() == "RECOVERING";
        let (partition, version) = (self.topic.partition(), self.version());
        if recovering && self.kraft() {
            let message = format!(
                "[Broker id={broker}] The topic partition {partition} was marked as RECOVERING. Marking the topic \
                 partition as RECOVERED."
            );
            self.write(Origin::Broker(broker), Level::Info, STATE, message);
        }
        // The old role counts: only who led already sees itself below min ISR here.
        let under = was_leader && self.is_under_min(isr);
        let note = if under { "(under-min-isr)" } else { "" };
        let message = match version {
            Version::V0_10 => return,
            Version::V0_11 | Version::V2_0 => format!(
                "[Partition {partition} broker={broker}] {partition} starts at Leader Epoch {epoch} from offset \
                 {epoch_start}. Previous Leader Epoch was: {previous}"
            ),
            Version::V2_8 => format!(
                "[Broker id={broker}] Leader {partition} starts at leader epoch {epoch} from offset {epoch_start} with \
                 high watermark {hw} ISR [{isr}] addingReplicas [] removingReplicas []. Previous leader epoch was \
                 {previous}."
            ),
            _ => format!(
                "[Broker id={broker}] Leader {partition} with topic id Some({}) starts at leader epoch {epoch} from offset \
                 {epoch_start} with partition epoch {partition_epoch}, high watermark {hw}, ISR [{isr}], adding replicas \
                 [] and removing replicas [] {note}. Previous leader {known} and previous leader epoch was {previous}.",
                self.topic.id
            ),
        };
        let logger = match version {
            Version::V0_11 | Version::V2_0 => PARTITION,
            _ => STATE,
        };
        self.write(Origin::Broker(broker), Level::Info, logger, message);
    }

    /// `Partition.makeFollower`, and the first thing that a fetcher with nothing to ask by does
    /// (`AbstractFetcherThread.truncateToHighWatermark`).
    fn follows(
        &mut self,
        broker: BrokerId,
        leader: Option<BrokerId>,
        epoch: LeaderEpoch,
        partition_epoch: PartitionEpoch,
    ) {
        let (known, previous) = self.known(broker);
        let (partition, version) = (self.topic.partition(), self.version());
        let Some(seat) = self.seats.get(&broker) else {
            return;
        };
        let (leo, hw) = (seat.log.leo(), seat.log.hw());
        let no_epochs = seat.log.epochs().latest().is_none();
        let id = leader.map_or_else(|| "-1".to_owned(), |leader| leader.to_string());
        let message = match version {
            Version::V0_10 | Version::V0_11 | Version::V2_0 => None,
            Version::V2_8 => Some(format!(
                "[Broker id={broker}] Follower {partition} starts at leader epoch {epoch} from offset {leo} with high \
                 watermark {hw}. Previous leader epoch was {previous}."
            )),
            _ => Some(format!(
                "[Broker id={broker}] Follower {partition} starts at leader epoch {epoch} from offset {leo} with \
                 partition epoch {partition_epoch} and high watermark {hw}. Current leader is {id}. Previous leader \
                 {known} and previous leader epoch was {previous}."
            )),
        };
        if let Some(message) = message {
            self.write(Origin::Broker(broker), Level::Info, STATE, message);
        }
        let in_fetch = self.settings.rules.truncation == Truncation::InFetch;
        if let (Some(leader), true, true) = (leader, no_epochs, in_fetch) {
            let message = format!(
                "{} Truncating partition {partition} with TruncationState(offset={hw}, completed=true) due to local high \
                 watermark {hw}",
                fetcher(broker, leader)
            );
            self.write(Origin::Broker(broker), Level::Info, FETCHER, message);
        }
    }

    /// `AbstractFetcherThread.maybeTruncateToEpochEndOffsets`.
    fn diverged(
        &mut self,
        broker: BrokerId,
        epoch: Option<LeaderEpoch>,
        end: Option<Offset>,
        cut: Offset,
    ) {
        // Before 2.8 the words were others; the log's own line tells of the cut there.
        if self.settings.rules.truncation != Truncation::InFetch {
            return;
        }
        let Some(seat) = self.seats.get(&broker) else {
            return;
        };
        let leader = seat.role.and_then(|(leader, _)| leader);
        // Not known to the end: an epoch of the leader that is not in the own cache is asked for once more.
        let own = seat.log.epochs().end_offset_for(epoch, seat.log.leo());
        let completed = epoch.is_none() || own.epoch.is_none() || own.epoch == epoch;
        let number = |number: Option<String>| number.unwrap_or_else(|| "-1".to_owned());
        let message = format!(
            "{} Truncating partition {} with TruncationState(offset={cut}, completed={completed}) due to leader epoch and \
             offset EpochEndOffset(errorCode=0, partition=0, leaderEpoch={}, endOffset={})",
            fetcher(broker, leader.unwrap_or_default()),
            self.topic.partition(),
            number(epoch.map(|epoch| epoch.to_string())),
            number(end.map(|end| end.to_string())),
        );
        self.write(Origin::Broker(broker), Level::Info, FETCHER, message);
    }

    /// `UnifiedLog.truncateTo`.
    fn truncated(&mut self, broker: BrokerId, to: Offset, hw: Offset) {
        let Some(seat) = self.seats.get(&broker) else {
            return;
        };
        let before = seat.log.hw();
        let (partition, version) = (self.topic.partition(), self.version());
        let (name, logger) = match version {
            Version::V0_10 => {
                let message = format!("Truncating log {partition} to offset {to}.");
                return self.write(
                    Origin::Broker(broker),
                    Level::Info,
                    "kafka.log.Log",
                    message,
                );
            }
            Version::V0_11 | Version::V2_0 | Version::V2_8 => ("Log", "kafka.log.Log"),
            Version::V3_6 => ("UnifiedLog", "kafka.log.UnifiedLog"),
            Version::V3_7 => ("UnifiedLog", "kafka.log.UnifiedLog"),
            _ => (
                "UnifiedLog",
                "org.apache.kafka.storage.internals.log.UnifiedLog",
            ),
        };
        let prefix = format!("[{name} partition={partition}, dir=/var/lib/kafka]");
        if to < before && version >= Version::V2_8 {
            let message = format!(
                "{prefix} Truncating {partition} to offset {to} below high watermark {before}"
            );
            self.write(Origin::Broker(broker), Level::Warn, logger, message);
        }
        let message = format!("{prefix} Truncating to offset {to}");
        self.write(Origin::Broker(broker), Level::Info, logger, message);
        if hw < before {
            self.hw_went_down(broker, before, hw);
        }
    }

    /// `UnifiedLog.updateHighWatermarkMetadata`.
    fn hw_went_down(&mut self, broker: BrokerId, from: Offset, to: Offset) {
        if self.version() < Version::V2_8 {
            return;
        }
        let Some(seat) = self.seats.get(&broker) else {
            return;
        };
        let place = |offset: Offset| match segment::position(&seat.log, offset) {
            Some(bytes) => format!("(offset={offset}, segment=[0:{bytes}])"),
            None => format!("(offset={offset}, segment=[-1:-1])"),
        };
        let (name, logger) = match self.version() {
            Version::V2_8 => ("Log", "kafka.log.Log"),
            Version::V3_6 | Version::V3_7 => ("UnifiedLog", "kafka.log.UnifiedLog"),
            _ => (
                "UnifiedLog",
                "org.apache.kafka.storage.internals.log.UnifiedLog",
            ),
        };
        let message = format!(
            "[{name} partition={}, dir=/var/lib/kafka] Non-monotonic update of high watermark from {} to {}",
            self.topic.partition(),
            place(from),
            place(to)
        );
        self.write(Origin::Broker(broker), Level::Warn, logger, message);
    }

    /// `Partition.maybeShrinkIsr`; before 2.8 also `Partition.expandIsr`.
    fn isr_proposed(
        &mut self,
        leader: BrokerId,
        isr: &BrokerSet,
        change: IsrChange,
        members: &BrokerSet,
        cause: &Cause,
    ) {
        let version = self.version();
        let committed = match cause.value(Quantity::CommittedIsr(leader)) {
            Some(Value::Brokers(set)) => set.clone(),
            _ => isr.union(members),
        };
        let partition = self.topic.partition();
        let prefix = format!("[Partition {partition} broker={leader}]");
        let message = match change {
            IsrChange::Expand if version >= Version::V2_8 => return,
            IsrChange::Expand => format!("{prefix} Expanding ISR from {committed} to {isr}"),
            IsrChange::Shrink if version <= Version::V0_11 => {
                format!("{prefix} Shrinking ISR from {committed} to {isr}")
            }
            IsrChange::Shrink => {
                let Some(seat) = self.seats.get(&leader) else {
                    return;
                };
                let (hw, leo) = (seat.log.hw(), seat.log.leo());
                let late: Vec<String> = members
                    .iter()
                    .map(|member| late(leader, member, cause, version))
                    .collect();
                format!(
                    "{prefix} Shrinking ISR from {committed} to {isr}. Leader: (highWatermark: {hw}, endOffset: {leo}). \
                     Out of sync replicas: {}.",
                    late.join(" ")
                )
            }
        };
        self.write(Origin::Broker(leader), Level::Info, PARTITION, message);
    }

    /// `Partition.handleAlterPartitionUpdate`.
    fn isr_updated(&mut self, leader: BrokerId, isr: &BrokerSet, cause: &Cause) {
        let version = self.version();
        let epoch = match cause.value(Quantity::PartitionEpoch) {
            Some(Value::PartitionEpoch(epoch)) => *epoch,
            _ => self.partition.partition_epoch,
        };
        let prefix = format!("[Partition {} broker={leader}]", self.topic.partition());
        let under = match self.is_under_min(isr) {
            true => "(under-min-isr)",
            false => "",
        };
        let message = match version {
            // The write to ZooKeeper is told by the line before it.
            Version::V0_10 | Version::V0_11 | Version::V2_0 => return,
            Version::V2_8 => {
                format!("{prefix} ISR updated to [{isr}] and zkVersion updated to [{epoch}]")
            }
            _ => format!("{prefix} ISR updated to {isr} {under} and version updated to {epoch}"),
        };
        self.write(Origin::Broker(leader), Level::Info, PARTITION, message);
    }

    /// `AbstractFetcherThread.onPartitionFenced`.
    fn fetch_failed(&mut self, broker: BrokerId) {
        let Some((leader, epoch)) = self.seats.get(&broker).and_then(|seat| seat.role) else {
            return;
        };
        let fetcher = fetcher(broker, leader.unwrap_or_default());
        let partition = self.topic.partition();
        let message = format!(
            "{fetcher} Partition {partition} has an older epoch ({epoch}) than the current leader. Will await the new \
             LeaderAndIsr state before resuming fetching."
        );
        self.write(Origin::Broker(broker), Level::Info, FETCHER, message);
        let message = format!("{fetcher} Partition {partition} marked as failed");
        self.write(Origin::Broker(broker), Level::Warn, FETCHER, message);
    }

    /// `Partition.appendRecordsToLeader`, told by `ReplicaManager.appendToLocalLog`.
    fn not_enough_replicas(&mut self, broker: BrokerId, cause: &Cause) {
        let isr = match cause.value(Quantity::CommittedIsr(broker)) {
            Some(Value::Brokers(set)) => set.clone(),
            _ => self.partition.isr.clone(),
        };
        let partition = self.topic.partition();
        let message = format!(
            "[ReplicaManager broker={broker}] Error processing append operation on partition {partition}"
        );
        self.write(Origin::Broker(broker), Level::Error, MANAGER, message);
        let exception = format!(
            "org.apache.kafka.common.errors.NotEnoughReplicasException: The size of the current ISR : {} is insufficient \
             to satisfy the min.isr requirement of {} for partition {partition}, live replica(s) broker.id are : Set({})",
            isr.len(),
            self.settings.effective_min_isr(self.min_isr),
            isr.to_string().replace(',', ", ")
        );
        if let Some(line) = self.lines.last_mut() {
            line.exception = Some(exception);
        }
    }

    /// What a broker's process knew of leader and epoch, as `Option` and number are printed.
    fn known(&self, broker: BrokerId) -> (String, String) {
        match self.seats.get(&broker).and_then(|seat| seat.role) {
            None => ("None".to_owned(), "-1".to_owned()),
            Some((leader, epoch)) => {
                let leader = leader.map_or_else(|| "-1".to_owned(), |leader| leader.to_string());
                (format!("Some({leader})"), epoch.to_string())
            }
        }
    }

    fn is_under_min(&self, isr: &BrokerSet) -> bool {
        isr.len() < self.settings.effective_min_isr(self.min_isr) as usize
    }
}

fn fetcher(broker: BrokerId, leader: BrokerId) -> String {
    format!("[ReplicaFetcher replicaId={broker}, leaderId={leader}, fetcherId=0]")
}

/// A follower that leaves the ISR, as the leader knew it.
fn late(leader: BrokerId, follower: BrokerId, cause: &Cause, version: Version) -> String {
    let leo = match cause.value(Quantity::FollowerLeo { leader, follower }) {
        Some(Value::Offset(Some(leo))) => leo.to_string(),
        _ => "-1".to_owned(),
    };
    if version < Version::V4_0 {
        return format!("(brokerId: {follower}, endOffset: {leo})");
    }
    let caught_up = match cause.value(Quantity::LastCaughtUp { leader, follower }) {
        Some(Value::Millis(Some(at))) => epoch_millis(*at),
        _ => 0,
    };
    format!("(brokerId: {follower}, endOffset: {leo}, lastCaughtUpTimeMs: {caught_up})")
}
