//! The reference of the scenario language: every example is read, and every word and setting stands in it.
#![allow(clippy::unwrap_used)] // A test that fails may panic.

use highwater_core::check::trial;
use highwater_core::scenario::{check, from_json, names, parse, print};
use highwater_core::sim::EVENT_LIMIT;

fn reference() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scenario-language.md");
    std::fs::read_to_string(path).unwrap()
}

/// The fenced examples with the word after the fence.
fn examples(text: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = text.split("\n```").collect();
    let inside = parts.iter().skip(1).step_by(2);
    let example = |part: &&str| {
        part.split_once('\n')
            .map(|(word, body)| (word.to_owned(), body.to_owned()))
    };
    inside.filter_map(example).collect()
}

#[test]
fn every_example_is_read_and_runs() {
    let text = reference();
    let examples = examples(&text);
    assert_eq!(examples.len(), 10);
    for (word, body) in &examples {
        let read = if word == "json" {
            from_json(body)
        } else {
            parse(body)
        };
        let scenario = read.map_err(|e| format!("{}\n{body}", e[0])).unwrap();
        assert_eq!(parse(&print(&scenario)).as_ref(), Ok(&scenario));
        // And keeps what every run must keep.
        trial(&scenario, EVENT_LIMIT).unwrap();
    }
}

#[test]
fn every_word_has_an_example_and_every_setting_is_named() {
    let text = reference();
    let said: Vec<String> = examples(&text)
        .iter()
        .flat_map(|(_, body)| {
            body.lines()
                .map(|line| format!("{line} "))
                .collect::<Vec<_>>()
        })
        .collect();
    for word in check::action_words() {
        let word = format!(" {word} ");
        assert!(
            said.iter().any(|line| line.contains(&word)),
            "no example of{word}"
        );
    }
    for setting in names::ALL.iter().filter(|s| !s.name.starts_with("rule.")) {
        assert!(
            text.contains(&format!("`{}`", setting.name)),
            "{} is not named",
            setting.name
        );
    }
}
