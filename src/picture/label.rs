//! Where words go when marks crowd: higher ranks first, a lower one moves down a line, then goes.

use highwater_core::kafka::map::Map;
use highwater_core::kafka::sort;

use super::class::{Class, Look};
use super::measure;
use super::shape::{
    Anchor, Bounds, Form, Point, Shape, ShapeId, Subject, Tenths, at, px, text_bounds,
};

/// From one line of words to the next.
pub const LINE: Tenths = px(14);

/// What is kept before what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Never dropped in favour of another rank: lost, refused, no answer, the duration of folded time.
    Outcome,
    /// What the headline is about.
    Headline,
    /// What a step does.
    Step,
    /// HW and LEO.
    Value,
    /// "ok" and names.
    Name,
    /// Everything else.
    #[default]
    Quiet,
}

/// Words that want a place.
#[derive(Clone, Debug)]
pub struct Label {
    /// Name of the shape it becomes.
    pub id: ShapeId,
    /// What is kept before what.
    pub rank: Rank,
    /// Look and hue.
    pub class: Class,
    /// Base line of the first line.
    pub at: Point,
    /// Which end `at` is.
    pub anchor: Anchor,
    /// Heavier words at the beginning of the first line.
    pub strong: String,
    /// The lines.
    pub lines: Vec<String>,
    /// Other places for `at`, tried in order when the first has no room.
    pub or: Vec<(Point, Anchor)>,
    /// A mark that is only drawn together with the words.
    pub with: Option<Shape>,
    /// Whether it may cross the edge of a fold as well as stand clear of it.
    pub crosses: bool,
    /// How many lines it may move down.
    pub down: u8,
    /// It must not begin before this x.
    pub left: Tenths,
    /// It must not reach beyond this x.
    pub right: Tenths,
    /// What it belongs to.
    pub subject: Subject,
}

impl Label {
    /// Words right of `at` that may go anywhere.
    pub fn new(id: ShapeId, rank: Rank, look: Look, at: Point, words: String) -> Label {
        Label {
            id,
            rank,
            class: look.into(),
            at,
            anchor: Anchor::Start,
            strong: String::new(),
            lines: vec![words],
            or: Vec::new(),
            with: None,
            crosses: false,
            down: 1,
            left: Tenths::MIN,
            right: Tenths::MAX,
            subject: Subject::default(),
        }
    }

    /// With its subject.
    pub fn of(mut self, subject: Subject) -> Label {
        self.subject = subject;
        self
    }

    /// Anchored differently.
    pub fn anchored(mut self, anchor: Anchor) -> Label {
        self.anchor = anchor;
        self
    }

    /// Not beyond these.
    pub fn between(mut self, left: Tenths, right: Tenths) -> Label {
        (self.left, self.right) = (left, right);
        self
    }

    /// With another place to try.
    pub fn or(mut self, at: Point, anchor: Anchor) -> Label {
        self.or.push((at, anchor));
        self
    }

    /// Moved down so many lines at most.
    pub fn down(mut self, lines: u8) -> Label {
        self.down = lines;
        self
    }

    /// Broken into lines no wider than `room`, where words allow it.
    pub fn wrapped(mut self, room: Tenths) -> Label {
        let words = self.lines.join(" ");
        self.lines = wrap(self.class.look, &words, room);
        self
    }

    fn line_width(&self, place: usize) -> Tenths {
        let words = self.lines.get(place).map_or("", String::as_str);
        let strong = if place == 0 { self.strong.as_str() } else { "" };
        measure::both(self.class.look, strong, words)
    }

    fn boxes(&self, (spot, anchor): (Point, Anchor)) -> Vec<Bounds> {
        let lines = 0..self.lines.len();
        lines
            .zip(0_i32..)
            .map(|(place, n)| {
                let y = spot.y.saturating_add(n * LINE);
                text_bounds(at(spot.x, y), anchor, self.line_width(place))
            })
            .collect()
    }

    /// Every place it may take, in the order in which they are tried: first all at their height, then a line lower.
    fn places(&self) -> Vec<(Point, Anchor)> {
        let down = 0..=i32::from(self.down);
        let lower = |spot: Point, n: i32| at(spot.x, spot.y.saturating_add(n * LINE));
        down.flat_map(|n| {
            let others = self.or.iter().copied();
            let all = core::iter::once((self.at, self.anchor)).chain(others);
            all.map(move |(spot, anchor)| (lower(spot, n), anchor))
        })
        .collect()
    }
}

