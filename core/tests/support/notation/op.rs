//! The words of a script as actions.

use highwater_core::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset};
use highwater_core::kafka::settings::{Acks, Isolation};
use highwater_core::scenario::{Action, ConfigChange, ElectionKind, Produce, When};
use serde_json::{Value, json};

use super::{Writer, broker};

/// Steps with a time of their own, or that of their place.
pub(super) type Actions = Vec<(Option<When>, Action)>;

/// Keys that a runner does not read here: for people, for choosing runs, and what is expected.
const ALWAYS: &[&str] = &[
    "do", "t", "case", "mode", "version", "note", "notes", "also", "why", "contrast",
];

/// How long writes go on beside a paused follower, and how often.
const WRITES: (u64, u64) = (60_000, 1_000);

/// The name of the call that the converter numbers.
fn produce_name(number: u32) -> String {
    format!("p{number}")
}

fn own_keys(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "produce" => &[
            "n",
            "acks",
            "to_broker",
            "id",
            "producer",
            "seq",
            "retry_of",
            "timeout_ms",
            "drop_response",
        ],
        "retry" => &["of", "acks", "to_broker", "id"],
        "follower_fetch" => &["broker", "times", "from", "deliver_response"],
        "zombie_fetch" => &["broker", "times", "epoch"],
        "pause_fetch" => &["broker", "with_writes"],
        "resume_fetch"
        | "stop_clean"
        | "kill"
        | "fence"
        | "unfence"
        | "isolate_from_followers"
        | "catch_up"
        | "start_follow"
        | "restart"
        | "make_zombie"
        | "cut_controller"
        | "heal_controller"
        | "release_alter_partition"
        | "await_unfenced"
        | "isr_check" => &["broker"],
        "power_loss" => &["broker", "keep_leo"],
        "start" => &["broker", "unclean_registration", "wait"],
        "isolate" | "heal" => &["broker", "brokers"],
        "fetch_delay" => &["broker", "ms"],
        "set_fetch_rate" => &["broker", "records_per_s"],
        "drop_next_response"
        | "deliver_alter_partition"
        | "kill_controller"
        | "start_controller"
        | "txn_begin" => &[],
        "delay_alter_partition" => &["add", "broker"],
        "elect" => &["type", "winner", "epoch"],
        "isr_shrink" | "await_isr" => &["to"],
        "await_ack" => &["id"],
        "advance_ms" => &["ms", "writes"],
        "wait" => &["ms"],
        "set_config" => &["set"],
        "loop" => &["every_ms", "for_ms", "body"],
        "consumer_fetch" | "consume" => &[
            "from_replica",
            "from_broker",
            "offset",
            "epoch",
            "leader_epoch",
            "read_committed",
        ],
        "list_offset_latest" => &["read_committed"],
        "end_offset_for_epoch" => &["epoch", "broker"],
        "txn_produce" => &["n"],
        "txn_end" => &["commit"],
        _ => return None,
    })
}

impl Writer {
    /// The actions that a step stands for.
    pub(super) fn actions(&mut self, raw: &Value) -> Result<Actions, String> {
        let word = super::text(raw, "do")?;
        if word == "check" {
            return Ok(self.check(raw));
        }
        let keys = own_keys(&word).ok_or_else(|| format!("unknown op {word}"))?;
        for key in raw.as_object().into_iter().flat_map(|o| o.keys()) {
            let known = ALWAYS.contains(&key.as_str()) || keys.contains(&key.as_str());
            if !known && !key.starts_with("expect") {
                return Err(format!("unknown key {key}"));
            }
        }
        let mut actions = self.plain(&word, raw)?;
        actions.extend(waits(raw).map(|wait| (None, wait)));
        Ok(actions)
    }

