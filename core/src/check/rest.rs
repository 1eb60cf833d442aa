//! The present of every event, metadata at rest, the controller at rest, and the settings of a search.

use crate::kafka::controller::Controller;
use crate::kafka::ids::{BrokerEpoch, BrokerId, MetadataOffset, Millis, PartitionEpoch};
use crate::kafka::message::{BrokerImage, MetadataImage};
use crate::kafka::partition::{PartitionState, Recovery};
use crate::kafka::rules::LastKnownLeader;
use crate::kafka::settings::Settings;

/// The present of every event: later than anything that was noted.
pub(super) const NOW: Millis = Millis(1 << 50);
/// The partition epoch of a machine that knows the newest record of its position.
pub(super) const AT_REST: PartitionEpoch = PartitionEpoch(100);
/// The same as a metadata offset.
pub(super) const OFFSET_AT_REST: MetadataOffset = MetadataOffset(100);

/// The broker epoch of the registration in force.
pub(super) fn current_epoch(broker: BrokerId) -> BrokerEpoch {
    BrokerEpoch(u64::from(broker.0) + 1)
}

/// The metadata of a broker at rest; the partition's part is given when it is applied.
pub(super) fn image(settings: &Settings, partition: PartitionState) -> MetadataImage {
    let brokers = settings.brokers.iter().map(|&id| BrokerImage {
        id,
        epoch: current_epoch(id),
        fenced: false,
        in_controlled_shutdown: false,
    });
    MetadataImage {
        offset: OFFSET_AT_REST,
        partition,
        brokers: brokers.collect(),
        min_insync_replicas: settings.min_insync_replicas,
        unclean_leader_election: settings.unclean_leader_election,
    }
}

/// The replicas in ascending order: a winner of an election is chosen by the order that an event is given.
pub(super) fn blank_partition(settings: &Settings) -> PartitionState {
    PartitionState {
        replicas: settings.replicas.clone(),
        partition_epoch: AT_REST,
        ..PartitionState::default()
    }
}

/// Brings the controller to rest.
pub(super) fn controller(settings: &Settings, controller: &mut Controller) {
    controller.offset = OFFSET_AT_REST;
    let partition = &mut controller.partition;
    partition.replicas = settings.replicas.clone();
    partition.partition_epoch = AT_REST;
    partition.recovery = Recovery::Recovered;
    if settings.rules.last_known_leader == LastKnownLeader::Off || !settings.elr_enabled() {
        partition.last_known_elr.clear();
    }
    for (&id, registration) in &mut controller.brokers {
        registration.epoch = current_epoch(id);
        registration.incarnation = 0;
        registration.controlled_shutdown_offset = None;
        registration.metadata_offset = MetadataOffset(u64::MAX);
        registration.registered_at = MetadataOffset(0);
        registration.last_contact = NOW;
        registration.kept_fenced = false;
        if registration.fenced {
            registration.in_controlled_shutdown = false;
        }
    }
}

/// The settings of the search: those of the question, with every wait set to what the conventions say.
pub(super) fn settings(asked: &Settings, stamped: bool) -> Settings {
    let mut replicas = asked.replicas.clone();
    replicas.sort_unstable();
    Settings {
        brokers: replicas.clone(),
        replicas,
        idempotence: stamped,
        retries: 0,
        replica_fetch_wait_max: Millis(0),
        replica_fetch_max_bytes: u64::MAX,
        isr_mode: crate::kafka::settings::IsrMode::Manual,
        auto_leader_rebalance: false,
        ..asked.clone()
    }
}
