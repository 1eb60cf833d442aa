//! Kind `controller`: the controller with its brokers and one partition.

use highwater_core::kafka::cause::Cause;
use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::controller::{Controller, ControllerStart};
use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{
    BrokerEpoch, BrokerId, EventId, LeaderEpoch, MessageId, Millis, PartitionEpoch,
};
use highwater_core::kafka::message::{
    AlterPartitionRequest, Body, HeartbeatRequest, Message, RegistrationRequest,
};
use highwater_core::kafka::settings::Settings;
use highwater_core::kafka::sink::{Sink, Timer};
use highwater_core::kafka::topic::{ConfigChange, ElectionKind};
use serde_json::{Value, json};

use crate::case::Fields;
use crate::partition;
use crate::properties;
use crate::{Answer, Machine};

/// Keeps the messages; that is all the runner reads.
#[derive(Default)]
pub struct Outbox(pub Vec<Message>);

impl Sink for Outbox {
    fn event(&mut self, _: impl FnOnce() -> (EventKind, Cause)) -> Option<EventId> {
        None
    }

    fn send(&mut self, message: Message) -> MessageId {
        self.0.push(message);
        MessageId(0)
    }

    fn timer(&mut self, _: Millis, _: Timer) {}
}

struct Runner {
    settings: Settings,
    controller: Controller,
    outbox: Outbox,
}

const NOW: Millis = Millis(1_000);

/// A controller whose brokers are registered and active, with epochs id + 100.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&[
        "brokers",
        "fenced",
        "in_controlled_shutdown",
        "replicas",
        "partition",
        "min_insync_replicas",
        "elr_enabled",
        "unclean_leader_election_enable",
    ])?;
    let record = match given.get("partition") {
        None => None,
        Some(_) => Some(partition::read(&given.object("partition")?)?),
    };
    let settings = Settings {
        brokers: partition::brokers(given, "brokers")?,
        replicas: match &record {
            Some(record) => record.replicas.clone(),
            None => partition::brokers(given, "replicas")?,
        },
        min_insync_replicas: given.small("min_insync_replicas")?,
        elr: given.flag_or("elr_enabled", false)?,
        unclean_leader_election: given.flag_or("unclean_leader_election_enable", false)?,
        ..Settings::default()
    };
    let start = record.map(|partition| ControllerStart {
        partition,
        ..ControllerStart::default()
    });
    let mut controller = Controller::new(&settings, start.as_ref());
    let fenced = partition::broker_set(given, "fenced")?;
    let shutting_down = partition::broker_set(given, "in_controlled_shutdown")?;
    for (id, registration) in &mut controller.brokers {
        registration.epoch = BrokerEpoch(u64::from(id.0) + 100);
        registration.fenced = fenced.contains(*id);
        registration.in_controlled_shutdown = shutting_down.contains(*id);
    }
    if start.is_none() {
        controller.create_partition(&settings.replicas);
    }
    Ok(Box::new(Runner {
        settings,
        controller,
        outbox: Outbox::default(),
    }))
}

impl Machine for Runner {
    fn cluster(&self) -> Option<Cluster> {
        Some(properties::of_controller(&self.settings, &self.controller))
    }

    fn apply(&mut self, op: &Fields) -> Answer {
        let before = self.controller.partition.partition_epoch;
        let error = match op.op() {
            "elect" => Some(self.elect(op)?),
            "alter_partition" => Some(self.alter_partition(op)?),
            "set_config" => Some(self.set_config(op)?),
            _ => {
                self.act(op)?;
                None
            }
        };
        let controller = &self.controller;
        let mut told = partition::tell(&controller.partition);
        told.insert(
            "effective_min_isr".into(),
            json!(controller.effective_min_isr()),
        );
        let changed = controller.partition.partition_epoch != before;
        told.insert("changed".into(), json!(changed));
        if let Some(error) = error {
            let name = error.map_or("NONE", KafkaError::name);
            told.insert("error".into(), json!(name));
        }
        Ok(told)
    }
}

/// The members of an operation's `brokers`, or its one `broker`.
fn named(op: &Fields) -> Result<Vec<BrokerId>, String> {
    op.only(&["op", "broker", "brokers", "clean"])?;
    match op.get("broker") {
        Some(_) => Ok(vec![BrokerId(op.small("broker")?)]),
        None => partition::brokers(op, "brokers"),
    }
}

impl Runner {
    fn act(&mut self, op: &Fields) -> Result<(), String> {
        let (settings, sink) = (&self.settings, &mut self.outbox);
        let (rules, controller) = (&settings.rules, &mut self.controller);
        match op.op() {
            "noop" => {}
            "mark_broker" => return self.mark_broker(op),
            "unfence" => {
                for broker in named(op)? {
                    self.unfence(broker)?;
                }
            }
            "reregister" => {
                for broker in named(op)? {
                    self.reregister(broker, op.flag_or("clean", false)?)?;
                }
            }
            "fence" => {
                for broker in named(op)? {
                    controller
                        .fence(rules, settings, NOW, broker, sink)
                        .map_err(|e| e.to_string())?;
                }
            }
            "controlled_shutdown" => {
                for broker in named(op)? {
                    controller.begin_controlled_shutdown(rules, settings, NOW, broker, sink);
                }
            }
            "clean_shutdown" | "unclean_shutdown" => {
                let clean = op.op() == "clean_shutdown";
                for broker in named(op)? {
                    controller.detect_shutdown(rules, settings, NOW, broker, clean, sink);
                }
            }
            "periodic_unclean" => controller.periodic_unclean(rules, settings, NOW, sink),
            "periodic_preferred" => controller.periodic_preferred(rules, settings, NOW, sink),
            other => return Err(format!("no such operation: {other}")),
        }
        Ok(())
    }

