//! Playing: the playhead moves down the picture at an even pace, so a folded pause takes a moment, whatever its length.

use highwater_core::sim::run::Instant;

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
    /// What is left over from the last tick: tenths of a px, or ms when it goes stepwise.
    rest: f64,
}

impl Player {
    /// Starts.
    pub fn start(&mut self) {
        self.playing = true;
        self.rest = 0.0;
    }

    /// Where the playhead is after `passed` ms; it stops by itself at the end.
    pub fn tick(&mut self, passed: f64, from: Instant, ran: &Ran, clock: &Clock) -> Instant {
        if !self.playing || !passed.is_finite() || passed <= 0.0 {
            return from;
        }
        if self.stepwise {
            return self.step(passed, from, ran);
        }
        let height = f64::from(clock.bottom().saturating_sub(clock.top()));
        let pace = PACE.max(height / LONGEST);
        self.rest += passed * pace;
        let whole = self.rest.floor().clamp(0.0, height + 1.0);
        self.rest -= whole;
        let y = clock.y(from.at);
        // A float that was clamped to the height of the picture fits.
        let next = y.saturating_add(whole as Tenths);
        if next >= clock.bottom() {
            self.playing = false;
            return ran.end();
        }
        if next <= y {
            return from;
        }
        clock.instant(next).max(from)
    }

    fn step(&mut self, passed: f64, from: Instant, ran: &Ran) -> Instant {
        self.rest += passed;
        if self.rest < STEP_EVERY {
            return from;
        }
        self.rest = 0.0;
        match ran.moments.next(from) {
            Some((instant, _)) => instant,
            None => {
                self.playing = false;
                from
            }
        }
    }
}
