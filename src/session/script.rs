//! Edits of a script as a value: every step has its time, and an edit keeps the times of the others.
//!
//! A step that says "so long after the one before" or "when all is quiet" is tied to its neighbour. When that
//! neighbour moves, goes or a new step comes between, the tie is cut: it stays where the last run carried it out.

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::value::{Action, Scenario, Step, When};
use highwater_core::sim::StepRecord;

/// When each step was carried out; a step that the run did not reach counts as carried out with the one before.
pub fn times(scenario: &Scenario, records: &[StepRecord]) -> Vec<Millis> {
    let mut last = Millis(0);
    (0..scenario.steps.len())
        .map(|index| {
            let began = records.get(index).and_then(|record| record.began);
            let written = match scenario.steps.get(index).map(|step| step.when) {
                Some(When::At(at)) => Some(at),
                _ => None,
            };
            last = began.or(written).unwrap_or(last);
            last
        })
        .collect()
}

/// Puts `action` at `at`, after the steps of that very millisecond. Returns its place.
pub fn add(scenario: &mut Scenario, times: &[Millis], action: Action, at: Millis) -> usize {
    let place = times.iter().take_while(|time| **time <= at).count();
    untie(scenario, times, place);
    let step = Step {
        when: When::At(at),
        action,
    };
    let place = place.min(scenario.steps.len());
    scenario.steps.insert(place, step);
    place
}

/// Moves the step at `index` to `at`. Returns its new place; `None` when there is no such step.
pub fn move_to(
    scenario: &mut Scenario,
    times: &[Millis],
    index: usize,
    at: Millis,
) -> Option<usize> {
    if index >= scenario.steps.len() {
        return None;
    }
    untie(scenario, times, index.saturating_add(1));
    let step = scenario.steps.remove(index);
    let mut others = times.to_vec();
    if index < others.len() {
        others.remove(index);
    }
    // Among steps of one millisecond a moved step keeps its side: it does not jump over its neighbour for nothing.
    let earlier = others.iter().take_while(|time| **time < at).count();
    let same = others
        .iter()
        .skip(earlier)
        .take_while(|time| **time == at)
        .count();
    let place = index
        .clamp(earlier, earlier.saturating_add(same))
        .min(scenario.steps.len());
    untie(scenario, &others, place);
    scenario.steps.insert(
        place,
        Step {
            when: When::At(at),
            action: step.action,
        },
    );
    Some(place)
}

/// Removes the step at `index`; false when there is none.
pub fn remove(scenario: &mut Scenario, times: &[Millis], index: usize) -> bool {
    if index >= scenario.steps.len() {
        return false;
    }
    untie(scenario, times, index.saturating_add(1));
    scenario.steps.remove(index);
    true
}

/// The step at `index` happens at its own time from now on.
fn untie(scenario: &mut Scenario, times: &[Millis], index: usize) {
    let (Some(step), Some(time)) = (scenario.steps.get_mut(index), times.get(index)) else {
        return;
    };
    if !matches!(step.when, When::At(_)) {
        step.when = When::At(*time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highwater_core::kafka::ids::BrokerId;

    fn scenario(whens: &[When]) -> (Scenario, Vec<Millis>) {
        let mut clock = Millis(0);
        let mut times = Vec::new();
        let mut steps = Vec::new();
        for (index, when) in whens.iter().enumerate() {
            clock = match when {
                When::At(at) => *at,
                When::After(pause) => clock.plus(*pause),
                When::Settled => clock.plus(Millis(800)),
            };
            times.push(clock);
            steps.push(Step {
                when: *when,
                action: Action::Kill(BrokerId(index as u32)),
            });
        }
        let scenario = Scenario {
            steps,
            ..Scenario::default()
        };
        (scenario, times)
    }

    fn order(scenario: &Scenario) -> Vec<(u32, When)> {
        scenario
            .steps
            .iter()
            .map(|step| match step.action {
                Action::Kill(BrokerId(id)) => (id, step.when),
                _ => (99, step.when),
            })
            .collect()
    }

    #[test]
    fn a_dragged_step_passes_its_neighbours_and_becomes_a_time() {
        let (mut s, times) = scenario(&[
            When::At(Millis(0)),
            When::Settled,
            When::After(Millis(5)),
            When::At(Millis(2000)),
        ]);
        assert_eq!(move_to(&mut s, &times, 1, Millis(2500)), Some(3));
        assert_eq!(
            order(&s),
            [
                (0, When::At(Millis(0))),
                (2, When::At(Millis(805))), // it was tied to the moved one
                (3, When::At(Millis(2000))),
                (1, When::At(Millis(2500))),
            ]
        );
    }

    #[test]
    fn a_step_stays_on_its_side_within_a_millisecond() {
        let at = When::At(Millis(7));
        let (mut s, times) = scenario(&[at, at, at]);
        assert_eq!(move_to(&mut s, &times, 1, Millis(7)), Some(1));
        assert_eq!(order(&s), [(0, at), (1, at), (2, at)]);
    }

    #[test]
    fn a_step_between_two_tied_ones_cuts_the_tie() {
        let (mut s, times) = scenario(&[When::At(Millis(0)), When::Settled]);
        assert_eq!(add(&mut s, &times, Action::Check, Millis(100)), 1);
        assert_eq!(
            order(&s),
            [
                (0, When::At(Millis(0))),
                (99, When::At(Millis(100))),
                (1, When::At(Millis(800)))
            ]
        );
    }

    #[test]
    fn removing_keeps_the_times_of_the_others_and_refuses_what_is_not_there() {
        let (mut s, times) = scenario(&[When::At(Millis(0)), When::Settled, When::Settled]);
        assert!(remove(&mut s, &times, 0));
        assert_eq!(order(&s), [(1, When::At(Millis(800))), (2, When::Settled)]);
        assert!(!remove(&mut s, &times, 9));
        assert_eq!(move_to(&mut s, &times, 9, Millis(1)), None);
    }
}
