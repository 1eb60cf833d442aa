//! Values of a run in the words of the `expect` keys of the conformance cases and of the verdict, and how the prose of
//! each language writes them.

use highwater::say;
use highwater::text::arg::{self, list, millis};
use highwater::text::{Text, headline::record_names};
use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::ids::{BrokerId, BrokerSet, Millis};
use highwater_core::kafka::settings::Isolation;
use highwater_core::scenario::{names, time};
use highwater_core::sim::verdict::Unavailable;
use highwater_core::sim::{Instant, RecordVerdict, State, latest_at_leader};

use crate::anchor::{self, Ran, record_number};
use crate::{operator, wire};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An offset, an epoch, a count.
    Number(u64),
    /// A broker, or none.
    Broker(Option<BrokerId>),
    /// A set of brokers.
    Brokers(BrokerSet),
    /// Records by number.
    Records(Vec<u64>),
    /// A duration or an instant.
    Millis(Millis),
    /// Kafka's own word, or one of ours.
    Word(String),
}

/// What can be asked for, for messages.
pub const KEYS: &str = "`hw of BROKER`, `leo of BROKER`, `lso of BROKER`, `isr`, `elr`, `last_known_elr`, `maximal_isr`, `leader`, \
     `leader_epoch`, `partition_epoch`, `effective_min_isr`, `epoch_cache of BROKER`, `log of BROKER`, `consumer_end`, \
     `running`, `fenced`, `size of isr`, `size of elr`, `lost`, `acknowledged`, `committed`, `visible`, `duplicated`, \
     `unknown`, `refused`, `count of lost` (or of another of these), `outcome of mN`, `offset of mN`, `time of INSTANT`, \
     `time from INSTANT to INSTANT`, `unavailable`, `setting NAME`, `records`, `request.FIELD of BROKER` or `response.FIELD of \
     BROKER` (or `consumer`), `reply of step N`, `describe`, `describe of FIELD`, `metric NAME of BROKER` (or `controller`), \
     `logged WORD of BROKER`";

/// The value that the words name, at an instant of a run.
pub fn value(ran: &Ran, when: Instant, what: &str) -> Result<Value, String> {
    let unknown = || format!("`{what}` is nothing that a run can be asked for; expected {KEYS}");
    let (key, of) = match what.split_once(" of ") {
        Some((key, of)) => (key.trim(), of.trim()),
        None => (what.trim(), ""),
    };
    if let Some(name) = what.strip_prefix("setting ") {
        let name = name.trim();
        let found = names::get(&ran.run.scenario.settings, name);
        return found
            .map(|value| match time::read(&value) {
                Some(at) if name.ends_with(".ms") || name.ends_with("latency") => Value::Millis(at),
                _ => Value::Word(value),
            })
            .ok_or_else(|| format!("there is no setting `{name}`"));
    }
    if let Some(both) = what.strip_prefix("time from ") {
        let (from, to) = both.split_once(" to ").ok_or_else(unknown)?;
        let (from, to) = (anchor::instant(ran, from)?, anchor::instant(ran, to)?);
        if to < from {
            return Err(format!(
                "`{what}` runs backwards: from {} to {}",
                time::print(from.at),
                time::print(to.at)
            ));
        }
        return Ok(Value::Millis(to.at.since(from.at)));
    }
    match key {
        "reply" => {
            let reply = wire::answered(ran, of).and_then(wire::reply);
            return reply
                .map(|word| Value::Word(word.to_owned()))
                .ok_or_else(|| format!("`{of}` asks nothing that a fetch answers"));
        }
        "describe" => return operator::described(ran, when, of).ok_or_else(unknown),
        "time" => return Ok(Value::Millis(anchor::instant(ran, of)?.at)),
        "outcome" | "offset" => {
            let number = record_number(of).ok_or_else(unknown)?;
            return of_record(ran, key, number);
        }
        "count" | "size" => {
            return match value(ran, when, of)? {
                Value::Records(records) => Ok(Value::Number(records.len() as u64)),
                Value::Brokers(brokers) => Ok(Value::Number(brokers.len() as u64)),
                _ => Err(unknown()),
            };
        }
        "unavailable" => return Ok(Value::Word(unavailable(ran).to_owned())),
        "records" => return Ok(Value::Number(ran.verdict.records.len() as u64)),
        _ => {}
    }
    if key.starts_with("request.") || key.starts_with("response.") {
        return wire::field(ran, when, key, of).ok_or_else(unknown);
    }
    if let Some(name) = key.strip_prefix("metric ") {
        return operator::metric(ran, when, name, of).ok_or_else(unknown);
    }
    if let Some(word) = key.strip_prefix("logged ") {
        return operator::logged(ran, when, word, of).ok_or_else(unknown);
    }
    if let Some(records) = with_fact(ran, when, key) {
        return Ok(Value::Records(records));
    }
    of_state(&ran.run.at(when), key, of).ok_or_else(unknown)
}

