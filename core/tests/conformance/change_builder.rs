//! Kind `change_builder`: one change of a partition.

use highwater_core::kafka::change_builder::{ElectionType, PartitionChangeBuilder};
use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::ids::{BrokerId, BrokerSet};
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::partition_change::PartitionChange;
use highwater_core::kafka::rules::{LastKnownLeader, Rules, Version};
use highwater_core::kafka::settings::Settings;
use serde_json::{Map, Value, json};

use crate::case::Fields;
use crate::partition;
use crate::properties;
use crate::{Answer, Machine};

struct Runner {
    partition: PartitionState,
    acceptable: BrokerSet,
    min_isr: u32,
    elr_enabled: bool,
    rules: Rules,
}

/// A partition before the change.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&[
        "partition",
        "acceptable",
        "min_isr",
        "elr_enabled",
        "use_last_known_leader",
        "leader_epoch_bump_on_isr_shrink",
    ])?;
    let mut rules = Rules::of(Version::V4_2);
    rules.leader_epoch_bump_on_isr_shrink =
        given.flag_or("leader_epoch_bump_on_isr_shrink", false)?;
    if !given.flag_or("use_last_known_leader", true)? {
        rules.last_known_leader = LastKnownLeader::Off;
    }
    Ok(Box::new(Runner {
        partition: partition::read(&given.object("partition")?)?,
        acceptable: partition::broker_set(given, "acceptable")?,
        min_isr: given.small("min_isr")?,
        elr_enabled: given.flag_or("elr_enabled", false)?,
        rules,
    }))
}

impl Machine for Runner {
    fn cluster(&self) -> Option<Cluster> {
        // The builder leaves it to its caller to take removed replicas out of the ISR.
        let mut partition = self.partition.clone();
        let removed = partition
            .isr
            .iter()
            .filter(|b| !partition.replicas.contains(b));
        let removed: Vec<_> = removed.collect();
        partition.replicas.extend(removed);
        Some(properties::cluster(
            &Settings::default(),
            partition,
            Vec::new(),
        ))
    }

    fn apply(&mut self, op: &Fields) -> Answer {
        op.only(&[
            "op",
            "election",
            "target_isr",
            "target_replicas",
            "target_adding",
            "target_removing",
            "unclean_shutdown",
            "acceptable",
        ])?;
        if op.get("acceptable").is_some() {
            self.acceptable = partition::broker_set(op, "acceptable")?;
        }
        let mut told = Map::new();
        let builder = self.builder(op)?;
        match op.op() {
            "elect" => {
                let result = builder.elect();
                told.insert("leader".into(), partition::leader(result.leader));
                told.insert("unclean".into(), json!(result.unclean()));
            }
            "build" => {
                let built = builder.build();
                let change = built.as_ref().map(|b| tell(&b.change));
                told.insert("change".into(), change.unwrap_or(Value::Null));
                if let Some(built) = built {
                    self.partition = built.change.merge_into(&self.partition);
                }
                let after = partition::tell(&self.partition);
                told.insert("after".into(), Value::Object(after));
            }
            other => return Err(format!("no such operation: {other}")),
        }
        Ok(told)
    }
}

impl Runner {
    fn builder(
        &self,
        op: &Fields,
    ) -> Result<PartitionChangeBuilder<'_, impl Fn(BrokerId) -> bool>, String> {
        let election = match op.text("election").unwrap_or("ONLINE") {
            "ONLINE" => ElectionType::Online,
            "PREFERRED" => ElectionType::Preferred,
            "UNCLEAN" => ElectionType::Unclean,
            other => return Err(format!("no such election: {other}")),
        };
        let acceptable = |broker| self.acceptable.contains(broker);
        let mut builder = PartitionChangeBuilder::new(
            &self.partition,
            acceptable,
            &self.rules,
            self.min_isr,
            self.elr_enabled,
        )
        .election(election)
        .unclean_shutdown(partition::broker_set(op, "unclean_shutdown")?);
        if op.get("target_isr").is_some() {
            builder = builder.target_isr(partition::broker_set(op, "target_isr")?);
        }
        if op.get("target_replicas").is_some() {
            builder = builder.target_replicas(partition::brokers(op, "target_replicas")?);
        }
        if op.get("target_adding").is_some() {
            builder = builder.target_adding(partition::brokers(op, "target_adding")?);
        }
        if op.get("target_removing").is_some() {
            builder = builder.target_removing(partition::brokers(op, "target_removing")?);
        }
        Ok(builder)
    }
}

/// Exactly the fields that change.
fn tell(change: &PartitionChange) -> Value {
    let fields = [
        ("leader", change.leader.map(partition::leader)),
        ("isr", change.isr.as_ref().map(partition::set)),
        ("elr", change.elr.as_ref().map(partition::set)),
        (
            "last_known_elr",
            change.last_known_elr.as_ref().map(partition::list),
        ),
        ("replicas", change.replicas.as_ref().map(partition::list)),
        ("adding", change.adding.as_ref().map(partition::list)),
        ("removing", change.removing.as_ref().map(partition::list)),
        ("recovery", change.recovery.map(|r| json!(r.name()))),
    ];
    let told = fields
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| (key.to_string(), value)));
    Value::Object(told.collect())
}
