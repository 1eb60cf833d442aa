//! A and B: what makes a B, what it follows, and that all of it can be taken back.

use highwater_core::kafka::settings::Acks;
use highwater_core::sim::compare::{Kind, Subject};

use super::{at, open, set};
use crate::session::beside::TOGGLES;
use crate::session::state::Refusal;
use crate::session::{Command, Session};

fn with(name: &str, value: &str) -> Command {
    Command::Compare(vec![(name.into(), value.into())])
}

fn acks_of_b(session: &Session) -> Acks {
    session.beside().unwrap().scenario.settings.acks
}

#[test]
fn one_value_makes_a_b_and_the_first_difference_is_an_outcome() {
    let mut session = Session::default();
    session.apply(with("acks", "all"));
    let beside = session.beside().unwrap().clone();
    assert_eq!(beside.scenario.steps, session.scenario().steps);
    assert_eq!(
        beside.changed(&session.scenario().settings),
        [("acks", "1".to_owned(), "all".to_owned())]
    );
    // m1 and m2 are answered ok in both, later in B: that is no difference in outcome.
    let first = beside.comparison.first().unwrap();
    assert!(matches!(first.subject, Subject::Answer { send, .. } if send.0 == 2));
    let timings = beside.comparison.differences.iter();
    assert!(timings.filter(|d| d.kind != Kind::Outcome).count() >= 2);
    session.apply(Command::FirstDifference);
    assert_eq!(session.playhead().at, first.at());
    let mut seen = vec![session.playhead()];
    for _ in 0..40 {
        session.apply(Command::NextDifference);
        seen.push(session.playhead());
    }
    assert!(seen.iter().collect::<std::collections::BTreeSet<_>>().len() >= 2);
    assert!(
        seen.iter().skip(1).any(|place| *place == seen[0]),
        "after the last comes the first"
    );
}

#[test]
fn b_keeps_its_toggles_and_follows_a_in_everything_else() {
    let mut session = Session::default();
    session.apply(with("acks", "all"));
    session.apply(set("acks", "0"));
    session.apply(set("retries", "4"));
    session.apply(set("min.insync.replicas", "1"));
    let b = &session.beside().unwrap().scenario.settings;
    assert_eq!(
        (b.acks, b.retries, b.min_insync_replicas),
        (Acks::All, 4, 2)
    );
    session.apply(Command::EditText("at 5ms produce\n".into()));
    assert_eq!(session.beside().unwrap().scenario.steps.len(), 1);
    assert_eq!(acks_of_b(&session), Acks::All);
    // Another scenario has no B; taking it back brings B back.
    session.apply(Command::LoadScenario("state-e".into()));
    assert!(session.beside().is_none());
    session.apply(Command::Undo);
    assert_eq!(acks_of_b(&session), Acks::All);
}

#[test]
fn copying_swapping_and_closing_can_be_undone_and_done_again() {
    let mut session = open("# mine\ntitle A\nset acks=1\nat 5ms produce\n");
    session.apply(with("acks", "0"));
    let first = session.snapshot();
    session.apply(Command::Swap);
    assert_eq!(session.scenario().settings.acks, Acks::None);
    assert_eq!(acks_of_b(&session), Acks::Leader);
    assert_eq!(
        &**session.text(),
        "# mine\ntitle A\nset acks=0\nat 5ms produce\n"
    );
    session.apply(Command::CopyToB);
    assert_eq!(acks_of_b(&session), Acks::None);
    assert!(session.beside().unwrap().comparison.differences.is_empty());
    session.apply(with("acks", "all"));
    session.apply(Command::CopyToA);
    assert_eq!(session.scenario().settings.acks, Acks::All);
    session.apply(Command::CloseB);
    assert!(session.beside().is_none());
    let last = session.snapshot();
    for _ in 0..5 {
        session.apply(Command::Undo);
    }
    assert_eq!(session.snapshot(), first);
    session.apply(Command::Undo);
    assert!(session.beside().is_none());
    for _ in 0..6 {
        session.apply(Command::Redo);
    }
    assert_eq!(session.snapshot(), last);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut session = Session::default();
    session.apply(with("acks", "7"));
    assert!(matches!(session.refusal(), Some(Refusal::Setting { name, .. }) if name == "acks"));
    assert!(session.beside().is_none() && !session.can_undo());
    for command in [
        Command::Swap,
        Command::CopyToA,
        Command::CloseB,
        Command::NextDifference,
    ] {
        session.apply(command);
    }
    assert!(session.beside().is_none() && !session.can_undo());
    session.apply(with("acks", "all"));
    session.apply(Command::EditText("at 5ms prodcue\n".into()));
    session.apply(Command::Swap);
    assert_eq!(session.refusal(), Some(&Refusal::TextIsWrong));
    assert_eq!(&**session.text(), "at 5ms prodcue\n");
}

#[test]
fn a_cell_sets_all_four_and_the_playhead_reaches_the_end_of_the_longer_run() {
    let mut session = Session::default();
    let values = ["all", "3", "true", "off"];
    let cell = TOGGLES.into_iter().zip(values);
    let cell = cell.map(|(name, value)| (name.to_owned(), value.to_owned()));
    session.apply(Command::Compare(cell.collect()));
    let b = session.beside().unwrap();
    let own: Vec<&str> = b.own.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(own, values);
    let longer = session.ran().run.end.max(b.ran.run.end);
    session.apply(Command::Last);
    assert_eq!(session.playhead().at, longer);
    session.apply(Command::First);
    for _ in 0..500 {
        session.apply(Command::NextEvent);
    }
    assert_eq!(session.playhead().at, longer);
    session.apply(Command::Seek(at(1)));
    session.apply(Command::CloseB);
    assert_eq!(session.playhead().at.0, 1);
}

#[test]
fn a_link_carries_b_and_says_which_of_its_settings_cannot_be() {
    let mut session = Session::default();
    session.apply(with("acks", "all"));
    let link = session.link(None);
    assert!(link.contains("b.acks=all"), "{link}");
    let opened = Session::from_link(&link);
    assert_eq!(opened.beside().unwrap().own, session.beside().unwrap().own);
    assert!(!opened.can_undo());
    session.apply(Command::CopyToB);
    let opened = Session::from_link(&session.link(None));
    assert!(opened.beside().unwrap().comparison.differences.is_empty());
    session.apply(Command::CloseB);
    assert!(Session::from_link(&session.link(None)).beside().is_none());
    let wrong = Session::from_link("v=1&b.acks=7&b.retries=3");
    let mistakes = &wrong.opened().unwrap().mistakes;
    assert_eq!(
        mistakes.iter().map(|m| m.part.as_str()).collect::<Vec<_>>(),
        ["b.acks"]
    );
    assert_eq!(wrong.beside().unwrap().scenario.settings.retries, 3);
}
