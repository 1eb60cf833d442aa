//! The frame: where rail, strip and panels stand at a width, and how wide each column is.

use highwater_core::kafka::ids::Offset;

use super::columns::Columns;
use super::shape::{Tenths, px};
use super::view::{Half, Mode, Panel, View};

/// The narrowest column that has words.
pub const WORDS: Tenths = px(34);
/// The narrowest column of the lag panel that has lanes.
pub const LANES: Tenths = px(20);
/// The widest column of the lag panel; more room goes to the margins.
const WIDEST: Tenths = px(96);
/// Columns in a lens, and the widest they get.
const LENS: usize = 7;
/// Between two pictures, in px.
const BETWEEN: u32 = 16;
/// A closed panel's column on a phone.
const CLOSED: Tenths = px(11);

/// How much of the words there is room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Room {
    /// One open panel, two slim ones.
    Phone,
    /// Short step words, no words beside the strip but epochs.
    Narrow,
    /// Everything, a little tighter.
    Middle,
    /// Everything.
    #[default]
    Full,
}

/// One panel's columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelFrame {
    /// Borders of its columns, one more than there are columns; those without offset come after.
    pub edges: Vec<Tenths>,
    /// Borders of the columns without offset (producer acks only), one more than there are, or none.
    pub homeless: Vec<Tenths>,
    /// Whether it is drawn with words.
    pub open: bool,
}

impl PanelFrame {
    /// Whether it is left out.
    pub fn gone(&self) -> bool {
        self.right() <= self.left()
    }

    /// Left edge.
    pub fn left(&self) -> Tenths {
        self.edges.first().copied().unwrap_or(0)
    }

    /// Right edge, columns without offset included.
    pub fn right(&self) -> Tenths {
        let last = self.homeless.last().or_else(|| self.edges.last());
        last.copied().unwrap_or(0)
    }

    /// Right edge of the columns that have offsets.
    pub fn offsets_right(&self) -> Tenths {
        self.edges.last().copied().unwrap_or(0)
    }

    /// Left and right border of a column.
    pub fn column(&self, place: usize) -> Option<(Tenths, Tenths)> {
        let left = *self.edges.get(place)?;
        let right = *self.edges.get(place.checked_add(1)?)?;
        Some((left, right))
    }

    /// Left and right border of a column without offset.
    pub fn homeless(&self, place: usize) -> Option<(Tenths, Tenths)> {
        let left = *self.homeless.get(place)?;
        let right = *self.homeless.get(place.checked_add(1)?)?;
        Some((left, right))
    }

    /// Width of a column; 0 when there is none.
    pub fn width(&self, place: usize) -> Tenths {
        self.column(place).map_or(0, |(l, r)| r.saturating_sub(l))
    }

    /// Width of its widest column.
    pub fn widest(&self) -> Tenths {
        self.edges
            .windows(2)
            .filter_map(|e| Some(e.get(1)?.saturating_sub(*e.first()?)))
            .max()
            .unwrap_or(0)
    }
}

/// Where everything stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// How much room there is.
    pub room: Room,
    /// Left edge of the script's words.
    pub rail: Tenths,
    /// The ruler's line; the words of the script end before it.
    pub ruler: Tenths,
    /// Left edge of the partition strip.
    pub strip: Tenths,
    /// Width of one of its lanes.
    pub lane: Tenths,
    /// Left edge of the words beside it.
    pub strip_words: Tenths,
    /// How wide they may be.
    pub strip_room: Tenths,
    /// The panels, in the order of [`Panel::ALL`].
    pub panels: [PanelFrame; 3],
    /// Width of the whole.
    pub width: Tenths,
    /// y of instant 0.
    pub top: Tenths,
    /// Height of a folded pause.
    pub fold: Tenths,
}

struct Widths {
    rail: i32,
    gutter: i32,
    before_strip: i32,
    lane: i32,
    strip_gap: i32,
    strip_words: i32,
    gap: i32,
    homeless: i32,
    top: i32,
    fold: i32,
}

fn widths(room: Room) -> Widths {
    let (full, phone) = (
        Widths {
            rail: 140,
            gutter: 48,
            before_strip: 12,
            lane: 20,
            strip_gap: 8,
            strip_words: 110,
            gap: 23,
            homeless: 112,
            top: 104,
            fold: 30,
        },
        Widths {
            rail: 62,
            gutter: 0,
            before_strip: 6,
            lane: 9,
            strip_gap: 0,
            strip_words: 9,
            gap: 9,
            homeless: 0,
            top: 54,
            fold: 22,
        },
    );
    match room {
        Room::Full => full,
        Room::Middle => Widths {
            gutter: 46,
            lane: 18,
            strip_words: 106,
            gap: 20,
            homeless: 104,
            ..full
        },
        Room::Narrow => Widths {
            rail: 92,
            gutter: 46,
            lane: 11,
            strip_gap: 3,
            strip_words: 22,
            gap: 14,
            homeless: 84,
            top: 58,
            fold: 30,
            ..full
        },
        Room::Phone => phone,
    }
}

