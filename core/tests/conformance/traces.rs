//! `cluster-traces/*.json`: recordings of real clusters, replayed; every observed value after every step.
//!
//! Set `ONLY` to a part of a name to replay only such recordings.

use std::path::{Path, PathBuf};

use highwater_core::check::Guard;
use highwater_core::kafka::event::Event;
use highwater_core::scenario::trace;
use highwater_core::sim::Simulation;
use highwater_core::sim::replay::{replay_best, replay_observed};

use crate::report::Report;

/// The folder in a folder of cases.
pub const FOLDER: &str = "cluster-traces";

/// Replays every recording of the folder; one line each, which the test harness keeps unless asked.
pub fn check(folder: &Path) -> Report {
    let mut report = Report::of(&format!("{FOLDER}/*.json"));
    let files = match files(folder) {
        Ok(files) => files,
        Err(error) => {
            report.fails("the folder", error);
            return report;
        }
    };
    report.absent = files.is_empty();
    for file in &files {
        let name = file.file_stem().map(|name| name.to_string_lossy());
        let name = name.unwrap_or_default();
        match of_file(file, &mut report) {
            Ok(values) => {
                println!("{name}: {values} values");
                report.passes(values);
            }
            Err(why) => report.fails(&name, why),
        }
    }
    report
}

/// The JSON files of a folder, in order of their names; none when there is no such folder.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.filter_map(|e| e.ok().map(|e| e.path())).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.to_string()),
    };
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".json") && name.contains(&only)
    });
    files.sort();
    Ok(files)
}

/// How many values were compared, or what is different first.
fn of_file(file: &Path, report: &mut Report) -> Result<usize, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let recording = trace::read(&text).map_err(|errors| {
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        format!("cannot be read: {}", told.join("; "))
    })?;
    report.kafka(&recording.kafka);
    let (phase, comparisons) = replay_best(&recording);
    let mut guard = Guard::default();
    let mut look = |state: &Simulation, events: &[Event]| guard.look(state, events);
    replay_observed(&recording, phase, &mut look, |_, _, _| ());
    guard.findings()?;
    let mut wrong = comparisons.iter().filter(|c| !c.differences.is_empty());
    let Some(first) = wrong.next() else {
        return Ok(comparisons.iter().map(|c| c.compared).sum());
    };
    let more = wrong.count();
    let differences = first.differences.iter();
    let told: Vec<String> = differences
        .map(|d| format!("{}: recorded {}, model {}", d.name, d.recorded, d.model))
        .collect();
    Err(format!(
        "step {:?} at {} ms and {more} more: {}",
        first.step,
        first.at,
        told.join("; ")
    ))
}
