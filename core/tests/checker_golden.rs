//! The checker against the golden table in ways that the conformance run does not take, and its counterexamples against the lab.
//!
//! `tests/conformance` looks at every row, and counts states that differ in the names of brokers as one where a row is large.
//! What is ignored here takes minutes: `cargo test --release -p highwater-core --test checker_golden
//! -- --ignored`.

#[allow(dead_code, reason = "other test files use the rest")]
#[path = "support/golden.rs"]
mod golden;

use golden::{Row, replayed};
use highwater_core::check::{Answer, Budget, Checker, Fault, Progress, Property, Question};
use highwater_core::kafka::cause::Rule;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::rules::Truncation;
use highwater_core::kafka::settings::Acks;
use highwater_core::scenario::value::{Action, StepOutcome};

/// Rows up to this size are searched once more in every run of the tests.
const SMALL: u64 = 35_000;

fn checker(question: Question) -> Checker {
    let mut checker = Checker::new(question).expect("a question that can be asked");
    checker.run();
    checker
}

/// The rows of the repository's file.
fn rows() -> Vec<Row> {
    let text = include_str!("../cases/checker-golden.json");
    let rows = golden::rows(text).expect("a list of rows");
    rows.into_iter()
        .map(|row| row.unwrap_or_else(|(id, why)| panic!("{id}: {why}")))
        .collect()
}

/// The row of that name.
fn named(id: &str) -> Row {
    let found = rows().into_iter().find(|row| row.id == id);
    found.unwrap_or_else(|| panic!("no row {id}"))
}

fn assert_rows(symmetry: bool, wanted: impl Fn(&Row) -> bool) {
    let mut answers = 0;
    for row in rows().into_iter().filter(wanted) {
        match row.check(symmetry, symmetry) {
            Ok(searched) => answers += searched.answers,
            Err(wrong) => panic!("{}: {}", row.id, wrong.join("; ")),
        }
    }
    assert!(answers >= 24, "only {answers} answers were compared");
}

#[test]
fn small_rows_have_the_same_lengths_with_symmetry() {
    assert_rows(true, |row| row.size <= SMALL);
}

#[test]
#[ignore = "minutes"]
fn large_rows_have_the_same_lengths_with_symmetry() {
    assert_rows(true, |row| row.size > SMALL && row.size < 1_000_000);
}

#[test]
#[ignore = "minutes, and a gigabyte"]
fn the_largest_rows_have_the_same_lengths_without_symmetry() {
    assert_rows(false, |row| row.size > 1_000_000);
}

/// The same rows when KIP-279 is done by queries instead of within fetches.
#[test]
fn small_rows_have_the_same_lengths_with_truncation_by_queries() {
    let wanted = |row: &Row| {
        row.size <= SMALL && row.question.settings.rules.truncation == Truncation::InFetch
    };
    let mut looked_at = 0;
    for mut row in rows().into_iter().filter(wanted) {
        row.question.settings.rules.truncation = Truncation::LeaderEpochAndOffset;
        let searched = row.check(false, false).map(|s| s.answers);
        assert_eq!(searched, Ok(row.expect.len()), "{}", row.id);
        looked_at += 1;
    }
    assert!(looked_at > 5, "{looked_at}");
}

#[test]
fn slices_lead_to_what_one_run_leads_to() {
    for (row, symmetry) in [("R1", false), ("R3", true), ("X12", false)] {
        let question = Question {
            symmetry,
            ..named(row).question
        };
        let whole = checker(question.clone());
        for slice in [1, 97, 5_000, u64::MAX] {
            let mut sliced = Checker::new(question.clone()).expect("a question");
            let mut last = sliced.progress();
            while !last.done {
                let next = sliced.advance(slice);
                assert!(next.done || next.expanded == last.expanded + slice);
                assert!(next.states >= last.states && next.depth >= last.depth);
                last = next;
            }
            assert_eq!(last, whole.progress(), "{row} in slices of {slice}");
            assert_eq!(sliced.found(), whole.found(), "{row} in slices of {slice}");
            assert!(last.queue == 0 && sliced.exhausted());
            // After the end, nothing more happens.
            assert_eq!(sliced.advance(slice), last);
        }
    }
}

