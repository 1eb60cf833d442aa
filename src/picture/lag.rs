//! Follower HW lag: the water left of the leader's HW, lanes or the folded gap, and the leader's LEO and HW stairs.

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{Millis, Offset};
use highwater_core::kafka::sort;

use super::class::Look;
use super::frame::WORDS;
use super::label::{Label, Rank};
use super::lanes;
use super::series::Interval;
use super::shape::{Point, Subject, at, edges, path, px, rect};
use super::sheet::{Scene, Sheet, id, put_stair, stair};
use super::view::Panel;
use super::words::Word;

/// Draws the panel.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    water(scene, sheet);
    super::heads::guides(scene, sheet, Panel::Lag);
    folded(scene, sheet);
    lanes::draw(scene, sheet);
    for (nth, (span, leader)) in scene.history.leaderships().into_iter().enumerate() {
        let number = (nth as u64) * 256 + u64::from(leader.broker.0);
        let end = scene.to_y(span.to);
        let leo = stair(scene, Panel::Lag, &leader.leo.within(span), end);
        put_stair(sheet, "leo", number, Look::LeoStair, &leo);
        let hw = stair(scene, Panel::Lag, &leader.hw.within(span), end);
        put_stair(sheet, "hw", number, Look::HwStair, &hw);
        values(scene, sheet, span, leader, nth);
    }
}

/// The ground left of the present leader's HW, in pieces so that a long one can be drawn where it is in view.
fn water(scene: &Scene<'_>, sheet: &mut Sheet) {
    let points = scene.history.committed.points();
    let left = scene.panel(Panel::Lag).left();
    for (nth, shape) in under_stair(scene, Panel::Lag, points, left)
        .into_iter()
        .enumerate()
    {
        sheet.put(path(id("water", 0, nth), Look::Water, shape, true));
    }
}

/// Outlines of what lies left of a stair.
pub fn under_stair(
    scene: &Scene<'_>,
    panel: Panel,
    points: &[(Millis, Offset)],
    left: i32,
) -> Vec<Vec<Point>> {
    const PIECE: usize = 32;
    let mut list = Vec::new();
    let mut start = 0;
    while start < points.len() {
        let end = (start + PIECE).min(points.len());
        let piece = points.get(start..end).unwrap_or_default();
        let foot = points.get(end).map_or(scene.end_y(), |(t, _)| scene.y(*t));
        let mut outline = stair(scene, panel, piece, foot);
        let top = outline.first().map_or(0, |p| p.y);
        outline.push(at(left, foot));
        outline.push(at(left, top));
        list.push(outline);
        start = end;
    }
    list
}

/// Where lanes have no room: one hatched area from the slowest live follower's HW to the leader's.
fn folded(scene: &Scene<'_>, sheet: &mut Sheet) {
    let frame = scene.panel(Panel::Lag);
    let count = scene.history.replicas.len();
    if lanes::fit(frame.widest(), count) && frame.widest() == frame.width(0) {
        return;
    }
    let mut times: Vec<Millis> = scene
        .history
        .committed
        .points()
        .iter()
        .map(|p| p.0)
        .collect();
    for replica in &scene.history.replicas {
        times.extend(replica.hw.points().iter().map(|p| p.0));
        times.extend(replica.alive.iter().flat_map(|i| [i.from, i.to]));
    }
    times.push(scene.history.end);
    sort::heap(&mut times, |a, b| a < b);
    times.dedup();
    let mut open: Option<(Offset, Offset, Interval)> = None;
    let mut done: Vec<(Offset, Offset, Interval)> = Vec::new();
    for pair in times.windows(2) {
        let [from, to] = *pair else { continue };
        let high = scene.history.committed.at(from);
        let live = scene.history.replicas.iter().filter(|r| r.is_alive(from));
        let low = live.map(|r| r.hw.at(from)).min().unwrap_or(high);
        match &mut open {
            Some((l, h, span)) if *l == low && *h == high => span.to = to,
            _ => {
                done.extend(open.take());
                open = (low < high).then_some((low, high, Interval::new(from, to)));
            }
        }
    }
    done.extend(open);
    for (nth, (low, high, span)) in done.into_iter().enumerate() {
        let (left, right) = (scene.x(Panel::Lag, low), scene.x(Panel::Lag, high));
        // Columns of a lens have lanes; the area stands beside them.
        for (part, bounds) in without_lens(scene, left, right).into_iter().enumerate() {
            let bounds = edges(bounds.0, scene.y(span.from), bounds.1, scene.to_y(span.to));
            sheet.put(rect(id("gap", nth as u64, part), Look::FoldedGap, bounds));
        }
    }
}

fn without_lens(scene: &Scene<'_>, left: i32, right: i32) -> Vec<(i32, i32)> {
    let frame = scene.panel(Panel::Lag);
    let count = scene.history.replicas.len();
    let mut wide = frame.edges.windows(2).filter_map(|e| match *e {
        [l, r] if lanes::fit(r - l, count) => Some((l, r)),
        _ => None,
    });
    let Some((first, mut last)) = wide.next() else {
        return vec![(left, right)];
    };
    if let Some((_, r)) = wide.next_back() {
        last = r;
    }
    let parts = [(left, right.min(first)), (left.max(last), right)];
    parts.into_iter().filter(|(l, r)| l < r).collect()
}

/// "LEO n" and "HW n" at the steps, and what the panel says for the table.
fn values(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    span: Interval,
    leader: &super::replica::Replica,
    nth: usize,
) {
    let frame = scene.panel(Panel::Lag);
    let words = frame.open && frame.widest() >= WORDS;
    let right = scene.panel(Panel::Visibility).left() - px(4);
    let began = scene.run.scenario.start.is_some() && nth == 0;
    for (look, part, series) in [
        (Look::WordLeo, "leovalue", &leader.leo),
        (Look::WordHw, "hwvalue", &leader.hw),
    ] {
        let points = series.within(span);
        let skip = usize::from(!began);
        for (place, (t, value)) in points.iter().enumerate().skip(skip) {
            let said = match look {
                Look::WordLeo => scene.say(Word::Leo(*value)),
                _ => scene.say(Word::Hw(*value)),
            };
            let event = event_of(scene, leader.broker, *t, *value);
            let subject = Subject {
                broker: Some(leader.broker),
                event,
                ..Subject::default()
            };
            sheet.note(*t, event, subject, said.clone());
            if words {
                let spot = at(
                    scene.x(Panel::Lag, *value) + px(5),
                    scene.y(*t) + px(if place == 0 { 6 } else { 4 }),
                );
                let label = Label::new(
                    id(part, value.0, nth * 4096 + place),
                    Rank::Value,
                    look,
                    spot,
                    said,
                );
                sheet.label(label.of(subject).between(frame.left(), right).down(2));
            }
        }
    }
}

/// The event that set the broker's LEO or HW to the value then.
fn event_of(
    scene: &Scene<'_>,
    broker: highwater_core::kafka::ids::BrokerId,
    t: Millis,
    value: Offset,
) -> Option<highwater_core::kafka::ids::EventId> {
    let events = &scene.run.events;
    let start = events.partition_point(|e| e.at < t);
    let same = events.iter().skip(start).take_while(|e| e.at == t);
    same.filter(|e| match &e.kind {
        EventKind::Appended { broker: b, leo, .. } => *b == broker && *leo == value,
        EventKind::HwChanged { broker: b, to, .. } => *b == broker && *to == value,
        _ => false,
    })
    .map(|e| e.id)
    .next()
}
