//! Kind `log`: one log without a role.

use highwater_core::kafka::broker::Broker;
use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::ids::{BrokerEpoch, BrokerId};
use highwater_core::kafka::ids::{LeaderEpoch, Offset, ProducerId};
use highwater_core::kafka::log::{Appended, Log};
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::record::{Batch, Payload, ProducerStamp};
use highwater_core::kafka::settings::Settings;
use serde_json::{Map, Value, json};

use crate::case::Fields;
use crate::epoch_cache::entries;
use crate::properties;
use crate::{Answer, Machine};

struct Runner {
    log: Log,
    /// The number of the next record.
    next: u64,
}

/// A log that begins at `log_start` with `log`: single-record batches, written as [epoch, count].
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["log_start", "log"])?;
    let mut runner = Runner {
        log: Log::new(Offset(given.number_or("log_start", 0)?)),
        next: 1,
    };
    for (epoch, count) in given.pairs("log")? {
        let epoch = u32::try_from(epoch).map_err(|_| "an epoch is too large".to_string())?;
        for _ in 0..count {
            let payload = runner.records(1);
            let appended = runner
                .log
                .append_leader(1, LeaderEpoch(epoch), None, payload);
            appended.map_err(|error| format!("the given log: {error}"))?;
        }
    }
    Ok(Box::new(runner))
}

/// The stamp of an append; a marker's sequence number, -1, is of no effect.
pub fn stamp(op: &Fields) -> Result<Option<ProducerStamp>, String> {
    if op.get("producer").is_none() {
        return Ok(None);
    }
    let producer = op.object("producer")?;
    producer.only(&["id", "epoch", "seq"])?;
    Ok(Some(ProducerStamp {
        id: ProducerId(producer.number("id")?),
        epoch: producer.small("epoch")?,
        first_sequence: producer.maybe_small("seq")?.unwrap_or(0),
        transactional: op.flag_or("transactional", false)? || op.get("control").is_some(),
    }))
}

impl Runner {
    fn records(&mut self, count: u64) -> Payload {
        let first = self.next;
        self.next += count;
        Payload::Records { first }
    }

    fn payload(&mut self, op: &Fields) -> Result<Payload, String> {
        match op.get("control").map(|control| control.as_str()) {
            None => Ok(self.records(op.number("n")?)),
            Some(Some("commit")) => Ok(Payload::Marker { commit: true }),
            Some(Some("abort")) => Ok(Payload::Marker { commit: false }),
            Some(_) => Err("control is neither commit nor abort".to_string()),
        }
    }

    fn append_leader(&mut self, op: &Fields, told: &mut Map<String, Value>) -> Result<(), String> {
        op.only(&["op", "n", "epoch", "producer", "transactional", "control"])?;
        let payload = self.payload(op)?;
        let epoch = LeaderEpoch(op.small("epoch")?);
        let (base, end, duplicate) =
            match self
                .log
                .append_leader(op.number("n")?, epoch, stamp(op)?, payload)
            {
                Ok(Appended::Batch(batch)) => (batch.base, batch.end(), false),
                Ok(Appended::Duplicate { base, end }) => (base, end, true),
                Err(error) => {
                    told.insert("result".into(), json!(error.name()));
                    return Ok(());
                }
            };
        told.insert("result".into(), json!("NONE"));
        told.insert("base_offset".into(), json!(base.0));
        told.insert("last_offset".into(), json!(end.0 - 1));
        told.insert("duplicate".into(), json!(duplicate));
        Ok(())
    }

    fn append_follower(
        &mut self,
        op: &Fields,
        told: &mut Map<String, Value>,
    ) -> Result<(), String> {
        op.only(&[
            "op",
            "base_offset",
            "n",
            "epoch",
            "producer",
            "transactional",
            "control",
        ])?;
        let batch = Batch {
            base: Offset(op.number("base_offset")?),
            count: op.number("n")?,
            epoch: LeaderEpoch(op.small("epoch")?),
            producer: stamp(op)?,
            payload: self.payload(op)?,
        };
        if !self.log.append_follower(batch) {
            return Err("the batch does not begin at the LEO".to_string());
        }
        told.insert("result".into(), json!("NONE"));
        told.insert("base_offset".into(), json!(batch.base.0));
        told.insert("last_offset".into(), json!(batch.end().0 - 1));
        Ok(())
    }
}

impl Machine for Runner {
    fn cluster(&self) -> Option<Cluster> {
        let mut broker = Broker::new(BrokerId(1), BrokerEpoch(1));
        broker.log = self.log.clone();
        let partition = PartitionState {
            replicas: vec![broker.id],
            ..PartitionState::default()
        };
        Some(properties::cluster(
            &Settings::default(),
            partition,
            vec![broker],
        ))
    }

    fn apply(&mut self, op: &Fields) -> Answer {
        let mut told = Map::new();
        let offset = || {
            op.only(&["op", "offset"])
                .and_then(|()| op.number("offset"))
                .map(Offset)
        };
        match op.op() {
            "append_leader" => self.append_leader(op, &mut told)?,
            "append_follower" => self.append_follower(op, &mut told)?,
            "inc_hw" => {
                self.log.raise_hw(offset()?);
            }
            "set_hw" => {
                self.log.set_hw(offset()?);
            }
            "follower_update_hw" => {
                let moved = self.log.set_hw(offset()?);
                told.insert("updated_hw".into(), json!(moved.then_some(self.log.hw().0)));
            }
            "truncate_to" => {
                told.insert("truncated".into(), json!(self.log.truncate_to(offset()?)));
            }
            "truncate_fully" => self.log.truncate_fully(offset()?),
            "assign_epoch" => {
                op.only(&["op", "epoch", "offset"])?;
                self.log.assign_epoch(
                    LeaderEpoch(op.small("epoch")?),
                    Offset(op.number("offset")?),
                );
            }
            "delete_records" => {
                let result = self.log.delete_records(offset()?);
                told.insert(
                    "result".into(),
                    json!(result.map_or_else(|e| e.name(), |()| "NONE")),
                );
            }
            other => return Err(format!("no such operation: {other}")),
        }
        let log = &self.log;
        told.insert("hw".into(), json!(log.hw().0));
        told.insert("leo".into(), json!(log.leo().0));
        told.insert("lso".into(), json!(log.lso().0));
        told.insert("log_start".into(), json!(log.log_start().0));
        told.insert(
            "first_unstable".into(),
            json!(log.first_unstable().map(|o| o.0)),
        );
        told.insert("epoch_cache".into(), entries(log.epochs()));
        Ok(told)
    }
}
