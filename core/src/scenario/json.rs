//! A scenario as JSON: the same words and arguments as the text.
//!
//! ```json
//! {"title": "…",
//!  "settings": {"acks": "1", "min.insync.replicas": "2", "replicas": [1, 2, 3]},
//!  "start": {"leader": 1, "epoch": 4, "isr": [1, 2],
//!            "brokers": [{"broker": 1, "log": [[0, 3], [4, 2]], "hw": 3}, {"broker": 3, "down": true}]},
//!  "steps": [{"at": 530, "do": "produce", "records": 3, "id": "p1"}, {"after": 8, "do": "kill", "broker": 1},
//!            {"do": "await-ack", "id": "p1"}]}
//! ```
//!
//! A step has `at` or `after` (ms) or neither (when all has settled), `do`, and the arguments of that action by the
//! names that `docs/scenario-language.md` gives. Times are numbers of ms or text such as `"5.53s"`.

use super::check::{MAX_STEPS, Place, check};
use super::convert::{action_of, form_of, form_of_replica, form_of_start, replica_of, start_of};
use super::error::{Counted, Expected, ScriptError};
use super::form::{Form, Kind, Place as Stands, Value};
use super::json_item::{Item, Read, Segment, Wrong, as_text, document};
use super::names;
use super::parser::{MAX_BYTES, MAX_ERRORS, with_records};
use super::value::{Scenario, Step, When};
use super::verbs::{self, BROKER_LINE, START, VERBS, Verb};
use super::words::nearest;

/// Reads a scenario. Errors have line, column and the path in the document.
pub fn from_json(text: &str) -> Result<Scenario, Vec<ScriptError>> {
    document(text, MAX_BYTES, |root| {
        let mut faults = Vec::new();
        let scenario = scenario(root, &mut faults).map_err(|wrong| vec![wrong])?;
        if faults.is_empty() {
            let list = check(&scenario).into_iter().take(MAX_ERRORS);
            faults.extend(list.map(|fault| Wrong {
                path: path_of(fault.place),
                found: fault.found,
                expected: fault.expected,
                instead: None,
            }));
        }
        if faults.is_empty() {
            Ok(scenario)
        } else {
            Err(faults)
        }
    })
}

fn key(name: &str) -> Segment {
    Segment::Key(name.to_owned())
}

/// The place of an argument in the document; the reader finds the object when the argument was not written.
fn path_of(place: Place) -> Vec<Segment> {
    match place {
        Place::Title => vec![key("title")],
        Place::Start(name) => vec![key("start"), key(name)],
        Place::Replica(index, name) => {
            vec![
                key("start"),
                key("brokers"),
                Segment::Index(index),
                key(name),
            ]
        }
        Place::Step(index, "when") => vec![key("steps"), Segment::Index(index)],
        Place::Step(index, name) => vec![key("steps"), Segment::Index(index), key(name)],
    }
}

fn scenario(root: &Item<'_>, faults: &mut Vec<Wrong>) -> Read<Scenario> {
    root.only(&["title", "settings", "start", "steps"])?;
    let mut scenario = Scenario::default();
    if let Some(title) = root.maybe("title") {
        scenario.title = title.text()?.to_owned();
    }
    if let Some(settings) = root.maybe("settings") {
        read_settings(&settings, &mut scenario, faults)?;
    }
    if let Some(start) = root.maybe("start") {
        scenario.start = Some(read_start(&start)?);
    }
    let steps = root.maybe("steps").map(|steps| steps.list()).transpose()?;
    for step in steps.unwrap_or_default() {
        if scenario.steps.len() >= MAX_STEPS {
            return Err(step.wrong(Expected::AtMost {
                what: Counted::Steps,
                max: MAX_STEPS as u64,
            }));
        }
        let step = read_step(&step, &scenario.steps)?;
        scenario.steps.push(step);
    }
    Ok(scenario)
}

fn read_settings(item: &Item<'_>, scenario: &mut Scenario, faults: &mut Vec<Wrong>) -> Read<()> {
    let entries = item.entries()?;
    let mut texts = Vec::new();
    for (name, value) in &entries {
        let text = as_text(value.value, ':');
        texts.push((
            *name,
            text.ok_or_else(|| value.wrong(Expected::NameAndValue))?,
        ));
    }
    let pairs: Vec<(&str, &str)> = texts.iter().map(|(n, v)| (*n, v.as_str())).collect();
    for (place, error) in names::set_all(&mut scenario.settings, &pairs)
        .err()
        .unwrap_or_default()
    {
        let path = entries.get(place).map(|(_, item)| item.path.clone());
        faults.push(Wrong {
            path: path.unwrap_or_default(),
            found: error.found,
            expected: error.expected,
            instead: error.instead,
        });
    }
    Ok(())
}

