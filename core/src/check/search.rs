//! The search: level by level, so that the first violation found is a shortest one; in slices, so that a page stays alive.

use super::event::Choice;
use super::expand::{BoundsHit, Expansion, Successors};
use super::judge::violated;
use super::property::{Property, PropertySet};
use super::question::{Question, Unaskable};
use super::state::{MOST_HISTORY, NOWHERE, State, Words};
use super::store::{Column, Fingerprints, Queue};
use super::symmetry::Symmetry;
use super::world::{MOST_REPLICAS, Record, World};

/// A violation that a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The property.
    pub property: Property,
    /// The length of a shortest way to a violation, in events.
    pub length: u32,
    /// The number of the state.
    pub(super) state: u32,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Distinct states.
    pub states: u64,
    /// Successors that were looked at, distinct or not.
    pub generated: u64,
    /// States that were expanded.
    pub expanded: u64,
    /// Events from the start to the states that are being expanded.
    pub depth: u32,
    /// States that wait to be expanded.
    pub queue: u64,
    /// The most states of one level.
    pub widest: u64,
    /// Bytes in use.
    pub bytes: u64,
    /// The most bytes that were in use.
    pub peak_bytes: u64,
    /// Whether the search is over.
    pub done: bool,
}

/// What a search has to say about one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is violated; no way is shorter than this.
    Violated {
        /// In events.
        length: u32,
    },
    /// It holds: no event within bounds and budgets leads out of the states that were seen.
    Holds {
        /// The length of the longest shortest way to a state.
        diameter: u32,
        /// The bounds that kept events from happening.
        hit: BoundsHit,
    },
    /// Nobody knows: the search has not ended. No way up to this length violates it.
    Unknown {
        /// In events.
        none_up_to: u32,
    },
}

/// A search that can be advanced in slices, and dropped at any time.
#[derive(Clone, Debug)]
pub struct Checker {
    pub(super) question: Question,
    pub(super) world: World,
    pub(super) start: State,
    pub(super) symmetry: Option<Symmetry>,
    seen: Fingerprints,
    /// By state number: the state before, and the event.
    parents: Column<u32>,
    events: Column<u16>,
    level: Queue,
    /// The number of the next state to be expanded.
    cursor: u32,
    next_level: Queue,
    next_count: u64,
    found: Vec<Found>,
    missing: PropertySet,
    hit: BoundsHit,
    progress: Progress,
    scratch: Successors,
    prints: Vec<u64>,
    words: Words,
}

impl Checker {
    /// A search that has not looked at anything but the start.
    ///
    /// # Errors
    /// See [`Question::validate`].
    pub fn new(question: Question) -> Result<Checker, Unaskable> {
        question.validate()?;
        let mut world = World::new(&question);
        let (brokers, controller) = world.start();
        let mut state = State {
            brokers: [0; MOST_REPLICAS],
            controller,
            visible: 0,
            acked: 0,
            faults: question.faults,
            faults_left: question.most_faults.unwrap_or(u8::MAX),
            next: 1,
            flags: 0,
            positions: [NOWHERE; MOST_REPLICAS],
            history: [Record::default(); MOST_HISTORY],
            length: 0,
        };
        for (place, number) in brokers.into_iter().enumerate() {
            state.brokers[place] = number;
            state.positions[place] = 0;
        }
        state.push(world.controller_view(controller).record);
        state.normalise(&world);
        let symmetry = question.symmetry.then(|| Symmetry::new(&world));
        let mut checker = Checker {
            missing: question.properties,
            question,
            world,
            start: state,
            symmetry,
            seen: Fingerprints::new(),
            parents: Column::new(),
            events: Column::new(),
            level: Queue::default(),
            cursor: 0,
            next_level: Queue::default(),
            next_count: 0,
            found: Vec::new(),
            hit: BoundsHit::default(),
            progress: Progress::default(),
            scratch: Successors::default(),
            prints: Vec::new(),
            words: Words::new(),
        };
        let mut first = Successors::default();
        first.add(Choice::unpack(0), &state);
        checker.enter_all(&mut first, u32::MAX);
        checker.next();
        checker.progress.depth = 0;
        Ok(checker)
    }

    /// Expands up to `most` states; how far the search is then.
    pub fn advance(&mut self, most: u64) -> Progress {
        let mut left = most;
        while left > 0 && !self.progress.done {
            if self.level.is_empty() {
                self.next();
                continue;
            }
            self.expand_one();
            left -= 1;
        }
        self.progress
    }

