//! The lines of `kafka-topics.sh --describe` that users quoted: each must be read, and must not contradict itself.

use highwater_core::operator::evidence::read_partition;
use serde_json::Value;

use crate::report::Report;

/// Reads every such line of the file, whether its case has a script or not.
pub fn check(text: &str, report: &mut Report) {
    let cases = match serde_json::from_str::<Value>(text) {
        Ok(mut file) => file["cases"].take(),
        Err(error) => return report.fails("the file", error.to_string()),
    };
    for case in cases.as_array().into_iter().flatten() {
        let id = case["id"].as_str().unwrap_or("a case without id");
        for quoted in case["evidence"].as_array().into_iter().flatten() {
            let line = quoted.as_str().unwrap_or_default();
            if line.contains("Leader: ") && line.contains("Replicas: ") {
                of_line(id, line, report);
            }
        }
    }
    report.absent = report.passed + report.failed.len() + report.skipped.len() == 0;
}

fn of_line(id: &str, line: &str, report: &mut Report) {
    // Some tell before the line when it was seen: the fields begin at the first name.
    let names = ["Topic:", "Partition:", "Leader:"];
    let start = names.iter().filter_map(|name| line.find(name)).min();
    match read_partition(&line[start.unwrap_or_default()..]) {
        Err(mistake) => report.fails(id, format!("{line}: {mistake}")),
        Ok(read) => match read.contradictions().as_slice() {
            [] => report.passes(4),
            found => report.fails(id, format!("{line}: {found:?}")),
        },
    }
}
