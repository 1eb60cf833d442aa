//! Compares what a case expects with what a machine says, key by key.

use serde_json::{Map, Value};

/// Lists under these keys are sets: their order means nothing in Kafka.
const SETS: &[&str] = &[
    "isr",
    "elr",
    "maximal_isr",
    "proposed_isr",
    "out_of_sync",
    "remote_replicas",
];

/// Objects under these keys list everything there is; other objects are compared on the listed keys only.
const COMPLETE: &[&str] = &["change", "completed"];

/// What differs, one sentence a key; empty when everything that is expected is so.
pub fn differences(expected: &Map<String, Value>, actual: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    for (key, wanted) in expected {
        compare(key, key, wanted, actual.get(key), &mut found);
    }
    found
}

fn compare(path: &str, key: &str, wanted: &Value, actual: Option<&Value>, found: &mut Vec<String>) {
    // A machine that is silent about a key has not answered it, not even with null.
    let Some(actual) = actual else {
        found.push(format!(
            "{path}: expected {wanted}, the runner does not tell it"
        ));
        return;
    };
    match (wanted, actual) {
        (Value::Object(wanted), Value::Object(actual)) => {
            for (name, value) in wanted {
                compare(
                    &format!("{path}.{name}"),
                    name,
                    value,
                    actual.get(name),
                    found,
                );
            }
            if COMPLETE.contains(&key) {
                for (name, value) in actual
                    .iter()
                    .filter(|(name, _)| !wanted.contains_key(*name))
                {
                    found.push(format!("{path}.{name}: expected nothing, is {value}"));
                }
            }
        }
        (Value::Array(wanted_list), Value::Array(actual_list)) if SETS.contains(&key) => {
            if sorted(wanted_list) != sorted(actual_list) {
                found.push(format!("{path}: expected the set {wanted}, is {actual}"));
            }
        }
        _ if wanted == actual => {}
        _ => found.push(format!("{path}: expected {wanted}, is {actual}")),
    }
}

fn sorted(list: &[Value]) -> Vec<String> {
    let mut texts: Vec<String> = list.iter().map(Value::to_string).collect();
    texts.sort_unstable();
    texts
}

#[test]
fn sets_have_no_order_and_lists_have_one() {
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).expect("an object");
    let isr = object(r#"{"isr": [1, 2]}"#);
    assert!(differences(&isr, &object(r#"{"isr": [2, 1], "more": 1}"#)).is_empty());
    assert_eq!(differences(&isr, &object(r#"{"isr": [2, 1, 1]}"#)).len(), 1);
    let entries = object(r#"{"entries": [1, 2]}"#);
    assert_eq!(
        differences(&entries, &object(r#"{"entries": [2, 1]}"#)).len(),
        1
    );
    assert_eq!(differences(&entries, &object("{}")).len(), 1);
}

#[test]
fn only_change_and_completed_forbid_what_is_not_listed() {
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).expect("an object");
    let actual =
        object(r#"{"change": {"leader": 1, "isr": [1]}, "after": {"leader": 1, "isr": [1]}}"#);
    assert!(differences(&object(r#"{"after": {"leader": 1}}"#), &actual).is_empty());
    assert_eq!(
        differences(&object(r#"{"change": {"leader": 1}}"#), &actual).len(),
        1
    );
    assert_eq!(
        differences(&object(r#"{"change": null}"#), &actual).len(),
        1
    );
}
