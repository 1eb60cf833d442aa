//! The page: the figures, what the recorded clusters showed, and every source by itself.

use highwater::html::Html;
use highwater::text::Text;
use highwater_core::kafka::error::KafkaError;
use highwater_lessons::link;
use highwater_lessons::site::{Page, Site};
use highwater_lessons::words::Words;

use crate::facts::Facts;
use crate::finding::{Recording, Told, record_names};
use crate::measured::{Checked, Measured, source};
use crate::steps;
use crate::tables::{self, Files};

/// The folder of the page, beside the lab.
pub const FOLDER: &str = "evidence";

/// What a page is made of.
pub struct Whole<'a> {
    /// The site.
    pub site: &'a Site,
    /// The figures.
    pub measured: &'a Measured,
    /// The findings that hold.
    pub told: &'a [Told<'a>],
    /// What the files of cases say.
    pub files: &'a Files<'a>,
    /// The sentences of the language.
    pub text: &'a Text,
    /// The words of this page.
    pub words: &'a Words,
    /// The words around every page.
    pub frame: &'a Words,
}

/// The sources, in the order of the page: name, and key of its title.
pub const SOURCES: &[(&str, &str)] = &[
    (source::UNIT_CASES, "SourceUnit"),
    (source::RECORDINGS, "SourceRecordings"),
    (source::OPERATOR, "SourceOperator"),
    (source::USER_CASES, "SourceUsers"),
    (source::SEARCHES, "SourceSearches"),
    (source::RANDOM, "SourceRandom"),
    (source::WASM, "SourceWasm"),
];

/// The page in a language.
pub fn page(whole: &Whole<'_>) -> String {
    let words = whole.words;
    let page = Page {
        folder: FOLDER,
        locale: whole.text.locale(),
        words: whole.frame,
        title: words.say("Title"),
        description: words.say("Description"),
        slug: None,
        picture: None,
    };
    let lab = page.lab();
    let mut html = Html::default();
    page.open(whole.site, &mut html);
    html.raw("<main class=\"evidence\" id=\"main\">");
    html.element("h1", words.say("Title"));
    html.element("p class=\"intro\"", words.say("Intro"));
    figures(whole, &mut html);
    html.element("h2 id=\"findings\"", words.say("HFindings"));
    html.element("p class=\"intro\"", words.say("FindingsIntro"));
    for told in whole.told {
        finding(whole, told, &lab, &mut html);
    }
    tables::unit_cases(whole, &mut html);
    tables::recordings(whole, &lab, &mut html);
    tables::user_cases(whole, &mut html);
    tables::searches(whole, &mut html);
    tables::random_runs(whole, &mut html);
    html.raw("</main>\n");
    page.close(&mut html);
    html.done()
}

/// A number for people: digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Begins a table that scrolls in itself; `columns` are keys, and whether they hold numbers.
pub fn open_table(html: &mut Html, words: &Words, name: &str, columns: &[(&str, bool)]) {
    html.raw("<div class=\"scrolls\" role=\"region\" tabindex=\"0\"");
    html.attr("aria-label", name).raw("><table><thead><tr>");
    for (key, number) in columns {
        let open = if *number {
            "th scope=\"col\" class=\"n\""
        } else {
            "th scope=\"col\""
        };
        html.element(open, words.say(key));
    }
    html.raw("</tr></thead><tbody>");
}

/// Ends it.
pub fn close_table(html: &mut Html) {
    html.raw("</tbody></table></div>");
}

fn figures(whole: &Whole<'_>, html: &mut Html) {
    let words = whole.words;
    let columns = [
        ("Source", false),
        ("Cases", true),
        ("Passed", true),
        ("NotRun", true),
        ("Values", true),
        ("Kafka", false),
    ];
    open_table(html, words, words.say("Title"), &columns);
    for (name, key) in SOURCES {
        let Some(checked) = whole.measured.of(name) else {
            continue;
        };
        html.raw("<tr").attr("data-source", name).raw(">");
        html.element("th scope=\"row\"", words.say(key));
        for number in [checked.count, checked.passed, checked.skipped] {
            html.element("td class=\"n\"", &grouped(number));
        }
        let values = if checked.values == 0 {
            String::new()
        } else {
            grouped(checked.values)
        };
        html.element("td class=\"n\"", &values);
        html.element("td", &kafka(checked, words)).raw("</tr>");
    }
    close_table(html);
    let commit = whole
        .measured
        .commit
        .get(..12)
        .unwrap_or(&whole.measured.commit);
    html.raw("<p class=\"quiet\">");
    html.text(&words.fill("Commit", &[("commit", commit)]));
    html.raw(" <a href=\"../checked.json\">")
        .text(words.say("Data"))
        .raw("</a></p>");
}

