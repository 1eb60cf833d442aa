//! The picture: a run as shapes with ids, classes and labels. No colours, no DOM; the page, an SVG file and the table
//! are made of the same shapes.
//!
//! Time runs down, the offset across; a record is one column in every panel, an instant one line.
//! Paint order: `grounds`, then [`overlay::under`], `shapes`, [`overlay::over`]. `heads` stand above the clock and may
//! be drawn apart, so that they stay while the picture scrolls.

mod acks;
mod attempts;
mod chain;
pub mod class;
pub mod clock;
pub mod columns;
pub mod file;
mod fold;
pub mod frame;
mod heads;
mod history;
mod homes;
mod label;
mod lag;
mod lanes;
mod measure;
pub mod messages;
pub mod overlay;
mod promise;
mod rail;
mod replica;
mod say;
mod sends;
mod series;
pub mod shape;
mod sheet;
pub mod spans;
mod story;
mod strip;
pub mod style;
pub mod svg;
pub mod table;
#[cfg(test)]
mod tests;
mod together;
pub mod view;
mod visibility;
pub mod words;

use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::kafka::sort;
use highwater_core::sim::Run;
use highwater_core::sim::verdict::Verdict;

use clock::{Clock, Scale};
use columns::Columns;
use frame::{Frame, Room};
use history::History;
use homes::Homes;
use shape::{Bounds, Point, Shape, Subject, Tenths, px};
use sheet::{Scene, Sheet};
use spans::RecordSpan;
use view::{Half, Panel, Target, View};
use words::Words;

/// Up to so many columns, one more stands empty at the right.
const SPARE: usize = 24;
/// Room under the clock: "kept" stands there.
const FOOT: Tenths = px(26);
/// Words of the last moment may reach so far under the clock.
const LOWEST_WORDS: Tenths = px(100);

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

/// Something that the picture says, whether or not there was room for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// When.
    pub at: Millis,
    /// The event, if it is one.
    pub event: Option<EventId>,
    /// What it belongs to.
    pub subject: Subject,
    /// The words.
    pub words: String,
}

/// A run as shapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Width of what is drawn: the view's, or more when that is too narrow for anything.
    pub width: Tenths,
    /// Height of the whole, heads included.
    pub height: Tenths,
    /// Height of the heads; the clock begins here.
    pub head: Tenths,
    /// Height of a folded pause.
    pub fold: Tenths,
    /// How much of the words there is room for.
    pub room: Room,
    /// x of the ruler's line.
    pub ruler: Tenths,
    /// Left and right edge of the partition strip's lanes.
    pub strip: (Tenths, Tenths),
    /// Time to y.
    pub clock: Clock,
    /// Offset to column.
    pub columns: Columns,
    /// The three panels.
    pub panels: Vec<PanelArea>,
    /// Names of panels, keys, numbers of offsets and lanes.
    pub heads: Vec<Shape>,
    /// Grounds that lie under the selection.
    pub grounds: Vec<Shape>,
    /// Everything else, in paint order.
    pub shapes: Vec<Shape>,
    /// Names of records; [`overlay::over`] draws all but the selected one's.
    pub names: Vec<Shape>,
    /// What can be pointed at, the topmost last.
    pub targets: Vec<TargetArea>,
    /// The segment of each record.
    pub spans: Vec<RecordSpan>,
    /// Everything that the picture says, by time: the table is made of it.
    pub notes: Vec<Note>,
}

/// Of a part: room above its first instant and below its last.
const ABOVE: Tenths = px(14);
const BELOW: Tenths = px(30);

impl Picture {
    /// The part that shows a stretch of the clock: how far it is moved up under its heads, and the height of both together;
    /// none of a picture that is not drawn yet.
    pub fn crop(&self, (from, to): (Millis, Millis)) -> Option<(Tenths, Tenths)> {
        if self.head == 0 {
            return None;
        }
        // The band of a pause is not cut in two, and the words under the end of the run stay.
        let from = self.clock.fold_at(from).map_or(from, |fold| fold.from);
        let above = self.clock.y(from).saturating_sub(ABOVE);
        let moved = above.saturating_sub(self.head).max(0);
        let below = match to.plus(Millis(clock::REST)) >= self.clock.end() {
            true => self.height,
            false => self.clock.y(to).saturating_add(BELOW),
        };
        Some((moved, below.min(self.height).saturating_sub(moved)))
    }

