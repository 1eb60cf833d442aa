//! One protocol in lab and checker: for each rule and setting that a row of `checker-golden.json` names, switching it changes
//! what the checker finds, and what the lab does with the scenario that the checker found.

#[allow(dead_code, reason = "other test files use the rest")]
#[path = "support/golden.rs"]
mod golden;

use golden::replayed;
use highwater_core::check::{Answer, Bounds, Budget, Checker, Fault, Property, Question};
use highwater_core::kafka::rules::{LastKnownLeader, Truncation};
use highwater_core::kafka::settings::{Acks, Settings};
use highwater_core::sim::run;

/// The question of the row of that name.
fn row(id: &str) -> Question {
    let text = include_str!("../cases/checker-golden.json");
    let rows = golden::rows(text).expect("a list of rows");
    let found = rows.into_iter().flatten().find(|row| row.id == id);
    found.unwrap_or_else(|| panic!("no row {id}")).question
}

/// With `holds` the property holds in every state. With `breaks` it does not, the lab replays that to the same state after
/// every event, and does something else where the same scenario has `holds`.
fn assert_switch(
    question: Question,
    property: Property,
    breaks: fn(&mut Settings),
    holds: fn(&mut Settings),
) {
    let search = |switch: fn(&mut Settings)| {
        let mut question = question.clone();
        question.properties = [property].into_iter().collect();
        switch(&mut question.settings);
        let mut checker = Checker::new(question).expect("a question that can be asked");
        checker.run();
        checker
    };
    let with = search(holds).answer(property);
    assert!(matches!(with, Answer::Holds { .. }), "{with:?}");
    let without = search(breaks);
    let found = without.found().first().expect("a violation");
    let (scenario, _) = replayed(&without, found).unwrap_or_else(|why| panic!("{why}"));
    let mut switched = scenario.clone();
    holds(&mut switched.settings);
    assert_ne!(scenario, switched);
    let counterexample = without.counterexample(found);
    assert!(
        counterexample
            .difference(&switched, &run(&switched))
            .is_some(),
        "the lab does the same when it is switched"
    );
}

#[test]
fn acks() {
    assert_switch(
        row("R1"),
        Property::AckedDurable,
        |s| s.acks = Acks::Leader,
        |s| s.acks = Acks::All,
    );
}

#[test]
fn min_insync_replicas() {
    assert_switch(
        row("R10"),
        Property::VisibleSurvives,
        |s| s.min_insync_replicas = 1,
        |s| s.min_insync_replicas = 2,
    );
}

#[test]
fn eligible_leader_replicas() {
    assert_switch(
        row("R7"),
        Property::CandidatesComplete,
        |s| s.elr = false,
        |s| s.elr = true,
    );
}

#[test]
fn unclean_leader_election() {
    assert_switch(
        row("R12"),
        Property::AckedDurable,
        |s| s.unclean_leader_election = true,
        |s| s.unclean_leader_election = false,
    );
}

#[test]
fn idempotence() {
    assert_switch(
        row("X12"),
        Property::NoDupVisible,
        |s| s.idempotence = false,
        |s| (s.idempotence, s.retries) = (true, 1),
    );
}

#[test]
fn hw_gated_by_min_isr() {
    assert_switch(
        row("R7"),
        Property::VisibleSurvives,
        |s| s.rules.hw_gated_by_min_isr = false,
        |s| s.rules.hw_gated_by_min_isr = true,
    );
}

#[test]
fn epoch_start_rule() {
    assert_switch(
        row("R18b"),
        Property::AckedDurable,
        |s| s.rules.epoch_start_rule = false,
        |s| s.rules.epoch_start_rule = true,
    );
}

#[test]
fn broker_epoch_check() {
    assert_switch(
        row("R19"),
        Property::AckedDurable,
        |s| s.rules.broker_epoch_check = false,
        |s| s.rules.broker_epoch_check = true,
    );
}

#[test]
fn maximal_isr() {
    assert_switch(
        row("R20"),
        Property::AckedDurable,
        |s| s.rules.maximal_isr = false,
        |s| s.rules.maximal_isr = true,
    );
}

#[test]
fn epoch_recorded_at_election() {
    assert_switch(
        row("R16c"),
        Property::AckedDurable,
        |s| s.rules.epoch_recorded_at_election = false,
        |s| s.rules.epoch_recorded_at_election = true,
    );
}

/// The fallback is what loses here: without it the property holds.
#[test]
fn last_known_leader() {
    assert_switch(
        row("R8"),
        Property::AckedDurable,
        |s| s.rules.last_known_leader = LastKnownLeader::ByLeader,
        |s| s.rules.last_known_leader = LastKnownLeader::Off,
    );
}

#[test]
fn truncation_to_the_high_watermark() {
    assert_switch(
        row("R15b"),
        Property::AckedDurable,
        |s| s.rules.truncation = Truncation::HighWatermark,
        |s| s.rules.truncation = Truncation::InFetch,
    );
}

#[test]
fn truncation_by_leader_epoch_alone() {
    assert_switch(
        row("R16"),
        Property::LogsAgreeBelowHw,
        |s| s.rules.truncation = Truncation::LeaderEpoch,
        |s| s.rules.truncation = Truncation::InFetch,
    );
}

/// The row is the largest one; two moves and three epochs are enough to see what fencing does.
#[test]
fn epoch_fencing() {
    let question = Question {
        faults: Budget::NONE.with(Fault::Move, 2),
        bounds: Bounds {
            records: 2,
            epochs: 3,
        },
        ..row("R17")
    };
    assert_switch(
        question,
        Property::LogEpochsMonotone,
        |s| s.rules.epoch_fencing = false,
        |s| s.rules.epoch_fencing = true,
    );
}
