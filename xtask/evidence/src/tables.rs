//! Every source by itself: what it is, and its parts.

use std::collections::{BTreeMap, BTreeSet};

use highwater::html::Html;
use highwater_core::scenario::trace::Trace;
use highwater_lessons::link;
use highwater_lessons::words::Words;

use crate::finding::version;
use crate::history::Both;
use crate::measured::source;
use crate::page::{Whole, close_table, grouped, open_table};
use crate::sources::{Search, UnitCase, UserCase, address, classes};

/// What the files of cases say.
pub struct Files<'a> {
    /// Kafka's unit tests.
    pub unit_cases: Vec<UnitCase>,
    /// User cases.
    pub user_cases: Vec<UserCase>,
    /// Searches.
    pub searches: Vec<Search>,
    /// Recordings, replayed.
    pub recordings: &'a [Both],
}

fn section(whole: &Whole<'_>, id: &str, title: &str, html: &mut Html) {
    html.raw("<h2").attr("id", id).raw(">");
    html.text(whole.words.say(title)).raw("</h2>");
}

/// Kafka's own tests, by class.
pub fn unit_cases(whole: &Whole<'_>, html: &mut Html) {
    section(whole, "unit-tests", "HUnit", html);
    html.element("p class=\"intro\"", whole.words.say("AboutUnit"));
    let columns = [("Class", false), ("Cases", true)];
    open_table(html, whole.words, whole.words.say("HUnit"), &columns);
    for (class, count) in classes(&whole.files.unit_cases) {
        html.raw("<tr>")
            .element("th scope=\"row\" class=\"mono\"", class);
        html.element("td class=\"n\"", &count.to_string())
            .raw("</tr>");
    }
    close_table(html);
}

/// The recordings, by version.
pub fn recordings(whole: &Whole<'_>, lab: &str, html: &mut Html) {
    let words = whole.words;
    section(whole, "recordings", "HRecordings", html);
    html.element("p class=\"intro\"", words.say("AboutRecordings"));
    let all = whole.files.recordings;
    let versions: BTreeSet<(Vec<u32>, &str)> = all
        .iter()
        .map(|both| (version(&both.trace.kafka), both.trace.kafka.as_str()))
        .collect();
    for (_, kafka) in versions.iter().rev() {
        let of: Vec<&Both> = all
            .iter()
            .filter(|both| both.trace.kafka == *kafka)
            .collect();
        let count = of.len().to_string();
        let summary = words.fill("OfVersion", &[("version", kafka), ("count", &count)]);
        html.raw("<details><summary>")
            .text(&summary)
            .raw("</summary>");
        let columns = [("Recording", false), ("Values", true), ("Passed", true)];
        open_table(html, words, &summary, &columns);
        for both in of {
            let Trace { id, title, .. } = &both.trace;
            html.raw("<tr><th scope=\"row\"><a");
            html.attr("href", &link::recording(lab, id, whole.text.locale()));
            html.attr("aria-label", &format!("{}: {id}", words.say("Open")))
                .raw(">");
            html.text(id)
                .raw("</a><span class=\"quiet\" lang=\"en\">")
                .text(title);
            html.raw("</span></th>");
            html.element("td class=\"n\"", &grouped(both.values as u64));
            let right = both.values.saturating_sub(both.wrong);
            html.element("td class=\"n\"", &grouped(right as u64))
                .raw("</tr>");
        }
        close_table(html);
        html.raw("</details>");
    }
}

/// What users published: with a script, and without.
pub fn user_cases(whole: &Whole<'_>, html: &mut Html) {
    let words = whole.words;
    section(whole, "incidents", "HUsers", html);
    html.element("p class=\"intro\"", words.say("AboutUsers"));
    let checked = whole.measured.of(source::USER_CASES);
    let not_run =
        |case: &&UserCase| checked.is_some_and(|c| c.skipped_cases.contains_key(&case.id));
    let (without, with): (Vec<_>, Vec<_>) = whole.files.user_cases.iter().partition(not_run);
    for (key, cases) in [("WithScript", with), ("WithoutScript", without)] {
        let count = cases.len().to_string();
        let summary = words.fill(key, &[("count", &count)]);
        html.raw("<details><summary>")
            .text(&summary)
            .raw("</summary><ul class=\"asked\">");
        for case in cases {
            html.raw("<li><span class=\"mono\">").text(&case.id);
            html.raw("</span> <span lang=\"en\">")
                .text(&case.title)
                .raw("</span>");
            let mut known = BTreeSet::new();
            for place in case.sources.iter().filter_map(|source| address(source)) {
                if known.insert(place.clone()) {
                    let shown = place
                        .trim_start_matches("https://")
                        .trim_start_matches("github.com/");
                    html.raw(" <a rel=\"noreferrer\"").attr("href", &place);
                    html.raw(">").text(shown).raw("</a>");
                }
            }
            html.raw("</li>");
        }
        html.raw("</ul></details>");
    }
}

