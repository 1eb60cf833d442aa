//! Links from a lesson into the lab, in the form that is decoded for ever ([`highwater::share`]).

use highwater::share::{self, Content, Playhead, Setting, View};
use highwater::text::Locale;
use highwater_core::scenario::print;
use highwater_core::sim::Instant;

use crate::anchor::Ran;
use crate::apart::{Changed, same_script, settings};
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
            let changed = settings(first, second).into_iter();
            let of_b = changed.map(
                |Changed {
                     name,
                     values: [_, now],
                 }| Setting {
                    name: name.to_owned(),
                    value: now,
                },
            );
            of_b.collect()
        });
    let view = View {
        content: Content::Script(print(&first.run.scenario)),
        against,
        language: Some(short(locale).to_owned()),
        ..View::default()
    };
    address(lab, &view)
}

/// The lab with a run as a step shows it: until when, and the selected record.
pub fn step(
    lab: &str,
    ran: &Ran,
    (until, select): (Option<Instant>, Option<u64>),
    locale: Locale,
) -> String {
    let view = View {
        content: Content::Script(print(&ran.run.scenario)),
        playhead: until.map(|until| Playhead::At(until.at.0, until.position)),
        record: select.map(Some),
        language: Some(short(locale).to_owned()),
        ..View::default()
    };
    address(lab, &view)
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
