//! Time to y and back: linear spans around the events, folded pauses between them.
//!
//! Inside a span the scale is the same everywhere: 7.4 px a ms at first. A run that would be taller than
//! [`TALL`] gets the next smaller scale of [`RATES`] until it fits or the list ends; so a short run is always drawn at
//! 7.4 px and a long one never overflows an integer. A pause of more than 20 ms (or of more than twice the fold's own
//! height, when the scale is small) folds into a band. A fold that was opened has a linear scale of its own.

use highwater_core::kafka::map::Set;
use highwater_core::kafka::sort;

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::sim::{Instant, Run};

use super::fold::Reasons;
use super::shape::{Tenths, px};
use super::words::FoldReason;

/// Scales in tenths of a px a ms, largest first.
pub const RATES: [Tenths; 8] = [74, 52, 37, 24, 15, 10, 6, 3];
/// A clock taller than this takes the next smaller scale.
pub const TALL: Tenths = px(12_000);
/// The longest pause that is drawn linearly at any scale, in ms.
pub const LONGEST_PAUSE: u64 = 20;
/// Drawn before the first event of a span, in ms.
const LEAD: u64 = 2;
/// Drawn after its last event, in ms.
pub const REST: u64 = 3;
/// Height of a fold that was opened.
const OPENED: Tenths = px(240);
/// No y is larger: leaves room for the arithmetic of everybody who uses it.
const LOWEST: i64 = (Tenths::MAX / 4) as i64;

/// What a segment of the clock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SegmentKind {
    /// Linear, at the clock's own scale.
    Span,
    /// A folded pause.
    Folded(FoldReason),
    /// A pause that was opened: linear, at a scale of its own.
    Opened(FoldReason),
}

/// A stretch of time and the stretch of the picture that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its first instant.
    pub from: Millis,
    /// Its last instant, also the first of the next segment.
    pub to: Millis,
    /// y of the first.
    pub top: Tenths,
    /// y of the last.
    pub bottom: Tenths,
    /// What it is.
    pub kind: SegmentKind,
    /// For a pause: the true duration between the two events around it.
    pub pause: Millis,
}

/// A moment to stop at when stepping from event to event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stop {
    /// Just after the event.
    pub instant: Instant,
    /// The event, of the first run that has one there.
    pub event: EventId,
}

/// What the clock is laid out with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// y of instant 0.
    pub top: Tenths,
    /// Height of a folded pause.
    pub fold: Tenths,
}

/// The clock that every panel (and both runs of a comparison) shares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    segments: Vec<Segment>,
    stops: Vec<Stop>,
    /// Every millisecond with events, and how many there are.
    counts: Vec<(Millis, u32)>,
    rate: Tenths,
}

/// Whether the picture shows the event, so that time around it is not folded. Idle polling, messages on their way and
/// bookkeeping that draws nothing are not significant.
pub fn significant(event: &Event) -> bool {
    !event.idle
        && !matches!(
            event.kind,
            EventKind::MessageSent { .. }
                | EventKind::MessageArrived { .. }
                | EventKind::MessageIgnored { .. }
                | EventKind::FetchParked { .. }
                | EventKind::FetchServed { .. }
                | EventKind::FollowerStateUpdated { .. }
                | EventKind::MetadataApplied { .. }
                | EventKind::EpochAssigned { .. }
                | EventKind::FetchBackedOff { .. }
                | EventKind::HwHeld { .. }
        )
}

impl Clock {
    /// The clock of one run, or of two that are compared: time folds only where all of them are idle.
    pub fn new(runs: &[&Run], scale: Scale, unfolded: &Set<Millis>) -> Clock {
        let stops = stops(runs);
        let mut times: Vec<u64> = stops.iter().map(|s| s.instant.at.0).collect();
        times.push(0);
        times.extend(runs.iter().map(|r| r.end.0));
        sort::heap(&mut times, |a, b| a < b);
        times.dedup();
        let mut clock = Clock {
            stops,
            counts: counts(runs),
            ..Clock::default()
        };
        // The reasons of the pauses take a look at the runs: once, when the scale is found.
        for rate in RATES {
            clock.rate = rate;
            clock.segments = segments(&times, scale, rate, unfolded, |_, _| FoldReason::Quiet);
            if clock.bottom().saturating_sub(scale.top) <= TALL {
                break;
            }
        }
        let reasons = Reasons::new(runs);
        let of = |from, to| reasons.of(from, to);
        clock.segments = segments(&times, scale, clock.rate, unfolded, of);
        clock
    }

