//! The session as a link, and a link as a session. What a link says is resolved here against the library, the model's
//! settings and the run; what cannot be is told as a [`Mistake`].

use std::sync::Arc;

use highwater_core::kafka::ids::Millis;
use highwater_core::kafka::map::Set;
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::value::Scenario;
use highwater_core::scenario::{Expected, names, nearest, parse, print};
use highwater_core::sim::Instant;

use super::state::{Origin, Session};
use super::{library, lines};
use crate::picture::clock::Segment;
use crate::share::{self, Content, Link, Playhead, Setting, View, frozen};

pub use crate::share::{LONGEST, Mistake};

/// What came of the last link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opened {
    /// The link as it was given.
    pub original: String,
    /// What could not be read.
    pub mistakes: Vec<Mistake>,
    /// The recording that has to be fetched.
    wanted: Option<String>,
}

/// The language that a link asks for.
pub fn language(link: &str) -> Option<String> {
    share::read(link).view.language
}

impl Session {
    /// The page as a link opens it: with nothing to undo.
    pub fn from_link(link: &str) -> Session {
        let mut session = Session::default();
        session.open_link(link);
        session.history = Default::default();
        session
    }

    /// What came of the link that was opened, until the reader has seen it.
    pub fn opened(&self) -> Option<&Opened> {
        self.opened.as_deref()
    }

    /// The recording that the link asks for: fetch it and send it with `LoadTrace`.
    pub fn wanted_recording(&self) -> Option<&str> {
        self.opened()?.wanted.as_deref()
    }

    /// The query of a link to what is on the page. `language` is the tag that the link asks for.
    pub fn link(&self, language: Option<&str>) -> String {
        let mut view = self.content();
        let (selected, playhead) = self.answer();
        if self.playhead != playhead {
            view.playhead = Some(match self.playhead.position {
                u32::MAX => Playhead::End,
                position => Playhead::At(self.playhead.at.0, position),
            });
        }
        if self.selected != selected {
            view.record = Some(self.selected);
        }
        // One that was opened before an edit may be no pause any more.
        let open = self
            .clock
            .folds()
            .filter(|s| self.unfolded.contains(&s.from));
        view.open = open.map(|pause| pause.from.0).collect();
        view.messages = self.messages;
        view.language = language.map(str::to_owned);
        let a = &self.scenario.settings;
        view.against = self.beside().map(|b| {
            let changed = b.changed(a).into_iter();
            changed
                .map(|(name, _, value)| setting(name, &value))
                .collect()
        });
        share::write(&view)
    }

    /// The shortest content that stands for the very text that is open.
    fn content(&self) -> View {
        let library = match &self.origin {
            // One that a reader gave has no name that others know.
            Origin::Recording(recorded)
                if self.recording().is_some() && !recorded.id.is_empty() =>
            {
                return View {
                    content: Content::Recording(recorded.id.clone()),
                    ..View::default()
                };
            }
            Origin::Recording(_) => None,
            Origin::Library(id) => library::find(id),
        };
        let mut read = Link::default();
        if let Some(entry) = library {
            read.view.content = Content::Library(entry.id.to_owned());
            read.view.settings = differing(entry.text, &self.scenario.settings);
            if resolve(&mut read) == *self.text {
                return read.view;
            }
        }
        (read.view.content, read.view.settings) = without_settings(&self.text);
        if resolve(&mut read) != *self.text {
            read.view.content = Content::Script(self.text.to_string());
            read.view.settings = now(&self.text);
        }
        read.view
    }

    /// Opens what a link says, as far as it can be read.
    pub(super) fn open_link(&mut self, link: &str) {
        let mut read = share::read(link);
        let mut opened = Opened {
            original: link.to_owned(),
            ..Opened::default()
        };
        if let Content::Recording(id) = &read.view.content {
            opened.wanted = Some(id.clone());
        } else {
            self.open_content(&mut read);
            self.look_as(&mut read);
            opened.mistakes = read.mistakes;
        }
        self.opened = Some(Arc::new(opened));
    }

    /// The recording that a link asked for is here.
    pub(super) fn finish_link(&mut self, id: &str) {
        let Some(opened) = self.opened.take() else {
            return;
        };
        if opened.wanted.as_deref() == Some(id) {
            let mut read = share::read(&opened.original);
            self.set_as(&mut read);
            self.look_as(&mut read);
            self.opened = Some(Arc::new(Opened {
                original: opened.original.clone(),
                mistakes: read.mistakes,
                wanted: None,
            }));
        }
    }

