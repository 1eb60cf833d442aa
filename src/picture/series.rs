//! A value over time that holds until it changes, and intervals of time.

use highwater_core::kafka::ids::{Millis, Offset};

/// A stretch of time, from its first instant until just before its last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// First instant.
    pub from: Millis,
    /// Last instant, exclusive.
    pub to: Millis,
}

impl Interval {
    /// From one instant to another.
    pub fn new(from: Millis, to: Millis) -> Interval {
        Interval { from, to }
    }

    /// Whether the instant lies in it.
    pub fn contains(&self, t: Millis) -> bool {
        self.from <= t && t < self.to
    }

    /// What both have in common, if that is more than nothing.
    pub fn and(&self, other: &Interval) -> Option<Interval> {
        let both = Interval::new(self.from.max(other.from), self.to.min(other.to));
        (both.from < both.to).then_some(both)
    }
}

/// An offset over time: each entry holds until the next. Several entries of one instant are kept in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    points: Vec<(Millis, Offset)>,
}

impl Series {
    /// Notes a value; a value that is the present one changes nothing.
    pub fn push(&mut self, at: Millis, value: Offset) {
        if self.points.last().is_none_or(|(_, v)| *v != value) {
            self.points.push((at, value));
        }
    }

    /// Notes a value even when it is the present one: the series begins anew there.
    pub fn restart(&mut self, at: Millis, value: Offset) {
        self.points.push((at, value));
    }

    /// All changes in order.
    pub fn points(&self) -> &[(Millis, Offset)] {
        &self.points
    }

    /// The value after everything of that instant; the first value before the first entry, 0 when there is none.
    pub fn at(&self, t: Millis) -> Offset {
        let place = self.points.partition_point(|(at, _)| *at <= t);
        self.points
            .get(place.saturating_sub(1))
            .map_or(Offset(0), |(_, v)| *v)
    }

    /// The value before everything of that instant.
    pub fn before(&self, t: Millis) -> Offset {
        let place = self.points.partition_point(|(at, _)| *at < t);
        self.points
            .get(place.saturating_sub(1))
            .map_or(Offset(0), |(_, v)| *v)
    }

    /// The entries of an interval: first the value at its beginning, then each later change before its end.
    pub fn within(&self, interval: Interval) -> Vec<(Millis, Offset)> {
        let mut list = vec![(interval.from, self.at(interval.from))];
        let start = self.points.partition_point(|(at, _)| *at <= interval.from);
        list.extend(
            self.points
                .iter()
                .skip(start)
                .take_while(|(at, _)| *at < interval.to)
                .copied(),
        );
        list
    }

    /// When the value was larger than `offset`, between the first entry and `end`.
    pub fn above(&self, offset: Offset, end: Millis) -> Vec<Interval> {
        let mut list: Vec<Interval> = Vec::new();
        let mut since: Option<Millis> = None;
        for (at, value) in &self.points {
            match (since, *value > offset) {
                (None, true) => since = Some(*at),
                (Some(from), false) => {
                    if from < *at {
                        list.push(Interval::new(from, *at));
                    }
                    since = None;
                }
                _ => {}
            }
        }
        if let Some(from) = since.filter(|from| *from < end) {
            list.push(Interval::new(from, end));
        }
        list
    }
}

/// Whether one of the intervals holds the instant.
pub fn holds(intervals: &[Interval], t: Millis) -> bool {
    intervals.iter().any(|i| i.contains(t))
}
