//! The successors of a state: which events may happen, and what each makes of the whole.

use super::event::{Act, Choice};
use super::question::Fault;
use super::state::{CONFLICT, DUPLICATE, EPOCH_BACK, NOWHERE, State, TWO_LEADERS};
use super::world::{Effect, World};

/// Which bounds kept an event from happening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundsHit {
    /// A record more could have been produced.
    pub records: bool,
    /// An event would have begun one leader epoch more.
    pub epochs: bool,
    /// Some broker lagged behind by more partition records than a state can hold.
    pub history: bool,
}

/// Builds successors of one state at a time.
pub(super) struct Expansion<'a> {
    pub world: &'a mut World,
    pub state: &'a State,
    pub hit: &'a mut BoundsHit,
    /// Each successor with the event that leads to it.
    pub found: &'a mut Successors,
}

/// Successors of a state, each with the event that leads to it. They are built where they stay: copying states is a good
/// part of what a search does, of wasm more than of anything else.
#[derive(Clone, Debug, Default)]
pub(super) struct Successors {
    slots: Vec<(Choice, State)>,
    count: usize,
}

impl Successors {
    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn found(&self) -> &[(Choice, State)] {
        &self.slots[..self.count]
    }

    pub fn found_mut(&mut self) -> &mut [(Choice, State)] {
        &mut self.slots[..self.count]
    }

    /// One more, so far the same as the state that it follows.
    pub fn add(&mut self, choice: Choice, state: &State) -> &mut State {
        if self.count == self.slots.len() {
            self.slots.push((choice, *state));
        }
        let (slot, after) = &mut self.slots[self.count];
        self.count += 1;
        *slot = choice;
        *after = *state;
        after
    }

    /// The event cannot happen after all.
    fn take_back(&mut self) {
        self.count -= 1;
    }
}

