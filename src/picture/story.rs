//! The few words that tell the headline on the picture: who alone had the lost record, who never had it, who cut off
//! the last copy, and the first time that followers learned the HW only with a fetch much later.

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{BrokerId, BrokerSet, EventId, Millis, Offset};
use highwater_core::sim::verdict::RecordVerdict;

use super::class::Look;
use super::clock::LONGEST_PAUSE;
use super::frame::WORDS;
use super::label::{Label, Rank};
use super::lanes;
use super::shape::{Anchor, Subject, at, line, path, px};
use super::sheet::{Scene, Sheet, id, record};
use super::view::Panel;
use super::words::Word;

/// So many lost batches are told on the picture; the others keep their crosses.
const TOLD: usize = 3;

/// Draws the words.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    let mut told: Vec<EventId> = Vec::new();
    let lost = scene
        .verdict
        .lost()
        .filter(|r| r.lost.is_some_and(|l| scene.shown(l.at)));
    for verdict in lost {
        // The records of one batch are told once, by the first of them.
        let Some(append) = verdict.appended.first().map(|a| a.since.event) else {
            continue;
        };
        if told.len() >= TOLD || told.contains(&append) {
            continue;
        }
        told.push(append);
        who_had_it(scene, sheet, verdict);
        never_readable(scene, sheet, verdict);
    }
    truncations(scene, sheet);
    if scene.panel(Panel::Lag).open && scene.panel(Panel::Lag).widest() >= px(48) {
        learned_late(scene, sheet);
    }
}

fn brokers_with(scene: &Scene<'_>, number: u64, offset: Offset) -> BrokerSet {
    let replicas = scene.history.replicas.iter();
    replicas
        .filter(|r| r.copies.iter().any(|c| c.record(offset) == Some(number)))
        .map(|r| r.broker)
        .collect()
}

/// "only 1 has m3", and at the election "not on 2 or 3".
fn who_had_it(scene: &Scene<'_>, sheet: &mut Sheet, verdict: &RecordVerdict) {
    let Some((append, lost)) = verdict.appended.first().zip(verdict.lost) else {
        return;
    };
    let holders = brokers_with(scene, verdict.record, append.offset);
    let frame = scene.panel(Panel::Lag);
    let column = scene
        .columns
        .of(append.offset)
        .and_then(|c| frame.column(c));
    let Some((left, right)) = column.filter(|(l, r)| frame.open && r - l >= px(38)) else {
        return;
    };
    let all: BrokerSet = scene.history.replicas.iter().map(|r| r.broker).collect();
    let others = all.minus(&holders);
    let [Some(only), None] = ({
        let mut iter = holders.iter();
        [iter.next(), iter.next()]
    }) else {
        return;
    };
    let place = scene
        .history
        .replicas
        .iter()
        .position(|r| r.broker == only)
        .unwrap_or(0);
    let (lane, bar) = lanes::lane(left, right, place, scene.history.replicas.len());
    let x = lane + bar / 2 + px(5);
    let inside = right - x - px(2);
    let subject = record(verdict.record);
    let top = scene.y(append.since.at);
    let said = scene.say(Word::OnlyHas(only, verdict.record));
    let name = id("onlyhas", verdict.record, 0);
    // Right of the column, under "LEO n", when the column is too narrow for the words.
    let limit = scene.panel(Panel::Visibility).left() - px(2);
    let end = copy_end(scene, append.broker, append.offset);
    let beside = at(scene.x(Panel::Lag, end) + px(5), top + px(20));
    if inside >= px(40) {
        let label = Label::new(
            name,
            Rank::Headline,
            Look::AsideLost,
            at(x, top + px(24)),
            said,
        );
        sheet.label(
            label
                .wrapped(inside)
                .of(subject)
                .or(beside, Anchor::Start)
                .down(2),
        );
    } else {
        let label = Label::new(name, Rank::Headline, Look::NoteLost, beside, said);
        let room = (limit - beside.x).clamp(px(30), px(60));
        sheet.label(label.wrapped(room).of(subject).down(3));
    }
    if !others.is_empty() && inside >= px(40) {
        let top = scene.y(lost.at) + px(13);
        let said = scene.say(Word::NotOn(&others));
        let label = Label::new(
            id("noton", verdict.record, 0),
            Rank::Quiet,
            Look::Aside,
            at(x, top),
            said,
        );
        sheet.label(label.wrapped(inside).of(subject).down(2));
    }
}

/// Where the batch that holds an offset ends in a broker's log.
fn copy_end(scene: &Scene<'_>, broker: BrokerId, offset: Offset) -> Offset {
    let replica = scene.history.replica(broker);
    let copies = replica.into_iter().flat_map(|r| &r.copies);
    let ends = copies.filter(|c| c.covers(offset)).map(|c| c.end);
    ends.max().unwrap_or(offset.plus(1))
}

