//! Consumer visibility: dots = in the log, hidden; blue = readable; the heavy edge is the bound (HW or LSO); a triangle
//! where the consumer reads. Without a broker to read from the edge is dotted.

use highwater_core::kafka::ids::{Millis, Offset};
use highwater_core::kafka::record::Payload;

use super::class::Look;
use super::frame::WORDS;
use super::label::{Label, Rank};
use super::lag::under_stair;
use super::replica::Copy;
use super::series::Interval;
use super::shape::{Glyph, Subject, at, edges, glyph, line, path, px, rect};
use super::sheet::{Scene, Sheet, id, put_stair, stair};
use super::view::Panel;
use super::words::Word;

/// Draws the panel.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    let bound = &scene.history.bound;
    let left = scene.panel(Panel::Visibility).left();
    super::heads::guides(scene, sheet, Panel::Visibility);
    for (nth, outline) in under_stair(scene, Panel::Visibility, bound.points(), left)
        .into_iter()
        .enumerate()
    {
        sheet.put(path(id("visible", 0, nth), Look::Visible, outline, true));
    }
    tails(scene, sheet);
    edge(scene, sheet);
    reads(scene, sheet);
}

/// What is in the leader's log and not readable: dots; an outline while nobody leads.
fn tails(scene: &Scene<'_>, sheet: &mut Sheet) {
    let leads = scene.history.leaderships();
    for (nth, (span, leader)) in leads.iter().enumerate() {
        let next = leads
            .get(nth + 1)
            .map_or(scene.history.end, |(i, _)| i.from);
        for (place, copy) in leader.copies.iter().enumerate() {
            let number = nth.wrapping_mul(4_096).wrapping_add(place);
            if let Some(held) = copy.held.and(span) {
                hidden(scene, sheet, copy, held, (Look::Tail, number));
            }
            let after = Interval::new(span.to, next.max(span.to));
            if let Some(gone) = copy.held.and(&after) {
                hidden(scene, sheet, copy, gone, (Look::Ghost, number));
            }
        }
    }
}

fn hidden(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    copy: &Copy,
    held: Interval,
    (look, number): (Look, usize),
) {
    let frame = scene.panel(Panel::Visibility);
    let (first, _) = scene.columns.edge(copy.base);
    let columns = scene.columns.list().iter().enumerate().skip(first);
    for (place, column) in columns.take_while(|(_, c)| c.from < copy.end) {
        let Some((left, right)) = frame.column(place) else {
            continue;
        };
        let offset = column.last().min(Offset(copy.end.0.saturating_sub(1)));
        let readable = scene.history.bound.above(offset, scene.history.end);
        let subject = Subject {
            record: copy.record(offset),
            event: copy.appended,
            ..Subject::default()
        };
        for (part, span) in minus(held, &readable).into_iter().enumerate() {
            let (top, bottom) = (scene.y(span.from), scene.to_y(span.to));
            if top < bottom {
                // A column of many narrow ones may have no room for an inset on both sides.
                let inset = if look == Look::Ghost {
                    5.min((right - left) / 2)
                } else {
                    0
                };
                let bounds = edges(left + inset, top, right - inset, bottom);
                let name = if look == Look::Ghost { "ghost" } else { "tail" };
                sheet.put(
                    rect(
                        id(name, offset.0, number.wrapping_mul(8).wrapping_add(part)),
                        look,
                        bounds,
                    )
                    .of(subject),
                );
            }
        }
    }
}

/// An interval without others, which are in order.
fn minus(whole: Interval, without: &[Interval]) -> Vec<Interval> {
    let mut list = Vec::new();
    let mut from = whole.from;
    for hole in without.iter().filter_map(|i| i.and(&whole)) {
        if from < hole.from {
            list.push(Interval::new(from, hole.from));
        }
        from = from.max(hole.to);
    }
    if from < whole.to {
        list.push(Interval::new(from, whole.to));
    }
    list
}

/// The bound: heavy while it holds, dotted while there is nobody to read from.
fn edge(scene: &Scene<'_>, sheet: &mut Sheet) {
    let bound = &scene.history.bound;
    let mut before: Option<Interval> = None;
    for (nth, span) in scene.history.served.iter().enumerate() {
        if let Some(last) = before {
            dotted(scene, sheet, last.to, span.from, nth);
        }
        let corners = stair(
            scene,
            Panel::Visibility,
            &bound.within(*span),
            scene.to_y(span.to),
        );
        put_stair(sheet, "bound", nth as u64, Look::Bound, &corners);
        before = Some(*span);
    }
    match before {
        Some(last) if last.to < scene.history.end => {
            dotted(
                scene,
                sheet,
                last.to,
                scene.history.end,
                scene.history.served.len(),
            );
        }
        _ => {}
    }
    name(scene, sheet);
}