/// A page may stop at any slice: what was found until then can be told, nothing else is claimed, and a search that was put
/// aside, or one that begins anew, comes to what it would have come to.
#[test]
fn a_search_may_be_stopped_and_taken_up_again() {
    let question = named("R1").question;
    let whole = checker(question.clone());
    let mut stopped = Checker::new(question.clone()).expect("a question");
    assert_eq!(stopped.advance(0), stopped.progress());
    assert_eq!(
        stopped.answer(Property::AckedSomewhere),
        Answer::Unknown { none_up_to: 0 }
    );
    while stopped.found().len() < 2 {
        stopped.advance(10);
    }
    assert!(!stopped.progress().done);
    for found in stopped.found() {
        assert!(whole.found().contains(found));
        replayed(&stopped, found).unwrap_or_else(|why| panic!("{}: {why}", found.property));
        let length = found.length;
        assert_eq!(stopped.answer(found.property), Answer::Violated { length });
    }
    let open = |property| matches!(stopped.answer(property), Answer::Unknown { .. });
    assert!(open(Property::ReadStable) && open(Property::AckedSomewhere));
    let mut put_aside = stopped.clone();
    drop(stopped);
    let anew = checker(question);
    put_aside.run();
    // A copy takes only the room that it needs.
    let counted = |checker: &Checker| Progress {
        bytes: 0,
        peak_bytes: 0,
        ..checker.progress()
    };
    for other in [&put_aside, &anew] {
        assert_eq!(counted(other), counted(&whole));
        assert_eq!(other.found(), whole.found());
    }
}

#[test]
fn a_search_that_was_not_ended_claims_nothing() {
    let mut question = named("R7").question;
    question.properties = [Property::AckedDurable].into_iter().collect();
    let mut stopped = Checker::new(question).expect("a question");
    let progress = stopped.advance(2_000);
    assert!(!progress.done && progress.queue > 0);
    assert!(matches!(
        stopped.answer(Property::AckedDurable),
        Answer::Unknown { none_up_to } if none_up_to == progress.depth
    ));
    // Nor does one that never asked.
    assert!(matches!(
        stopped.answer(Property::LogsAgreeBelowHw),
        Answer::Unknown { .. }
    ));
}

#[test]
fn a_question_that_cannot_be_asked_says_why() {
    let mut question = named("R1").question;
    question.bounds.records = 0;
    let refused = Checker::new(question).map(|_| ()).expect_err("refused");
    assert_eq!(refused.to_string(), "0 records; expected 1 to 8");
    // Without idempotence nothing ends it.
    let mut question = named("X12").question;
    question.faults = Budget::NONE.with_unbounded(Fault::Retry);
    let refused = Checker::new(question).map(|_| ()).expect_err("refused");
    assert!(refused.to_string().contains("enable.idempotence=true"));
}

#[test]
fn the_fewest_faults_are_found_by_asking_for_few() {
    let mut question = named("R8").question;
    question.properties = [Property::AckedDurable].into_iter().collect();
    let answer = |most_faults| {
        let mut question = question.clone();
        question.most_faults = Some(most_faults);
        checker(question).answer(Property::AckedDurable)
    };
    assert!(matches!(answer(0), Answer::Holds { .. }));
    assert!(matches!(answer(1), Answer::Holds { .. }));
    assert_eq!(answer(2), Answer::Violated { length: 8 });
}

/// Without faults nothing that matters breaks, whatever is not looked at.
#[test]
fn nothing_is_lost_without_faults() {
    let mut question = named("R1").question;
    question.faults = Budget::NONE;
    question.settings.acks = Acks::All;
    let checker = checker(question);
    assert_eq!(checker.found(), []);
    assert!(checker.exhausted() && checker.progress().states > 50);
}

/// Every event of a replay that changes anything was caused by an earlier one, a step of the scenario, or a session's end,
/// and every step is carried out; a round of fetches may be ended by the log's being cut, which is then all of the event.
#[test]
fn what_happens_in_a_replay_has_a_cause() {
    let mut looked_at = 0;
    for row in rows().into_iter().filter(|row| row.size <= SMALL) {
        let checker = checker(row.question.clone());
        for found in checker.found() {
            let (scenario, run) = replayed(&checker, found).expect("a replay");
            assert!(!run.cut_off);
            for (step, record) in scenario.steps.iter().zip(&run.steps) {
                let cut = record.outcome == StepOutcome::NeverHappened
                    && matches!(step.action, Action::Fetch { .. });
                assert!(cut || record.outcome == StepOutcome::Done, "{step:?}");
            }
            for event in run.events.iter().filter(|e| !e.idle && e.at.0 > 0) {
                let begins = match event.kind {
                    EventKind::Step { .. } => event.cause.rule == Rule::Script,
                    _ => event.cause.rule == Rule::SessionExpired,
                };
                let caused = event.cause.trigger.is_some_and(|cause| cause < event.id);
                assert!(begins || caused, "{}: {event:?}", row.id);
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 5_000, "{looked_at}");
}