    /// The settings that a link asks for beside a recording, which is then no recording any more.
    fn set_as(&mut self, read: &mut Link) {
        let mut scenario = Scenario::clone(&self.scenario);
        set_all(read, &mut scenario.settings, |_| {});
        if scenario != *self.scenario {
            let text = self.text_for(&scenario, None);
            self.take_scenario(scenario, text);
            self.look_at_the_answer();
        }
    }

    fn open_content(&mut self, read: &mut Link) {
        let text = resolve(read);
        let entry = entry_of(&read.view.content).unwrap_or(library::first());
        let origin = Origin::Library(entry.id);
        if *self.text != *text || self.origin != origin {
            self.open_text(text);
            self.origin = origin;
        }
        self.look_at_the_answer();
    }

    /// Opens a script; of one with mistakes, what can be run of it runs.
    pub(super) fn open_text(&mut self, text: String) {
        self.edit(None);
        self.opened = None;
        self.open(text.as_str().into());
        if !self.errors.is_empty() {
            self.run(Arc::new(good_part(text)));
            self.look_at_the_answer();
        }
    }

    /// The B of a link; without one there is none.
    fn open_beside(&mut self, read: &mut Link) {
        let Some(settings) = read.view.against.take() else {
            if self.beside().is_some() {
                self.set_beside(None);
            }
            return;
        };
        let mut good = Vec::new();
        for Setting { name, value } in settings {
            let mut tried = self.scenario.settings.clone();
            match names::set(&mut tried, &name, &value) {
                Ok(()) => good.push((name, value)),
                Err(error) => {
                    read.refuse(&format!("b.{name}"), &value, error.expected, error.instead);
                }
            }
        }
        self.compare_with(good, None);
    }

    /// The playhead, the selection and the view of a link.
    fn look_as(&mut self, read: &mut Link) {
        self.player.playing = false;
        self.messages = read.view.messages;
        self.open_beside(read);
        let end = self.end();
        match read.view.playhead {
            None => {}
            Some(Playhead::End) => self.playhead = end,
            Some(Playhead::At(at, _)) if Millis(at) > end.at => {
                let (min, max) = (Millis(0), end.at);
                read.refuse("at", &format!("{at}ms"), Expected::Time { min, max }, None);
            }
            Some(Playhead::At(at, position)) => {
                let at = Millis(at);
                self.playhead = Instant { at, position };
            }
        }
        match read.view.record {
            None => {}
            Some(Some(record)) if !self.has_record(record) => {
                let max = self.ran.verdict.records.len() as u64;
                let expected = Expected::Number { min: 1, max };
                read.refuse("record", &record.to_string(), expected, None);
            }
            Some(record) => self.selected = record,
        }
        self.open_pauses(read);
    }

    /// The pauses of a link: an instant stands for the pause that it is in, so that a pause which begins a little elsewhere
    /// after a correction of the model is opened all the same.
    fn open_pauses(&mut self, read: &mut Link) {
        let mut open = Set::new();
        for at in core::mem::take(&mut read.view.open) {
            let of = |pause: &&Segment| pause.from.0 <= at && at < pause.to.0;
            if let Some(pause) = self.clock.folds().find(of) {
                open.insert(pause.from);
                continue;
            }
            let min = self.clock.folds().next().map_or(Millis(0), |s| s.from);
            let max = self.clock.folds().last().map_or(Millis(0), |s| s.to);
            read.refuse("open", &at.to_string(), Expected::Time { min, max }, None);
        }
        if self.unfolded != open {
            self.unfolded = open;
            self.remake_clock();
        }
    }
}

/// The entry of the library that a content names.
fn entry_of(content: &Content) -> Option<&'static library::Entry> {
    match content {
        Content::Library(id) => library::find(id),
        Content::Recording(_) | Content::Script(_) => None,
    }
}

/// Sets what a link asks for, in canonical order: what others depend on comes first. `done` hears of each that could be set.
fn set_all(read: &mut Link, settings: &mut Settings, mut done: impl FnMut(&Setting)) {
    let wanted = core::mem::take(&mut read.view.settings);
    for known in names::ALL {
        let Some(one) = wanted.iter().find(|one| one.name == known.name) else {
            continue;
        };
        match names::set(settings, &one.name, &one.value) {
            Ok(()) => done(one),
            Err(error) => read.refuse(&one.name, &one.value, error.expected, error.instead),
        }
    }
    read.view.settings = wanted;
}

