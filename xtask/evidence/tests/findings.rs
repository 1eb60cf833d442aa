//! Every finding holds in its recordings and in the model's runs of them, and the facts are the same of both.
#![allow(clippy::unwrap_used)] // A test that fails may panic.

use std::path::{Path, PathBuf};

use highwater_core::kafka::ids::{BrokerId, Offset};
use highwater_core::scenario::trace::{Ack, LogEntry, Trace};
use highwater_evidence::facts::Facts;
use highwater_evidence::finding::{FINDINGS, facts, told};
use highwater_evidence::history::{Both, History};
use highwater_evidence::render;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn recordings() -> Vec<Both> {
    let recordings = render::recordings(&root()).unwrap();
    recordings.into_iter().map(Both::of).collect()
}

fn named(id: &str) -> Trace {
    let all = render::recordings(&root()).unwrap();
    all.into_iter().find(|trace| trace.id == id).unwrap()
}

#[test]
fn every_recording_tells_the_same_as_its_run() {
    let all = recordings();
    assert!(all.len() > 100);
    let (mut lost, mut cut, mut refused) = (0, 0, 0);
    for both in &all {
        assert_eq!(both.wrong, 0, "{}", both.trace.id);
        let facts = facts(both).unwrap();
        lost += usize::from(!facts.lost.is_empty());
        cut += facts.cuts.len();
        refused += facts.refused_after_append.len();
    }
    // The rules find something, and not everywhere.
    for found in [lost, cut, refused] {
        assert!(found > 5 && found < all.len(), "{lost} {cut} {refused}");
    }
}

#[test]
fn every_finding_holds_and_has_its_recordings() {
    let all = recordings();
    let told = told(&all).unwrap();
    assert_eq!(told.len(), FINDINGS.len(), "a finding has no recordings");
    for one in &told {
        println!("{}: {:?}", one.finding.name, one.slots);
        assert!(one.slots.iter().all(|(_, value)| !value.is_empty()));
    }
}

#[test]
fn a_finding_without_recordings_is_left_out() {
    let all: Vec<Both> = [named("last-replica-standing.elr")]
        .into_iter()
        .map(Both::of)
        .collect();
    let told = told(&all).unwrap();
    let names: Vec<&str> = told.iter().map(|one| one.finding.name).collect();
    assert_eq!(names, ["LastStanding"]);
}

/// A recording in which nothing is lost refutes the finding, as does a model that disagrees.
#[test]
fn what_a_recording_does_not_show_is_refused() {
    let mut kept = Both::of(named("last-replica-standing.elr"));
    for history in [&mut kept.recorded, &mut kept.model] {
        let last = history.moments.last_mut().unwrap();
        let all: Vec<LogEntry> = (1..=5)
            .map(|record| LogEntry {
                record: Some(record),
                epoch: None,
            })
            .collect();
        last.state.logs.insert(BrokerId(1), all);
    }
    let refused = told(&[kept]).err().unwrap();
    assert!(
        refused[0].starts_with("LastStanding: last-replica-standing.elr: lost {}"),
        "{refused:?}"
    );
    let mut other = Both::of(named("last-replica-standing.elr"));
    other.model.moments.last_mut().unwrap().state.logs.clear();
    let refused = told(&[other]).err().unwrap();
    assert!(refused[0].contains("the cluster showed"), "{refused:?}");
}

fn changed(id: &str, change: impl Fn(&mut History)) -> (Facts, Facts) {
    let both = Both::of(named(id));
    let mut history = both.recorded.clone();
    change(&mut history);
    let min_isr = both.trace.settings.min_insync_replicas;
    (
        Facts::of(&both.recorded, min_isr),
        Facts::of(&history, min_isr),
    )
}

#[test]
fn the_rules_look_at_what_they_name() {
    let (was, is) = changed("history-truncate-to-hw.kafka-0.10.2.2", |history| {
        // Nobody confirmed m2: nothing is lost.
        for moment in &mut history.moments {
            moment.state.acks.insert("p2".to_owned(), Ack::Pending);
        }
    });
    assert_eq!(was.lost.iter().copied().collect::<Vec<_>>(), [2]);
    assert!(is.lost.is_empty() && was.cuts == is.cuts);
    let (was, is) = changed("history-divergence.kafka-0.10.2.2", |history| {
        history.moments.last_mut().unwrap().state.isr = Some([BrokerId(2)].into_iter().collect());
    });
    let (offset, records) = was.different.unwrap();
    assert_eq!((offset, records.len()), (Offset(1), 2));
    assert_eq!(is.different, None, "only replicas in the ISR count");
}
