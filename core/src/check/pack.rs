//! A broker at rest in a few dozen bytes: what of it is still of effect between two events. What is not packed is forgotten.
//!
//! Versions that only ever grow (metadata offset, partition epoch, broker epoch, incarnation, message ids) are "the one in
//! force" or "an older one"; instants are forgotten, because any time may pass between two events; and so is whatever the
//! next event sets anew.

use super::rest::{self, AT_REST, current_epoch};
use super::world::World;
use crate::kafka::broker::{Broker, HwCheckpoint, Process, Role};
use crate::kafka::delayed_produce::PartitionStatus;
use crate::kafka::epoch_cache::EpochCache;
use crate::kafka::event::IsrChange;
use crate::kafka::follower::{Follower, Phase};
use crate::kafka::ids::{
    BrokerEpoch, BrokerId, LeaderEpoch, MessageId, Millis, Offset, ProducerId, SendId,
};
use crate::kafka::leader::{FollowerState, Leader, ParkedProduce, PendingIsr};
use crate::kafka::log::Log;
use crate::kafka::message::MetadataImage;
use crate::kafka::partition::Recovery;
use crate::kafka::record::{Batch, Payload, ProducerStamp};

/// A packed broker.
pub(super) type Packed = Box<[u8]>;

/// The broker epoch of a registration that is not in force any more.
const OLD_EPOCH: BrokerEpoch = BrokerEpoch(0);
const PHASES: [Phase; 5] = [
    Phase::Idle,
    Phase::Truncating,
    Phase::Fetching,
    Phase::OutOfRange,
    Phase::Failed,
];

/// An offset as it is packed; logs are never longer than records and retries.
fn small(offset: Offset) -> u8 {
    u8::try_from(offset.0).unwrap_or(u8::MAX)
}

fn offset(byte: u8) -> Offset {
    Offset(u64::from(byte))
}

fn epoch(byte: u8) -> LeaderEpoch {
    LeaderEpoch(u32::from(byte))
}

/// Packs a broker.
pub(super) fn pack(world: &World, broker: &Broker, to: &mut Vec<u8>) {
    to.push(world.place(broker.id));
    to.push(u8::from(broker.is_up()) | u8::from(broker.clean_shutdown.is_some()) << 1);
    let log = &broker.log;
    to.push(small(log.hw().min(log.leo())));
    to.push(log.batches().len() as u8);
    for batch in log.batches() {
        let number = match batch.payload {
            Payload::Records { first } => first as u8,
            Payload::Marker { .. } | Payload::Before => 0,
        };
        to.extend([number, batch.epoch.0 as u8]);
    }
    to.push(log.epochs().entries().len() as u8);
    for (epoch, start) in log.epochs().entries() {
        to.extend([epoch.0 as u8, small(*start)]);
    }
    if !broker.is_up() {
        to.push(small(broker.checkpoint.written().min(log.leo())));
    }
    match &broker.role {
        Role::None => to.push(0),
        Role::Follower(follower) => {
            let phase = PHASES.iter().position(|phase| *phase == follower.phase);
            let leader = follower.leader.map_or(0, |id| world.place(id) + 1);
            to.extend([1, leader, follower.epoch.0 as u8, phase.unwrap_or(0) as u8]);
        }
        Role::Leader(leader) => {
            to.push(2);
            pack_leader(world, leader, to);
        }
    }
}

fn pack_leader(world: &World, leader: &Leader, to: &mut Vec<u8>) {
    to.extend([
        leader.epoch.0 as u8,
        small(leader.epoch_start),
        world.mask(&leader.committed_isr),
    ]);
    match &leader.pending {
        None => to.push(0),
        Some(pending) => {
            let change = 1 + u8::from(pending.change == IsrChange::Expand);
            to.extend([change, world.mask(&pending.isr)]);
        }
    }
    for (&id, state) in &leader.followers {
        let registration = match state.broker_epoch {
            None => 0,
            Some(epoch) if epoch == current_epoch(id) => 1,
            Some(_) => 2,
        };
        let fetched = state.fetched || !world.settings.rules.broker_epoch_check;
        to.push(state.leo.map_or(0, |leo| small(leo) + 1));
        to.push(registration | u8::from(fetched) << 2);
    }
    to.push(leader.parked.len() as u8);
    for parked in &leader.parked {
        let send = parked.send.0 as u8;
        to.extend([send, small(parked.base), small(parked.required)]);
    }
}

/// Reads bytes one by one; 0 past the end.
struct Reader<'a>(std::slice::Iter<'a, u8>);

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }
}