/// The text that a link stands for. What the library does not have is replaced by the first scenario, which is said.
fn resolve(read: &mut Link) -> String {
    let is_script = matches!(read.view.content, Content::Script(_));
    let mut text = match read.view.content.clone() {
        Content::Script(text) => text,
        Content::Library(id) | Content::Recording(id) => match library::find(&id) {
            Some(entry) => entry.text.to_owned(),
            None => {
                let ids: Vec<&str> = library::entries().map(|entry| entry.id).collect();
                let instead = nearest(&id, ids.iter().copied()).map(str::to_owned);
                read.refuse("scenario", &id, Expected::Words(ids), instead);
                library::first().text.to_owned()
            }
        },
    };
    let parsed = parse(&text).ok();
    let canonical = parsed.is_some() && !is_script;
    let mut scenario = parsed.unwrap_or_default();
    for (name, meant, _) in frozen::moved(&Settings::default()) {
        if !sets(&text, name) {
            // The name is one of the table.
            let _ = names::set(&mut scenario.settings, name, meant);
            text = lines::with_setting(&text, name, meant);
        }
    }
    set_all(read, &mut scenario.settings, |set| {
        text = lines::with_setting(&text, &set.name, &set.value);
    });
    match canonical && !read.view.settings.is_empty() {
        true => print(&scenario),
        false => text,
    }
}

/// Whether the text has a `set` line for that setting.
fn sets(text: &str, name: &str) -> bool {
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("set "))
        .flat_map(str::split_whitespace)
        .filter_map(|pair| names::find(pair.split_once('=')?.0))
        .any(|setting| {
            setting.name == name || (name == "replicas" && setting.name == "replication.factor")
        })
}

/// What the model starts with now and links of version 1 do not, for a text that does not say it.
fn now(text: &str) -> Vec<Setting> {
    frozen::moved(&Settings::default())
        .filter(|(name, ..)| !sets(text, name))
        .map(|(name, _, now)| setting(name, &now))
        .collect()
}

fn setting(name: &str, value: &str) -> Setting {
    Setting {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

/// What has to be set so that the settings of a text become `wanted`.
fn differing(text: &str, wanted: &Settings) -> Vec<Setting> {
    let mut settings = now(text);
    let mut from = parse(text).unwrap_or_default().settings;
    for known in names::ALL {
        let value = known.get(wanted);
        // The replicas say it, unless they are those that the factor stands for.
        let usual = wanted
            .replicas
            .iter()
            .zip(1..)
            .all(|(broker, n)| broker.0 == n);
        if known.get(&from) == value || (known.name == "replication.factor" && !usual) {
            continue;
        }
        if names::set(&mut from, known.name, &value).is_ok() {
            settings.retain(|one| one.name != known.name);
            settings.push(setting(known.name, &value));
        }
    }
    settings
}

/// A text without its `set` lines, and what they say.
fn without_settings(text: &str) -> (Content, Vec<Setting>) {
    let mut rest = String::with_capacity(text.len());
    let mut settings = now(text);
    for line in text.split_inclusive('\n') {
        let pair = line.strip_prefix("set ").map(str::trim_end);
        match pair.and_then(|pair| pair.split_once('=')) {
            Some((name, value)) => settings.push(setting(name, value)),
            None => rest.push_str(line),
        }
    }
    (Content::Script(rest), settings)
}

/// The scenario of a text without the lines that have mistakes.
fn good_part(mut text: String) -> Scenario {
    // Mistakes lead to others in later lines: each round takes away what the round before left wrong.
    for _ in 0..ROUNDS {
        let errors = match parse(&text) {
            Ok(scenario) => return scenario,
            Err(errors) => errors,
        };
        let mut lines: Vec<Option<&str>> = text.split_inclusive('\n').map(Some).collect();
        for error in errors {
            let place = error.line.saturating_sub(1) as usize;
            if let Some(line) = lines.get_mut(place) {
                *line = None;
            }
        }
        let kept: String = lines.into_iter().flatten().collect();
        text = kept;
    }
    Scenario::default()
}

/// So often lines are taken away until the rest can be read.
const ROUNDS: u32 = 8;

#[cfg(test)]
mod tests;
