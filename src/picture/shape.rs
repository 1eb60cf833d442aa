//! Shapes: what a picture is made of. Integers only (tenths of a px), classes instead of colours, no DOM.

use highwater_core::kafka::ids::{BrokerId, EventId, Millis};

use super::class::Class;

/// Tenths of a CSS px: 74 is 7.4 px. y grows downwards, x to the right.
pub type Tenths = i32;

/// So many whole px in tenths.
pub const fn px(whole: i32) -> Tenths {
    whole.saturating_mul(10)
}

/// A point of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// From the left edge.
    pub x: Tenths,
    /// From the upper edge.
    pub y: Tenths,
}

/// The point at x, y.
pub const fn at(x: Tenths, y: Tenths) -> Point {
    Point { x, y }
}

/// A rectangle with its edges; `right >= left`, `bottom >= top`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Smallest x.
    pub left: Tenths,
    /// Smallest y.
    pub top: Tenths,
    /// Largest x.
    pub right: Tenths,
    /// Largest y.
    pub bottom: Tenths,
}

impl Bounds {
    /// Whether two rectangles share more than an edge.
    pub fn overlaps(&self, other: &Bounds) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether the point lies inside or on the edge.
    pub fn contains(&self, point: Point) -> bool {
        (self.left..=self.right).contains(&point.x) && (self.top..=self.bottom).contains(&point.y)
    }

    /// The rectangle grown by `by` on every side.
    pub fn grown(&self, by: Tenths) -> Bounds {
        Bounds {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: self.right.saturating_add(by),
            bottom: self.bottom.saturating_add(by),
        }
    }
}

/// Marks that are drawn from more than one stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Glyph {
    /// Disc with a tick: answered with success.
    Ok,
    /// Square with a bar: refused, nothing was appended.
    Refused,
    /// Ring with a question mark: no answer, or one that leaves the outcome open.
    Unknown,
    /// Cross: an acknowledged or seen record is gone.
    Lost,
    /// Small cross in ink: the process ended.
    Dead,
    /// Two squares: the same send is in the log again.
    Duplicate,
    /// Triangle: the consumer reads here.
    Read,
    /// Disc with a number of the proving chain, from 1.
    Badge(u8),
    /// Six dots: a step that can be dragged.
    Grip,
}

/// Where a text begins from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anchor {
    /// x is its left end.
    #[default]
    Start,
    /// x is its middle.
    Middle,
    /// x is its right end.
    End,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A straight line.
    Line(Point, Point),
    /// Straight lines through the points; a staircase when they alternate. Closed ones may be filled.
    Path {
        /// The corners, in order.
        points: Vec<Point>,
        /// Whether the last is joined to the first.
        closed: bool,
    },
    /// Several lines of one kind (the ticks of a ruler).
    Lines(Vec<(Point, Point)>),
    /// A rectangle.
    Rect(Bounds),
    /// One edge of folded time, a zigzag from `left` to `right` at `y`.
    Zigzag {
        /// Left end.
        left: Tenths,
        /// Right end.
        right: Tenths,
        /// Its middle.
        y: Tenths,
    },
    /// A mark of more than one stroke.
    Glyph {
        /// Which.
        glyph: Glyph,
        /// Its middle.
        middle: Point,
        /// Half its width.
        radius: Tenths,
    },
    /// One line of words; `at` is on the base line.
    Text {
        /// Where.
        at: Point,
        /// Which end of it.
        anchor: Anchor,
        /// Said first, heavier; may be empty.
        strong: String,
        /// Said after it.
        words: String,
        /// How wide the whole is taken to be, see `measure`.
        width: Tenths,
    },
}

/// A stable name: the same part of the same thing keeps it over re-runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId {
    /// Which part of the picture, for example "ack".
    pub part: &'static str,
    /// Of what: a record, offset, broker or step number.
    pub of: u64,
    /// Which of them, when there are several.
    pub place: u32,
}

impl core::fmt::Display for ShapeId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}-{}-{}", self.part, self.of, self.place)
    }
}

/// What a shape belongs to: hover, selection and clicks go by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subject {
    /// The record, from 1.
    pub record: Option<u64>,
    /// The broker.
    pub broker: Option<BrokerId>,
    /// The event that it shows.
    pub event: Option<EventId>,
    /// The step of the script.
    pub step: Option<u32>,
    /// The folded pause, named by the instant at which it begins.
    pub fold: Option<Millis>,
}

