//! Comparing two runs, on small scripts.

use super::compare::{Comparison, Kind, Subject, compare, pairs};
use super::tests::run;
use super::verdict;
use crate::kafka::ids::Millis;
use crate::scenario::{names, parse};

/// The script under `base` settings, and under the same with `changed`.
fn under(script: &str, changed: &[(&str, &str)]) -> Comparison {
    let a = parse(script).expect("a good script");
    let mut b = a.clone();
    for (name, value) in changed {
        names::set(&mut b.settings, name, value).expect("a good setting");
    }
    let (run_a, run_b) = (run(&a), run(&b));
    compare((&run_a, &verdict(&run_a)), (&run_b, &verdict(&run_b)))
}

const LEADER_DIES: &str = "set acks=all
at 0 produce
at 10 produce
at 512 pause-fetch 2
at 512 pause-fetch 3
at 520 produce
at 530 kill 1
at 20s resume-fetch 2
at 20s resume-fetch 3
at 21s produce
";

#[test]
fn the_first_difference_is_an_outcome_and_not_a_later_ok() {
    let comparison = under(LEADER_DIES, &[("acks", "1")]);
    let first = comparison.first().expect("they differ");
    assert!(
        first.at() >= Millis(520),
        "m1 and m2 are merely answered earlier: {first:?}"
    );
    let timing = comparison
        .differences
        .iter()
        .filter(|d| matches!(d.kind, Kind::Timing(late) if late < 0))
        .count();
    assert!(timing >= 2, "m1 and m2 are answered earlier under acks=1");
    let answer = comparison
        .differences
        .iter()
        .find(|d| d.kind == Kind::Outcome && matches!(d.subject, Subject::Answer { .. }));
    assert!(answer.is_some_and(|d| d.a.is_some() && d.b.is_some()));
    assert!(
        comparison
            .differences
            .iter()
            .any(|d| d.subject == Subject::Lost(3) && d.a.is_none())
    );
}

#[test]
fn a_delay_that_shifts_everything_is_timing_only() {
    let script = "at 0 produce\nat 100 produce\nat 200 produce\n";
    let comparison = under(script, &[("link.latency", "5ms")]);
    assert_eq!(comparison.first(), None, "{:?}", comparison.first());
    let late = |d: &super::compare::Difference| matches!(d.kind, Kind::Timing(late) if late > 0);
    assert!(comparison.differences.len() >= 9 && comparison.differences.iter().all(late));
}

#[test]
fn nothing_differs_under_the_same_settings() {
    let comparison = under(LEADER_DIES, &[]);
    assert_eq!(comparison.differences, []);
    let run = run(&parse(LEADER_DIES).expect("good"));
    let pairs = pairs(&run, &run);
    assert!(pairs.iter().all(|(a, b)| a == b) && pairs.len() > 20);
}

#[test]
fn one_election_more_does_not_shift_what_follows() {
    let script = "set min.insync.replicas=1\nat 0 produce\nat 100 stop 3\nat 5s stop 2\nat 10s produce\nat 20s start 2\nat 30s produce\n";
    let comparison = under(script, &[("min.insync.replicas", "2")]);
    assert!(
        comparison
            .differences
            .iter()
            .all(|d| d.subject != Subject::Isr || d.kind != Kind::Outcome)
    );
    assert!(
        comparison
            .first()
            .is_some_and(|d| matches!(d.subject, Subject::Elr | Subject::Answer { .. }))
    );
}

#[test]
fn the_recorded_pair_parts_where_elr_makes_the_difference() {
    let read = |name: &str| {
        let path = format!(
            "{}/cases/cluster-traces/{name}.json",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).expect("a recording");
        crate::scenario::trace::read(&text)
            .expect("a good recording")
            .scenario()
    };
    let (a, b) = (
        run(&read("last-replica-standing-clean.noelr")),
        run(&read("last-replica-standing-clean.elr")),
    );
    let comparison = compare((&a, &verdict(&a)), (&b, &verdict(&b)));
    let lost_only_in_a = comparison
        .differences
        .iter()
        .any(|d| matches!(d.subject, Subject::Lost(_)) && d.b.is_none());
    assert!(lost_only_in_a, "ELR off loses what ELR on keeps");
    assert!(comparison.first().is_some());
}
