//! What each command does, and that every edit can be taken back.
#![allow(clippy::unwrap_used)]

mod beside;
mod matrix;

use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::kafka::settings::Acks;
use highwater_core::scenario::value::{Action, When};
use highwater_core::scenario::{parse, print};
use highwater_core::sim::Instant;

use super::history::Snapshot;
use super::state::{Origin, Refusal};
use super::{Command, Session, library};
use crate::picture::view::{Panel, Target};

fn set(name: &str, value: &str) -> Command {
    Command::SetSetting {
        name: name.into(),
        value: value.into(),
    }
}

fn at(ms: u64) -> Instant {
    Instant {
        at: Millis(ms),
        position: 0,
    }
}

fn open(text: &str) -> Session {
    let mut session = Session::default();
    session.apply(Command::EditText(text.into()));
    session.apply(Command::DropStep);
    assert_eq!(**session.errors(), [], "{text}");
    session
}

#[test]
fn every_scenario_of_the_library_can_be_read_and_printed_back() {
    for entry in library::entries() {
        let scenario =
            parse(entry.text).unwrap_or_else(|errors| panic!("{}: {errors:?}", entry.id));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(format!("scenarios/{}.hw", entry.id), print(&scenario)).unwrap();
            continue;
        }
        assert_eq!(
            print(&scenario),
            entry.text,
            "{} is not canonical",
            entry.id
        );
        let session = Session::new(entry.id);
        assert_eq!(*session.origin(), Origin::Library(entry.id));
        assert_eq!(**session.scenario(), scenario);
    }
}

