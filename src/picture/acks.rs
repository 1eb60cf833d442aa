//! Producer acks: tick = sent, bar = waiting, mark = the answer; after an ok the promise runs on until it is kept or
//! broken. Attempts stand one after another in the same column.

use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::kafka::settings::Acks;
use highwater_core::sim::verdict::RecordVerdict;

use super::class::Look;
use super::frame::WORDS;
use super::homes::Home;
use super::label::{Label, Rank};
use super::sends::{Attempt, Send};
use super::shape::{Glyph, Subject, Tenths, at, edges, glyph, line, path, px, rect};
use super::sheet::{Scene, Sheet, id};
use super::view::Panel;
use super::words::Word;

/// A column of the panel that holds one or more records of a call.
struct Place {
    left: Tenths,
    right: Tenths,
    /// Numbers of its first and last record.
    records: (u64, u64),
    /// Whether words are written here; of neighbours of equal fate only the first has them.
    words: bool,
}

/// Sizes of marks in a column of some width.
struct Sizes {
    /// Half the width of a usual mark.
    radius: Tenths,
    /// The same of a mark that is never small.
    full: Tenths,
    /// Width of the bar.
    bar: Tenths,
    /// Whether there is only room for strokes.
    slim: bool,
    /// Whether there is room for words.
    words: bool,
}

fn sizes(width: Tenths, open: bool) -> Sizes {
    let (radius, full, bar) = match width {
        _ if width >= WORDS => (65, 65, 90),
        _ if width >= px(20) => (60, 60, 80),
        _ if width >= px(8) => (40, 55, 50),
        _ => (30, 65, 30.min(width * 6 / 10).max(8)),
    };
    Sizes {
        radius,
        full,
        bar,
        slim: width < px(8),
        words: open && width >= WORDS,
    }
}

/// Draws the panel.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    for send in &scene.history.sends {
        for place in places(scene, send) {
            draw_call(scene, sheet, send, &place);
        }
        draw_copies(scene, sheet, send);
        tell(scene, sheet, send);
    }
}

/// The columns that a call's records stand in.
fn places(scene: &Scene<'_>, send: &Send) -> Vec<Place> {
    let frame = scene.panel(Panel::Acks);
    let base = match scene.homes.of(send.id) {
        Some(Home::At(base)) => base,
        Some(Home::Nowhere(place)) => {
            let column = frame.homeless(place).map(|(left, right)| Place {
                left,
                right,
                records: (send.first, send.last()),
                words: true,
            });
            return column.into_iter().collect();
        }
        None => return Vec::new(),
    };
    let (first, _) = scene.columns.edge(base);
    let columns = scene.columns.list().iter().enumerate().skip(first);
    columns
        .take_while(|(_, c)| c.from < base.plus(send.count))
        .enumerate()
        .filter_map(|(n, (place, column))| {
            let (left, right) = frame.column(place)?;
            let start = column.from.since(base).min(send.count.saturating_sub(1));
            let end = column.to.since(base).clamp(1, send.count.max(1));
            Some(Place {
                left,
                right,
                records: (
                    send.first.saturating_add(start),
                    send.first.saturating_add(end - 1),
                ),
                words: n == 0 || right - left >= WORDS,
            })
        })
        .collect()
}

/// The middle of the marks in a column.
pub fn middle(left: Tenths, right: Tenths, words: bool) -> Tenths {
    let width = right.saturating_sub(left);
    // The last column without offset is wide for the sake of names of errors; its marks stand as in the others.
    let part = if words {
        width.min(px(64)) * 3 / 10
    } else {
        width / 2
    };
    left + part
}

/// Middle of the marks of a record's call, when it has a column.
pub fn middle_of(scene: &Scene<'_>, send: &Send) -> Option<Tenths> {
    let place = places(scene, send).into_iter().next()?;
    let words = sizes(place.right - place.left, scene.panel(Panel::Acks).open).words;
    Some(middle(place.left, place.right, words))
}

fn draw_call(scene: &Scene<'_>, sheet: &mut Sheet, send: &Send, place: &Place) {
    let open = scene.panel(Panel::Acks).open;
    let size = sizes(place.right - place.left, open);
    let x = middle(place.left, place.right, size.words);
    let number = place.records.0;
    if size.words && place.words {
        let words = name(scene, send, place);
        let y = scene.y(send.called) + px(4);
        let label = Label::new(
            id("name", number, 0),
            Rank::Name,
            Look::RecordName,
            at(x + px(13), y),
            words,
        );
        sheet.label(label.of(subject(number, Some(send.event))));
    }
    draw_unsent(scene, sheet, send, (x, number, &size));
    for attempt in &send.attempts {
        draw_attempt(scene, sheet, send, attempt, (x, number, place.words, &size));
    }
    let verdict = scene.verdict.records.iter().find(|r| r.record == number);
    if let Some(verdict) = verdict {
        draw_promise(scene, sheet, verdict, (x, place.right, place.words, &size));
    }
    if let Some((when, event)) = send
        .timed_out
        .filter(|_| send.attempts.iter().all(|a| a.answer.is_none()))
    {
        let mark = glyph(
            id("gaveup", number, 0),
            Look::AckUnknown,
            Glyph::Unknown,
            at(x, scene.y(when)),
            size.full,
        );
        sheet.mark(
            mark.of(subject(number, Some(event)))
                .label(scene.say(Word::DeliveryTimedOut)),
        );
    }
}

