//! Playing: the playhead moves down the picture at an even pace, so a folded pause takes a moment, whatever its length.

use highwater_core::sim::Instant;

use super::ran::Ran;
use crate::picture::clock::Clock;
use crate::picture::shape::Tenths;

/// Tenths of a px a millisecond: 100 px a second, so that a fold of 30 px is crossed in 300 ms.
const PACE: f64 = 1.0;
/// A long picture is played faster: none takes longer than this, in ms.
const LONGEST: f64 = 60_000.0;
/// With reduced motion: one event a second.
const STEP_EVERY: f64 = 1_000.0;

/// Whether and how it plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Player {
    /// It plays.
    pub playing: bool,
    /// Event by event, once a second.
    pub stepwise: bool,
    /// ms since the last event, when it goes stepwise.
    waited: f64,
    /// How far down the picture it is, in tenths of a px; none before the first frame.
    place: Option<f64>,
}

impl Player {
    /// Starts.
    pub fn start(&mut self) {
        self.playing = true;
        self.waited = 0.0;
        self.place = None;
    }

    /// Where the playhead is after `passed` ms; it stops by itself at the end.
    pub fn tick(
        &mut self,
        passed: f64,
        from: Instant,
        (ran, end): (&Ran, Instant),
        clock: &Clock,
    ) -> Instant {
        if !self.playing || !passed.is_finite() || passed <= 0.0 {
            return from;
        }
        if self.stepwise {
            return self.step(passed, from, (ran, end));
        }
        let (top, bottom) = (f64::from(clock.top()), f64::from(clock.y(end.at)));
        let pace = PACE.max((bottom - top) / LONGEST);
        let place = self.place.unwrap_or_else(|| f64::from(clock.y(from.at))) + passed * pace;
        self.place = Some(place);
        if place >= bottom {
            self.playing = false;
            return end;
        }
        // Between top and bottom of the picture, so it fits.
        clock.instant(place as Tenths).min(end).max(from)
    }

    fn step(&mut self, passed: f64, from: Instant, (ran, end): (&Ran, Instant)) -> Instant {
        self.waited += passed;
        if self.waited < STEP_EVERY {
            return from;
        }
        self.waited = 0.0;
        match ran.moments.next(from) {
            Some((instant, _)) if instant <= end => instant,
            _ => {
                self.playing = false;
                from
            }
        }
    }
}
