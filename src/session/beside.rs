//! B: the same script under other settings, run beside A.

use std::sync::Arc;

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::SendId;
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::names;
use highwater_core::scenario::value::Scenario;
use highwater_core::sim::Instant;
use highwater_core::sim::compare::{Comparison, Difference, Kind, Moment, Subject, compare};
use highwater_core::sim::matrix::Toggles;

use super::command::Command;
use super::moments::{after, end_of};
use super::ran::Ran;
use super::state::{Refusal, Session, clock_of};
use crate::picture::view::Panel;
use crate::text::difference::records;

/// The four toggles by name, in the order of the page. B always has its own.
pub const TOGGLES: [&str; 4] = [
    "acks",
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "eligible.leader.replicas",
];

/// The values of toggles in that order, as a script writes them.
pub fn toggle_values(toggles: Toggles) -> [String; 4] {
    let mut settings = Settings::default();
    toggles.apply(&mut settings);
    TOGGLES.map(|name| names::get(&settings, name).unwrap_or_default())
}

/// Settings by name and value, as a script writes them.
pub type Own = Vec<(String, String)>;

/// The other run.
#[derive(Clone, Debug)]
pub struct Beside {
    /// B's own settings; all others are A's.
    pub own: Arc<Own>,
    /// The script under B's settings.
    pub scenario: Scenario,
    /// Its run.
    pub ran: Arc<Ran>,
    /// How the two runs differ.
    pub comparison: Comparison,
}

impl Beside {
    fn of(a: &Scenario, ran: &Ran, own: Arc<Own>) -> Beside {
        let mut scenario = a.clone();
        for (name, value) in own.iter() {
            // They were set once, so they are good.
            let _ = names::set(&mut scenario.settings, name, value);
        }
        let other = Ran::of(&scenario);
        let comparison = compare((&ran.run, &ran.verdict), (&other.run, &other.verdict));
        Beside {
            own,
            scenario,
            ran: other,
            comparison,
        }
    }

    /// Answers that are the same and come at another time: the call, its attempt, and how much later in B, in ms.
    pub fn late(&self) -> Vec<(SendId, u32, i64)> {
        let differences = self.comparison.differences.iter();
        differences
            .filter_map(|difference| match (difference.subject, difference.kind) {
                (Subject::Answer { send, attempt }, Kind::Timing(by)) => Some((send, attempt, by)),
                _ => None,
            })
            .collect()
    }

    /// B's own settings that are not A's: name, A's value, B's value.
    pub fn changed(&self, a: &Settings) -> Vec<(&str, String, String)> {
        let get = |settings, name| names::get(settings, name).unwrap_or_default();
        self.own
            .iter()
            .map(|(name, _)| {
                (
                    name.as_str(),
                    get(a, name),
                    get(&self.scenario.settings, name),
                )
            })
            .filter(|(_, a, b)| a != b)
            .collect()
    }
}

/// What explains a difference in a run: of an answer, what the broker made of the request; else the event itself.
pub fn reason<'a>(ran: &'a Ran, of: Subject, moment: Option<&Moment>) -> Option<&'a Event> {
    let until = moment.map_or(ran.run.end, |moment| moment.at);
    let decided = ran.run.events.iter().rev().find(|event| {
        let about = match event.kind {
            EventKind::ProduceCompleted { send, .. }
            | EventKind::ProduceParked { send, .. }
            | EventKind::AppendRefused { send, .. } => send,
            _ => return false,
        };
        event.at <= until && matches!(of, Subject::Answer { send, .. } if send == about)
    });
    decided.or_else(|| ran.event(moment?.event?))
}

/// The panel in which a difference is seen.
pub fn panel_of(subject: Subject) -> Panel {
    match subject {
        Subject::Committed(_) => Panel::Lag,
        Subject::Visible(_) => Panel::Visibility,
        _ => Panel::Acks,
    }
}

fn values(settings: &Settings, which: impl Iterator<Item = impl AsRef<str>>) -> Own {
    which
        .filter_map(|name| {
            let value = names::get(settings, name.as_ref())?;
            Some((name.as_ref().to_owned(), value))
        })
        .collect()
}

impl Session {
    /// The other run, while there is one.
    pub fn beside(&self) -> Option<&Arc<Beside>> {
        self.beside.as_ref()
    }

    /// Where the first difference is marked: when, in which panel, at which record; `None` = at the partition.
    pub fn first_difference(&self) -> Option<(&Difference, Panel, Option<u64>)> {
        let first = self.beside()?.comparison.first()?;
        let record = records(first.subject, &self.ran.run).map(|(record, _)| record);
        Some((first, panel_of(first.subject), record))
    }

    /// The end of the longer run.
    pub(super) fn end(&self) -> Instant {
        let other = self.beside.as_ref().map(|b| b.ran.end());
        other.into_iter().fold(self.ran.end(), Instant::max)
    }

