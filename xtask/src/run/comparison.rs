//! What a real cluster showed, step by step, beside what the model shows.

use highwater_core::scenario::trace::Trace;
use highwater_core::sim::replay::StepComparison;

/// One line a step, and one line a value that differs.
pub fn text(trace: &Trace, comparisons: &[StepComparison]) -> String {
    let compared: usize = comparisons.iter().map(|step| step.compared).sum();
    let different: usize = comparisons.iter().map(|step| step.differences.len()).sum();
    let found = match different {
        0 => "all as recorded".to_owned(),
        1 => "1 differs".to_owned(),
        _ => format!("{different} differ"),
    };
    let mut out = format!(
        "Recorded on Kafka {}: {compared} values compared, {found}.\n",
        trace.kafka
    );
    for comparison in comparisons {
        out.push_str(&step_line(trace, comparison));
        for difference in &comparison.differences {
            out.push_str(&format!(
                "    {}: recorded {}, model {}\n",
                difference.name, difference.recorded, difference.model
            ));
        }
    }
    out
}

fn step_line(trace: &Trace, comparison: &StepComparison) -> String {
    let name = match comparison.step {
        None => "start".to_owned(),
        Some(index) => {
            let step = trace.steps.iter().find(|step| step.index == index);
            let word = step.map_or("", |step| step.word.as_str());
            format!("step {index}, {word}")
        }
    };
    let verdict = match comparison.differences.len() {
        0 => "as recorded".to_owned(),
        count => format!("{count} of {} differ", comparison.compared),
    };
    format!("{name:<32} {:>3} values, {verdict}\n", comparison.compared)
}
