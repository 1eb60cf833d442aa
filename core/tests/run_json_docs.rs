//! The description of a run's JSON: its examples are what a run gives, and no key, event or message is missing.
#![allow(clippy::unwrap_used)] // A test that fails may panic.

use highwater_core::check::trial;
use highwater_core::scenario::parse;
use highwater_core::sim::{EVENT_LIMIT, json, run};
use serde_json::Value;

fn description() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/run-json.md");
    std::fs::read_to_string(path).unwrap()
}

/// The fenced examples of a kind.
fn examples<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("\n```{kind}\n");
    text.split(&fence)
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .collect()
}

fn document() -> Value {
    let text = description();
    let scenario = parse(examples(&text, "scenario")[0]).unwrap();
    let kept = trial(&scenario, EVENT_LIMIT).unwrap();
    serde_json::from_str(&json::to_json(&kept.run)).unwrap()
}

#[test]
fn every_example_is_part_of_the_run() {
    let text = description();
    let run = document();
    let examples = examples(&text, "json");
    let lists = [
        &run["steps"],
        &run["events"],
        &run["messages"],
        &run["verdict"]["records"],
    ];
    assert_eq!(examples.len(), lists.len());
    for (example, list) in examples.iter().zip(lists) {
        let example: Value = serde_json::from_str(example).unwrap();
        let known = list.as_array().unwrap();
        assert!(known.contains(&example), "the run does not have {example}");
    }
}

#[test]
fn every_key_event_and_message_is_described() {
    let text = description();
    for key in document().as_object().unwrap().keys() {
        assert!(
            text.contains(&format!("\n| `{key}` | ")),
            "no line for {key}"
        );
    }
    for (kind, fields) in json::EVENTS.iter().chain(json::MESSAGES) {
        let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        let line = format!("\n| `{kind}` | {} | ", fields.join(", ")).replace("|  |", "| |");
        assert!(text.contains(&line), "no line{line}");
    }
    for record in document()["verdict"]["records"].as_array().unwrap() {
        for fact in record.as_object().unwrap().keys() {
            assert!(text.contains(&format!("\"{fact}\"")), "no word of {fact}");
        }
    }
}

#[test]
fn the_script_of_a_run_gives_the_same_run_again() {
    let first = document();
    let again = parse(first["script"].as_str().unwrap()).unwrap();
    let again: Value = serde_json::from_str(&json::to_json(&run(&again))).unwrap();
    assert_eq!(first, again);
}
