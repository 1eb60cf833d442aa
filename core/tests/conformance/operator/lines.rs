//! The log lines of a step: ours and the recorded ones, process by process.

use std::collections::BTreeMap;

use highwater_core::operator::Line;
use highwater_core::scenario::trace::Trace;

use super::Findings;
use super::recording::OperatorStep;
use super::words::{
    comparable, is_filtered, number_after, repeats_for_stopped, shown_by_trace, unknown,
    updated_isr, without_partition_epoch,
};

/// The lines of each process.
type Lines = BTreeMap<String, Vec<String>>;

/// Compares the lines of a trace, step by step.
pub struct Comparison<'a> {
    trace: &'a Trace,
    steps: &'a [OperatorStep],
    /// The step that is being collected; none = before the first.
    step: Option<u64>,
    recorded: Lines,
    ours: Lines,
    /// Ours of the step before that were not recorded with it.
    late: Lines,
    /// Recorded in the step before and not among ours there.
    early: Lines,
    /// Which of our broker epochs stands for which recorded one.
    epochs: BTreeMap<(u64, u64), u64>,
}

impl<'a> Comparison<'a> {
    /// Nothing yet.
    pub fn new(trace: &'a Trace, steps: &'a [OperatorStep]) -> Comparison<'a> {
        Comparison {
            trace,
            steps,
            step: None,
            recorded: Lines::new(),
            ours: Lines::new(),
            late: Lines::new(),
            early: Lines::new(),
            epochs: BTreeMap::new(),
        }
    }

    /// What was recorded belongs to the step that is being collected.
    pub fn recorded(&mut self, seen: &OperatorStep) {
        for (process, lines) in &seen.log {
            let list = self.recorded.entry(process.clone()).or_default();
            list.extend(lines.iter().cloned());
        }
    }

    /// What the model wrote belongs to `step`.
    pub fn ours(&mut self, step: Option<u64>, lines: &[Line]) {
        self.step = step;
        for line in lines {
            let list = self.ours.entry(line.origin.to_string()).or_default();
            list.push(line.to_string());
        }
    }

    /// Compares what was collected, and begins anew.
    pub fn end_of_step(&mut self, found: &mut Findings) {
        let mut ours = std::mem::take(&mut self.ours);
        let mut late = std::mem::take(&mut self.late);
        for (process, lines) in std::mem::take(&mut self.early) {
            let ours = ours.entry(process.clone()).or_default();
            for line in &lines {
                let wanted = comparable(line);
                match take(ours, |own| comparable(own) == wanted) {
                    Some(own) => {
                        found.left_out.push(ANOTHER_STEP);
                        self.same(&process, line, &own, found);
                    }
                    None => self.wrong(&process, "recorded and not told by the model", line, found),
                }
            }
        }
        for (process, lines) in std::mem::take(&mut self.recorded) {
            let ours = ours.entry(process.clone()).or_default();
            let late = late.entry(process.clone()).or_default();
            self.of_process(&process, &lines, ours, late, found);
        }
        self.not_recorded(&late, found);
        self.late = ours;
    }

    /// Nothing is recorded after this.
    pub fn end(&mut self, found: &mut Findings) {
        let late = std::mem::take(&mut self.late);
        self.not_recorded(&late, found);
        for (process, lines) in std::mem::take(&mut self.early) {
            for line in &lines {
                self.wrong(&process, "recorded and not told by the model", line, found);
            }
        }
    }

    fn of_process(
        &mut self,
        process: &str,
        recorded: &[String],
        ours: &mut Vec<String>,
        late: &mut Vec<String>,
        found: &mut Findings,
    ) {
        for (place, line) in recorded.iter().enumerate() {
            let wanted = comparable(line);
            let next = recorded.get(place + 1);
            if let Some(why) = unknown(line).or_else(|| repeats_for_stopped(line, next)) {
                found.left_out.push(why);
            } else if let Some(own) = take(ours, |own| comparable(own) == wanted) {
                self.same(process, line, &own, found);
            } else if let Some(own) = take(late, |own| comparable(own) == wanted) {
                found.left_out.push(ANOTHER_STEP);
                self.same(process, line, &own, found);
            } else if let Some(own) = take(ours, |own| is_first_of_started(own, line)) {
                found.left_out.push(FIRST_OF_STARTED);
                self.same(process, line, &own, found);
            } else {
                self.early
                    .entry(process.to_owned())
                    .or_default()
                    .push(line.clone());
            }
        }
    }

    fn not_recorded(&self, lines: &Lines, found: &mut Findings) {
        for (process, lines) in lines {
            for line in lines {
                if is_filtered(line) {
                    found.left_out.push(FILTERED);
                } else if shown_by_trace(line, self.trace) || self.shown_later(process, line) {
                    found.left_out.push(GAP);
                } else {
                    self.wrong(process, "told by the model and not recorded", line, found);
                }
            }
        }
    }

    /// The process itself says later that it has the ISR that the line tells of.
    fn shown_later(&self, process: &str, line: &str) -> bool {
        let Some(isr) = updated_isr(line) else {
            return false;
        };
        let lines = self.steps.iter().filter_map(|step| step.log.get(process));
        let from = format!("Shrinking ISR from {isr} to ");
        lines.flatten().any(|line| comparable(line).contains(&from))
    }

    fn wrong(&self, process: &str, what: &str, line: &str, found: &mut Findings) {
        let (step, line) = (self.step, line.get(26..).unwrap_or(line));
        found
            .wrong
            .push(format!("step {step:?}, {process}: {what}: {line}"));
    }

    /// The lines are the same text. A broker epoch stands for the same one all the time, too.
    fn same(&mut self, process: &str, recorded: &str, ours: &str, found: &mut Findings) {
        found.values += values(&comparable(recorded));
        for word in [" at epoch ", "brokerEpoch="] {
            let (Some(theirs), Some(own)) =
                (number_after(recorded, word), number_after(ours, word))
            else {
                continue;
            };
            let broker = number_after(recorded, "broker ").unwrap_or_default();
            found.values += 1;
            let known = *self.epochs.entry((broker, theirs)).or_insert(own);
            if known != own {
                let what =
                    format!("broker epoch {theirs} was the model's {known} and is now {own}");
                self.wrong(process, &what, recorded, found);
            }
        }
    }
}