/// Broken at spaces, after underscores, and anywhere between CJK characters.
fn wrap(look: Look, words: &str, room: Tenths) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in pieces(words) {
        let line = lines.last().map_or("", String::as_str);
        let joined = format!("{line}{piece}");
        if line.is_empty() || measure::width(look, joined.trim_end()) <= room {
            if let Some(last) = lines.last_mut() {
                *last = joined;
            }
        } else {
            lines.push(piece);
        }
    }
    lines.iter().map(|l| l.trim_end().to_owned()).collect()
}

fn pieces(words: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    for c in words.chars() {
        if let Some(last) = list.last_mut() {
            last.push(c);
        }
        // Hangul is broken at spaces only, like Korean prose.
        let han = ('\u{2e80}'..'\u{a4d0}').contains(&c);
        if c == ' ' || c == '_' || han {
            list.push(String::new());
        }
    }
    // "epoch 0" stays on one line.
    let mut whole: Vec<String> = Vec::new();
    for piece in list {
        let number = piece.starts_with(|c: char| c.is_ascii_digit());
        match whole
            .last_mut()
            .filter(|before| number && !before.trim().is_empty())
        {
            Some(before) => before.push_str(&piece),
            None => whole.push(piece),
        }
    }
    whole.retain(|p| !p.is_empty());
    whole
}

/// Boxes that are taken, by rows of 32 px so that a look-up costs little.
#[derive(Debug, Default)]
pub struct Taken {
    rows: Map<Tenths, Vec<Bounds>>,
    /// Edges that words cross only when there is no other place.
    edges: Map<Tenths, Vec<Bounds>>,
}

fn add_to(rows: &mut Map<Tenths, Vec<Bounds>>, bounds: Bounds) {
    for row in bounds.top.div_euclid(ROW)..=bounds.bottom.div_euclid(ROW) {
        rows.entry(row).or_default().push(bounds);
    }
}

fn free_in(rows: &Map<Tenths, Vec<Bounds>>, bounds: &Bounds) -> bool {
    (bounds.top.div_euclid(ROW)..=bounds.bottom.div_euclid(ROW)).all(|row| {
        let boxes = rows.get(&row);
        boxes.is_none_or(|boxes| boxes.iter().all(|b| !b.overlaps(bounds)))
    })
}

const ROW: Tenths = px(32);

impl Taken {
    /// Takes a box.
    pub fn add(&mut self, bounds: Bounds) {
        add_to(&mut self.rows, bounds);
    }

    /// Marks an edge that words had better not cross.
    pub fn add_edge(&mut self, bounds: Bounds) {
        add_to(&mut self.edges, bounds);
    }

    /// Whether nothing stands in the box.
    pub fn is_free(&self, bounds: &Bounds) -> bool {
        free_in(&self.rows, bounds)
    }

    /// Whether no edge crosses the box.
    fn is_clear(&self, bounds: &Bounds) -> bool {
        free_in(&self.edges, bounds)
    }
}

/// Gives the labels their places, highest rank first, and returns the shapes of those that found one.
/// None reaches below `foot`.
pub fn place(mut labels: Vec<Label>, taken: &mut Taken, foot: Tenths) -> Vec<Shape> {
    sort::insertion(&mut labels, |a, b| a.rank < b.rank);
    let mut shapes = Vec::new();
    for label in labels {
        let fits = |place: &(Point, Anchor), clear: bool| {
            label.boxes(*place).iter().all(|b| {
                b.left >= label.left
                    && b.right <= label.right
                    && b.bottom <= foot
                    && taken.is_free(b)
                    && (!clear || taken.is_clear(b))
            })
        };
        let places = label.places();
        let clear = places.iter().find(|place| fits(place, !label.crosses));
        let Some(place) = clear.or_else(|| places.iter().find(|place| fits(place, false))) else {
            continue;
        };
        for bounds in label.boxes(*place) {
            taken.add(bounds);
        }
        shapes.extend(label.with.clone());
        shapes.extend((0..label.lines.len()).map(|nth| line(&label, nth, *place)));
    }
    shapes
}

fn line(label: &Label, nth: usize, (spot, anchor): (Point, Anchor)) -> Shape {
    let number = i32::try_from(nth).unwrap_or(0);
    let y = spot.y.saturating_add(number.saturating_mul(LINE));
    let mut id = label.id;
    id.place = id
        .place
        .saturating_mul(8)
        .saturating_add(number.unsigned_abs());
    let strong = if nth == 0 {
        label.strong.clone()
    } else {
        String::new()
    };
    let form = Form::Text {
        at: at(spot.x, y),
        anchor,
        strong,
        words: label.lines.get(nth).cloned().unwrap_or_default(),
        width: label.line_width(nth),
    };
    Shape::new(id, label.class, form).of(label.subject)
}