fn kafka(checked: &Checked, words: &Words) -> String {
    match checked.source.as_str() {
        source::RANDOM | source::WASM => words.say("ModelSettings").to_owned(),
        source::SEARCHES => {
            let version = checked.kafka.iter().find_map(|said| said.split(' ').next());
            words.fill("SearchRules", &[("version", version.unwrap_or_default())])
        }
        _ => checked.kafka.join(", "),
    }
}

fn finding(whole: &Whole<'_>, told: &Told<'_>, lab: &str, html: &mut Html) {
    let (words, name) = (whole.words, told.finding.name);
    let slots: Vec<(&str, &str)> = told.slots.iter().map(|(n, v)| (*n, v.as_str())).collect();
    html.raw("<section class=\"finding\"")
        .attr("id", name)
        .raw(">");
    let key = format!("{name}Title");
    let title = words.say(&key);
    html.element("h3", title);
    html.element("p class=\"tells\"", &words.fill(name, &slots));
    let columns = [
        ("Version", false),
        ("Elr", false),
        ("Came", false),
        ("Recording", false),
    ];
    open_table(html, words, title, &columns);
    for recording in &told.recordings {
        row(whole, name, recording, lab, html);
    }
    close_table(html);
    if let Some(first) = told.recordings.first() {
        steps::details(whole, &first.both.trace, html);
    }
    html.raw("</section>");
}

fn row(whole: &Whole<'_>, name: &str, recording: &Recording<'_>, lab: &str, html: &mut Html) {
    let (words, trace) = (whole.words, &recording.both.trace);
    let bad = match name {
        "Divergence" => recording.facts.different.is_some(),
        _ => !recording.facts.lost.is_empty(),
    };
    html.raw("<tr").attr("data-recording", &trace.id).raw(">");
    html.element("th scope=\"row\"", &trace.kafka);
    let elr = if trace.settings.elr_enabled() {
        "On"
    } else {
        "Off"
    };
    html.element("td", words.say(elr));
    let came = came(words, name, &recording.facts);
    html.element(if bad { "td class=\"lost\"" } else { "td" }, &came);
    html.raw("<td><a");
    html.attr(
        "href",
        &link::recording(lab, &trace.id, whole.text.locale()),
    );
    html.attr(
        "aria-label",
        &format!("{}: {}", words.say("Open"), trace.id),
    );
    html.raw(">").text(&trace.id).raw("</a></td></tr>");
}

/// What became of a recording's records, in the respect that the finding is about.
fn came(words: &Words, name: &str, facts: &Facts) -> String {
    match name {
        "Divergence" => match &facts.different {
            Some((offset, records)) => {
                let records: Vec<String> = records
                    .values()
                    .map(|record| format!("m{record}"))
                    .collect();
                let slots = [
                    ("offset", offset.to_string()),
                    ("records", records.join(" ≠ ")),
                ];
                let slots: Vec<(&str, &str)> =
                    slots.iter().map(|(n, v)| (*n, v.as_str())).collect();
                words.fill("Differ", &slots)
            }
            None => words.say("Same").to_owned(),
        },
        "AfterAppend" => {
            let told = facts.refused_after_append.iter().map(|refused| {
                let record = format!("m{}", refused.first);
                let error: KafkaError = refused.error;
                words.fill("Answered", &[("record", &record), ("error", error.name())])
            });
            told.collect::<Vec<_>>().join("; ")
        }
        "MinIsrChange" => words.say("Emptied").to_owned(),
        _ if facts.lost.is_empty() => {
            let count = facts.acknowledged.len().to_string();
            words.fill("AllKept", &[("count", &count)])
        }
        _ => words.fill("Lost", &[("records", &record_names(&facts.lost))]),
    }
}
