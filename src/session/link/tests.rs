//! A link and a session are two forms of one view; and the published links keep their meaning.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::session::Command;
use crate::session::recorded::Recorded;
use highwater_core::kafka::ids::EventId;
use highwater_core::scenario::{Step, print_step};
use std::fmt::Write as _;

fn set(name: &str, value: &str) -> Command {
    Command::SetSetting {
        name: name.into(),
        value: value.into(),
    }
}

/// What a link holds of a session.
fn view(session: &Session) -> (String, Instant, Option<u64>) {
    let playhead = session.playhead();
    (session.text().to_string(), playhead, session.selected())
}

fn comes_back(session: &Session) -> String {
    let link = session.link(None);
    let again = Session::from_link(&link);
    assert_eq!(again.opened().unwrap().mistakes, [], "{link}");
    assert_eq!(view(&again), view(session), "{link}");
    assert!(!again.can_undo());
    link
}

#[test]
fn every_scenario_of_the_library_has_a_short_link() {
    for entry in library::entries() {
        let session = Session::new(entry.id);
        assert_eq!(comes_back(&session), format!("?scenario={}&v=1", entry.id));
        assert_eq!(
            *Session::from_link(&session.link(None)).origin(),
            Origin::Library(entry.id)
        );
    }
}

#[test]
fn every_setting_of_every_scenario_comes_back_in_a_short_link() {
    for entry in library::entries() {
        for (name, value) in [
            ("acks", "0"),
            ("acks", "all"),
            ("min.insync.replicas", "3"),
            ("elr", "off"),
            ("elr", "on"),
            ("unclean.leader.election.enable", "true"),
            ("kafka.version", "0.10"),
            ("kafka.version", "3.6"),
            ("replication.factor", "5"),
            ("brokers", "1,2,3,4"),
            ("rule.hw.gated.by.min.isr", "off"),
            ("link.latency", "20ms"),
            ("consumer.reads.from", "2"),
        ] {
            let mut session = Session::new(entry.id);
            session.apply(set(name, value));
            let link = comes_back(&session);
            assert!(
                link.starts_with(&format!("?scenario={}", entry.id)),
                "{link}"
            );
            assert!(link.len() < 200, "{link}");
        }
    }
}

#[test]
fn where_the_reader_looks_comes_back() {
    let mut session = Session::default();
    let begin = session.link(None);
    session.apply(Command::Select(Some(1)));
    session.apply(Command::SeekEvent(EventId(20)));
    let link = comes_back(&session);
    assert!(link.contains("record=1") && link.contains("at="), "{link}");
    session.apply(Command::Select(None));
    session.apply(Command::Last);
    let link = comes_back(&session);
    assert!(link.contains("&at=end&record=none"), "{link}");
    session.apply(Command::First);
    assert!(comes_back(&session).contains("&at=0&"));
    session.apply(Command::OpenLink(begin.clone()));
    assert_eq!(session.link(None), begin);
    assert!(!session.can_undo(), "looking elsewhere is no edit");
    assert_eq!(
        session.link(Some("ko")),
        begin.replace("v=1", "lang=ko&v=1")
    );
}

#[test]
fn open_pauses_come_back_and_a_place_without_one_is_told() {
    let mut session = Session::new("state-e");
    let pauses: Vec<Millis> = session.clock().folds().map(|s| s.from).collect();
    assert!(pauses.len() > 3);
    session.apply(Command::ToggleFold(pauses[1]));
    session.apply(Command::ToggleFold(pauses[3]));
    let link = comes_back(&session);
    let open = format!("&open={},{}&", pauses[1].0, pauses[3].0);
    assert!(link.contains(&open), "{link}");
    let again = Session::from_link(&link);
    assert_eq!(again.unfolded(), session.unfolded());
    assert_eq!(again.clock().bottom(), session.clock().bottom());
    // An instant in a pause stands for it.
    let near = link.replace(&open, &format!("&open={}ms&", pauses[1].0 + 3));
    let near = Session::from_link(&near);
    assert_eq!(near.opened().unwrap().mistakes, []);
    assert_eq!(
        near.unfolded().iter().copied().collect::<Vec<_>>(),
        [pauses[1]]
    );
    // Back in the history they are closed again.
    session.apply(Command::OpenLink("?scenario=state-e&v=1".into()));
    assert!(session.unfolded().is_empty());
    for (value, found) in [("0", "0"), ("soon", "soon"), ("9999999", "9999999")] {
        let link = format!("?scenario=state-e&open={value}&v=1");
        let mistakes = Session::from_link(&link).opened().unwrap().mistakes.clone();
        assert_eq!(mistakes.len(), 1, "{link}");
        assert_eq!(
            (mistakes[0].part.as_str(), mistakes[0].found.as_str()),
            ("open", found)
        );
        assert_eq!(mistakes[0].place, 19);
    }
    // A pause that an edit has taken away is in no link.
    session.apply(Command::ToggleFold(pauses[1]));
    session.apply(Command::EditText("at 0ms produce\n".into()));
    assert!(!session.link(None).contains("open="));
}

