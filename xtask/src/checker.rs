//! The checker of the page: its module, built for speed, its scripts, and the page that asks it.

use std::path::{Path, PathBuf};

use highwater::html::Html;
use highwater::text::Locale;
use highwater_core::check::{Bounds, Fault, Property};
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::names;
use highwater_lessons::lesson::short;
use highwater_lessons::site::{Page, Site, redirect};
use highwater_lessons::words::Words;

use crate::finish::named;
use crate::workspace::{read, root, write};
use crate::{Failure, Outcome, pages, wasm};

/// The folder of the page, beside the lab.
const FOLDER: &str = "check";

/// The style sheets of the page, in order; all but the last are those of the lab and of the lessons.
const STYLES: &[&str] = &["tokens", "page", "lesson", "checker"];

/// Settings of the form: the name, and the values of a choice; none = a number from 1 to 5, or a switch.
const SETTINGS: &[(&str, &[&str])] = &[
    ("acks", &["all", "1", "0"]),
    ("min.insync.replicas", &[]),
    ("replication.factor", &[]),
    ("unclean.leader.election.enable", &[]),
    ("eligible.leader.replicas", &[]),
    ("enable.idempotence", &[]),
    ("kafka.version", &["4.4", "4.1", "4.0", "3.7", "3.6"]),
];

/// Faults that the form begins with.
const BEGINS_WITH: [(Fault, u8); 2] = [(Fault::PowerLoss, 1), (Fault::Fence, 1)];

/// How often a fault may happen at most, besides any number of times.
const MOST_TIMES: u8 = 3;

/// The words of the page.
const KEYS: &[&str] = &[
    "Title",
    "Description",
    "Intro",
    "Settings",
    "Faults",
    "Crash",
    "PowerLoss",
    "CleanShutdown",
    "Fence",
    "Bounce",
    "BouncePowerLoss",
    "Move",
    "Retry",
    "LostFetchResponse",
    "LostAlterPartitionResponse",
    "Never",
    "Times",
    "Unbounded",
    "Bounds",
    "Records",
    "Epochs",
    "Property",
    "Others",
    "Ask",
    "Cancel",
    "Loading",
    "Progress",
    "Violated",
    "Holds",
    "Bounded",
    "Stopped",
    "Wrong",
    "NoWorker",
    "Open",
    "Script",
    "Answer",
    "NoScript",
];

/// What the script says, filled by what the search says.
const SAID: [(&str, &str); 9] = [
    ("data-others", "Others"),
    ("data-loading", "Loading"),
    ("data-progress", "Progress"),
    ("data-violated", "Violated"),
    ("data-holds", "Holds"),
    ("data-bounded", "Bounded"),
    ("data-stopped", "Stopped"),
    ("data-wrong", "Wrong"),
    ("data-noworker", "NoWorker"),
];

/// Writes module, scripts and pages into the finished page. `minify` makes scripts and style sheet smaller.
pub fn into(page: &Path, minify: impl Fn(&[PathBuf]) -> Outcome) -> Outcome {
    let folder = page.join(FOLDER);
    pages::make(&folder)?;
    let scripts = ["check.js", "engine.js", "worker.js"].map(|name| format!("checker/page/{name}"));
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    let (site, names) = pages::dress(&folder, "checker.css", STYLES, &scripts, minify)?;
    let site = Site { wasm: true, ..site };
    let [_, engine, worker] = names.as_slice() else {
        return Err(Failure::work("the checker's page has three scripts"));
    };
    let file = |name: &str| folder.join(name);
    let module = std::fs::read(wasm::module("highwater-checker", wasm::SEARCH)?)
        .map_err(|error| Failure::work(format!("the checker's module: {error}")))?;
    write(&file("checker.wasm"), module)?;
    let files = Files {
        engine: engine.clone(),
        worker: worker.clone(),
        module: named(&file("checker.wasm"))?,
    };
    write(&file("index.html"), redirect("en/"))?;
    for locale in Locale::ALL {
        let below = folder.join(short(locale));
        pages::make(&below)?;
        let words = words("checker/words", locale, KEYS)?;
        let frame = words_of_lessons(locale)?;
        write(
            &below.join("index.html"),
            html(&site, &files, locale, &words, &frame),
        )?;
    }
    Ok(())
}

/// Files that the page names, in its folder.
struct Files {
    engine: String,
    worker: String,
    module: String,
}

fn words(folder: &str, locale: Locale, keys: &[&str]) -> Outcome<Words> {
    let name = format!("{folder}/{}.txt", short(locale));
    let read = Words::of_keys(&name, &read(&root().join(&name))?, keys);
    read.map_err(|faults| {
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure::Input(told.join("\n"))
    })
}

fn words_of_lessons(locale: Locale) -> Outcome<Words> {
    words("lessons/words", locale, highwater_lessons::words::KEYS)
}

