//! The way to a violation: what happened, and every machine after each event.

use super::event::{Act, CheckEvent, Choice, StopKind};
use super::expand::{BoundsHit, Expansion, Successors};
use super::outbox::Outbox;
use super::property::Property;
use super::search::{Checker, Found};
use super::state::State;
use super::world::World;
use crate::kafka::broker::Broker;
use crate::kafka::ids::{BrokerId, BrokerSet};
use crate::kafka::partition::PartitionState;

/// What the machines are after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The brokers at rest (see [`crate::check`]): versions and instants are those of no run.
    pub brokers: Vec<Broker>,
    /// The controller's partition record.
    pub partition: PartitionState,
    /// The brokers that may not lead.
    pub fenced: BrokerSet,
    /// Records that were confirmed to the producer, by number.
    pub acked: Vec<u8>,
    /// The longest sequence of records that was ever visible, by number.
    pub visible: Vec<u8>,
}

/// A way to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What it violates.
    pub property: Property,
    /// What happens, in order.
    pub events: Vec<CheckEvent>,
    /// The machines at the start, and after each event.
    pub snapshots: Vec<Snapshot>,
}

impl Counterexample {
    /// How many of its events are faults.
    pub fn faults(&self) -> u8 {
        let faults = self.events.iter().filter(|event| event.is_fault()).count();
        u8::try_from(faults).unwrap_or(u8::MAX)
    }
}

impl Checker {
    /// The way to a violation that was found.
    pub fn counterexample(&self, found: &Found) -> Counterexample {
        let mut world = self.world.clone();
        let mut state = self.start;
        let mut events = Vec::new();
        let mut snapshots = vec![snapshot(&world, &state)];
        for (choice, after) in self.concrete_way(&mut world, found.state) {
            events.push(said(&world, &state, choice, &after));
            snapshots.push(snapshot(&world, &after));
            state = after;
        }
        Counterexample {
            property: found.property,
            events,
            snapshots,
        }
    }

    /// The choices and states of a way. With symmetry, the stored way is one of representatives: each step of it is found
    /// again among the successors of the state that really was there.
    fn concrete_way(&self, world: &mut World, to: u32) -> Vec<(Choice, State)> {
        let mut symmetry = self.symmetry.clone();
        let mut represented = self.start;
        if let Some(symmetry) = &mut symmetry {
            represented = symmetry.canonical(world, &represented);
        }
        let mut real = self.start;
        let mut way = Vec::new();
        for choice in self.way(to) {
            let step = successors(world, &represented)
                .into_iter()
                .find(|(found, _)| *found == choice);
            let Some((_, mut next)) = step else { break };
            let Some(symmetry) = &mut symmetry else {
                represented = next;
                way.push((choice, next));
                continue;
            };
            next = symmetry.canonical(world, &next);
            represented = next;
            let concrete = successors(world, &real)
                .into_iter()
                .find(|(_, state)| symmetry.canonical(world, state) == next);
            let Some((choice, state)) = concrete else {
                break;
            };
            real = state;
            way.push((choice, state));
        }
        way
    }
}

fn successors(world: &mut World, state: &State) -> Vec<(Choice, State)> {
    let mut found = Successors::default();
    Expansion {
        world,
        state,
        hit: &mut BoundsHit::default(),
        found: &mut found,
    }
    .run();
    found.found().to_vec()
}

fn snapshot(world: &World, state: &State) -> Snapshot {
    let controller = world.controllers.get(state.controller);
    let fenced = world.controller_view(state.controller).fenced;
    Snapshot {
        brokers: state.brokers[..world.ids.len()]
            .iter()
            .map(|number| world.machine(*number))
            .collect(),
        partition: controller.partition.clone(),
        fenced: world.set(fenced),
        acked: (1..=32)
            .filter(|number| state.acked & super::outbox::bit(u32::from(*number)) != 0)
            .collect(),
        visible: world.sequences.get(state.visible).clone(),
    }
}

/// A choice in words: what it did to whom.
fn said(world: &World, before: &State, choice: Choice, after: &State) -> CheckEvent {
    let id = |place: u8| -> BrokerId { world.ids[usize::from(place)] };
    let broker = id(choice.place);
    let change = |other: u8, lost: bool| {
        let leader = world.view(before.brokers[usize::from(choice.place)]);
        CheckEvent::ChangeIsr {
            leader: broker,
            replica: id(other),
            joins: leader.committed >> other & 1 == 0,
            lost,
        }
    };
    let fetch = |lost: bool| {
        let number = before.brokers[usize::from(choice.place)];
        let leader = world.view(number).follows.unwrap_or(choice.place);
        let mut leading = world.machine(before.brokers[usize::from(leader)]);
        let mut following = world.machine(number);
        let mut asked = Vec::new();
        let outbox = &mut Outbox::default();
        // It happened, so it happens again.
        let _ = world.exchange(&mut leading, &mut following, lost, &mut asked, outbox);
        CheckEvent::Fetch {
            broker,
            leader: id(leader),
            lost,
            asked,
        }
    };
    match choice.act {
        Act::Produce => CheckEvent::Produce {
            broker,
            record: after.next - 1,
        },
        Act::Retry(record) => CheckEvent::Retry { broker, record },
        Act::Fetch => fetch(false),
        Act::FetchLost => fetch(true),
        Act::ChangeIsr(other) => change(other, false),
        Act::ChangeIsrLost(other) => change(other, true),
        Act::Learn(position) => {
            let record = before.record(position);
            CheckEvent::Learn {
                broker,
                leader: record.leader().map(id),
                epoch: record.epoch(),
            }
        }
        Act::Clean | Act::Crash | Act::PowerLoss(_) => CheckEvent::Stop {
            broker,
            how: match choice.act {
                Act::Clean => StopKind::Clean,
                Act::PowerLoss(keep) => StopKind::PowerLoss(keep),
                _ => StopKind::Crash,
            },
        },
        Act::Restart => CheckEvent::Restart { broker },
        Act::Fence => CheckEvent::Fence { broker },
        Act::Unfence => CheckEvent::Unfence { broker },
        Act::Move => CheckEvent::Move { broker },
        Act::Bounce => CheckEvent::Bounce { broker, keep: None },
        Act::BouncePower(keep) => CheckEvent::Bounce {
            broker,
            keep: Some(keep),
        },
    }
}
