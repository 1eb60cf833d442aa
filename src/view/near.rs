//! Of a tall picture only what is near the window is drawn: a run of ten thousand events has a picture of many windows,
//! and the browser would lay out and paint all of it at every step of the playhead. Nothing is lost by that to those who
//! cannot see it, as they have the picture in words and the transcript.

use super::state::State;
use crate::picture::shape::{Tenths, px};

/// A picture up to this height is drawn whole.
const WHOLE: Tenths = px(3_600);
/// What is drawn changes each time the window has moved so far, in px.
pub const STEP: i32 = 600;
/// So much is drawn above and below the window's place, its own height included, in px.
const BEYOND: (i32, i32) = (900, 3_000);

impl State {
    /// The stretch of the picture that is drawn; none = all of it.
    pub fn near(&self) -> Option<(Tenths, Tenths)> {
        let top = self.window.filter(|_| self.picture.height > WHOLE)?;
        Some((px(top - BEYOND.0), px(top + BEYOND.1)))
    }
}