#[test]
fn library_ids_are_unique() {
    let mut ids: Vec<&str> = library::entries().map(|entry| entry.id).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn what_an_author_wrote_several_to_a_line_stays_when_a_toggle_or_a_step_is_added() {
    let text =
        "# my incident\nset acks=all min.insync.replicas=2 # keep this\nat 0 produce # hello\n";
    let mut session = open(text);
    session.apply(Command::SetSetting {
        name: "unclean.leader.election.enable".to_owned(),
        value: "true".to_owned(),
    });
    let changed = "# my incident\nset acks=all min.insync.replicas=2 # keep this\nset unclean.leader.election.enable=true\nat 0 produce # hello\n";
    assert_eq!(**session.text(), *changed);
    session.apply(Command::SetSetting {
        name: "min.insync.replicas".to_owned(),
        value: "1".to_owned(),
    });
    assert_eq!(
        **session.text(),
        *changed.replace("replicas=2", "replicas=1")
    );
}

#[test]
fn a_toggle_writes_its_line_and_keeps_the_playhead_and_the_comments() {
    let mut session =
        open("# mine\ntitle A\nset acks=1\n# then\nat 5ms produce # m1\nat 9ms kill 1\n");
    session.apply(Command::Seek(at(6)));
    session.apply(set("acks", "0"));
    assert_eq!(session.scenario().settings.acks, Acks::None);
    assert_eq!(
        &**session.text(),
        "# mine\ntitle A\nset acks=0\n# then\nat 5ms produce # m1\nat 9ms kill 1\n"
    );
    assert_eq!(session.playhead(), at(6));
    session.apply(set("acks", "all"));
    assert_eq!(
        &**session.text(),
        "# mine\ntitle A\n# then\nat 5ms produce # m1\nat 9ms kill 1\n"
    );
    for (name, value) in [
        ("min.insync.replicas", "1"),
        ("unclean.leader.election.enable", "true"),
        ("eligible.leader.replicas", "off"),
    ] {
        session.apply(set(name, value));
        assert!(session.text().contains(&format!("set {name}={value}\n")));
        assert!(session.text().contains("# mine\n"));
    }
}

#[test]
fn a_setting_that_cannot_be_is_refused_with_its_reason_and_changes_nothing() {
    let mut session = Session::default();
    let before = session.snapshot();
    session.apply(set("retries", "many"));
    assert!(matches!(session.refusal(), Some(Refusal::Setting { name, .. }) if name == "retries"));
    assert_eq!(session.snapshot(), before);
    assert!(!session.can_undo());
    session.apply(set("no.such.setting", "1"));
    assert!(matches!(session.refusal(), Some(Refusal::Setting { .. })));
    session.apply(set("retries", "2"));
    assert_eq!(session.refusal(), None);
}

#[test]
fn wrong_text_stays_as_typed_and_the_last_good_run_goes_on() {
    let mut session = open("title A\nat 5ms produce\n");
    let good = session.scenario().clone();
    let wrong = "title A\nat 5ms prodcue\nat 9ms kill 1\n";
    session.apply(Command::EditText(wrong.into()));
    assert_eq!(&**session.text(), wrong);
    assert_eq!(session.scenario(), &good);
    let error = session.errors().first().unwrap().clone();
    assert_eq!(
        (error.line, error.column, error.instead.as_deref()),
        (2, 8, Some("produce"))
    );
    // The list is locked; nothing that was typed is overwritten.
    session.apply(Command::AddStep(Action::Kill(BrokerId(1))));
    session.apply(Command::RemoveStep(0));
    session.apply(Command::MoveStep {
        step: 0,
        at: Millis(7),
    });
    assert_eq!(session.refusal(), Some(&Refusal::TextIsWrong));
    assert_eq!(&**session.text(), wrong);
    // A toggle works all the same, in the text and in the run.
    session.apply(set("acks", "1"));
    assert_eq!(session.scenario().settings.acks, Acks::Leader);
    assert_eq!(
        &**session.text(),
        "title A\nset acks=1\nat 5ms prodcue\nat 9ms kill 1\n"
    );
    assert_eq!(session.errors().len(), 1);
    session.apply(Command::Undo);
    assert_eq!(&**session.text(), wrong);
    assert_eq!(session.errors().len(), 1);
    session.apply(Command::EditText(wrong.replace("prodcue", "produce")));
    assert_eq!(session.errors().len(), 0);
    assert_eq!(session.scenario().steps.len(), 2);
}

#[test]
fn absurd_text_is_kept_and_answered() {
    let mut session = Session::default();
    let good = session.scenario().clone();
    for text in [
        "at -1ms kill 1".to_owned(),
        "at 5ms kill 99".to_owned(),
        "\u{0}\u{fffd}".to_owned(),
        "at 99999999999999999999s kill 1".to_owned(),
        "((((".repeat(10_000),
        "at 0ms produce\n".repeat(700_000),
    ] {
        session.apply(Command::EditText(text.clone()));
        assert_eq!(&**session.text(), text.as_str());
        assert!(!session.errors().is_empty());
        assert_eq!(session.scenario(), &good);
    }
    session.apply(Command::Undo);
    assert_eq!(session.errors().len(), 0);
}

#[test]
fn a_step_is_added_at_the_playhead_moved_edited_and_removed() {
    let mut session = open("at 5ms produce\nat 90ms check\n");
    session.apply(Command::Seek(at(30)));
    session.apply(Command::AddStep(Action::Kill(BrokerId(1))));
    assert_eq!(
        &**session.text(),
        "at 5ms produce\nat 30ms kill 1\nat 90ms check\n"
    );
    assert_eq!(session.touched(), Some(1));
    session.apply(Command::MoveStep {
        step: 1,
        at: Millis(2),
    });
    assert_eq!(session.touched(), Some(0));
    assert_eq!(
        &**session.text(),
        "at 2ms kill 1\nat 5ms produce\nat 90ms check\n"
    );
    session.apply(Command::EditStep {
        step: 0,
        action: "kill 2".into(),
    });
    assert_eq!(
        &**session.text(),
        "at 2ms kill 2\nat 5ms produce\nat 90ms check\n"
    );
    session.apply(Command::EditStep {
        step: 0,
        action: "kil 2".into(),
    });
    assert!(matches!(
        session.refusal(),
        Some(Refusal::Step { step: 0, .. })
    ));
    session.apply(Command::RemoveStep(1));
    assert_eq!(&**session.text(), "at 2ms kill 2\nat 90ms check\n");
    assert_eq!(session.refusal(), None);
}

#[test]
fn a_tied_step_becomes_a_time_when_it_is_dragged() {
    let mut session = open("at 5ms produce\nafter 20ms kill 1\n");
    session.apply(Command::MoveStep {
        step: 1,
        at: Millis(40),
    });
    assert_eq!(session.scenario().steps[1].when, When::At(Millis(40)));
}

#[test]
fn a_drag_is_undone_as_one() {
    let mut session = open("at 5ms produce\n");
    let before = session.snapshot();
    for ms in [6, 7, 8] {
        session.apply(Command::MoveStep {
            step: 0,
            at: Millis(ms),
        });
    }
    session.apply(Command::DropStep);
    session.apply(Command::MoveStep {
        step: 0,
        at: Millis(50),
    });
    session.apply(Command::Undo);
    assert_eq!(&**session.text(), "at 8ms produce\n");
    session.apply(Command::Undo);
    assert_eq!(session.snapshot(), before);
}

#[test]
fn an_edit_that_cannot_be_written_is_not_done() {
    let mut session = open("at 5ms produce id=p1\nat 50ms produce retry-of=p1\n");
    let before = session.snapshot();
    session.apply(Command::RemoveStep(0));
    assert!(session.refusal().is_some());
    session.apply(Command::MoveStep {
        step: 1,
        at: Millis(1),
    });
    assert!(session.refusal().is_some());
    assert_eq!(session.snapshot(), before);
}

#[test]
fn loading_another_scenario_can_be_undone() {
    let mut session = open("title Mine\nat 5ms produce\n");
    let mine = session.snapshot();
    session.apply(Command::LoadScenario("state-e".into()));
    assert_eq!(*session.origin(), Origin::Library("state-e"));
    session.apply(Command::LoadScenario("no-such".into()));
    assert_eq!(*session.origin(), Origin::Library("state-e"));
    session.apply(Command::Undo);
    assert_eq!(session.snapshot(), mine);
    session.apply(Command::LoadTrace {
        id: "x".into(),
        file: "nonsense".into(),
    });
    assert!(matches!(session.refusal(), Some(Refusal::Recording(_))));
    assert_eq!(session.snapshot(), mine);
}

#[test]
fn looking_is_not_an_edit() {
    let mut session = Session::default();
    let before = session.snapshot();
    for command in [
        Command::OpenPanel(Panel::Acks),
        Command::Hover(Some(Target::Record(1))),
        Command::Focus(Some(Target::Record(1))),
        Command::Resize(800),
        Command::Select(None),
        Command::ToggleFold(Millis(9)),
        Command::First,
        Command::Last,
        Command::NextEvent,
        Command::PreviousEvent,
        Command::Seek(at(3)),
        Command::PlayPause,
        Command::Tick(16.0),
        Command::Tick(f64::NAN),
    ] {
        session.apply(command);
    }
    assert_eq!(session.snapshot(), before);
    assert!(!session.can_undo());
    assert_eq!((session.panel(), session.width()), (Panel::Acks, 800));
}

#[test]
fn events_are_stepped_through_in_order_and_scrubbing_back_is_exact() {
    let mut session = Session::default();
    session.apply(Command::First);
    let mut forward = Vec::new();
    for _ in 0..session.ran().moments.len() {
        session.apply(Command::NextEvent);
        forward.push((session.playhead(), session.event_id().unwrap()));
    }
    assert!(forward.len() > 10);
    assert!(forward.is_sorted());
    forward.dedup();
    assert_eq!(forward.len(), session.ran().moments.len());
    for (instant, event) in forward.iter().rev().skip(1) {
        session.apply(Command::PreviousEvent);
        assert_eq!(
            (session.playhead(), session.event_id().unwrap()),
            (*instant, *event)
        );
    }
    session.apply(Command::PreviousEvent);
    assert_eq!(session.event_id(), None);
}

#[test]
fn playing_goes_to_the_end_stops_there_and_starts_over() {
    for stepwise in [false, true] {
        let mut session = Session::default();
        session.apply(Command::First);
        session.apply(Command::StepwisePlay(stepwise));
        session.apply(Command::PlayPause);
        assert!(session.playing());
        let mut last = session.playhead();
        let mut frames = 0;
        while session.playing() {
            session.apply(Command::Tick(if stepwise { 500.0 } else { 16.0 }));
            assert!(session.playhead() >= last);
            last = session.playhead();
            frames += 1;
            assert!(frames < 10_000, "it does not end");
        }
        assert!(session.ran().moments.next(last).is_none());
        session.apply(Command::PlayPause);
        assert!(session.playing());
        assert_eq!(session.playhead(), Instant::default());
    }
}

/// Every edit, then undo, then redo: undo is its inverse, redo does it again.
#[test]
fn undo_and_redo_are_inverse() {
    let edits: &[fn(u64) -> Command] = &[
        |n| Command::AddStep(Action::Kill(BrokerId(1 + (n % 3) as u32))),
        |n| {
            Command::AddStep(Action::Produce(highwater_core::scenario::value::Produce {
                records: 1 + n % 4,
                ..Default::default()
            }))
        },
        |n| Command::MoveStep {
            step: (n % 7) as usize,
            at: Millis(n % 900),
        },
        |_| Command::DropStep,
        |n| Command::RemoveStep((n % 6) as usize),
        |n| set("acks", ["0", "1", "all"][(n % 3) as usize]),
        |n| set("min.insync.replicas", ["1", "2", "3"][(n % 3) as usize]),
        |n| set("replication.factor", ["3", "5"][(n % 2) as usize]),
        |n| Command::EditText(format!("title T{n}\n# c\nat {}ms produce\n", n % 50)),
        |n| Command::EditText(format!("title T{n}\nat {}ms prodcue\n", n % 50)),
        |n| Command::EditStep {
            step: (n % 4) as usize,
            action: "check".into(),
        },
        |n| Command::LoadScenario(library::entries().nth((n % 9) as usize).unwrap().id.into()),
        |n| Command::Seek(at(n % 700)),
    ];
    let mut seed: u64 = 42;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    for _ in 0..12 {
        let mut session = Session::default();
        let mut stack: Vec<Snapshot> = Vec::new();
        for _ in 0..25 {
            let before = session.snapshot();
            let edit = edits[(next() % edits.len() as u64) as usize];
            session.apply(edit(next()));
            // Each edit is one of its own here.
            session.apply(Command::DropStep);
            if session.snapshot() != before {
                stack.push(before);
            }
        }
        let end = session.snapshot();
        for before in stack.iter().rev() {
            session.apply(Command::Undo);
            // An edit that left everything as it was (a text typed again) may stand between.
            while session.snapshot() != *before && session.can_undo() {
                session.apply(Command::Undo);
            }
            assert_eq!(session.snapshot(), *before);
        }
        while session.can_redo() {
            session.apply(Command::Redo);
        }
        assert_eq!(session.snapshot(), end);
    }
}