    /// A look. Where an answer is expected that takes its time, the look waits for it; where nobody knows the leader
    /// better, what is expected tells who leads.
    fn check(&mut self, raw: &Value) -> Actions {
        if let Ok(leader) = broker(&raw["leader"], &self.brokers) {
            self.leader = Some(leader);
        }
        let answer = raw["ack"].as_str().filter(|ack| *ack != "pending");
        match (answer, raw.get("t"), self.last_call.clone()) {
            (Some(_), None, Some(call)) => {
                vec![(None, Action::AwaitAck(call)), (None, Action::Check)]
            }
            _ => vec![(None, Action::Check)],
        }
    }

    fn plain(&mut self, word: &str, raw: &Value) -> Result<Actions, String> {
        let one = |action| Ok(vec![(None, action)]);
        let id = |key: &str| broker(&raw[key], &self.brokers);
        match word {
            "produce" | "txn_produce" | "retry" => self.produce(word, raw),
            "loop" => self.repeat(raw),
            "advance_ms" => self.advance(raw),
            "pause_fetch" if raw.get("with_writes").is_some() => self.pause_with_writes(raw),
            "follower_fetch" | "zombie_fetch" => one(Action::Fetch {
                broker: id("broker")?,
                rounds: raw["times"].as_u64().unwrap_or(1) as u32,
                lose_response: raw["deliver_response"] == false,
            }),
            "pause_fetch" => one(Action::PauseFetch(id("broker")?)),
            "resume_fetch" => one(Action::ResumeFetch(id("broker")?)),
            "catch_up" | "start_follow" => one(Action::CatchUp(id("broker")?)),
            "fetch_delay" => one(Action::SlowFetch {
                broker: id("broker")?,
                delay: millis(raw, "ms")?,
            }),
            "set_fetch_rate" => {
                let broker = id("broker")?;
                let rate = number(raw, "records_per_s")?.max(1);
                Ok(vec![
                    (
                        None,
                        Action::LimitFetch {
                            broker,
                            records: Some(1),
                        },
                    ),
                    (
                        Some(When::After(Millis(0))),
                        Action::SlowFetch {
                            broker,
                            delay: Millis(1_000 / rate),
                        },
                    ),
                ])
            }
            "drop_next_response" => {
                self.lose_next_response = true;
                Ok(Vec::new())
            }
            "isr_shrink" => one(Action::ProposeIsr(self.set(&raw["to"])?)),
            "await_isr" => one(Action::AwaitIsr(self.set(&raw["to"])?)),
            "await_ack" => one(Action::AwaitAck(super::text(raw, "id")?)),
            "await_unfenced" => one(Action::AwaitUnfenced(id("broker")?)),
            "isr_check" => match raw.get("broker") {
                Some(_) => one(Action::IsrCheck(id("broker")?)),
                None => one(Action::IsrCheck(self.leader()?)),
            },
            "wait" => one(Action::Wait(millis(raw, "ms")?)),
            "set_config" => config_changes(&raw["set"]),
            "elect" => self.elect(raw),
            "consumer_fetch" | "consume" | "list_offset_latest" | "end_offset_for_epoch" => {
                one(self.query(word, raw)?)
            }
            "txn_begin" => one(Action::TransactionBegin),
            "txn_end" => one(Action::TransactionEnd {
                commit: raw["commit"] != false,
            }),
            _ => self.fault(word, raw),
        }
    }

    pub(super) fn leader(&self) -> Result<BrokerId, String> {
        self.leader
            .ok_or_else(|| "the script does not tell who leads".to_owned())
    }

    fn set(&self, value: &Value) -> Result<BrokerSet, String> {
        let list = value.as_array().ok_or("no list of brokers")?;
        list.iter().map(|b| broker(b, &self.brokers)).collect()
    }

    fn elect(&mut self, raw: &Value) -> Result<Actions, String> {
        let kind = match (raw.get("winner"), raw["type"].as_str()) {
            (Some(winner), kind) => {
                let winner = broker(winner, &self.brokers)?;
                self.leader = Some(winner);
                let mut actions = vec![(None, Action::Elect(ElectionKind::Named(winner)))];
                if kind != Some("clean") {
                    // The winner is forced: where it may not lead cleanly and nobody does, uncleanly.
                    let unclean = Action::Elect(ElectionKind::Unclean);
                    actions.push((Some(When::After(Millis(0))), unclean));
                }
                return Ok(actions);
            }
            (None, Some("preferred")) => ElectionKind::Preferred,
            (None, Some("unclean")) => ElectionKind::Unclean,
            _ => return Err("neither winner nor type".into()),
        };
        Ok(vec![(None, Action::Elect(kind))])
    }

