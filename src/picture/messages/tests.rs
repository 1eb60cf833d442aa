#![allow(clippy::unwrap_used)] // A test that fails may panic.

use highwater_core::kafka::event::Loss;
use highwater_core::kafka::message::{Body, Message, Node};
use highwater_core::scenario::parse;
use highwater_core::sim::{Run, run, verdict};

use super::super::Picture;
use super::super::shape::{Bounds, px};
use super::super::tests::samples;
use super::super::view::{Mode, View};
use super::arrow::End;
use super::idle::{Reading, loss};
use super::*;

fn of(script: &str) -> (Run, Reading) {
    let run = run(&parse(script).unwrap());
    let reading = Reading::new(&run);
    (run, reading)
}

fn names() -> Names {
    Names {
        producer: "producer".to_owned(),
        consumer: "consumer".to_owned(),
        controller: "controller".to_owned(),
    }
}

/// Beside the rail of a wide page, and of a phone.
fn rooms() -> Vec<Room> {
    [(3780, 10720, 1040, 300), (1000, 3660, 540, 220)]
        .into_iter()
        .flat_map(|(left, right, top, fold)| {
            [false, true].map(|idle| Room {
                left,
                right,
                top,
                fold,
                idle,
                record: Some(1),
                ..Room::default()
            })
        })
        .collect()
}

const FIVE: &str = "set replicas=1,2,3,4,5\nset brokers=1,2,3,4,5\nat 0ms produce 3\nat 4ms produce 2\nat 9ms kill 1\nthen await-fenced 1\nafter 3ms produce\n";

/// Every sample, and one with five replicas.
fn scripts() -> Vec<(&'static str, &'static str)> {
    let five = parse(FIVE).is_ok().then_some(("five", FIVE));
    samples::ALL.iter().copied().chain(five).collect()
}

#[test]
fn the_clock_is_the_pictures_own() {
    for (name, script) in samples::ALL {
        let (run, reading) = of(script);
        let view = View {
            mode: Mode::Messages,
            ..View::wide(1072)
        };
        let text = crate::text::Text::english();
        let picture = Picture::new(&run, &verdict(&run), &text, &view);
        let room = Room {
            left: picture.panels[0].left,
            right: picture.width,
            top: picture.head,
            fold: picture.fold,
            ..Room::default()
        };
        assert!(room.right - room.left > px(600), "{name}");
        let diagram = Diagram::new(&[&run], &reading, &room, &names());
        assert_eq!(diagram.clock, picture.clock, "{name}");
        // Nothing of the timelines is left where the lanes stand.
        let lines = |s: &&Shape| matches!(s.form, super::super::shape::Form::Path { .. });
        assert_eq!(picture.shapes.iter().filter(lines).count(), 0, "{name}");
    }
}

#[test]
fn arrows_and_names_stay_inside_and_words_never_overlap() {
    for (name, script) in scripts() {
        let (run, reading) = of(script);
        for room in rooms() {
            let diagram = Diagram::new(&[&run], &reading, &room, &names());
            assert!(!diagram.arrows.is_empty(), "{name}");
            for arrow in &diagram.arrows {
                for point in [arrow.from, arrow.to] {
                    assert!(
                        room.left <= point.x && point.x <= room.right,
                        "{name} {arrow:?}"
                    );
                    assert!(room.top <= point.y && point.y <= diagram.clock.bottom() + px(3));
                }
                assert!(arrow.from.y < arrow.to.y, "{name} {arrow:?}");
            }
            let words = diagram.labels.iter().chain(&diagram.names);
            let boxes: Vec<Bounds> = words.map(|shape| shape.form.bounds()).collect();
            for (place, one) in boxes.iter().enumerate() {
                assert!(
                    one.left >= room.left - px(2) && one.right <= room.right + px(2),
                    "{name}"
                );
                for other in boxes.iter().skip(place + 1) {
                    assert!(
                        !one.overlaps(other),
                        "{name} at {}: {one:?} {other:?}",
                        room.left
                    );
                }
            }
        }
    }
}

#[test]
fn every_message_is_an_arrow_or_counted_on_a_fold() {
    for (name, script) in scripts() {
        let (run, reading) = of(script);
        for room in rooms() {
            let diagram = Diagram::new(&[&run], &reading, &room, &names());
            let drawn: usize = diagram.arrows.iter().map(|a| 1 + a.others.len()).sum();
            let folded: usize = diagram.folded.iter().map(|f| f.messages.len()).sum();
            let all = run
                .messages
                .iter()
                .filter(|m| room.idle || !reading.is_idle(m.id));
            assert_eq!(drawn + folded, all.count(), "{name}");
        }
    }
}

