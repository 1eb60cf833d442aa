//! The outcome matrix: the script under every combination of the four toggles, computed a cell at a time.

use highwater_core::scenario::value::Scenario;
use highwater_core::sim::matrix::{Cell, Toggles, cell, combinations};

/// The matrix of a script, as far as it was computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// The script and the settings that are the same in every cell.
    of: Scenario,
    /// Every combination, in the order of the table.
    pub all: Vec<Toggles>,
    /// The cells that were computed, from the first on.
    pub done: Vec<Cell>,
}

impl Matrix {
    /// Nothing is computed yet.
    pub fn new(scenario: &Scenario) -> Matrix {
        let all = combinations(&scenario.settings);
        Matrix {
            of: without_toggles(scenario, &all),
            all,
            done: Vec::new(),
        }
    }

    /// Whether every cell was computed.
    pub fn finished(&self) -> bool {
        self.done.len() >= self.all.len()
    }

    /// Computes the next cell.
    pub fn step(&mut self) {
        if let Some(toggles) = self.all.get(self.done.len()) {
            self.done.push(cell(&self.of, *toggles));
        }
    }

    /// The matrix of the scenario as it is now: begun anew unless only a toggle has changed.
    pub fn follow(&mut self, scenario: &Scenario) {
        let now = Matrix::new(scenario);
        if now.of != self.of || now.all != self.all {
            *self = now;
        }
    }
}

fn without_toggles(scenario: &Scenario, all: &[Toggles]) -> Scenario {
    let mut scenario = scenario.clone();
    if let Some(first) = all.first() {
        first.apply(&mut scenario.settings);
    }
    scenario
}