impl Frame {
    /// The frame for a view: so many replicas, these columns, so many columns without offset, and the column that a
    /// lens stands on when columns get very narrow.
    pub fn new(
        view: &View,
        replicas: usize,
        columns: &Columns,
        homeless: usize,
        chosen: Option<usize>,
    ) -> Frame {
        let (width, room) = (width(view), room(view));
        let mut w = widths(room);
        if view.half == Half::Right {
            (w.rail, w.gutter) = (0, 0);
        }
        let lanes = px(w.lane) * i32::try_from(replicas).unwrap_or(5).clamp(1, 9);
        let ruler = px(w.rail + w.gutter);
        let strip = ruler + px(w.before_strip);
        let strip_words = strip + lanes + px(w.strip_gap);
        let mut frame = Frame {
            room,
            rail: 0,
            ruler,
            strip,
            lane: px(w.lane),
            strip_words,
            strip_room: px(w.strip_words),
            panels: Default::default(),
            width,
            top: px(w.top),
            fold: px(w.fold),
        };
        let left = strip_words + px(w.strip_words);
        let of = Shared {
            columns: columns.len(),
            homeless,
            chosen,
            shown: Panel::ALL.map(|panel| !view.hides(panel)),
        };
        match view.mode {
            Mode::Wide => frame.share(left, &w, of),
            Mode::OneOpen(open) => frame.open_one(left, (open, 2 * 4 * CLOSED), &w, of),
            Mode::Alone(open) => {
                w.gap = 0;
                frame.open_one(left, (open, 0), &w, of);
            }
            Mode::Messages => {
                for panel in Panel::ALL {
                    frame.set(
                        panel,
                        PanelFrame {
                            edges: vec![left],
                            ..PanelFrame::default()
                        },
                    );
                }
            }
        }
        frame.width = frame.width.max(frame.panel(Panel::Visibility).right());
        frame
    }

    /// y of instant 0 and the height of a folded pause, for a view.
    pub fn vertical(view: &View) -> (Tenths, Tenths) {
        let w = widths(room(view));
        (px(w.top), px(w.fold))
    }

    /// A panel's frame.
    pub fn panel(&self, panel: Panel) -> &PanelFrame {
        let [acks, lag, visibility] = &self.panels;
        match panel {
            Panel::Acks => acks,
            Panel::Lag => lag,
            Panel::Visibility => visibility,
        }
    }

    /// x of an exclusive end offset in a panel: the border after its last record.
    pub fn x(&self, panel: Panel, columns: &Columns, end: Offset) -> Tenths {
        let frame = self.panel(panel);
        let (place, thousandths) = columns.edge(end);
        let left = frame.edges.get(place).copied();
        let left = left.unwrap_or_else(|| frame.offsets_right());
        let part = i64::from(frame.width(place)) * i64::from(thousandths) / 1000;
        left.saturating_add(i32::try_from(part).unwrap_or(0))
    }

    /// Three open panels, or those that are shown; the lag's columns are 1.5 times as wide as the others'.
    fn share(&mut self, left: Tenths, w: &Widths, mut of: Shared) {
        if !of.shows(Panel::Acks) {
            of.homeless = 0;
        }
        let count = len(of.columns);
        let extra = if of.homeless > 0 { px(w.homeless) } else { 0 };
        let others = len(of.homeless.saturating_sub(1));
        let gaps = px(of.gaps() * w.gap);
        let room = self.width.saturating_sub(left + gaps + extra).max(px(60));
        let factor = |panel: Panel| match panel {
            _ if !of.shows(panel) => 0,
            Panel::Lag => 3,
            _ => 2,
        };
        let factors = Panel::ALL.map(factor);
        let parts = factors.iter().sum::<i32>() * count + 2 * others;
        let one = |factor: i32| (room / parts.max(1) * factor).min(WIDEST * factor / 3);
        let whole =
            |factor: i32| (part(room, factor * count, parts)).min(WIDEST * factor / 3 * count);
        // What the widest columns leave over widens the gaps, where labels stand; the rest is margin.
        let used: Tenths = factors.into_iter().map(whole).sum();
        let over = (room - used - others * one(2)).max(0);
        let gap = px(w.gap) + (over / 3).min(px(60));
        let mut x = left;
        for panel in Panel::ALL {
            let mut frame = PanelFrame {
                edges: edges(x, whole(factor(panel)), of.columns, of.chosen),
                homeless: Vec::new(),
                open: of.shows(panel),
            };
            if panel == Panel::Acks && of.homeless > 0 {
                let mut at = frame.offsets_right();
                frame.homeless.push(at);
                for place in 1..=of.homeless {
                    let last = place == of.homeless;
                    at += if last { extra.max(one(2)) } else { one(2) };
                    frame.homeless.push(at);
                }
            }
            if frame.open {
                x = frame.right() + gap;
            }
            self.set(panel, frame);
        }
    }