/// The arguments of a verb from the object's keys, but for those in `others`.
fn arguments(verb: &'static Verb, item: &Item<'_>, others: &[&'static str]) -> Read<Form> {
    let known: Vec<&'static str> = verb.params.iter().map(|p| p.name).collect();
    item.only(&[&known, others].concat())?;
    let mut form = Form::default();
    for param in verb.params {
        match item.maybe(param.name) {
            Some(item) if param.kind == Kind::Flag => {
                form = form.with_flag(param.name, item.truth()?);
            }
            Some(item) => form = form.with(param.name, item.value(param.kind)?),
            None if matches!(param.place, Stands::Needed | Stands::NeededOption) => {
                item.need(param.name)?;
            }
            None => {}
        }
    }
    Ok(form)
}

fn read_start(item: &Item<'_>) -> Read<super::value::Start> {
    let mut start = start_of(&arguments(&START, item, &["brokers"])?);
    let brokers = item.maybe("brokers").map(|list| list.list()).transpose()?;
    for broker in brokers.unwrap_or_default() {
        let replica = replica_of(&arguments(&BROKER_LINE, &broker, &[])?);
        start.replicas.push(replica);
    }
    Ok(start)
}

fn read_step(item: &Item<'_>, before: &[Step]) -> Read<Step> {
    let what = item.need("do")?;
    let word = what.text()?;
    let verb = verbs::find(word).ok_or_else(|| Wrong {
        instead: nearest(word, VERBS.iter().map(|v| v.word)).map(str::to_owned),
        ..what.wrong(Expected::Action)
    })?;
    let form = arguments(verb, item, &["at", "after", "do"])?;
    let time = |item: Item<'_>| match item.value(Kind::Time(0))? {
        Value::Time(time) => Ok(time),
        _ => Err(item.wrong(Kind::Time(0).expected())),
    };
    let when = match (item.maybe("at"), item.maybe("after")) {
        (Some(at), None) => When::At(time(at)?),
        (None, Some(after)) => When::After(time(after)?),
        (None, None) => When::Settled,
        (Some(_), Some(after)) => return Err(after.wrong(Expected::Words(vec!["at", "after"]))),
    };
    let action = action_of(verb.word, &form).map_err(|expected| item.wrong(expected))?;
    let action = with_records(before, action, form.get("records").is_some());
    Ok(Step { when, action })
}

/// The scenario as JSON, one step a line. `from_json(to_json(s)) == s` for every valid scenario.
pub fn to_json(scenario: &Scenario) -> String {
    let mut parts = Vec::new();
    if !scenario.title.is_empty() {
        parts.push(format!("\"title\":{}", quote(&scenario.title)));
    }
    let settings: Vec<String> = names::entries(&scenario.settings)
        .into_iter()
        .map(|(name, value)| format!("{}:{}", quote(name), quote(&value)))
        .collect();
    if !settings.is_empty() {
        parts.push(format!("\"settings\":{{{}}}", settings.join(",")));
    }
    if let Some(start) = &scenario.start {
        let mut fields = print_form(&START, &form_of_start(start));
        let brokers: Vec<String> = start
            .replicas
            .iter()
            .map(|r| {
                format!(
                    "{{{}}}",
                    print_form(&BROKER_LINE, &form_of_replica(r)).join(",")
                )
            })
            .collect();
        fields.push(format!("\"brokers\":[{}]", brokers.join(",")));
        parts.push(format!("\"start\":{{{}}}", fields.join(",")));
    }
    let steps: Vec<String> = scenario.steps.iter().map(print_step).collect();
    parts.push(format!("\"steps\":[\n{}\n]", steps.join(",\n")));
    format!("{{{}}}", parts.join(",\n"))
}

fn print_step(step: &Step) -> String {
    let (word, form) = form_of(&step.action);
    let mut fields = match step.when {
        When::At(time) => vec![format!("\"at\":{time}")],
        When::After(time) => vec![format!("\"after\":{time}")],
        When::Settled => Vec::new(),
    };
    fields.push(format!("\"do\":{}", quote(word)));
    if let Some(verb) = verbs::find(word) {
        fields.extend(print_form(verb, &form));
    }
    format!("{{{}}}", fields.join(","))
}

fn print_form(verb: &Verb, form: &Form) -> Vec<String> {
    let field = |(name, value): &(&'static str, Value)| {
        let kind = verb.params.iter().find(|p| p.name == *name).map(|p| p.kind);
        format!("{}:{}", quote(name), print_value(value, kind))
    };
    form.0.iter().map(field).collect()
}

fn print_value(value: &Value, kind: Option<Kind>) -> String {
    let pairs = |list: &[(u32, u64)]| {
        let list: Vec<String> = list.iter().map(|(a, b)| format!("[{a},{b}]")).collect();
        format!("[{}]", list.join(","))
    };
    match value {
        Value::Number(number) => number.to_string(),
        Value::Time(time) => time.to_string(),
        Value::Truth(truth) => truth.to_string(),
        Value::Word("none") if kind == Some(Kind::Leader) => "null".to_owned(),
        Value::Word(word) => quote(word),
        Value::Name(name) => quote(name),
        Value::Brokers(list) => {
            let list: Vec<String> = list.iter().map(ToString::to_string).collect();
            format!("[{}]", list.join(","))
        }
        Value::Node(crate::kafka::message::Node::Broker(broker)) => broker.to_string(),
        Value::Node(_) => quote(&value.print()),
        Value::Ranges(list) | Value::Starts(list) => pairs(list),
    }
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