impl Expansion<'_> {
    /// Finds every successor.
    pub fn run(&mut self) {
        for place in 0..self.world.ids.len() {
            let broker = self.state.brokers[place];
            let view = self.world.view(broker);
            let (up, leads, follows) = (view.up, view.leads, view.follows);
            let place = place as u8;
            if !up {
                self.process(place, Act::Restart);
                continue;
            }
            if leads {
                self.lead(place);
            } else {
                if let Some(leader) = follows {
                    self.follow(place, leader);
                }
                self.bounce(place);
            }
            self.learn(place);
            self.faults(place);
        }
    }

    fn allows(&self, fault: Fault) -> bool {
        self.state.faults_left > 0 && self.state.faults.allows(fault)
    }

    fn lead(&mut self, place: u8) {
        let broker = self.state.brokers[usize::from(place)];
        let next = self.state.next;
        if let Some(effect) = self.world.produce(broker, next) {
            if next <= self.world.bounds.records {
                self.add(place, Act::Produce).next += 1;
                self.replica(place, effect);
            } else {
                self.hit.records = true;
            }
        }
        if self.allows(Fault::Retry) {
            for number in 1..next {
                let acked = self.state.acked & super::outbox::bit(u32::from(number)) != 0;
                if !acked && let Some(effect) = self.world.produce(broker, number) {
                    self.add(place, Act::Retry(number));
                    self.replica(place, effect);
                }
            }
        }
        let view = self.world.view(broker);
        let newest = self.state.newest();
        if self.state.positions[usize::from(place)] != newest || view.pending {
            return;
        }
        for other in (0..self.world.ids.len() as u8).filter(|other| *other != place) {
            self.change_isr(place, other, false);
            if self.allows(Fault::LostAlterPartitionResponse) {
                self.change_isr(place, other, true);
            }
        }
    }

    fn change_isr(&mut self, place: u8, other: u8, lost: bool) {
        let broker = self.state.brokers[usize::from(place)];
        let controller = self.state.controller;
        let Some(effect) = self.world.change_isr(broker, controller, other, lost) else {
            return;
        };
        let act = if lost {
            Act::ChangeIsrLost(other)
        } else {
            Act::ChangeIsr(other)
        };
        let record = self.world.controller_view(effect.second).record;
        let after = self.add(place, act);
        after.controller = effect.second;
        if !after.push(record) {
            self.hit.history = true;
            self.found.take_back();
            return;
        }
        if !lost {
            after.positions[usize::from(place)] = after.newest();
        }
        self.replica(place, effect);
    }

    fn follow(&mut self, place: u8, leader: u8) {
        let follower = self.state.brokers[usize::from(place)];
        let leading = self.state.brokers[usize::from(leader)];
        let (own, other) = (self.world.view(follower), self.world.view(leading));
        let fits = other.up
            && other.leads
            && (!self.world.settings.rules.epoch_fencing || own.epoch == other.epoch);
        if !fits {
            return;
        }
        for act in [Act::Fetch, Act::FetchLost] {
            let lost = act == Act::FetchLost;
            if lost && !self.allows(Fault::LostFetchResponse) {
                continue;
            }
            if let Some(effect) = self.world.fetch(leading, follower, lost) {
                let after = self.add(place, act);
                after.brokers[usize::from(place)] = effect.second;
                self.replica(leader, effect);
            }
        }
    }

    fn bounce(&mut self, place: u8) {
        let broker = self.state.brokers[usize::from(place)];
        let record = self.state.record(self.state.positions[usize::from(place)]);
        if self.allows(Fault::Bounce)
            && let Some(effect) = self.world.bounce(broker, record, None)
        {
            self.add(place, Act::Bounce);
            self.replica(place, effect);
        }
        if self.allows(Fault::BouncePowerLoss) {
            for keep in 0..self.world.view(broker).leo() {
                if let Some(effect) = self.world.bounce(broker, record, Some(keep)) {
                    self.add(place, Act::BouncePower(keep));
                    self.replica(place, effect);
                }
            }
        }
    }

    fn learn(&mut self, place: u8) {
        let broker = self.state.brokers[usize::from(place)];
        let mut missed = false;
        for position in self.state.positions[usize::from(place)] + 1..self.state.length {
            let record = self.state.record(position);
            let dismissed = missed;
            missed |= record.leader() != Some(place);
            if !self.state.is_target(place, position) {
                continue;
            }
            if let Some(effect) = self.world.learn(broker, record, dismissed) {
                let after = self.add(place, Act::Learn(position));
                after.positions[usize::from(place)] = position;
                self.replica(place, effect);
            }
        }
    }

    fn faults(&mut self, place: u8) {
        if self.allows(Fault::CleanShutdown) {
            self.process(place, Act::Clean);
        }
        if self.allows(Fault::Crash) {
            self.process(place, Act::Crash);
        }
        if self.allows(Fault::PowerLoss) {
            let broker = self.state.brokers[usize::from(place)];
            for keep in 0..self.world.view(broker).leo() {
                self.process(place, Act::PowerLoss(keep));
            }
        }
        let view = self.world.controller_view(self.state.controller);
        if view.fenced >> place & 1 == 1 {
            self.process(place, Act::Unfence);
            return;
        }
        if self.allows(Fault::Fence) {
            self.process(place, Act::Fence);
        }
        if self.allows(Fault::Move) {
            self.process(place, Act::Move);
        }
    }

    /// An event in which the controller decides, once for each outcome.
    fn process(&mut self, place: u8, act: Act) {
        let broker = self.state.brokers[usize::from(place)];
        let controller = self.state.controller;
        let world = &mut *self.world;
        let stopped = match act {
            Act::Crash => world.stop(broker, None),
            Act::PowerLoss(keep) => world.stop(broker, Some(keep)),
            _ => None,
        };
        let (first, count) = match act {
            Act::Restart => world.restart(broker, controller),
            Act::Clean => world.clean_shutdown(broker, controller),
            Act::Unfence => world.unfence(broker, controller),
            Act::Fence => world.fence(controller, place),
            Act::Move => world.move_leader(controller, place),
            _ => world.session_expires(controller, place),
        };
        for outcome in 0..count {
            let decision = self.world.decisions[(first + outcome) as usize];
            let record = self.world.controller_view(decision.controller).record;
            if record.epoch() >= self.world.bounds.epochs {
                self.hit.epochs = true;
                continue;
            }
            let choice = Choice {
                place,
                act,
                outcome: outcome as u8,
            };
            let after = self.found.add(choice, self.state);
            after.controller = decision.controller;
            if decision.wrote && !after.push(record) {
                self.hit.history = true;
                self.found.take_back();
                continue;
            }
            if act == Act::Restart {
                after.positions[usize::from(place)] = after.newest();
            }
            let changed = match act {
                Act::Restart | Act::Clean | Act::Unfence => decision.broker,
                _ => stopped.map_or(broker, |effect| effect.first),
            };
            after.brokers[usize::from(place)] = changed;
            if !self.world.view(changed).up {
                registration_ends(self.world, place, after);
            }
            self.finish();
        }
    }

    /// A successor that an event of the broker at `place` leads to, with nothing changed yet.
    fn add(&mut self, place: u8, act: Act) -> &mut State {
        let choice = Choice {
            place,
            act,
            outcome: 0,
        };
        self.found.add(choice, self.state)
    }

    /// What the event makes of the machine at `changed`, which the effect's first number is of.
    fn replica(&mut self, changed: u8, effect: Effect) {
        if let Some((_, after)) = self.found.found_mut().last_mut() {
            after.brokers[usize::from(changed)] = effect.first;
            after.acked |= effect.acked;
        }
        self.finish();
    }

    /// Counts the fault, if the last event is one, and brings the state after it into its one form.
    fn finish(&mut self) {
        let Some((choice, after)) = self.found.found_mut().last_mut() else {
            return;
        };
        if let Some(fault) = choice.act.fault() {
            after.faults = after.faults.after(fault);
            if after.faults_left != u8::MAX {
                after.faults_left -= 1;
            }
        }
        after.normalise(self.world);
        ghosts(self.world, self.state, after);
    }
}