fn of_record(ran: &Ran, key: &str, number: u64) -> Result<Value, String> {
    let record = ran.verdict.records.iter().find(|r| r.record == number);
    let record = record.ok_or_else(|| format!("the script sends no m{number}"))?;
    if key == "offset" {
        let append = record.appended.last();
        let append = append.ok_or_else(|| format!("m{number} is never appended"))?;
        return Ok(Value::Number(append.offset.0));
    }
    let (outcome, _) = record
        .last_outcome
        .ok_or_else(|| format!("the producer of m{number} is told nothing"))?;
    Ok(Value::Word(outcome_word(outcome).to_owned()))
}

/// What the producer is told, in Kafka's word where there is one.
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok(_) => "ok",
        Outcome::Refused(error) => error.name(),
        Outcome::NoAnswer | Outcome::ResponseLost => "no answer",
        Outcome::ConnectionClosed => "connection closed",
        Outcome::LeaderDown => "leader down",
        Outcome::NoLeader => "no leader",
        Outcome::NoAnswerExpected => "no answer expected",
    }
}

/// Every answer that a question may offer besides Kafka's errors.
pub const OUTCOMES: [&str; 6] = [
    "ok",
    "no answer",
    "connection closed",
    "leader down",
    "no leader",
    "no answer expected",
];

fn unavailable(ran: &Ran) -> &'static str {
    match ran.verdict.unavailable {
        None => "no",
        Some(Unavailable::NoLeader { .. }) => "no leader",
        Some(Unavailable::LeaderDown(_)) => "leader down",
        Some(Unavailable::BelowMinIsr { .. }) => "below min isr",
    }
}

/// The facts of a verdict by name, and whether a record has it at an instant.
pub fn has_fact(record: &RecordVerdict, fact: &str, when: Millis) -> Option<bool> {
    let by =
        |since: Option<highwater_core::sim::verdict::Since>| since.is_some_and(|s| s.at <= when);
    Some(match fact {
        "acknowledged" => by(record.acknowledged),
        "committed" => by(record.committed),
        "visible" => by(record.visible),
        "lost" => by(record.lost),
        "refused" => by(record.refused.map(|(_, since)| since)),
        "duplicated" => record.duplicated,
        "unknown" => record.unknown,
        "kept" => record.in_final_log,
        _ => return None,
    })
}

fn with_fact(ran: &Ran, when: Instant, fact: &str) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    for record in &ran.verdict.records {
        if has_fact(record, fact, when.at)? {
            found.push(record.record);
        }
    }
    // A script without records has no facts either, but the word must be one.
    (!ran.verdict.records.is_empty()).then_some(found)
}

