//! Random scenarios from a seed: over all settings, all versions and everything that can happen from outside.
//!
//! The same seed gives the same scenario on every machine and for ever, as long as this module stays as it is.

mod network_step;
mod setting;
mod start;
mod step;

use crate::kafka::ids::{BrokerId, BrokerSet, Millis, Offset};
use crate::kafka::settings::Settings;
use crate::scenario::{Scenario, Step, When};

/// SplitMix64 (Steele, Lea, Flood 2014): short, without state beyond one number, good enough to choose with.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of that seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_number() % bound.max(1)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of these; none of an empty list.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let place = self.below(items.len() as u64);
        items.get(usize::try_from(place).unwrap_or(0)).copied()
    }

    /// One of these, the first of an empty list's default.
    fn one_of<T: Copy + Default>(&mut self, items: &[T]) -> T {
        self.pick(items).unwrap_or_default()
    }

    fn maybe<T>(&mut self, times: u64, value: impl FnOnce(&mut Random) -> T) -> Option<T> {
        if self.once_in(times) {
            Some(value(self))
        } else {
            None
        }
    }
}

/// What a scenario being made knows of itself.
struct Draft {
    random: Random,
    settings: Settings,
    /// Named produce calls and their records.
    named: Vec<(String, u64)>,
    /// Records sent so far.
    sent: u64,
    /// No log can be longer.
    longest: u64,
    /// Whether a transaction is open.
    transaction: bool,
    /// The brokers that a step took down and none brought back.
    down: BrokerSet,
}

impl Draft {
    fn broker(&mut self) -> BrokerId {
        let replicas = self.settings.replicas.clone();
        self.random.one_of(&replicas)
    }

    /// A broker that runs, as far as the script tells; any one when none does.
    fn running(&mut self) -> BrokerId {
        let up: Vec<BrokerId> = self
            .settings
            .replicas
            .iter()
            .copied()
            .filter(|b| !self.down.contains(*b))
            .collect();
        self.random.pick(&up).unwrap_or_else(|| self.broker())
    }

    fn replicas(&mut self) -> BrokerSet {
        let replicas = self.settings.replicas.clone();
        let random = &mut self.random;
        replicas
            .into_iter()
            .filter(|_| !random.once_in(3))
            .collect()
    }

    fn time(&mut self) -> Millis {
        let most = self.random.one_of(&[2, 20, 600, 3_000, 12_000]);
        Millis(self.random.below(most))
    }

    fn offset(&mut self) -> Offset {
        Offset(self.random.below(self.longest.saturating_add(1)))
    }

    fn when(&mut self, last_at: &mut u64) -> When {
        match self.random.below(8) {
            0..=2 => When::Settled,
            3 => {
                *last_at = last_at.saturating_add(self.time().0);
                When::At(Millis(*last_at))
            }
            _ => {
                let wait = self.time();
                *last_at = last_at.saturating_add(wait.0);
                When::After(wait)
            }
        }
    }
}

/// The scenario of a seed. It is always valid: what the language refuses is not made.
pub fn scenario(seed: u64) -> Scenario {
    let mut random = Random::new(seed);
    let settings = setting::settings(&mut random);
    let mut draft = Draft {
        random,
        settings,
        named: Vec::new(),
        sent: 0,
        longest: 0,
        transaction: false,
        down: BrokerSet::new(),
    };
    let start = if draft.random.once_in(8) {
        Some(start::start(&mut draft))
    } else {
        None
    };
    let most = draft.random.one_of(&[4, 10, 20, 40]);
    let count = 2 + draft.random.below(most);
    let mut last_at = 0;
    let mut steps = Vec::new();
    for _ in 0..count {
        let when = draft.when(&mut last_at);
        for (place, action) in step::actions(&mut draft).into_iter().enumerate() {
            let when = if place == 0 {
                when
            } else {
                When::After(Millis(0))
            };
            steps.push(Step { when, action });
        }
    }
    Scenario {
        title: format!("Random run {seed}"),
        settings: draft.settings,
        start,
        steps,
    }
}
