//! The picture: a run as shapes with ids, classes and labels. No colours, no DOM; the page, an SVG file and the table
//! are made of the same shapes.
//!
//! Time runs down, the offset across; a record is one column in every panel, an instant one line.
//! Paint order: `grounds`, the overlay's `under`, `shapes`, the overlay's `over`; `heads` stand above the clock and
//! may be drawn apart, so that they stay while the picture scrolls.

pub mod class;
pub mod clock;
mod fold;
mod say;
pub mod shape;
pub mod view;
pub mod words;

use clock::Clock;
use shape::{Bounds, Shape, Subject, Tenths};
use view::{Panel, Target};

/// Where a panel stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanelArea {
    /// Which.
    pub panel: Panel,
    /// Left edge.
    pub left: Tenths,
    /// Right edge.
    pub right: Tenths,
    /// Whether it is drawn with words (all are, unless one is open on a phone).
    pub open: bool,
}

/// Something that can be pointed at, and where it is. A record has one area in each panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetArea {
    /// What.
    pub target: Target,
    /// Where.
    pub area: Bounds,
    /// What else it belongs to.
    pub subject: Subject,
    /// Accessible name.
    pub label: String,
}

/// A run as shapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Width of what is drawn; at most the view's, unless that is too narrow for the lanes.
    pub width: Tenths,
    /// Height of the whole, heads included.
    pub height: Tenths,
    /// Height of the heads; the clock begins here.
    pub head: Tenths,
    /// Time to y.
    pub clock: Clock,
    /// The three panels.
    pub panels: Vec<PanelArea>,
    /// Names of panels, keys, numbers of offsets and lanes.
    pub heads: Vec<Shape>,
    /// Grounds that lie under the selection.
    pub grounds: Vec<Shape>,
    /// Everything else, in paint order.
    pub shapes: Vec<Shape>,
    /// What can be pointed at, the topmost last.
    pub targets: Vec<TargetArea>,
}

impl Picture {
    /// The shapes of a list that touch the stretch from `top` to `bottom`.
    pub fn in_view(shapes: &[Shape], top: Tenths, bottom: Tenths) -> impl Iterator<Item = &Shape> {
        shapes.iter().filter(move |s| s.within(top, bottom))
    }

    /// What is at the point: the topmost target there.
    pub fn hit(&self, point: shape::Point) -> Option<&TargetArea> {
        self.targets.iter().rev().find(|t| t.area.contains(point))
    }
}