/// The broker that was packed.
pub(super) fn unpack(world: &World, packed: &[u8]) -> Broker {
    let mut from = Reader(packed.iter());
    let place = from.byte();
    let id = world.id(place);
    let mut broker = Broker::new(id, current_epoch(id));
    let flags = from.byte();
    let up = flags & 1 == 1;
    broker.clean_shutdown = broker.epoch.filter(|_| flags & 2 == 2);
    broker.log = unpack_log(world, &mut from);
    if up {
        broker.metadata = rest::image(&world.settings, rest::blank_partition(&world.settings));
    } else {
        broker.process = Process::Down;
        broker.metadata = MetadataImage::default();
        broker.checkpoint = HwCheckpoint::of(offset(from.byte()));
    }
    broker.role = match from.byte() {
        1 => {
            let leader = from.byte().checked_sub(1).map(|place| world.id(place));
            let epoch = epoch(from.byte());
            let phase = PHASES.get(usize::from(from.byte())).copied();
            Role::Follower(Follower {
                leader,
                epoch,
                partition_epoch: AT_REST,
                phase: phase.unwrap_or(Phase::Idle),
                in_flight: None,
                generation: 0,
                // It asks when its fetch event comes.
                backoff_until: Some(Millis(0)),
            })
        }
        2 => Role::Leader(Box::new(unpack_leader(world, id, &mut from))),
        _ => Role::None,
    };
    broker
}

fn unpack_log(world: &World, from: &mut Reader<'_>) -> Log {
    let hw = offset(from.byte());
    let count = from.byte();
    let batches = (0..count)
        .map(|base| {
            let number = from.byte();
            Batch {
                base: offset(base),
                count: 1,
                epoch: epoch(from.byte()),
                producer: world.stamp(number),
                payload: Payload::Records {
                    first: u64::from(number),
                },
            }
        })
        .collect();
    let mut log = Log::load(batches, EpochCache::default(), hw);
    // Loading forgets an epoch that begins at the LEO: its leader has it in memory.
    log.clear_epochs();
    for _ in 0..from.byte() {
        let number = epoch(from.byte());
        log.assign_epoch(number, offset(from.byte()));
    }
    log
}

fn unpack_leader(world: &World, own: BrokerId, from: &mut Reader<'_>) -> Leader {
    let leader_epoch = epoch(from.byte());
    let epoch_start = offset(from.byte());
    let committed_isr = world.set(from.byte());
    let pending = match from.byte() {
        0 => None,
        change => Some(PendingIsr {
            change: if change == 2 {
                IsrChange::Expand
            } else {
                IsrChange::Shrink
            },
            isr: world.set(from.byte()),
            request: None,
            stuck: true,
        }),
    };
    let followers = world
        .ids
        .iter()
        .filter(|id| **id != own)
        .map(|&id| {
            let leo = from.byte().checked_sub(1).map(offset);
            let bits = from.byte();
            let state = FollowerState {
                leo,
                fetched: bits & 4 == 4,
                broker_epoch: match bits & 3 {
                    0 => None,
                    1 => Some(current_epoch(id)),
                    _ => Some(OLD_EPOCH),
                },
                ..FollowerState::default()
            };
            (id, state)
        })
        .collect();
    let parked = (0..from.byte())
        .map(|_| {
            let send = SendId(u32::from(from.byte()));
            ParkedProduce {
                request: MessageId(send.0),
                send,
                attempt: 1,
                base: offset(from.byte()),
                required: offset(from.byte()),
                until: Millis(u64::MAX),
                status: PartitionStatus::after_append(None),
            }
        })
        .collect();
    Leader {
        epoch: leader_epoch,
        epoch_start,
        partition_epoch: AT_REST,
        replicas: world.settings.replicas.clone(),
        committed_isr,
        pending,
        recovery: Recovery::Recovered,
        followers,
        parked,
    }
}

/// A leader learns nothing of it, but the registration of its follower is not in force any more.
pub(super) fn registration_ends(leader: &mut Broker, follower: BrokerId) {
    if let Some(state) = leader
        .leader_mut()
        .and_then(|leader| leader.followers.get_mut(&follower))
    {
        state.broker_epoch = state.broker_epoch.map(|_| OLD_EPOCH);
    }
}

/// The stamp of record `number` of the one idempotent producer.
pub(super) fn stamp(number: u8) -> ProducerStamp {
    ProducerStamp {
        id: ProducerId(1),
        epoch: 0,
        first_sequence: u32::from(number).saturating_sub(1),
        transactional: false,
    }
}
