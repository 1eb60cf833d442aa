//! `--describe`, field by field, read by the model's own reader of pasted lines.

use std::collections::BTreeMap;

use highwater_core::operator::describe::answers;
use highwater_core::operator::evidence::read_describe;
use highwater_core::operator::{Described, Topic, describe};
use highwater_core::sim::Simulation;

use super::Findings;
use super::recording::OperatorStep;
use super::words::sorted;

/// What the model says at a step.
#[derive(Default)]
pub struct Said {
    described: Option<Described>,
    /// What each broker would answer; whom the recorder's tool asked was not recorded.
    answers: Vec<Vec<String>>,
}

impl Said {
    /// What it says now.
    pub fn now(simulation: &Simulation, topic: &Topic) -> Said {
        Said {
            described: Some(describe(simulation, topic)),
            answers: answers(simulation, topic)
                .into_iter()
                .map(|(_, lines)| lines)
                .collect(),
        }
    }

    /// The lines, of the broker whose answer is the recorded one where there is such a broker.
    fn lines(&self, recorded: &[String]) -> Vec<String> {
        match &self.described {
            Some(Described::Lines(lines)) => {
                let same = |answer: &&Vec<String>| {
                    answer.get(1).map(|l| sorted(l)) == recorded.get(1).map(|l| sorted(l))
                };
                self.answers.iter().find(same).unwrap_or(lines).clone()
            }
            // The recorder's words for an answer that did not come.
            Some(Described::NoBroker) => vec!["no broker up".to_owned()],
            Some(Described::NoAnswer) => vec!["no answer".to_owned()],
            None => Vec::new(),
        }
    }
}

/// Compares the answer at a step, when there was one.
pub fn compare(seen: &OperatorStep, said: &Said, found: &mut Findings) {
    let Some(recorded) = &seen.describe else {
        return;
    };
    let mut wrong = |what: String| {
        found
            .wrong
            .push(format!("step {}: describe: {what}", seen.step));
    };
    let lines = said.lines(recorded);
    let (is, should) = (lines.join("\n"), recorded.join("\n"));
    let (ours, theirs) = match (read_describe(&is), read_describe(&should)) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (ours, theirs) => {
            found.values += 1;
            // A text that is no answer must be the same text, and an answer that cannot be read is a failure.
            if is != should || ours.is_ok() != theirs.is_ok() {
                wrong(format!("recorded {should:?}, model {is:?}"));
            }
            return;
        }
    };
    let mut values = 0;
    let mut same = |name: &str, recorded: String, model: String| {
        values += 1;
        if recorded != model {
            wrong(format!("{name}: recorded {recorded}, model {model}"));
        }
    };
    same(
        "topics",
        theirs.0.len().to_string(),
        ours.0.len().to_string(),
    );
    for (theirs, ours) in theirs.0.iter().zip(&ours.0) {
        same("Topic", theirs.topic.clone(), ours.topic.clone());
        let length = |id: &Option<String>| format!("{:?}", id.as_ref().map(String::len));
        same("TopicId's length", length(&theirs.id), length(&ours.id));
        let sizes = |line: &highwater_core::operator::evidence::TopicLine| {
            format!("{} {}", line.partitions, line.replication_factor)
        };
        same(
            "PartitionCount and ReplicationFactor",
            sizes(theirs),
            sizes(ours),
        );
        let theirs: BTreeMap<&String, &String> =
            theirs.configs.iter().map(|(n, v)| (n, v)).collect();
        for (name, value) in &ours.configs {
            let recorded = theirs.get(name).map(|v| v.as_str());
            same(name, recorded.unwrap_or("absent").to_owned(), value.clone());
        }
        let mine = |name: &str| ours.configs.iter().any(|(own, _)| own == name);
        let others = theirs.keys().filter(|name| !mine(name)).count();
        found.left_out.extend(vec![OTHER_CONFIG; others]);
    }
    same(
        "partitions",
        theirs.1.len().to_string(),
        ours.1.len().to_string(),
    );
    for (theirs, ours) in theirs.1.iter().zip(&ours.1) {
        let fields = |line: &highwater_core::operator::evidence::PartitionLine| {
            [
                ("Topic", line.topic.clone()),
                ("Partition", line.partition.to_string()),
                ("Leader", format!("{:?}", line.leader)),
                ("Replicas", format!("{:?}", line.replicas)),
                ("Isr", line.isr.to_string()),
                ("Elr", format!("{:?}", line.elr)),
                ("LastKnownElr", format!("{:?}", line.last_known_elr)),
                ("Adding Replicas", format!("{:?}", line.adding)),
                ("Removing Replicas", format!("{:?}", line.removing)),
            ]
        };
        for ((name, theirs), (_, ours)) in fields(theirs).into_iter().zip(fields(ours)) {
            same(name, theirs, ours);
        }
    }
    found.values += values;
    // The second line has nothing that only the cluster knows: it must be the same text, but for the order of the sets.
    let texts = (recorded.get(1), lines.get(1));
    if texts.0.map(|l| sorted(l)) != texts.1.map(|l| sorted(l)) {
        let (step, (recorded, model)) = (seen.step, texts);
        found.wrong.push(format!(
            "step {step}: describe: recorded {recorded:?}, model {model:?}"
        ));
    }
}

const OTHER_CONFIG: &str = "a config in the first line of --describe that the model does not have (the recorder's segment.bytes, file.delete.delay.ms)";
