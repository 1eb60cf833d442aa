//! The regions of the page: which element, what it depends on, how it is drawn.

use std::sync::Arc;

use super::html::Html;
use super::state::State;
use super::{
    address, against, compare, figure, logs, matrix, menu, page, playback, script, settings, side,
    tour, verdict, widget,
};
use crate::session::look;

/// What a region can depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The run.
    Run,
    /// The text of the script, right or wrong.
    Script,
    /// Where the playhead stands.
    Playhead,
    /// The event at the playhead.
    Event,
    /// The logs at the playhead.
    Logs,
    /// The selected record.
    Selected,
    /// What the pointer or the focus is on.
    Pointed,
    /// Whether it plays.
    Playing,
    /// How much of the matrix is computed.
    Matrix,
    /// The picture.
    Picture,
    /// Which stretch of a tall picture is drawn.
    Near,
    /// Whether the messages are shown.
    Shows,
    /// Anything that the reader did.
    Acts,
}

/// So many cells of the matrix are drawn at a time while it is computed.
const CELLS: u64 = 12;

impl Aspect {
    /// A number that changes when the aspect does.
    fn stamp(self, state: &State) -> u64 {
        let session = &state.session;
        let address = |pointer: *const ()| pointer as usize as u64;
        match self {
            Aspect::Run => state.run_stamp(),
            Aspect::Script => address(Arc::as_ptr(session.text()).cast()),
            Aspect::Playhead => {
                let playhead = session.playhead();
                playhead.at.0.wrapping_mul(1 << 20) ^ u64::from(playhead.position)
            }
            Aspect::Event => session.event_id().map_or(u64::MAX, |id| u64::from(id.0)),
            Aspect::Logs => address(Arc::as_ptr(&state.logs).cast()),
            Aspect::Selected => session.selected().unwrap_or(u64::MAX),
            Aspect::Pointed => pointed(state),
            Aspect::Playing => u64::from(session.playing()),
            // A whole row of cells at a time, and the last ones.
            Aspect::Matrix => session.matrix().map_or(0, |m| match m.finished() {
                true => u64::MAX,
                false => m.done.len() as u64 / CELLS + 1,
            }),
            Aspect::Picture => address(Arc::as_ptr(&state.picture).cast()),
            Aspect::Near => state
                .near()
                .map_or(0, |(top, bottom)| top as u64 ^ (bottom as u64) << 32),
            Aspect::Shows => u64::from(state.messages()),
            Aspect::Acts => state.changes,
        }
    }
}

fn pointed(state: &State) -> u64 {
    use crate::picture::view::Target;
    let number = |target: Option<Target>| match target {
        None => 0,
        Some(Target::Record(record)) => record.wrapping_mul(8) | 1,
        Some(Target::Step(step)) => (u64::from(step) * 8) | 2,
        Some(Target::Fold(at)) => at.0.wrapping_mul(8) | 3,
        Some(Target::Event(event)) => (u64::from(event.0) * 8) | 4,
        Some(Target::Lane(broker)) => (u64::from(broker.0) * 8) | 5,
    };
    number(state.session.hovered()).wrapping_mul(1_000_003) ^ number(state.session.focused())
}

/// Of several aspects, and of the language.
pub fn stamp(of: &[Aspect], state: &State) -> u64 {
    let mix = |hash: u64, aspect: &Aspect| {
        (hash ^ aspect.stamp(state))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(17)
    };
    // Far apart, so that the count of an aspect cannot make up for it.
    let seed = state.written.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    of.iter().fold(0xcbf2_9ce4_8422_2325 ^ seed, mix)
}

/// Where something stands: what is not in the window may be brought up to date a little later than what is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Among what is always brought up to date at once.
    Here,
    /// In the element of that id: later, while that is not in the window.
    At(&'static str),
    /// Where nobody sees it: always later.
    Behind,
}

impl Place {
    /// The element whose place in the window matters.
    pub fn watched(self) -> Option<&'static str> {
        match self {
            Place::At(id) => Some(id),
            Place::Here | Place::Behind => None,
        }
    }
}

/// The places of those that are not here; of an attribute with its name.
const PLACES: &[(&str, &str, Place)] = &[
    ("r-steps", "", Place::At("script")),
    ("r-verdict", "", Place::At("r-verdict")),
    ("r-verdict-b", "", Place::At("r-verdict")),
    ("r-verdict-more", "", Place::At("r-verdict-more")),
    ("r-transcript", "", Place::At("r-transcript")),
    ("r-against", "", Place::At("r-against")),
    ("r-title", "", Place::At("r-title")),
    ("r-chain", "", Place::At("r-chain")),
    ("r-because", "", Place::At("r-because")),
    ("r-why-not", "", Place::At("r-why-not")),
    ("r-logs", "", Place::At("r-logs")),
    ("later-operator", "scenario", Place::At("later-operator")),
    ("later-operator", "at", Place::At("later-operator")),
    ("later-operator", "position", Place::At("later-operator")),
    ("later-inspect", "scenario", Place::At("later-inspect")),
    ("later-inspect", "at", Place::At("later-inspect")),
    ("later-inspect", "position", Place::At("later-inspect")),
];

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const fn place(id: &str, name: &str) -> Place {
    let mut at = 0;
    while at < PLACES.len() {
        if same(PLACES[at].0, id) && same(PLACES[at].1, name) {
            return PLACES[at].2;
        }
        at += 1;
    }
    Place::Here
}