    fn query(&self, word: &str, raw: &Value) -> Result<Action, String> {
        let isolation = match raw["read_committed"] == true {
            true => Isolation::ReadCommitted,
            false => Isolation::ReadUncommitted,
        };
        let whom = ["from_replica", "from_broker", "broker"]
            .into_iter()
            .find_map(|k| raw.get(k));
        let from = whom.map(|b| broker(b, &self.brokers)).transpose()?;
        let epoch = raw
            .get("epoch")
            .or(raw.get("leader_epoch"))
            .and_then(Value::as_u64);
        let epoch = epoch.map(|e| LeaderEpoch(e as u32));
        Ok(match word {
            "list_offset_latest" => Action::ListOffset { isolation },
            "end_offset_for_epoch" => Action::EpochEnd {
                epoch: epoch.ok_or("no epoch")?,
                broker: from,
            },
            _ => Action::Consume {
                offset: Offset(number(raw, "offset")?),
                from,
                leader_epoch: epoch,
                isolation,
            },
        })
    }

    fn produce(&mut self, word: &str, raw: &Value) -> Result<Actions, String> {
        self.calls += 1;
        let name = raw["id"]
            .as_str()
            .map_or_else(|| produce_name(self.calls), str::to_owned);
        let retry_of = match (word, raw["of"].as_str().or(raw["retry_of"].as_str())) {
            (_, Some(call)) => Some(call.to_owned()),
            ("retry", None) => Some(self.last_call.clone().ok_or("nothing to retry")?),
            _ => None,
        };
        let again = retry_of.as_ref().and_then(|call| self.call(call)).cloned();
        let acks = match &raw["acks"] {
            Value::Null => again
                .as_ref()
                .map_or(Acks::All, |call| call.acks.unwrap_or(Acks::All)),
            Value::String(word) if word == "all" || word == "-1" => Acks::All,
            other => match other.to_string().trim_matches('"') {
                "1" => Acks::Leader,
                "0" => Acks::None,
                _ => return Err(format!("unknown acks {other}")),
            },
        };
        let producer = match raw["producer"].as_str() {
            Some(name) => Some(name.to_owned()),
            None => self.idempotent.then(|| "idempotent".to_owned()),
        };
        let call = Produce {
            records: match &again {
                Some(call) => call.records,
                None => raw["n"].as_u64().unwrap_or(1),
            },
            acks: Some(acks),
            to: raw
                .get("to_broker")
                .map(|b| broker(b, &self.brokers))
                .transpose()?,
            timeout: raw["timeout_ms"].as_u64().map(Millis),
            id: Some(name.clone()),
            producer,
            sequence: raw["seq"].as_u64().map(|s| s as u32),
            retry_of,
            lose_request: false,
            lose_response: core::mem::take(&mut self.lose_next_response)
                || raw["drop_response"] == true,
            transactional: word == "txn_produce",
        };
        self.last_call = Some(name);
        Ok(vec![(None, Action::Produce(call))])
    }

    fn call(&self, name: &str) -> Option<&Produce> {
        self.steps.iter().find_map(|step| match &step.action {
            Action::Produce(call) if call.id.as_deref() == Some(name) => Some(call),
            _ => None,
        })
    }

    /// `count` produce calls of one record, each so long after the one before.
    fn writes(&mut self, count: u64, every: u64, acks: &str) -> Result<Actions, String> {
        let mut actions = Vec::new();
        for _ in 0..count {
            let call = self.produce("produce", &json!({"n": 1, "acks": acks}))?;
            let timed = |(_, action)| (Some(When::After(Millis(every))), action);
            actions.extend(call.into_iter().map(timed));
        }
        Ok(actions)
    }

