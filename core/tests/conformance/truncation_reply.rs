//! Kind `truncation_reply`: where a follower cuts when the leader says that it diverges.

use highwater_core::kafka::ids::{LeaderEpoch, Offset};
use highwater_core::kafka::message::DivergingEpoch;
use highwater_core::kafka::truncation::decide;
use serde_json::{Map, json};

use crate::case::Fields;
use crate::{Answer, Machine};

struct Runner {
    fetch_offset: Offset,
    leo: Offset,
    /// The follower's own ends: asked epoch -> epoch and end.
    own: Fields,
}

/// A follower that fetches from `fetch_offset`.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["fetch_offset", "leo", "follower_end_offset_for"])?;
    Ok(Box::new(Runner {
        fetch_offset: Offset(given.number("fetch_offset")?),
        leo: Offset(given.number("leo")?),
        own: given.object("follower_end_offset_for").unwrap_or_default(),
    }))
}

/// An epoch and its end; -1 is none.
fn epoch_end(fields: &Fields) -> Result<DivergingEpoch, String> {
    Ok(DivergingEpoch {
        epoch: fields.maybe_small("epoch")?.map(LeaderEpoch),
        end_offset: fields.maybe_number("end_offset")?.map(Offset),
    })
}

impl Machine for Runner {
    fn apply(&mut self, op: &Fields) -> Answer {
        op.only(&["op", "epoch", "end_offset"])?;
        if op.op() != "reply" {
            return Err(format!("no such operation: {}", op.op()));
        }
        let answer = epoch_end(op)?;
        let asked = answer
            .epoch
            .map(|epoch| epoch.to_string())
            .unwrap_or_default();
        let own = match self.own.get(&asked) {
            Some(own) => epoch_end(&Fields::of(own)?)?,
            None => DivergingEpoch {
                epoch: None,
                end_offset: None,
            },
        };
        let truncate = decide(answer, own, self.leo, self.fetch_offset);
        let mut told = Map::new();
        told.insert("truncate_to".into(), json!(truncate.to.0));
        told.insert("completed".into(), json!(truncate.completed));
        Ok(told)
    }
}