const ANOTHER_STEP: &str =
    "the step of a line that was recorded with the step before or after (its text is compared)";
const FIRST_OF_STARTED: &str = "the partition epoch in the first line of a broker that was started: whether it had its own \
    registration's change by then is a race (the rest is compared)";
const FILTERED: &str =
    "a line of ours of a kind that the recorder's filter keeps out (refused appends)";
const GAP: &str = "a line of ours that the recorded excerpt does not have, of a change that the trace or a later line shows with these \
    epochs, leader and ISR";

/// A broker's first line may tell the partition epoch before its own registration.
fn is_first_of_started(ours: &str, recorded: &str) -> bool {
    let first = |line: &str| line.contains("] Follower ") && line.contains("Previous leader None");
    first(ours)
        && first(recorded)
        && without_partition_epoch(&comparable(ours))
            == without_partition_epoch(&comparable(recorded))
        && number_after(ours, "partition epoch ")
            == number_after(recorded, "partition epoch ").map(|e| e + 1)
}

fn take(lines: &mut Vec<String>, is: impl Fn(&String) -> bool) -> Option<String> {
    let place = lines.iter().position(is)?;
    Some(lines.remove(place))
}

/// How many single values a line has: its numbers, and its words taken together.
fn values(line: &str) -> usize {
    let numbers = line.split(|c: char| !c.is_ascii_digit());
    1 + numbers.filter(|number| !number.is_empty()).count()
}
