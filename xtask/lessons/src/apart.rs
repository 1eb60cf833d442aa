//! What tells two runs apart: the settings that differ, or the names that the lesson gives to two scripts.

use std::collections::BTreeMap;

use highwater::text::{Locale, Text};
use highwater_core::scenario::names;

use crate::anchor::Ran;
use crate::claim::{self, Runs};
use crate::lesson::{House, Place, allowed, short};
use crate::numbers;
use crate::spec::Spec;

/// What the lesson calls its runs, in each language.
pub type Titles = BTreeMap<String, BTreeMap<Locale, String>>;

/// A setting that differs, with its value in each of two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its name in scripts.
    pub name: &'static str,
    /// Its values.
    pub values: [String; 2],
}

/// Whether both runs play the same script.
pub fn same_script(a: &Ran, b: &Ran) -> bool {
    let (a, b) = (&a.run.scenario, &b.run.scenario);
    a.steps == b.steps && a.start == b.start
}

/// The settings of `b` that differ from those of `a`. Where the versions differ, what follows from the version is left out.
pub fn settings(a: &Ran, b: &Ran) -> Vec<Changed> {
    let (left, right) = (&a.run.scenario.settings, &b.run.scenario.settings);
    let version = |settings| names::get(settings, VERSION).unwrap_or_default();
    let mut moved = left.clone();
    if version(left) != version(right) {
        // A version that a scenario has can be set.
        let _ = names::set(&mut moved, VERSION, &version(right));
    }
    let mut list = Vec::new();
    for setting in names::ALL.iter().filter(|s| s.alias != Some("rf")) {
        let [first, second, follows] =
            [left, right, &moved].map(|settings| names::get(settings, setting.name));
        if first == second && follows == second {
            continue;
        }
        if let (Some(first), Some(second)) = (first, second)
            && (setting.name == VERSION || follows.as_ref() != Some(&second))
        {
            list.push(Changed {
                name: setting.name,
                values: [first, second],
            });
        }
    }
    list
}

/// The setting that brings every rule with it.
const VERSION: &str = "kafka.version";

/// What stands above two runs side by side.
pub fn words(titles: &Titles, names: [&str; 2], runs: [&Ran; 2], locale: Locale) -> [String; 2] {
    if same_script(runs[0], runs[1]) {
        let changed = settings(runs[0], runs[1]);
        return [0, 1].map(|side| {
            let list = changed
                .iter()
                .map(|c| format!("`{}={}`", c.name, c.values[side]));
            list.collect::<Vec<_>>().join(" ")
        });
    }
    names.map(|name| {
        let title = titles.get(name).and_then(|title| title.get(&locale));
        title.cloned().unwrap_or_default()
    })
}

/// What the lesson calls its runs: in every language, without a bare number.
pub(crate) fn titles(house: &House<'_>, spec: &Spec, runs: &Runs, place: &mut Place<'_>) -> Titles {
    let allowed = allowed(spec, runs);
    let mut titles = Titles::new();
    for (name, list) in &spec.title {
        for (language, title) in list {
            place.take(title, claim::run(runs, name));
            for bare in numbers::bare(title.get_ref(), &allowed) {
                place.fault(title, format!("the number `{bare}` stands bare in a title"));
            }
            let locale = house
                .texts
                .iter()
                .map(Text::locale)
                .find(|l| short(*l) == language);
            match locale {
                Some(locale) => {
                    let of_run = titles.entry(name.clone()).or_default();
                    of_run.insert(locale, title.get_ref().clone());
                }
                None => place.fault(title, format!("`{language}` is no language of the page")),
            }
        }
    }
    for step in &spec.steps {
        let Some(names) = &step.get_ref().show else {
            continue;
        };
        let shown: Vec<&str> = names.get_ref().split_whitespace().collect();
        let [a, b] = shown.as_slice() else {
            continue;
        };
        let (Some(left), Some(right)) = (runs.get(*a), runs.get(*b)) else {
            continue;
        };
        if same_script(left, right) {
            if settings(left, right).is_empty() {
                place.fault(names, format!("the runs {a} and {b} are the same"));
            }
            continue;
        }
        for (name, text) in shown
            .iter()
            .flat_map(|n| house.texts.iter().map(move |t| (n, t)))
        {
            let locale = text.locale();
            if !titles.get(*name).is_some_and(|t| t.contains_key(&locale)) {
                let language = short(locale);
                let message = format!(
                    "{a} and {b} play different scripts, so they need names: `{name}.{language}` is missing under `[title]`"
                );
                place.fault(names, message);
            }
        }
    }
    titles
}
