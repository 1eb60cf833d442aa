//! What the page is made of: the session, the language, what is unfolded, what the hand holds.

use std::sync::Arc;

use super::address::Linked;
use super::lane::Held;
use super::tour;
use crate::picture::Picture;
use crate::picture::clock::Clock;
use crate::picture::shape::Tenths;
use crate::picture::view::{Mode, Target, View};
use crate::session::logs::{Logs, logs};
use crate::session::model::Millis;
use crate::session::recorded::Listed;
use crate::session::widget::{Options, shown_panel};
use crate::session::{Command, Ran, Session, look};
use crate::text::{Locale, Text};

/// What unfolds on the page; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The menu of scenarios.
    Menu,
    /// The rest of the settings.
    More,
    /// The settings of a phone.
    Sheet,
    /// The list of steps to add.
    Add,
}

/// What is known of the recordings.
#[derive(Clone, Debug, Default)]
pub enum Shelf {
    /// Nobody asked.
    #[default]
    Unknown,
    /// The list is on its way.
    Asked,
    /// The list.
    Here(Vec<Listed>),
    /// Why it did not come.
    Failed(String),
}

/// A step under the hand. The clock is that of the beginning: the run redraws, the hand's place keeps its meaning.
#[derive(Clone, Debug)]
pub struct Drag {
    /// Its index now.
    pub step: usize,
    /// The picture's clock when it was taken.
    pub clock: Arc<Clock>,
    /// Whether it was moved.
    pub moved: bool,
    /// Where it was.
    pub from: Millis,
}

/// What a pointer is doing on the picture.
#[derive(Clone, Debug, Default)]
pub enum Hand {
    /// Nothing.
    #[default]
    Free,
    /// It drags the playhead.
    Playhead,
    /// It went down there and may turn out to be a swipe or a click.
    Down(f64, f64),
    /// It drags a step.
    Step(Drag),
    /// It went down on a broker's lane.
    Lane(Held),
}

/// The state of the page.
pub struct State {
    /// The session.
    pub session: Session,
    /// The language.
    pub text: Arc<Text>,
    /// What is unfolded.
    pub open: Option<Open>,
    /// Whether the script is open.
    pub script: bool,
    /// Whether the transcript is.
    pub transcript: bool,
    /// How many lines of the transcript, how many rows of the verdict.
    pub lines: usize,
    /// See `lines`.
    pub rows: usize,
    /// Only what differs from the recording.
    pub only_differences: bool,
    /// What was said last to a screen reader.
    pub said: String,
    /// Whether copying worked.
    pub copied: Option<bool>,
    /// Whether copying the transcript did.
    pub transcribed: Option<bool>,
    /// What came of a link that was asked for.
    pub linked: Option<Linked>,
    /// The recordings.
    pub shelf: Shelf,
    /// The language that was asked for last; `text` is in it once it has come.
    pub wanted: Locale,
    /// Why another language did not come.
    pub failed: Option<String>,
    /// What the author of the page around this one set, when this is a widget.
    pub widget: Option<Options>,
    /// The theme: `auto`, `light` or `dark`.
    pub theme: &'static str,
    /// Whether the platform has a share sheet.
    pub can_share: bool,
    /// The lane of the strip that the keyboard is on, from 0.
    pub lane: usize,
    /// The step of the tour that is shown.
    pub tour: Option<usize>,
    /// Counts the times that everything was written anew, in another language.
    pub written: u64,
    /// The hand.
    pub hand: Hand,
    /// The picture of the present run in the present room.
    pub picture: Arc<Picture>,
    /// That of B.
    pub picture_b: Arc<Picture>,
    /// The logs at the playhead.
    pub logs: Arc<Logs>,
    /// The upper edge of the window in the picture in px, as far as it matters to what is drawn (`view/near.rs`).
    pub window: Option<i32>,
    /// The stretch of the picture that the window shows, in px; none = not known, or a print.
    pub eye: Option<(i32, i32)>,
    /// The stretch of a new picture that is drawn first (`view/near.rs`); none = nothing is left to draw.
    pub first: Option<(Tenths, Tenths)>,
    /// Counts the changes of what belongs to the page alone.
    pub changes: u64,
    drawn: Option<(u64, View)>,
    logged: Option<(u64, u64)>,
}

/// Runs and pictures that were made for the page; the same when they are the very same.
pub struct Made {
    runs: (Arc<Ran>, Option<Arc<Ran>>),
    pictures: [Arc<Picture>; 2],
}

impl PartialEq for Made {
    fn eq(&self, other: &Made) -> bool {
        let ran =
            |of: &Made| [Some(&of.runs.0), of.runs.1.as_ref()].map(|ran| ran.map(Arc::as_ptr));
        let drawn = |of: &Made| of.pictures.each_ref().map(Arc::as_ptr);
        ran(self) == ran(other) && drawn(self) == drawn(other)
    }
}

/// Offsets that the logs' drawing has room for.
const LOG_ROOM: u64 = 4;

