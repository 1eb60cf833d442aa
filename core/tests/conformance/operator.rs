//! `operator-output/*.json`: what a real cluster's tools and logs said while a trace was recorded, held against what the model
//! says on the same trace: every line of `--describe`, every log line, field by field.
//!
//! What a recording has and the model cannot have is left out by rule ([`words`]), counted, and printed with the reason. A
//! line of the model that the recorder's filter would have kept and that is not recorded is a failure.
//!
//! Set `ONLY` to a part of a name to look at only such recordings.

mod described;
mod lines;
mod recording;
mod words;

use std::path::{Path, PathBuf};

use highwater_core::kafka::ids::Millis;
use highwater_core::operator::{Journal, Topic};
use highwater_core::scenario::trace::{self, Trace};
use highwater_core::sim::replay::{TICK_PHASES, replay_watched};

use crate::report::Report;
use crate::traces;
use recording::OperatorStep;

/// The folder in a folder of cases.
pub const FOLDER: &str = "operator-output";

/// What the comparisons of a file found.
#[derive(Default)]
pub struct Findings {
    /// How many single values were compared.
    pub values: usize,
    /// What is different.
    pub wrong: Vec<String>,
    /// What was not compared: the reasons, each once for every such thing.
    pub left_out: Vec<&'static str>,
}

/// Compares every file of the folder.
pub fn check(cases: &Path) -> Report {
    let mut report = Report::of(&format!("{FOLDER}/*.json"));
    let files = match traces::files(&cases.join(FOLDER)) {
        Ok(files) => files,
        Err(error) => {
            report.fails("the folder", error);
            return report;
        }
    };
    report.absent = files.is_empty();
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        match of_file(file, &cases.join(traces::FOLDER), &name, &mut report) {
            Err(why) => report.fails(&name, why),
            Ok(found) => {
                for why in &found.left_out {
                    report.leaves_out(why, 1);
                }
                match found.wrong.is_empty() {
                    true => report.passes(found.values),
                    false => report.fails(&name, found.wrong.join("\n    ")),
                }
            }
        }
    }
    report
}

fn of_file(
    file: &Path,
    traces: &Path,
    name: &str,
    report: &mut Report,
) -> Result<Findings, String> {
    let text = |path: PathBuf| {
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let steps = recording::read(&text(file.to_path_buf())?)?;
    let recording = trace::read(&text(traces.join(format!("{name}.json")))?)
        .map_err(|errors| format!("its trace cannot be read: {errors:?}"))?;
    report.kafka(&recording.kafka);
    Ok(compare(&recording, &steps, name))
}

/// When the brokers' ISR ticks came was not recorded (`replay_best`): of the phases that fit the trace, the one that fits the
/// operator's view best counts.
fn compare(trace: &Trace, steps: &[OperatorStep], name: &str) -> Findings {
    let half = (trace.settings.replica_lag_time_max.0 / 2).max(1);
    let mut best: Option<Findings> = None;
    for eighth in 0..TICK_PHASES {
        let phase = Millis(half * eighth / TICK_PHASES);
        let (found, fits) = compare_with(trace, phase, steps, name);
        let better = best
            .as_ref()
            .is_none_or(|best| found.wrong.len() < best.wrong.len());
        if better && (fits || best.is_none()) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.wrong.is_empty()) {
            break;
        }
    }
    best.unwrap_or_default()
}

/// The comparison with one phase, and whether the trace's own values fit with it.
fn compare_with(
    trace: &Trace,
    phase: Millis,
    steps: &[OperatorStep],
    name: &str,
) -> (Findings, bool) {
    let topic = Topic::named(name);
    let mut found = Findings::default();
    let mut comparison = lines::Comparison::new(trace, steps);
    let mut journal: Option<Journal> = None;
    let (mut events, mut lines) = (0, 0);
    let mut said = described::Said::default();
    let mut done = 0;
    let comparisons = replay_watched(trace, phase, |step, simulation, recorder| {
        let journal = journal.get_or_insert_with(|| Journal::of_start(&topic, simulation));
        journal.take(&recorder.events[events..]);
        events = recorder.events.len();
        // An operator's step belongs to the last step of the trace that is not after it: those before this one are over.
        let over = |s: &&OperatorStep| step.is_some_and(|step| s.step < step);
        while let Some(seen) = steps.get(done).filter(over) {
            comparison.recorded(seen);
            described::compare(seen, &said, &mut found);
            done += 1;
        }
        if step != trace.steps.first().map(|s| s.index) {
            comparison.end_of_step(&mut found);
        }
        comparison.ours(step, &journal.lines()[lines..]);
        lines = journal.lines().len();
        said = described::Said::now(simulation, &topic);
    });
    for seen in &steps[done..] {
        comparison.recorded(seen);
        described::compare(seen, &said, &mut found);
    }
    comparison.end_of_step(&mut found);
    comparison.end(&mut found);
    (found, comparisons.iter().all(|c| c.differences.is_empty()))
}
