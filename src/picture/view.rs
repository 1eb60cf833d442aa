//! How a picture is looked at: the room it has, which panel is open, what is selected.

use highwater_core::kafka::map::Set;

use highwater_core::kafka::ids::{BrokerId, EventId, Millis, SendId};
use highwater_core::sim::Instant;

use super::shape::Tenths;

/// A timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Panel {
    /// What the producer was told.
    Acks,
    /// What each broker has, and knows is committed.
    #[default]
    Lag,
    /// What a consumer may read.
    Visibility,
}

impl Panel {
    /// From left to right.
    pub const ALL: [Panel; 3] = [Panel::Acks, Panel::Lag, Panel::Visibility];

    /// Its place from the left, from 0.
    pub fn place(self) -> usize {
        match self {
            Panel::Acks => 0,
            Panel::Lag => 1,
            Panel::Visibility => 2,
        }
    }
}

/// How the three panels share the width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Three open panels.
    #[default]
    Wide,
    /// One open panel, two slim ones (a phone).
    OneOpen(Panel),
    /// One panel and nothing else: half of a phone.
    Alone(Panel),
    /// No panel: script, clock and partition strip stand beside the messages view, which is drawn elsewhere.
    Messages,
}

impl Mode {
    /// The mode for a container: one open panel under 600 px.
    pub fn for_width(width_px: u32, open: Panel) -> Mode {
        if width_px < 600 {
            Mode::OneOpen(open)
        } else {
            Mode::Wide
        }
    }
}

/// Whether a picture stands alone, or shares script and clock with another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// It stands alone.
    #[default]
    Whole,
    /// A: it has the script and the times of both.
    Left,
    /// B: it has neither.
    Right,
}

/// How a picture is looked at. The first four change the big list of shapes (see [`View::frame`]); playhead, selection,
/// hover and focus only change the overlays, except that a lens follows the selection when columns are very narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Width of the container in px.
    pub width: u32,
    /// How the panels share it.
    pub mode: Mode,
    /// Panels that are left out, in the order of [`Panel::ALL`]. One at least is not.
    pub hidden: [bool; 3],
    /// Whether another picture stands beside it.
    pub half: Half,
    /// Answers that B has got at another time than A: the call, its attempt, and how much later, in ms.
    pub late: Vec<(SendId, u32, i64)>,
    /// Folded pauses that are open, each named by the instant at which it begins.
    pub unfolded: Set<Millis>,
    /// Nothing after this instant is drawn, because a question is asked; none = everything is.
    pub until: Option<Instant>,
    /// Where the playhead stands; none = there is none.
    pub playhead: Option<Instant>,
    /// The selected record, from 1.
    pub selected: Option<u64>,
    /// What the pointer is over.
    pub hovered: Option<Target>,
    /// What has the focus.
    pub focused: Option<Target>,
}

impl Mode {
    /// The mode of each half for a container that holds two.
    pub fn for_halves(width_px: u32, open: Panel) -> Mode {
        match width_px {
            0..700 => Mode::Alone(open),
            700..1200 => Mode::OneOpen(open),
            _ => Mode::Wide,
        }
    }
}

impl View {
    /// Whether a panel is left out.
    pub fn hides(&self, panel: Panel) -> bool {
        self.hidden.get(panel.place()).copied().unwrap_or(false)
    }

    /// Everything at this width.
    pub fn wide(width: u32) -> View {
        View {
            width,
            ..View::default()
        }
    }
}

/// Something that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A record's column segment.
    Record(u64),
    /// A step of the script, by its index.
    Step(u32),
    /// A folded pause, by the instant at which it begins.
    Fold(Millis),
    /// A mark of an event.
    Event(EventId),
    /// A broker's lane in the partition strip.
    Lane(BrokerId),
}

/// A stretch of the picture that is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Least y.
    pub top: Tenths,
    /// Largest y.
    pub bottom: Tenths,
}
