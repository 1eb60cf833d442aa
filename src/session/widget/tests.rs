//! A widget's session: its clock, its question, what the page around it wishes.

use super::*;
use crate::session::question::{Asks, NOBODY};
use crate::share::fuzz::{Harmed, Slowest};

fn open(query: &str) -> (Session, Vec<(String, String)>) {
    let (session, options) = Session::of_widget(query);
    let told = options
        .mistakes
        .into_iter()
        .map(|one| (one.part, one.found));
    (session, told.collect())
}

fn at(at: u64) -> Instant {
    Instant {
        at: Millis(at),
        position: 0,
    }
}

#[test]
fn the_clock_goes_from_start_to_end() {
    let (mut session, told) = open("?scenario=acknowledged-by-one&start=520ms&end=560ms");
    assert_eq!(told, []);
    assert_eq!(session.shown(), Some((Millis(520), Millis(560))));
    session.apply(Command::First);
    assert_eq!(session.playhead(), at(520));
    session.apply(Command::Seek(at(3)));
    assert_eq!(session.playhead(), at(520));
    session.apply(Command::Last);
    assert_eq!(session.playhead().at, Millis(560));
    session.apply(Command::NextEvent);
    assert_eq!(session.playhead().at, Millis(560));
    // The whole scrubber is this stretch.
    assert_eq!(session.scrub(Millis(520), 10_000), 0);
    assert_eq!(session.scrub(Millis(560), 10_000), 10_000);
    assert_eq!(session.unscrub(0, 10_000).at, Millis(520));
    // In a folded pause a place of the scrubber stands for many ms.
    assert!((550..=560).contains(&session.unscrub(10_000, 10_000).at.0));
}

#[test]
fn playing_stops_where_the_clock_ends() {
    for stepwise in [false, true] {
        let (mut session, _) = open("?scenario=acknowledged-by-one&start=500ms&end=540ms");
        session.apply(Command::StepwisePlay(stepwise));
        session.apply(Command::Last);
        session.apply(Command::PlayPause);
        assert_eq!(session.playhead(), at(500));
        for _ in 0..3_000 {
            session.apply(Command::Tick(100.0));
            assert!(session.playhead().at <= Millis(540));
        }
        assert!(!session.playing());
    }
}

#[test]
fn a_stretch_that_the_run_does_not_have_is_told() {
    let (session, told) = open("?scenario=state-e&start=20h&end=21h");
    assert_eq!(
        told,
        [
            ("start".to_owned(), "72000s".to_owned()),
            ("end".to_owned(), "75600s".to_owned())
        ]
    );
    assert_eq!(session.shown(), None);
    let (_, told) = open("?scenario=state-e&start=600&end=500");
    assert_eq!(told, [("end".to_owned(), "500ms".to_owned())]);
}

#[test]
fn a_panel_that_is_not_shown_is_not_the_open_one() {
    let (session, _) = open("?show=visibility");
    assert_eq!(session.panel(), Panel::Visibility);
    assert_eq!(shown_panel([true, false, true], Panel::Lag), Panel::Acks);
    assert_eq!(shown_panel([false; 3], Panel::Lag), Panel::Lag);
}

#[test]
fn a_question_hides_what_comes_after_it_until_it_is_answered() {
    let (mut session, told) = open("?scenario=acknowledged-by-one&question=lost");
    assert_eq!(told, []);
    let until = session.until().expect("a question");
    let lost = session
        .ran()
        .verdict
        .lost()
        .next()
        .expect("a loss")
        .lost
        .expect("a loss")
        .at;
    assert!(until.at < lost, "{until:?} {lost:?}");
    assert_eq!((session.selected(), session.playhead()), (None, until));
    session.apply(Command::Last);
    assert_eq!(session.playhead(), until);
    session.apply(Command::Choose(0));
    session.apply(Command::Choose(99));
    session.apply(Command::Choose(2));
    session.apply(Command::Choose(0));
    session.apply(Command::Answer);
    let question = session.question().expect("a question");
    assert!(question.answered && question.is_right());
    assert_eq!(session.until(), None);
    assert_eq!(session.selected(), Some(3));
    session.apply(Command::Last);
    assert_eq!(session.playhead(), session.ran().end());
    // Another run is another question.
    session.apply(Command::SetSetting {
        name: "acks".to_owned(),
        value: "all".to_owned(),
    });
    assert!(session.question().is_none());
}

