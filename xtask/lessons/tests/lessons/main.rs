//! Every lesson of the repository is replayed, and its pages are complete; broken copies of one fail with the right words
//! ([`broken`]).
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use highwater_core::sim::Instant;
use highwater_lessons::fault::Fault;
use highwater_lessons::question::{Kind, Pick};
use highwater_lessons::render::{self, Lessons};
use highwater_lessons::site::Site;

mod broken;

/// The lesson that the broken copies are made of.
const EXAMPLE: &str = "the-fetch-is-the-ack";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn all() -> Lessons {
    render::read(&root(), None).unwrap_or_else(|faults| panic!("{}", said(&faults)))
}

fn said(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

/// All pages, rendered once for the tests that read them.
fn pages() -> &'static [(String, String)] {
    static PAGES: OnceLock<Vec<(String, String)>> = OnceLock::new();
    PAGES.get_or_init(|| all().files(&site()))
}

fn site() -> Site {
    Site {
        style: "lessons.css".to_owned(),
        script: "lesson.js".to_owned(),
        wasm: false,
        papers: ("white".to_owned(), "black".to_owned()),
        previews: true,
        address: Some("https://example.org/highwater/".to_owned()),
    }
}

#[test]
fn every_lesson_holds_and_is_replayed_at_every_step() {
    let lessons = all();
    assert!(!lessons.lessons.is_empty());
    for lesson in &lessons.lessons {
        assert_eq!(lesson.prose.len(), 3, "{}", lesson.slug);
        for ran in lesson.runs.values() {
            assert!(!ran.run.cut_off, "{}", lesson.slug);
            for event in &ran.run.events {
                // The state at an instant is that of the run, however it is reached.
                let at = Instant {
                    at: event.at,
                    position: event.sequence + 1,
                };
                assert_eq!(ran.run.after(event.id), at);
            }
        }
        for step in &lesson.steps {
            let ran = &lesson.runs[&step.show[0]];
            let until = step.until.unwrap_or(ran.run.end());
            let state = ran.run.at(until);
            assert!(state.simulation.now <= ran.run.end, "{}", lesson.slug);
        }
    }
}

#[test]
fn every_question_has_one_key_and_a_reason_for_every_wrong_answer() {
    let lessons = all();
    for lesson in &lessons.lessons {
        for question in lesson.steps.iter().filter_map(|step| step.ask.as_ref()) {
            let right = question.choices.iter().filter(|c| c.right).count();
            match &question.kind {
                Kind::Order => {
                    let mut ranks: Vec<_> = question.choices.iter().map(|c| c.rank).collect();
                    assert_ne!(ranks, (0..ranks.len()).collect::<Vec<_>>());
                    ranks.sort_unstable();
                    assert_eq!(ranks, (0..ranks.len()).collect::<Vec<_>>());
                }
                Kind::Brokers(_) => {}
                _ => assert_eq!(right, 1, "{}: {:?}", lesson.slug, question.kind),
            }
            for choice in question.choices.iter().filter(|c| !c.right) {
                assert!(
                    !choice.reasons.is_empty(),
                    "{}: {:?}",
                    lesson.slug,
                    choice.pick
                );
            }
        }
    }
}

#[test]
fn a_wrong_answer_gets_its_own_reason() {
    let name = "en/hw-is-the-lowest-leo/index.html";
    let (_, page) = pages().iter().find(|(n, _)| n == name).unwrap();
    for why in [
        "m1 is not committed: broker 2 of ISR {1, 2, 3} has not fetched it, so HW is 4 and not 5.",
        "m2 is not committed: brokers 2 and 3 of ISR {1, 2, 3} have not fetched it, so HW is 4 and not 6.",
        "m2 is not committed: broker 3 of ISR {1, 3} has not fetched it, so HW is 5 and not 6.",
    ] {
        assert_eq!(page.matches(why).count(), 1, "{why}");
    }
    let name = "en/refused-before-or-after/index.html";
    let (_, page) = pages().iter().find(|(n, _)| n == name).unwrap();
    // What each wrong answer would have needed.
    for (answer, why) in [
        (
            "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
            "m2 is not committed: HW stays at 1 while ISR {1}",
        ),
        ("NOT_ENOUGH_REPLICAS", "Leader 1 appended m2 at offset 1"),
        ("ok", "m2 is not acknowledged: HW stays at 1 while ISR {1}"),
        (
            "m3",
            "Broker 1 refused m3 with NOT_ENOUGH_REPLICAS: nothing was appended.",
        ),
    ] {
        let reasons = page.split("<li class=\"reason\"");
        let own = reasons.filter(|r| r.contains(&format!("><b>{answer}</b><ul>")));
        assert!(own.clone().any(|r| r.contains(why)), "{answer}: {why}");
    }
}

#[test]
fn the_pages_are_complete_and_stand_under_any_path() {
    let lessons = all();
    let files = pages();
    for folder in ["en", "ko", "zh"] {
        let (_, index) = files
            .iter()
            .find(|(name, _)| *name == format!("{folder}/index.html"))
            .unwrap();
        assert_eq!(index.matches("<li id=\"row-").count(), lessons.rows.len());
        for lesson in &lessons.lessons {
            let name = format!("{folder}/{}/index.html", lesson.slug);
            let (_, page) = files.iter().find(|(n, _)| *n == name).unwrap();
            for part in [
                "<title>",
                "name=\"description\"",
                "og:title",
                "og:image",
                "hreflang=\"ko\"",
                "hreflang=\"zh-Hans\"",
                "rel=\"canonical\"",
            ] {
                assert!(page.contains(part), "{name}: {part}");
            }
            assert_eq!(
                page.matches("<section class=\"step\"").count(),
                lesson.steps.len()
            );
            assert_eq!(page.matches("<script").count(), 1, "{name}");
            assert!(
                !page.contains("{claim") && !page.contains("<style"),
                "{name}"
            );
            for reference in page
                .split("href=\"")
                .skip(1)
                .filter_map(|rest| rest.split('"').next())
            {
                let outside = reference.starts_with("https://");
                assert!(
                    outside || !reference.starts_with('/'),
                    "{name}: {reference}"
                );
            }
            // The heaviest has 28 KB; with styles and script (12 KB) the first load stays far under 150 KB.
            let gzip = gzip_size(page);
            assert!(gzip < 60_000, "{name}: {gzip} bytes in gzip");
        }
    }
}

fn gzip_size(text: &str) -> usize {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap().len()
}

#[test]
fn a_question_hides_its_answer_from_the_text_as_well() {
    let lessons = all();
    let lesson = lessons.lessons.iter().find(|l| l.slug == EXAMPLE).unwrap();
    let question = lesson.steps[2].ask.as_ref().unwrap();
    let key = question.choices.iter().find(|c| c.right).unwrap();
    assert_eq!(key.pick, Pick::Offset(1));
    let files = pages();
    let (_, page) = files
        .iter()
        .find(|(n, _)| *n == format!("en/{EXAMPLE}/index.html"))
        .unwrap();
    let step = page.split("id=\"step-3\"").nth(1).unwrap();
    let asked = step.split("class=\"stage after\"").next().unwrap();
    // "2 and 3 learn HW 2" is what the answer shows.
    assert!(asked.contains("learn HW 1") && !asked.contains("learn HW 2"));
}

#[test]
fn two_versions_are_told_apart_by_the_version_alone() {
    let name = "en/refused-before-or-after/index.html";
    let (_, page) = pages().iter().find(|(n, _)| n == name).unwrap();
    for version in ["4.4", "3.6"] {
        assert!(page.contains(&format!("<code>kafka.version={version}</code></h3>")));
    }
}
