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
    pub found: &'a mut Vec<(Choice, State)>,
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
                let mut after = *self.state;
                after.next += 1;
                self.replica(place, Act::Produce, after, effect);
            } else {
                self.hit.records = true;
            }
        }
        if self.allows(Fault::Retry) {
            for number in 1..next {
                let acked = self.state.acked & super::outbox::bit(u32::from(number)) != 0;
                if !acked && let Some(effect) = self.world.produce(broker, number) {
                    self.replica(place, Act::Retry(number), *self.state, effect);
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
        let mut after = *self.state;
        after.controller = effect.second;
        let record = self.world.controller_view(effect.second).record;
        if !after.push(record) {
            self.hit.history = true;
            return;
        }
        let act = if lost {
            Act::ChangeIsrLost(other)
        } else {
            after.positions[usize::from(place)] = after.newest();
            Act::ChangeIsr(other)
        };
        self.replica(place, act, after, effect);
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
                let mut after = *self.state;
                after.brokers[usize::from(place)] = effect.second;
                self.replica_at(leader, place, act, after, effect);
            }
        }
    }

    fn bounce(&mut self, place: u8) {
        let broker = self.state.brokers[usize::from(place)];
        let record = self.state.record(self.state.positions[usize::from(place)]);
        if self.allows(Fault::Bounce)
            && let Some(effect) = self.world.bounce(broker, record, None)
        {
            self.replica(place, Act::Bounce, *self.state, effect);
        }
        if self.allows(Fault::BouncePowerLoss) {
            for keep in 0..self.world.view(broker).leo() {
                if let Some(effect) = self.world.bounce(broker, record, Some(keep)) {
                    self.replica(place, Act::BouncePower(keep), *self.state, effect);
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
                let mut after = *self.state;
                after.positions[usize::from(place)] = position;
                self.replica(place, Act::Learn(position), after, effect);
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
            let mut after = *self.state;
            after.brokers[usize::from(place)] = match act {
                Act::Restart | Act::Clean | Act::Unfence => decision.broker,
                _ => stopped.map_or(broker, |effect| effect.first),
            };
            after.controller = decision.controller;
            let record = self.world.controller_view(decision.controller).record;
            if record.epoch() >= self.world.bounds.epochs {
                self.hit.epochs = true;
                continue;
            }
            if decision.wrote && !after.push(record) {
                self.hit.history = true;
                continue;
            }
            if act == Act::Restart {
                after.positions[usize::from(place)] = after.newest();
            }
            let down = !self.world.view(after.brokers[usize::from(place)]).up;
            if down {
                self.registration_ends(place, &mut after);
            }
            let choice = Choice {
                place,
                act,
                outcome: outcome as u8,
            };
            self.finish(choice, after);
        }
    }

    fn registration_ends(&mut self, place: u8, after: &mut State) {
        after.positions[usize::from(place)] = NOWHERE;
        for other in 0..self.world.ids.len() {
            let broker = after.brokers[other];
            if self.world.view(broker).leads {
                after.brokers[other] = self.world.forget(broker, place);
            }
        }
    }

    fn replica(&mut self, place: u8, act: Act, after: State, effect: Effect) {
        self.replica_at(place, place, act, after, effect);
    }

    /// `changed` is the machine that the effect's first number is of, `place` the one that the event is of.
    fn replica_at(&mut self, changed: u8, place: u8, act: Act, mut after: State, effect: Effect) {
        after.brokers[usize::from(changed)] = effect.first;
        after.acked |= effect.acked;
        let choice = Choice {
            place,
            act,
            outcome: 0,
        };
        self.finish(choice, after);
    }

    fn finish(&mut self, choice: Choice, mut after: State) {
        if let Some(fault) = choice.act.fault() {
            after.faults = after.faults.after(fault);
            if after.faults_left != u8::MAX {
                after.faults_left -= 1;
            }
        }
        after.normalise(self.world);
        self.ghosts(&mut after);
        self.found.push((choice, after));
    }

    /// Looks at what leaders expose now that they did not before, and at epochs.
    fn ghosts(&mut self, after: &mut State) {
        for place in 0..self.world.ids.len() {
            let (old, new) = (self.state.brokers[place], after.brokers[place]);
            if old == new {
                continue;
            }
            let (before, now) = (self.world.view(old), self.world.view(new));
            if before.up && now.up && now.epoch < before.epoch {
                after.flags |= EPOCH_BACK;
            }
            if !now.leads {
                continue;
            }
            let same_epoch = |other: usize| {
                let view = self.world.view(after.brokers[other]);
                other != place && view.leads && view.epoch == now.epoch
            };
            if (0..self.world.ids.len()).any(same_epoch) {
                after.flags |= TWO_LEADERS;
            }
            if now.hw > before.hw {
                let exposed: Vec<u8> = now
                    .log
                    .iter()
                    .take(usize::from(now.hw))
                    .map(|(number, _)| *number)
                    .collect();
                self.expose(after, exposed);
            }
        }
    }

    fn expose(&mut self, after: &mut State, exposed: Vec<u8>) {
        let visible = self.world.sequences.get(after.visible);
        if visible.iter().zip(&exposed).any(|(a, b)| a != b) {
            after.flags |= CONFLICT;
        }
        if exposed.len() <= visible.len() {
            return;
        }
        let twice = |place: usize| exposed[..place].contains(&exposed[place]);
        if (0..exposed.len()).any(twice) {
            after.flags |= DUPLICATE;
        }
        after.visible = self.world.sequences.number(exposed).0;
    }
}