/// The name of the records in a place: all of the call's when only the first place has words.
fn name(scene: &Scene<'_>, send: &Send, place: &Place) -> String {
    let last = if place.right - place.left >= WORDS {
        place.records.1
    } else {
        send.last()
    };
    if place.records.0 == last {
        scene.say(Word::Record(last))
    } else {
        scene.say(Word::Records(place.records.0, last))
    }
}

/// From the call to the first attempt, when that did not follow at once: a dotted line under the tick.
fn draw_unsent(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    send: &Send,
    (x, number, size): (Tenths, u64, &Sizes),
) {
    let sent = send.attempts.first().map_or(scene.history.end, |a| a.sent);
    let (top, bottom) = (scene.y(send.called), scene.y(sent));
    if size.slim || bottom - top < px(4) {
        return;
    }
    let half = size.bar / 2 + px(3);
    let of = subject(number, Some(send.event));
    let (a, b) = (at(x - half, top), at(x + half, top));
    sheet.put(line(id("called", number, 0), Look::Sent, a, b).of(of));
    let waiting = line(
        id("unsent", number, 0),
        Look::Unsent,
        at(x, top),
        at(x, bottom),
    );
    sheet.put(waiting.of(of));
}

fn subject(record: u64, event: Option<EventId>) -> Subject {
    Subject {
        record: Some(record),
        event,
        ..Subject::default()
    }
}

fn draw_attempt(
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
    if !size.slim {
        let over = if size.bar >= px(8) { px(3) } else { px(1) };
        sheet.put(
            line(
                id("sent", number, nth),
                Look::Sent,
                at(x - half - over, top),
                at(x + half + over, top),
            )
            .of(of),
        );
    }
    if nth > 1 && size.words && words {
        let label = Label::new(
            id("try", number, nth),
            Rank::Name,
            Look::Note,
            at(x + px(13), top + px(4)),
            scene.say(Word::Try(attempt.number)),
        );
        sheet.label(label.of(of));
    }
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
        (number, nth, words),
        (x, top, size),
        (answer.at, answer.event, answer.outcome),
        (kind, mark),
    );
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
            label = label.wrapped((right - base.x).max(px(40))).down(3);
        }
        sheet.label(label);
    } else if !ok && words && frame.open {
        // Left of the mark, where the staircase has passed: "m31 no answer".
        let words = format!("{} {said}", scene.say(Word::Record(number)));
        let spot = at(x - radius - px(5), y + px(4));
        let left = Label::new(word_id, Rank::Outcome, look, spot, words).of(of);
        sheet.label(
            left.anchored(super::shape::Anchor::End)
                .between(frame.left(), right)
                .down(2),
        );
    }
}

/// The look of an outcome's mark, the mark, and the look of its words. An error that leaves open whether the records
/// were appended is drawn as an open outcome: its name is the broker's, the question mark is the truth.
fn marks(outcome: Outcome) -> (Look, Glyph, Look) {
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

/// From the ok on the producer believes that the record is stored; the line ends at the foot or in a cross.
fn draw_promise(
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
        let label = scene.say(Word::LostAt(number, lost.at));
        let of = subject(number, Some(lost.event));
        sheet.mark(
            glyph(
                id("lost", number, 0),
                Look::Lost,
                Glyph::Lost,
                at(x, to),
                size.full,
            )
            .of(of)
            .label(label),
        );
        let frame = scene.panel(Panel::Acks);
        let word = scene.say(Word::Lost);
        let word = if size.words {
            word
        } else {
            format!("{} {word}", scene.say(Word::Record(number)))
        };
        let spot = at(edge.max(x + size.full + px(2)) + px(5), to + px(4));
        let label = Label::new(
            id("lostword", number, 0),
            Rank::Outcome,
            Look::WordLost,
            spot,
            word,
        )
        .of(of);
        if frame.open {
            sheet.label(
                label
                    .between(frame.left(), scene.panel(Panel::Lag).left() - px(4))
                    .down(2),
            );
        }
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
                .anchored(super::shape::Anchor::Middle)
                .of(subject(number, None))
                .down(0),
        );
    }
}

/// Every further append of the same call is a copy of its own, with a line back to the first.
fn draw_copies(scene: &Scene<'_>, sheet: &mut Sheet, send: &Send) {
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

/// What the panel says, for the table.
fn tell(scene: &Scene<'_>, sheet: &mut Sheet, send: &Send) {
    for attempt in &send.attempts {
        if let Some(answer) = attempt.answer {
            let words = scene.say(Word::AnsweredAt(send.first, answer.outcome, answer.at));
            sheet.note(
                answer.at,
                Some(answer.event),
                subject(send.first, Some(answer.event)),
                words,
            );
        }
    }
    for number in send.first..=send.last().min(send.first.saturating_add(255)) {
        let lost = scene
            .verdict
            .records
            .iter()
            .find(|r| r.record == number)
            .and_then(|r| r.lost);
        if let Some(lost) = lost.filter(|l| scene.shown(l.at)) {
            let words = scene.say(Word::LostAt(number, lost.at));
            sheet.note(
                lost.at,
                Some(lost.event),
                subject(number, Some(lost.event)),
                words,
            );
        }
    }
}
