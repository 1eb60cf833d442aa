//! The figures of the last measurement: what was checked, how much of it passed, and at which commit.
//!
//! `cargo xtask evidence` writes the file; nobody else does. `cargo xtask test` measures again and refuses a file that says
//! anything else.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The file, from the root of the repository.
pub const FILE: &str = "evidence/checked.json";

/// The folder of the cases, from the root of the repository.
pub const CASES: &str = "core/cases";

/// Names of the sources that are told apart on the page.
pub mod source {
    /// Kafka's own unit tests.
    pub const UNIT_CASES: &str = "kafka-unit-cases.json";
    /// What users asked and reported in public.
    pub const USER_CASES: &str = "user-cases.json";
    /// The table of the exhaustive searches.
    pub const SEARCHES: &str = "checker-golden.json";
    /// Recordings of real clusters.
    pub const RECORDINGS: &str = "cluster-traces/*.json";
    /// What tools and logs said during the recordings.
    pub const OPERATOR: &str = "operator-output/*.json";
    /// Random runs.
    pub const RANDOM: &str = "random runs";
    /// The same bytes natively and in wasm.
    pub const WASM: &str = "wasm and native";
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The commit whose sources were measured.
    pub commit: String,
    /// A digest of every file in the folder of cases.
    pub cases: String,
    /// Source by source.
    pub checked: Vec<Checked>,
}

/// One source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// Its name.
    pub source: String,
    /// How many cases it has.
    pub count: u64,
    /// Of those, how many hold.
    pub passed: u64,
    /// How many do not.
    pub failed: u64,
    /// How many were not run.
    pub skipped: u64,
    /// How many single values were compared.
    #[serde(default)]
    pub values: u64,
    /// What was not compared, by reason.
    #[serde(default)]
    pub not_compared: BTreeMap<String, u64>,
    /// The versions of Kafka that the expectations are of.
    #[serde(default)]
    pub kafka: Vec<String>,
    /// Cases that were not run, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped_cases: BTreeMap<String, String>,
    /// More figures by name: events of random runs, violations that were allowed, states of a search.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, u64>,
}

/// What the conformance run and the random runs leave in the target folder.
#[derive(Deserialize)]
struct Left {
    checked: Vec<Checked>,
}

/// Reads what a test left.
///
/// # Errors
/// What the JSON does not have.
pub fn left(text: &str) -> Result<Vec<Checked>, String> {
    let left: Left = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(left.checked)
}

impl Measured {
    /// Reads the file.
    ///
    /// # Errors
    /// What is wrong with it, with the command that mends it.
    pub fn read(text: &str) -> Result<Measured, String> {
        let measured: Measured = serde_json::from_str(text)
            .map_err(|error| format!("{FILE}: {error}; `cargo xtask evidence` writes it anew"))?;
        for one in &measured.checked {
            if one.passed + one.failed + one.skipped != one.count || one.failed > 0 {
                return Err(format!(
                    "{FILE}: {}: {} passed, {} failed and {} skipped are not {} cases that hold",
                    one.source, one.passed, one.failed, one.skipped, one.count
                ));
            }
        }
        Ok(measured)
    }

    /// As the file has it.
    pub fn text(&self) -> String {
        // Strings and numbers only: nothing of it can fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// A source by name.
    pub fn of(&self, source: &str) -> Option<&Checked> {
        self.checked.iter().find(|one| one.source == source)
    }

    /// What differs between this file and figures that were just measured: one line each, empty when all is as it was.
    pub fn differences(&self, now: &[Checked]) -> Vec<String> {
        let mut told = Vec::new();
        for one in now {
            match self.of(&one.source) {
                None => told.push(format!("{}: not in the file", one.source)),
                Some(was) if was != one => {
                    told.push(format!("{}: {}", one.source, difference(was, one)));
                }
                Some(_) => {}
            }
        }
        for was in &self.checked {
            if !now.iter().any(|one| one.source == was.source) {
                told.push(format!("{}: was not measured", was.source));
            }
        }
        told
    }
}

fn difference(was: &Checked, is: &Checked) -> String {
    let numbers = |one: &Checked| {
        format!(
            "{} of {} passed, {} skipped, {} values",
            one.passed, one.count, one.skipped, one.values
        )
    };
    if numbers(was) != numbers(is) {
        return format!("the file says {}; measured {}", numbers(was), numbers(is));
    }
    let figures = is.figures.iter();
    let mut changed = figures.filter(|(name, value)| was.figures.get(*name) != Some(*value));
    match changed.next() {
        Some((name, value)) => {
            let before = was
                .figures
                .get(name)
                .map_or("nothing".to_owned(), u64::to_string);
            format!("{name}: the file says {before}; measured {value}")
        }
        None => "details differ".to_owned(),
    }
}

/// A digest of every file below the folder of cases, by name and content.
///
/// # Errors
/// A file that cannot be read.
pub fn digest_of_cases(root: &Path) -> Result<String, String> {
    let mut files = Vec::new();
    list(&root.join(CASES), "", &mut files)?;
    files.sort();
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for (name, content) in &files {
        for byte in name.bytes().chain([0]).chain(content.iter().copied()) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    Ok(format!("{digest:016x}"))
}

fn list(folder: &Path, below: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, std::fs::read(entry.path()).map_err(failed)?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Measured {
        Measured {
            commit: "c".to_owned(),
            cases: "d".to_owned(),
            checked: vec![Checked {
                source: source::RANDOM.to_owned(),
                count: 3,
                passed: 2,
                skipped: 1,
                values: 7,
                figures: [("events".to_owned(), 5)].into(),
                ..Checked::default()
            }],
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        assert_eq!(Measured::read(&one().text()), Ok(one()));
        assert_eq!(one().differences(&one().checked), Vec::<String>::new());
    }

    #[test]
    fn figures_that_do_not_add_up_and_unknown_words_are_refused() {
        let text = one().text();
        let refused = |from: &str, to: &str| Measured::read(&text.replace(from, to)).is_err();
        assert!(refused("\"passed\": 2", "\"passed\": 3"));
        assert!(refused("\"values\"", "\"value\""));
        assert!(refused("\"failed\": 0", "\"failed\": 1"));
    }

    #[test]
    fn a_changed_figure_is_told() {
        let mut now = one().checked;
        now[0].values = 8;
        let told = one().differences(&now);
        assert!(
            told[0].contains("7 values") && told[0].contains("8 values"),
            "{told:?}"
        );
        now[0].values = 7;
        now[0].figures.insert("events".to_owned(), 6);
        assert_eq!(
            one().differences(&now),
            ["random runs: events: the file says 5; measured 6"]
        );
        now[0].source = "another".to_owned();
        assert_eq!(one().differences(&now).len(), 2);
    }
}