fn registration_ends(world: &mut World, place: u8, after: &mut State) {
    after.positions[usize::from(place)] = NOWHERE;
    for other in 0..world.ids.len() {
        let broker = after.brokers[other];
        if world.view(broker).leads {
            after.brokers[other] = world.forget(broker, place);
        }
    }
}

/// Looks at what leaders expose now that they did not before, and at epochs.
fn ghosts(world: &mut World, before: &State, after: &mut State) {
    for place in 0..world.ids.len() {
        let (old, new) = (before.brokers[place], after.brokers[place]);
        if old == new {
            continue;
        }
        let (before, now) = (world.view(old), world.view(new));
        if before.up && now.up && now.epoch < before.epoch {
            after.flags |= EPOCH_BACK;
        }
        if !now.leads {
            continue;
        }
        let same_epoch = |other: usize| {
            let view = world.view(after.brokers[other]);
            other != place && view.leads && view.epoch == now.epoch
        };
        if (0..world.ids.len()).any(same_epoch) {
            after.flags |= TWO_LEADERS;
        }
        if now.hw > before.hw {
            expose(world, after, new);
        }
    }
}

/// A leader shows the records below its HW.
fn expose(world: &mut World, after: &mut State, leader: u32) {
    let view = world.view(leader);
    let exposed = &view.log[..usize::from(view.hw).min(view.log.len())];
    let visible = world.sequences.get(after.visible);
    if visible.iter().zip(exposed).any(|(a, b)| *a != b.0) {
        after.flags |= CONFLICT;
    }
    if exposed.len() <= visible.len() {
        return;
    }
    let exposed: Vec<u8> = exposed.iter().map(|(number, _)| *number).collect();
    let twice = |place: usize| exposed[..place].contains(&exposed[place]);
    if (0..exposed.len()).any(twice) {
        after.flags |= DUPLICATE;
    }
    after.visible = world.sequences.number(exposed).0;
}
