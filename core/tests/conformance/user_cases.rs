//! `user-cases.json`: what users asked in public, as scripts with what is expected (the file's own `sim_notation`).
//!
//! A case may ask for several runs (values of a setting, branches, versions); every value that is listed for a run is
//! compared: at a `check` with the state of that instant, at any other step with the state after it came to rest (or right
//! after it, when the next step has an instant of its own), at `end` with the end of the run. A key that is not known is a
//! failure.

mod answers;
mod ends;
mod evidence;
mod labels;
mod long;
mod look;
mod moment;

pub use evidence::check as check_evidence;

use highwater_core::check::trial;
use highwater_core::scenario::check::MAX_STEPS;
use highwater_core::sim::{EVENT_LIMIT, Run};
use serde_json::Value;

use crate::report::Report;
use crate::support::notation::{NotationRun, runs};
use labels::Labels;
use moment::Moment;

/// The file in a folder of cases.
pub const FILE: &str = "user-cases.json";

/// Runs every case of the file that has a script.
pub fn check(text: &str, report: &mut Report) {
    let cases = match serde_json::from_str::<Value>(text) {
        Ok(mut file) => file["cases"].take(),
        Err(error) => return report.fails("the file", error.to_string()),
    };
    let Value::Array(cases) = cases else {
        return report.fails("the file", "it has no list of cases".to_string());
    };
    for case in &cases {
        let id = case["id"].as_str().unwrap_or("a case without id");
        match &case["sim"]["run"] {
            Value::Null if case["sim"].is_null() => report.skips(id, "no script: it is explained"),
            Value::String(kind) if kind == "special" => {
                report.skips(id, "no run: a script that reads files or judges states")
            }
            _ => match of_case(case, report) {
                Ok(values) => report.passes(values),
                Err(wrong) => report.fails(id, wrong.join("\n    ")),
            },
        }
    }
}

/// Compares all runs of a case; how many values there were, or everything that is different.
fn of_case(case: &Value, report: &mut Report) -> Result<usize, Vec<String>> {
    let runs = runs(case).map_err(|error| vec![error])?;
    let mut findings = Findings::default();
    for notation in &runs {
        report.kafka(notation.scenario.settings.version.name());
        let labels = Labels::of(&runs, notation);
        findings.run = format!("{:?}", notation.choice);
        of_run(case, notation, &labels, &mut findings);
    }
    findings.close()
}

/// What came of the comparisons.
#[derive(Default)]
pub struct Findings {
    values: usize,
    run: String,
    place: String,
    wrong: Vec<String>,
}

impl Findings {
    /// Compares what is expected under a key with what is so.
    pub fn compare(&mut self, key: &str, wanted: &Value, is: &Value) {
        self.values += 1;
        if wanted != is {
            self.differs(key, format!("expected {wanted}, is {is}"));
        }
    }

    /// A value is not as expected, or could not be compared.
    pub fn differs(&mut self, key: &str, why: String) {
        let place = format!("{} {}", self.run, self.place);
        self.wrong.push(format!("{place}: {key}: {why}"));
    }

    fn close(self) -> Result<usize, Vec<String>> {
        if self.wrong.is_empty() {
            Ok(self.values)
        } else {
            Err(self.wrong)
        }
    }
}

fn of_run(case: &Value, notation: &NotationRun, labels: &Labels, findings: &mut Findings) {
    if notation.scenario.steps.len() > MAX_STEPS {
        return long::of_run(notation, labels, findings);
    }
    let done = match trial(&notation.scenario, EVENT_LIMIT) {
        Ok(kept) => kept.run,
        Err(why) => return findings.differs("run", why),
    };
    if done.events.len() >= EVENT_LIMIT as usize {
        findings.differs("run", "it was cut off".to_string());
    }
    for (place, step) in notation.steps.iter().enumerate() {
        findings.place = format!("step {place} ({})", step.raw["do"].as_str().unwrap_or(""));
        let moment = Moment::after_step(&done, notation, place);
        look::at_step(&moment, step, labels, findings);
    }
    findings.place = "end".to_string();
    let end = Moment::end(&done, notation);
    ends::compare(case, &done, &end, labels, findings);
}

/// The run of a case with one setting changed, for what is expected of it "if".
fn changed(
    case: &Value,
    key: &str,
    value: Value,
    like: &NotationRun,
) -> Result<(Run, NotationRun), String> {
    let mut case = case.clone();
    case["sim"]["config"][key] = value;
    let all = runs(&case)?;
    let same = all.into_iter().find(|other| other.choice == like.choice);
    let notation = same.ok_or("the changed case has no such run")?;
    Ok((trial(&notation.scenario, EVENT_LIMIT)?.run, notation))
}
