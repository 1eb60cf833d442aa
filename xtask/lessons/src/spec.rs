//! `lesson.toml` as it is written. Expressions keep their place, so that what is wrong in them can be found.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::fault::{Fault, line_of};

/// An expression with its place in the file.
pub type Text = Spanned<String>;

/// A lesson as data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The runs by name: a script of the folder, and settings that differ from it.
    pub runs: BTreeMap<String, Text>,
    /// Words with digits that the prose may use as names.
    #[serde(default)]
    pub names: Vec<String>,
    /// Recordings of real clusters that show the same.
    #[serde(default)]
    pub recorded: Vec<Text>,
    /// What the runs of different scripts are called where they stand side by side: by run, by language.
    #[serde(default)]
    pub title: BTreeMap<String, BTreeMap<String, Text>>,
    /// What must be true, by the name that the prose uses.
    #[serde(default)]
    pub claims: BTreeMap<String, Text>,
    /// The steps in order.
    #[serde(rename = "step")]
    pub steps: Vec<Spanned<Step>>,
}

/// One step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The run that is shown, or two with a space between them.
    #[serde(default)]
    pub show: Option<Text>,
    /// Nothing after this instant is drawn; none = the whole run is.
    #[serde(default)]
    pub until: Option<Text>,
    /// The selected record, `m3`.
    #[serde(default)]
    pub select: Option<Text>,
    /// The panel that is open on a phone: `acks`, `lag` or `visibility`.
    #[serde(default)]
    pub panel: Option<Text>,
    /// Events whose sentences stand under the prose.
    #[serde(default)]
    pub because: Vec<Text>,
    /// The question.
    #[serde(default)]
    pub ask: Option<Spanned<Ask>>,
}

/// A question: exactly one of the kinds, and what belongs to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Choose an offset on the axis: `hw of 2`, `leo of 1`, `consumer_end`.
    #[serde(default)]
    pub offset: Option<Text>,
    /// Choose the one record that is `lost`, `acknowledged`, `committed`, `visible`, `duplicated`, `unknown` or `refused`.
    #[serde(default)]
    pub record: Option<Text>,
    /// Choose what becomes of this record: kept or lost.
    #[serde(default)]
    pub fate: Option<Text>,
    /// Choose what the producer is told of this record.
    #[serde(default)]
    pub answer: Option<Text>,
    /// Put these events in order.
    #[serde(default)]
    pub order: Option<Vec<Text>>,
    /// Choose a broker, or nobody: `leader`.
    #[serde(default)]
    pub broker: Option<Text>,
    /// Choose a set of brokers: `isr`, `elr`.
    #[serde(default)]
    pub brokers: Option<Text>,
    /// Choose a number that is no offset: `leader_epoch`, `size of isr`.
    #[serde(default)]
    pub value: Option<Text>,
    /// What can be chosen, for `record`, `answer` and `value`.
    #[serde(default)]
    pub among: Vec<Text>,
    /// The run it is about; none = the one that is shown.
    #[serde(default)]
    pub run: Option<Text>,
    /// The instant it is about; none = the end.
    #[serde(default)]
    pub at: Option<Text>,
    /// What is drawn once it is answered ends here; none = the whole run.
    #[serde(default)]
    pub reveal: Option<Text>,
    /// Events whose sentences stand beside the answer.
    #[serde(default)]
    pub because: Vec<Text>,
}

/// Reads a file.
pub fn read(file: &str, text: &str) -> Result<Spec, Fault> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        Fault::at(file, line, error.message())
    })
}