#[test]
fn the_messages_view_is_part_of_a_link_and_left_out_where_the_timelines_stand() {
    let mut session = Session::default();
    let timelines = session.link(None);
    session.messages = true;
    let link = comes_back(&session);
    assert_eq!(link, timelines.replace("v=1", "view=messages&v=1"));
    assert!(Session::from_link(&link).messages);
    // Back to a link of the timelines.
    session.apply(Command::OpenLink(timelines));
    assert!(!session.messages);
    let wrong = Session::from_link("?view=mesages&v=1");
    let told = &wrong.opened().unwrap().mistakes;
    assert_eq!((told.len(), told[0].part.as_str()), (1, "view"));
}

#[test]
fn a_script_comes_back_with_its_comments_and_its_mistakes() {
    for text in [
        "title 내 것 & yours_100%\nset acks=1\nset retries=3\nat 0ms produce\nat 530ms kill 1\n",
        "# first\nset acks=1 retries=2 # two\n\n  at 5.53s   kill 1   # tabs\tand spaces \nthen check",
        "at 0ms produce\nat 5ms kil 1\nat 7ms kill 2\n",
        "set acks=7\nat 0ms produce\n",
        "set acks=1\nset acks=0\n",
        "",
    ] {
        let mut session = Session::new("state-a");
        session.apply(Command::EditText(text.into()));
        let link = session.link(None);
        let again = Session::from_link(&link);
        assert_eq!(&**again.text(), text, "{link}");
        assert_eq!(again.errors(), session.errors());
        assert_eq!(again.opened().unwrap().mistakes, []);
    }
}

#[test]
fn settings_of_a_script_stand_in_the_link_by_their_names() {
    let mut session = Session::default();
    let text = "title T\nset acks=1\nset min.insync.replicas=1\nat 0ms produce\n";
    session.apply(Command::EditText(text.into()));
    let link = comes_back(&session);
    assert!(
        link.starts_with("?script=title_T~0_produce&acks=1&min.insync.replicas=1"),
        "{link}"
    );
    let other = Session::from_link(&link.replace("acks=1", "acks=all"));
    assert_eq!(&**other.text(), text.replace("acks=1", "acks=all"));
}

#[test]
fn what_can_be_run_of_a_wrong_script_is_run() {
    let link = "?script=title_T~0_produce~5_kil_1~600_kill_1&v=1";
    let session = Session::from_link(link);
    assert_eq!(session.errors().len(), 1);
    assert_eq!(session.errors()[0].line, 3);
    let steps: Vec<String> = session.scenario().steps.iter().map(print_step).collect();
    assert_eq!(steps, ["at 0ms produce", "at 600ms kill 1"]);
    assert_eq!(session.scenario().title, "T");
    assert_eq!(session.ran().verdict.records.len(), 1);
}

#[test]
fn what_does_not_fit_is_said_with_its_place_and_the_nearest_good_thing() {
    let link =
        "?scenario=state-f&acks=2&min.insync.replicas=0&consumer.reads.from=9&at=99h&record=99&v=1";
    let session = Session::from_link(link);
    let opened = session.opened().unwrap();
    assert_eq!(opened.original, link);
    let said: Vec<(&str, usize, &str)> = opened
        .mistakes
        .iter()
        .map(|m| (&*m.part, m.place, &*m.found))
        .collect();
    assert_eq!(
        said,
        [
            ("at", 70, "99h"),
            ("scenario", 2, "state-f"),
            ("acks", 19, "2"),
            ("min.insync.replicas", 26, "0"),
            ("consumer.reads.from", 48, "9"),
            ("record", 77, "99"),
        ]
    );
    assert_eq!(opened.mistakes[1].instead.as_deref(), Some("state-a"));
    assert_eq!(
        opened.mistakes[3].expected,
        Expected::Number {
            min: 1,
            max: names::INT_MAX
        }
    );
    // What could be read is there: nothing here, so it is the first scenario, untouched.
    assert_eq!(view(&session), view(&Session::default()));

    let late = Session::from_link("?scenario=state-a&acks=0&at=20m&v=1");
    let mistake = &late.opened().unwrap().mistakes[0];
    assert_eq!((&*mistake.part, mistake.place), ("at", 26));
    assert_eq!(
        mistake.expected,
        Expected::Time {
            min: Millis(0),
            max: late.ran().end().at
        }
    );
    assert!(late.text().contains("set acks=0"));
}

#[test]
fn a_link_to_a_recording_waits_for_its_file() {
    let file = "highwater recording 1\nkafka 4.4.0\n";
    let mut session = Session::from_link("?recording=some.elr&at=end&record=77&v=1");
    assert_eq!(session.wanted_recording(), Some("some.elr"));
    let before = view(&session);
    let load = |id: &str| Command::LoadTrace {
        id: id.into(),
        file: file.into(),
    };
    session.apply(load("some.elr"));
    assert_eq!(
        view(&session),
        before,
        "a file that cannot be read changes nothing"
    );
    let _ = Recorded::read("some.elr", file).unwrap_err();
}

