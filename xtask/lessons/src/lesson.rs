//! A lesson: read, run, and everything that it says checked.

use std::collections::BTreeMap;
use std::path::Path;

use highwater::picture::view::Panel;
use highwater::text::{Locale, Text};
use highwater_core::kafka::ids::EventId;
use highwater_core::scenario::value::{Action, Scenario};
use highwater_core::scenario::{check, names, parse};
use highwater_core::sim::{self, Instant};

use crate::anchor::{self, Ran, record_number};
use crate::apart::{self, Titles};
use crate::claim::{self, Runs};
use crate::fault::{Fault, line_of};
use crate::numbers::Allowed;
use crate::prose::{self, Means, Prose};
use crate::question::{self, Question};
use crate::spec::{self, Spec};
use crate::value::Value;

/// A lesson that holds.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The name of its folder.
    pub slug: String,
    /// Its runs by name.
    pub runs: Runs,
    /// What it calls its runs.
    pub titles: Titles,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Recordings that show the same, with Kafka's version.
    pub recorded: Vec<(String, String)>,
    /// Its prose by language.
    pub prose: BTreeMap<Locale, Prose>,
}

/// A step that was looked up in its runs.
#[derive(Clone, Debug)]
pub struct Step {
    /// The runs that are shown: one, or two side by side.
    pub show: Vec<String>,
    /// Nothing after this instant of the first run is drawn.
    pub until: Option<Instant>,
    /// The selected record.
    pub select: Option<u64>,
    /// The panel that is open on a phone.
    pub panel: Panel,
    /// Events whose sentences stand under the prose, each with its run.
    pub because: Vec<(String, EventId)>,
    /// The question.
    pub ask: Option<Question>,
}

/// What every lesson is read with.
pub struct House<'a> {
    /// The root of the repository.
    pub root: &'a Path,
    /// The sentences of each language.
    pub texts: &'a [Text],
    /// Recordings by id, with Kafka's version.
    pub recordings: &'a BTreeMap<String, String>,
}

/// Collects the faults of one file.
pub(crate) struct Place<'a> {
    file: String,
    source: &'a str,
    pub(crate) faults: Vec<Fault>,
}

impl Place<'_> {
    pub(crate) fn fault(&mut self, at: &spec::Text, message: impl Into<String>) {
        self.fault_at(at.span().start, message);
    }

    pub(crate) fn fault_at(&mut self, byte: usize, message: impl Into<String>) {
        let line = line_of(self.source, byte);
        self.faults
            .push(Fault::at(self.file.clone(), line, message));
    }

    /// The value, or none with its fault noted.
    pub(crate) fn take<T>(&mut self, at: &spec::Text, found: Result<T, String>) -> Option<T> {
        found.map_err(|message| self.fault(at, message)).ok()
    }
}

/// Reads and checks the lesson of a folder.
pub fn read(house: &House<'_>, slug: &str) -> Result<Lesson, Vec<Fault>> {
    let file = format!("lessons/{slug}/lesson.toml");
    let source = text_of(house.root, &file)?;
    let spec = spec::read(&file, &source).map_err(|fault| vec![fault])?;
    let mut place = Place {
        file,
        source: &source,
        faults: Vec::new(),
    };
    let runs = runs(house.root, slug, &spec, &mut place);
    if !place.faults.is_empty() {
        // Two runs of one faulty script say the same.
        place.faults.sort();
        place.faults.dedup();
        return Err(place.faults);
    }
    let mut claims = BTreeMap::new();
    for (name, claim) in &spec.claims {
        let found = claim::check(&runs, claim.get_ref());
        // A claim that fails is told once, and not again wherever the prose uses it.
        let value = place.take(claim, found.map_err(|why| format!("claim `{name}`: {why}")));
        claims.insert(
            name.clone(),
            value.unwrap_or_else(|| Value::Word(String::new())),
        );
    }
    let mut recorded = Vec::new();
    for id in &spec.recorded {
        match house.recordings.get(id.get_ref()) {
            Some(kafka) => recorded.push((id.get_ref().clone(), kafka.clone())),
            None => place.fault(id, format!("there is no recording `{}`", id.get_ref())),
        }
    }
    let titles = apart::titles(house, &spec, &runs, &mut place);
    let steps: Vec<Step> = spec
        .steps
        .iter()
        .map(|one| step(one.get_ref(), &runs, house.texts, &mut place))
        .collect();
    let mut faults = std::mem::take(&mut place.faults);
    let prose = proses(house, slug, &spec, &runs, &claims, &mut faults);
    faults.extend(form(slug, &spec, &prose));
    if !faults.is_empty() {
        faults.sort();
        faults.dedup();
        return Err(faults);
    }
    Ok(Lesson {
        slug: slug.to_owned(),
        runs,
        titles,
        steps,
        recorded,
        prose,
    })
}

