//! The rail: the script's steps at their times, the ruler, the folds. A dotted line carries each step through all panels.

use highwater_core::kafka::map::Map;

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::scenario::value::Action;

use super::TargetArea;
use super::class::Look;
use super::clock::{Segment, SegmentKind};
use super::frame::Room;
use super::label::{Label, Rank};
use super::measure;
use super::shape::{Anchor, Form, Glyph, Shape, Subject, Tenths, at, edges, glyph, line, px, rect};
use super::sheet::{Scene, Sheet, id};
use super::view::{Half, Target};
use super::words::Word;

/// Left edge of the words in a rail that has grips.
const INDENT: Tenths = px(14);
/// The closest two ticks of the ruler may be.
const CLOSEST: Tenths = px(5);

/// Draws rail, ruler and folds.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    for (nth, segment) in scene.clock.segments().iter().enumerate() {
        if !scene.shown(segment.from) {
            continue;
        }
        match segment.kind {
            SegmentKind::Span => ruler(scene, sheet, segment, nth),
            SegmentKind::Folded(_) => fold(scene, sheet, segment),
            SegmentKind::Opened(_) => {
                ruler(scene, sheet, segment, nth);
                fold(scene, sheet, segment);
            }
        }
    }
    steps(scene, sheet);
    if scene.frame.room != Room::Phone && scene.view.half != Half::Right {
        elections(scene, sheet);
    }
}

/// Ticks along the ruler: 1, 2, 5 … ms apart, every fifth longer.
fn ruler(scene: &Scene<'_>, sheet: &mut Sheet, segment: &Segment, nth: usize) {
    if scene.frame.room == Room::Phone || scene.view.half == Half::Right {
        return;
    }
    let x = scene.frame.ruler + px(2);
    let (top, bottom) = (segment.top, segment.bottom.min(scene.end_y()));
    sheet.put(line(
        id("ruler", nth as u64, 0),
        Look::Tick,
        at(x, top),
        at(x, bottom),
    ));
    let span = segment.to.since(segment.from).0.max(1);
    let height = u64::try_from(segment.bottom.saturating_sub(segment.top)).unwrap_or(0);
    let steps = [
        1_u64, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000,
    ];
    let closest = u64::try_from(CLOSEST).unwrap_or(50);
    let step = steps
        .into_iter()
        .find(|s| height.saturating_mul(*s) / span >= closest);
    let Some(step) = step else { return };
    let mut lines = Vec::new();
    let mut t = segment.from.0.div_ceil(step) * step;
    while t <= segment.to.0 && lines.len() < 4_096 {
        let y = scene.y(Millis(t));
        if y <= bottom {
            let long = t.is_multiple_of(step.saturating_mul(5));
            lines.push((at(x, y), at(x + px(if long { 6 } else { 3 }), y)));
        }
        t = t.saturating_add(step);
    }
    for (place, piece) in lines.chunks(128).enumerate() {
        let form = Form::Lines(piece.to_vec());
        sheet.put(Shape::new(
            id("ticks", nth as u64, place),
            Look::Tick.into(),
            form,
        ));
    }
}

fn fold(scene: &Scene<'_>, sheet: &mut Sheet, segment: &Segment) {
    let (SegmentKind::Folded(reason) | SegmentKind::Opened(reason)) = segment.kind else {
        return;
    };
    let frame = scene.frame;
    let number = segment.from.0;
    let (top, bottom) = (segment.top + px(3), segment.bottom - px(3));
    let subject = Subject {
        fold: Some(segment.from),
        ..Subject::default()
    };
    let ground = rect(
        id("fold", number, 0),
        Look::FoldGround,
        edges(0, top, frame.width, bottom),
    );
    sheet.grounds.push(ground.of(subject));
    let said = scene.say(Word::FoldedFor(segment.pause, reason));
    for (place, y) in [top, bottom].into_iter().enumerate() {
        let form = Form::Zigzag {
            left: 0,
            right: frame.width,
            y,
        };
        let label = if place == 0 {
            said.clone()
        } else {
            String::new()
        };
        let edge = Shape::new(id("foldedge", number, place), Look::FoldEdge.into(), form);
        sheet.taken.add_edge(edge.form.bounds());
        sheet.edges.push(edge.of(subject).label(label));
    }
    sheet.note(segment.from, None, subject, said.clone());
    sheet.targets.push(TargetArea {
        target: Target::Fold(segment.from),
        area: edges(0, top, frame.width, bottom),
        subject,
        label: said,
    });
    if scene.view.half == Half::Right {
        return;
    }
    let y = segment.top + segment.bottom.saturating_sub(segment.top).min(frame.fold) / 2 + px(4);
    let duration = scene.say(Word::Duration(segment.pause));
    let width = measure::width(Look::FoldDuration, &duration);
    let phone = frame.room == Room::Phone;
    let spot = if phone {
        at(0, y)
    } else {
        at(frame.ruler - px(4), y)
    };
    let anchor = if phone { Anchor::Start } else { Anchor::End };
    let label = Label::new(
        id("foldtime", number, 0),
        Rank::Outcome,
        Look::FoldDuration,
        spot,
        duration,
    );
    sheet.label(label.anchored(anchor).of(subject).down(0));
    let room = frame.ruler - px(4) - width - px(8) - INDENT;
    let reason = scene.say(Word::Fold(reason));
    let wide = measure::widest(Look::Key, &reason);
    if !phone && wide <= room + px(4) {
        let label = Label::new(
            id("foldwhy", number, 0),
            Rank::Outcome,
            Look::Key,
            at(INDENT, y),
            reason,
        );
        sheet.label(label.of(subject).down(0));
    }
}

