#![allow(clippy::unwrap_used)] // A test that fails may panic.

use super::html::escape;
use super::*;

const LOST: &str = "title <b>&\nset acks=1\nat 0ms produce 2\nat 500ms pause-fetch 2\nat 500ms pause-fetch 3\n\
    at 520ms produce\nafter 8ms kill 1\nthen await-fenced 1\nafter 500ms start 1\n";

fn ask(view: &str, at: u64) -> String {
    let asked = format!("at={at}\nposition={}\ncopy=Copy", u32::MAX);
    Desk::default().answer(view, LOST, &asked).unwrap()
}

#[test]
fn an_operator_sees_lines_files_and_metrics() {
    let markup = ask("operator", 120_000);
    assert!(
        markup.contains("\tLeader: 2\tReplicas: 1,2,3\t"),
        "{markup}"
    );
    assert!(
        markup.contains("<h3 translate=\"no\">broker 1: orders-0/leader-epoch-checkpoint</h3>")
    );
    assert!(markup.contains("elr=[], lastKnownElr=[]"), "{markup}");
    let mut arrow = String::new();
    escape(&mut arrow, "Value: 0 -> 1");
    assert!(markup.contains(&arrow));
    assert_eq!(
        markup.matches("data-copy").count(),
        markup.matches("<pre").count()
    );
}

#[test]
fn everything_is_inspected_at_the_instant() {
    let early = ask("inspect", 522);
    assert!(
        early.contains("<th scope=\"row\">0–1</th><td>m1–m2, partitionLeaderEpoch 0</td>"),
        "{early}"
    );
    assert!(early.contains("broker 1: Replica (remote)"));
    assert!(
        early.contains("producer → broker 1: ProduceRequest"),
        "{early}"
    );
    let late = ask("inspect", 11_500);
    assert!(late.contains("broker 2: Replica (remote)"), "{late}");
    assert!(late.contains("<td>0 0, 1 2</td>"), "{late}");
    for field in [
        "fetchOffset",
        "highWatermark",
        "currentLeaderEpoch",
        "lastFetchedEpoch",
    ] {
        assert!(late.contains(field), "{field}");
    }
}

#[test]
fn every_message_of_a_run_has_fields() {
    let run = run(&parse(LOST).unwrap());
    let mut kinds = std::collections::BTreeSet::new();
    for message in &run.messages {
        let body = &message.message.body;
        let listed = fields::fields(body);
        let bare = fields::name(body) == "disconnected";
        assert_eq!(listed.is_empty(), bare, "{body:?}");
        let mut names: Vec<&str> = listed.iter().map(|field| field.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{body:?}");
        kinds.insert(fields::name(body));
    }
    assert!(kinds.len() >= 11, "{kinds:?}");
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let mut desk = Desk::default();
    assert_eq!(desk.answer("nothing", LOST, ""), Err("nothing".to_owned()));
    let said = desk.answer("operator", "at 5ms kil 1\n", "");
    assert!(said.is_err_and(|said| said.contains("kil")));
    assert_eq!(desk.speak("de", String::new()), Err("de".to_owned()));
    assert!(desk.speak("ko", "<!DOCTYPE html>".to_owned()).is_err());
}
