//! Symmetry of brokers: states that differ only in who is who count as one.
//!
//! It is sound because nothing in a search depends on a broker's id: elections may have any winner among those allowed, and
//! no property names a broker. Replicas are put in the order of what can be said of each without naming another one;
//! among those of which the same is said, every order is tried. Records need no such thing: they are numbered in the order
//! in which they are produced.

use super::intern::{Table, mix};
use super::rest::current_epoch;
use super::state::{State, Words};
use super::world::{MOST_REPLICAS, Record, World};
use crate::kafka::broker::{Broker, Role};
use crate::kafka::controller::Controller;
use crate::kafka::ids::{BrokerId, BrokerSet};

/// A renaming: the new place of each place.
type Renaming = [u8; MOST_REPLICAS];

/// Finds representatives, and remembers renamed machines.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    replicas: usize,
    /// Renamed brokers and controllers by machine and renaming.
    brokers: Table<u32>,
    controllers: Table<u32>,
    /// What can be said of a broker without naming another one; 0 = not computed.
    colours: Vec<u64>,
    candidate: Words,
    best: Words,
}

impl Symmetry {
    pub fn new(world: &World) -> Symmetry {
        Symmetry {
            replicas: world.ids.len(),
            brokers: Table::new(),
            controllers: Table::new(),
            colours: Vec::new(),
            candidate: Words::new(),
            best: Words::new(),
        }
    }

    /// The representative of a state.
    pub fn canonical(&mut self, world: &mut World, state: &State) -> State {
        let mut places = [(0_u64, 0_u8); MOST_REPLICAS];
        let order = &mut places[..self.replicas];
        for (place, of) in order.iter_mut().enumerate() {
            *of = (self.colour(world, state, place), place as u8);
        }
        order.sort_unstable();
        let mut best = self.renamed(world, state, &renaming(order));
        // Most states have one order only: nothing is compared then.
        self.best.clear();
        while next_order(order) {
            if self.best.is_empty() {
                best.write(self.replicas, &mut self.best);
            }
            let renamed = self.renamed(world, state, &renaming(order));
            self.candidate.clear();
            renamed.write(self.replicas, &mut self.candidate);
            if self.candidate < self.best {
                std::mem::swap(&mut self.candidate, &mut self.best);
                best = renamed;
            }
        }
        best
    }

    fn colour(&mut self, world: &World, state: &State, place: usize) -> u64 {
        let number = state.brokers[place] as usize;
        if self.colours.len() <= number {
            self.colours.resize(number + 1, 0);
        }
        if self.colours[number] == 0 {
            let view = world.view(number as u32);
            let mut hash = mix(u64::from(view.up)
                | u64::from(view.leads) << 1
                | u64::from(view.pending) << 2
                | u64::from(view.follows.is_some()) << 3
                | u64::from(view.epoch) << 8
                | u64::from(view.epoch_start) << 16
                | u64::from(view.hw) << 24
                | u64::from(view.committed.count_ones()) << 32
                | u64::from(view.maximal.count_ones()) << 40);
            for (number, epoch) in &view.log {
                hash = mix(hash ^ (u64::from(*number) << 8 | u64::from(*epoch)));
            }
            self.colours[number] = hash.max(1);
        }
        let controller = world.controller_view(state.controller);
        let bit = |mask: u8| u64::from(mask >> place & 1);
        let about = bit(controller.elr)
            | bit(controller.fenced) << 1
            | bit(controller.record.isr()) << 2
            | u64::from(controller.record.leader() == Some(place as u8)) << 3
            | u64::from(state.positions[place]) << 4;
        mix(self.colours[number] ^ about)
    }

    fn renamed(&mut self, world: &mut World, state: &State, renaming: &Renaming) -> State {
        let mut renamed = *state;
        if (0..)
            .zip(&renaming[..self.replicas])
            .all(|(old, new)| old == *new)
        {
            return renamed;
        }
        let code = renaming[..self.replicas]
            .iter()
            .fold(0, |code, place| code << 3 | u64::from(*place));
        for place in 0..self.replicas {
            let to = usize::from(renaming[place]);
            renamed.positions[to] = state.positions[place];
            let number = state.brokers[place];
            let key = u64::from(number) << 16 | code << 1 | 1;
            renamed.brokers[to] = self.brokers.get(key).unwrap_or_else(|| {
                let broker = rename_broker(world, world.machine(number), renaming);
                let found = world.broker(&broker);
                self.brokers.insert(key, found);
                found
            });
        }
        let key = u64::from(state.controller) << 16 | code << 1 | 1;
        renamed.controller = self.controllers.get(key).unwrap_or_else(|| {
            let old = world.controllers.get(state.controller);
            let found = world.controller(rename_controller(world, old, renaming));
            self.controllers.insert(key, found);
            found
        });
        for record in &mut renamed.history[..usize::from(state.length)] {
            *record = rename_record(*record, renaming, self.replicas);
        }
        renamed
    }

