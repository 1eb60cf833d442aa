//! The file of figures is of this repository: its cases, their counts, and a commit that is known here. That the figures
//! are those of a measurement is seen by `cargo xtask test`, which measures.
#![allow(clippy::unwrap_used)] // A test that fails may panic.

use std::path::{Path, PathBuf};
use std::process::Command;

use highwater_evidence::measured::{FILE, Measured, digest_of_cases, source};
use highwater_evidence::page::SOURCES;
use highwater_evidence::{finding, render};
use highwater_lessons::site::Site;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn measured() -> Measured {
    let text = std::fs::read_to_string(root().join(FILE)).unwrap();
    Measured::read(&text).unwrap()
}

fn list(name: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(root().join("core/cases").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn it_was_measured_with_the_cases_that_are_here() {
    let measured = measured();
    assert_eq!(
        measured.cases,
        digest_of_cases(&root()).unwrap(),
        "`cargo xtask evidence` measures anew"
    );
    let count = |name: &str| usize::try_from(measured.of(name).unwrap().count).unwrap();
    let length = |value: &serde_json::Value| value.as_array().unwrap().len();
    assert_eq!(count(source::UNIT_CASES), length(&list(source::UNIT_CASES)));
    assert_eq!(
        count(source::USER_CASES),
        length(&list(source::USER_CASES)["cases"])
    );
    assert_eq!(count(source::SEARCHES), length(&list(source::SEARCHES)));
    assert_eq!(
        count(source::RECORDINGS),
        render::recordings(&root()).unwrap().len()
    );
    for (name, _) in SOURCES {
        let one = measured.of(name).unwrap();
        assert!(one.count > 0 && one.passed > 0, "{name}");
        assert_eq!(one.skipped as usize, one.skipped_cases.len(), "{name}");
    }
    let searches = &measured.of(source::SEARCHES).unwrap().figures;
    assert_eq!(
        searches.len(),
        count(source::SEARCHES),
        "every search was made"
    );
}

#[test]
fn it_names_a_commit_of_this_repository() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .current_dir(root())
            .args(arguments)
            .output();
        output.ok().filter(|output| output.status.success())
    };
    let whole = git(&["rev-parse", "--is-shallow-repository"]);
    if whole.is_none_or(|output| output.stdout.starts_with(b"true")) {
        println!("not a whole repository: the commit cannot be looked up");
        return;
    }
    let commit = measured().commit;
    assert_eq!(commit.len(), 40, "{commit}");
    assert!(
        git(&["merge-base", "--is-ancestor", &commit, "HEAD"]).is_some(),
        "{commit}"
    );
}

/// Every number of the page is filled in; names such as KIP-101 are none.
#[test]
fn no_figure_is_written_by_hand() {
    for (locale, words) in render::words(&root()).unwrap() {
        let keys = render::KEYS.iter().map(|key| (*key).to_owned());
        let of_findings = finding::FINDINGS.iter();
        let of_findings = of_findings.flat_map(|f| [f.name.to_owned(), format!("{}Title", f.name)]);
        for key in keys.chain(of_findings) {
            let message = words.say(&key);
            for word in message.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
                let named = word.starts_with("KIP-") || word.starts_with("KAFKA-");
                let digit = word.bytes().any(|byte| byte.is_ascii_digit());
                assert!(named || !digit, "{locale:?} {key}: {word}");
            }
        }
    }
}

#[test]
fn the_page_tells_every_source_recording_and_finding_in_each_language() {
    let site = Site {
        style: "evidence.css".to_owned(),
        script: String::new(),
        wasm: false,
        papers: ("white".to_owned(), "black".to_owned()),
        previews: false,
        address: None,
    };
    let files = render::files(&root(), &site).unwrap();
    let recordings = render::recordings(&root()).unwrap();
    for language in ["en", "ko", "zh"] {
        let name = format!("{language}/index.html");
        let page = &files.iter().find(|(file, _)| *file == name).unwrap().1;
        for recording in &recordings {
            assert!(
                page.contains(&format!(">{}<", recording.id)),
                "{name}: {}",
                recording.id
            );
        }
        assert_eq!(
            page.matches("data-source=").count(),
            SOURCES.len(),
            "{name}"
        );
        assert_eq!(
            page.matches("class=\"finding\"").count(),
            finding::FINDINGS.len()
        );
        assert!(!page.contains("<script"), "{name}");
        // A slot that nobody filled.
        let mut open = page.split('{').skip(1);
        let unfilled = open.find(|rest| {
            rest.split_once('}').is_some_and(|(name, _)| {
                !name.is_empty()
                    && name
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            })
        });
        assert_eq!(unfilled, None, "{name}");
    }
}
