//! Producer acks: tick = sent, bar = waiting, mark = the answer; after an ok the promise runs on until it is kept or
//! broken. Attempts stand one after another in the same column.

use highwater_core::kafka::ids::EventId;

use super::class::Look;
use super::frame::WORDS;
use super::homes::Home;
use super::label::{Label, Rank};
use super::sends::Send;
use super::shape::{Glyph, Subject, Tenths, at, glyph, line, px};
use super::sheet::{Scene, Sheet, id};
use super::view::Panel;
use super::words::Word;
use super::{attempts, promise, together};

/// A column of the panel that holds one or more records of a call.
pub struct Place {
    /// Left border of the column.
    pub left: Tenths,
    /// Its right border.
    pub right: Tenths,
    /// Numbers of its first and last record.
    pub records: (u64, u64),
    /// Whether words are written here; of neighbours of equal fate only the first has them.
    pub words: bool,
}

/// Sizes of marks in a column of some width.
pub struct Sizes {
    /// Half the width of a usual mark.
    pub radius: Tenths,
    /// The same of a mark that is never small.
    pub full: Tenths,
    /// Width of the bar.
    pub bar: Tenths,
    /// Whether there is only room for strokes.
    pub slim: bool,
    /// Whether there is room for words.
    pub words: bool,
}

/// The sizes for a column of that width.
pub fn sizes(width: Tenths, open: bool) -> Sizes {
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
        promise::copies(scene, sheet, send);
        tell(scene, sheet, send);
    }
    together::draw(scene, sheet);
}

/// The columns that a call's records stand in.
pub fn places(scene: &Scene<'_>, send: &Send) -> Vec<Place> {
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
                    send.first.saturating_add(end.saturating_sub(1)),
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
        attempts::draw(scene, sheet, send, attempt, (x, number, place.words, &size));
    }
    let verdict = scene.verdict_of(number);
    if let Some(verdict) = verdict {
        promise::draw(scene, sheet, verdict, (x, place.right, place.words, &size));
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

/// What a mark of a record belongs to.
pub fn subject(record: u64, event: Option<EventId>) -> Subject {
    Subject {
        record: Some(record),
        event,
        ..Subject::default()
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
        let lost = scene.verdict_of(number).and_then(|r| r.lost);
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