fn dotted(scene: &Scene<'_>, sheet: &mut Sheet, from: Millis, to: Millis, nth: usize) {
    if from < to {
        let x = scene.x(Panel::Visibility, scene.history.bound.before(to));
        let shape_id = id("nobound", nth as u64, 0);
        sheet.put(line(
            shape_id,
            Look::BoundOff,
            at(x, scene.y(from)),
            at(x, scene.to_y(to)),
        ));
    }
}

/// The bound's name, once, at its second step or the only one.
fn name(scene: &Scene<'_>, sheet: &mut Sheet) {
    let frame = scene.panel(Panel::Visibility);
    let points = scene.history.bound.points();
    let lso = scene.history.bound_is_lso;
    for (t, value) in points.iter().skip(1) {
        let said = if lso {
            scene.say(Word::Lso(*value))
        } else {
            scene.say(Word::Hw(*value))
        };
        if lso {
            sheet.note(*t, None, Subject::default(), said);
        }
    }
    let Some((t, value)) = points.get(2).or_else(|| points.get(1)) else {
        return;
    };
    if frame.open && (lso || frame.widest() >= WORDS) {
        let said = scene.say(if lso { Word::LsoName } else { Word::HwName });
        let spot = at(
            scene.x(Panel::Visibility, *value) + px(6),
            scene.y(*t) + px(12),
        );
        let label = Label::new(id("boundname", 0, 0), Rank::Value, Look::WordHw, spot, said);
        sheet.label(label.between(frame.left(), scene.frame.width).down(3));
    }
}

fn reads(scene: &Scene<'_>, sheet: &mut Sheet) {
    let frame = scene.panel(Panel::Visibility);
    for (nth, read) in scene.history.reads.iter().enumerate() {
        let (first, _) = scene.columns.edge(read.from);
        let columns = scene.columns.list().iter().enumerate().skip(first);
        for (place, column) in columns.take_while(|(_, c)| c.from < read.to) {
            let Some((left, right)) = frame.column(place) else {
                continue;
            };
            let copy = copy_at(scene, column.last(), read.at);
            if copy.is_some_and(|c| matches!(c.payload, Payload::Marker { .. })) {
                continue;
            }
            let record = copy.and_then(|c| c.record(column.last()));
            let subject = Subject {
                record,
                event: Some(read.event),
                ..Subject::default()
            };
            let said = record.map(|r| scene.say(Word::Reads(r)));
            if let Some(said) = &said {
                sheet.note(read.at, Some(read.event), subject, said.clone());
            }
            let width = right - left;
            if width < px(8) {
                continue;
            }
            let words = frame.open && width >= px(38);
            let x = if words {
                left + width / 5
            } else {
                left + width / 2
            };
            let spot = at(x, scene.y(read.at));
            let shape_id = id("read", column.from.0, nth);
            let mark = glyph(
                shape_id,
                Look::Read,
                Glyph::Read,
                spot,
                px(5).min(width * 34 / 100),
            );
            sheet.mark(mark.of(subject).label(said.clone().unwrap_or_default()));
            if let Some((record, said)) = record.zip(said).filter(|_| words) {
                let room = right - spot.x - px(8) + px(20);
                let fits = super::measure::width(Look::WordRead, &said) <= room && width > px(66);
                let said = if fits {
                    said
                } else {
                    scene.say(Word::Record(record))
                };
                let base = at(spot.x + px(8), spot.y + px(4));
                let label = Label::new(
                    id("readword", column.from.0, nth),
                    Rank::Name,
                    Look::WordRead,
                    base,
                    said,
                );
                sheet.label(label.of(subject).down(1));
            }
        }
    }
}

/// What was read at an offset: what the leader's log holds there, or any other.
fn copy_at<'a>(scene: &'a Scene<'_>, offset: Offset, t: Millis) -> Option<&'a Copy> {
    let leads = scene.history.leader(t);
    let mut logs = leads.into_iter().chain(&scene.history.replicas);
    logs.find_map(|r| r.copy_at(offset, t))
}