/// A part of the page whose content is drawn.
pub struct Region {
    /// The element.
    pub id: &'static str,
    /// Where it stands.
    pub place: Place,
    /// What it depends on.
    pub of: &'static [Aspect],
    /// Its content.
    pub draw: fn(&State, &mut Html),
}

/// An attribute that follows the state.
pub struct Attribute {
    /// The element.
    pub id: &'static str,
    /// Where it stands.
    pub place: Place,
    /// The attribute; `value` is set as a property.
    pub name: &'static str,
    /// What it depends on.
    pub of: &'static [Aspect],
    /// Its value; none = it is removed.
    pub value: fn(&State) -> Option<String>,
}

use Aspect::{
    Acts, Event, Logs, Matrix, Near, Picture, Playhead, Playing, Pointed, Run, Script, Selected,
};

macro_rules! regions {
    ($($id:literal: $draw:path, [$($of:expr),*];)*) => {
        /// All regions.
        pub static REGIONS: &[Region] = &[$(Region { id: $id, place: place($id, ""), of: &[$($of),*], draw: $draw },)*];
    };
}

regions! {
    "r-title": page::title, [Run, Script, Acts];
    "r-sheet": settings::line, [Run, Acts];
    "r-toggles": settings::toggles, [Run];
    "r-more-button": settings::more_button, [Run, Acts];
    "r-notes": settings::in_force, [Run];
    "r-more": settings::more, [Run, Acts];
    "r-a": compare::letter, [Run];
    "r-b": compare::toggles, [Run, Acts];
    "r-b-answer": compare::answer, [Run, Picture];
    "r-difference": compare::difference, [Run];
    "r-which": compare::which, [Run, Picture];
    "r-menu": menu::menu, [Acts];
    "r-link": address::notes, [Acts];
    "r-tour": tour::draw, [Acts];
    "r-answer": side::answer, [Run, Picture];
    "r-why": side::why, [Run, Picture];
    "g-ground": figure::grounds, [Picture, Near];
    "g-under": figure::under, [Picture, Selected];
    "g-shapes": figure::shapes, [Picture, Near];
    "g-over": figure::over, [Picture, Selected, Pointed, Playhead];
    "b-ground": figure::grounds_b, [Picture, Near];
    "b-under": figure::under_b, [Picture, Selected];
    "b-shapes": figure::shapes_b, [Picture, Near];
    "b-over": figure::over_b, [Picture, Selected, Pointed, Playhead];
    "g-heads": figure::heads, [Picture];
    "b-heads": figure::heads_b, [Picture];
    "r-handles": figure::handles, [Picture, Near, Acts];
    "r-drag": figure::drag, [Acts];
    "picture-words": figure::words, [Run, Picture];
    "r-caption": playback::caption, [Playhead, Run];
    "r-panels": playback::panels, [Picture];
    "r-views": playback::views, [Picture];
    "r-play": playback::play, [Playing];
    "r-scrub": playback::line, [Run, Picture];
    "r-now": playback::now, [Playhead, Run];
    "r-add-label": playback::add_label, [Playhead];
    "r-add": playback::add_list, [Acts];
    "r-script-button": script::button, [Script];
    "r-steps": script::steps, [Script, Acts];
    "r-copy": script::copy, [Acts];
    "script-errors": script::errors, [Script];
    "verdict-title": compare::verdict_title, [Run, Picture];
    "verdict-b-title": compare::verdict_title_b, [Run, Picture];
    "r-verdict-b": verdict::rows_b, [Run, Selected, Acts];
    "r-verdict": verdict::rows, [Run, Selected, Acts];
    "r-verdict-more": verdict::more, [Run, Acts];
    "r-matrix": matrix::table, [Run, Matrix];
    "r-against": against::table, [Run, Script, Acts];
    "r-transcript": side::transcript, [Run, Event, Acts];
    "r-chain": side::chain, [Run, Picture];
    "r-because": side::because, [Run, Event, Playhead];
    "r-why-not": side::why_not, [Run, Playhead, Selected];
    "r-logs": logs::section, [Logs, Playhead];
    "r-said": page::said, [Acts];
    "r-failed": page::failed, [Acts];
    "w-title": widget::title, [Run, Script];
    "w-wrong": widget::wrong, [Acts];
    "w-question": widget::question, [Run, Acts];
    "w-caption": widget::caption, [];
    "w-version": widget::version, [Run];
}

