//! The script language: round trips over generated scenarios, and exact messages for what is wrong.

#![allow(clippy::unwrap_used)] // A test that fails may panic.
#![allow(dead_code)] // Other test files use the rest of the support.

mod support;

use std::collections::BTreeSet;

use highwater_core::scenario::{
    Scenario, check, from_json, names, parse, parse_bytes, parse_with_lines, print, print_step,
    to_json,
};
use proptest::collection::vec;
use proptest::prelude::*;
use support::arbitrary;

fn choices() -> impl Strategy<Value = Vec<u32>> {
    vec(any::<u32>(), 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_printed_scenario_reads_back_as_itself(choices in choices()) {
        let scenario = arbitrary::scenario(&choices);
        prop_assert_eq!(check::check(&scenario), vec![]);
        let text = print(&scenario);
        let parsed = parse_with_lines(&text).map_err(|e| TestCaseError::fail(format!("{text}\n{}", e[0])))?;
        prop_assert_eq!(&parsed.scenario, &scenario, "{}", text);
        prop_assert_eq!(print(&parsed.scenario), text.clone());
        for (step, line) in scenario.steps.iter().zip(&parsed.step_lines) {
            let printed = print_step(step);
            prop_assert_eq!(text.lines().nth(*line as usize - 1), Some(printed.as_str()));
        }
    }

    #[test]
    fn a_scenario_in_json_reads_back_as_itself(choices in choices()) {
        let scenario = arbitrary::scenario(&choices);
        let text = to_json(&scenario);
        let read = from_json(&text).map_err(|e| TestCaseError::fail(format!("{text}\n{}", e[0])))?;
        prop_assert_eq!(read, scenario, "{}", text);
    }

    #[test]
    fn a_damaged_document_is_read_or_refused(choices in choices(), places in vec((any::<u16>(), any::<char>()), 1..6)) {
        let mut letters: Vec<char> = to_json(&arbitrary::scenario(&choices)).chars().collect();
        for (place, letter) in places {
            let at = usize::from(place) % letters.len();
            letters[at] = letter;
        }
        let text: String = letters.into_iter().collect();
        if let Err(errors) = from_json(&text) {
            let lines = text.lines().count().max(1);
            prop_assert!(errors.iter().all(|e| (1..=lines).contains(&(e.line as usize)) && e.column >= 1));
        }
    }

    #[test]
    fn any_text_is_read_or_refused_with_places(text in "(?s).{0,200}") {
        refused_with_places(text.as_bytes())?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        refused_with_places(&bytes)?;
    }

    /// A valid script with some characters replaced comes nearer to the reader's corners than random text does.
    #[test]
    fn a_damaged_script_is_read_or_refused(choices in choices(), places in vec((any::<u16>(), any::<char>()), 1..6)) {
        let mut letters: Vec<char> = print(&arbitrary::scenario(&choices)).chars().collect();
        for (place, letter) in places {
            if !letters.is_empty() {
                let at = usize::from(place) % letters.len();
                letters[at] = letter;
            }
        }
        let text: String = letters.into_iter().collect();
        refused_with_places(text.as_bytes())?;
    }
}

fn refused_with_places(bytes: &[u8]) -> Result<(), TestCaseError> {
    match parse_bytes(bytes) {
        Ok(parsed) => {
            let again = parse(&print(&parsed.scenario));
            prop_assert_eq!(again, Ok(parsed.scenario));
        }
        Err(errors) => {
            prop_assert!(!errors.is_empty() && errors.len() <= 20);
            let lines = bytes.split(|b| *b == b'\n').count();
            for error in errors {
                prop_assert!(error.line >= 1 && error.line as usize <= lines);
                prop_assert!(error.column >= 1);
            }
        }
    }
    Ok(())
}

/// SplitMix64: a number without pattern for every number.
fn mixed(number: u64) -> u32 {
    let mut n = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (n >> 32) as u32
}

#[test]
fn generated_scenarios_say_every_word() {
    let mut seen = BTreeSet::new();
    for seed in 0..3_000u64 {
        let choices: Vec<u32> = (0..200).map(|n| mixed(seed * 1_000 + n)).collect();
        for line in print(&arbitrary::scenario(&choices)).lines() {
            let mut words = line.split_whitespace();
            let word = match words.next() {
                Some("at" | "after") => words.nth(1),
                Some("then") => words.next(),
                Some("set") => words.next().and_then(|w| w.split('=').next()),
                other => other,
            };
            seen.extend(word.map(str::to_owned));
        }
    }
    let settings = names::ALL
        .iter()
        .map(|s| s.name)
        .filter(|n| *n != "replication.factor");
    let actions = check::action_words();
    for word in settings.chain(actions).chain(["title", "start", "broker"]) {
        assert!(seen.contains(word), "no generated scenario says {word}");
    }
}

/// The messages for a text, one a line.
fn errors(text: &str) -> Vec<String> {
    parse(text)
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn mistakes_say_where_what_and_what_instead() {
    for (text, expected) in [
        (
            "at 5ms kil 1",
            "line 1, column 8: found `kil`, expected an action such as produce, kill or pause-fetch; write `kill`?",
        ),
        (
            "then pause fetch 1",
            "line 1, column 6: found `pause`, expected an action such as produce, kill or pause-fetch; write `pause-fetch`?",
        ),
        (
            "kill 1",
            "line 1, column 1: found `kill`, expected a line that begins with title, set, start, broker, at, after or then; write `then kill`?",
        ),
        (
            "acks=1",
            "line 1, column 1: found `acks=1`, expected a line that begins with title, set, start, broker, at, after or then; write `set acks=1`?",
        ),
        (
            "set acks 1",
            "line 1, column 5: found `acks`, expected name=value; write `set acks=1`?",
        ),
        (
            "set ack=1",
            "line 1, column 5: found `ack`, expected the name of a setting; write `acks`?",
        ),
        (
            "set acks=2",
            "line 1, column 10: found `2`, expected all, 1 or 0",
        ),
        (
            "set min.insync.replicas=0",
            "line 1, column 25: found `0`, expected a whole number from 1 to 2147483647",
        ),
        (
            "set acks=1\nset acks=0",
            "line 2, column 5: found `acks`, expected it only once",
        ),
        (
            "then kill 7",
            "line 1, column 11: found `7`, expected a broker of the cluster: 1, 2 or 3",
        ),
        (
            "then kill",
            "line 1, column 10: found nothing, expected a broker id from 0 to 2147483647",
        ),
        (
            "then kill 1 2",
            "line 1, column 13: found `2`, expected the end of the line",
        ),
        (
            "at -5ms kill 1",
            "line 1, column 4: found `-5ms`, expected a time from 0ms to 86400s, such as 530ms, 5.53s or 2m",
        ),
        (
            "at 25h kill 1",
            "line 1, column 4: found `25h`, expected a time from 0ms to 86400s, such as 530ms, 5.53s or 2m",
        ),
        (
            "at 9ms check\nat 8ms check",
            "line 2, column 4: found `8ms`, expected 9ms or later, because the step before is not earlier than that",
        ),
        (
            "then await-ack p1",
            "line 1, column 16: found `p1`, expected the id of an earlier produce, but none has one",
        ),
        (
            "then produce id=a\nthen produce retry-of=b",
            "line 2, column 23: found `b`, expected the id of an earlier produce: a",
        ),
        (
            "then produce id=a\nthen produce id=a",
            "line 2, column 17: found `a`, expected an id that no earlier produce has",
        ),
        (
            "then produce 2\nthen power-loss 1 keep=3",
            "line 2, column 24: found `3`, expected an offset up to 2: no log of this script is longer",
        ),
        (
            "then power-loss 1",
            "line 1, column 18: found nothing, expected the argument keep",
        ),
        (
            "then produce colour=red",
            "line 1, column 14: found `colour=red`, expected acks, to, timeout, id, producer, seq, retry-of, lose or transactional",
        ),
        (
            "then produce ack=1",
            "line 1, column 14: found `ack=1`, expected acks, to, timeout, id, producer, seq, retry-of, lose or transactional; write `acks=1`?",
        ),
        (
            "then produce 0",
            "line 1, column 14: found `0`, expected a whole number from 1 to 100000",
        ),
        (
            "then produce 60000\nthen produce 60000",
            "line 2, column 14: found `120000`, expected at most 100000 records in all",
        ),
        (
            "then await-ack \"p",
            "line 1, column 16: found `\"p`, expected a closing quotation mark",
        ),
        (
            "broker 1",
            "line 1, column 1: found `broker`, expected a line that begins with start before it",
        ),
        (
            "start 1",
            "line 1, column 7: found `1`, expected leader, epoch, partition-epoch, isr, elr, last-known-elr, open-transaction or recovering; write `then start 1`?",
        ),
        (
            "start leader=1 isr=2",
            "line 1, column 14: found `1`, expected a leader that is in the ISR",
        ),
        (
            "start leader=1 isr=1\nbroker 1 log=0:3 hw=4",
            "line 2, column 21: found `4`, expected an offset up to 3: no log of this script is longer",
        ),
        (
            "start leader=1 isr=1\nbroker 1 log=1:3",
            "line 2, column 14: found `1`, expected epochs up to the leader epoch 0",
        ),
        (
            "start leader=1 isr=1\nbroker 1 log=4",
            "line 2, column 14: found `4`, expected log ranges epoch:records with commas between them, epochs ascending, such as 0:3,4:2",
        ),
        (
            "then check\nset acks=1",
            "line 2, column 1: found `set`, expected settings and the start section before the first step (a step changes a topic's config with: config name=value)",
        ),
        (
            "then config",
            "line 1, column 12: found nothing, expected min.insync.replicas=… or unclean.leader.election.enable=…",
        ),
        (
            "then cut 1 1",
            "line 1, column 12: found `1`, expected two different ends",
        ),
        (
            "then hold 1 9",
            "line 1, column 13: found `9`, expected a broker of the cluster: 1, 2 or 3",
        ),
        (
            "set replicas=1,2 brokers=1,3",
            "line 1, column 26: found `1,3`, expected brokers with all replicas among them: 1 or 2",
        ),
    ] {
        assert_eq!(errors(text), vec![expected.to_owned()], "{text}");
    }
}

#[test]
fn a_text_that_is_too_much_is_refused_at_once() {
    let long = "#".repeat(10_000_000);
    assert_eq!(
        errors(&long),
        ["line 1, column 1: found `10000000 bytes`, expected a text of at most 1000000 bytes"]
    );
    assert_eq!(parse_bytes(long.as_bytes()).unwrap_err().len(), 1);
    let steps = "then check\n".repeat(5_001);
    assert_eq!(
        errors(&steps),
        ["line 5001, column 1: found `then`, expected at most 5000 steps"]
    );
    assert_eq!(errors(&"nonsense\n".repeat(100)).len(), 20);
    let deep = "(".repeat(900_000);
    assert_eq!(errors(&deep).len(), 1);
}

#[test]
fn broken_utf8_is_found_where_it_is() {
    let error = &parse_bytes(b"title caf\xc3\xa9\nthen k\xffll 1").unwrap_err()[0];
    assert_eq!(
        error.to_string(),
        "line 2, column 7: found `byte 0xff`, expected UTF-8"
    );
}

#[test]
fn settings_may_stand_in_any_order_and_by_other_names() {
    let text = "set brokers=1,2,3,4 replicas=4,2\nset version=4.0.0 rule.hw.gated.by.min.isr=off\nset MIN_INSYNC_REPLICAS=1 elr=off";
    let reordered = "set elr=off min.isr=1 rule.hw-gated-by-min-isr=off\nset version=4.0\nset replicas=4,2 brokers=4,3,2,1";
    let scenario = parse(text).unwrap();
    assert_eq!(parse(reordered).unwrap(), scenario);
    assert_eq!(
        print(&scenario),
        "set kafka.version=4.0\nset rule.hw.gated.by.min.isr=off\nset replicas=4,2\nset brokers=1,2,3,4\nset min.insync.replicas=1\nset eligible.leader.replicas=off\n"
    );
}

#[test]
fn an_empty_text_is_the_default_scenario() {
    assert_eq!(parse(" \r\n# nothing\n\t"), Ok(Scenario::default()));
    assert_eq!(print(&Scenario::default()), "");
    assert_eq!(parse("\u{feff}set acks=all"), Ok(Scenario::default()));
}

#[test]
fn mistakes_in_json_have_a_path_and_a_place() {
    for (text, expected) in [
        (
            "{",
            "line 1, column 1: found nothing, expected JSON: EOF while parsing an object",
        ),
        (
            "[]",
            "line 1, column 1: found `an array`, expected an object",
        ),
        (
            "{\"steps\": [\n  {\"do\": \"kill\", \"broker\": 9}]}",
            "line 2, column 18: steps[0].broker: found `9`, expected a broker of the cluster: 1, 2 or 3",
        ),
        (
            "{\"steps\": [{\"do\": \"kil\"}]}",
            "line 1, column 13: steps[0].do: found `kil`, expected an action such as produce, kill or pause-fetch; write `kill`?",
        ),
        (
            "{\"steps\": [{\"do\": \"kill\", \"brokr\": 1}]}",
            "line 1, column 27: steps[0].brokr: found `brokr`, expected broker, at, after or do; write `broker`?",
        ),
        (
            "{\"steps\": [{\"at\": -1, \"do\": \"check\"}]}",
            "line 1, column 13: steps[0].at: found `-1`, expected a time from 0ms to 86400s, such as 530ms, 5.53s or 2m",
        ),
        (
            "{\"steps\": [{\"at\": 1.5, \"do\": \"check\"}]}",
            "line 1, column 13: steps[0].at: found `1.5`, expected a time from 0ms to 86400s, such as 530ms, 5.53s or 2m",
        ),
        (
            "{\"settings\": {\"acks\": 1,\n\"min.insync.replicas\": 0}}",
            "line 2, column 1: settings.min.insync.replicas: found `0`, expected",
        ),
        (
            "{\"settings\": {\"akcs\": 1}}",
            "line 1, column 15: settings.akcs: found `akcs`, expected the name of a setting; write `acks`?",
        ),
        (
            "{\"steps\": [{\"do\": \"power-loss\", \"broker\": 1}]}",
            "line 1, column 12: steps[0]: found nothing, expected the argument keep",
        ),
        (
            "{\"start\": {\"brokers\": [{\"broker\": 1, \"hw\": 3}]}}",
            "line 1, column 38: start.brokers[0].hw: found `3`, expected an offset up to 0: no log of this script is longer",
        ),
    ] {
        let found = from_json(text).map(|s| print(&s)).unwrap_err()[0].to_string();
        assert!(found.starts_with(expected), "{text}\n{found}\n{expected}");
    }
    let deep = format!("{{\"steps\": {}", "[".repeat(500_000));
    assert!(
        from_json(&deep).unwrap_err()[0]
            .to_string()
            .contains("recursion limit exceeded")
    );
}
