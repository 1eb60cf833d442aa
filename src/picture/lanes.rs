//! Inside every column of the lag panel each broker has a lane: open from its LEO step, hatched from the instant the
//! leader's HW passes until this broker is told, a slim line from its own HW step.

use highwater_core::kafka::ids::{Millis, Offset};
use highwater_core::kafka::sort;

use super::class::{Class, Hue, Look};
use super::frame::LANES;
use super::replica::{Copy, Replica};
use super::series::{Interval, holds};
use super::shape::{Glyph, Subject, Tenths, at, edges, glyph, line, px, rect};
use super::sheet::{Scene, Sheet, id, replica_hue};
use super::view::Panel;

/// What a lane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// In its log.
    Open,
    /// Committed, and this broker is not told yet.
    Gap,
    /// It knows.
    Known,
    /// On the disk of a broker that is down.
    Disk,
    /// Not what the leader has there.
    Diverged,
}

/// A stretch of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// When.
    pub span: Interval,
    /// What it shows.
    pub lane: Lane,
    /// Whether its broker leads.
    pub leads: bool,
}

/// Whether there is room for lanes at this column width.
pub fn fit(width: Tenths, replicas: usize) -> bool {
    width >= LANES.max(px(6) * i32::try_from(replicas).unwrap_or(9))
        || (replicas <= 3 && width >= px(16))
}

/// Middle of a broker's lane in a column, and the width of its bars.
pub fn lane(left: Tenths, right: Tenths, place: usize, replicas: usize) -> (Tenths, Tenths) {
    let width = right.saturating_sub(left);
    let count = i32::try_from(replicas.max(1)).unwrap_or(9);
    // The column is k lanes and 0.35 of a lane as margin, half of it on each side.
    let parts = 100 * count + 35;
    let own = 100 * i32::try_from(place).unwrap_or(0) + 50 + 17;
    let middle = left + width.saturating_mul(own) / parts;
    let each = width.saturating_mul(100) / parts;
    (middle, px(13).min(each * 62 / 100).max(px(2)))
}

/// When a copy is not what the leader's log holds at that offset: from the election of a leader of a later epoch that
/// does not have it, until it is cut off or its own broker leads.
pub fn diverged(replicas: &[Replica], own: &Replica, copy: &Copy, offset: Offset) -> Vec<Interval> {
    let mut list = Vec::new();
    for other in replicas.iter().filter(|r| r.broker != own.broker) {
        for (lead, epoch) in &other.leads {
            if *epoch <= copy.epoch || lead.from >= copy.held.to {
                continue;
            }
            let had = other.copy_at(offset, lead.from);
            if had.is_some_and(|c| c.epoch == copy.epoch) {
                continue;
            }
            let from = lead.from.max(copy.held.from);
            let led = own
                .leads
                .iter()
                .map(|(i, _)| i.from)
                .filter(|t| *t > from)
                .min();
            let to = led.unwrap_or(copy.held.to).min(copy.held.to);
            list.push(Interval::new(from, to));
        }
    }
    list
}

/// The stretches of a copy's lane at an offset.
pub fn pieces(scene: &Scene<'_>, replica: &Replica, copy: &Copy, offset: Offset) -> Vec<Piece> {
    let end = scene.history.end;
    let held = Interval::new(copy.held.from, copy.held.to.min(end));
    let own = replica.hw.above(offset, end);
    let committed = scene.history.committed.above(offset, end);
    let wrong = diverged(&scene.history.replicas, replica, copy, offset);
    let mut cuts = vec![held.from, held.to];
    let leads = replica.leads.iter().map(|(i, _)| i);
    for span in own
        .iter()
        .chain(&committed)
        .chain(&wrong)
        .chain(&replica.alive)
        .chain(leads)
    {
        cuts.extend(
            [span.from, span.to]
                .into_iter()
                .filter(|t| held.contains(*t)),
        );
    }
    sort::heap(&mut cuts, |a, b| a < b);
    cuts.dedup();
    let mut list: Vec<Piece> = Vec::new();
    for pair in cuts.windows(2) {
        let [from, to] = *pair else { continue };
        let lane = if !replica.is_alive(from) {
            Lane::Disk
        } else if holds(&wrong, from) {
            Lane::Diverged
        } else if holds(&own, from) {
            Lane::Known
        } else if holds(&committed, from) {
            Lane::Gap
        } else {
            Lane::Open
        };
        let leads = replica.leads_at(from);
        match list.last_mut() {
            Some(last) if last.lane == lane && last.leads == leads => last.span.to = to,
            _ => list.push(Piece {
                span: Interval::new(from, to),
                lane,
                leads,
            }),
        }
    }
    list
}

/// Draws the lanes of every column that has room for them.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    for replica in &scene.history.replicas {
        for (nth, copy) in replica.copies.iter().enumerate() {
            draw_copy(scene, sheet, replica, copy, nth);
        }
        draw_treads(scene, sheet, replica);
        draw_stops(scene, sheet, replica);
    }
}

