//! The rows of `checker-golden.json`: each a question for the checker, and what is expected of it.

use highwater_core::check::{
    Answer, Bounds, Budget, Checker, Fault, Found, Property, Question, observe,
};
use highwater_core::kafka::ids::BrokerId;
use highwater_core::kafka::rules::{LastKnownLeader, Truncation};
use highwater_core::kafka::settings::{Acks, Settings};
use highwater_core::scenario::{Scenario, parse, print};
use highwater_core::sim::Run;
use serde_json::{Map, Value};

/// The name of the file.
pub const FILE: &str = "checker-golden.json";

/// What a row may say; anything else is not known, and so the row fails.
const KEYS: &[&str] = &[
    "id",
    "title",
    "settings",
    "faults",
    "expect",
    "exhausted",
    "diameter",
    "distinct_states_with_symmetry",
];

/// One row.
pub struct Row {
    pub id: String,
    pub question: Question,
    /// Per property the length of the shortest counterexample, or none = it holds.
    pub expect: Vec<(Property, Option<u32>)>,
    /// How large the space is, roughly.
    pub size: u64,
}

/// What a search came to that is as its row says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// How many answers were compared.
    pub answers: usize,
    /// Distinct states; with symmetry, those that differ in more than the names of brokers.
    pub states: u64,
}

/// A row as it is read, or its name and why it is not.
pub type Read = Result<Row, (String, String)>;

/// The rows of a file, each as it is read or with the reason why it is not, after its name.
pub fn rows(text: &str) -> Result<Vec<Read>, String> {
    let rows: Vec<Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let read = |(place, value): (usize, &Value)| {
        let id = match value["id"].as_str() {
            Some(id) => id.to_owned(),
            None => format!("row {}", place + 1),
        };
        row(&id, value).map_err(|why| (id, why))
    };
    Ok(rows.iter().enumerate().map(read).collect())
}

fn row(id: &str, value: &Value) -> Result<Row, String> {
    let row = object(value, "a row")?;
    if let Some(key) = row.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("`{key}` is not known of a row"));
    }
    let expected = object(&value["expect"], "expect")?;
    let mut expect = Vec::new();
    for (name, length) in expected {
        let property =
            Property::from_name(name).ok_or_else(|| format!("no property is called `{name}`"))?;
        let length = match length {
            Value::Null => None,
            length => Some(number(length, name)?),
        };
        expect.push((property, length));
    }
    let settings = object(&value["settings"], "settings")?;
    let mut question = Question {
        faults: faults(object(&value["faults"], "faults")?)?,
        properties: expect.iter().map(|(property, _)| *property).collect(),
        ..Question::of(Settings::default())
    };
    set(&mut question, settings)?;
    Ok(Row {
        id: id.to_owned(),
        question,
        expect,
        size: value["distinct_states_with_symmetry"]
            .as_u64()
            .unwrap_or(u64::MAX),
    })
}

fn object<'a>(value: &'a Value, what: &str) -> Result<&'a Map<String, Value>, String> {
    value
        .as_object()
        .ok_or_else(|| format!("{what} is `{value}`; expected an object"))
}

fn number(value: &Value, what: &str) -> Result<u32, String> {
    value
        .as_u64()
        .and_then(|number| u32::try_from(number).ok())
        .ok_or_else(|| format!("{what} is `{value}`; expected a whole number"))
}

fn small(value: &Value, what: &str) -> Result<u8, String> {
    u8::try_from(number(value, what)?)
        .map_err(|_| format!("{what} is `{value}`; expected at most 255"))
}

fn flag(value: &Value, what: &str) -> Result<bool, String> {
    value
        .as_bool()
        .ok_or_else(|| format!("{what} is `{value}`; expected true or false"))
}

