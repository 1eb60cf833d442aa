//! A session in the page of somebody else: what its author set, resolved against the run.

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::{Expected, nearest, time};
use highwater_core::sim::Instant;

use super::command::Command;
use super::question::Question;
use super::state::Session;
use crate::picture::shape::Tenths;
use crate::picture::view::Panel;
use crate::share::{self, Mistake, Playhead, widget};

pub use crate::share::message::{Asked, Gate, LONGEST as LONGEST_MESSAGE, START, read as message};
pub use crate::share::widget::Options;

/// The stretch of the clock that is shown; none = all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// It begins before everything of this instant.
    pub from: Millis,
    /// It ends after everything of this one.
    pub to: Option<Millis>,
}

impl Session {
    /// The session of a widget, and what else its author set: from the query of `embed.html`.
    pub fn of_widget(query: &str) -> (Session, Options) {
        let mut options = widget::read(query);
        let mut session = Session::from_link(&options.link);
        session.panel = shown_panel(options.show, session.panel);
        if session.wanted_recording().is_none() {
            session.finish_widget(&mut options);
        }
        (session, options)
    }

    /// Resolves what depends on the run; for a recording once it is here.
    pub fn finish_widget(&mut self, options: &mut Options) {
        self.take_window(options);
        if let Some((asks, words)) = options.question.take() {
            let given = share::read(&options.link).view.playhead;
            let until = given.map(|_| self.playhead);
            let question = Question::new(asks, words, until, &self.ran);
            // What is selected, and where the playhead stands, would be the answer.
            (self.selected, self.playhead) = (None, question.until);
            self.question = Some(question);
        }
        self.seek(self.playhead);
        self.history = Default::default();
        if let Some(opened) = self.opened.take() {
            options.mistakes.extend(opened.mistakes.iter().map(meant));
        }
    }

    fn take_window(&mut self, options: &mut Options) {
        let end = self.ran.end().at;
        let mut refuse = |name: &str, at: Millis, min| {
            let expected = Expected::Time { min, max: end };
            let mistake = Mistake::new(name, 0, &time::print(at), expected);
            options.mistakes.push(mistake);
        };
        let mut window = Window::default();
        match options.start {
            Some(start) if start >= end => refuse("start", start, Millis(0)),
            start => window.from = start.unwrap_or_default(),
        }
        match options.end {
            Some(to) if to > end || to <= window.from => {
                refuse("end", to, window.from.plus(Millis(1)));
            }
            to => window.to = to,
        }
        self.window = window;
    }

    /// What the page around a widget wishes, as a command; none for what is no matter of the session, or is so already.
    pub fn wish(&self, asked: Asked) -> Option<Command> {
        Some(match asked {
            Asked::Theme(_) | Asked::Language(_) => return None,
            Asked::At(Playhead::End) => Command::Last,
            Asked::At(Playhead::At(at, position)) => {
                let at = Millis(at);
                Command::Seek(Instant { at, position })
            }
            Asked::Play(play) if play == self.playing() => return None,
            Asked::Play(_) => Command::PlayPause,
            Asked::Set(name, value) => {
                let name = name.to_owned();
                Command::SetSetting { name, value }
            }
        })
    }

    /// The question is answered: the outcome is shown, and the playhead goes to its proof.
    pub(super) fn answer_question(&mut self) {
        let ready = |question: &&mut Question| question.is_ready() && !question.answered;
        if let Some(question) = self.question.as_mut().filter(ready) {
            question.answered = true;
            self.look_at_the_answer();
            self.seek(self.playhead);
        }
    }

    /// The first instant that the clock shows.
    pub fn begin(&self) -> Instant {
        Instant {
            at: self.window.from,
            position: 0,
        }
    }

    /// The stretch that is shown when it is not all: from, to. What a question hides is not shown.
    pub fn shown(&self) -> Option<(Millis, Millis)> {
        let (from, to) = (self.window.from, self.last().at);
        let whole = from == Millis(0) && to >= self.ran.end().at;
        (!whole).then_some((from, to))
    }

    /// Where an instant stands on a scrubber of that length.
    pub fn scrub(&self, at: Millis, length: Tenths) -> Tenths {
        let (from, to) = self.scrubbed(length);
        let place = self.clock.scrub(at, length).saturating_sub(from);
        let long = i64::from(to.saturating_sub(from)).max(1);
        let scaled = i64::from(place) * i64::from(length) / long;
        Tenths::try_from(scaled).unwrap_or_default()
    }

    /// The instant at a place of a scrubber of that length.
    pub fn unscrub(&self, place: Tenths, length: Tenths) -> Instant {
        let (from, to) = self.scrubbed(length);
        let long = i64::from(to.saturating_sub(from));
        let scaled = i64::from(place) * long / i64::from(length.max(1));
        let scaled = Tenths::try_from(scaled).unwrap_or_default();
        self.clock.unscrub(from.saturating_add(scaled), length)
    }

    fn scrubbed(&self, length: Tenths) -> (Tenths, Tenths) {
        let place = |at| self.clock.scrub(at, length);
        match self.shown() {
            Some((from, to)) => (place(from), place(to)),
            None => (0, length),
        }
    }
}

/// The panel that is open where there is room for one: one that is shown.
pub fn shown_panel(show: [bool; 3], open: Panel) -> Panel {
    let is_shown = |panel: &Panel| show.get(panel.place()).copied().unwrap_or(true);
    let first = Panel::ALL.into_iter().find(is_shown);
    Some(open).filter(is_shown).or(first).unwrap_or(open)
}

/// A mistake of the link as the author of a widget meant it: the name may have been meant for a widget's own.
fn meant(mistake: &Mistake) -> Mistake {
    let mut mistake = mistake.clone();
    if mistake.expected == Expected::SettingName {
        let near = nearest(&mistake.part, widget::NAMES.iter().copied());
        if let Some(name) = near {
            mistake.instead = Some(name.to_owned());
        }
        mistake.expected = Expected::OneOf(ATTRIBUTES);
    }
    mistake
}

/// What an author may write, in short.
const ATTRIBUTES: &[&str] = &[
    "scenario", "script", "show", "controls", "start", "end", "at", "question", "caption", "lang",
    "theme", "autoplay", "height", "acks",
];

#[cfg(test)]
mod tests;
