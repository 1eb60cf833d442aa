//! The only writer: what each command does to the state.

use std::sync::Arc;

use highwater_core::kafka::ids::Millis;
use highwater_core::kafka::map::Set;
use highwater_core::scenario::value::{Action, Scenario};
use highwater_core::scenario::{names, parse, parse_with_lines, print};
use highwater_core::sim::Instant;

use super::command::Command;
use super::history::{Group, Snapshot};
use super::lines;
use super::matrix::Matrix;
use super::ran::Ran;
use super::recorded::Recorded;
use super::state::{Origin, Refusal, Session, clock_of};
use super::{library, rewrite, script};

impl Session {
    /// Does what a reader wants done.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::OpenLink(link) => self.open_link(&link),
            Command::OpenText(text) => self.open_text(text),
            Command::CloseLink => self.opened = None,
            Command::LoadScenario(id) => self.load_scenario(&id),
            Command::LoadTrace { id, file } => self.load_trace(&id, &file),
            Command::SetSetting { name, value } => self.set_setting(name, value),
            Command::EditText(text) => self.edit_text(&text),
            Command::AddStep(action) => self.add_step(action),
            Command::KillOrStart(broker) => self.kill_or_start(broker),
            Command::PauseFetch { broker, from, to } => self.pause_fetch(broker, from, to),
            Command::MoveStep { step, at } => self.move_step(step, at),
            Command::DropStep => self.history.close_group(),
            Command::EditStep { step, action } => self.edit_step(step, action),
            Command::RemoveStep(step) => self.remove_step(step),
            Command::Undo => {
                let now = self.snapshot();
                if let Some(before) = self.history.back(now) {
                    self.restore(before);
                }
            }
            Command::Redo => {
                let now = self.snapshot();
                if let Some(after) = self.history.forward(now) {
                    self.restore(after);
                }
            }
            Command::Compare(_)
            | Command::CopyToB
            | Command::CopyToA
            | Command::Swap
            | Command::CloseB
            | Command::FirstDifference
            | Command::NextDifference => self.compare(command),
            other => self.look(other),
        }
    }

    /// The commands that change nothing that is run.
    fn look(&mut self, command: Command) {
        match command {
            Command::Seek(instant) => self.seek(instant),
            Command::SeekEvent(event) => {
                if let Some(instant) = self.ran.after(event) {
                    self.seek(instant);
                }
            }
            Command::NextEvent => {
                let next = self.next_moment(self.playhead);
                self.seek(next.unwrap_or_else(|| self.last()));
            }
            Command::PreviousEvent => {
                let runs = self.runs();
                let before = runs.filter_map(|ran| ran.moments.previous(self.playhead));
                let previous = before.map(|(instant, _)| instant).max();
                self.seek(previous.unwrap_or_default());
            }
            Command::First => self.seek(self.begin()),
            Command::Last => self.seek(self.last()),
            Command::PlayPause => self.play_pause(),
            Command::Tick(passed) => {
                let end = self.last();
                self.playhead =
                    self.player
                        .tick(passed, self.playhead, (&self.ran, end), &self.clock);
            }
            Command::StepwisePlay(on) => self.player.stepwise = on,
            Command::Select(record) => self.selected = record.filter(|r| self.has_record(*r)),
            Command::Hover(target) => self.hovered = target,
            Command::Focus(target) => self.focused = target,
            Command::ToggleFold(at) => {
                if !self.unfolded.remove(&at) {
                    self.unfolded.insert(at);
                }
                self.remake_clock();
            }
            Command::ShowMatrix(shown) => {
                self.matrix = shown.then(|| Matrix::new(&self.scenario));
            }
            Command::MatrixStep => {
                if let Some(matrix) = &mut self.matrix {
                    matrix.step();
                }
            }
            Command::Choose(place) => {
                if let Some(question) = &mut self.question {
                    question.choose(place);
                }
            }
            Command::Answer => self.answer_question(),
            Command::OpenPanel(panel) => self.panel = panel,
            Command::Resize(width) => self.width = width,
            // The commands that edit are handled above.
            _ => {}
        }
    }

    /// Both runs, or the only one.
    fn runs(&self) -> impl Iterator<Item = &Ran> {
        let other = self.beside.as_ref().map(|b| &*b.ran);
        std::iter::once(&*self.ran).chain(other)
    }

    fn next_moment(&self, from: Instant) -> Option<Instant> {
        let next = self.runs().filter_map(|ran| ran.moments.next(from));
        next.map(|(instant, _)| instant).min()
    }

    pub(super) fn seek(&mut self, instant: Instant) {
        self.player.playing = false;
        self.playhead = instant.min(self.last()).max(self.begin());
    }

    fn play_pause(&mut self) {
        if self.player.playing {
            self.player.playing = false;
            return;
        }
        let next = self.next_moment(self.playhead);
        let at_end = self.playhead.at >= self.last().at || next.is_none_or(|n| n > self.last());
        if at_end {
            self.playhead = self.begin();
        }
        self.player.start();
    }

    pub(super) fn has_record(&self, record: u64) -> bool {
        self.ran.verdict.records.iter().any(|r| r.record == record)
    }

    fn load_scenario(&mut self, id: &str) {
        let Some(entry) = library::find(id) else {
            return;
        };
        self.edit(None);
        self.opened = None;
        self.origin = Origin::Library(entry.id);
        self.open(Arc::from(entry.text));
    }

    fn load_trace(&mut self, id: &str, file: &str) {
        match Recorded::read(id, file) {
            Ok(recorded) => {
                self.edit(None);
                let text = recorded.text.clone();
                self.origin = Origin::Recording(Arc::new(recorded));
                self.open(text);
                self.finish_link(id);
            }
            Err(reason) => self.refusal = Some(Refusal::Recording(reason)),
        }
    }

    /// Another scenario is on the page: nothing that was pointed at exists any more.
    pub(super) fn open(&mut self, text: Arc<str>) {
        self.beside = None;
        self.unfolded = Set::default();
        self.take_text(text);
        self.clock = clock_of(&self.ran, None, &self.unfolded);
        self.hovered = None;
        self.focused = None;
        self.player.playing = false;
        self.look_at_the_answer();
    }

    fn set_setting(&mut self, name: String, value: String) {
        let mut scenario = Scenario::clone(&self.scenario);
        if let Err(error) = names::set(&mut scenario.settings, &name, &value) {
            self.refusal = Some(Refusal::Setting { name, value, error });
            return;
        }
        if scenario == *self.scenario && self.errors.is_empty() {
            self.refusal = None;
            return;
        }
        self.edit(None);
        if self.errors.is_empty() {
            let text = self.text_for(&scenario, Some((&name, &value)));
            self.take_scenario(scenario, text);
            return;
        }
        // The text has a mistake: the setting is written into it all the same, and the last good run follows.
        let text: Arc<str> = lines::with_setting(&self.text, &name, &value).into();
        match parse(&text) {
            Ok(scenario) => self.take_scenario(scenario, text),
            Err(errors) => {
                self.errors = Arc::new(errors);
                self.text = text;
                self.run(Arc::new(scenario));
            }
        }
    }

    fn edit_text(&mut self, text: &str) {
        if *self.text == *text {
            return;
        }
        self.edit(Some(Group::Text));
        self.take_text(Arc::from(text));
    }

    pub(super) fn add_step(&mut self, action: Action) {
        let at = self.playhead.at;
        self.edit_steps(None, |scenario, times| {
            Some(script::add(scenario, times, action, at))
        });
    }

    fn move_step(&mut self, step: usize, at: Millis) {
        if self.ran.times.get(step) == Some(&at) {
            return;
        }
        self.edit_steps(Some(Group::Drag), |scenario, times| {
            script::move_to(scenario, times, step, at)
        });
    }

    fn remove_step(&mut self, step: usize) {
        self.edit_steps(None, |scenario, times| {
            script::remove(scenario, times, step).then_some(step)
        });
    }

    fn edit_step(&mut self, step: usize, action: String) {
        if !self.errors.is_empty() {
            self.refusal = Some(Refusal::TextIsWrong);
            return;
        }
        let line = parse_with_lines(&self.text)
            .ok()
            .and_then(|parsed| parsed.step_lines.get(step).copied());
        let when = self.scenario.steps.get(step).map(|step| step.when);
        let (Some(line), Some(when)) = (line, when) else {
            return;
        };
        let Some(text) = lines::with_action(&self.text, line, when, &action) else {
            return;
        };
        match parse(&text) {
            Ok(scenario) if scenario == *self.scenario => self.refusal = None,
            Ok(scenario) => {
                self.edit(None);
                self.touched = Some(step);
                self.take_scenario(scenario, text.into());
            }
            Err(errors) => {
                self.refusal = errors.into_iter().next().map(|error| Refusal::Step {
                    step,
                    action,
                    error,
                });
            }
        }
    }

    pub(super) fn edit_steps(
        &mut self,
        group: Option<Group>,
        change: impl FnOnce(&mut Scenario, &[Millis]) -> Option<usize>,
    ) {
        if !self.errors.is_empty() {
            self.refusal = Some(Refusal::TextIsWrong);
            return;
        }
        let mut scenario = Scenario::clone(&self.scenario);
        let Some(place) = change(&mut scenario, &self.ran.times) else {
            return;
        };
        let text = self.text_for(&scenario, None);
        // What cannot be written as text (a retry before its call, say) is not done.
        match parse(&text) {
            Ok(read) if read == scenario => {
                self.edit(group);
                self.touched = Some(place);
                self.take_scenario(scenario, text);
            }
            Ok(_) => {}
            Err(errors) => {
                self.refusal = errors.into_iter().next().map(|error| Refusal::Step {
                    step: place,
                    action: String::new(),
                    error,
                });
            }
        }
    }

    /// Notes an edit for undoing; call it before the change.
    pub(super) fn edit(&mut self, group: Option<Group>) {
        let before = self.snapshot();
        self.history.note(before, group);
        self.refusal = None;
        self.touched = None;
    }

    /// The text that says `scenario`, as much like the present one as can be.
    pub(super) fn text_for(&self, scenario: &Scenario, setting: Option<(&str, &str)>) -> Arc<str> {
        let (canonical, before) = (print(scenario), print(&self.scenario));
        if *self.text == *before {
            return canonical.into();
        }
        let says_it =
            |text: &String| *text != canonical && parse(text).is_ok_and(|read| read == *scenario);
        // One after another: while a hand drags an event this is done for every frame.
        let whole = || rewrite::carry(&self.text, &before, &canonical);
        let steps = || {
            let steps = (self.scenario.steps.len(), scenario.steps.len());
            rewrite::carry_steps(&self.text, &before, &canonical, steps)
        };
        let line = || setting.map(|(name, value)| lines::with_setting(&self.text, name, value));
        let found = Some(whole()).filter(says_it);
        let found = found.or_else(|| Some(steps()).filter(says_it));
        let found = found.or_else(|| line().filter(says_it));
        found.unwrap_or(canonical).into()
    }

    fn take_text(&mut self, text: Arc<str>) {
        match parse(&text) {
            Ok(scenario) => self.take_scenario(scenario, text),
            Err(errors) => {
                self.errors = Arc::new(errors);
                self.text = text;
            }
        }
    }

    pub(super) fn take_scenario(&mut self, scenario: Scenario, text: Arc<str>) {
        self.text = text;
        self.errors = Arc::new(Vec::new());
        if scenario != *self.scenario {
            self.run(Arc::new(scenario));
        }
    }

    fn restore(&mut self, snapshot: Snapshot) {
        self.refusal = None;
        self.touched = None;
        self.origin = snapshot.origin;
        self.errors = Arc::new(parse(&snapshot.text).err().unwrap_or_default());
        self.text = snapshot.text;
        let own = self.beside.as_ref().map(|b| b.own.clone());
        if snapshot.scenario != self.scenario {
            self.beside = None;
            self.run(snapshot.scenario);
            self.set_beside(snapshot.own);
        } else if snapshot.own != own {
            self.set_beside(snapshot.own);
        }
    }

    /// Runs a scenario; the playhead stays where it is, as far as the run goes.
    pub(super) fn run(&mut self, scenario: Arc<Scenario>) {
        self.ran = Ran::of(&scenario);
        self.scenario = scenario;
        if let Some(matrix) = &mut self.matrix {
            matrix.follow(&self.scenario);
        }
        self.set_beside(self.beside.as_ref().map(|b| b.own.clone()));
        self.selected = self.selected.filter(|record| self.has_record(*record));
        // What was answered was answered about another run.
        self.question = self.question.take().filter(|question| !question.answered);
    }
}