    pub fn bytes(&self) -> usize {
        self.brokers.bytes() + self.controllers.bytes() + self.colours.capacity() * 8
    }
}

/// The renaming that puts the brokers into that order.
fn renaming(order: &[(u64, u8)]) -> Renaming {
    let mut renaming: Renaming = [0; MOST_REPLICAS];
    for (to, (_, from)) in order.iter().enumerate() {
        renaming[usize::from(*from)] = to as u8;
    }
    renaming
}

/// The next order in which only brokers of the same colour changed places; false after the last one.
fn next_order(order: &mut [(u64, u8)]) -> bool {
    let mut start = 0;
    while start < order.len() {
        let colour = order[start].0;
        let end = order[start..]
            .iter()
            .position(|(other, _)| *other != colour)
            .map_or(order.len(), |length| start + length);
        if next_permutation(&mut order[start..end]) {
            return true;
        }
        // This group is back in its first order: the next group moves on by one.
        start = end;
    }
    false
}

/// The next permutation in ascending order; false, and ascending again, after the last one.
fn next_permutation(group: &mut [(u64, u8)]) -> bool {
    let Some(pivot) = group.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        group.reverse();
        return false;
    };
    if let Some(successor) = group.iter().rposition(|item| *item > group[pivot]) {
        group.swap(pivot, successor);
    }
    group[pivot + 1..].reverse();
    true
}

fn rename_record(record: Record, renaming: &Renaming, replicas: usize) -> Record {
    let isr = (0..replicas)
        .filter(|place| record.isr() >> place & 1 == 1)
        .fold(0, |mask, place| mask | 1 << renaming[place]);
    let leader = record.leader().map(|place| renaming[usize::from(place)]);
    Record::new(leader, record.epoch(), isr)
}

fn rename_broker(world: &World, mut renamed: Broker, renaming: &Renaming) -> Broker {
    let id = |old: BrokerId| world.ids[usize::from(renaming[usize::from(world.place(old))])];
    let set = |old: &BrokerSet| -> BrokerSet { old.iter().map(id).collect() };
    renamed.id = id(renamed.id);
    match &mut renamed.role {
        Role::None => {}
        Role::Follower(follower) => follower.leader = follower.leader.map(id),
        Role::Leader(leader) => {
            leader.committed_isr = set(&leader.committed_isr);
            if let Some(pending) = &mut leader.pending {
                pending.isr = set(&pending.isr);
            }
            let followers = std::mem::take(&mut leader.followers);
            for (old, mut state) in followers {
                if state.broker_epoch == Some(current_epoch(old)) {
                    state.broker_epoch = Some(current_epoch(id(old)));
                }
                leader.followers.insert(id(old), state);
            }
        }
    }
    renamed
}

fn rename_controller(world: &World, controller: &Controller, renaming: &Renaming) -> Controller {
    let id = |old: BrokerId| world.ids[usize::from(renaming[usize::from(world.place(old))])];
    let mut renamed = controller.clone();
    let partition = &mut renamed.partition;
    partition.leader = partition.leader.map(id);
    partition.isr = partition.isr.iter().map(id).collect();
    partition.elr = partition.elr.iter().map(id).collect();
    partition.last_known_elr = partition.last_known_elr.iter().copied().map(id).collect();
    renamed.brokers = controller
        .brokers
        .iter()
        .map(|(old, registration)| (id(*old), registration.clone()))
        .collect();
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_within_a_colour_comes_once() {
        let mut order = [(1, 0), (2, 1), (2, 2), (2, 4), (3, 3)];
        let mut seen = vec![order];
        while next_order(&mut order) {
            assert!(!seen.contains(&order));
            seen.push(order);
        }
        assert_eq!(seen.len(), 6);
        let mut two = [(1, 0), (1, 1), (2, 2), (2, 3)];
        let mut count = 1;
        while next_order(&mut two) {
            count += 1;
        }
        assert_eq!(count, 4);
    }
}
