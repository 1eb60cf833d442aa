//! Kind `producer_state`: what is known of one producer.

use highwater_core::kafka::ids::{LeaderEpoch, Offset, ProducerId};
use highwater_core::kafka::producer_state::ProducerStates;
use highwater_core::kafka::record::{Batch, Payload, ProducerStamp};
use serde_json::{Map, json};

use crate::case::Fields;
use crate::{Answer, Machine};

/// The producer of every batch.
const PRODUCER: ProducerId = ProducerId(1);

#[derive(Default)]
struct Runner {
    states: ProducerStates,
    /// Where a batch goes whose operation names no offset.
    next: Offset,
}

/// Nothing is known yet.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&[])?;
    Ok(Box::new(Runner::default()))
}

impl Machine for Runner {
    fn apply(&mut self, op: &Fields) -> Answer {
        op.only(&["op", "epoch", "seq", "n", "offset", "dedupe"])?;
        let count = op.number_or("n", 1)?;
        let stamp = ProducerStamp {
            id: PRODUCER,
            epoch: op.small("epoch")?,
            first_sequence: op.small("seq")?,
            transactional: false,
        };
        let checked = match op.op() {
            "append" if op.flag_or("dedupe", true)? => self.states.check(&stamp, count),
            "append" => self.states.validate(&stamp).map(|()| None),
            "append_follower" => Ok(None),
            other => return Err(format!("no such operation: {other}")),
        };
        if checked == Ok(None) {
            let batch = Batch {
                base: Offset(op.number_or("offset", self.next.0)?),
                count,
                epoch: LeaderEpoch(0),
                producer: Some(stamp),
                payload: Payload::Before,
            };
            self.states.update(&batch);
            self.next = batch.end();
        }
        let entry = self.states.entry(PRODUCER);
        let batches = entry.map_or(&[][..], |entry| &entry.batches);
        let mut told = Map::new();
        told.insert(
            "result".into(),
            json!(checked.map_or_else(|e| e.name(), |_| "NONE")),
        );
        told.insert("duplicate".into(), json!(matches!(checked, Ok(Some(_)))));
        told.insert(
            "producer_epoch".into(),
            json!(entry.map(|entry| entry.epoch)),
        );
        told.insert(
            "first_seq".into(),
            json!(batches.first().map(|batch| batch.first_sequence)),
        );
        told.insert(
            "last_seq".into(),
            json!(batches.last().map(|batch| batch.last_sequence)),
        );
        Ok(told)
    }
}