    /// The picture of a run.
    pub fn new(run: &Run, verdict: &Verdict, words: &dyn Words, view: &View) -> Picture {
        let clock = Clock::new(&[run], scale(view), &view.unfolded);
        let columns = columns(&[run]);
        Picture::on(run, verdict, words, view, clock, columns)
    }

    /// The pictures of two runs on one clock and the same columns, side by side at the view's width.
    pub fn pair(runs: [(&Run, &Verdict); 2], words: &dyn Words, view: &View) -> [Picture; 2] {
        Picture::both(runs, words, Picture::halves(view))
    }

    /// The same one above the other: each at the view's width, with times of its own.
    pub fn stacked(runs: [(&Run, &Verdict); 2], words: &dyn Words, view: &View) -> [Picture; 2] {
        Picture::both(runs, words, [view.clone(), view.clone()])
    }

    fn both(
        runs: [(&Run, &Verdict); 2],
        words: &dyn Words,
        [left, right]: [View; 2],
    ) -> [Picture; 2] {
        let both = [runs[0].0, runs[1].0];
        let clock = Clock::new(&both, scale(&left), &left.unfolded);
        let columns = columns(&both);
        let [a, b] = runs;
        [(a, left), (b, right)].map(|((run, verdict), half)| {
            let (clock, columns) = (clock.clone(), columns.clone());
            Picture::on(run, verdict, words, &half, clock, columns)
        })
    }

    /// The views of the two of a pair.
    pub fn halves(view: &View) -> [View; 2] {
        let half = |half| View {
            half,
            ..view.clone()
        };
        let [mut left, mut right] = [half(Half::Left), half(Half::Right)];
        [left.width, right.width] = frame::halves(&left);
        [left, right]
    }

    fn on(
        run: &Run,
        verdict: &Verdict,
        words: &dyn Words,
        view: &View,
        clock: Clock,
        columns: Columns,
    ) -> Picture {
        let whole = History::new(run, None);
        let homes = Homes::new(&whole, &clock);
        let spans = spans::spans(&whole, verdict, &homes);
        let history = match view.until {
            Some(_) => History::new(run, view.until),
            None => whole,
        };
        let chosen = spans.iter().find(|s| Some(s.record) == view.selected);
        let chosen = chosen.and_then(|s| columns.of(s.offset?));
        let frame = Frame::new(
            view,
            history.replicas.len(),
            &columns,
            homes.homeless,
            chosen,
        );
        let scene = Scene {
            run,
            verdict,
            words,
            view,
            history: &history,
            clock: &clock,
            columns: &columns,
            frame: &frame,
            homes: &homes,
        };
        let sheet = draw(&scene);
        let mut picture = Picture::assembled(&scene, sheet, spans);
        picture.add_record_targets(&scene);
        picture.clock = clock;
        picture.columns = columns;
        picture
    }

    fn assembled(scene: &Scene<'_>, sheet: Sheet, spans: Vec<RecordSpan>) -> Picture {
        let mut notes = sheet.notes;
        sort::insertion(&mut notes, |a, b| (a.at, a.event) < (b.at, b.event));
        let lowest = sheet.shapes.iter().map(|s| s.extent.1).max().unwrap_or(0);
        let frame = scene.frame;
        let lanes = frame.lane * i32::try_from(scene.history.replicas.len()).unwrap_or(0);
        Picture {
            width: frame.width,
            height: scene.clock.bottom().saturating_add(FOOT).max(lowest),
            head: frame.top,
            fold: frame.fold,
            room: frame.room,
            ruler: frame.ruler,
            strip: (frame.strip, frame.strip + lanes),
            panels: Panel::ALL.iter().map(|p| area(frame, *p)).collect(),
            heads: sheet.heads,
            grounds: sheet.grounds,
            shapes: sheet.shapes,
            names: sheet.names,
            targets: sheet.targets,
            clock: scene.clock.clone(),
            spans,
            notes,
            ..Picture::default()
        }
    }