fn of_state(state: &State, key: &str, of: &str) -> Option<Value> {
    let cluster = state.cluster();
    let partition = &cluster.controller.partition;
    if of.is_empty() {
        return Some(match key {
            "isr" => Value::Brokers(partition.isr.clone()),
            "elr" => Value::Brokers(partition.elr.clone()),
            "last_known_elr" => Value::Brokers(partition.last_known_elr.iter().copied().collect()),
            "maximal_isr" => {
                let leader = cluster.broker(partition.leader?)?.leader()?;
                let pending = leader.pending.as_ref().map(|p| p.isr.clone());
                Value::Brokers(leader.committed_isr.union(&pending.unwrap_or_default()))
            }
            "leader" => Value::Broker(partition.leader),
            "leader_epoch" => Value::Number(u64::from(partition.leader_epoch.0)),
            "partition_epoch" => Value::Number(u64::from(partition.partition_epoch.0)),
            "effective_min_isr" => Value::Number(u64::from(cluster.controller.effective_min_isr())),
            "running" => Value::Brokers(
                cluster
                    .brokers
                    .iter()
                    .filter(|b| b.is_up())
                    .map(|b| b.id)
                    .collect(),
            ),
            "fenced" => {
                let registered = cluster.controller.brokers.iter();
                Value::Brokers(
                    registered
                        .filter(|(_, r)| r.fenced)
                        .map(|(id, _)| *id)
                        .collect(),
                )
            }
            "consumer_end" => match latest_at_leader(&state.simulation, Isolation::ReadUncommitted)
            {
                Some(Ok(offset)) => Value::Number(offset.0),
                Some(Err(error)) => Value::Word(error.name().to_owned()),
                None => Value::Word("no leader".to_owned()),
            },
            _ => return None,
        });
    }
    let broker = cluster.broker(BrokerId(of.parse().ok()?))?;
    Some(match key {
        "hw" => Value::Number(broker.hw().0),
        "leo" => Value::Number(broker.leo().0),
        "lso" => Value::Number(broker.log.lso().0),
        "epoch_cache" | "log" => {
            let name = if key == "log" { "logs" } else { "epochs" };
            let what = format!("{name}/{of}");
            // Without epochs: the words of a recording that says less.
            let like = if key == "log" { "m1" } else { "" };
            Value::Word(highwater::session::against::value(
                &state.simulation,
                &what,
                like,
            ))
        }
        _ => return None,
    })
}

impl Value {
    /// Whether a claim's right side says this.
    pub fn is(&self, said: &str) -> bool {
        let said = said.trim();
        match self {
            Value::Number(number) => said.parse() == Ok(*number),
            Value::Broker(None) => said == "none",
            Value::Broker(Some(broker)) => said.parse() == Ok(broker.0),
            Value::Brokers(brokers) => {
                let inside = said.trim_start_matches('{').trim_end_matches('}');
                anchor::brokers(inside).as_ref() == Some(brokers)
            }
            Value::Records(records) => {
                let listed: Option<Vec<u64>> = match said {
                    "none" => Some(Vec::new()),
                    _ => said.split(',').map(record_number).collect(),
                };
                listed.as_ref() == Some(records)
            }
            Value::Millis(at) => time::read(&said.replace(' ', "")) == Some(*at),
            Value::Word(word) => word == said,
        }
    }

    /// As a claim writes it.
    pub fn written(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Broker(broker) => broker.map_or_else(|| "none".to_owned(), |b| b.to_string()),
            Value::Brokers(brokers) if brokers.is_empty() => "none".to_owned(),
            Value::Brokers(brokers) => brokers.to_string(),
            Value::Records(records) if records.is_empty() => "none".to_owned(),
            Value::Records(records) => {
                let names: Vec<String> = records.iter().map(|r| format!("m{r}")).collect();
                names.join(",")
            }
            Value::Millis(at) => time::print(*at),
            Value::Word(word) => word.clone(),
        }
    }

    /// As the prose of a language writes it.
    pub fn said(&self, text: &Text) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Broker(broker) => {
                broker.map_or_else(|| say!(text, ValueNone), |b| b.to_string())
            }
            Value::Brokers(brokers) => arg::set(brokers),
            Value::Records(records) if records.is_empty() => say!(text, ValueNone),
            Value::Records(records) if records.len() > 4 => record_names(text, records),
            Value::Records(records) => {
                list(text, records.iter().map(|r| format!("m{r}")).collect())
            }
            Value::Millis(at) => millis(*at),
            Value::Word(word) => word.clone(),
        }
    }

    /// How many it stands for, for a plural.
    pub fn count(&self) -> u64 {
        match self {
            Value::Number(number) => *number,
            Value::Brokers(brokers) => brokers.len() as u64,
            Value::Records(records) => records.len() as u64,
            _ => 1,
        }
    }
}
