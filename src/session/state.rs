//! What the page holds, and the questions that its parts ask.

use highwater_core::kafka::map::Set;
use std::sync::Arc;

use highwater_core::kafka::event::Event;
use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::scenario::error::{ScriptError, SettingError};
use highwater_core::scenario::value::Scenario;
use highwater_core::sim::{Instant, Run};

use super::beside::Beside;
use super::history::{History, Snapshot};
use super::library;
use super::link::Opened;
use super::matrix::Matrix;
use super::player::Player;
use super::question::Question;
use super::ran::Ran;
use super::recorded::Recorded;
use super::widget::Window;
use crate::picture::clock::{Clock, Scale};
use crate::picture::shape::px;
use crate::picture::view::{Panel, Target};

/// Where the open scenario came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The library, by its id.
    Library(&'static str),
    /// A recording of a real cluster.
    Recording(Arc<Recorded>),
}

/// Why the last command had no effect; gone with the next edit.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// A setting cannot have that value.
    Setting {
        /// Its name.
        name: String,
        /// The value that was given.
        value: String,
        /// Why.
        error: SettingError,
    },
    /// A step cannot do that.
    Step {
        /// Its index.
        step: usize,
        /// What was written.
        action: String,
        /// Why.
        error: ScriptError,
    },
    /// The list of steps cannot be edited while the text has a mistake.
    TextIsWrong,
    /// A recorded trace could not be read.
    Recording(String),
}

/// The state of the page.
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) origin: Origin,
    pub(super) text: Arc<str>,
    pub(super) errors: Arc<Vec<ScriptError>>,
    pub(super) scenario: Arc<Scenario>,
    pub(super) ran: Arc<Ran>,
    pub(super) beside: Option<Arc<Beside>>,
    pub(super) matrix: Option<Matrix>,
    pub(super) history: History,
    pub(super) refusal: Option<Refusal>,
    pub(super) player: Player,
    pub(super) playhead: Instant,
    pub(super) selected: Option<u64>,
    pub(super) hovered: Option<Target>,
    pub(super) focused: Option<Target>,
    pub(super) unfolded: Set<Millis>,
    pub(super) clock: Arc<Clock>,
    pub(super) panel: Panel,
    pub(super) width: u32,
    pub(super) touched: Option<usize>,
    pub(super) opened: Option<Arc<Opened>>,
    pub(super) window: Window,
    pub(super) question: Option<Question>,
    /// Whether the messages stand where the timelines do.
    pub messages: bool,
}

/// The clock that the player and the scrubber go by: the picture's, with its usual folds.
pub(super) fn clock_of(ran: &Ran, other: Option<&Ran>, unfolded: &Set<Millis>) -> Arc<Clock> {
    let scale = Scale {
        top: 0,
        fold: px(30),
    };
    let runs: Vec<&Run> = std::iter::once(ran).chain(other).map(|r| &r.run).collect();
    Arc::new(Clock::new(&runs, scale, unfolded))
}

impl Default for Session {
    fn default() -> Session {
        Session::new(library::FIRST)
    }
}

impl Session {
    /// The page with a scenario of the library open; with an unknown id it is the first.
    pub fn new(id: &str) -> Session {
        let entry = library::find(id).unwrap_or_else(library::first);
        let (scenario, errors) = match highwater_core::scenario::parse(entry.text) {
            Ok(scenario) => (scenario, Vec::new()),
            Err(errors) => (Scenario::default(), errors),
        };
        let ran = Ran::of(&scenario);
        let unfolded = Set::new();
        let mut session = Session {
            origin: Origin::Library(entry.id),
            text: Arc::from(entry.text),
            errors: Arc::new(errors),
            scenario: Arc::new(scenario),
            clock: clock_of(&ran, None, &unfolded),
            ran,
            beside: None,
            matrix: None,
            history: History::default(),
            refusal: None,
            player: Player::default(),
            playhead: Instant::default(),
            selected: None,
            hovered: None,
            focused: None,
            unfolded,
            panel: Panel::default(),
            width: 0,
            touched: None,
            opened: None,
            window: Window::default(),
            question: None,
            messages: false,
        };
        session.look_at_the_answer();
        session
    }

