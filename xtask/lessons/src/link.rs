//! Links from a lesson into the lab, in the form that is decoded for ever ([`highwater::share`]).

use highwater::share::{self, Content, Setting, View};
use highwater::text::Locale;
use highwater_core::scenario::{names, print};

use crate::anchor::Ran;
use crate::claim::Runs;
use crate::lesson::short;

/// The lab with the first run of a lesson, and beside it the second one when it is the same script.
pub fn lab(lab: &str, runs: &Runs, locale: Locale) -> String {
    let mut list = runs.values();
    let Some(first) = list.next() else {
        return lab.to_owned();
    };
    let against = list
        .next()
        .filter(|second| same_script(first, second))
        .map(|second| {
            let settings = names::ALL.iter().filter(|s| s.alias != Some("rf"));
            let changed = settings.filter_map(|setting| {
                let value = |ran: &Ran| names::get(&ran.run.scenario.settings, setting.name);
                let now = value(second)?;
                (value(first).as_ref() != Some(&now)).then(|| Setting {
                    name: setting.name.to_owned(),
                    value: now,
                })
            });
            changed.collect()
        });
    let view = View {
        content: Content::Script(print(&first.run.scenario)),
        against,
        language: Some(short(locale).to_owned()),
        ..View::default()
    };
    address(lab, &view)
}

fn same_script(a: &Ran, b: &Ran) -> bool {
    let (a, b) = (&a.run.scenario, &b.run.scenario);
    a.steps == b.steps && a.start == b.start
}

/// The lab with a recording.
pub fn recording(lab: &str, id: &str, locale: Locale) -> String {
    let view = View {
        content: Content::Recording(id.to_owned()),
        language: Some(short(locale).to_owned()),
        ..View::default()
    };
    address(lab, &view)
}

fn address(lab: &str, view: &View) -> String {
    let query = share::write(view);
    format!(
        "{lab}{}{query}",
        if query.starts_with('?') { "" } else { "?" }
    )
}
