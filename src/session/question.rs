//! A question that is asked before the outcome is shown. What is right is computed from the run.

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
    /// What can be chosen: records by their numbers, or brokers by their ids; and whether it is right.
    pub choices: Vec<(u64, bool)>,
    /// Which of them are chosen.
    pub chosen: Vec<bool>,
    /// Whether it was answered.
    pub answered: bool,
}

impl Question {
    /// A question about a run, which is shown up to `until`, or else up to the last fault before the first loss.
    pub fn new(asks: Asks, words: String, until: Option<Instant>, ran: &Ran) -> Question {
        let choices = match asks {
            Asks::Leader => leaders(ran),
            _ => records(asks, ran),
        };
        Question {
            asks,
            words,
            until: until.unwrap_or_else(|| before_the_outcome(ran)),
            chosen: vec![false; choices.len()],
            choices,
            answered: false,
        }
    }

    /// Whether one thing is chosen at most.
    pub fn is_single(&self) -> bool {
        self.asks == Asks::Leader
    }

    /// Chooses the one at that place, or takes it back.
    pub fn choose(&mut self, place: usize) {
        if self.answered || place >= self.chosen.len() {
            return;
        }
        if self.is_single() {
            self.chosen.fill(false);
        }
        if let Some(chosen) = self.chosen.get_mut(place) {
            *chosen = !*chosen;
        }
    }

    /// Whether what was chosen is right.
    pub fn is_right(&self) -> bool {
        let both = self.choices.iter().zip(&self.chosen);
        both.into_iter().all(|((_, right), chosen)| right == chosen)
    }

    /// Whether it can be answered: of several things none may be right, of one it may not.
    pub fn is_ready(&self) -> bool {
        !self.is_single() || self.chosen.contains(&true)
    }
}

/// The replicas and nobody; right is who leads at the end.
fn leaders(ran: &Ran) -> Vec<(u64, bool)> {
    let leader = ran.run.last().cluster().controller.partition.leader;
    let replicas = ran
        .run
        .scenario
        .settings
        .replicas
        .iter()
        .map(|id| Some(*id));
    let all = replicas.chain([None]);
    all.map(|one| (one.map_or(NOBODY, |id| u64::from(id.0)), one == leader))
        .collect()
}

/// The first records, and of which it is true.
fn records(asks: Asks, ran: &Ran) -> Vec<(u64, bool)> {
    let records = ran.verdict.records.iter().take(MOST);
    let right = |r: &RecordVerdict| match asks {
        Asks::Lost => r.lost.is_some(),
        Asks::Acknowledged => r.acknowledged.is_some(),
        _ => r.visible.is_some(),
    };
    records.map(|r| (r.record, right(r))).collect()
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