/// What matters of a run, as `from to what`.
fn told(run: &Run, reading: &Reading) -> Vec<String> {
    let who = |node: Node| match node {
        Node::Broker(id) => id.to_string(),
        Node::Controller => "controller".to_owned(),
        Node::Producer => "producer".to_owned(),
        Node::Consumer => "consumer".to_owned(),
    };
    let line = |message: &Message| {
        let (what, _) = says::says(&message.body);
        format!("{} {} {what}", who(message.from), who(message.to))
    };
    let messages = run.messages.iter().filter(|m| !reading.is_idle(m.id));
    messages.map(|m| line(&m.message)).collect()
}

#[test]
fn one_record_takes_two_rounds_of_fetches_and_the_rest_is_idle() {
    let (run, reading) = of(samples::ONE);
    let told = told(&run, &reading);
    for wanted in [
        "producer 1 Produce m1",
        "1 2 m1, HW 0",
        // The fetch offset is the acknowledgement; the HW of its answer was read before.
        "2 1 Fetch 1",
        "1 producer ok, offset 0",
        "1 2 HW 1",
        "1 consumer m1, HW 1",
    ] {
        assert!(
            told.iter().any(|line| line == wanted),
            "{wanted} in {told:#?}"
        );
    }
    assert!(
        reading.idle() > 4 && told.len() < 30,
        "{} {told:#?}",
        reading.idle()
    );
    let beats = |line: &&String| line.contains("BrokerHeartbeat");
    assert_eq!(told.iter().filter(beats).count(), 0);
}

#[test]
fn a_record_is_followed_from_message_to_message() {
    let (run, reading) = of(samples::ONE);
    let carried = run.messages.iter().filter(|m| reading.carries(m.id, 1));
    let kinds: Vec<bool> = carried
        .map(|m| matches!(m.message.body, Body::FetchResponse(_)))
        .collect();
    // Produced, fetched by two followers and the consumer, answered.
    assert_eq!(
        kinds.iter().filter(|fetched| **fetched).count(),
        3,
        "{kinds:?}"
    );
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    assert!(run.messages.iter().all(|m| !reading.carries(m.id, 2)));
}

#[test]
fn what_is_lost_is_seen_once_and_not_each_time_it_is_tried() {
    let (run, reading) = of("at 0ms produce\nat 20ms isolate 3\nat 9000ms heal 3\n");
    let lost: Vec<Option<Loss>> = run.messages.iter().map(|m| loss(&run, m)).collect();
    let all = lost.iter().filter(|why| why.is_some()).count();
    let kept = run
        .messages
        .iter()
        .zip(&lost)
        .filter(|(m, why)| why.is_some() && !reading.is_idle(m.id))
        .count();
    assert!(0 < kept && kept < all, "{kept} of {all}");
    let (run, reading) = of(samples::TWICE);
    let dropped = run
        .messages
        .iter()
        .find(|m| loss(&run, m) == Some(Loss::Dropped))
        .unwrap();
    assert!(!reading.is_idle(dropped.id));
    let diagram = Diagram::new(&[&run], &reading, &rooms()[0], &names());
    let arrow = diagram.arrow(dropped.id).unwrap();
    assert_eq!(arrow.end, End::Lost);
    let (markup, _) = diagram.markup(arrow.from.y, arrow.to.y, &Marks::default());
    assert!(
        markup.contains("class=\"msg answer lost") && markup.contains("g-cross"),
        "{markup}"
    );
}

/// Some 10,000 events: written stretch by stretch, whatever their number.
#[test]
fn a_long_run_is_written_by_stretches() {
    let mut script = "set retries=2\n".to_owned();
    for n in 0..700 {
        script.push_str(&format!("at {}ms produce\n", n * 4));
    }
    let (run, reading) = of(&script);
    assert!(run.events.len() >= 10_000, "{}", run.events.len());
    let room = Room {
        idle: true,
        ..rooms()[0].clone()
    };
    let diagram = Diagram::new(&[&run], &reading, &room, &names());
    assert!(diagram.arrows.len() > 3_000);
    let mut top = diagram.clock.top();
    let mut written = 0;
    while top < diagram.clock.bottom() {
        let (markup, left_out) = diagram.markup(top, top + px(1_000), &Marks::default());
        assert!(markup.len() < 260_000, "{}", markup.len());
        written += markup.matches("data-message").count() + left_out;
        top += px(1_000);
    }
    assert!(written >= diagram.arrows.len());
}
