//! Kind `epoch_cache`: the leader epoch cache alone.

use highwater_core::kafka::epoch_cache::EpochCache;
use highwater_core::kafka::ids::{LeaderEpoch, Offset};
use serde_json::{Map, Value, json};

use crate::case::{Fields, or_minus_one};
use crate::{Answer, Machine};

struct Runner(EpochCache);

/// A cache with the given entries, assigned in order.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["entries"])?;
    let mut cache = EpochCache::default();
    for (epoch, start) in given.pairs("entries")? {
        let epoch = u32::try_from(epoch).map_err(|_| "an epoch is too large".to_string())?;
        cache.assign(LeaderEpoch(epoch), Offset(start));
    }
    Ok(Box::new(Runner(cache)))
}

/// The entries as the cases write them.
pub fn entries(cache: &EpochCache) -> Value {
    cache
        .entries()
        .iter()
        .map(|(epoch, start)| json!([epoch.0, start.0]))
        .collect()
}

impl Machine for Runner {
    fn apply(&mut self, op: &Fields) -> Answer {
        let mut told = Map::new();
        let cache = &mut self.0;
        let epoch = op.maybe_small("epoch")?.map(LeaderEpoch);
        match op.op() {
            "assign" => {
                op.only(&["op", "epoch", "offset"])?;
                cache.assign(
                    LeaderEpoch(op.small("epoch")?),
                    Offset(op.number("offset")?),
                );
            }
            "end_offset_for" => {
                op.only(&["op", "epoch", "leo"])?;
                let answer = cache.end_offset_for(epoch, Offset(op.number("leo")?));
                told.insert(
                    "epoch".into(),
                    or_minus_one(answer.epoch.map(|e| e.0.into())),
                );
                told.insert(
                    "end_offset".into(),
                    or_minus_one(answer.end_offset.map(|o| o.0)),
                );
            }
            "truncate_from_end" => cache.truncate_from_end(Offset(op.number("offset")?)),
            "truncate_from_start" => cache.truncate_from_start(Offset(op.number("offset")?)),
            "clear" => cache.clear(),
            "previous_epoch" | "next_epoch" | "epoch_for_offset" => {
                let found = match op.op() {
                    "previous_epoch" => cache.previous_epoch(epoch),
                    "next_epoch" => cache.next_epoch(epoch),
                    _ => cache.epoch_for_offset(Offset(op.number("offset")?)),
                };
                told.insert("epoch".into(), json!(found.map(|e| e.0)));
            }
            other => return Err(format!("no such operation: {other}")),
        }
        told.insert("entries".into(), entries(cache));
        told.insert("latest_epoch".into(), json!(cache.latest().map(|e| e.0)));
        Ok(told)
    }
}
