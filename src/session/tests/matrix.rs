//! The outcome matrix: cells in slices, begun anew at each edit, and a cell is what its settings come to.

use highwater_core::kafka::settings::Acks;
use highwater_core::sim::matrix::{Toggles, Worst, judge};
use highwater_core::sim::{run, verdict};

use super::{open, set};
use crate::session::beside::{TOGGLES, toggle_values};
use crate::session::{Command, Session};

fn compute(session: &mut Session) {
    while session.matrix().is_some_and(|matrix| !matrix.finished()) {
        session.apply(Command::MatrixStep);
    }
}

#[test]
fn each_cell_is_what_a_run_under_its_settings_comes_to() {
    let mut session = Session::default();
    assert!(session.matrix().is_none());
    session.apply(Command::MatrixStep);
    session.apply(Command::ShowMatrix(true));
    assert!(session.matrix().unwrap().done.is_empty());
    compute(&mut session);
    let matrix = session.matrix().unwrap();
    assert_eq!(matrix.all.len(), 36);
    for cell in &matrix.done {
        let mut scenario = (**session.scenario()).clone();
        cell.toggles.apply(&mut scenario.settings);
        assert_eq!(*cell, judge(cell.toggles, &verdict(&run(&scenario))));
    }
    let here = Toggles::of(&session.scenario().settings);
    let here = matrix
        .done
        .iter()
        .find(|cell| cell.toggles == here)
        .unwrap();
    assert_eq!((here.worst, here.lost), (Worst::Lost, 1));
}

#[test]
fn a_toggle_keeps_the_matrix_and_an_edit_begins_it_anew() {
    let mut session = open("at 5ms produce\n");
    session.apply(Command::ShowMatrix(true));
    compute(&mut session);
    session.apply(set("acks", "0"));
    session.apply(set("unclean.leader.election.enable", "true"));
    assert!(session.matrix().unwrap().finished());
    session.apply(Command::EditText("at 5ms produce\nat 9ms kill 1\n".into()));
    assert!(session.matrix().unwrap().done.is_empty());
    session.apply(Command::MatrixStep);
    session.apply(set("retries", "3"));
    assert!(session.matrix().unwrap().done.is_empty());
    session.apply(set("kafka.version", "3.7"));
    compute(&mut session);
    assert_eq!(session.matrix().unwrap().done.len(), 18);
    session.apply(Command::ShowMatrix(false));
    assert!(session.matrix().is_none());
}

#[test]
fn a_cell_opens_as_b() {
    let mut session = Session::default();
    let toggles = Toggles {
        acks: Acks::All,
        min_insync_replicas: 3,
        unclean_leader_election: true,
        elr: false,
    };
    let values = toggle_values(toggles);
    let pairs = TOGGLES.into_iter().map(str::to_owned).zip(values);
    session.apply(Command::Compare(pairs.collect()));
    let b = session.beside().unwrap();
    assert_eq!(Toggles::of(&b.scenario.settings), toggles);
}
