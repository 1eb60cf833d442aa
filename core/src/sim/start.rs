//! The start section of a scenario, put on controller and disks.

use crate::kafka::broker::{Broker, HwCheckpoint, Process, Role};
use crate::kafka::cluster::Cluster;
use crate::kafka::controller::ControllerStart;
use crate::kafka::epoch_cache::EpochCache;
use crate::kafka::ids::{BrokerEpoch, BrokerId, BrokerSet, Offset};
use crate::kafka::log::Log;
use crate::kafka::partition::PartitionState;
use crate::kafka::record::{Batch, Payload, ProducerStamp};
use crate::scenario::value::{Scenario, Start, StartReplica};

/// The controller's part of a start section; brokers that are down are fenced.
pub(super) fn controller_start(scenario: &Scenario, start: &Start) -> ControllerStart {
    let fenced: BrokerSet = start
        .replicas
        .iter()
        .filter(|r| r.down)
        .map(|r| r.broker)
        .collect();
    ControllerStart {
        partition: PartitionState {
            replicas: scenario.settings.replicas.clone(),
            isr: start.isr.clone(),
            elr: start.elr.clone(),
            last_known_elr: start.last_known_elr.clone(),
            leader: start.leader,
            leader_epoch: start.leader_epoch,
            partition_epoch: start.partition_epoch,
            recovery: start.recovery,
            adding: Vec::new(),
            removing: Vec::new(),
        },
        fenced,
    }
}

/// A transaction that is open at the start: its first offset, and the stamp of its first record.
pub(super) type OpenTransaction = (Offset, ProducerStamp);

/// Puts a replica's start state on a broker's disk.
pub(super) fn load(broker: &mut Broker, replica: &StartReplica, open: Option<OpenTransaction>) {
    let mut base = replica.log_start;
    let mut batches = Vec::new();
    for &(epoch, count) in &replica.log {
        if count == 0 {
            continue;
        }
        batches.push(Batch {
            base,
            count,
            epoch,
            producer: None,
            payload: Payload::Before,
        });
        base = base.plus(count);
    }
    if let Some((first, stamp)) = open {
        batches = batches
            .iter()
            .flat_map(|batch| around(batch, first, stamp))
            .collect();
    }
    let from_log = || EpochCache::from_entries(batches.iter().map(|b| (b.epoch, b.base)));
    let epochs = replica
        .epochs
        .clone()
        .map_or_else(from_log, EpochCache::from_entries);
    broker.log = if batches.is_empty() {
        Log::new(replica.log_start)
    } else {
        Log::load(batches, epochs.clone(), replica.hw)
    };
    for &(epoch, start) in epochs.entries() {
        broker.log.assign_epoch(epoch, start);
    }
    broker.checkpoint = HwCheckpoint::of(replica.hw);
    if replica.down {
        broker.process = Process::Down;
        broker.role = Role::None;
        broker.clean_shutdown = broker.epoch.filter(|_| replica.clean);
    }
}

/// A start section shows a leader at work, not one that was just elected: its epoch began where its log says (`began`), and it
/// knows how far the ISR members are, if its HW is what their positions allow.
pub(super) fn leader_at_work(cluster: &mut Cluster, leader: BrokerId, began: Option<Offset>) {
    let replicas: Vec<(BrokerId, Option<BrokerEpoch>, Offset, Offset)> = cluster
        .brokers
        .iter()
        .map(|b| (b.id, b.epoch, b.log.log_start(), b.leo()))
        .collect();
    let Some(broker) = cluster.broker_mut(leader) else {
        return;
    };
    let (leo, hw) = (broker.leo(), broker.hw());
    let Some(state) = broker.leader_mut() else {
        return;
    };
    state.epoch_start = began.unwrap_or(state.epoch_start);
    let isr = state.committed_isr.clone();
    let members = || replicas.iter().filter(|(id, ..)| isr.contains(*id));
    let allowed = members().map(|(.., leo)| *leo).min().unwrap_or(leo);
    if hw != allowed {
        return;
    }
    for &(id, epoch, log_start, leo) in members() {
        if let Some(follower) = state.followers.get_mut(&id) {
            follower.leo = Some(leo);
            follower.log_start = Some(log_start);
            follower.fetched = true;
            follower.broker_epoch = epoch;
        }
    }
}

/// A range with the first record of a transaction made a batch of its own, if it is in there.
fn around(batch: &Batch, first: Offset, stamp: ProducerStamp) -> Vec<Batch> {
    if first < batch.base || first >= batch.end() {
        return vec![*batch];
    }
    let after = first.plus(1);
    let own = batch
        .starting_at(first)
        .and_then(|b| b.up_to(after))
        .map(|b| Batch {
            producer: Some(stamp),
            ..b
        });
    let parts = [batch.up_to(first), own, batch.starting_at(after)];
    parts.into_iter().flatten().collect()
}