    /// Where the clock ends: with the longer run, where an author ends it, or where a question begins.
    pub(super) fn last(&self) -> Instant {
        let to = self.window.to.map(end_of);
        let limits = [to, self.until()].into_iter().flatten();
        limits.fold(self.end(), Instant::min)
    }

    /// The clock of what runs, with the pauses that are open.
    pub(super) fn remake_clock(&mut self) {
        let other = self.beside.as_ref().map(|b| &*b.ran);
        self.clock = clock_of(&self.ran, other, &self.unfolded);
    }

    /// Runs B anew beside the present A, or lets go of it.
    pub(super) fn set_beside(&mut self, own: Option<Arc<Own>>) {
        self.beside = own.map(|own| Arc::new(Beside::of(&self.scenario, &self.ran, own)));
        self.remake_clock();
        self.playhead = self.playhead.min(self.last()).max(self.begin());
    }

    /// The commands about B.
    pub(super) fn compare(&mut self, command: Command) {
        let own = self.beside.as_ref().map(|b| b.own.clone());
        match command {
            Command::Compare(changes) => self.compare_with(changes, own),
            Command::CopyToB => {
                self.edit(None);
                let copied = values(&self.scenario.settings, TOGGLES.iter());
                self.set_beside(Some(Arc::new(copied)));
            }
            Command::CopyToA => self.take_own(own, false),
            Command::Swap => self.take_own(own, true),
            Command::CloseB if own.is_some() => {
                self.edit(None);
                self.set_beside(None);
            }
            Command::NextDifference => self.next_difference(),
            Command::FirstDifference => {
                let first = self.beside.as_ref().and_then(|b| b.comparison.first());
                if let Some(instant) = first.map(|d| self.instant_of(d)) {
                    self.seek(instant);
                }
            }
            _ => {}
        }
    }

    /// Runs B with these settings of its own; without `own` it begins as a copy of A.
    pub(super) fn compare_with(&mut self, changes: Own, own: Option<Arc<Own>>) {
        let settings = &self.scenario.settings;
        let mut next = match own {
            Some(own) => Own::clone(&own),
            None => values(settings, TOGGLES.iter()),
        };
        let mut tried = settings.clone();
        for (name, value) in changes {
            if let Err(error) = names::set(&mut tried, &name, &value) {
                self.refusal = Some(Refusal::Setting { name, value, error });
                return;
            }
            match next.iter_mut().find(|(of, _)| *of == name) {
                Some(entry) => entry.1 = value,
                None => next.push((name, value)),
            }
        }
        if self.beside.as_ref().is_none_or(|b| *b.own != next) {
            self.edit(None);
            self.set_beside(Some(Arc::new(next)));
            // Where one panel is open it is the one in which the difference is seen.
            let first = self.beside.as_ref().and_then(|b| b.comparison.first());
            if let Some(subject) = first.map(|first| first.subject) {
                self.panel = panel_of(subject);
            }
        }
    }

    /// A takes B's own settings; when they are swapped, B takes those that A had.
    fn take_own(&mut self, own: Option<Arc<Own>>, swap: bool) {
        let Some(own) = own.filter(|_| self.errors.is_empty()) else {
            self.refusal = Some(Refusal::TextIsWrong);
            return;
        };
        let before = values(&self.scenario.settings, own.iter().map(|(name, _)| name));
        let mut scenario = Scenario::clone(&self.scenario);
        for (name, value) in own.iter() {
            let _ = names::set(&mut scenario.settings, name, value);
        }
        if scenario == *self.scenario {
            return;
        }
        self.edit(None);
        let text = self.text_for(&scenario, None);
        self.take_scenario(scenario, text);
        if swap {
            self.set_beside(Some(Arc::new(before)));
        }
    }

    /// The instant just after a difference has come out, in the run where it does first.
    fn instant_of(&self, difference: &Difference) -> Instant {
        let other = self.beside.as_ref().map(|b| &b.ran);
        let moments = [
            difference.a.as_ref().zip(Some(&self.ran)),
            difference.b.as_ref().zip(other),
        ];
        let instants = moments.into_iter().flatten().map(|(moment, ran)| {
            let event = moment.event.and_then(|id| ran.event(id));
            event.map_or_else(|| end_of(moment.at), after)
        });
        instants.min().unwrap_or_default()
    }

    /// To the next difference in outcome; after the last one to the first.
    fn next_difference(&mut self) {
        let Some(beside) = self.beside.clone() else {
            return;
        };
        let differences = beside.comparison.differences.iter();
        let instants: Vec<Instant> = differences
            .filter(|d| d.kind == Kind::Outcome)
            .map(|d| self.instant_of(d))
            .collect();
        let later = instants.iter().filter(|i| **i > self.playhead).min();
        if let Some(instant) = later.or(instants.iter().min()) {
            self.seek(*instant);
        }
    }
}