fn set(question: &mut Question, given: &Map<String, Value>) -> Result<(), String> {
    let Question {
        settings, bounds, ..
    } = question;
    *bounds = Bounds {
        records: 1,
        epochs: 3,
    };
    let mut truncation = "kip279";
    for (name, value) in given {
        let rules = &mut settings.rules;
        match name.as_str() {
            "rf" => {
                settings.replicas = (1..=number(value, name)?).map(BrokerId).collect();
                settings.brokers = settings.replicas.clone();
            }
            "records" => bounds.records = small(value, name)?,
            "max_epoch" => bounds.epochs = small(value, name)?,
            "acks" => settings.acks = acks(value)?,
            "min_isr" => settings.min_insync_replicas = number(value, name)?,
            "elr" => settings.elr = flag(value, name)?,
            "unclean" => settings.unclean_leader_election = flag(value, name)?,
            "idempotence" => settings.idempotence = flag(value, name)?,
            "hw_gated_by_min_isr" => rules.hw_gated_by_min_isr = flag(value, name)?,
            "epoch_start_rule" => rules.epoch_start_rule = flag(value, name)?,
            "broker_epoch_check" => rules.broker_epoch_check = flag(value, name)?,
            "maximal_isr" => rules.maximal_isr = flag(value, name)?,
            "epoch_recorded_at_election" => rules.epoch_recorded_at_election = flag(value, name)?,
            "epoch_fencing" => rules.epoch_fencing = flag(value, name)?,
            "last_known_leader" => {
                rules.last_known_leader = match flag(value, name)? {
                    true => LastKnownLeader::ByLeader,
                    false => LastKnownLeader::Off,
                }
            }
            "truncation" => {
                truncation = value
                    .as_str()
                    .ok_or_else(|| format!("truncation is `{value}`; expected a word"))?;
            }
            _ => return Err(format!("`{name}` is not known of settings")),
        }
    }
    let rules = &mut settings.rules;
    // KIP-279 is asked for within fetches where epochs are fenced (2.7 and later), else by queries as in 2.0; the reference
    // model answers a query for an epoch above every known one, which no release does. See `Rules`.
    rules.truncation = match truncation {
        "hw" => Truncation::HighWatermark,
        "kip101" => Truncation::LeaderEpoch,
        "kip279" if rules.epoch_fencing => Truncation::InFetch,
        "kip279" => Truncation::LeaderEpochAndOffset,
        other => {
            return Err(format!(
                "truncation is `{other}`; expected hw, kip101 or kip279"
            ));
        }
    };
    rules.higher_epoch_answered = rules.truncation == Truncation::LeaderEpochAndOffset;
    // The reference model has no such rule (KAFKA-18723).
    rules.higher_epoch_batches_skipped = false;
    Ok(())
}

fn acks(value: &Value) -> Result<Acks, String> {
    let word = value.as_str().map_or(value.to_string(), str::to_owned);
    match word.as_str() {
        "all" | "-1" => Ok(Acks::All),
        "1" => Ok(Acks::Leader),
        "0" => Ok(Acks::None),
        _ => Err(format!("acks is `{word}`; expected 0, 1 or all")),
    }
}

fn faults(given: &Map<String, Value>) -> Result<Budget, String> {
    given
        .iter()
        .try_fold(Budget::NONE, |faults, (name, budget)| {
            let fault =
                Fault::from_name(name).ok_or_else(|| format!("no fault is called `{name}`"))?;
            if budget.as_str() == Some("unbounded") {
                return Ok(faults.with_unbounded(fault));
            }
            match small(budget, name)? {
                times if times <= Budget::MOST => Ok(faults.with(fault, times)),
                times => Err(format!(
                    "{name} may happen {times} times; expected at most {} or unbounded",
                    Budget::MOST
                )),
            }
        })
}

impl Row {
    /// Searches, holds every answer against the row and, where asked, lets the lab replay every counterexample. What
    /// was searched, or all that differs.
    pub fn check(&self, symmetry: bool, replay: bool) -> Result<Searched, Vec<String>> {
        let question = Question {
            symmetry,
            ..self.question.clone()
        };
        let mut checker = Checker::new(question).map_err(|why| vec![why.to_string()])?;
        checker.run();
        let mut wrong = Vec::new();
        for (property, expected) in &self.expect {
            let answer = checker.answer(*property);
            let found = match answer {
                Answer::Violated { length } => Some(Some(length)),
                Answer::Holds { .. } => Some(None),
                Answer::Unknown { .. } => None,
            };
            if found != Some(*expected) {
                let expected = match expected {
                    Some(length) => format!("violated in {length}"),
                    None => "holds".to_owned(),
                };
                wrong.push(format!("{property}: expected {expected}, found {answer:?}"));
            }
        }
        for found in checker.found().iter().filter(|_| replay) {
            if let Err(why) = replayed(&checker, found) {
                wrong.push(format!("{}: {why}", found.property));
            }
        }
        match wrong.is_empty() {
            true => Ok(Searched {
                answers: self.expect.len(),
                states: checker.progress().states,
            }),
            false => Err(wrong),
        }
    }
}

/// The counterexample as text that is read again, and the lab's run of what was read: the state after every event is the
/// search's, and the lab's own observer sees the same property violated.
pub fn replayed(checker: &Checker, found: &Found) -> Result<(Scenario, Run), String> {
    let counterexample = checker.counterexample(found);
    if counterexample.events.len() != found.length as usize {
        return Err(format!(
            "{} events, not {}",
            counterexample.events.len(),
            found.length
        ));
    }
    let scenario = counterexample
        .scenario(checker.question())
        .map_err(|difference| format!("the lab differs: {difference:?}"))?;
    let read = parse(&print(&scenario)).map_err(|errors| match errors.first() {
        Some(error) => format!("its text is refused: {error}"),
        None => "its text is refused".to_owned(),
    })?;
    if read != scenario {
        return Err("its text is read as another scenario".to_owned());
    }
    let (run, observer) = observe(&read);
    if let Some(difference) = counterexample.difference(&read, &run) {
        return Err(format!("its text is replayed differently: {difference:?}"));
    }
    let violations = observer.violations();
    match violations.iter().find(|v| v.property == found.property) {
        None => Err("the lab's observer does not see it violated".to_owned()),
        Some(seen) if !seen.allowed => Err(format!("the observer excludes it: {seen:?}")),
        Some(_) => Ok((read, run)),
    }
}