macro_rules! attributes {
    ($($id:literal $name:literal: $value:expr, [$($of:expr),*];)*) => {
        /// All attributes that follow the state.
        pub static ATTRIBUTES: &[Attribute] = &[$(Attribute { id: $id, place: place($id, $name), name: $name, of: &[$($of),*], value: $value },)*];
    };
}

fn yes(is_so: bool) -> Option<String> {
    is_so.then(String::new)
}

fn two(state: &State) -> bool {
    state.session.beside().is_some()
}

fn word(is_so: bool) -> Option<String> {
    Some(is_so.to_string())
}

attributes! {
    "main" "data-tour": |s| s.tour.map(|_| tour::about(s).to_owned()), [Acts];
    "settings" "class": |s| Some(settings::class(s).to_owned()), [Acts];
    "main" "class": |s| Some(if two(s) { "lab two" } else { "lab" }.to_owned()), [Run];
    "drawing" "width": |s| Some(figure::px(s.picture.width)), [Picture];
    "drawing" "height": |s| Some(figure::height(s, &s.picture)), [Picture];
    "drawing" "viewBox": |s| Some(figure::view_box(s, &s.picture)), [Picture];
    "drawing" "aria-label": |s| Some(figure::label(s)), [Run, Picture];
    "drawing-b" "width": |s| Some(figure::px(s.picture_b.width)), [Picture];
    "drawing-b" "height": |s| Some(figure::height(s, &s.picture_b)), [Picture];
    "drawing-b" "viewBox": |s| Some(figure::view_box(s, &s.picture_b)), [Picture];
    "drawing-b" "aria-label": |s| two(s).then(|| figure::label_b(s)), [Run, Picture];
    "picture-b" "hidden": |s| yes(!two(s)), [Run];
    "verdict-b" "hidden": |s| yes(!two(s)), [Run];
    "scrubber" "value": |s| Some(playback::place(s)), [Run, Playhead, Picture];
    "scrubber" "aria-valuetext": |s| Some(playback::value_text(s)), [Run, Playhead];
    "add-button" "aria-expanded": |s| word(s.open == Some(super::state::Open::Add)), [Acts];
    "undo" "disabled": |s| yes(!s.session.can_undo()), [Acts];
    "redo" "disabled": |s| yes(!s.session.can_redo()), [Acts];
    "script-button" "aria-expanded": |s| word(s.script), [Acts];
    "script" "hidden": |s| yes(!s.script), [Acts];
    "script-text" "value": |s| Some(s.session.text().to_string()), [Script];
    "script-text" "aria-invalid": |s| word(!s.session.errors().is_empty()), [Script];
    "matrix-button" "aria-expanded": |s| word(s.session.matrix().is_some()), [Acts];
    "transcript-button" "aria-expanded": |s| word(s.transcript), [Acts];
    "main" "data-messages": |s| yes(s.messages()), [Acts];
    "message-list" "hidden": |s| yes(!s.messages()), [Acts];
    "later-messages" "frame": |s| Some(figure::frame(&s.picture)), [Picture];
    "later-messages" "folds": |s| Some(figure::folds(s)), [Picture];
    "later-messages" "record": |s| s.session.selected().map(|r| r.to_string()), [Selected];
    "later-messages" "scenario": |s| s.messages().then(|| look::printed(&s.session)), [Run, Acts];
    "later-messages" "beside": |s| s.session.beside().filter(|_| s.messages()).map(|b| look::printed_b(b)), [Run, Acts];
    "later-messages" "at": |s| Some(s.session.playhead().at.to_string()), [Playhead];
    "later-messages" "on": |s| yes(s.messages()), [Acts];
    "later-messages-b" "frame": |s| Some(figure::frame(&s.picture_b)), [Picture];
    "later-messages-b" "folds": |s| Some(figure::folds(s)), [Picture];
    "later-messages-b" "scenario": |s| s.session.beside().filter(|_| s.messages()).map(|b| look::printed_b(b)), [Run, Acts];
    "later-messages-b" "beside": |s| s.messages().then(|| look::printed(&s.session)), [Run, Acts];
    "later-messages-b" "at": |s| Some(s.session.playhead().at.to_string()), [Playhead];
    "later-messages-b" "on": |s| yes(s.messages() && two(s)), [Run, Acts];
    "later-operator" "scenario": |s| Some(look::printed(&s.session)), [Run];
    "later-operator" "at": |s| Some(s.session.playhead().at.to_string()), [Playhead];
    "later-operator" "position": |s| Some(s.session.playhead().position.to_string()), [Playhead];
    "later-inspect" "scenario": |s| Some(look::printed(&s.session)), [Run];
    "later-inspect" "at": |s| Some(s.session.playhead().at.to_string()), [Playhead];
    "later-inspect" "position": |s| Some(s.session.playhead().position.to_string()), [Playhead];
    "widget" "class": widget::class, [Run, Picture];
    "w-open" "href": widget::address, [Run, Script, Playhead, Selected];
}