    /// Tenths of a px a ms inside the spans.
    pub fn rate(&self) -> Tenths {
        self.rate
    }

    /// The segments from top to bottom, without gaps.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The pauses, folded or opened, from top to bottom.
    pub fn folds(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(|s| s.kind != SegmentKind::Span)
    }

    /// y of instant 0.
    pub fn top(&self) -> Tenths {
        self.segments.first().map_or(0, |s| s.top)
    }

    /// y of the last instant.
    pub fn bottom(&self) -> Tenths {
        self.segments.last().map_or(0, |s| s.bottom)
    }

    /// The last instant of the clock.
    pub fn end(&self) -> Millis {
        self.segments.last().map_or(Millis(0), |s| s.to)
    }

    /// The y of an instant; instants after the end are at the bottom.
    pub fn y(&self, t: Millis) -> Tenths {
        let place = self.segments.partition_point(|s| s.to < t);
        self.segments.get(place).map_or(self.bottom(), |s| s.y(t))
    }

    /// The instant at y: the nearest ms, after all of its events. Outside of the clock it is the first or the last.
    pub fn instant(&self, y: Tenths) -> Instant {
        let place = self.segments.partition_point(|s| s.bottom < y);
        let at = self.segments.get(place).map_or(self.end(), |s| s.at(y));
        self.after_all(at)
    }

    /// The instant after all events of that millisecond.
    pub fn after_all(&self, at: Millis) -> Instant {
        let position = match self.counts.binary_search_by_key(&at, |(t, _)| *t) {
            Ok(place) => self.counts.get(place).map_or(0, |(_, count)| *count),
            Err(_) => 0,
        };
        Instant { at, position }
    }

    /// The pause that holds the instant strictly inside, if there is one.
    pub fn fold_at(&self, t: Millis) -> Option<&Segment> {
        self.folds().find(|s| s.from < t && t < s.to)
    }

    /// Moments to stop at, in order.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// The first stop after the instant.
    pub fn next(&self, instant: Instant) -> Option<Stop> {
        let place = self.stops.partition_point(|s| s.instant <= instant);
        self.stops.get(place).copied()
    }

    /// The last stop before the instant.
    pub fn previous(&self, instant: Instant) -> Option<Stop> {
        let place = self.stops.partition_point(|s| s.instant < instant);
        place
            .checked_sub(1)
            .and_then(|p| self.stops.get(p))
            .copied()
    }

    /// Where an instant stands on a scrubber of that length, which has the same folds.
    pub fn scrub(&self, t: Millis, length: Tenths) -> Tenths {
        let height = i64::from(self.bottom().saturating_sub(self.top())).max(1);
        let y = i64::from(self.y(t).saturating_sub(self.top()));
        narrow(y.saturating_mul(i64::from(length)) / height)
    }

    /// The instant at a place of a scrubber of that length.
    pub fn unscrub(&self, place: Tenths, length: Tenths) -> Instant {
        let height = i64::from(self.bottom().saturating_sub(self.top()));
        let y = i64::from(place).saturating_mul(height) / i64::from(length.max(1));
        self.instant(self.top().saturating_add(narrow(y)))
    }
}

impl Segment {
    fn y(&self, t: Millis) -> Tenths {
        let span = wide(self.to.since(self.from));
        let past = wide(t.since(self.from)).min(span);
        let height = i64::from(self.bottom) - i64::from(self.top);
        // Only a pause of years needs 128 bits, which cost most of the time spent here.
        let down = past
            .checked_mul(height)
            .map(|product| product / span.max(1));
        let exactly = || i128::from(past) * i128::from(height) / i128::from(span.max(1));
        let down = down.unwrap_or_else(|| i64::try_from(exactly()).unwrap_or(0));
        narrow(i64::from(self.top).saturating_add(down))
    }

