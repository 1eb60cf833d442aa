//! Everything at once: reads what the page tells of.

use std::collections::BTreeMap;
use std::path::Path;

use highwater::text::{Locale, Text};
use highwater_core::scenario::trace::{self, Trace};
use highwater_lessons::lesson::short;
use highwater_lessons::site::{Site, redirect};
use highwater_lessons::words::Words;
use serde::de::DeserializeOwned;

use crate::finding::told;
use crate::history::Both;
use crate::measured::{CASES, FILE, Measured, source};
use crate::page::{Whole, page};
use crate::sources::UserCases;
use crate::tables::Files;

/// The folder of the recordings, from the root of the repository.
pub const RECORDINGS: &str = "core/cases/cluster-traces";

/// Every word of the page that belongs to no finding.
pub const KEYS: &[&str] = &[
    "Title",
    "Description",
    "Intro",
    "Commit",
    "Data",
    "Source",
    "Cases",
    "Passed",
    "NotRun",
    "Values",
    "Kafka",
    "SourceUnit",
    "SourceRecordings",
    "SourceOperator",
    "SourceUsers",
    "SourceSearches",
    "SourceRandom",
    "SourceWasm",
    "SearchRules",
    "ModelSettings",
    "HFindings",
    "FindingsIntro",
    "Came",
    "Version",
    "Elr",
    "On",
    "Off",
    "Recording",
    "Open",
    "Lost",
    "AllKept",
    "Differ",
    "Same",
    "Answered",
    "Emptied",
    "Steps",
    "Step",
    "Did",
    "Showed",
    "Model",
    "AsRecorded",
    "HUnit",
    "AboutUnit",
    "Class",
    "HRecordings",
    "AboutRecordings",
    "OfVersion",
    "HUsers",
    "AboutUsers",
    "WithScript",
    "WithoutScript",
    "HSearches",
    "AboutSearches",
    "Settings",
    "Faults",
    "Verdict",
    "States",
    "Unbounded",
    "Times",
    "NoFault",
    "MayBeLost",
    "CannotBeLost",
    "HRandom",
    "AboutRandom",
    "Property",
    "Runs",
];

/// All keys: those of the findings are their names.
fn keys() -> Vec<String> {
    let findings = crate::finding::FINDINGS.iter();
    let of_findings = findings.flat_map(|f| [f.name.to_owned(), format!("{}Title", f.name)]);
    let keys = KEYS.iter().map(|key| (*key).to_owned());
    keys.chain(of_findings).collect()
}

/// The words of the page in each language.
///
/// # Errors
/// What is wrong with a file.
pub fn words(root: &Path) -> Result<BTreeMap<Locale, Words>, String> {
    let keys = keys();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let mut all = BTreeMap::new();
    for locale in Locale::ALL {
        let name = format!("evidence/words/{}.txt", short(locale));
        let words = Words::of_keys(&name, &file(root, &name)?, &keys);
        let words = words.map_err(|faults| {
            let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
            told.join("\n")
        })?;
        all.insert(locale, words);
    }
    Ok(all)
}

fn file(root: &Path, name: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
}

fn cases<T: DeserializeOwned>(root: &Path, name: &str) -> Result<T, String> {
    let name = format!("{CASES}/{name}");
    serde_json::from_str(&file(root, &name)?).map_err(|error| format!("{name}: {error}"))
}

/// The files under `evidence/` of the finished page, by path.
///
/// # Errors
/// A file that cannot be read, or a finding that its recordings refute.
pub fn files(root: &Path, site: &Site) -> Result<Vec<(String, String)>, String> {
    let measured = Measured::read(&file(root, FILE)?)?;
    let replayed: Vec<Both> = recordings(root)?.into_iter().map(Both::of).collect();
    let told = told(&replayed).map_err(|faults| faults.join("\n"))?;
    let sources = Files {
        unit_cases: cases(root, source::UNIT_CASES)?,
        user_cases: cases::<UserCases>(root, source::USER_CASES)?.cases,
        searches: cases(root, source::SEARCHES)?,
        recordings: &replayed,
    };
    let mut files = vec![
        ("index.html".to_owned(), redirect("en/")),
        ("checked.json".to_owned(), measured.text()),
    ];
    for (locale, words) in &words(root)? {
        let text = match locale {
            Locale::En => Text::english(),
            _ => {
                let name = format!("src/text/{}.txt", short(*locale));
                let text = Text::read(*locale, file(root, &name)?);
                text.map_err(|error| format!("{name}: {error}"))?
            }
        };
        let name = format!("lessons/words/{}.txt", short(*locale));
        let frame = Words::read(&name, &file(root, &name)?);
        let frame = frame.map_err(|_| format!("{name} cannot be read"))?;
        let whole = Whole {
            site,
            measured: &measured,
            told: &told,
            files: &sources,
            text: &text,
            words,
            frame: &frame,
        };
        files.push((format!("{}/index.html", short(*locale)), page(&whole)));
    }
    Ok(files)
}

/// The recordings, by name.
///
/// # Errors
/// The file that cannot be read, and why.
pub fn recordings(root: &Path) -> Result<Vec<Trace>, String> {
    let folder = root.join(RECORDINGS);
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{RECORDINGS}: {error}"))?;
    let mut list = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| told(&error))?;
        let recording = trace::read(&text).map_err(|errors| match errors.first() {
            Some(error) => told(error),
            None => told(&"cannot be read"),
        })?;
        list.push(recording);
    }
    list.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(list)
}
