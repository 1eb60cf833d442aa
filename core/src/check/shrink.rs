//! Makes a scenario that fails smaller, as long as it still fails.

use crate::kafka::ids::{Millis, Offset};
use crate::kafka::settings::Settings;
use crate::scenario::check::check;
use crate::scenario::names;
use crate::scenario::{Action, Produce, Scenario, Step, When};

/// The smallest scenario found that is valid and still `fails`; at most `budget` scenarios are tried.
pub fn shrink(
    scenario: &Scenario,
    budget: usize,
    mut fails: impl FnMut(&Scenario) -> bool,
) -> Scenario {
    let mut best = scenario.clone();
    let mut left = budget;
    let mut attempt = |candidate: &Scenario, best: &mut Scenario| {
        if left == 0 || candidate == best || !check(candidate).is_empty() {
            return false;
        }
        left -= 1;
        let smaller = fails(candidate);
        if smaller {
            *best = candidate.clone();
        }
        smaller
    };
    loop {
        let before = best.clone();
        drop_steps(&mut best, &mut attempt);
        drop_settings(&mut best, &mut attempt);
        simplify_steps(&mut best, &mut attempt);
        if best == before {
            return best;
        }
    }
}

/// Leaves out runs of steps: half of them, then quarters, and in the end single ones. And the start section.
fn drop_steps(best: &mut Scenario, attempt: &mut impl FnMut(&Scenario, &mut Scenario) -> bool) {
    let mut without = best.clone();
    without.start = None;
    attempt(&without, best);
    let mut size = best.steps.len().div_ceil(2).max(1);
    loop {
        let mut from = 0;
        while from < best.steps.len() {
            let mut shorter = best.clone();
            let to = (from + size).min(shorter.steps.len());
            shorter.steps.drain(from..to);
            if !attempt(&shorter, best) {
                from += size;
            }
        }
        if size == 1 {
            return;
        }
        size = size.div_ceil(2);
    }
}

/// Puts settings back to their defaults, one by one.
fn drop_settings(best: &mut Scenario, attempt: &mut impl FnMut(&Scenario, &mut Scenario) -> bool) {
    let newest = names::get(&Settings::default(), "kafka.version").unwrap_or_default();
    let mut renewed = best.clone();
    if names::set(&mut renewed.settings, "kafka.version", &newest).is_ok() {
        attempt(&renewed, best);
    }
    let usual = Settings::default().with_version(best.settings.version);
    for (name, _) in names::entries(&best.settings.clone()) {
        let mut simpler = best.clone();
        let value = names::get(&usual, name).unwrap_or_default();
        if name != "kafka.version" && names::set(&mut simpler.settings, name, &value).is_ok() {
            attempt(&simpler, best);
        }
    }
}

/// Makes times, counts and options of single steps smaller.
fn simplify_steps(best: &mut Scenario, attempt: &mut impl FnMut(&Scenario, &mut Scenario) -> bool) {
    for place in 0..best.steps.len() {
        let Some(step) = best.steps.get(place).cloned() else {
            continue;
        };
        for simpler in simpler_steps(&step) {
            let mut candidate = best.clone();
            if let Some(slot) = candidate.steps.get_mut(place) {
                *slot = simpler;
            }
            attempt(&candidate, best);
        }
    }
}

fn simpler_steps(step: &Step) -> Vec<Step> {
    let mut simpler = Vec::new();
    let times: &[When] = match step.when {
        When::Settled => &[],
        When::At(time) | When::After(time) => {
            let half = Millis(time.0 / 2);
            &[
                When::Settled,
                When::After(Millis(0)),
                When::After(half),
                When::After(time),
            ]
        }
    };
    for &when in times {
        simpler.push(Step {
            when,
            action: step.action.clone(),
        });
    }
    for action in simpler_actions(&step.action) {
        simpler.push(Step {
            when: step.when,
            action,
        });
    }
    simpler
}

fn simpler_actions(action: &Action) -> Vec<Action> {
    match action {
        Action::Produce(call) => simpler_calls(call)
            .into_iter()
            .map(Action::Produce)
            .collect(),
        Action::PowerLoss { broker, keep } => vec![
            Action::Kill(*broker),
            Action::PowerLoss {
                broker: *broker,
                keep: Offset(0),
            },
            Action::PowerLoss {
                broker: *broker,
                keep: Offset(keep.0 / 2),
            },
        ],
        Action::Bounce {
            broker,
            keep: Some(_),
        } => vec![Action::Bounce {
            broker: *broker,
            keep: None,
        }],
        Action::Fetch { broker, rounds, .. } => vec![
            Action::Fetch {
                broker: *broker,
                rounds: *rounds,
                lose_response: false,
            },
            Action::Fetch {
                broker: *broker,
                rounds: 1,
                lose_response: false,
            },
        ],
        Action::Wait(time) => vec![Action::Wait(Millis(time.0 / 2)), Action::Check],
        Action::Start { broker, .. } => vec![Action::Start {
            broker: *broker,
            clean: None,
            wait: true,
        }],
        _ => Vec::new(),
    }
}

/// The call with one option less, or with one record.
fn simpler_calls(call: &Produce) -> Vec<Produce> {
    let plain = Produce {
        records: call.records,
        retry_of: call.retry_of.clone(),
        ..Produce::default()
    };
    let one = Produce {
        records: 1,
        ..call.clone()
    };
    let named = Produce {
        id: call.id.clone(),
        ..plain.clone()
    };
    let mut simpler = vec![plain, named, one];
    let mut less = |change: fn(&mut Produce)| {
        let mut fewer = call.clone();
        change(&mut fewer);
        simpler.push(fewer);
    };
    less(|c| c.acks = None);
    less(|c| c.to = None);
    less(|c| c.timeout = None);
    less(|c| c.producer = None);
    less(|c| c.sequence = None);
    less(|c| c.transactional = false);
    less(|c| c.lose_request = false);
    less(|c| c.lose_response = false);
    less(|c| c.retry_of = None);
    simpler
}
