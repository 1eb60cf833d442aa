//! What changes without the run: selection, hover, focus and playhead. A handful of shapes, made anew for every frame.

use highwater_core::kafka::ids::Millis;

use super::Picture;
use super::class::Look;
use super::frame::Room;
use super::measure;
use super::shape::{Anchor, Bounds, Form, Shape, Tenths, at, edges, line, path, px, rect};
use super::sheet::id;
use super::spans::RecordSpan;
use super::view::{Panel, Target, View};
use super::words::{Word, Words};

/// What lies under the picture's shapes: the ground of the selected record.
pub fn under(picture: &Picture, view: &View) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (nth, area) in selected(picture, view).into_iter().enumerate() {
        shapes.push(rect(id("selground", 0, nth), Look::SelectGround, area.1));
    }
    shapes
}

/// What lies over them: names of records, edges, tabs, rings and the playhead.
pub fn over(picture: &Picture, view: &View, words: &dyn Words) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    let names = picture.names.iter();
    shapes.extend(names.filter(|s| s.subject.record != view.selected).cloned());
    for (nth, (panel, area)) in selected(picture, view).into_iter().enumerate() {
        shapes.push(rect(id("seledge", 0, nth), Look::SelectEdge, area));
        if let Some(record) = view.selected.filter(|_| picture.is_open(panel)) {
            let name = words.say(Word::Record(record));
            // At the top it would stand on the brokers' numbers.
            let aside = panel == Panel::Lag && area.top - TAB < picture.head;
            tab(&mut shapes, area, &name, (nth, aside));
        }
    }
    if let Some(target) = view.hovered {
        hover(picture, target, view, words, &mut shapes);
    }
    if let Some(target) = view.focused {
        for (nth, area) in areas(picture, target).into_iter().enumerate() {
            shapes.push(rect(
                id("focus", 0, nth),
                Look::FocusRing,
                area.1.grown(px(3)),
            ));
        }
    }
    if let Some(playhead) = view.playhead {
        play(picture, playhead.at, words, &mut shapes);
    }
    shapes
}

fn selected(picture: &Picture, view: &View) -> Vec<(Panel, Bounds)> {
    view.selected
        .map(|r| areas(picture, Target::Record(r)))
        .unwrap_or_default()
}

/// The areas of a target; a record has one in each panel.
fn areas(picture: &Picture, target: Target) -> Vec<(Panel, Bounds)> {
    let targets = picture.targets.iter().filter(|t| t.target == target);
    targets
        .map(|t| (panel_at(picture, t.area.left), t.area))
        .collect()
}

fn panel_at(picture: &Picture, x: Tenths) -> Panel {
    let found = picture.panels.iter().find(|p| p.left <= x && x < p.right);
    found.map_or(Panel::Lag, |p| p.panel)
}

/// How high a tab is.
const TAB: Tenths = px(17);

/// The filled tab with the record's name, on top of its segment.
fn tab(shapes: &mut Vec<Shape>, area: Bounds, name: &str, (nth, aside): (usize, bool)) {
    let width = measure::width(Look::SelectName, name) + px(11);
    let left = area.left - if aside { width } else { 7 };
    let bounds = edges(left, area.top - TAB, left + width, area.top);
    shapes.push(rect(id("seltab", 0, nth), Look::SelectTab, bounds));
    shapes.push(text(
        id("selname", 0, nth),
        Look::SelectName,
        (left + width / 2, area.top - px(4)),
        Anchor::Middle,
        name,
    ));
}

fn hover(
    picture: &Picture,
    target: Target,
    view: &View,
    words: &dyn Words,
    shapes: &mut Vec<Shape>,
) {
    for (nth, (panel, area)) in areas(picture, target).into_iter().enumerate() {
        shapes.push(rect(id("hover", 0, nth), Look::HoverEdge, area));
        if let Target::Record(record) = target
            && picture.is_open(panel)
            && view.selected != Some(record)
        {
            let name = words.say(Word::Record(record));
            let spot = (area.left + px(3), area.top - px(5));
            shapes.push(text(
                id("hovername", 0, nth),
                Look::RecordName,
                spot,
                Anchor::Start,
                &name,
            ));
        }
    }
    // The strip shows the same stretch of time.
    if let Target::Record(record) = target
        && let Some(span) = picture.spans.iter().find(|s| s.record == record)
    {
        let (left, right) = picture.strip;
        let bottom = picture.y_to(span.left_partition);
        let area = edges(left, picture.clock.y(span.sent), right, bottom);
        shapes.push(rect(id("hoverstrip", 0, 0), Look::HoverEdge, area));
    }
}

/// The line through all panels, and its time at the ruler. Words of the script that the tag would cover move above it
/// when they are earlier or equal, below it when they are later.
fn play(picture: &Picture, when: Millis, words: &dyn Words, shapes: &mut Vec<Shape>) {
    let y = picture.clock.y(when);
    let said = words.say(Word::Instant(when));
    let width = (measure::width(Look::PlayTime, &said) + px(12)).max(px(44));
    let phone = picture.room == Room::Phone;
    let (left, right) = if phone {
        (0, width)
    } else {
        (picture.ruler + px(2) - width, picture.ruler + px(2))
    };
    let from = if phone {
        0
    } else {
        (picture.ruler - px(2)).max(0)
    };
    shapes.push(line(
        id("play", 0, 0),
        Look::Play,
        at(from, y),
        at(picture.width, y),
    ));
    // B's times stand beside A.
    if picture.ruler == 0 {
        return;
    }
    let tag = edges(left, y - px(9), right, y + px(9));
    push_aside(picture, tag, y, shapes);
    shapes.push(rect(id("playtag", 0, 0), Look::PlayTag, tag));
    if !phone {
        let tip = vec![
            at(right, y - px(5)),
            at(right + px(6), y),
            at(right, y + px(5)),
        ];
        shapes.push(path(id("playtip", 0, 0), Look::PlayTag, tip, true));
    }
    let spot = ((left + right) / 2, y + px(4) + 5);
    shapes.push(text(
        id("playtime", 0, 0),
        Look::PlayTime,
        spot,
        Anchor::Middle,
        &said,
    ));
}

