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

/// A question about the messages, on a wide page.
fn about(rest: &str) -> String {
    format!("frame=3780 10720 1040 300\nwindow=0 900000\nat=0\n{rest}")
}

#[test]
fn every_message_is_told_field_by_field_in_every_language() {
    let mut desk = Desk::default();
    let run = run(&parse(LOST).unwrap());
    let mut lengths = Vec::new();
    for text in crate::text::every_language() {
        desk.text = text;
        let mut said = String::new();
        for message in &run.messages {
            let asked = about(&format!("message={}", message.id.0));
            let markup = desk.answer("messages.detail", LOST, &asked).unwrap();
            let listed = fields::fields(&message.message.body);
            assert_eq!(markup.matches("<dt").count(), listed.len(), "{markup}");
            // No slot stays open, no meaning stays out.
            assert!(
                !markup.contains("{n}") && !markup.contains("<span></span>"),
                "{markup}"
            );
            said.push_str(&markup);
        }
        lengths.push(said);
    }
    assert!(lengths[0].contains("From a follower it is also the acknowledgement"));
    assert!(lengths[1].contains("팔로워에게는 ack이기도 하다"));
    assert!(lengths[2].contains("对 follower 而言它也是确认"));
}

#[test]
fn keys_lead_through_every_arrow_and_back() {
    let mut desk = Desk::default();
    let mut walk = |step: &str, message: Option<&str>| {
        let message = message.unwrap_or("");
        let asked = about(&format!("step={step}\nmessage={message}"));
        let found = desk.answer("messages.walk", LOST, &asked).unwrap();
        found.split(' ').next().unwrap_or("").to_owned()
    };
    let mut here = walk("first", None);
    let mut way = vec![here.clone()];
    loop {
        let next = walk("next", Some(&here));
        if next.is_empty() {
            break;
        }
        assert!(!way.contains(&next), "{next} in {way:?}");
        way.push(next.clone());
        here = next;
    }
    assert!(way.len() > 20, "{way:?}");
    assert_eq!(walk("last", None), *way.last().unwrap());
    for before in way.iter().rev().skip(1) {
        here = walk("previous", Some(&here));
        assert_eq!(here, *before);
    }
    assert_eq!(walk("previous", Some(&here)), "");
    let request = way.first().unwrap();
    let answer = walk("pair", Some(request));
    assert_eq!(walk("pair", Some(&answer)), *request);
    assert_eq!(walk("next", Some("999999")), "");
}

#[test]
fn the_list_has_every_message_on_its_pages() {
    let mut desk = Desk::default();
    let run = run(&parse(LOST).unwrap());
    let reading = Reading::new(&run);
    let wanted = run
        .messages
        .iter()
        .filter(|m| !reading.is_idle(m.id))
        .count();
    let mut seen = std::collections::BTreeSet::new();
    for page in 0..20 {
        let markup = desk
            .answer("messages.list", LOST, &about(&format!("page={page}")))
            .unwrap();
        for part in markup.split("data-message=\"").skip(1) {
            seen.insert(part.split('"').next().unwrap().to_owned());
        }
        if !markup.contains(&format!("data-page=\"{}\"", page + 1)) {
            break;
        }
    }
    assert_eq!(seen.len(), wanted);
    let markup = desk.answer("messages.list", LOST, &about("")).unwrap();
    assert!(markup.contains("ProduceRequest (Produce m1"), "{markup}");
}

#[test]
fn a_follower_that_may_not_join_is_told_why() {
    let mut desk = Desk::default();
    let at = |at: u64| format!("at={at}\nposition={}", u32::MAX);
    let late =
        "at 0ms produce\nat 500ms pause-fetch 2\nat 520ms produce\nat 60000ms resume-fetch 2\n";
    let out = desk.answer("inspect", late, &at(50_000)).unwrap();
    assert!(
        out.contains("eligible, but it has not caught up: it is at 1, HW at 2"),
        "{out}"
    );
    assert!(out.contains("eligible, and in the ISR"));
    let dead = "at 0ms produce\nat 20ms kill 3\n";
    let out = desk.answer("inspect", dead, &at(30_000)).unwrap();
    assert!(
        out.contains("not eligible: the controller has fenced it"),
        "{out}"
    );
    desk.text = crate::text::every_language().swap_remove(1);
    let out = desk.answer("inspect", dead, &at(30_000)).unwrap();
    assert!(out.contains("자격 없음: 컨트롤러가 fence했다"), "{out}");
}

#[test]
fn a_piece_is_copied_as_a_whole() {
    let mut desk = Desk::default();
    let at = format!("at=120000\nposition={}", u32::MAX);
    let piece = desk
        .answer("operator.piece", LOST, &format!("{at}\npage=0"))
        .unwrap();
    assert!(piece.contains("Topic: orders\tTopicId: "), "{piece}");
    assert!(!piece.contains("&quot;") && !piece.contains('…'));
    assert_eq!(
        desk.answer("operator.piece", LOST, &format!("{at}\npage=999"))
            .unwrap(),
        ""
    );
}
