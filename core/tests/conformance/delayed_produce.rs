//! Kind `delayed_produce`: a parked produce request over several partitions.

use highwater_core::kafka::delayed_produce::{DelayedProduce, EnoughReplicas};
use highwater_core::kafka::error::KafkaError;
use serde_json::{Map, Value, json};

use crate::case::Fields;
use crate::{Answer, Machine};

struct Runner(DelayedProduce<String>);

/// An error by its name; `NONE` is none.
pub fn error(name: &str) -> Result<Option<KafkaError>, String> {
    match name {
        "NONE" => Ok(None),
        name => KafkaError::from_name(name)
            .map(Some)
            .ok_or_else(|| format!("no such error: {name}")),
    }
}

/// The name of an error; `NONE` for none.
pub fn name(error: Option<KafkaError>) -> &'static str {
    error.map_or("NONE", KafkaError::name)
}

/// A request whose partitions had these results of the local append.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["partitions"])?;
    let partitions = given.object("partitions")?;
    let appended: Vec<_> = partitions
        .iter()
        .map(|(name, _)| Ok((name.clone(), error(partitions.text(name)?)?)))
        .collect::<Result<_, String>>()?;
    Ok(Box::new(Runner(DelayedProduce::new(appended))))
}

impl Machine for Runner {
    fn apply(&mut self, op: &Fields) -> Answer {
        op.only(&["op", "replies"])?;
        if op.op() != "check" {
            return Err(format!("no such operation: {}", op.op()));
        }
        let given = op.object("replies")?;
        let mut replies = Map::new();
        for (name, _) in given.iter() {
            let reply = given.object(name)?;
            reply.only(&["enough", "error"])?;
            error(reply.text("error")?)?;
            replies.insert(name.clone(), json!(reply.flag_or("enough", false)?));
        }
        let completed = self.0.try_complete(|partition| {
            let reply = given.object(partition).ok()?;
            Some(EnoughReplicas {
                enough: replies.get(partition) == Some(&Value::Bool(true)),
                error: error(reply.text("error").ok()?).ok()?,
            })
        });
        let statuses = self.0.statuses().iter();
        let errors: Map<String, Value> = statuses
            .map(|(partition, status)| (partition.clone(), json!(name(status.error))))
            .collect();
        let mut told = Map::new();
        told.insert("completed".into(), json!(completed));
        told.insert("errors".into(), errors.into());
        Ok(told)
    }
}