    /// The instant at y: rounded up where a tenth is more than a ms, so that `y(at(y)) == y`; else the nearest ms.
    fn at(&self, y: Tenths) -> Millis {
        let span = i128::from(wide(self.to.since(self.from)));
        let height = i128::from(self.bottom) - i128::from(self.top);
        if height <= 0 {
            return self.from;
        }
        let down = (i128::from(y) - i128::from(self.top)).clamp(0, height);
        let round = if height <= span {
            height - 1
        } else {
            height / 2
        };
        let past = (down * span + round) / height;
        self.from.plus(Millis(u64::try_from(past).unwrap_or(0)))
    }
}

fn stops(runs: &[&Run]) -> Vec<Stop> {
    let mut stops: Vec<Stop> = runs
        .iter()
        .flat_map(|run| run.events.iter())
        .filter(|e| significant(e))
        .map(|e| Stop {
            instant: Instant {
                at: e.at,
                position: e.sequence.saturating_add(1),
            },
            event: e.id,
        })
        .collect();
    // A stable sort: of two runs at one instant the first run's event stays first, and the other is dropped.
    sort::merge(&mut stops, |a, b| a.instant < b.instant);
    stops.dedup_by_key(|s| s.instant);
    stops
}

/// How many events there are in each millisecond with events, of the run that has more of them. The events of a run are in
/// order already.
fn counts(runs: &[&Run]) -> Vec<(Millis, u32)> {
    let mut counts: Vec<(Millis, u32)> = Vec::new();
    let mut rest: Vec<&[Event]> = runs.iter().map(|run| run.events.as_slice()).collect();
    let first = |rest: &[&[Event]]| rest.iter().filter_map(|e| Some(e.first()?.at)).min();
    while let Some(at) = first(&rest) {
        let mut most = 0;
        for events in &mut rest {
            let here = events.iter().take_while(|event| event.at == at).count();
            let (now, later) = events.split_at(here);
            most = most.max(now.last().map_or(0, |e| e.sequence.saturating_add(1)));
            *events = later;
        }
        counts.push((at, most));
    }
    counts
}

fn segments(
    times: &[u64],
    scale: Scale,
    rate: Tenths,
    unfolded: &Set<Millis>,
    reason_of: impl Fn(Millis, Millis) -> FoldReason,
) -> Vec<Segment> {
    let longest = LONGEST_PAUSE.max(u64::from((2 * scale.fold / rate.max(1)).unsigned_abs()));
    let mut list: Vec<Segment> = Vec::new();
    let mut y = i64::from(scale.top);
    let mut add = |list: &mut Vec<Segment>, from: u64, to: u64, height: i64, kind, pause| {
        let top = narrow(y);
        y = y.saturating_add(height).min(LOWEST);
        list.push(Segment {
            from: Millis(from),
            to: Millis(to),
            top,
            bottom: narrow(y),
            kind,
            pause: Millis(pause),
        });
    };
    let mut start = 0_u64;
    for pair in times.windows(2) {
        let [before, after] = pair else { continue };
        let pause = after.saturating_sub(*before);
        if pause <= longest {
            continue;
        }
        let (rest, lead) = (before.saturating_add(REST), after.saturating_sub(LEAD));
        let span = i64::from(rate).saturating_mul(wide(Millis(rest.saturating_sub(start))));
        add(&mut list, start, rest, span, SegmentKind::Span, 0);
        let reason = reason_of(Millis(*before), Millis(*after));
        let open = unfolded.contains(&Millis(rest));
        let (height, kind) = if open {
            (OPENED, SegmentKind::Opened(reason))
        } else {
            (scale.fold, SegmentKind::Folded(reason))
        };
        add(&mut list, rest, lead, i64::from(height), kind, pause);
        start = lead;
    }
    let end = times.last().copied().unwrap_or(0).saturating_add(REST);
    let span = i64::from(rate).saturating_mul(wide(Millis(end.saturating_sub(start))));
    add(&mut list, start, end, span, SegmentKind::Span, 0);
    list
}

fn wide(t: Millis) -> i64 {
    i64::try_from(t.0).unwrap_or(i64::MAX)
}

fn narrow(y: i64) -> Tenths {
    Tenths::try_from(y.clamp(-LOWEST, LOWEST)).unwrap_or(0)
}
