//! A case as the file has it, and how its fields are read.

use serde_json::{Map, Value};

/// One case of `kafka-unit-cases.json` (schema: the kinds, operations and keys it uses are those of its file).
pub struct Case {
    /// Its unique name.
    pub id: String,
    /// Which machine runs it.
    pub kind: String,
    /// The state it starts from.
    pub given: Fields,
    /// The operations, in order.
    pub when: Vec<Fields>,
    /// What holds right after each operation; none = nothing to check.
    pub expect: Vec<Option<Map<String, Value>>>,
}

impl Case {
    /// Reads a case; the error names what is missing.
    pub fn read(value: &Value) -> Result<Case, String> {
        let fields = Fields::of(value)?;
        let list = |name: &str| match fields.get(name) {
            Some(Value::Array(list)) => Ok(list.clone()),
            _ => Err(format!("{name} is not a list")),
        };
        let when = list("when")?
            .iter()
            .map(Fields::of)
            .collect::<Result<Vec<_>, _>>()?;
        let expect: Vec<_> = list("expect")?
            .into_iter()
            .map(|step| match step {
                Value::Null => Ok(None),
                Value::Object(keys) => Ok(Some(keys)),
                other => Err(format!("an expectation is {other}")),
            })
            .collect::<Result<_, String>>()?;
        if when.len() != expect.len() {
            return Err(format!(
                "{} operations, {} expectations",
                when.len(),
                expect.len()
            ));
        }
        Ok(Case {
            id: fields.text("id")?.to_string(),
            kind: fields.text("kind")?.to_string(),
            given: fields.object("given")?,
            when,
            expect,
        })
    }
}

/// The fields of an object of a case.
#[derive(Clone, Debug, Default)]
pub struct Fields(Map<String, Value>);

#[allow(
    dead_code,
    reason = "each kind uses the readers that its operations need"
)]
impl Fields {
    /// The fields of `value`, which must be an object.
    pub fn of(value: &Value) -> Result<Fields, String> {
        match value {
            Value::Object(map) => Ok(Fields(map.clone())),
            other => Err(format!("{other} is not an object")),
        }
    }

    /// The field, unless it is missing or null.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The fields with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter()
    }

    /// The operation's name.
    pub fn op(&self) -> &str {
        self.text("op").unwrap_or("")
    }

    /// An error when there is a field that is not listed: a runner must not overlook what a case says.
    pub fn only(&self, known: &[&str]) -> Result<(), String> {
        match self.0.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(format!("the runner does not know the field {key}")),
            None => Ok(()),
        }
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<&str, String> {
        self.get(name)
            .and_then(Value::as_str)
            .ok_or_else(|| format!("{name} is not a text"))
    }

    /// A number from 0.
    pub fn number(&self, name: &str) -> Result<u64, String> {
        self.get(name)
            .and_then(Value::as_u64)
            .ok_or_else(|| format!("{name} is not a number"))
    }

    /// A number from 0, or `default` when it is missing.
    pub fn number_or(&self, name: &str, default: u64) -> Result<u64, String> {
        if self.get(name).is_none() {
            Ok(default)
        } else {
            self.number(name)
        }
    }

    /// A number whose -1 means "none"; a missing one is none too.
    pub fn maybe_number(&self, name: &str) -> Result<Option<u64>, String> {
        match self.get(name) {
            None => Ok(None),
            Some(value) if value.as_i64() == Some(-1) => Ok(None),
            Some(_) => self.number(name).map(Some),
        }
    }

    /// A number from 0 that fits 32 bits, as epochs and ids do.
    pub fn small(&self, name: &str) -> Result<u32, String> {
        u32::try_from(self.number(name)?).map_err(|_| format!("{name} is too large"))
    }

    /// A small number whose -1 (or absence) means "none".
    pub fn maybe_small(&self, name: &str) -> Result<Option<u32>, String> {
        if self.maybe_number(name)?.is_none() {
            Ok(None)
        } else {
            self.small(name).map(Some)
        }
    }

    /// A truth value, or `default` when it is missing.
    pub fn flag_or(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => value
                .as_bool()
                .ok_or_else(|| format!("{name} is not true or false")),
        }
    }

    /// An object.
    pub fn object(&self, name: &str) -> Result<Fields, String> {
        self.get(name)
            .map_or_else(|| Err(format!("{name} is missing")), Fields::of)
    }

    /// A list of numbers; empty when it is missing.
    pub fn numbers(&self, name: &str) -> Result<Vec<u64>, String> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => list
                .iter()
                .map(|v| v.as_u64().ok_or_else(|| format!("{name} has {v}")))
                .collect(),
            Some(other) => Err(format!("{name} is {other}")),
        }
    }

    /// A list of pairs of numbers; empty when it is missing.
    pub fn pairs(&self, name: &str) -> Result<Vec<(u64, u64)>, String> {
        let list = match self.get(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(format!("{name} is {other}")),
        };
        list.iter()
            .map(|pair| {
                match (
                    pair.get(0).and_then(Value::as_u64),
                    pair.get(1).and_then(Value::as_u64),
                ) {
                    (Some(first), Some(second)) => Ok((first, second)),
                    _ => Err(format!("{name} has {pair}")),
                }
            })
            .collect()
    }
}

/// `-1` for none, as the cases write unknown offsets and epochs.
#[allow(dead_code, reason = "each kind uses what its keys need")]
pub fn or_minus_one(number: Option<u64>) -> Value {
    number.map_or(Value::from(-1), Value::from)
}
