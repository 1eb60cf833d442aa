//! Values that are given per run: `{"min1": 101, "min2": 100}`, `{"on": …, "off": …}`, `{"old": …, "new": …}`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::notation::NotationRun;

/// Which labels speak of a run, and which of the case's other runs.
pub struct Labels {
    own: BTreeSet<String>,
    others: BTreeSet<String>,
}

/// The words by which a case may speak of the runs in which `key` has `value`.
fn words(key: &str, value: &Value) -> Vec<String> {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    let mut words = vec![format!("{key}={text}"), format!("{key}_{text}")];
    if value.is_string() {
        words.push(text.clone());
    }
    match (key, value) {
        ("min_isr", _) => words.push(format!("min{text}")),
        ("truncate_by" | "mode", _) => words.push(format!("{text}_mode")),
        ("broker_epoch_check", Value::Bool(on)) => {
            words.push(if *on { "new" } else { "old" }.to_owned());
        }
        _ => {}
    }
    if let Value::Bool(on) = value {
        let word = if *on { "on" } else { "off" };
        words.extend([word.to_owned(), format!("{key}_{word}")]);
    }
    words
}

impl Labels {
    /// The labels of one run among all of its case.
    pub fn of(all: &[NotationRun], one: &NotationRun) -> Labels {
        let of_run = |run: &NotationRun| -> BTreeSet<String> {
            let choices = run.choice.iter();
            choices.flat_map(|(key, value)| words(key, value)).collect()
        };
        let own = of_run(one);
        let others = all.iter().flat_map(of_run);
        Labels {
            others: others.filter(|word| !own.contains(word)).collect(),
            own,
        }
    }

    /// The value for this run: none when it is given for other runs only.
    pub fn resolve<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        let Value::Object(map) = value else {
            return Some(value);
        };
        let known = |key: &String| self.own.contains(key) || self.others.contains(key);
        if map.is_empty() || !map.keys().all(known) {
            return Some(value);
        }
        map.iter()
            .find(|(key, _)| self.own.contains(*key))
            .and_then(|(_, value)| self.resolve(value))
    }

    /// Whether a key speaks of this run, of another run, or of no run.
    pub fn speaks(&self, key: &str) -> Option<bool> {
        if self.own.contains(key) {
            Some(true)
        } else {
            self.others.contains(key).then_some(false)
        }
    }
}
