//! The partition's record as the cases write it.

use highwater_core::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, PartitionEpoch};
use highwater_core::kafka::partition::{PartitionState, Recovery};
use serde_json::{Map, Value, json};

use crate::case::{Fields, or_minus_one};

/// Broker ids in the order of the file.
pub fn brokers(fields: &Fields, name: &str) -> Result<Vec<BrokerId>, String> {
    let id = |number: u64| {
        let id = u32::try_from(number).map_err(|_| format!("{name} has {number}"))?;
        Ok(BrokerId(id))
    };
    fields.numbers(name)?.into_iter().map(id).collect()
}

/// Broker ids whose order means nothing.
pub fn broker_set(fields: &Fields, name: &str) -> Result<BrokerSet, String> {
    Ok(brokers(fields, name)?.into_iter().collect())
}

/// RECOVERED when it is missing.
pub fn recovery(fields: &Fields) -> Result<Recovery, String> {
    match fields.get("recovery") {
        None => Ok(Recovery::Recovered),
        Some(_) => match fields.text("recovery")? {
            "RECOVERED" => Ok(Recovery::Recovered),
            "RECOVERING" => Ok(Recovery::Recovering),
            other => Err(format!("no such recovery state: {other}")),
        },
    }
}

/// The partition; missing lists are empty.
pub fn read(fields: &Fields) -> Result<PartitionState, String> {
    fields.only(&[
        "replicas",
        "isr",
        "elr",
        "last_known_elr",
        "leader",
        "leader_epoch",
        "partition_epoch",
        "recovery",
        "adding",
        "removing",
    ])?;
    Ok(PartitionState {
        replicas: brokers(fields, "replicas")?,
        isr: broker_set(fields, "isr")?,
        elr: broker_set(fields, "elr")?,
        last_known_elr: brokers(fields, "last_known_elr")?,
        leader: fields.maybe_small("leader")?.map(BrokerId),
        leader_epoch: LeaderEpoch(fields.small("leader_epoch")?),
        partition_epoch: PartitionEpoch(fields.small("partition_epoch")?),
        recovery: recovery(fields)?,
        adding: brokers(fields, "adding")?,
        removing: brokers(fields, "removing")?,
    })
}

/// A leader; -1 = none.
pub fn leader(leader: Option<BrokerId>) -> Value {
    or_minus_one(leader.map(|b| b.0.into()))
}

/// Ids in their order.
pub fn list<'a>(brokers: impl IntoIterator<Item = &'a BrokerId>) -> Value {
    brokers.into_iter().map(|b| json!(b.0)).collect()
}

/// A set of ids.
pub fn set(brokers: &BrokerSet) -> Value {
    brokers.iter().map(|b| json!(b.0)).collect()
}

/// Every key of a partition.
pub fn tell(partition: &PartitionState) -> Map<String, Value> {
    let mut told = Map::new();
    let mut say = |key: &str, value: Value| told.insert(key.to_string(), value);
    say("replicas", list(&partition.replicas));
    say("isr", set(&partition.isr));
    say("elr", set(&partition.elr));
    say("last_known_elr", list(&partition.last_known_elr));
    say("leader", leader(partition.leader));
    say("leader_epoch", json!(partition.leader_epoch.0));
    say("partition_epoch", json!(partition.partition_epoch.0));
    say("recovery", json!(partition.recovery.name()));
    say("adding", list(&partition.adding));
    say("removing", list(&partition.removing));
    told
}
