//! What is drawn where: the marks that must not be missed.

use highwater_core::kafka::ids::Millis;
use highwater_core::sim::Instant;

use super::super::class::Look;
use super::super::overlay;
use super::super::shape::{Form, Glyph, Shape};
use super::super::view::{Mode, Panel, Target, View};
use super::super::{Picture, file, svg, table};
use super::{boxes, draw, samples, views};
use crate::text::Text;

fn of(picture: &Picture, look: Look) -> Vec<&Shape> {
    picture
        .shapes
        .iter()
        .filter(|s| s.class.look == look)
        .collect()
}

fn says(picture: &Picture, words: &str) -> bool {
    let mut all = boxes(&picture.shapes);
    all.extend(boxes(&picture.names));
    all.iter().any(|(_, said)| said.trim() == words)
}

#[test]
fn a_lost_record_ends_in_one_cross_where_its_promise_ends() {
    for view in views() {
        let (_, picture) = draw(samples::LOST, &view);
        let crosses = of(&picture, Look::Lost);
        assert_eq!(crosses.len(), 1, "at {}", view.width);
        let Form::Glyph { middle, radius, .. } = crosses[0].form else {
            panic!("a cross is a glyph");
        };
        assert!(radius >= 55, "it keeps its full size, at {}", view.width);
        let promise = of(&picture, Look::Promise)
            .into_iter()
            .find(|s| s.subject.record == Some(3));
        assert_eq!(promise.expect("m3 was promised").extent.1, middle.y);
        assert!(crosses[0].label.contains("m3") && crosses[0].label.contains("lost"));
    }
}

#[test]
fn the_headline_is_told_in_words_when_there_is_room() {
    let (_, picture) = draw(samples::LOST, &View::wide(1072));
    for words in [
        "lost",
        "1 truncates m3",
        "1 is down",
        "LEO 3",
        "HW 3",
        "2 and 3 learn HW 2",
    ] {
        assert!(says(&picture, words), "{words}");
    }
}

#[test]
fn the_old_leader_is_not_drawn_as_leader_while_it_is_down() {
    let (run, picture) = draw(samples::LOST, &View::wide(1072));
    let bars = of(&picture, Look::LeaderBar);
    let ends: Vec<(i32, i32)> = bars.iter().map(|b| b.extent).collect();
    assert_eq!(bars.len(), 2, "{ends:?}");
    assert_eq!(ends[0].1, picture.clock.y(Millis(530)));
    let elected = run.events.iter().find_map(|e| match &e.kind {
        highwater_core::kafka::event::EventKind::PartitionChanged { before, after, .. }
            if before.leader != after.leader && e.at.0 > 0 =>
        {
            Some(e.at)
        }
        _ => None,
    });
    assert_eq!(ends[1].0, picture.clock.y(elected.expect("2 was elected")));
}

#[test]
fn refused_records_stand_right_of_the_offsets_and_name_their_error() {
    let (_, picture) = draw(samples::REFUSED, &View::wide(1072));
    let marks = of(&picture, Look::AckRefused);
    assert_eq!(marks.len(), 3);
    let acks = picture
        .panels
        .iter()
        .find(|p| p.panel == Panel::Acks)
        .expect("it is there");
    let mut xs = Vec::new();
    for mark in &marks {
        let Form::Glyph { middle, .. } = mark.form else {
            panic!("a glyph")
        };
        assert!(middle.x > acks.left && middle.x < acks.right);
        xs.push(middle.x);
    }
    xs.sort_unstable();
    xs.dedup();
    assert_eq!(xs.len(), 3, "three at a time stand in three columns");
    assert!(
        says(&picture, "NOT_ENOUGH_"),
        "{:?}",
        boxes(&picture.shapes)
    );
}

#[test]
fn a_second_copy_has_its_own_column_and_a_line_back() {
    let (_, picture) = draw(samples::TWICE, &View::wide(1072));
    let copies: Vec<&Shape> = of(&picture, Look::Duplicate);
    let glyphs = copies.iter().filter(|s| {
        matches!(
            s.form,
            Form::Glyph {
                glyph: Glyph::Duplicate,
                ..
            }
        )
    });
    assert_eq!(glyphs.count(), 1);
    assert_eq!(copies.len(), 2, "the mark and its line");
    assert!(says(&picture, "m2 again"));
}

#[test]
fn without_acks_there_is_a_tick_and_no_promise() {
    let (_, picture) = draw(samples::NO_PROMISE, &View::wide(1072));
    assert_eq!(of(&picture, Look::Sent).len(), 2);
    for look in [Look::Wait, Look::WaitOpen, Look::Promise, Look::AckOk] {
        assert_eq!(of(&picture, look).len(), 0, "{look:?}");
    }
}

#[test]
fn a_billion_records_cost_one_column() {
    let (_, picture) = draw(samples::START, &View::wide(1072));
    assert!(picture.columns.len() < 20, "{:?}", picture.columns);
    assert!(picture.shapes.len() < 1_000);
}

#[test]
fn what_is_under_the_veil_is_not_drawn() {
    let mut view = View::wide(1072);
    view.until = Some(Instant {
        at: Millis(530),
        position: 0,
    });
    let (_, picture) = draw(samples::LOST, &view);
    let limit = picture.clock.y(Millis(530));
    for shape in picture
        .shapes
        .iter()
        .chain(&picture.grounds)
        .filter(|s| s.class.look != Look::Badge)
    {
        assert!(shape.extent.0 <= limit, "{} {:?}", shape.id, shape.extent);
    }
    assert!(of(&picture, Look::Lost).is_empty());
    assert!(!picture.notes.iter().any(|n| n.at > Millis(530)));
    // The clock, and so the height, is that of the whole run.
    assert_eq!(
        picture.height,
        draw(samples::LOST, &View::wide(1072)).1.height
    );
}

