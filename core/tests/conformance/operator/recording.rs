//! The file as it was recorded.

use std::collections::BTreeMap;

use serde_json::Value;

/// What was seen at a step of the recording.
pub struct OperatorStep {
    /// The step's index in the recording.
    pub step: u64,
    /// The lines of each process's logs since the step before: `controller`, `broker 1`, ….
    pub log: BTreeMap<String, Vec<String>>,
    /// The answer of `kafka-topics.sh --describe`, where it was asked.
    pub describe: Option<Vec<String>>,
}

/// Reads a file; a key that is not known is an error.
pub fn read(text: &str) -> Result<Vec<OperatorStep>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Value::Array(steps) = value else {
        return Err("it is no list of steps".to_owned());
    };
    let mut read = Vec::new();
    for step in &steps {
        let step = of_step(step)?;
        if read
            .last()
            .is_some_and(|last: &OperatorStep| last.step >= step.step)
        {
            return Err(format!(
                "step {} does not come after the one before",
                step.step
            ));
        }
        read.push(step);
    }
    Ok(read)
}

fn of_step(value: &Value) -> Result<OperatorStep, String> {
    let fields = value.as_object().ok_or("a step is no object")?;
    let known = ["step", "do", "log", "describe"];
    if let Some(key) = fields.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("the reader does not know the key {key}"));
    }
    let step = fields.get("step").and_then(Value::as_u64);
    let log = fields.get("log").and_then(Value::as_object);
    let log = log.into_iter().flatten();
    Ok(OperatorStep {
        step: step.ok_or("a step has no index")?,
        log: log
            .map(|(process, lines)| Ok((process.clone(), texts(lines)?)))
            .collect::<Result<_, String>>()?,
        describe: fields.get("describe").map(texts).transpose()?,
    })
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    let list = value
        .as_array()
        .ok_or_else(|| format!("{value} is no list"))?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts = list
        .iter()
        .map(|v| text(v).ok_or_else(|| format!("{v} is no text")));
    texts.collect()
}