fn draw_copy(scene: &Scene<'_>, sheet: &mut Sheet, replica: &Replica, copy: &Copy, nth: usize) {
    let frame = scene.panel(Panel::Lag);
    let count = scene.history.replicas.len();
    let (first, _) = scene.columns.edge(copy.base);
    let columns = scene.columns.list().iter().enumerate().skip(first);
    for (place, column) in columns.take_while(|(_, c)| c.from < copy.end) {
        let Some((left, right)) = frame.column(place).filter(|(l, r)| fit(r - l, count)) else {
            continue;
        };
        let offset = column.last().min(Offset(copy.end.0.saturating_sub(1)));
        let (x, bar) = lane(left, right, replica.place, count);
        let subject = Subject {
            record: copy.record(offset),
            broker: Some(replica.broker),
            event: copy.appended,
            ..Subject::default()
        };
        for (part, piece) in pieces(scene, replica, copy, offset).iter().enumerate() {
            let lane_of = offset.0.wrapping_mul(16).wrapping_add(replica.place as u64);
            let shape_id = id("lane", lane_of, nth.wrapping_mul(16).wrapping_add(part));
            let hue = hue(replica, piece.leads);
            let (top, bottom) = (scene.y(piece.span.from), scene.to_y(piece.span.to));
            let inset = if piece.lane == Lane::Disk { 5 } else { 0 };
            let bounds = edges(x - bar / 2 + inset, top, x + bar / 2 - inset, bottom);
            let shape = match piece.lane {
                Lane::Known => line(
                    shape_id,
                    Class::hued(Look::LaneKnown, hue),
                    at(x, top),
                    at(x, bottom),
                ),
                Lane::Open => rect(shape_id, Class::hued(Look::LaneOpen, hue), bounds),
                Lane::Gap => rect(shape_id, Class::hued(Look::LaneGap, hue), bounds),
                Lane::Disk => rect(shape_id, Look::LaneDisk, bounds),
                Lane::Diverged => rect(shape_id, Look::LaneDiverged, bounds),
            };
            sheet.put(shape.of(subject));
        }
    }
}

fn hue(replica: &Replica, leads: bool) -> Hue {
    if leads {
        Hue::Leader
    } else {
        replica_hue(replica.place)
    }
}

/// Thin treads join the tops of a broker's lanes: dashed = its LEO stair, solid = its HW stair.
fn draw_treads(scene: &Scene<'_>, sheet: &mut Sheet, replica: &Replica) {
    let number = u64::from(replica.broker.0);
    for (look, series, part) in [
        (Look::TreadLeo, &replica.leo, "treadleo"),
        (Look::TreadHw, &replica.hw, "treadhw"),
    ] {
        let mut place = 0;
        for alive in &replica.alive {
            let points = series.within(*alive);
            for pair in points.windows(2) {
                let [(_, before), (t, after)] = *pair else {
                    continue;
                };
                if after <= before || replica.leads_at(t) {
                    continue;
                }
                place += 1;
                if let Some((from, to)) =
                    tread(scene, replica, before, after, look == Look::TreadHw)
                {
                    let y = scene.y(t);
                    let class = Class::hued(look, replica_hue(replica.place));
                    sheet.put(line(id(part, number, place), class, at(from, y), at(to, y)));
                }
            }
        }
    }
}

/// From the lane before to the lane of the last new record.
fn tread(
    scene: &Scene<'_>,
    replica: &Replica,
    before: Offset,
    after: Offset,
    to_middle: bool,
) -> Option<(Tenths, Tenths)> {
    let frame = scene.panel(Panel::Lag);
    let count = scene.history.replicas.len();
    let place = |end: Offset| scene.columns.of(Offset(end.0.checked_sub(1)?));
    let own = |end: Offset| {
        let (left, right) = frame.column(place(end)?)?;
        fit(right - left, count).then(|| lane(left, right, replica.place, count))
    };
    let (to, bar) = own(after)?;
    let from = own(before).map_or(frame.left() - px(4), |(x, _)| x);
    let to = if to_middle { to } else { to - bar / 2 };
    (from < to).then_some((from, to))
}

/// A cross where the process ended, at the end of its log.
fn draw_stops(scene: &Scene<'_>, sheet: &mut Sheet, replica: &Replica) {
    let frame = scene.panel(Panel::Lag);
    let count = scene.history.replicas.len();
    for (nth, alive) in replica.alive.iter().enumerate() {
        if alive.to >= scene.history.end {
            continue;
        }
        let end = replica.leo.before(Millis(alive.to.0)).0;
        let column = end.checked_sub(1).and_then(|o| scene.columns.of(Offset(o)));
        let Some((left, right)) = column.and_then(|c| frame.column(c)) else {
            continue;
        };
        if fit(right - left, count) {
            let (x, _) = lane(left, right, replica.place, count);
            let shape_id = id("stopped", u64::from(replica.broker.0), nth);
            sheet.mark(glyph(
                shape_id,
                Look::Dead,
                Glyph::Dead,
                at(x, scene.y(alive.to)),
                45,
            ));
        }
    }
}