impl State {
    /// The page with a session.
    pub fn new(session: Session, text: Text, theme: &'static str) -> State {
        State {
            session,
            wanted: text.locale(),
            text: Arc::new(text),
            open: None,
            script: false,
            transcript: false,
            lines: 200,
            rows: 100,
            only_differences: false,
            said: String::new(),
            copied: None,
            transcribed: None,
            linked: None,
            shelf: Shelf::Unknown,
            failed: None,
            widget: None,
            theme,
            can_share: false,
            lane: 0,
            tour: None,
            written: 0,
            hand: Hand::Free,
            picture: Arc::default(),
            picture_b: Arc::default(),
            logs: Arc::default(),
            window: None,
            eye: None,
            first: None,
            changes: 0,
            drawn: None,
            logged: None,
        }
    }

    /// In another language from now on, or in the same because that one failed to come.
    pub fn speak(&mut self, text: Text, failed: Option<String>) {
        self.wanted = text.locale();
        self.text = Arc::new(text);
        self.failed = failed;
        self.written = self.written.wrapping_add(1);
        self.drawn = None;
    }

    /// Draws what has to be drawn anew; call it after every change.
    pub fn refresh(&mut self) {
        let run = self.run_stamp();
        let view = self.view();
        if self
            .drawn
            .as_ref()
            .is_none_or(|(of, how)| *of != run || *how != view)
        {
            let ran = self.session.ran();
            let of = (&ran.run, &ran.verdict);
            let (a, b) = match (view.width, self.session.beside()) {
                (0, _) => Default::default(),
                (_, None) => (
                    Picture::new(of.0, of.1, &*self.text, &view),
                    Picture::default(),
                ),
                (_, Some(b)) => {
                    let runs = [of, (&b.ran.run, &b.ran.verdict)];
                    Picture::pair(runs, &*self.text, &view).into()
                }
            };
            (self.picture, self.picture_b) = (Arc::new(a), Arc::new(b));
            self.drawn = Some((run, view));
            self.draw_first();
        }
        let ran = self.session.ran();
        let happened = ran.run.events_before(self.session.playhead()) as u64;
        if self.logged != Some((run, happened)) {
            self.logs = Arc::new(logs(&ran.run.at(self.session.playhead()), LOG_ROOM));
            self.logged = Some((run, happened));
        }
    }

    /// The tour goes on when this is what its step asks for; gives whether it did.
    pub fn tour_goes_on(&mut self, done: &Command) -> bool {
        let next = self.tour.and_then(|step| tour::after(step, done));
        if next.is_some() {
            self.tour = next;
        }
        next.is_some()
    }

    /// The runs and their pictures: what is costly to give back once it is replaced.
    pub fn made(&self) -> Made {
        let b = self.session.beside().map(|b| b.ran.clone());
        Made {
            runs: (self.session.ran().clone(), b),
            pictures: [self.picture.clone(), self.picture_b.clone()],
        }
    }

    /// Another number for another run.
    pub fn run_stamp(&self) -> u64 {
        let address = |ran: &Arc<Ran>| Arc::as_ptr(ran) as usize as u64;
        let b = self.session.beside().map_or(0, |b| address(&b.ran));
        address(self.session.ran()) ^ b.rotate_left(24)
    }

    /// How the static layers are looked at.
    fn view(&self) -> View {
        let session = &self.session;
        let show = self.shown();
        View {
            mode: match self.messages() {
                true => Mode::Messages,
                false => self.timelines(),
            },
            hidden: show.map(|shown| !shown),
            until: session.until(),
            ..look::view(session)
        }
    }

    /// Whether the messages stand where the timelines do; a widget has none.
    pub fn messages(&self) -> bool {
        self.session.messages && self.widget.is_none()
    }

    /// Which of the three panels are shown.
    fn shown(&self) -> [bool; 3] {
        let options = self.widget.as_ref();
        options.map_or([true; 3], |options| options.show)
    }

    /// How the timelines share the width, whether they are shown or not.
    fn timelines(&self) -> Mode {
        let session = &self.session;
        let open = shown_panel(self.shown(), session.panel());
        match session.beside() {
            Some(_) => Mode::for_halves(session.width(), open),
            None => Mode::for_width(session.width(), open),
        }
    }

    /// The same with all that moves.
    pub fn view_now(&self) -> View {
        let session = &self.session;
        View {
            playhead: Some(session.playhead()),
            selected: session.selected(),
            hovered: session.hovered(),
            focused: session.focused(),
            ..self.view()
        }
    }

    /// A recording that a widget asks for is here: what its author set is resolved against it.
    pub fn finish_widget(&mut self) {
        if let Some(options) = &mut self.widget {
            self.session.finish_widget(options);
        }
    }

    /// The part of the picture that is shown when it is not all: how far it is moved up under its heads, and the height of
    /// both together.
    pub fn crop(&self) -> Option<(Tenths, Tenths)> {
        self.picture.crop(self.session.shown()?)
    }

    /// The record that the pointer or the focus is on.
    pub fn lit(&self) -> Option<u64> {
        let record = |target| match target {
            Some(Target::Record(record)) => Some(record),
            _ => None,
        };
        record(self.session.hovered()).or(record(self.session.focused()))
    }

    /// Whether the picture has one open panel only.
    pub fn narrow(&self) -> bool {
        self.timelines() != Mode::Wide
    }

    /// The views of the two pictures of A and B.
    pub fn halves(&self) -> [View; 2] {
        Picture::halves(&self.view())
    }
}
