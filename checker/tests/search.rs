//! Questions as the page asks them.
#![allow(clippy::unwrap_used)] // A test that fails may panic.

use highwater::share;
use highwater_checker::{Search, exports};
use highwater_core::check::{Property, observe};
use highwater_core::scenario::parse;
use highwater_core::sim::{run, verdict};

fn searched(question: &str) -> (Search, Vec<String>) {
    let mut search = Search::ask(question).unwrap();
    while !search.advance(5_000) {}
    let report = search.report().lines().map(str::to_owned).collect();
    (search, report)
}

fn has(report: &[String], line: &str) -> bool {
    report.iter().any(|one| one == line)
}

/// The reference's row R1 and R10: verdict and length.
#[test]
fn a_violation_has_the_shortest_length_and_replays_in_the_lab() {
    for (question, length) in [
        ("acks=1\nfaults=crash=1\n", 3),
        ("min.insync.replicas=1\nfaults=power=1\n", 5),
    ] {
        let (search, report) = searched(question);
        assert!(
            has(&report, "answer=violated") && has(&report, "done=1"),
            "{report:?}"
        );
        assert!(has(&report, &format!("length={length}")), "{report:?}");
        let way = search.way().unwrap();
        let (link, script) = way.split_once('\n').unwrap();
        let read = share::read(link);
        assert_eq!(read.mistakes, [], "{link}");
        let scenario = parse(script).unwrap();
        let (_, observer) = observe(&scenario);
        let violations = observer.violations();
        assert!(
            violations
                .iter()
                .any(|v| v.property == Property::AckedDurable && v.allowed)
        );
        // What the page says of it is that an acknowledged record was lost.
        let lost = verdict(&run(&scenario))
            .records
            .iter()
            .filter(|r| r.lost.is_some())
            .count();
        assert!(lost > 0, "{script}");
    }
}

#[test]
fn what_holds_says_which_bounds_were_met() {
    let (search, report) = searched("min.insync.replicas=1\nelr=off\nfaults=crash=1\nrecords=1\n");
    assert!(has(&report, "answer=holds"), "{report:?}");
    assert!(
        report
            .iter()
            .any(|line| line.starts_with("bounds=") && line.contains("records"))
    );
    assert!(search.way().is_err());
}

#[test]
fn what_cannot_be_read_is_told_with_what_was_expected() {
    for (question, told) in [
        ("acks", "acks: expected a name"),
        ("acks=7", "acks=7"),
        ("nothing=1", "nothing=1"),
        ("faults=fire=1", "fire is not known; expected crash"),
        ("faults=crash=99", "0 to 14 or unbounded"),
        ("records=0", "expected 1 to 8"),
        ("records=many", "expected a whole number"),
        ("property=Nothing", "the name of a property"),
        ("version=2.8", "kraft"),
    ] {
        let why = Search::ask(question).err().unwrap();
        assert!(why.contains(told), "{question}: {why}");
    }
}

fn said(length: u32) -> String {
    let bytes: Vec<u8> = (0..length)
        .map(|place| exports::output(place) as u8)
        .collect();
    String::from_utf8(bytes).unwrap()
}

fn ask(question: &str) -> u32 {
    question
        .bytes()
        .for_each(|byte| exports::input(byte.into()));
    exports::ask()
}

#[test]
fn the_module_is_driven_by_numbers() {
    assert_eq!(exports::advance(1), 1, "nothing is asked");
    let length = ask("acks=7");
    assert!(said(length).contains("acks=7"));
    assert_eq!(ask("acks=1\nfaults=crash=1\n"), 0);
    assert_eq!(exports::advance(1), 0);
    assert!(said(exports::report()).contains("answer=unknown"));
    while exports::advance(1_000) == 0 {}
    assert!(said(exports::report()).contains("length=3"));
    assert!(said(exports::way()).starts_with('?'));
    // The next question begins anew.
    assert_eq!(ask("faults="), 0);
    assert!(said(exports::report()).contains("states=1"));
    assert!(!said(exports::way()).starts_with('?'));
}
