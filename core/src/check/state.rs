//! A state of the search: machines by number, where each broker stands in the controller's history, and the ghosts that
//! properties need.

use super::intern::mix;
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

/// Where the two halves of a fingerprint begin.
const SEED: u64 = 0x9AE1_6A3B_2F90_404F;

/// Takes 64 bits more into a half of a fingerprint. One to one, and of 64-bit products only: wasm has no wider ones.
fn step(hash: u64, bits: u64) -> u64 {
    let product = (hash.rotate_left(23) ^ bits).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    product ^ (product >> 32)
}

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
        let newest = self.newest();
        let (last, led) = self.targets();
        // By leader as a record names it, 0 = nobody: the records that this one has still to learn.
        let mut learnable = [0_u32; 8];
        let mut wanted = 1 << newest;
        for place in 0..world.ids.len() {
            if !world.view(self.brokers[place]).up {
                self.positions[place] = NOWHERE;
                continue;
            }
            let targets = last | led[place + 1];
            let from = self.positions[place].min(newest);
            // The newest record is a target of everybody.
            let at = u32::from(from) + (targets >> from).trailing_zeros();
            self.positions[place] = at as u8;
            learnable[place + 1] = targets & !((2 << at) - 1);
            wanted |= 1 << at | learnable[place + 1];
        }
        let mut length = 0;
        let mut rest: u32 = wanted;
        while rest != 0 {
            let position = rest.trailing_zeros();
            rest &= rest - 1;
            let record = self.history[position as usize];
            let by_leader = learnable[usize::from(record.0 & 7)] >> position & 1 == 1;
            self.history[length] = if by_leader {
                record
            } else {
                record.without_isr()
            };
            length += 1;
        }
        // What is not in use has one form, too: states are compared and hashed as they are.
        for record in &mut self.history[length..usize::from(self.length)] {
            *record = Record::default();
        }
        for position in &mut self.positions[..world.ids.len()] {
            if *position != NOWHERE {
                *position = (wanted & ((1 << *position) - 1)).count_ones() as u8;
            }
        }
        self.length = length as u8;
    }

    /// As masks of positions: the records that are the last ones of their epochs, and by leader, as a record names it, those
    /// that name it (see [`State::is_target`]).
    fn targets(&self) -> (u32, [u32; 8]) {
        let mut last = 1 << self.newest();
        let mut led = [0_u32; 8];
        let mut before = None;
        for (position, record) in self.history[..usize::from(self.length)].iter().enumerate() {
            led[usize::from(record.0 & 7)] |= 1 << position;
            if before.is_some_and(|epoch| epoch != record.epoch()) {
                last |= 1 << (position - 1);
            }
            before = Some(record.epoch());
        }
        (last, led)
    }

    /// 64 bits that stand for a normalised state; equal for different ones with a chance of n² / 2⁶⁵ among n states.
    pub fn fingerprint(&self) -> u64 {
        let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let [first, second, third, fourth, fifth] = self.brokers;
        let mut one = step(SEED, both(self.head(), self.acked));
        let mut two = step(!SEED, both(self.controller, self.visible));
        one = step(one, self.faults.bits());
        two = step(two, both(first, second));
        one = step(one, both(third, fourth));
        two = step(two, both(fifth, self.places(MOST_REPLICAS)));
        for four in self.history[..usize::from(self.length)].chunks(4) {
            let word = four.iter().fold(0, |word, r| word << 16 | u64::from(r.0));
            one = step(one, word);
        }
        mix(one ^ mix(two).rotate_left(32))
    }

    fn head(&self) -> u32 {
        u32::from(self.next)
            | u32::from(self.flags) << 8
            | u32::from(self.length) << 16
            | u32::from(self.faults_left) << 24
    }

    /// The positions in 5 bits each: 255 becomes 31, and a history is shorter than that.
    fn places(&self, replicas: usize) -> u32 {
        self.positions[..replicas]
            .iter()
            .fold(0, |word, position| word << 5 | u32::from(position & 31))
    }

    /// Appends the state to a frontier.
    pub fn write(&self, replicas: usize, to: &mut Words) {
        let bits = self.faults.bits();
        to.extend_from_slice(&[
            self.head(),
            self.controller,
            self.visible,
            self.acked,
            bits as u32,
            (bits >> 32) as u32,
        ]);
        to.extend_from_slice(&self.brokers[..replicas]);
        to.push(self.places(replicas));
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