/// One shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its stable name.
    pub id: ShapeId,
    /// What it means; the style sheet gives it its look.
    pub class: Class,
    /// What is drawn.
    pub form: Form,
    /// What it belongs to.
    pub subject: Subject,
    /// Accessible text; empty for shapes that say nothing by themselves.
    pub label: String,
    /// Least and largest y, for drawing only what is in view.
    pub extent: (Tenths, Tenths),
}

impl Shape {
    /// A shape without subject and label.
    pub fn new(id: ShapeId, class: Class, form: Form) -> Shape {
        let extent = form.bounds();
        Shape {
            id,
            class,
            form,
            subject: Subject::default(),
            label: String::new(),
            extent: (extent.top, extent.bottom),
        }
    }

    /// The shape with its subject.
    pub fn of(mut self, subject: Subject) -> Shape {
        self.subject = subject;
        self
    }

    /// The shape with its accessible text.
    pub fn label(mut self, label: String) -> Shape {
        self.label = label;
        self
    }

    /// Whether it touches the stretch from `top` to `bottom`.
    pub fn within(&self, top: Tenths, bottom: Tenths) -> bool {
        self.extent.0 <= bottom && self.extent.1 >= top
    }
}

/// A line.
pub fn line(id: ShapeId, class: impl Into<Class>, a: Point, b: Point) -> Shape {
    Shape::new(id, class.into(), Form::Line(a, b))
}

/// A rectangle from its edges.
pub fn rect(id: ShapeId, class: impl Into<Class>, bounds: Bounds) -> Shape {
    Shape::new(id, class.into(), Form::Rect(bounds))
}

/// A staircase or outline.
pub fn path(id: ShapeId, class: impl Into<Class>, points: Vec<Point>, closed: bool) -> Shape {
    Shape::new(id, class.into(), Form::Path { points, closed })
}

/// A mark.
pub fn glyph(
    id: ShapeId,
    class: impl Into<Class>,
    glyph: Glyph,
    middle: Point,
    radius: Tenths,
) -> Shape {
    let form = Form::Glyph {
        glyph,
        middle,
        radius,
    };
    Shape::new(id, class.into(), form)
}

/// The rectangle between four edges.
pub const fn edges(left: Tenths, top: Tenths, right: Tenths, bottom: Tenths) -> Bounds {
    Bounds {
        left,
        top,
        right,
        bottom,
    }
}

/// Room that a line of words takes above its base line.
pub const ASCENT: Tenths = px(10);
/// Room that it takes below.
pub const DESCENT: Tenths = px(3);

impl Form {
    /// The smallest rectangle around it, without the width of strokes.
    pub fn bounds(&self) -> Bounds {
        match self {
            Form::Line(a, b) => around([*a, *b].iter()),
            Form::Path { points, .. } => around(points.iter()),
            Form::Lines(lines) => around(lines.iter().flat_map(|(a, b)| [a, b])),
            Form::Rect(bounds) => *bounds,
            Form::Zigzag { left, right, y } => Bounds {
                left: *left,
                top: y.saturating_sub(px(3)),
                right: *right,
                bottom: y.saturating_add(px(3)),
            },
            Form::Glyph { middle, radius, .. } => around([*middle].iter()).grown(*radius),
            Form::Text {
                at, anchor, width, ..
            } => text_bounds(*at, *anchor, *width),
        }
    }
}

/// The box that a line of words takes.
pub fn text_bounds(at: Point, anchor: Anchor, width: Tenths) -> Bounds {
    let left = match anchor {
        Anchor::Start => at.x,
        Anchor::Middle => at.x.saturating_sub(width / 2),
        Anchor::End => at.x.saturating_sub(width),
    };
    Bounds {
        left,
        top: at.y.saturating_sub(ASCENT),
        right: left.saturating_add(width),
        bottom: at.y.saturating_add(DESCENT),
    }
}

fn around<'a>(points: impl Iterator<Item = &'a Point>) -> Bounds {
    let mut bounds: Option<Bounds> = None;
    for point in points {
        let b = bounds.get_or_insert(Bounds {
            left: point.x,
            top: point.y,
            right: point.x,
            bottom: point.y,
        });
        b.left = b.left.min(point.x);
        b.top = b.top.min(point.y);
        b.right = b.right.max(point.x);
        b.bottom = b.bottom.max(point.y);
    }
    bounds.unwrap_or_default()
}
