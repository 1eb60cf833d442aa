//! Kind `read_replica`: which replica a consumer is told to read from.

use highwater_core::kafka::ids::{BrokerId, Millis, Offset};
use highwater_core::kafka::read_replica::{ReplicaView, rack_aware};
use serde_json::{Map, Value, json};

use crate::case::Fields;
use crate::{Answer, Machine};

struct Runner {
    leader: BrokerId,
    replicas: Vec<ReplicaView>,
}

/// What the leader offers the selector.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["leader", "replicas"])?;
    let Some(Value::Array(list)) = given.get("replicas") else {
        return Err("replicas is not a list".to_string());
    };
    let view = |value: &Value| {
        let fields = Fields::of(value)?;
        fields.only(&["id", "rack", "leo", "ms_since_caught_up"])?;
        Ok(ReplicaView {
            id: BrokerId(fields.small("id")?),
            rack: fields.text("rack").ok().map(str::to_owned),
            leo: Offset(fields.number("leo")?),
            since_caught_up: Millis(fields.number_or("ms_since_caught_up", 0)?),
        })
    };
    Ok(Box::new(Runner {
        leader: BrokerId(given.small("leader")?),
        replicas: list.iter().map(view).collect::<Result<_, String>>()?,
    }))
}

impl Machine for Runner {
    fn apply(&mut self, op: &Fields) -> Answer {
        op.only(&["op", "client_rack"])?;
        if op.op() != "select" {
            return Err(format!("no such operation: {}", op.op()));
        }
        let chosen = rack_aware(self.leader, &self.replicas, op.text("client_rack").ok());
        Ok(Map::from_iter([("replica".to_string(), json!(chosen.0))]))
    }
}
