//! After an ok: what the producer believes, until it is kept or broken; and second copies of the same call.

use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::sim::RecordVerdict;

use super::acks::{Sizes, middle, middle_of, sizes, subject};
use super::class::Look;
use super::label::{Label, Rank};
use super::sends::Send;
use super::shape::{Anchor, Glyph, Tenths, at, glyph, line, px};
use super::sheet::{Scene, Sheet, id};
use super::view::Panel;
use super::words::Word;

/// From the ok on the producer believes that the record is stored; the line ends at the foot or in a cross.
pub fn draw(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    verdict: &RecordVerdict,
    (x, edge, words, size): (Tenths, Tenths, bool, &Sizes),
) {
    let Some(acknowledged) = verdict.acknowledged.filter(|a| scene.shown(a.at)) else {
        return;
    };
    let number = verdict.record;
    let lost = verdict.lost.filter(|l| scene.shown(l.at));
    let from = scene.y(acknowledged.at) + if size.slim { 0 } else { size.radius };
    let to = lost.map_or(scene.end_y(), |l| scene.y(l.at));
    if (!size.slim || lost.is_some()) && from < to {
        sheet.put(
            line(
                id("promise", number, 0),
                Look::Promise,
                at(x, from),
                at(x, to),
            )
            .of(subject(number, None)),
        );
    }
    if let Some(lost) = lost {
        put_cross(
            scene,
            sheet,
            (number, lost.event, lost.at),
            (x, edge, to),
            size,
        );
    } else if size.words && words && verdict.in_final_log && scene.view.until.is_none() {
        let label = Label::new(
            id("kept", number, 0),
            Rank::Name,
            Look::WordOk,
            at(x, to + px(14)),
            scene.say(Word::Kept),
        );
        sheet.label(
            label
                .anchored(Anchor::Middle)
                .of(subject(number, None))
                .down(0),
        );
    }
}

/// The cross of a lost record, and its word.
fn put_cross(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    (number, event, when): (u64, EventId, Millis),
    (x, edge, to): (Tenths, Tenths, Tenths),
    size: &Sizes,
) {
    let of = subject(number, Some(event));
    let mark = glyph(
        id("lost", number, 0),
        Look::Lost,
        Glyph::Lost,
        at(x, to),
        size.full,
    );
    let label = scene.say(Word::LostAt(number, when));
    sheet.mark(mark.of(of).label(label));
    let frame = scene.panel(Panel::Acks);
    if !frame.open {
        return;
    }
    let mut word = scene.say(Word::Lost);
    if !size.words {
        word = format!("{} {word}", scene.say(Word::Record(number)));
    }
    // Right of the column, right of the cross, or under it where the neighbour is lost too.
    let spot = at(edge.max(x + size.full + px(2)) + px(5), to + px(4));
    let (beside, below) = (at(x + size.full + px(7), to + px(4)), at(x, to + px(20)));
    let shape_id = id("lostword", number, 0);
    let label = Label::new(shape_id, Rank::Outcome, Look::WordLost, spot, word).of(of);
    let label = label.or(beside, Anchor::Start).or(below, Anchor::Middle);
    let right = scene.panel(Panel::Lag).left() - px(4);
    sheet.label(label.between(frame.left(), right).down(2));
}

/// Every further append of the same call is a copy of its own, with a line back to the first.
pub fn copies(scene: &Scene<'_>, sheet: &mut Sheet, send: &Send) {
    let frame = scene.panel(Panel::Acks);
    let Some(from) = middle_of(scene, send) else {
        return;
    };
    for (nth, again) in send.appends.iter().enumerate().skip(1) {
        let Some((left, right)) = scene.columns.of(again.base).and_then(|p| frame.column(p)) else {
            continue;
        };
        // The same offset again is not a second copy: the first one was cut off before.
        if Some(again.base) == send.base() {
            continue;
        }
        let size = sizes(right - left, frame.open);
        let x = middle(left, right, size.words);
        let y = scene.y(again.at);
        let of = subject(send.first, Some(again.event));
        sheet.put(
            line(
                id("back", send.first, nth),
                Look::Duplicate,
                at(from, y),
                at(x - px(5), y),
            )
            .of(of),
        );
        let said = scene.say(Word::Again(send.first));
        sheet.mark(
            glyph(
                id("copy", send.first, nth),
                Look::Duplicate,
                Glyph::Duplicate,
                at(x, y),
                size.full,
            )
            .of(of)
            .label(said.clone()),
        );
        if frame.open {
            let label = Label::new(
                id("again", send.first, nth),
                Rank::Outcome,
                Look::WordDuplicate,
                at(x + px(10), y + px(4)),
                said,
            );
            sheet.label(label.of(of).down(2));
        }
    }
}