fn text_of(root: &Path, file: &str) -> Result<String, Vec<Fault>> {
    std::fs::read_to_string(root.join(file))
        .map_err(|error| vec![Fault::of(file, format!("cannot be read: {error}"))])
}

/// Runs every run of the lesson.
fn runs(root: &Path, slug: &str, spec: &Spec, place: &mut Place<'_>) -> Runs {
    let mut runs = Runs::new();
    for (name, text) in &spec.runs {
        let mut parts = text.get_ref().split_whitespace();
        let file = format!("lessons/{slug}/{}", parts.next().unwrap_or(""));
        let script = match text_of(root, &file) {
            Ok(script) => script,
            Err(faults) => {
                place.faults.extend(faults);
                continue;
            }
        };
        let mut scenario = match parse(&script) {
            Ok(scenario) => scenario,
            Err(errors) => {
                let faults = errors.iter().map(|e| Fault::of(&file, e.to_string()));
                place.faults.extend(faults);
                continue;
            }
        };
        for part in parts {
            let set = part
                .split_once('=')
                .ok_or_else(|| format!("`{part}` is no setting; expected NAME=VALUE"))
                .and_then(|(name, value)| {
                    let changed = names::set(&mut scenario.settings, name, value);
                    changed.map_err(|error| format!("{part}: {error}"))
                });
            place.take(text, set);
        }
        if let Some(fault) = check::check(&scenario).first() {
            let message = format!(
                "run {name}: found `{}`, expected {}",
                fault.found, fault.expected
            );
            place.fault(text, message);
            continue;
        }
        runs.insert(name.clone(), ran(&scenario));
    }
    if runs.is_empty() && place.faults.is_empty() {
        place.fault_at(
            0,
            "there is no run; expected `[runs]` with `A = \"scenario.hw\"`",
        );
    }
    runs
}

fn ran(scenario: &Scenario) -> Ran {
    let run = sim::run(scenario);
    let verdict = sim::verdict(&run);
    Ran { run, verdict }
}

fn step(spec: &spec::Step, runs: &Runs, texts: &[Text], place: &mut Place<'_>) -> Step {
    let first = runs.keys().next().cloned().unwrap_or_default();
    let mut show = vec![first.clone()];
    if let Some(names) = &spec.show {
        show = names
            .get_ref()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        for name in &show {
            place.take(names, claim::run(runs, name));
        }
        if show.is_empty() || show.len() > 2 {
            place.fault(
                names,
                "expected the name of a run, or two with a space between them",
            );
        }
    }
    show.retain(|name| runs.contains_key(name));
    let usual = show.first().cloned().unwrap_or(first);
    let Some(ran) = runs.get(&usual) else {
        return Step::empty(show);
    };
    let until = spec
        .until
        .as_ref()
        .and_then(|text| place.take(text, anchor::instant(ran, text.get_ref())));
    let select = spec.select.as_ref().and_then(|text| {
        let number = record_number(text.get_ref());
        let sent = number.filter(|n| ran.verdict.records.iter().any(|r| r.record == *n));
        place.take(
            text,
            sent.ok_or_else(|| format!("the script sends no `{}`", text.get_ref())),
        )
    });
    let because = events(&spec.because, runs, &usual, place);
    let ask = spec.ask.as_ref().and_then(|ask| {
        let mut about = question::About {
            runs,
            usual: &usual,
            asked: until,
            texts,
        };
        question::read(ask, &mut about, place)
    });
    let usual_panel = ask.as_ref().map_or(Panel::Lag, Question::panel);
    let panel = match spec.panel.as_ref().map(|p| (p, p.get_ref().as_str())) {
        None => usual_panel,
        Some((_, "acks")) => Panel::Acks,
        Some((_, "lag")) => Panel::Lag,
        Some((_, "visibility")) => Panel::Visibility,
        Some((text, other)) => {
            place.fault(
                text,
                format!("`{other}` is no panel; expected acks, lag or visibility"),
            );
            usual_panel
        }
    };
    Step {
        show,
        until,
        select,
        panel,
        because,
        ask,
    }
}

impl Step {
    fn empty(show: Vec<String>) -> Step {
        Step {
            show,
            until: None,
            select: None,
            panel: Panel::Lag,
            because: Vec::new(),
            ask: None,
        }
    }
}

