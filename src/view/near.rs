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

/// So much above and below the window is drawn of a picture that is new, in px: what the window shows comes first.
const FIRST: i32 = 240;

impl State {
    /// The stretch of the picture that is drawn; none = all of it.
    pub fn near(&self) -> Option<(Tenths, Tenths)> {
        if self.first.is_some() {
            return self.first;
        }
        let top = self.window.filter(|_| self.picture.height > WHOLE)?;
        Some((px(top - BEYOND.0), px(top + BEYOND.1)))
    }

    /// Of a picture that is new what the window shows is drawn first, unless that is nearly all of it.
    pub(super) fn draw_first(&mut self) {
        let eye = self.eye.filter(|_| self.crop().is_none());
        let stretch = |(top, bottom): (i32, i32)| (px(top - FIRST), px(bottom + FIRST));
        let part = |(top, bottom): &(Tenths, Tenths)| {
            i64::from(bottom.saturating_sub(*top)) * 4 < i64::from(self.picture.height) * 3
        };
        self.first = eye.map(stretch).filter(part);
    }

    /// Whether the window shows more of a new picture than was drawn first.
    pub fn shows_more(&self) -> bool {
        let (Some((top, bottom)), Some(first)) = (self.eye, self.first) else {
            return self.first.is_some();
        };
        let (top, bottom) = (px(top).max(0), px(bottom).min(self.picture.height));
        top < bottom && (top < first.0 || bottom > first.1)
    }
}
