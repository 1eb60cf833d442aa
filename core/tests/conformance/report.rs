//! How the cases of a file went, for people and as data.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

/// How the cases of a file (or folder) went.
#[derive(Default)]
pub struct Report {
    /// Its name.
    pub file: String,
    /// The folder does not have it.
    pub absent: bool,
    /// How many cases hold.
    pub passed: usize,
    /// Cases that do not, each with the reason.
    pub failed: Vec<String>,
    /// Cases that were not run, each with the reason.
    pub skipped: Vec<(String, String)>,
    /// Parts of cases that were not compared, by reason, and how many.
    pub left_out: BTreeMap<String, usize>,
    /// How many single values were compared.
    values: usize,
    /// The Kafka versions that the values are from.
    versions: BTreeSet<String>,
    /// What else is to be said.
    notes: Vec<String>,
    /// More figures by name.
    figures: BTreeMap<String, u64>,
}

impl Report {
    /// Nothing yet.
    pub fn of(file: &str) -> Report {
        Report {
            file: file.to_owned(),
            ..Report::default()
        }
    }

    /// A case holds, in so many values.
    pub fn passes(&mut self, values: usize) {
        self.passed += 1;
        self.values += values;
    }

    /// A case does not hold.
    pub fn fails(&mut self, case: &str, why: String) {
        self.failed.push(format!("{case}: {why}"));
    }

    /// A case is not run.
    pub fn skips(&mut self, case: &str, why: &str) {
        self.skipped.push((case.to_owned(), why.to_owned()));
    }

    /// So many parts of a case were not compared.
    pub fn leaves_out(&mut self, why: &str, count: usize) {
        *self.left_out.entry(why.to_owned()).or_default() += count;
    }

    /// Something else to be said.
    pub fn notes(&mut self, what: String) {
        self.notes.push(what);
    }

    /// A figure of a case.
    pub fn figure(&mut self, name: &str, value: u64) {
        self.figures.insert(name.to_owned(), value);
    }

    /// Values are from this version of Kafka.
    pub fn kafka(&mut self, version: &str) {
        self.versions.insert(version.to_owned());
    }

    /// Writes the report past the test harness, so that a run that passes shows what it left out.
    pub fn print(&self) {
        let mut lines = vec![if self.absent {
            format!("{}: not there", self.file)
        } else {
            format!(
                "{}: {} passed, {} failed, {} skipped; {} values compared",
                self.file,
                self.passed,
                self.failed.len(),
                self.skipped.len(),
                self.values
            )
        }];
        let failed = self.failed.iter();
        lines.extend(failed.map(|failure| format!("  failed: {failure}")));
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (case, why) in &self.skipped {
            reasons.entry(why).or_default().push(case);
        }
        let reasons = reasons.into_iter();
        lines.extend(
            reasons.map(|(why, cases)| {
                format!("  skipped: {}: {why}: {}", cases.len(), cases.join(" "))
            }),
        );
        let left_out = self.left_out.iter();
        lines.extend(left_out.map(|(why, count)| format!("  not compared: {count}: {why}")));
        lines.extend(self.notes.iter().map(|note| format!("  {note}")));
        let mut past_the_harness = std::io::stdout();
        for line in lines {
            writeln!(past_the_harness, "{line}").unwrap();
        }
    }

    fn data(&self) -> Value {
        json!({
            "source": self.file,
            "count": self.passed + self.failed.len() + self.skipped.len(),
            "passed": self.passed,
            "failed": self.failed.len(),
            "skipped": self.skipped.len(),
            "values": self.values,
            "not_compared": self.left_out,
            "kafka": self.versions,
            "skipped_cases": self.skipped.iter().cloned().collect::<BTreeMap<_, _>>(),
            "figures": self.figures,
        })
    }
}

/// Leaves what was checked as data.
pub fn write(reports: &[Report]) {
    let there = reports.iter().filter(|report| !report.absent);
    let data = json!({ "checked": there.map(Report::data).collect::<Vec<_>>() });
    // Cargo gives tests a folder inside the target folder, wherever that is.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let text = serde_json::to_string_pretty(&data).unwrap();
    // Without optimisation the large searches are left out: those figures are not what the evidence page tells.
    let name = match cfg!(debug_assertions) {
        true => "checked-unoptimised.json",
        false => "checked.json",
    };
    std::fs::write(target.join(name), text + "\n").unwrap();
}