/// "m3 is never readable", left of its dots.
fn never_readable(scene: &Scene<'_>, sheet: &mut Sheet, verdict: &RecordVerdict) {
    let Some(append) = verdict
        .appended
        .first()
        .filter(|_| verdict.visible.is_none())
    else {
        return;
    };
    let frame = scene.panel(Panel::Visibility);
    let column = scene
        .columns
        .of(append.offset)
        .and_then(|c| frame.column(c));
    let Some((left, _)) = column.filter(|(l, r)| frame.open && r - l >= WORDS) else {
        return;
    };
    let right = left - px(8);
    let room = (right - frame.left() - px(4)).max(px(10));
    let said = scene.say(Word::NeverReadable(verdict.record));
    let spot = at(right, scene.y(append.since.at) + px(22));
    let label = Label::new(
        id("never", verdict.record, 0),
        Rank::Headline,
        Look::AsideLost,
        spot,
        said,
    );
    let label = label.anchored(Anchor::End).of(record(verdict.record));
    sheet.label(
        label
            .wrapped(room.min(px(86)))
            .between(frame.left(), right)
            .down(2),
    );
}

/// "1 truncates m3", with a line from the lane.
fn truncations(scene: &Scene<'_>, sheet: &mut Sheet) {
    for event in scene.run.events.iter().take_while(|e| scene.shown(e.at)) {
        let EventKind::Truncated {
            broker, to, from, ..
        } = &event.kind
        else {
            continue;
        };
        let Some(replica) = scene.history.replica(*broker) else {
            continue;
        };
        let copies = replica
            .copies
            .iter()
            .filter(|c| c.removed == Some(event.id));
        let numbers: Vec<u64> = copies
            .flat_map(|c| {
                [
                    c.record(c.base),
                    c.record(Offset(c.end.0.saturating_sub(1))),
                ]
            })
            .flatten()
            .collect();
        let Some((first, last)) = numbers.iter().min().zip(numbers.iter().max()) else {
            continue;
        };
        let lost = scene
            .verdict
            .lost()
            .any(|r| (*first..=*last).contains(&r.record));
        let subject = Subject {
            record: Some(*first),
            broker: Some(*broker),
            event: Some(event.id),
            ..Subject::default()
        };
        let said = scene.say(Word::Truncates(*broker, *first, *last));
        sheet.note(event.at, Some(event.id), subject, said.clone());
        put_truncation(
            scene,
            sheet,
            (replica.place, *to, *from),
            (event.at, event.id),
            (said, lost, subject),
        );
    }
}

fn put_truncation(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    (place, to, from): (usize, Offset, Offset),
    (when, event): (Millis, EventId),
    (said, lost, subject): (String, bool, Subject),
) {
    let frame = scene.panel(Panel::Lag);
    let count = scene.history.replicas.len();
    let column = scene.columns.of(to).and_then(|c| frame.column(c));
    let Some((left, right)) = column.filter(|(l, r)| frame.open && r - l >= WORDS) else {
        return;
    };
    let (x, bar) = lanes::lane(left, right, place, count);
    let y = scene.y(when);
    let end = scene.x(Panel::Lag, from);
    let number = u64::from(event.0);
    if lost {
        let lead = line(
            id("truncated", number, 0),
            Look::LostLead,
            at(x + bar / 2 + px(1), y),
            at(end + px(2), y),
        );
        sheet.put(lead.of(subject));
    }
    let (rank, look) = if lost {
        (Rank::Headline, Look::NoteLost)
    } else {
        (Rank::Name, Look::Note)
    };
    let label = Label::new(
        id("truncates", number, 0),
        rank,
        look,
        at(end + px(5), y + px(4)),
        said,
    );
    let limit = scene.panel(Panel::Visibility).left() + px(8);
    sheet.label(
        label
            .wrapped((limit - end - px(5)).max(px(40)))
            .of(subject)
            .down(3),
    );
}

/// The first time that followers learn an HW only after a pause: a bracket along the wait.
fn learned_late(scene: &Scene<'_>, sheet: &mut Sheet) {
    let committed = scene.history.committed.points();
    for (t, value) in committed.iter().skip(1) {
        let Some(offset) = value.0.checked_sub(1) else {
            continue;
        };
        let mut late: Vec<Millis> = Vec::new();
        let mut who = BrokerSet::new();
        for replica in &scene.history.replicas {
            let told = replica.hw.above(Offset(offset), scene.history.end);
            let told = told.first().map(|i| i.from);
            if let Some(told) = told.filter(|told| told.since(*t).0 > LONGEST_PAUSE) {
                // Only a wait for a fetch counts: the broker was up all the while.
                if replica
                    .alive
                    .iter()
                    .any(|i| i.contains(*t) && i.contains(told))
                {
                    who.insert(replica.broker);
                    late.push(told);
                }
            }
        }
        let (Some(first), Some(last)) = (late.iter().min(), late.iter().max()) else {
            continue;
        };
        let x = scene.x(Panel::Lag, *value) + px(10);
        let (top, bottom) = (scene.y(*t) + px(8), scene.y(*last));
        let hook = vec![
            at(x - px(4), top),
            at(x, top),
            at(x, bottom),
            at(x - px(4), bottom),
        ];
        let limit = scene.panel(Panel::Visibility).left() - px(2);
        let spot = at(x + px(6), bottom + px(3));
        let said = scene.say(Word::LearnHw(&who, *value));
        let label = Label::new(id("learn", value.0, 0), Rank::Quiet, Look::Note, spot, said);
        let mut label = label.between(0, limit).down(1);
        label
            .lines
            .push(scene.say(Word::FetchLater(first.since(*t))));
        label.with = Some(path(id("late", value.0, 0), Look::Bracket, hook, false));
        sheet.label(label);
        return;
    }
}