#[test]
fn the_selection_has_a_ground_an_edge_and_a_tab_in_each_open_panel() {
    let (_, picture) = draw(samples::LOST, &View::wide(1072));
    let view = View {
        selected: Some(3),
        hovered: Some(Target::Record(1)),
        playhead: Some(Instant {
            at: Millis(524),
            position: 1,
        }),
        ..View::wide(1072)
    };
    let text = Text::english();
    let (under, over) = (
        overlay::under(&picture, &view),
        overlay::over(&picture, &view, &text),
    );
    assert_eq!(under.len(), 3);
    let count = |look| over.iter().filter(|s| s.class.look == look).count();
    assert_eq!((count(Look::SelectEdge), count(Look::SelectTab)), (3, 3));
    // The hovered record is edged in the panels and on the strip; the selected one's own name gives way to its tab.
    assert_eq!(count(Look::HoverEdge), 4);
    assert_eq!((count(Look::Play), count(Look::PlayTag)), (1, 2));
    let named: Vec<_> = over
        .iter()
        .filter(|s| s.id.part == "name")
        .map(|s| s.subject.record)
        .collect();
    assert!(named.contains(&Some(1)) && !named.contains(&Some(3)));
    // In panels 1 and 3 it ends at the election, in panel 2 with the last copy.
    let bottoms: Vec<i32> = under.iter().map(|s| s.extent.1).collect();
    assert!(bottoms[1] > bottoms[2], "{bottoms:?}");
}

#[test]
fn the_table_tells_everything_in_order() {
    let (_, picture) = draw(samples::LOST, &View::wide(366));
    let rows = table::rows(&picture, &Text::english());
    assert!(rows.is_sorted_by_key(|r| r.at));
    for what in [
        "m3: ok at 524 ms",
        "1 is down",
        "HW 2",
        "leader 2, epoch 1",
        "1 truncates m3",
    ] {
        assert!(rows.iter().any(|r| r.what == what), "{what}: {rows:#?}");
    }
}

#[test]
fn every_look_has_a_rule_or_a_pattern() {
    let style = include_str!("../../../style/picture.css");
    // These groups only hold strokes with rules of their own, or are filled by a pattern alone.
    let bare = [
        "grip",
        "dead",
        "ackok",
        "ackrefused",
        "ackunknown",
        "lostmark",
        "read",
        "badge",
        "tail",
    ];
    for look in Look::ALL {
        let rule = format!(".{}", look.css());
        let found = style.match_indices(&rule).any(|(at, _)| {
            let next = style[at + rule.len()..].chars().next();
            next.is_some_and(|c| !c.is_alphanumeric() && c != '-')
        });
        assert!(found || bare.contains(&look.css()), "{look:?}");
    }
}

#[test]
fn the_file_is_well_formed() {
    let (_, picture) = draw("title <b>&\"\nat 0ms produce\n", &View::wide(1072));
    let part = file::Part {
        size: (picture.width, picture.height),
        layers: file::layers(&picture, &View::wide(1072), &Text::english(), true),
        lines: Vec::new(),
        crop: None,
    };
    let file = file::File {
        title: "<b>&\"\u{1}",
        link: "?script=a&v=1",
        parts: vec![part],
        ..file::File::default()
    }
    .svg();
    assert!(
        file.contains("<title>&lt;b&gt;&amp;&quot; </title><metadata>?script=a&amp;v=1</metadata>")
    );
    assert_eq!(
        file.matches("<g").count(),
        file.matches("</g>").count() + file.matches("<gradient").count()
    );
    assert_eq!(
        file.matches("<text").count(),
        file.matches("</text>").count()
    );
    assert!(!file.contains("NaN"));
}

#[test]
fn decimals_are_written_without_floats() {
    let written: Vec<String> = [0, 5, 10, 745, -5, -745, i32::MIN]
        .map(|t| {
            let mut out = String::new();
            svg::decimal(&mut out, t);
            out
        })
        .to_vec();
    assert_eq!(
        written,
        ["0", "0.5", "1", "74.5", "-0.5", "-74.5", "-214748364.8"]
    );
}

#[test]
fn the_bound_of_a_read_committed_consumer_is_named_lso_and_a_marker_is_not_read() {
    let (_, picture) = draw(samples::COMMITTED, &View::wide(1072));
    assert!(says(&picture, "LSO"));
    // Four records; the COMMIT marker between them takes an offset and is given to nobody.
    assert_eq!(of(&picture, Look::Read).len(), 4);
    assert_eq!(picture.columns.len(), 6, "five offsets and one to come");
}

#[test]
fn a_refusal_is_named_on_a_phone_too() {
    let view = View {
        mode: Mode::OneOpen(Panel::Acks),
        ..View::wide(366)
    };
    let (_, picture) = draw(samples::REFUSED, &view);
    for words in ["m2–m4", "NOT_ENOUGH_", "REPLICAS"] {
        assert!(
            says(&picture, words),
            "{words}: {:?}",
            boxes(&picture.shapes)
        );
    }
}