    /// A broker's request, and the controller's answer to it.
    fn ask(&mut self, from: BrokerId, body: Body) -> Result<Body, String> {
        self.outbox.0.clear();
        self.controller.handle(
            &self.settings.rules,
            &self.settings,
            NOW,
            MessageId(0),
            from,
            &body,
            &mut self.outbox,
        );
        let answer = self.outbox.0.iter().find(|m| m.reply_to.is_some());
        answer
            .map(|m| m.body.clone())
            .ok_or_else(|| "the controller did not answer".to_string())
    }

    fn epoch(&self, broker: BrokerId) -> Result<BrokerEpoch, String> {
        let registration = self.controller.brokers.get(&broker);
        registration
            .map(|r| r.epoch)
            .ok_or_else(|| format!("{broker} is not registered"))
    }

    fn unfence(&mut self, broker: BrokerId) -> Result<(), String> {
        self.controller.unfence(broker).map_err(|e| e.to_string())?;
        let heartbeat = HeartbeatRequest {
            broker,
            broker_epoch: self.epoch(broker)?,
            metadata_offset: self.controller.offset,
            want_fence: false,
            want_shut_down: false,
        };
        match self.ask(broker, Body::HeartbeatRequest(heartbeat))? {
            Body::HeartbeatResponse(answer) if !answer.is_fenced => Ok(()),
            other => Err(format!("{broker} is not unfenced: {other:?}")),
        }
    }

    fn reregister(&mut self, broker: BrokerId, clean: bool) -> Result<(), String> {
        let registration = &self.controller.brokers[&broker];
        let request = RegistrationRequest {
            broker,
            incarnation: registration.incarnation + 1,
            previous_broker_epoch: clean.then_some(registration.epoch),
        };
        match self.ask(broker, Body::RegistrationRequest(request))? {
            Body::RegistrationResponse(answer) if answer.result.is_ok() => Ok(()),
            other => Err(format!("{broker} is not registered: {other:?}")),
        }
    }

    fn mark_broker(&mut self, op: &Fields) -> Result<(), String> {
        op.only(&["op", "broker", "fenced", "shutdown", "epoch"])?;
        let broker = BrokerId(op.small("broker")?);
        let registration = self
            .controller
            .brokers
            .get_mut(&broker)
            .ok_or_else(|| format!("{broker} is not registered"))?;
        registration.fenced = op.flag_or("fenced", registration.fenced)?;
        registration.in_controlled_shutdown =
            op.flag_or("shutdown", registration.in_controlled_shutdown)?;
        registration.epoch = BrokerEpoch(op.number_or("epoch", registration.epoch.0)?);
        Ok(())
    }

    fn alter_partition(&mut self, op: &Fields) -> Result<Option<KafkaError>, String> {
        op.only(&[
            "op",
            "broker",
            "isr",
            "leader_epoch",
            "partition_epoch",
            "broker_epoch",
            "isr_epochs",
            "recovery",
        ])?;
        let broker = BrokerId(op.small("broker")?);
        let partition = &self.controller.partition;
        let leader_epoch = op.maybe_small("leader_epoch")?.map(LeaderEpoch);
        let partition_epoch = op.maybe_small("partition_epoch")?.map(PartitionEpoch);
        let epochs = match op.get("isr_epochs") {
            None => Fields::default(),
            Some(_) => op.object("isr_epochs")?,
        };
        let mut isr = Vec::new();
        for member in partition::brokers(op, "isr")? {
            let current = self.epoch(member)?.0;
            let epoch = epochs.number_or(&member.to_string(), current)?;
            isr.push((member, Some(BrokerEpoch(epoch))));
        }
        let own = self.epoch(broker)?.0;
        let request = AlterPartitionRequest {
            broker,
            broker_epoch: BrokerEpoch(op.number_or("broker_epoch", own)?),
            leader_epoch: leader_epoch.unwrap_or(partition.leader_epoch),
            partition_epoch: partition_epoch.unwrap_or(partition.partition_epoch),
            isr,
            recovery: partition::recovery(op)?,
        };
        match self.ask(broker, Body::AlterPartitionRequest(request))? {
            Body::AlterPartitionResponse(answer) => Ok(answer.error),
            other => Err(format!("not an answer: {other:?}")),
        }
    }

    fn elect(&mut self, op: &Fields) -> Result<Option<KafkaError>, String> {
        op.only(&["op", "type"])?;
        let kind = match op.text("type")? {
            "PREFERRED" => ElectionKind::Preferred,
            "UNCLEAN" => ElectionKind::Unclean,
            other => return Err(format!("no such election: {other}")),
        };
        let (settings, sink) = (&self.settings, &mut self.outbox);
        let result = self
            .controller
            .elect(&settings.rules, settings, NOW, kind, sink);
        Ok(result.err())
    }

    fn set_config(&mut self, op: &Fields) -> Result<Option<KafkaError>, String> {
        op.only(&[
            "op",
            "min_insync_replicas",
            "unclean_leader_election_enable",
        ])?;
        let unclean = "unclean_leader_election_enable";
        let change = match op.get(unclean).and_then(Value::as_bool) {
            Some(value) => ConfigChange::UncleanLeaderElection(value),
            None => ConfigChange::MinInsyncReplicas(op.small("min_insync_replicas")?),
        };
        let (settings, sink) = (&self.settings, &mut self.outbox);
        let result = self
            .controller
            .set_config(&settings.rules, settings, NOW, change, sink);
        Ok(result.err())
    }
}
