//! Kind `elr_config`: min.insync.replicas above the topic while ELR is switched on.

use highwater_core::kafka::controller::min_isr_levels::{ConfigLevel, MinIsrLevels};
use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::BrokerId;
use serde_json::{Map, Value, json};

use crate::case::Fields;
use crate::{Answer, Machine};

struct Runner(MinIsrLevels);

/// The values before ELR is switched on.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&[
        "controller_static_min_isr",
        "cluster_min_isr",
        "broker_min_isr",
    ])?;
    let mut levels = MinIsrLevels {
        controller_static: given.maybe_small("controller_static_min_isr")?,
        cluster: given.maybe_small("cluster_min_isr")?,
        ..MinIsrLevels::default()
    };
    let brokers = given.object("broker_min_isr")?;
    for (id, _) in brokers.iter() {
        let broker = id.parse().map_err(|_| format!("no broker id: {id}"))?;
        levels.brokers.insert(BrokerId(broker), brokers.small(id)?);
    }
    Ok(Box::new(Runner(levels)))
}

impl Machine for Runner {
    fn apply(&mut self, op: &Fields) -> Answer {
        let mut told = Map::new();
        match op.op() {
            "enable_elr" => {
                op.only(&["op"])?;
                self.0.enable_elr();
            }
            "alter" => {
                op.only(&["op", "level", "broker", "value"])?;
                let level = match op.text("level")? {
                    "cluster" => ConfigLevel::Cluster,
                    "broker" => ConfigLevel::Broker(BrokerId(op.small("broker")?)),
                    other => return Err(format!("no such level: {other}")),
                };
                let result = self.0.alter(level, op.maybe_small("value")?);
                let error = result.err().map_or("NONE", KafkaError::name);
                told.insert("error".into(), json!(error));
            }
            other => return Err(format!("no such operation: {other}")),
        }
        told.insert("cluster_min_isr".into(), json!(self.0.cluster));
        let brokers = self.0.brokers.iter();
        let brokers = brokers.map(|(id, value)| (id.to_string(), json!(value)));
        told.insert("broker_min_isr".into(), Value::Object(brokers.collect()));
        Ok(told)
    }
}