fn html(site: &Site, files: &Files, locale: Locale, words: &Words, frame: &Words) -> String {
    let page = Page {
        folder: FOLDER,
        locale,
        words: frame,
        title: words.say("Title"),
        description: words.say("Description"),
        slug: None,
        picture: None,
    };
    let mut html = Html::default();
    page.open(site, &mut html);
    html.raw("<main class=\"checker\" id=\"main\"");
    for (name, file) in [
        ("data-engine", &files.engine),
        ("data-worker", &files.worker),
        ("data-module", &files.module),
    ] {
        html.attr(name, &format!("../{file}"));
    }
    for (name, key) in SAID {
        html.attr(name, words.say(key));
    }
    html.raw(">").element("h1", words.say("Title"));
    html.element("p class=\"intro\"", words.say("Intro"));
    html.raw("<noscript><p>")
        .text(words.say("NoScript"))
        .raw("</p></noscript><form>");
    settings(words, &mut html);
    faults(words, &mut html);
    bounds(words, &mut html);
    html.raw("<p class=\"quiet\" id=\"others\"></p><p class=\"buttons\">");
    html.element(
        "button class=\"btn main\" type=\"submit\" disabled",
        words.say("Ask"),
    );
    html.element(
        "button class=\"btn\" type=\"button\" disabled",
        words.say("Cancel"),
    );
    html.raw("</p></form><section aria-labelledby=\"answer-title\">");
    html.element("h2 class=\"h\" id=\"answer-title\"", words.say("Answer"));
    html.raw("<p id=\"answer\" role=\"status\"></p><p class=\"quiet\" id=\"progress\"></p><p class=\"quiet\" id=\"note\"></p>");
    html.raw("<div id=\"way\" hidden><p><a class=\"btn\" id=\"open\" href=\"../../\">");
    html.text(words.say("Open"))
        .raw("</a></p><details><summary>");
    html.text(words.say("Script")).raw("</summary><pre class=\"well mono\" id=\"script\" translate=\"no\" tabindex=\"0\"></pre></details></div></section></main>\n");
    page.close(&mut html);
    html.done()
}

fn settings(words: &Words, html: &mut Html) {
    let starts = Settings::default();
    html.raw("<fieldset><legend>")
        .text(words.say("Settings"))
        .raw("</legend>");
    for (name, values) in SETTINGS {
        let value = names::get(&starts, name).unwrap_or_default();
        html.raw("<label class=\"asks\"><code>")
            .text(name)
            .raw("</code>");
        match (values.is_empty(), value.as_str()) {
            (false, _) => choice(html, name, values.iter().map(|v| (*v, *v)), &value),
            (true, "true" | "on" | "false" | "off") => {
                html.raw("<input type=\"checkbox\"").attr("name", name);
                html.raw(if matches!(value.as_str(), "true" | "on") {
                    " checked>"
                } else {
                    ">"
                });
            }
            (true, _) => number(html, name, 5, &value),
        }
        html.raw("</label>");
    }
    html.raw("</fieldset>");
}

fn choice<'a>(
    html: &mut Html,
    name: &str,
    values: impl Iterator<Item = (&'a str, &'a str)>,
    chosen: &str,
) {
    html.raw("<select").attr("name", name).raw(">");
    for (value, said) in values {
        html.raw("<option").attr("value", value);
        html.raw(if value == chosen { " selected>" } else { ">" });
        html.text(said).raw("</option>");
    }
    html.raw("</select>");
}

fn number(html: &mut Html, name: &str, most: u8, value: &str) {
    html.raw("<input type=\"number\" inputmode=\"numeric\" required min=\"1\"");
    html.attr("max", &most.to_string()).attr("name", name);
    html.attr("value", value).raw(">");
}

fn faults(words: &Words, html: &mut Html) {
    html.raw("<fieldset><legend>")
        .text(words.say("Faults"))
        .raw("</legend>");
    let times: Vec<(String, String)> = (1..=MOST_TIMES)
        .map(|n| (n.to_string(), words.fill("Times", &[("n", &n.to_string())])))
        .collect();
    for fault in Fault::ALL {
        let begins = BEGINS_WITH.iter().find(|(f, _)| *f == fault);
        let begins = begins.map_or(0, |(_, times)| *times).to_string();
        let never = [("0", words.say("Never"))].into_iter();
        let numbers = times.iter().map(|(n, said)| (n.as_str(), said.as_str()));
        let any = [("unbounded", words.say("Unbounded"))];
        html.raw("<label class=\"asks\"><span>");
        html.text(words.say(&format!("{fault:?}"))).raw("</span>");
        let name = format!("fault.{}", fault.name());
        choice(html, &name, never.chain(numbers).chain(any), &begins);
        html.raw("</label>");
    }
    html.raw("</fieldset>");
}

fn bounds(words: &Words, html: &mut Html) {
    html.raw("<fieldset><legend>")
        .text(words.say("Bounds"))
        .raw("</legend>");
    for (name, key, most, value) in [
        ("records", "Records", Bounds::MOST_RECORDS, "2"),
        ("epochs", "Epochs", Bounds::MOST_EPOCHS, "3"),
    ] {
        html.raw("<label class=\"asks\"><span>")
            .text(words.say(key))
            .raw("</span>");
        number(html, name, most, value);
        html.raw("</label>");
    }
    html.raw("<label class=\"asks\"><span>")
        .text(words.say("Property"))
        .raw("</span>");
    let properties = Property::ALL.iter().map(|p| (p.name(), p.name()));
    choice(html, "property", properties, Property::AckedDurable.name());
    html.raw("</label></fieldset>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_the_form_is_one_and_begins_with_a_value_of_the_form() {
        for (name, values) in SETTINGS {
            let value = names::get(&Settings::default(), name).expect(name);
            assert!(
                values.is_empty() || values.contains(&value.as_str()),
                "{name}={value}"
            );
        }
    }

    #[test]
    fn the_page_has_every_fault_and_its_words_in_every_language() {
        for locale in Locale::ALL {
            let words = words("checker/words", locale, KEYS).expect("words");
            let mut page = Html::default();
            faults(&words, &mut page);
            bounds(&words, &mut page);
            settings(&words, &mut page);
            let page = page.done();
            assert_eq!(page.matches("name=\"fault.").count(), Fault::ALL.len());
            assert_eq!(page.matches(" selected>").count(), Fault::ALL.len() + 3);
        }
    }
}
