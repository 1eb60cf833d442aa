//! Words that neighbours share: "m5–m9 ok" where columns are too narrow for names of their own, and one name of an
//! error for calls that were refused at nearly the same time.

use highwater_core::kafka::event::Outcome;

use super::acks::{middle, places, sizes, subject};
use super::attempts::marks;
use super::class::Look;
use super::homes::Home;
use super::label::{Label, Rank};
use super::sends::{Attempt, Send};
use super::shape::{Anchor, Tenths, at, px};
use super::sheet::{Scene, Sheet, id};
use super::view::Panel;
use super::words::Word;

/// The room that the longest part of an error's name takes.
const ERROR: Tenths = px(96);

/// Neighbours of equal fate.
#[derive(Clone)]
struct Run {
    /// Number of the first record.
    first: u64,
    /// Number of the last record.
    last: u64,
    /// The offset after the last; none = without offsets.
    end: Option<u64>,
    /// Left edge of the first mark.
    left: Tenths,
    /// Right edge of the last mark.
    right: Tenths,
    /// Where the last mark stands.
    y: Tenths,
    /// Where its words begin at the earliest, under the record's name.
    below_name: Tenths,
    /// Whether the records are named beside their marks.
    named: bool,
    look: Look,
    words: String,
}

/// Whether the words of this attempt's answer are said here and not beside its mark.
pub fn shared(scene: &Scene<'_>, send: &Send, outcome: Outcome) -> bool {
    let ok = matches!(outcome, Outcome::Ok(_) | Outcome::NoAnswerExpected);
    let homeless = matches!(scene.homes.of(send.id), Some(Home::Nowhere(_)));
    !ok && homeless && send.attempts.len() == 1
}

/// Draws the shared words.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    if !scene.panel(Panel::Acks).open {
        return;
    }
    let mut open: Option<Run> = None;
    for send in &scene.history.sends {
        let next = run(scene, send);
        open = match (open, next) {
            (Some(run), Some(next)) if joins(&run, &next, send) => Some(Run {
                first: run.first,
                left: run.left.min(next.left),
                ..next
            }),
            (run, next) => {
                put(scene, sheet, run);
                next
            }
        };
    }
    put(scene, sheet, open);
}

fn joins(run: &Run, next: &Run, send: &Send) -> bool {
    let neighbours = match (run.end, next.end) {
        (Some(end), Some(next)) => end == next.saturating_sub(send.count),
        (None, None) => next.y.saturating_sub(run.y) < px(40),
        _ => false,
    };
    neighbours && run.look == next.look && run.words == next.words && next.first > run.last
}

/// A call that has one attempt and shares its words: it was refused without an offset, or it was answered ok in a
/// column that is narrow but no mere stroke, and not lost.
fn run(scene: &Scene<'_>, send: &Send) -> Option<Run> {
    let [
        Attempt {
            sent,
            answer: Some(answer),
            ..
        },
    ] = send.attempts.as_slice()
    else {
        return None;
    };
    let place = places(scene, send).pop()?;
    let size = sizes(place.right - place.left, true);
    let ok = matches!(answer.outcome, Outcome::Ok(_));
    let lost = scene
        .verdict_of(send.first)
        .is_some_and(|r| r.lost.is_some());
    let narrow_ok = ok && !size.words && !size.slim && !lost;
    if !narrow_ok && !shared(scene, send, answer.outcome) {
        return None;
    }
    let x = middle(place.left, place.right, size.words);
    let radius = if ok { size.radius } else { size.full };
    Some(Run {
        first: send.first,
        last: send.last(),
        end: send.base().filter(|_| ok).map(|b| b.plus(send.count).0),
        left: x - radius,
        right: x + radius,
        y: scene.y(answer.at),
        below_name: scene.y(*sent) + px(17),
        named: size.words,
        look: marks(answer.outcome).2,
        words: scene.say(Word::Outcome(answer.outcome)),
    })
}

fn put(scene: &Scene<'_>, sheet: &mut Sheet, run: Option<Run>) {
    let Some(run) = run else { return };
    let limit = scene.panel(Panel::Lag).left() - px(5);
    let name = if run.first == run.last {
        scene.say(Word::Record(run.first))
    } else {
        scene.say(Word::Records(run.first, run.last))
    };
    let label_id = id("together", run.first, 0);
    let base = at(run.right + px(5), run.y + px(4));
    let below = at(limit, run.y + px(20));
    let label = if run.end.is_some() {
        let mut label = Label::new(label_id, Rank::Name, run.look, base, run.words);
        label.strong = name;
        label.or(below, Anchor::End)
    } else {
        let alone = run.named && run.first == run.last;
        let spot = if alone {
            at(base.x + 15, run.below_name.max(base.y))
        } else {
            base
        };
        let room = (limit - spot.x).max(ERROR);
        let mut label =
            Label::new(label_id, Rank::Outcome, run.look, spot, run.words).wrapped(room);
        if !alone {
            label.strong = name;
            label.lines.insert(0, String::new());
        }
        // An outcome stands beside its marks, also where a fold begins just below them.
        label.crosses = true;
        let left = at(run.left - px(5), run.y + px(4));
        label.or(left, Anchor::End).or(below, Anchor::End).down(8)
    };
    let label = label.of(subject(run.first, None));
    sheet.label(label.between(scene.panel(Panel::Acks).left() - px(4), limit));
}