fn steps(scene: &Scene<'_>, sheet: &mut Sheet) {
    let produced = produced(scene);
    for (nth, step) in scene.run.steps.iter().enumerate() {
        let number = u32::try_from(nth).unwrap_or(u32::MAX);
        let (Some(at_time), Some(script)) = (step.began, scene.run.scenario.steps.get(nth)) else {
            continue;
        };
        if scene.shown(at_time) {
            let records = step.event.and_then(|e| produced.get(&e).copied());
            draw_step(
                scene,
                sheet,
                (number, at_time, step.event),
                &script.action,
                records,
            );
        }
    }
}

/// The records that each step sent: numbers of the first and the last, by the step's event.
fn produced(scene: &Scene<'_>) -> Map<EventId, (u64, u64)> {
    let events = scene.run.events.iter();
    events
        .filter_map(|e| match e.kind {
            EventKind::ProduceCalled {
                first_record,
                count,
                ..
            } => {
                let last = first_record.saturating_add(count.saturating_sub(1));
                Some((e.cause.trigger?, (first_record, last)))
            }
            _ => None,
        })
        .collect()
}

fn draw_step(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    (number, when, event): (u32, Millis, Option<EventId>),
    action: &Action,
    records: Option<(u64, u64)>,
) {
    let frame = scene.frame;
    let y = scene.y(when);
    let phone = frame.room == Room::Phone;
    let subject = Subject {
        step: Some(number),
        event,
        ..Subject::default()
    };
    let name = |part| id(part, u64::from(number), 0);
    let from = frame.ruler + if phone { -px(2) } else { px(10) };
    sheet.put(line(name("hair"), Look::Hair, at(from, y), at(frame.width, y)).of(subject));
    let verb = scene.say(Word::StepVerb(action));
    let object = scene.say(Word::StepObject(action, records));
    let whole = format!("{verb} {object}").trim().to_owned();
    sheet.note(when, event, subject, whole.clone());
    if scene.view.half == Half::Right {
        return;
    }
    sheet.targets.push(TargetArea {
        target: Target::Step(number),
        area: edges(0, y - px(9), frame.ruler, y + px(9)),
        subject,
        label: whole.clone(),
    });
    if phone {
        let short = measure::fit(
            Look::Note,
            &scene.say(Word::StepShort(action, records)),
            frame.ruler - px(2),
        );
        let label = Label::new(
            name("step"),
            Rank::Step,
            Look::Note,
            at(0, y + px(4)),
            short,
        );
        sheet.label(
            label
                .of(subject)
                .or(at(0, y - px(6)), Anchor::Start)
                .down(2),
        );
        return;
    }
    let grip = at(px(4), y);
    sheet.put(glyph(name("grip"), Look::Grip, Glyph::Grip, grip, px(4)).of(subject));
    let (strong, object) = fitting(scene, action, records, (verb, object));
    let words = INDENT + measure::both(Look::StepWords, &strong, &object);
    let spot = at(INDENT, y + px(4));
    let mut label = Label::new(name("step"), Rank::Step, Look::StepWords, spot, object);
    label.strong = strong;
    let above = at(INDENT, y - px(6));
    sheet.label(label.of(subject).or(above, Anchor::Start).down(3));
    // "broker 1" and "530 ms" must not read as one number.
    let time = measure::width(Look::Time, &scene.say(Word::Instant(when)));
    if words + px(7) <= frame.ruler - px(4) - time {
        put_time(scene, sheet, when, name("time"));
    }
}

/// Verb and object as they fit the rail: long, short, or cut. A time that has no room beside the long form goes.
fn fitting(
    scene: &Scene<'_>,
    action: &Action,
    records: Option<(u64, u64)>,
    (verb, object): (String, String),
) -> (String, String) {
    let room = scene.frame.ruler - px(4) - INDENT;
    let fits = |verb: &str, object: &str| measure::both(Look::StepWords, verb, object) <= room;
    if fits(&verb, &object) {
        return (verb, object);
    }
    let short = scene.say(Word::StepShort(action, records));
    match action {
        // The short form of a produce is its records: the verb stays before them.
        Action::Produce(_) if fits(&verb, &short) => (verb, short),
        _ => (String::new(), measure::fit(Look::StepWords, &short, room)),
    }
}

fn put_time(scene: &Scene<'_>, sheet: &mut Sheet, when: Millis, name: super::shape::ShapeId) {
    let spot = at(scene.frame.ruler - px(4), scene.y(when) + px(4));
    let label = Label::new(
        name,
        Rank::Quiet,
        Look::Time,
        spot,
        scene.say(Word::Instant(when)),
    );
    sheet.label(label.anchored(Anchor::End).down(0));
}

/// The times at which the controller chose a leader.
fn elections(scene: &Scene<'_>, sheet: &mut Sheet) {
    let pairs = scene.history.states.windows(2);
    for (nth, pair) in pairs.enumerate() {
        if let [before, after] = pair
            && before.state.leader != after.state.leader
        {
            put_time(scene, sheet, after.at, id("election", nth as u64, 0));
        }
    }
}
