//! What an operator would see as pieces of text, each to be copied by itself.

use super::View;
use super::describe::Described;
use super::line::{Line, Origin};
use super::metrics::Moved;
use super::topic::Topic;

/// A piece of text with its name: a command, a file, a list of metrics. Names are Kafka's; nothing here is a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Whose it is; none = a command's.
    pub origin: Option<Origin>,
    /// The command, or the path of the file, or `metrics`.
    pub name: String,
    /// The text, every line ended.
    pub text: String,
}

/// Everything of a view, in the order in which an operator would look: the command, then process by process the log files,
/// the checkpoint files and the metrics that moved.
pub fn sections(view: &View, topic: &Topic) -> Vec<Section> {
    let mut sections = vec![Section {
        origin: None,
        name: format!("kafka-topics.sh --describe --topic {}", topic.name),
        text: match &view.described {
            Described::Lines(lines) => ended(lines.iter().map(String::as_str)),
            Described::NoBroker | Described::NoAnswer => String::new(),
        },
    }];
    let files = view.files.iter().map(|file| Origin::Broker(file.broker));
    let mut origins: Vec<Origin> = files
        .chain(view.lines.iter().map(|line| line.origin))
        .chain(view.moved.iter().map(|moved| moved.origin))
        .collect();
    origins.sort_unstable();
    origins.dedup();
    for origin in origins {
        of_origin(view, origin, &mut sections);
    }
    sections
}

fn of_origin(view: &View, origin: Origin, sections: &mut Vec<Section>) {
    let mut add = |name: String, text: String| {
        sections.push(Section {
            origin: Some(origin),
            name,
            text,
        });
    };
    for name in ["controller.log", "server.log", "state-change.log"] {
        let its = |line: &&Line| line.origin == origin && line.file() == name;
        let lines: Vec<String> = view.lines.iter().filter(its).map(Line::to_string).collect();
        if !lines.is_empty() {
            add(name.to_owned(), ended(lines.iter().map(String::as_str)));
        }
    }
    for file in &view.files {
        if Origin::Broker(file.broker) == origin {
            add(file.path.clone(), file.text.clone());
        }
    }
    let moved = view.moved.iter().filter(|moved| moved.origin == origin);
    let lines: Vec<String> = moved.map(metric).collect();
    if !lines.is_empty() {
        add(
            "metrics".to_owned(),
            ended(lines.iter().map(String::as_str)),
        );
    }
}

/// A metric that moved: `name: before -> after`; `-` where there is no such metric.
fn metric(moved: &Moved) -> String {
    let value =
        |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    format!(
        "{}: {} -> {}",
        moved.name,
        value(moved.before),
        value(moved.after)
    )
}

fn ended<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(|line| format!("{line}\n")).collect()
}