    fn add_record_targets(&mut self, scene: &Scene<'_>) {
        let mut targets = Vec::new();
        for span in self.spans.iter().filter(|s| scene.shown(s.sent)) {
            let lost = scene
                .verdict_of(span.record)
                .is_some_and(|r| r.lost.is_some());
            for area in overlay::record_areas(self, span, lost, scene.frame, scene.columns) {
                targets.push(TargetArea {
                    target: Target::Record(span.record),
                    area,
                    subject: sheet::record(span.record),
                    label: scene.say(words::Word::Record(span.record)),
                });
            }
        }
        // Badges, folds and steps stay on top of the columns.
        targets.append(&mut self.targets);
        self.targets = targets;
    }

    /// The y of an instant at which something ends: what lasts to the end of the run reaches the foot of the clock.
    pub fn y_to(&self, t: Millis) -> Tenths {
        self.clock.y(t)
    }

    /// The words of the script's steps.
    fn steps(&self) -> impl Iterator<Item = &Shape> {
        self.shapes.iter().filter(|s| s.id.part == "step")
    }

    /// The times beside the ruler.
    fn times(&self) -> impl Iterator<Item = &Shape> {
        let times = |s: &&Shape| matches!(s.id.part, "time" | "election");
        self.shapes.iter().filter(times)
    }

    /// Whether the panel has words.
    pub fn is_open(&self, panel: Panel) -> bool {
        self.panels.iter().any(|p| p.panel == panel && p.open)
    }

    /// The shapes of a list that touch the stretch from `top` to `bottom`.
    pub fn in_view(shapes: &[Shape], top: Tenths, bottom: Tenths) -> impl Iterator<Item = &Shape> {
        shapes.iter().filter(move |s| s.within(top, bottom))
    }

    /// Where the numbers of brokers stand over their lanes in the strip.
    pub fn over_lanes(&self, lane: Bounds) -> Bounds {
        Bounds {
            top: self.head.saturating_sub(px(24)),
            bottom: self.head,
            ..lane
        }
    }

    /// What is at the point: the topmost target there.
    pub fn hit(&self, point: Point) -> Option<&TargetArea> {
        self.targets.iter().rev().find(|t| t.area.contains(point))
    }
}

fn scale(view: &View) -> Scale {
    let (top, fold) = Frame::vertical(view);
    Scale { top, fold }
}

fn columns(runs: &[&Run]) -> Columns {
    let tight = Columns::new(runs, false);
    if tight.len() <= SPARE {
        Columns::new(runs, true)
    } else {
        tight
    }
}

fn area(frame: &Frame, panel: Panel) -> PanelArea {
    let own = frame.panel(panel);
    PanelArea {
        panel,
        left: own.left(),
        right: own.right(),
        open: own.open,
    }
}

/// Draws everything, then gives the words their places.
fn draw(scene: &Scene<'_>) -> Sheet {
    let mut sheet = Sheet::default();
    let badges = match scene.view.half {
        // Numbers of a proof would answer the question.
        Half::Whole if scene.view.until.is_none() => chain::badges(scene, &mut sheet),
        // Two proofs would number each other's moments.
        _ => Vec::new(),
    };
    heads::draw(scene, &mut sheet);
    rail::draw(scene, &mut sheet);
    strip::draw(scene, &mut sheet);
    if !scene.panel(Panel::Acks).gone() {
        heads::guides(scene, &mut sheet, Panel::Acks);
        acks::draw(scene, &mut sheet);
    }
    if !scene.panel(Panel::Lag).gone() {
        lag::draw(scene, &mut sheet);
    }
    if !scene.panel(Panel::Visibility).gone() {
        visibility::draw(scene, &mut sheet);
    }
    if !scene.panel(Panel::Lag).gone() {
        story::draw(scene, &mut sheet);
    }
    let edges = std::mem::take(&mut sheet.edges);
    sheet.shapes.extend(edges);
    let labels = std::mem::take(&mut sheet.labels);
    // Under the veil of a question there are no words either.
    let foot = match scene.view.until {
        Some(_) => scene.end_y(),
        None => scene.clock.bottom().saturating_add(LOWEST_WORDS),
    };
    let (names, words): (Vec<Shape>, Vec<Shape>) = label::place(labels, &mut sheet.taken, foot)
        .into_iter()
        .partition(|s| s.id.part == "name");
    sheet.names = names;
    sheet.shapes.extend(words);
    sheet.shapes.extend(badges);
    sheet
}
