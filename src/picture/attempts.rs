//! One attempt in the producer's panel: tick = sent, bar = waiting, mark = the answer, and the answer's name.

use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::kafka::settings::Acks;

use super::acks::{Sizes, subject};
use super::class::Look;
use super::label::{Label, Rank};
use super::measure;
use super::sends::{Attempt, Send};
use super::shape::{Anchor, Glyph, Tenths, at, edges, glyph, line, path, px, rect};
use super::sheet::{Scene, Sheet, id};
use super::together;
use super::view::{Half, Panel};
use super::words::Word;

/// Draws an attempt at `x`: its tick, its bar and what came of it.
pub fn draw(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    send: &Send,
    attempt: &Attempt,
    (x, number, words, size): (Tenths, u64, bool, &Sizes),
) {
    let nth = usize::try_from(attempt.number).unwrap_or(0);
    let top = scene.y(attempt.sent);
    let of = subject(number, Some(attempt.event));
    let half = size.bar / 2;
    put_tick(scene, sheet, attempt, (x, number, words, size));
    if send.acks == Acks::None
        && attempt
            .answer
            .is_none_or(|a| a.outcome == Outcome::NoAnswerExpected)
    {
        return;
    }
    let Some(answer) = attempt.answer else {
        let bottom = scene.end_y().max(top);
        let outline = vec![
            at(x - half, bottom),
            at(x - half, top),
            at(x + half, top),
            at(x + half, bottom),
        ];
        sheet.put(path(id("wait", number, nth), Look::WaitOpen, outline, false).of(of));
        return;
    };
    let bottom = scene.y(answer.at);
    let (kind, mark, _) = marks(answer.outcome);
    let bar = match (size.slim, kind) {
        (false, _) => Look::Wait,
        (true, Look::AckOk) => Look::SlimOk,
        (true, _) => Look::SlimWait,
    };
    let least = if size.slim { px(2) } else { 0 };
    sheet.put(
        rect(
            id("wait", number, nth),
            bar,
            edges(x - half, top, x + half, bottom.max(top + least)),
        )
        .of(of),
    );
    draw_answer(
        scene,
        sheet,
        (
            number,
            nth,
            words && !together::shared(scene, send, answer.outcome),
        ),
        (x, top, size),
        (answer.at, answer.event, answer.outcome),
        (kind, mark),
    );
    let mut late = scene
        .view
        .late
        .iter()
        .filter(|_| scene.view.half == Half::Right);
    let late = late.find(|(call, nth, _)| (*call, *nth) == (send.id, attempt.number));
    if let Some((_, _, by)) = late.filter(|_| size.words && words) {
        let ok = measure::width(Look::WordOk, &scene.say(Word::Outcome(answer.outcome)));
        let y = (bottom + px(4)).max(top + px(17));
        let spot = at(x + px(18) + ok, y);
        let said = format!("{by:+} ms");
        let label = Label::new(
            id("late", number, nth),
            Rank::Quiet,
            Look::Aside,
            spot,
            said,
        );
        sheet.label(label.of(of).or(at(x + px(13), y), Anchor::Start).down(2));
    }
}

/// The tick of an attempt, numbered from the second.
fn put_tick(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    attempt: &Attempt,
    (x, number, words, size): (Tenths, u64, bool, &Sizes),
) {
    let nth = usize::try_from(attempt.number).unwrap_or(0);
    let top = scene.y(attempt.sent);
    let of = subject(number, Some(attempt.event));
    if !size.slim {
        let half = size.bar / 2 + if size.bar >= px(8) { px(3) } else { px(1) };
        let (a, b) = (at(x - half, top), at(x + half, top));
        sheet.put(line(id("sent", number, nth), Look::Sent, a, b).of(of));
    }
    if nth > 1 && size.words && words {
        let said = scene.say(Word::Try(attempt.number));
        let spot = at(x + px(13), top + px(4));
        let label = Label::new(id("try", number, nth), Rank::Name, Look::Note, spot, said);
        sheet.label(label.of(of));
    }
}

fn draw_answer(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    (number, nth, words): (u64, usize, bool),
    (x, top, size): (Tenths, Tenths, &Sizes),
    (when, event, outcome): (Millis, EventId, Outcome),
    (kind, mark): (Look, Glyph),
) {
    let y = scene.y(when);
    let of = subject(number, Some(event));
    let ok = mark == Glyph::Ok;
    let radius = if ok { size.radius } else { size.full };
    if !(ok && size.slim) {
        let label = scene.say(Word::AnsweredAt(number, outcome, when));
        sheet.mark(
            glyph(id("answer", number, nth), kind, mark, at(x, y), radius)
                .of(of)
                .label(label),
        );
    }
    let frame = scene.panel(Panel::Acks);
    let said = scene.say(Word::Outcome(outcome));
    let (_, _, look) = marks(outcome);
    let right = scene.panel(Panel::Lag).left() - px(6);
    let word_id = id("outcome", number, nth);
    let base = at(x + px(13), (y + px(4)).max(top + px(17)));
    if size.words && words {
        let rank = if ok { Rank::Name } else { Rank::Outcome };
        let mut label = Label::new(word_id, rank, look, base, said)
            .of(of)
            .between(frame.left(), right);
        if !ok {
            // Right of the mark where there is room for the longest part of an error's name, else left of it.
            let room = right - base.x;
            let fits = room >= px(92);
            label = label.wrapped(if fits { room } else { px(96) }).down(3);
            let left = at(x - radius - px(5), y + px(4));
            label = label.or(left, Anchor::End);
        }
        sheet.label(label);
    } else if !ok && words && frame.open {
        // Left of the mark, where the staircase has passed, or right of it: "m31 no answer".
        let words = format!("{} {said}", scene.say(Word::Record(number)));
        let spot = at(x - radius - px(5), y + px(4));
        let label = Label::new(word_id, Rank::Outcome, look, spot, words).of(of);
        let beside = at(x + radius + px(5), y + px(4));
        let label = label.anchored(Anchor::End).or(beside, Anchor::Start);
        let label = label.wrapped(px(120)).between(frame.left(), right);
        sheet.label(label.down(8));
    }
}

/// The look of an outcome's mark, the mark, and the look of its words. An error that leaves open whether the records
/// were appended is drawn as an open outcome: its name is the broker's, the question mark is the truth.
pub fn marks(outcome: Outcome) -> (Look, Glyph, Look) {
    match outcome {
        Outcome::Ok(_) | Outcome::NoAnswerExpected => (Look::AckOk, Glyph::Ok, Look::WordOk),
        Outcome::Refused(error) if error.excludes_append() => {
            (Look::AckRefused, Glyph::Refused, Look::WordRefused)
        }
        Outcome::LeaderDown | Outcome::NoLeader => {
            (Look::AckRefused, Glyph::Refused, Look::WordRefused)
        }
        Outcome::Refused(_)
        | Outcome::NoAnswer
        | Outcome::ConnectionClosed
        | Outcome::ResponseLost => (Look::AckUnknown, Glyph::Unknown, Look::WordUnknown),
    }
}
