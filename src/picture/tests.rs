//! Tests of the whole picture on runs of the engine.

mod any;
mod clock;
mod golden;
mod marks;
mod recorded;
pub mod samples;
mod words;

use super::Picture;
use super::shape::{Bounds, Form, Shape, Tenths, px};
use super::view::{Mode, Panel, View};
use highwater_core::check::trial;
use highwater_core::sim::{EVENT_LIMIT, Run, verdict};

/// Every width and mode that the page has.
fn views() -> Vec<View> {
    let mut views: Vec<View> = [600, 680, 976, 1072, 1440].map(View::wide).to_vec();
    views.extend(Panel::ALL.map(|panel| View {
        mode: Mode::OneOpen(panel),
        ..View::wide(366)
    }));
    views
}

fn draw(script: &str, view: &View) -> (Run, Picture) {
    let scenario = highwater_core::scenario::parse(script).expect("a sample parses");
    let run = trial(&scenario, EVENT_LIMIT).expect("what must hold").run;
    let text = crate::text::Text::english();
    let picture = Picture::new(&run, &verdict(&run), &text, view);
    (run, picture)
}

/// The boxes of all words, with the words.
fn boxes(shapes: &[Shape]) -> Vec<(Bounds, String)> {
    let texts = shapes.iter().filter_map(|s| match &s.form {
        Form::Text { strong, words, .. } => Some((s.form.bounds(), format!("{strong} {words}"))),
        _ => None,
    });
    texts.collect()
}

/// No coordinate lies outside of the picture by more than a mark's width, and every shape knows its extent.
fn assert_within(picture: &Picture, name: &str) {
    let margin = px(24);
    let (right, bottom) = (picture.width + margin, picture.height + margin);
    let lists = [
        &picture.heads,
        &picture.grounds,
        &picture.shapes,
        &picture.names,
    ];
    for shape in lists.into_iter().flatten() {
        let b = shape.form.bounds();
        let inside =
            b.left >= -margin && b.right <= right && b.top >= -margin && b.bottom <= bottom;
        assert!(
            inside,
            "{name}: {} {:?} outside {right} x {bottom}",
            shape.id, b
        );
        assert!(
            b.left <= b.right && b.top <= b.bottom,
            "{name}: {} {b:?}",
            shape.id
        );
        assert_eq!(shape.extent, (b.top, b.bottom), "{name}: {}", shape.id);
    }
}

/// No two lines of words share any room.
fn assert_apart(picture: &Picture, name: &str) {
    let mut all = boxes(&picture.shapes);
    all.extend(boxes(&picture.names));
    all.extend(boxes(&picture.heads));
    for (place, (a, one)) in all.iter().enumerate() {
        for (b, other) in all.iter().skip(place + 1) {
            assert!(!a.overlaps(b), "{name}: {one:?} and {other:?}");
        }
    }
}

#[test]
fn every_sample_stays_inside_at_every_width() {
    for (name, script) in samples::ALL {
        for view in views() {
            let (_, picture) = draw(script, &view);
            assert_within(&picture, &format!("{name} at {}", view.width));
        }
    }
}

#[test]
fn no_words_overlap_in_any_sample_at_any_width() {
    for (name, script) in samples::ALL {
        for view in views() {
            let (_, picture) = draw(script, &view);
            assert_apart(&picture, &format!("{name} at {}", view.width));
        }
    }
}

#[test]
fn a_record_is_one_column_in_every_panel() {
    for (name, script) in samples::ALL {
        for view in views() {
            let (_, picture) = draw(script, &view);
            for span in picture.spans.iter().filter(|s| s.offset.is_some()) {
                let areas: Vec<Bounds> = picture
                    .targets
                    .iter()
                    .filter(|t| t.target == super::view::Target::Record(span.record))
                    .map(|t| t.area)
                    .collect();
                assert_eq!(areas.len(), 3, "{name}: m{}", span.record);
                for (area, panel) in areas.iter().zip(&picture.panels) {
                    assert!(
                        panel.left <= area.left && area.right <= panel.right,
                        "{name}"
                    );
                    assert_eq!(area.top, picture.clock.y(span.sent), "{name}");
                }
            }
        }
    }
}

#[test]
fn the_three_panels_stand_side_by_side_without_touching() {
    for (name, script) in samples::ALL {
        for view in views() {
            let (_, picture) = draw(script, &view);
            let mut end: Tenths = picture.strip.1;
            for panel in &picture.panels {
                assert!(
                    end <= panel.left && panel.left < panel.right,
                    "{name} at {}",
                    view.width
                );
                end = panel.right;
            }
            assert!(end <= picture.width, "{name} at {}", view.width);
        }
    }
}

#[test]
fn a_click_finds_the_record_in_each_panel() {
    let (_, picture) = draw(samples::LOST, &View::wide(1072));
    for record in 1..=3 {
        let target = super::view::Target::Record(record);
        let areas = picture.targets.iter().filter(|t| t.target == target);
        for area in areas.map(|t| t.area) {
            let middle = super::shape::at((area.left + area.right) / 2, area.top + px(4));
            let hit = picture.hit(middle).expect("something is there");
            assert_eq!(hit.target, target);
        }
    }
}