/// The line of a difference, with words on it where the times stand, and a ring round the record's column there; what
/// is no record's has its ring round the strip.
pub fn difference(
    picture: &Picture,
    (when, panel, record): (Millis, Panel, Option<u64>),
    words: &str,
    playhead: Millis,
) -> Vec<Shape> {
    let y = picture.clock.y(when);
    let (a, b) = (at(0, y), at(picture.width, y));
    let mut shapes = vec![line(id("differs", 0, 0), Look::Differs, a, b)];
    if picture.ruler > 0 {
        // Paper on a dark tag: where a font is wide, what ran out of the tag could not be seen.
        let width = measure::widest(Look::SelectName, words) + px(12);
        // It keeps off the playhead's.
        let away = y - picture.clock.y(playhead);
        let middle = match away {
            0.. if away < px(20) => y + px(20) - away,
            _ if away < 0 && away > -px(20) => y - px(20) - away,
            _ => y,
        };
        let tag = edges(0, middle - px(9), width, middle + px(9));
        shapes.push(rect(id("differs", 0, 1), Look::DiffersTag, tag));
        let spot = (px(6), middle + px(4));
        let name = id("differs", 0, 2);
        shapes.push(text(name, Look::SelectName, spot, Anchor::Start, words));
    }
    let (left, right) = match record {
        None => picture.strip,
        Some(record) => {
            let here = areas(picture, Target::Record(record));
            let Some((_, area)) = here.into_iter().find(|(of, _)| *of == panel) else {
                return shapes;
            };
            (area.left, area.right)
        }
    };
    let ring = edges(left - px(2), y - px(9), right + px(2), y + px(9));
    shapes.push(rect(id("differs", 0, 3), Look::Differs, ring));
    shapes
}

fn push_aside(picture: &Picture, tag: Bounds, y: Tenths, shapes: &mut Vec<Shape>) {
    let (mut above, mut below) = (tag.top - px(3), tag.bottom + px(10));
    let covered = |shape: &&Shape| shape.form.bounds().overlaps(&tag);
    for time in picture.times().filter(covered) {
        shapes.push(rect(
            id("cover", time.id.of, 1),
            Look::Cover,
            time.form.bounds(),
        ));
    }
    let words = picture.steps().filter(covered);
    let (earlier, later): (Vec<&Shape>, Vec<&Shape>) =
        words.partition(|s| s.form.bounds().bottom - px(7) <= y);
    for shape in earlier.into_iter().rev() {
        moved(shape, above, shapes);
        above -= px(14);
    }
    for shape in later {
        moved(shape, below, shapes);
        below += px(14);
    }
}

fn moved(shape: &Shape, to: Tenths, shapes: &mut Vec<Shape>) {
    let Form::Text { at: spot, .. } = &shape.form else {
        return;
    };
    let mut copy = shape.clone();
    copy.id.part = "stepmoved";
    if let Form::Text { at: own, .. } = &mut copy.form {
        *own = at(spot.x, to);
    }
    let bounds = copy.form.bounds();
    copy.extent = (bounds.top, bounds.bottom);
    shapes.push(rect(
        id("cover", copy.id.of, 0),
        Look::Cover,
        shape.form.bounds(),
    ));
    shapes.push(copy);
}

fn text(
    name: super::shape::ShapeId,
    look: Look,
    spot: (Tenths, Tenths),
    anchor: Anchor,
    words: &str,
) -> Shape {
    let form = Form::Text {
        at: at(spot.0, spot.1),
        anchor,
        strong: String::new(),
        words: words.to_owned(),
        width: measure::width(look, words),
    };
    Shape::new(name, look.into(), form)
}

/// The areas of a record in the three panels: it ends where the record leaves, the partition in panels 1 and 3, the
/// last log in panel 2; below the cross of a lost record there is room for the cross.
pub(super) fn record_areas(
    picture: &Picture,
    span: &RecordSpan,
    lost: bool,
    frame: &super::frame::Frame,
    columns: &super::columns::Columns,
) -> Vec<Bounds> {
    let mut list = Vec::new();
    for panel in Panel::ALL {
        let own = frame.panel(panel);
        let column = match span.offset {
            Some(offset) => columns.of(offset).and_then(|c| own.column(c)),
            None if panel == Panel::Acks => own.homeless(span.homeless),
            None => None,
        };
        let Some((left, right)) = column.filter(|_| !own.gone()) else {
            continue;
        };
        let until = if panel == Panel::Lag {
            span.left_logs
        } else {
            span.left_partition
        };
        let cross = if panel == Panel::Acks && (lost || span.offset.is_none()) {
            px(12)
        } else {
            0
        };
        let inset = if right - left > px(12) { px(1) } else { 0 };
        let bottom = picture.y_to(until) + cross;
        list.push(edges(
            left + inset,
            picture.clock.y(span.sent),
            right - inset,
            bottom,
        ));
    }
    list
}
