//! A state of the search: machines by number, where each broker stands in the controller's history, and the ghosts that
//! properties need.

use super::question::Budget;
use super::world::{MOST_REPLICAS, Record, World};

/// The most records of the controller's history that any live broker has still to learn. A state with more is not followed,
/// and the search says that this bound was hit.
pub(super) const MOST_HISTORY: usize = 20;

/// The position of a broker that is down.
pub(super) const NOWHERE: u8 = u8::MAX;

/// Another record was exposed at an offset that was visible before.
pub(super) const CONFLICT: u8 = 1;
/// A record was exposed at two offsets.
pub(super) const DUPLICATE: u8 = 2;
/// Two brokers led in the same leader epoch.
pub(super) const TWO_LEADERS: u8 = 4;
/// The leader epoch of a running broker went back.
pub(super) const EPOCH_BACK: u8 = 8;

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub brokers: [u32; MOST_REPLICAS],
    pub controller: u32,
    /// The longest sequence of records that was ever exposed, by number.
    pub visible: u32,
    /// Records that were confirmed to the producer, as a mask.
    pub acked: u32,
    /// What is left of the budgets.
    pub faults: Budget,
    /// How many faults may still happen altogether; 255 = as the budgets say.
    pub faults_left: u8,
    /// The next record's number.
    pub next: u8,
    /// What has happened once and for all.
    pub flags: u8,
    /// Which record of the history each broker has read.
    pub positions: [u8; MOST_REPLICAS],
    /// The history, oldest first; the last one is the controller's.
    pub history: [Record; MOST_HISTORY],
    pub length: u8,
}

/// The words of a state in a frontier: what stays of it, packed.
pub(super) type Words = Vec<u32>;

impl State {
    pub fn newest(&self) -> u8 {
        self.length - 1
    }

    pub fn record(&self, position: u8) -> Record {
        self.history
            .get(usize::from(position))
            .copied()
            .unwrap_or_default()
    }

    /// The controller writes a record; false when there is no room for it.
    pub fn push(&mut self, record: Record) -> bool {
        match self.history.get_mut(usize::from(self.length)) {
            Some(free) => {
                *free = record;
                self.length += 1;
                true
            }
            None => false,
        }
    }

    /// Whether the broker at `place` may stop at that record: it leads there, or no other record of that epoch follows.
    pub fn is_target(&self, place: u8, position: u8) -> bool {
        let record = self.record(position);
        let last_of_epoch =
            position + 1 >= self.length || self.record(position + 1).epoch() != record.epoch();
        last_of_epoch || record.leader() == Some(place)
    }

    /// Brings the history into one form: followers skip records that change nothing for them, what nobody has still to
    /// learn goes, and an ISR stays only where its leader has still to learn it.
    pub fn normalise(&mut self, world: &World) {
        let replicas = world.ids.len();
        let live = |state: &State, place: usize| {
            let broker = state.brokers[place];
            world.view(broker).up
        };
        for place in 0..replicas {
            if !live(self, place) {
                self.positions[place] = NOWHERE;
                continue;
            }
            while !self.is_target(place as u8, self.positions[place]) {
                self.positions[place] += 1;
            }
        }
        let (mut kept, mut length) = ([Record::default(); MOST_HISTORY], 0_u8);
        let mut moved = [NOWHERE; MOST_HISTORY];
        for position in 0..self.length {
            let record = self.record(position);
            let learnable = |place: usize| {
                self.positions[place] != NOWHERE
                    && self.positions[place] < position
                    && self.is_target(place as u8, position)
            };
            let wanted = position == self.newest()
                || (0..replicas).any(|p| self.positions[p] == position || learnable(p));
            if !wanted {
                continue;
            }
            let by_leader = record
                .leader()
                .is_some_and(|place| learnable(usize::from(place)));
            kept[usize::from(length)] = if by_leader {
                record
            } else {
                record.without_isr()
            };
            moved[usize::from(position)] = length;
            length += 1;
        }
        for position in &mut self.positions[..replicas] {
            if *position != NOWHERE {
                *position = moved[usize::from(*position)];
            }
        }
        self.history = kept;
        self.length = length;
    }

    /// Appends the state to a frontier.
    pub fn write(&self, replicas: usize, to: &mut Words) {
        let bits = self.faults.bits();
        to.extend_from_slice(&[
            u32::from(self.next)
                | u32::from(self.flags) << 8
                | u32::from(self.length) << 16
                | u32::from(self.faults_left) << 24,
            self.controller,
            self.visible,
            self.acked,
            bits as u32,
            (bits >> 32) as u32,
        ]);
        to.extend_from_slice(&self.brokers[..replicas]);
        // 255 becomes 31: a history is shorter than that.
        let positions = self.positions[..replicas]
            .iter()
            .fold(0, |word, position| word << 5 | u32::from(position & 31));
        to.push(positions);
        for pair in self.history[..usize::from(self.length)].chunks(2) {
            let second = pair.get(1).map_or(0, |record| u32::from(record.0));
            to.push(pair.first().map_or(0, |record| u32::from(record.0)) | second << 16);
        }
    }

    /// Reads the state that begins there, and how many words it has.
    pub fn read(replicas: usize, from: &[u32]) -> (State, usize) {
        let word = |place: usize| from.get(place).copied().unwrap_or(0);
        let head = word(0);
        let mut state = State {
            brokers: [0; MOST_REPLICAS],
            controller: word(1),
            visible: word(2),
            acked: word(3),
            faults: Budget::from_bits(u64::from(word(4)) | u64::from(word(5)) << 32),
            faults_left: (head >> 24) as u8,
            next: head as u8,
            flags: (head >> 8) as u8,
            positions: [NOWHERE; MOST_REPLICAS],
            history: [Record::default(); MOST_HISTORY],
            length: ((head >> 16) as u8).min(MOST_HISTORY as u8),
        };
        let mut positions = word(6 + replicas);
        for place in (0..replicas).rev() {
            state.brokers[place] = word(6 + place);
            state.positions[place] = match (positions & 31) as u8 {
                31 => NOWHERE,
                position => position,
            };
            positions >>= 5;
        }
        let first = 7 + replicas;
        for place in 0..usize::from(state.length) {
            let pair = word(first + place / 2);
            state.history[place] = Record((pair >> (16 * (place % 2))) as u16);
        }
        (state, first + usize::from(state.length).div_ceil(2))
    }
}
