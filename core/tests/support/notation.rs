//! `sim_notation` of `cases/user-cases.json` as scenarios: one for each run that a case asks for.
//!
//! The words and conventions are those of the file's own `sim_notation` section. Nothing here looks at a case's name,
//! its brokers or its numbers; what a word or key is not known for is an error.

mod fault;
mod op;
mod start;

use std::collections::BTreeMap;

use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::kafka::settings::{FetchMode, ProducerMetadata, Settings};
use highwater_core::scenario::{Action, Scenario, Step, When, names};
use serde_json::Value;

/// Messages take time in the model and none in the notation: an instant that is checked lies so much later.
const CHECK_SLACK: u64 = 20;
/// So long after the start parked fetches have reached the leader.
const PARKING: u64 = 10;

/// What a script consists of; the last ones are for people.
const OF_A_SCRIPT: &[&str] = &[
    "run", "config", "start", "steps", "end", "run_note", "note", "notes", "also", "why",
    "contrast",
];

/// One run of a case.
#[derive(Clone, Debug)]
pub struct NotationRun {
    /// The case.
    pub case: String,
    /// What makes it this run: config keys with a list, `case`, `mode`, `version`, `branch`.
    pub choice: BTreeMap<String, Value>,
    /// What is run.
    pub scenario: Scenario,
    /// The notation's steps that belong to this run.
    pub steps: Vec<NotationStep>,
    /// The names that the case gives its brokers.
    pub brokers: BTreeMap<String, BrokerId>,
    /// What the case says of the end.
    pub end: Value,
}

/// One step of the notation.
#[derive(Clone, Debug)]
pub struct NotationStep {
    /// As it stands in the file, expectations included.
    pub raw: Value,
    /// The scenario steps that it became; what it expects holds when the last of them is done and settled
    /// (or at its instant, when it has one).
    pub steps: core::ops::Range<usize>,
    /// The last produce call so far.
    pub produce: Option<String>,
}

/// All runs of a case; none for a case without a script or with one that is no run.
pub fn runs(case: &Value) -> Result<Vec<NotationRun>, String> {
    let id = text(case, "id")?;
    let is_run = |sim: &&Value| sim.is_object() && sim["run"] != "special";
    let Some(sim) = case.get("sim").filter(is_run) else {
        return Ok(Vec::new());
    };
    let inner = || -> Result<Vec<NotationRun>, String> {
        // A key that is not known may be an expectation.
        let keys = sim.as_object().into_iter().flat_map(|sim| sim.keys());
        if let Some(key) = keys
            .into_iter()
            .find(|key| !OF_A_SCRIPT.contains(&key.as_str()))
        {
            return Err(format!("unknown key {key} of the script"));
        }
        let empty = Vec::new();
        let steps = sim["steps"].as_array().unwrap_or(&empty);
        let mut runs = Vec::new();
        for (branch, steps) in branches(steps)? {
            for mut choice in choices(&sim["config"], &steps)? {
                if let Some(branch) = branch {
                    choice.insert("branch".into(), branch.into());
                }
                runs.push(run(&id, sim, choice, &steps)?);
            }
        }
        Ok(runs)
    };
    inner().map_err(|why| format!("{id}: {why}"))
}

/// The number of a branch, none for the main line, and its steps.
type Branch = (Option<usize>, Vec<Value>);

/// The steps of the main line, and for each `branch` those before it with its own.
fn branches(steps: &[Value]) -> Result<Vec<Branch>, String> {
    let mut main = Vec::new();
    let mut found = Vec::new();
    for step in steps {
        if step["do"] != "branch" {
            main.push(step.clone());
            continue;
        }
        let own = step["steps"].as_array().ok_or("a branch without steps")?;
        let mut all = main.clone();
        all.extend(own.iter().cloned());
        found.push((Some(found.len() + 1), all));
    }
    found.insert(0, (None, main));
    Ok(found)
}

/// Steps that set the scene.
const SETS_UP: [&str; 4] = [
    "pause_fetch",
    "fetch_delay",
    "set_fetch_rate",
    "drop_next_response",
];

const SELECTORS: [&str; 3] = ["case", "mode", "version"];

/// The config key that a selector on a step speaks of.
fn config_key(selector: &str) -> &str {
    match selector {
        "mode" => "truncate_by",
        other => other,
    }
}

