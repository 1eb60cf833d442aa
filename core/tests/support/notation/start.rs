//! The start section of a script.

use std::collections::BTreeMap;

use highwater_core::kafka::ids::{BrokerId, LeaderEpoch, Offset, PartitionEpoch};
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::{Start, StartReplica};
use serde_json::Value;

use super::broker;

const KEYS: &[&str] = &[
    "leader",
    "isr",
    "elr",
    "last_known",
    "leo",
    "hw",
    "follower_hw",
    "epoch",
    "partition_epoch",
    "epochs",
    "epoch_start",
    "open_txn_first_offset",
    "down",
    "parked_fetches",
    "note",
];

type Names = BTreeMap<String, BrokerId>;

/// The state that the run starts from.
pub fn section(start: &Value, settings: &Settings, names: &Names) -> Result<Start, String> {
    for key in start.as_object().ok_or("no start")?.keys() {
        if !KEYS.contains(&key.as_str()) {
            return Err(format!("unknown start {key}"));
        }
    }
    let list = |key: &str| -> Result<Vec<BrokerId>, String> {
        let list = start[key].as_array().into_iter().flatten();
        list.map(|value| broker(value, names)).collect()
    };
    let number = |key: &str| start[key].as_u64();
    let mut newest = number("epoch").unwrap_or(0);
    for list in start["epochs"]
        .as_object()
        .into_iter()
        .flat_map(|m| m.values())
    {
        let epochs = list.as_array().into_iter().flatten();
        newest = epochs.filter_map(|e| e[0].as_u64()).fold(newest, u64::max);
    }
    if start.get("epoch_start").is_some() {
        newest = newest.max(1);
    }
    let leader = match &start["leader"] {
        Value::Null => None,
        leader => Some(broker(leader, names)?),
    };
    let down = list("down")?;
    let mut replicas = Vec::new();
    for (name, id) in names {
        let leo = start["leo"][name].as_u64().unwrap_or(0);
        let hw = start["follower_hw"][name].as_u64().or(match &start["hw"] {
            Value::Object(each) => each.get(name).and_then(Value::as_u64),
            hw => hw.as_u64(),
        });
        let replica = StartReplica {
            broker: *id,
            log: log(start, name, leo, newest)?,
            hw: Offset(hw.unwrap_or(0).min(leo)),
            down: down.contains(id),
            ..StartReplica::default()
        };
        replicas.push(replica);
    }
    if settings.replicas.len() != replicas.len() {
        return Err("a broker that is no replica".into());
    }
    Ok(Start {
        leader,
        leader_epoch: epoch(newest)?,
        partition_epoch: PartitionEpoch(number("partition_epoch").unwrap_or(0) as u32),
        isr: list("isr")?.into_iter().collect(),
        elr: list("elr")?.into_iter().collect(),
        last_known_elr: list("last_known")?,
        replicas,
        open_transaction: number("open_txn_first_offset").map(Offset),
        ..Start::default()
    })
}

fn epoch(number: u64) -> Result<LeaderEpoch, String> {
    u32::try_from(number)
        .map(LeaderEpoch)
        .map_err(|e| e.to_string())
}

/// The log as ranges: by its epochs; by the offset at which the leader's epoch began; or all in the leader's epoch.
fn log(
    start: &Value,
    name: &str,
    leo: u64,
    newest: u64,
) -> Result<Vec<(LeaderEpoch, u64)>, String> {
    let begins: Vec<(u64, u64)> = match (&start["epochs"][name], start["epoch_start"].as_u64()) {
        (Value::Array(list), _) => {
            let pair = |p: &Value| Some((p[0].as_u64()?, p[1].as_u64()?));
            let pairs: Option<Vec<_>> = list.iter().map(pair).collect();
            pairs.ok_or("epochs are pairs")?
        }
        (_, Some(begin)) => vec![(newest - 1, 0), (newest, begin)],
        _ => vec![(newest, 0)],
    };
    let mut ranges = Vec::new();
    for (place, (number, begin)) in begins.iter().enumerate() {
        let end = begins
            .get(place + 1)
            .map_or(leo, |(_, next)| (*next).min(leo));
        if end > *begin {
            ranges.push((epoch(*number)?, end - begin));
        }
    }
    Ok(ranges)
}
