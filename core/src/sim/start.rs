//! The start section of a scenario, put on controller and disks.

use crate::kafka::broker::{Broker, HwCheckpoint, Process, Role};
use crate::kafka::controller::ControllerStart;
use crate::kafka::epoch_cache::EpochCache;
use crate::kafka::ids::BrokerSet;
use crate::kafka::log::Log;
use crate::kafka::partition::PartitionState;
use crate::kafka::record::{Batch, Payload};
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

/// Puts a replica's start state on a broker's disk.
pub(super) fn load(broker: &mut Broker, replica: &StartReplica) {
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