/// Looks events up; each may name its run.
pub(crate) fn events(
    list: &[spec::Text],
    runs: &Runs,
    usual: &str,
    place: &mut Place<'_>,
) -> Vec<(String, EventId)> {
    let mut found = Vec::new();
    for text in list {
        let (name, what) = match text.get_ref().split_once(':') {
            Some((name, what)) => (name.trim(), what),
            None => (usual, text.get_ref().as_str()),
        };
        let event = claim::run(runs, name).and_then(|ran| anchor::event(ran, what));
        if let Some(event) = place.take(text, event) {
            found.push((name.to_owned(), event));
        }
    }
    found
}

fn proses(
    house: &House<'_>,
    slug: &str,
    spec: &Spec,
    runs: &Runs,
    claims: &BTreeMap<String, Value>,
    faults: &mut Vec<Fault>,
) -> BTreeMap<Locale, Prose> {
    let allowed = allowed(spec, runs);
    let mut found = BTreeMap::new();
    for text in house.texts {
        let file = format!("lessons/{slug}/{}.md", short(text.locale()));
        let means = Means {
            text,
            claims,
            allowed: &allowed,
        };
        let read =
            text_of(house.root, &file).and_then(|source| prose::read(&file, &source, &means));
        match read {
            Ok(prose) => {
                found.insert(text.locale(), prose);
            }
            Err(more) => faults.extend(more),
        }
    }
    found
}

/// The name of a language in file names and addresses.
pub fn short(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "en",
        Locale::Ko => "ko",
        Locale::Zh => "zh",
    }
}

pub(crate) fn allowed(spec: &Spec, runs: &Runs) -> Allowed {
    let mut allowed = Allowed {
        names: spec.names.clone(),
        ..Allowed::default()
    };
    for ran in runs.values() {
        let scenario = &ran.run.scenario;
        allowed.records = allowed.records.max(ran.verdict.records.len() as u64);
        let ids = scenario.settings.brokers.iter().map(|b| b.0);
        allowed.brokers.extend(ids);
        for setting in names::ALL {
            if let Some(value) = names::get(&scenario.settings, setting.name) {
                allowed.settings.push(format!("{}={value}", setting.name));
            }
        }
        for step in &scenario.steps {
            if let Action::Produce(call) = &step.action
                && let Some(acks) = call.acks
            {
                let word = highwater::text::arg::acks_word(acks);
                allowed.settings.push(format!("acks={word}"));
            }
        }
    }
    allowed
}

/// What every lesson has: the same steps in each language, a wrong belief, a prediction, two settings, a sentence to
/// take away. It looks at what the lesson says, also where that is faulty: one fault is told once.
fn form(slug: &str, spec: &Spec, prose: &BTreeMap<Locale, Prose>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let toml = format!("lessons/{slug}/lesson.toml");
    let steps: Vec<&spec::Step> = spec.steps.iter().map(|step| step.get_ref()).collect();
    if !steps.iter().any(|s| s.ask.is_some()) {
        faults.push(Fault::of(
            &toml,
            "there is no prediction; expected a step with `[step.ask]`",
        ));
    }
    let shown = |s: &spec::Step| {
        let names = s.show.as_ref();
        names.map_or(1, |show| show.get_ref().split_whitespace().count())
    };
    if !steps.iter().any(|s| shown(s) == 2) {
        faults.push(Fault::of(
            &toml,
            "no step shows two runs; expected one with `show = \"A B\"`",
        ));
    }
    for (locale, prose) in prose {
        let file = format!("lessons/{slug}/{}.md", short(*locale));
        if prose.steps.len() != steps.len() {
            faults.push(Fault::of(
                &file,
                format!(
                    "{} steps (`## `), lesson.toml has {}",
                    prose.steps.len(),
                    steps.len()
                ),
            ));
            continue;
        }
        for (index, (said, step)) in prose.steps.iter().zip(&steps).enumerate() {
            if said.prompt.is_some() != step.ask.is_some() {
                let message = if step.ask.is_some() {
                    format!("step {} asks, but has no question (`### `)", index + 1)
                } else {
                    format!(
                        "step {} has a question (`### `), lesson.toml has no `ask` for it",
                        index + 1
                    )
                };
                faults.push(Fault::of(&file, message));
            }
        }
        if !prose.steps.first().is_some_and(|s| s.quotes) {
            faults.push(Fault::of(
                &file,
                "the first step quotes no belief; expected a line `> …`",
            ));
        }
        if !prose.steps.last().is_some_and(|s| s.quotes) {
            faults.push(Fault::of(
                &file,
                "the last step has no sentence to take away; expected a line `> …`",
            ));
        }
    }
    faults
}