#[test]
fn a_link_sets_what_it_says_beside_a_recording() {
    let file = "highwater recording 1\nkafka 4.4.0\nrecorded 2\nscript\ntitle A\nat 1ms produce\nobserved\n";
    let mut session = Session::from_link("?recording=some.elr&acks=1&min.insync.replicas=many&v=1");
    session.apply(Command::LoadTrace {
        id: "some.elr".into(),
        file: file.into(),
    });
    assert!(
        session.text().contains("set acks=1\n"),
        "{}",
        session.text()
    );
    assert!(session.recording().is_none());
    let opened = session
        .opened()
        .expect("the link is kept until it was seen");
    let parts: Vec<&str> = opened.mistakes.iter().map(|m| m.part.as_str()).collect();
    assert_eq!(parts, ["min.insync.replicas"]);
}

#[test]
fn back_is_an_edit_that_can_be_undone() {
    let mut session = Session::new("state-e");
    let before = session.link(None);
    session.apply(set("unclean", "true"));
    let after = session.link(None);
    assert_ne!(before, after);
    session.apply(Command::OpenLink(before.clone()));
    assert_eq!(session.link(None), before);
    session.apply(Command::OpenLink(after.clone()));
    assert_eq!(session.link(None), after);
    session.apply(Command::Undo);
    assert_eq!(session.link(None), before);
}

/// The published links and what they stand for. It only grows: an entry is never changed. A correction of a rule that
/// changes a verdict is written into `changes.txt` and the entry gets the new facts with it.
const CORPUS: &str = include_str!("../../share/corpus.txt");

/// What a link stands for: settings that are not the usual ones, start, steps, playhead, selection, and the facts.
fn facts(link: &str) -> String {
    let session = Session::from_link(link);
    let mut out = String::new();
    let scenario = session.scenario();
    let of_version = Settings::default().with_version(scenario.settings.version);
    for setting in names::ALL {
        let value = setting.get(&scenario.settings);
        let usual = match frozen::DEFAULTS
            .iter()
            .find(|(name, _)| *name == setting.name)
        {
            Some((_, usual)) => (*usual).to_owned(),
            None if setting.name == "brokers" => {
                names::get(&scenario.settings, "replicas").unwrap()
            }
            None if setting.name == "replication.factor" => continue,
            None => setting.get(&of_version),
        };
        if value != usual {
            writeln!(out, "  {}={value}", setting.name).unwrap();
        }
    }
    let bare = Scenario {
        settings: Settings::default(),
        steps: Vec::new(),
        ..Scenario::clone(scenario)
    };
    print(&bare)
        .lines()
        .for_each(|line| writeln!(out, "  {line}").unwrap());
    let step = |step: &Step| writeln!(out, "  {}", print_step(step)).unwrap();
    scenario.steps.iter().for_each(step);
    // Where the answer is may move by an event; what the link says may not.
    let said = share::read(link).view;
    if said.playhead.is_some() {
        let playhead = session.playhead();
        writeln!(out, "  = playhead {}.{}", playhead.at.0, playhead.position).unwrap();
    }
    if said.record.is_some() {
        writeln!(out, "  = selected {:?}", session.selected()).unwrap();
    }
    for record in &session.ran().verdict.records {
        write!(out, "  = m{}", record.record).unwrap();
        for (is_so, word) in [
            (!record.appended.is_empty(), "appended"),
            (record.acknowledged.is_some(), "acknowledged"),
            (record.refused.is_some(), "refused"),
            (record.committed.is_some(), "committed"),
            (record.visible.is_some(), "visible"),
            (record.lost.is_some(), "lost"),
            (record.duplicated, "duplicated"),
            (record.unknown, "unknown"),
        ] {
            if is_so {
                write!(out, " {word}").unwrap();
            }
        }
        out.push('\n');
    }
    for mistake in &session.opened().unwrap().mistakes {
        writeln!(
            out,
            "  ! {} at {}: {}",
            mistake.part, mistake.place, mistake.found
        )
        .unwrap();
    }
    out
}

#[test]
fn published_links_stand_for_what_they_stood_for() {
    let mut entries: Vec<(&str, String)> = Vec::new();
    for line in CORPUS
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        match (line.strip_prefix("  "), entries.last_mut()) {
            (Some(_), Some((_, facts))) => writeln!(facts, "{line}").unwrap(),
            _ => entries.push((line, String::new())),
        }
    }
    assert!(
        entries.len() >= 25,
        "the corpus never shrinks: {}",
        entries.len()
    );
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut file: String = CORPUS
        .lines()
        .take_while(|line| line.starts_with('#'))
        .map(|l| format!("{l}\n"))
        .collect();
    for (link, expected) in &entries {
        // Only what has no facts yet gets them: what was published is not rewritten.
        let now = facts(link);
        let kept = if expected.is_empty() && update {
            &now
        } else {
            expected
        };
        write!(file, "\n{link}\n{kept}").unwrap();
        if !update {
            assert_eq!(now, **expected, "{link}");
        }
    }
    if update {
        std::fs::write("src/share/corpus.txt", file).unwrap();
    }
}