#[test]
fn what_is_right_is_what_the_run_came_to() {
    let asked = |query: &str| open(query).0.question().cloned().expect("a question");
    let right = |query: &str| -> Vec<u64> {
        let choices = asked(query).choices.into_iter();
        choices
            .filter(|(_, right)| *right)
            .map(|(what, _)| what)
            .collect()
    };
    assert_eq!(right("?scenario=acknowledged-by-one&question=lost"), [3]);
    assert_eq!(
        right("?scenario=acknowledged-by-one&question=acknowledged"),
        [1, 2, 3, 4]
    );
    assert_eq!(
        right("?scenario=acknowledged-by-one&question=visible"),
        [1, 2, 4]
    );
    assert_eq!(right("?scenario=acknowledged-by-one&question=leader"), [2]);
    assert_eq!(right("?scenario=state-e&question=leader"), [NOBODY]);
    let mut leader = asked("?scenario=state-e&question=leader:Who?");
    assert_eq!((leader.asks, leader.words.as_str()), (Asks::Leader, "Who?"));
    assert!(!leader.is_ready());
    leader.choose(0);
    leader.choose(1);
    assert_eq!(leader.chosen, [false, true, false, false]);
    let given = asked("?scenario=acknowledged-by-one&at=12.1&question=lost");
    assert_eq!(
        given.until,
        Instant {
            at: Millis(12),
            position: 1
        }
    );
}

#[test]
fn wishes_are_commands() {
    let (mut session, _) = open("?scenario=state-e");
    for text in [
        "highwater:1?at=10",
        "highwater:1?unclean=true",
        "highwater:1?acks=7",
        "highwater:1?play=off",
    ] {
        for asked in message(text).expect("a message") {
            if let Some(command) = session.wish(asked) {
                session.apply(command);
            }
        }
    }
    assert_eq!(session.playhead(), at(10));
    assert_eq!(session.ran().verdict.acknowledged_lost().count(), 1);
}

/// `HIGHWATER_FUZZ=10000000 cargo test --release -p highwater widget::tests::fuzz -- --nocapture` sends so many.
#[test]
fn fuzzed_messages_are_obeyed_or_ignored() {
    let count = Harmed::count(20_000);
    let mut messages = Harmed::new(
        &[
            "highwater:1?theme=dark",
            "highwater:1?at=530.2&play=on",
            "highwater:1?lang=ko&at=end",
            "highwater:1?acks=all&elr=off&min.insync.replicas=2",
            "highwater:1?start=5&__proto__=1&constructor.prototype=%EB%86%92",
        ],
        b"?&=%.;:+#12e-\0",
    );
    let (session, _) = open("?scenario=state-a&start=5ms");
    let before = session.playhead();
    let (mut obeyed, mut moved, mut set, mut slowest) = (0_u64, 0_u64, 0_u64, Slowest::default());
    for _ in 0..count {
        let text = messages.text();
        let Some(asked) = slowest.of(&text, || message(&text)) else {
            continue;
        };
        obeyed += 1;
        assert!(
            text.len() <= LONGEST_MESSAGE && !asked.is_empty(),
            "{text:?}"
        );
        for asked in asked {
            let is_setting = matches!(asked, Asked::Set(..));
            // A run for each setting would be a test of the model: it has its own.
            if is_setting && set >= 2_000 {
                continue;
            }
            set += u64::from(is_setting);
            let Some(command) = session.wish(asked) else {
                continue;
            };
            let mut session = session.clone();
            session.apply(command);
            moved += u64::from(session.playhead() != before);
            let (from, to) = (Millis(5), session.ran().end().at);
            assert!((from..=to).contains(&session.playhead().at), "{text:?}");
        }
    }
    println!(
        "{count} messages, {obeyed} in order, {moved} moved the playhead, slowest {:?}: {:?}",
        slowest.took, slowest.text
    );
    slowest.check();
    assert!(obeyed > count / 50, "{obeyed} of {count}");
    assert!(moved > count / 200, "{moved} of {count}");
}
