//! What panels draw on, and what they draw from.

use highwater_core::kafka::ids::{EventId, Millis, Offset};
use highwater_core::sim::Run;
use highwater_core::sim::{RecordVerdict, Verdict};

use super::class::{Class, Hue, Look};
use super::clock::Clock;
use super::columns::Columns;
use super::frame::{Frame, PanelFrame};
use super::history::History;
use super::homes::Homes;
use super::label::{Label, Taken};
use super::shape::{Form, Point, Shape, ShapeId, Subject, Tenths, at, path};
use super::view::{Panel, View};
use super::words::{Word, Words};
use super::{Note, TargetArea};

/// What panels draw from.
pub struct Scene<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its verdict.
    pub verdict: &'a Verdict,
    /// The language.
    pub words: &'a dyn Words,
    /// How it is looked at.
    pub view: &'a View,
    /// The run read once.
    pub history: &'a History,
    /// Time to y.
    pub clock: &'a Clock,
    /// Offset to column.
    pub columns: &'a Columns,
    /// Where everything stands.
    pub frame: &'a Frame,
    /// The column of each produce call.
    pub homes: &'a Homes,
}

impl Scene<'_> {
    /// Says something.
    pub fn say(&self, word: Word<'_>) -> String {
        self.words.say(word)
    }

    /// y of an instant.
    pub fn y(&self, t: Millis) -> Tenths {
        self.clock.y(t)
    }

    /// x of an exclusive end offset.
    pub fn x(&self, panel: Panel, end: Offset) -> Tenths {
        self.frame.x(panel, self.columns, end)
    }

    /// A panel's frame.
    pub fn panel(&self, panel: Panel) -> &PanelFrame {
        self.frame.panel(panel)
    }

    /// y of the last instant that is drawn.
    pub fn end_y(&self) -> Tenths {
        if self.view.until.is_some() {
            self.y(self.history.end)
        } else {
            self.clock.bottom()
        }
    }

    /// y of the end of an interval: what lasts to the end of the run is drawn to the foot of the clock.
    pub fn to_y(&self, t: Millis) -> Tenths {
        if t >= self.history.end {
            self.end_y()
        } else {
            self.y(t)
        }
    }

    /// The verdict on a record. Verdicts are in the order of the records' numbers.
    pub fn verdict_of(&self, record: u64) -> Option<&RecordVerdict> {
        let records = &self.verdict.records;
        let place = records.partition_point(|r| r.record < record);
        records.get(place).filter(|r| r.record == record)
    }

    /// Whether something that happened then is drawn.
    pub fn shown(&self, t: Millis) -> bool {
        t <= self.history.end
    }
}

/// The hue of the replica at a place of the replica list, from 0.
pub fn replica_hue(place: usize) -> Hue {
    Hue::Replica(u8::try_from(place.saturating_add(1)).unwrap_or(5))
}

/// A name for a shape.
pub fn id(part: &'static str, of: u64, place: usize) -> ShapeId {
    ShapeId {
        part,
        of,
        place: u32::try_from(place).unwrap_or(u32::MAX),
    }
}

/// The subject of a record.
pub fn record(number: u64) -> Subject {
    Subject {
        record: Some(number),
        ..Subject::default()
    }
}

/// What panels draw on.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Under the selection.
    pub grounds: Vec<Shape>,
    /// Above it.
    pub shapes: Vec<Shape>,
    /// Edges of folded time, which cross all panels.
    pub edges: Vec<Shape>,
    /// Names of records, which the selection replaces.
    pub names: Vec<Shape>,
    /// Above the clock.
    pub heads: Vec<Shape>,
    /// Words that want a place.
    pub labels: Vec<Label>,
    /// Marks that words keep off.
    pub taken: Taken,
    /// What can be pointed at.
    pub targets: Vec<TargetArea>,
    /// Everything that the picture says, drawn or not.
    pub notes: Vec<Note>,
}

impl Sheet {
    /// Adds a shape.
    pub fn put(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// Adds a mark, which words keep off.
    pub fn mark(&mut self, shape: Shape) {
        self.taken.add(shape.form.bounds());
        self.shapes.push(shape);
    }

    /// Words that want a place.
    pub fn label(&mut self, label: Label) {
        self.labels.push(label);
    }

    /// Words over the panels, at their place.
    pub fn head(&mut self, id: ShapeId, class: impl Into<Class>, form: Form) {
        self.heads.push(Shape::new(id, class.into(), form));
    }

    /// Something the picture says.
    pub fn note(&mut self, at: Millis, event: Option<EventId>, subject: Subject, words: String) {
        self.notes.push(Note {
            at,
            event,
            subject,
            words,
        });
    }
}

/// The corners of a staircase: down while the value holds, across when it moves.
pub fn stair(
    scene: &Scene<'_>,
    panel: Panel,
    points: &[(Millis, Offset)],
    end_y: Tenths,
) -> Vec<Point> {
    let mut corners: Vec<Point> = Vec::with_capacity(points.len() * 2 + 1);
    let mut add = |p: Point| {
        if corners.last() != Some(&p) {
            corners.push(p);
        }
    };
    let mut x: Option<Tenths> = None;
    for (t, value) in points {
        let y = scene.y(*t);
        if let Some(x) = x {
            add(at(x, y));
        }
        let next = scene.x(panel, *value);
        add(at(next, y));
        x = Some(next);
    }
    if let Some(x) = x {
        add(at(x, end_y));
    }
    corners
}

/// Puts a stair as pieces of at most 64 corners, so that a long one can be drawn where it is in view.
pub fn put_stair(sheet: &mut Sheet, part: &'static str, of: u64, look: Look, corners: &[Point]) {
    const PIECE: usize = 64;
    let mut place = 0;
    let mut start = 0;
    while start + 1 < corners.len() {
        let end = (start + PIECE).min(corners.len());
        let piece = corners.get(start..end).unwrap_or_default().to_vec();
        sheet.put(path(id(part, of, place), look, piece, false));
        place += 1;
        start = end - 1;
    }
}
