//! A question that is asked before the outcome is shown. What is right is computed from the run.

use highwater_core::kafka::map::Set;
use highwater_core::scenario::value::Action;
use highwater_core::sim::Instant;
use highwater_core::sim::verdict::RecordVerdict;

use super::ran::Ran;

pub use crate::share::widget::Asks;

/// Most records that are offered.
const MOST: usize = 12;
/// The choice that nobody leads.
pub const NOBODY: u64 = u64::MAX;

/// A question.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub asks: Asks,
    /// In the author's words; empty = in ours.
    pub words: String,
    /// The run is shown up to here until it is answered.
    pub until: Instant,
    /// What can be chosen: records by their numbers, or brokers by their ids.
    pub choices: Vec<u64>,
    /// What is chosen.
    pub chosen: Set<u64>,
    /// What is right.
    pub right: Set<u64>,
    /// Whether it was answered.
    pub answered: bool,
}

impl Question {
    /// A question about a run, which is shown up to `until`, or else up to the last fault before the first loss.
    pub fn new(asks: Asks, words: String, until: Option<Instant>, ran: &Ran) -> Question {
        let records = &ran.verdict.records;
        let mut right = Set::new();
        let mut has = |fact: fn(&RecordVerdict) -> bool| {
            let those = records.iter().take(MOST).filter(|r| fact(r));
            right.extend(those.map(|r| r.record));
        };
        match asks {
            Asks::Lost => has(|r| r.lost.is_some()),
            Asks::Acknowledged => has(|r| r.acknowledged.is_some()),
            Asks::Visible => has(|r| r.visible.is_some()),
            Asks::Leader => {
                let leader = ran.run.last().cluster().controller.partition.leader;
                right.insert(leader.map_or(NOBODY, |leader| u64::from(leader.0)));
            }
        }
        let choices = match asks {
            Asks::Leader => {
                let brokers = ran.run.scenario.settings.replicas.iter();
                let brokers = brokers.map(|broker| u64::from(broker.0));
                brokers.chain([NOBODY]).collect()
            }
            _ => records.iter().take(MOST).map(|r| r.record).collect(),
        };
        Question {
            asks,
            words,
            until: until.unwrap_or_else(|| before_the_outcome(ran)),
            choices,
            chosen: Set::new(),
            right,
            answered: false,
        }
    }

    /// Whether one thing is chosen at most.
    pub fn is_single(&self) -> bool {
        self.asks == Asks::Leader
    }

    /// Chooses something, or takes it back.
    pub fn choose(&mut self, what: u64) {
        if self.answered || !self.choices.contains(&what) {
            return;
        }
        if self.is_single() {
            self.chosen = Set::new();
        }
        if !self.chosen.remove(&what) {
            self.chosen.insert(what);
        }
    }

    /// Whether what was chosen is right.
    pub fn is_right(&self) -> bool {
        self.chosen == self.right
    }

    /// Whether it can be answered: of several things none may be right, of one it may not.
    pub fn is_ready(&self) -> bool {
        !self.is_single() || !self.chosen.is_empty()
    }
}

/// After the last fault of the script before the first loss; without one after the last step.
fn before_the_outcome(ran: &Ran) -> Instant {
    let lost = ran.verdict.lost().filter_map(|record| record.lost);
    let lost = lost.map(|since| since.at).min();
    let steps = ran.run.scenario.steps.iter().zip(&ran.times);
    let faults = steps.filter(|(step, _)| !matches!(step.action, Action::Produce(_)));
    let before = |at: &&_| lost.is_none_or(|lost| **at < lost);
    let fault = faults.map(|(_, at)| at).rfind(before);
    let at = fault.or(ran.times.last()).copied().unwrap_or_default();
    ran.settle(at)
}