/// Every combination of the values that config lists and the selectors of steps ask for.
fn choices(config: &Value, steps: &[Value]) -> Result<Vec<BTreeMap<String, Value>>, String> {
    let mut lists: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (key, value) in config.as_object().ok_or("no config")? {
        if let (Some(list), false) = (value.as_array(), key == "replicas") {
            lists.insert(key.clone(), list.clone());
        }
    }
    for selector in SELECTORS {
        let key = config_key(selector);
        if config[key].is_array() {
            continue;
        }
        let mut values: Vec<Value> = Vec::new();
        for value in steps.iter().filter_map(|step| step.get(selector)) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        if !values.is_empty() {
            lists.insert(key.to_owned(), values);
        }
    }
    let mut all = vec![BTreeMap::new()];
    for (key, values) in lists {
        let with = |choice: &BTreeMap<String, Value>| {
            let each = values.iter().map(|value| {
                let mut choice = choice.clone();
                choice.insert(key.clone(), value.clone());
                choice
            });
            each.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    Ok(all)
}

fn belongs(step: &Value, choice: &BTreeMap<String, Value>) -> bool {
    SELECTORS.iter().all(|selector| {
        let wanted = step.get(*selector);
        wanted.is_none() || wanted == choice.get(config_key(selector))
    })
}

fn run(
    id: &str,
    sim: &Value,
    choice: BTreeMap<String, Value>,
    steps: &[Value],
) -> Result<NotationRun, String> {
    let mut config = sim["config"].clone();
    for (key, value) in &choice {
        if !matches!(key.as_str(), "case" | "branch") {
            config[key] = value.clone();
        }
    }
    let steps: Vec<Value> = steps
        .iter()
        .filter(|s| belongs(s, &choice))
        .cloned()
        .collect();
    let brokers = broker_names(&config["replicas"])?;
    let settings = settings(&config, &brokers, &steps)?;
    let mut writer = Writer {
        start: start::section(&sim["start"], &settings, &brokers)?,
        leader: None,
        brokers,
        idempotent: config["idempotent"] == true,
        settings,
        steps: Vec::new(),
        calls: 0,
        last_call: None,
        lose_next_response: false,
        base: 0,
        down: Vec::new(),
        frozen: true,
    };
    writer.leader = writer.start.leader;
    if sim["start"].get("parked_fetches").is_some() {
        writer.push(When::At(Millis(0)), Action::Check);
        writer.base = PARKING;
    }
    let mut told = Vec::new();
    for (index, raw) in steps.iter().enumerate() {
        let later_time = steps.iter().skip(index + 1).any(|s| s.get("t").is_some());
        let first = writer.steps.len();
        writer
            .step(raw, later_time)
            .map_err(|why| format!("step {index} {raw}: {why}"))?;
        told.push(NotationStep {
            raw: raw.clone(),
            steps: first..writer.steps.len(),
            produce: writer.last_call.clone(),
        });
    }
    Ok(NotationRun {
        case: id.to_owned(),
        choice,
        scenario: Scenario {
            title: String::new(),
            settings: writer.settings,
            start: Some(writer.start),
            steps: writer.steps,
        },
        steps: told,
        brokers: writer.brokers,
        end: sim["end"].clone(),
    })
}

/// Numbers stand for themselves. Names become numbers: that at their end when all differ in it, else their rank.
fn broker_names(replicas: &Value) -> Result<BTreeMap<String, BrokerId>, String> {
    let list = replicas.as_array().ok_or("no replicas")?;
    let mut names: Vec<String> = list.iter().map(name_of).collect::<Result<_, _>>()?;
    let tail = |name: &String| -> Option<u32> {
        name.trim_start_matches(|c: char| !c.is_ascii_digit())
            .parse()
            .ok()
    };
    names.sort();
    let mut ids: Vec<Option<u32>> = names.iter().map(tail).collect();
    ids.sort();
    ids.dedup();
    let numbered = ids.len() == names.len() && ids.iter().all(Option::is_some);
    let id = |(rank, name): (usize, &String)| match (numbered, tail(name)) {
        (true, Some(id)) => (name.clone(), BrokerId(id)),
        _ => (name.clone(), BrokerId(rank as u32 + 1)),
    };
    Ok(names.iter().enumerate().map(id).collect())
}

fn name_of(value: &Value) -> Result<String, String> {
    match value {
        Value::String(name) => Ok(name.clone()),
        Value::Number(id) => Ok(id.to_string()),
        other => Err(format!("no broker: {other}")),
    }
}

fn text(value: &Value, key: &str) -> Result<String, String> {
    let text = value[key].as_str().map(str::to_owned);
    text.ok_or_else(|| format!("no text under {key}"))
}

fn settings(
    config: &Value,
    brokers: &BTreeMap<String, BrokerId>,
    steps: &[Value],
) -> Result<Settings, String> {
    let mut settings = Settings {
        elr: false,
        retries: 0,
        // A call that finds no leader is answered so, at once.
        producer_metadata: ProducerMetadata::Fresh,
        ..Settings::default()
    };
    let set = |settings: &mut Settings, name: &str, value: &str| {
        names::set(settings, name, value).map_err(|e| e.to_string())
    };
    let version = config["version"].as_str().unwrap_or("4.4");
    // `3.7+` is any from there on: the newest.
    let version = if version.ends_with('+') {
        "4.4"
    } else {
        version
    };
    set(&mut settings, "kafka.version", version)?;
    for (key, value) in config.as_object().ok_or("no config")? {
        let word = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let name = match key.as_str() {
            "replicas" => {
                let list = value.as_array().ok_or("replicas is no list")?.iter();
                let ids: Result<Vec<String>, String> =
                    list.map(|b| Ok(broker(b, brokers)?.to_string())).collect();
                set(&mut settings, "replicas", &ids?.join(","))?;
                continue;
            }
            "truncate_by" => {
                truncate_by(&mut settings, &word)?;
                continue;
            }
            "min_isr" => "min.insync.replicas",
            "unclean" => "unclean.leader.election.enable",
            "elr" => "eligible.leader.replicas",
            "fetch" => "fetch",
            "lag_ms" => "replica.lag.time.max.ms",
            "session_ms" => "broker.session.timeout.ms",
            "request_timeout_ms" => "request.timeout.ms",
            "replica_fetch_wait_max_ms" => "replica.fetch.wait.max.ms",
            "network_ms" => "link.latency",
            "broker_epoch_check" => "rule.broker.epoch.check",
            // `version` is set above; `idempotent` names a producer; ISR checks come every half lag time from 0 on,
            // which is what `isr_check_ticks_at` says; a read from a follower names its replica.
            "version" | "idempotent" | "isr_check_ticks_at" | "replica_selector" => continue,
            other => return Err(format!("unknown config {other}")),
        };
        set(&mut settings, name, &word)?;
    }
    if config.get("fetch").is_none() && follower_fetches_only(steps) {
        settings.fetch_mode = FetchMode::Manual;
    }
    // In manual mode time passes only to let sessions end; it must not remove a follower that no step lets fetch.
    if settings.fetch_mode == FetchMode::Manual && config.get("lag_ms").is_none() {
        settings.replica_lag_time_max = Millis(600_000);
    }
    Ok(settings)
}

/// Explicit rounds win over automatic fetching where nothing else sets the pace.
fn follower_fetches_only(steps: &[Value]) -> bool {
    let rounds = |step: &Value| {
        step["do"] == "follower_fetch" || step["body"].to_string().contains("follower_fetch")
    };
    let paced = |step: &Value| step["do"] == "set_fetch_rate" || step["do"] == "pause_fetch";
    steps.iter().any(rounds) && !steps.iter().any(paced)
}

fn truncate_by(settings: &mut Settings, rule: &str) -> Result<(), String> {
    let value = match rule {
        "hw" => "high-watermark",
        "kip101" => "kip-101",
        "kip279" => "kip-279",
        "epoch" => "in-fetch",
        other => return Err(format!("unknown truncation {other}")),
    };
    names::set(settings, "rule.truncation", value).map_err(|e| e.to_string())
}

fn broker(value: &Value, brokers: &BTreeMap<String, BrokerId>) -> Result<BrokerId, String> {
    let name = name_of(value)?;
    let known = brokers.get(&name).copied();
    known.ok_or_else(|| format!("unknown broker {name}"))
}

/// Writes the scenario of one run.
pub(crate) struct Writer {
    settings: Settings,
    start: highwater_core::scenario::Start,
    brokers: BTreeMap<String, BrokerId>,
    /// Whether produce calls are those of an idempotent producer.
    idempotent: bool,
    steps: Vec<Step>,
    calls: u32,
    last_call: Option<String>,
    lose_next_response: bool,
    /// The leader, as far as the script tells.
    leader: Option<BrokerId>,
    /// Added to every instant.
    base: u64,
    /// Brokers whose process a step ended.
    down: Vec<BrokerId>,
    /// Whether nothing has happened yet but what sets the scene.
    frozen: bool,
}

impl Writer {
    fn push(&mut self, when: When, action: Action) {
        self.steps.push(Step { when, action });
    }

    /// The latest instant that a step is set to.
    fn latest(&self) -> u64 {
        let at = |step: &Step| match step.when {
            When::At(time) => Some(time.0),
            _ => None,
        };
        self.steps.iter().filter_map(at).max().unwrap_or(0)
    }

    fn step(&mut self, raw: &Value, later_time: bool) -> Result<(), String> {
        let slack = if raw["do"] == "check" { CHECK_SLACK } else { 0 };
        let when = match raw.get("t") {
            Some(t) => {
                let t = t.as_u64().ok_or("t is no number")?;
                When::At(Millis((self.base + t + slack).max(self.latest())))
            }
            // Before an instant that is given, steps follow each other at once. And the start is frozen: what comes before
            // the first thing that happens comes before anything is fetched.
            None if later_time || (self.frozen && !self.steps.is_empty()) => When::After(Millis(0)),
            None => When::Settled,
        };
        self.frozen &= raw["do"]
            .as_str()
            .is_some_and(|word| SETS_UP.contains(&word))
            && raw.get("with_writes").is_none();
        let actions = self.actions(raw)?;
        for (place, (own, action)) in actions.into_iter().enumerate() {
            let rest = match raw.get("t").is_some() || later_time {
                true => When::After(Millis(0)),
                false => When::Settled,
            };
            let when = own.unwrap_or(if place == 0 { when } else { rest });
            self.push(when, action);
        }
        Ok(())
    }
}