    fn advance(&mut self, raw: &Value) -> Result<Actions, String> {
        let time = number(raw, "ms")?;
        match raw["writes"].as_str() {
            Some(words) => {
                let acks = words
                    .split(&[' ', ','][..])
                    .find_map(|w| w.strip_prefix("acks="));
                self.writes(time / 100, 100, acks.unwrap_or("all"))
            }
            None => Ok(vec![(None, Action::Wait(Millis(time)))]),
        }
    }

    fn pause_with_writes(&mut self, raw: &Value) -> Result<Actions, String> {
        let mut actions = vec![(
            None,
            Action::PauseFetch(broker(&raw["broker"], &self.brokers)?),
        )];
        match raw["with_writes"] == true {
            true => actions.extend(self.writes(WRITES.0 / WRITES.1, WRITES.1, "1")?),
            false => actions.push((None, Action::Wait(Millis(WRITES.0)))),
        }
        Ok(actions)
    }

    /// Its body over and over: the first of it every so many milliseconds, the rest at once.
    fn repeat(&mut self, raw: &Value) -> Result<Actions, String> {
        let (every, long) = (number(raw, "every_ms")?.max(1), number(raw, "for_ms")?);
        let body: Vec<Value> = raw["body"]
            .as_array()
            .ok_or("no body")?
            .iter()
            .map(body_step)
            .collect::<Result<_, _>>()?;
        let mut actions = Vec::new();
        for _ in 0..long / every {
            for (place, step) in body.iter().enumerate() {
                let wait = if place == 0 { every } else { 0 };
                let when = Some(When::After(Millis(wait)));
                actions.extend(
                    self.actions(step)?
                        .into_iter()
                        .map(|(_, action)| (when, action)),
                );
            }
        }
        Ok(actions)
    }
}

/// `produce 1 acks=1` and the like as a step.
fn body_step(step: &Value) -> Result<Value, String> {
    let Some(text) = step.as_str() else {
        return Ok(step.clone());
    };
    let mut words = text.split_whitespace();
    let word = words.next().ok_or("an empty step")?;
    let mut positions = match word {
        "produce" => vec!["n"],
        _ => vec!["broker", "times"],
    }
    .into_iter();
    let mut raw = json!({ "do": word });
    for word in words {
        let (key, value) = match word.split_once('=') {
            Some(pair) => pair,
            None => (positions.next().ok_or("too many words")?, word),
        };
        raw[key] = match value.parse::<u64>() {
            Ok(number) if key != "acks" => number.into(),
            _ => value.into(),
        };
    }
    Ok(raw)
}

/// What is expected within a time needs that time to pass.
fn waits(raw: &Value) -> Option<Action> {
    let keys = raw.as_object().into_iter().flatten();
    let mut within =
        keys.filter(|(key, _)| key.starts_with("expect") && key.ends_with("within_ms"));
    within
        .next()
        .and_then(|(_, ms)| ms.as_u64())
        .map(|ms| Action::Wait(Millis(ms)))
}

pub(super) fn number(raw: &Value, key: &str) -> Result<u64, String> {
    raw[key]
        .as_u64()
        .ok_or_else(|| format!("no number under {key}"))
}

fn millis(raw: &Value, key: &str) -> Result<Millis, String> {
    number(raw, key).map(Millis)
}

fn config_changes(set: &Value) -> Result<Actions, String> {
    let mut actions = Vec::new();
    for (name, value) in set.as_object().ok_or("nothing to set")? {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let change = match name.as_str() {
            "min.insync.replicas" | "min_isr" => {
                ConfigChange::MinInsyncReplicas(text.parse().map_err(|e| format!("{name}: {e}"))?)
            }
            "unclean.leader.election.enable" | "unclean" => ConfigChange::UncleanLeaderElection(
                text.parse().map_err(|e| format!("{name}: {e}"))?,
            ),
            other => return Err(format!("unknown config {other}")),
        };
        actions.push((None, Action::SetConfig(change)));
    }
    Ok(actions)
}