    /// One open panel; the others get 11 px a column, less when there are many, or nothing. Two slim panels keep the
    /// room of four columns each, so that their names fit: that is `least`.
    fn open_one(&mut self, left: Tenths, (open, least): (Panel, Tenths), w: &Widths, of: Shared) {
        let gaps = px(of.gaps() * w.gap);
        let room = self.width.saturating_sub(left + gaps).max(px(60));
        let columns = |p| match p {
            _ if !of.shows(p) => 0,
            Panel::Acks => len(of.columns) + len(of.homeless),
            _ => len(of.columns),
        };
        let closed_columns: i32 = Panel::ALL
            .iter()
            .filter(|p| **p != open)
            .map(|p| columns(*p))
            .sum();
        let closed = match least {
            0 => 0,
            _ if closed_columns == 0 => 0,
            _ => (CLOSED * closed_columns).max(least).min(room * 2 / 5),
        };
        let opened = (room - closed).min(WIDEST * columns(open));
        let mut x = left;
        for panel in Panel::ALL {
            let is_open = panel == open;
            let whole = if is_open {
                opened
            } else {
                part(closed, columns(panel), closed_columns)
            };
            let own = part(whole, len(of.columns), columns(panel));
            let chosen = of.chosen.filter(|_| is_open);
            let mut frame = PanelFrame {
                edges: edges(x, own, of.columns, chosen),
                homeless: Vec::new(),
                open: is_open,
            };
            if panel == Panel::Acks && of.homeless > 0 {
                frame.homeless = edges(frame.offsets_right(), whole - own, of.homeless, None);
            }
            if of.shows(panel) {
                x = frame.right() + px(w.gap);
            }
            self.set(panel, frame);
        }
    }

    fn set(&mut self, panel: Panel, frame: PanelFrame) {
        if let Some(place) = self.panels.get_mut(panel.place()) {
            *place = frame;
        }
    }
}

fn width(view: &View) -> Tenths {
    px(i32::try_from(view.width)
        .unwrap_or(20_000)
        .clamp(if view.half == Half::Whole { 300 } else { 100 }, 20_000))
}

/// The widths of two pictures that share `width` px, in px: the first has the script and the times of both, so that the
/// columns of the two are equally wide.
pub fn halves(view: &View) -> [u32; 2] {
    let w = widths(room(view));
    let rail = u32::try_from(w.rail + w.gutter).unwrap_or(0);
    let both = view.width.saturating_sub(BETWEEN);
    let right = both.saturating_sub(rail) / 2;
    [both.saturating_sub(right), right]
}

fn room(view: &View) -> Room {
    match view.mode {
        Mode::OneOpen(_) | Mode::Alone(_) => Room::Phone,
        Mode::Messages if view.half != Half::Whole || width(view) < px(600) => Room::Phone,
        // Both halves are equally tall.
        Mode::Wide if view.half != Half::Whole => Room::Narrow,
        _ if width(view) >= px(1040) => Room::Full,
        _ if width(view) >= px(820) => Room::Middle,
        _ => Room::Narrow,
    }
}

/// What the panels are laid out for.
#[derive(Clone, Copy)]
struct Shared {
    columns: usize,
    homeless: usize,
    /// The column that a lens stands on.
    chosen: Option<usize>,
    /// Which panels there are.
    shown: [bool; 3],
}

impl Shared {
    /// How many gaps there are between the panels.
    fn gaps(self) -> i32 {
        len(self.shown.iter().filter(|shown| **shown).count()) - 1
    }

    fn shows(self, panel: Panel) -> bool {
        self.shown.get(panel.place()).copied().unwrap_or(true)
    }
}

fn len(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 1_000_000)
}

/// `numerator / denominator` of the whole.
fn part(whole: Tenths, numerator: i32, denominator: i32) -> Tenths {
    let part = i64::from(whole) * i64::from(numerator) / i64::from(denominator.max(1));
    i32::try_from(part).unwrap_or(whole)
}

/// Borders of `count` columns that share `whole`; a lens of wider columns round the chosen one takes room of the others.
fn edges(left: Tenths, whole: Tenths, count: usize, chosen: Option<usize>) -> Vec<Tenths> {
    let even = |total: Tenths, place: usize, of: usize| part(total, len(place), len(of));
    let lens = chosen.filter(|_| count > 3 * LENS && even(whole, 1, count) < LANES);
    let Some(chosen) = lens else {
        return (0..=count).map(|i| left + even(whole, i, count)).collect();
    };
    let first = chosen.saturating_sub(LENS / 2).min(count - LENS);
    let wide = WORDS.min(whole * 6 / 10 / len(LENS));
    let rest = whole - wide * len(LENS);
    (0..=count)
        .map(|i| {
            let inside = i.saturating_sub(first).min(LENS);
            left + wide * len(inside) + even(rest, i - inside, count - LENS)
        })
        .collect()
}