    /// Runs to the end.
    pub fn run(&mut self) -> Progress {
        while !self.progress.done {
            self.advance(100_000);
        }
        self.progress
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The violations found so far, shortest first.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// What is known of a property.
    pub fn answer(&self, property: Property) -> Answer {
        if let Some(found) = self.found.iter().find(|f| f.property == property) {
            return Answer::Violated {
                length: found.length,
            };
        }
        if self.progress.done && self.exhausted() && self.question.properties.contains(property) {
            return Answer::Holds {
                diameter: self.progress.depth,
                hit: self.hit,
            };
        }
        Answer::Unknown {
            none_up_to: self.progress.depth,
        }
    }

    /// Whether every state that can be reached was expanded.
    pub fn exhausted(&self) -> bool {
        self.level.is_empty() && self.next_level.is_empty() && !self.hit.history
    }

    /// The bounds that kept events from happening.
    pub fn bounds_hit(&self) -> BoundsHit {
        self.hit
    }

    /// The choices that lead to a state, from the start.
    pub(super) fn way(&self, state: u32) -> Vec<Choice> {
        let mut way = Vec::new();
        let mut at = state;
        while let (Some(parent), Some(event)) = (self.parents.get(at), self.events.get(at)) {
            if parent == u32::MAX {
                break;
            }
            way.push(Choice::unpack(event));
            at = parent;
        }
        way.reverse();
        way
    }

    fn expand_one(&mut self) {
        let replicas = self.world.ids.len();
        let Some(words) = self.level.front() else {
            return;
        };
        let (state, length) = State::read(replicas, words);
        self.level.pop(length);
        let number = self.cursor;
        self.cursor += 1;
        let mut found = std::mem::take(&mut self.scratch);
        found.clear();
        Expansion {
            world: &mut self.world,
            state: &state,
            hit: &mut self.hit,
            found: &mut found,
        }
        .run();
        self.progress.generated += found.found().len() as u64;
        self.enter_all(&mut found, number);
        self.scratch = found;
        self.progress.expanded += 1;
        self.progress.queue = self.progress.queue.saturating_sub(1);
        if self.missing.is_empty() {
            self.finish();
        }
    }

    /// Takes states in, by their representatives. The fingerprints of all are found before one of them is looked up: the set
    /// is larger than any cache, and so the memory fetches them side by side.
    fn enter_all(&mut self, states: &mut Successors, parent: u32) {
        let mut prints = std::mem::take(&mut self.prints);
        prints.clear();
        let mut touched = 0;
        for (_, state) in states.found_mut() {
            if let Some(symmetry) = &mut self.symmetry {
                *state = symmetry.canonical(&mut self.world, state);
            }
            let print = state.fingerprint();
            touched ^= self.seen.touch(print);
            prints.push(print);
        }
        std::hint::black_box(touched);
        for ((choice, state), print) in states.found().iter().zip(&prints) {
            self.enter(state, *print, parent, *choice);
        }
        self.prints = prints;
    }

    /// Takes a state in, unless it was seen.
    fn enter(&mut self, state: &State, print: u64, parent: u32, event: Choice) {
        if !self.seen.insert(print) {
            return;
        }
        self.words.clear();
        state.write(self.world.ids.len(), &mut self.words);
        let number = self.parents.len();
        self.parents.push(parent);
        self.events.push(event.pack());
        self.next_level.push(&self.words);
        self.next_count += 1;
        self.progress.states += 1;
        self.progress.queue += 1;
        if self.missing.is_empty() {
            return;
        }
        let broken = violated(&self.world, state, self.missing);
        for property in broken.iter() {
            self.missing.remove(property);
            let length = if parent == u32::MAX {
                0
            } else {
                self.progress.depth + 1
            };
            self.found.push(Found {
                property,
                length,
                state: number,
            });
        }
    }

    /// Goes on to the next level, or ends.
    fn next(&mut self) {
        self.measure();
        if self.next_level.is_empty() {
            self.finish();
            return;
        }
        self.cursor = self.parents.len() - self.next_count as u32;
        self.progress.depth += 1;
        self.progress.widest = self.progress.widest.max(self.next_count);
        self.next_count = 0;
        self.level = std::mem::take(&mut self.next_level);
    }

    fn finish(&mut self) {
        self.measure();
        self.progress.done = true;
    }

    fn measure(&mut self) {
        let symmetry = self.symmetry.as_ref().map_or(0, Symmetry::bytes);
        let vectors = self.parents.bytes()
            + self.events.bytes()
            + self.level.bytes()
            + self.next_level.bytes();
        let bytes = (vectors + self.seen.bytes() + self.world.bytes() + symmetry) as u64;
        self.progress.bytes = bytes;
        self.progress.peak_bytes = self.progress.peak_bytes.max(bytes);
    }
}
