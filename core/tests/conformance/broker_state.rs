//! Kind `broker_state`: what a heartbeat would lead to, without applying it.

use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::controller::Controller;
use highwater_core::kafka::ids::{BrokerId, MetadataOffset, Millis};
use highwater_core::kafka::message::HeartbeatRequest;
use highwater_core::kafka::settings::Settings;
use serde_json::{Map, json};

use crate::case::Fields;
use crate::controller::Outbox;
use crate::properties;
use crate::{Answer, Machine};

struct Runner {
    settings: Settings,
    controller: Controller,
}

/// Brokers in the given states.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["brokers"])?;
    let mut states = Vec::new();
    for (id, state) in given.object("brokers")?.iter() {
        let id = id.parse().map_err(|_| format!("no broker id: {id}"))?;
        states.push((BrokerId(id), Fields::of(state)?));
    }
    let settings = Settings {
        brokers: states.iter().map(|(id, _)| *id).collect(),
        ..Settings::default()
    };
    let mut controller = Controller::new(&settings, None);
    // Only the brokers of the case are there.
    controller
        .brokers
        .retain(|id, _| states.iter().any(|(listed, _)| listed == id));
    for (id, state) in &states {
        state.only(&["state", "metadata_offset", "controlled_shutdown_offset"])?;
        let registration = controller
            .brokers
            .get_mut(id)
            .ok_or_else(|| format!("{id} is not registered"))?;
        registration.metadata_offset = MetadataOffset(state.number("metadata_offset")?);
        let name = state.text("state")?;
        registration.fenced = name == "FENCED";
        registration.in_controlled_shutdown = name == "CONTROLLED_SHUTDOWN";
        registration.controlled_shutdown_offset = state
            .maybe_number("controlled_shutdown_offset")?
            .map(MetadataOffset);
        let is = controller.broker_state(*id).map(|s| s.name());
        if is != Some(name) {
            return Err(format!("{id} is {is:?}, not {name}"));
        }
    }
    Ok(Box::new(Runner {
        settings,
        controller,
    }))
}

impl Machine for Runner {
    fn cluster(&self) -> Option<Cluster> {
        Some(properties::of_controller(&self.settings, &self.controller))
    }

    fn apply(&mut self, op: &Fields) -> Answer {
        let broker = BrokerId(op.small("broker")?);
        let mut told = Map::new();
        match op.op() {
            "fence" => {
                let (settings, sink) = (&self.settings, &mut Outbox::default());
                self.controller
                    .fence(&settings.rules, settings, Millis(0), broker, sink)
                    .map_err(|e| e.to_string())?;
            }
            "heartbeat" => {
                op.only(&[
                    "op",
                    "broker",
                    "register_offset",
                    "has_leaderships",
                    "want_fence",
                    "want_shut_down",
                    "metadata_offset",
                ])?;
                let registered_at = MetadataOffset(op.number("register_offset")?);
                if let Some(registration) = self.controller.brokers.get_mut(&broker) {
                    registration.registered_at = registered_at;
                }
                let request = HeartbeatRequest {
                    broker,
                    broker_epoch: Default::default(),
                    metadata_offset: MetadataOffset(op.number_or("metadata_offset", 0)?),
                    want_fence: op.flag_or("want_fence", false)?,
                    want_shut_down: op.flag_or("want_shut_down", false)?,
                };
                let leads = op.flag_or("has_leaderships", false)?;
                let current = self.controller.broker_state(broker);
                let next = self.controller.next_broker_state(&request, leads);
                told.insert("current".into(), json!(current.map(|s| s.name())));
                told.insert("next".into(), json!(next.map(|s| s.name())));
            }
            other => return Err(format!("no such operation: {other}")),
        }
        let lowest = self.controller.lowest_active_offset();
        told.insert("lowest_active_offset".into(), json!(lowest.map(|o| o.0)));
        Ok(told)
    }
}
