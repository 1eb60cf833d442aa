//! The recordings, and how their values are read.

use std::path::PathBuf;

use highwater_core::kafka::ids::{BrokerId, LeaderEpoch, PartitionEpoch};
use highwater_core::kafka::partition::{PartitionState, Recovery};
use serde_json::Value;

/// A number that fits an id or an epoch.
pub fn small(value: &Value) -> u32 {
    let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
    number.unwrap_or(u32::MAX)
}

/// A list of brokers.
pub fn ids(value: &Value) -> Vec<BrokerId> {
    let list = value.as_array().expect("a list of brokers");
    list.iter().map(|id| BrokerId(small(id))).collect()
}

/// A partition record.
pub fn partition(record: &Value, replicas: &[BrokerId]) -> PartitionState {
    PartitionState {
        replicas: replicas.to_vec(),
        isr: ids(&record["isr"]).into_iter().collect(),
        elr: ids(&record["elr"]).into_iter().collect(),
        last_known_elr: ids(&record["last_known_elr"]),
        leader: (record["leader"] != -1).then(|| BrokerId(small(&record["leader"]))),
        leader_epoch: LeaderEpoch(small(&record["leader_epoch"])),
        partition_epoch: PartitionEpoch(small(&record["partition_epoch"])),
        recovery: match record["recovery"] == "RECOVERING" {
            true => Recovery::Recovering,
            false => Recovery::Recovered,
        },
        ..PartitionState::default()
    }
}

/// Every recording of the directory, by name.
pub fn all() -> Vec<Value> {
    let cases = match std::env::var_os("HIGHWATER_CASES") {
        Some(named) => PathBuf::from(named),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases"),
    };
    let directory = cases.join("cluster-traces");
    let mut files: Vec<_> = std::fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a recording");
        serde_json::from_str(&text).expect("a recording in JSON")
    };
    files.iter().map(read).collect()
}