/// The searches, each with the answer to the headline's question.
pub fn searches(whole: &Whole<'_>, html: &mut Html) {
    let words = whole.words;
    let figures = whole.measured.of(source::SEARCHES).map(|c| &c.figures);
    let states = |id: &str| figures.and_then(|f| f.get(id)).copied().unwrap_or_default();
    let total: u64 = whole.files.searches.iter().map(|one| states(&one.id)).sum();
    section(whole, "searches", "HSearches", html);
    let about = words.fill("AboutSearches", &[("states", &grouped(total))]);
    html.element("p class=\"intro\"", &about);
    let columns = [
        ("Settings", false),
        ("Faults", false),
        ("Verdict", false),
        ("States", true),
    ];
    open_table(html, words, words.say("HSearches"), &columns);
    for search in &whole.files.searches {
        html.raw("<tr").attr("data-search", &search.id).raw(">");
        html.element("th scope=\"row\"", &settings(search));
        html.element("td", &faults(words, &search.faults));
        match search.expect.get("AckedDurable").copied().flatten() {
            Some(length) => {
                let said = words.fill("MayBeLost", &[("n", &length.to_string())]);
                html.element("td class=\"lost\"", &said);
            }
            None => {
                html.element("td", words.say("CannotBeLost"));
            }
        }
        html.element("td class=\"n\"", &grouped(states(&search.id)))
            .raw("</tr>");
    }
    close_table(html);
}

fn settings(search: &Search) -> String {
    let of = &search.settings;
    let truncation = match of.truncation.as_str() {
        "hw" => "truncate to HW",
        "kip101" => "KIP-101",
        _ => "KIP-279",
    };
    let mut said = format!("acks={}, RF {}, min ISR {}", of.acks, of.rf, of.min_isr);
    for (on, name) in [(of.elr, "ELR"), (of.unclean, "unclean election")] {
        if on {
            said.push_str(", ");
            said.push_str(name);
        }
    }
    let records = match of.records {
        1 => "m1".to_owned(),
        more => format!("m1…m{more}"),
    };
    format!("{said}, {truncation}, {records}")
}

fn faults(words: &Words, faults: &BTreeMap<String, serde_json::Value>) -> String {
    let told = faults.iter().map(|(name, times)| {
        let name = name.replace('_', " ");
        match times.as_u64() {
            Some(times) => words.fill("Times", &[("n", &times.to_string()), ("fault", &name)]),
            None => words.fill("Unbounded", &[("fault", &name)]),
        }
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        words.say("NoFault").to_owned()
    } else {
        told.join(", ")
    }
}

/// The random runs, and what they broke that may break.
pub fn random_runs(whole: &Whole<'_>, html: &mut Html) {
    let words = whole.words;
    let Some(checked) = whole.measured.of(source::RANDOM) else {
        return;
    };
    let events = checked.figures.get("events").copied().unwrap_or_default();
    section(whole, "random-runs", "HRandom", html);
    let slots = [
        ("runs", grouped(checked.count)),
        ("events", grouped(events)),
    ];
    let slots: Vec<(&str, &str)> = slots.iter().map(|(n, v)| (*n, v.as_str())).collect();
    html.element("p class=\"intro\"", &words.fill("AboutRandom", &slots));
    let columns = [("Property", false), ("Runs", true)];
    open_table(html, words, words.say("HRandom"), &columns);
    for (name, count) in checked.figures.iter().filter(|(name, _)| *name != "events") {
        html.raw("<tr>")
            .element("th scope=\"row\" class=\"mono\"", name);
        html.element("td class=\"n\"", &grouped(*count))
            .raw("</tr>");
    }
    close_table(html);
}