    /// Where the open scenario came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The recording that is open, while its script is unchanged.
    pub fn recording(&self) -> Option<&Arc<Recorded>> {
        match &self.origin {
            Origin::Recording(recorded) if *self.text == *recorded.text => Some(recorded),
            _ => None,
        }
    }

    /// The text in the editor, right or wrong.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// What is wrong with the text; empty when it is what runs.
    pub fn errors(&self) -> &Arc<Vec<ScriptError>> {
        &self.errors
    }

    /// The last good scenario: the one that runs.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Its run.
    pub fn ran(&self) -> &Arc<Ran> {
        &self.ran
    }

    /// The outcome matrix, while it is shown.
    pub fn matrix(&self) -> Option<&Matrix> {
        self.matrix.as_ref()
    }

    /// Why the last command had no effect.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// Where the playhead stands.
    pub fn playhead(&self) -> Instant {
        self.playhead
    }

    /// The event that the playhead stands on or has passed last.
    pub fn event(&self) -> Option<&Event> {
        self.ran.event_at(self.playhead)
    }

    /// Its id.
    pub fn event_id(&self) -> Option<EventId> {
        self.ran.moments.at(self.playhead).map(|(_, id)| id)
    }

    /// Whether it plays.
    pub fn playing(&self) -> bool {
        self.player.playing
    }

    /// Whether it plays event by event.
    pub fn stepwise(&self) -> bool {
        self.player.stepwise
    }

    /// The selected record.
    pub fn selected(&self) -> Option<u64> {
        self.selected
    }

    /// What the pointer is over.
    pub fn hovered(&self) -> Option<Target> {
        self.hovered
    }

    /// What has the focus.
    pub fn focused(&self) -> Option<Target> {
        self.focused
    }

    /// The pauses that are open.
    pub fn unfolded(&self) -> &Set<Millis> {
        &self.unfolded
    }

    /// The clock of the player and the scrubber.
    pub fn clock(&self) -> &Arc<Clock> {
        &self.clock
    }

    /// The open panel of a phone.
    pub fn panel(&self) -> Panel {
        self.panel
    }

    /// The room of the picture in px; 0 before it was measured.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The step that was added or moved last: the drag goes on with it.
    pub fn touched(&self) -> Option<usize> {
        self.touched
    }

    /// The question that is asked before the outcome is shown, or was.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Up to where the run is shown while the question is not answered.
    pub fn until(&self) -> Option<Instant> {
        let open = self.question.as_ref().filter(|q| !q.answered);
        open.map(|question| question.until)
    }

    /// Two numbers that change with every edit that is undone by itself.
    pub fn edits(&self) -> (usize, usize) {
        self.history.edits()
    }

    /// Whether there is anything to undo.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Whether there is anything to do again.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// What an edit changes, as it is now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            text: self.text.clone(),
            scenario: self.scenario.clone(),
            origin: self.origin.clone(),
            own: self.beside.as_ref().map(|b| b.own.clone()),
        }
    }

    /// Selects the first record that is lost and puts the playhead where its proof begins; without a loss nothing is
    /// selected and the playhead stands at the last event.
    pub(super) fn look_at_the_answer(&mut self) {
        (self.selected, self.playhead) = self.answer();
    }

    /// The record that the answer is about, and where its proof begins.
    pub(super) fn answer(&self) -> (Option<u64>, Instant) {
        let verdict = &self.ran.verdict;
        let lost = verdict.acknowledged_lost().chain(verdict.lost()).next();
        let proof = verdict.chain.first().and_then(|id| self.ran.after(*id));
        let last = self.ran.moments.iter().next_back().map(|(at, _)| at);
        let playhead = proof.or(last).unwrap_or_else(|| self.ran.end());
        (lost.map(|record| record.record), playhead)
    }
}
