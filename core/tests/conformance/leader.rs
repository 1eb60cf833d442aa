//! Kind `leader`: one broker with its log, its role, and what it knows of the cluster.

mod requests;
mod tell;

use std::collections::BTreeMap;

use highwater_core::kafka::broker::Broker;
use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::context::Context;
use highwater_core::kafka::epoch_cache::EpochCache;
use highwater_core::kafka::ids::{
    BrokerEpoch, BrokerId, LeaderEpoch, MessageId, MetadataOffset, Millis, Offset, PartitionEpoch,
};
use highwater_core::kafka::log::{Appended, Log};
use highwater_core::kafka::message::{
    AlterPartitionRequest, AlterPartitionResponse, Body, BrokerImage, MetadataImage,
};
use highwater_core::kafka::metrics::IsrMetrics;
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::settings::Settings;
use highwater_core::kafka::sink::Timer;
use serde_json::{Map, Value, json};

use crate::case::Fields;
use crate::delayed_produce;
use crate::outbox::Outbox;
use crate::partition;
use crate::properties;
use crate::{Answer, Machine};

/// The broker and what the case did so far.
pub struct Runner {
    settings: Settings,
    now: Millis,
    broker: Broker,
    outbox: Outbox,
    metrics: IsrMetrics,
    /// The number of the next record.
    next_record: u64,
    /// Named requests that are parked.
    parked: BTreeMap<MessageId, String>,
    /// The AlterPartition requests so far.
    proposals: BTreeMap<MessageId, AlterPartitionRequest>,
}

/// A broker's epoch unless the case says otherwise.
fn usual_epoch(broker: BrokerId) -> BrokerEpoch {
    BrokerEpoch(u64::from(broker.0) + 1_000)
}

fn image(broker: BrokerId) -> BrokerImage {
    BrokerImage {
        id: broker,
        epoch: usual_epoch(broker),
        fenced: false,
        in_controlled_shutdown: false,
    }
}

/// A broker with `log` (single-record batches, written as [epoch, count]) on its disk, which has no role yet.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["local", "t0", "config", "log", "checkpoint_hw"])?;
    let config = given.object("config")?;
    config.only(&["replica_lag_time_max_ms", "min_insync_replicas"])?;
    let local = BrokerId(match given.get("local") {
        Some(_) => given.small("local")?,
        None => 101,
    });
    let mut broker = Broker::new(local, usual_epoch(local));
    let mut batches: Vec<Batch> = Vec::new();
    for (epoch, count) in given.pairs("log")? {
        let epoch = u32::try_from(epoch).map_err(|_| "an epoch is too large".to_string())?;
        for _ in 0..count {
            let base = batches.last().map_or(Offset(0), Batch::end);
            batches.push(Batch {
                base,
                count: 1,
                epoch: LeaderEpoch(epoch),
                producer: None,
                payload: Payload::Records { first: base.0 + 1 },
            });
        }
    }
    let next_record = batches.len() as u64 + 1;
    let epochs = EpochCache::from_entries(batches.iter().map(|b| (b.epoch, b.base)));
    let checkpointed = Offset(given.number_or("checkpoint_hw", 0)?);
    broker.log = Log::load(batches, epochs, checkpointed);
    broker.metadata = MetadataImage {
        offset: MetadataOffset(1),
        brokers: vec![image(local)],
        min_insync_replicas: config.small("min_insync_replicas")?,
        ..MetadataImage::default()
    };
    Ok(Box::new(Runner {
        settings: Settings {
            replica_lag_time_max: Millis(config.number("replica_lag_time_max_ms")?),
            ..Settings::default()
        },
        now: Millis(given.number("t0")?),
        broker,
        outbox: Outbox::default(),
        metrics: IsrMetrics::default(),
        next_record,
        parked: BTreeMap::new(),
        proposals: BTreeMap::new(),
    }))
}

impl Machine for Runner {
    fn cluster(&self) -> Option<Cluster> {
        let partition = self.broker.metadata.partition.clone();
        Some(properties::cluster(
            &self.settings,
            partition,
            vec![self.broker.clone()],
        ))
    }

    fn apply(&mut self, op: &Fields) -> Answer {
        self.outbox.clear();
        let mut told = Map::new();
        match op.op() {
            "append" => self.append(op, &mut told)?,
            "fetch" => self.follower_fetch(op, &mut told)?,
            "consume" => self.consume(op, &mut told)?,
            "list_offset" => self.list_offset(op, &mut told)?,
            "end_offset_for_epoch" => self.end_offset_for_epoch(op, &mut told)?,
            "make_leader" | "make_follower" => self.apply_metadata(op, &mut told)?,
            "append_raw" => self.append_raw(op)?,
            "alter_ok" | "alter_fail" => self.answer_proposal(op)?,
            "broker" => self.change_broker(op)?,
            "sleep" => self.sleep(op)?,
            "shrink" => {
                op.only(&["op"])?;
                self.act(|broker, context, sink| broker.maybe_shrink_isr(context, sink));
            }
            "delete_records" | "set_hw" | "truncate_fully" => self.on_log(op, &mut told)?,
            other => return Err(format!("no such operation: {other}")),
        }
        for (id, message) in &self.outbox.messages {
            if let Body::AlterPartitionRequest(request) = &message.body {
                self.proposals.insert(*id, request.clone());
            }
        }
        for event in &self.outbox.events {
            self.metrics.note(event);
        }
        told.insert("completed".into(), self.completed().into());
        self.tell(&mut told);
        Ok(told)
    }
}

impl Runner {
    /// Runs a transition of the broker.
    fn act<R>(&mut self, act: impl FnOnce(&mut Broker, &Context<'_>, &mut Outbox) -> R) -> R {
        let context = Context {
            settings: &self.settings,
            now: self.now,
        };
        act(&mut self.broker, &context, &mut self.outbox)
    }

    /// Makes sure that the metadata has the broker.
    fn known(&mut self, broker: BrokerId) -> &mut BrokerImage {
        let brokers = &mut self.broker.metadata.brokers;
        let place = match brokers.iter().position(|b| b.id == broker) {
            Some(place) => place,
            None => {
                brokers.push(image(broker));
                brokers.len() - 1
            }
        };
        &mut brokers[place]
    }

    fn apply_metadata(&mut self, op: &Fields, told: &mut Map<String, Value>) -> Result<(), String> {
        op.only(&[
            "op",
            "leader",
            "leader_epoch",
            "partition_epoch",
            "replicas",
            "isr",
        ])?;
        let leads = op.op() == "make_leader";
        let leader = if leads {
            Some(self.broker.id)
        } else {
            op.maybe_small("leader")?.map(BrokerId)
        };
        let state = PartitionState {
            replicas: partition::brokers(op, "replicas")?,
            isr: partition::broker_set(op, "isr")?,
            leader,
            leader_epoch: LeaderEpoch(op.small("leader_epoch")?),
            partition_epoch: PartitionEpoch(op.small("partition_epoch")?),
            ..PartitionState::default()
        };
        for &replica in state.replicas.iter().chain(&leader) {
            self.known(replica);
        }
        let (key, new) = self.act(|broker, context, sink| {
            if leads {
                ("new_leader", broker.make_leader(context, &state, sink))
            } else {
                (
                    "new_leader_epoch",
                    broker.make_follower(context, &state, sink),
                )
            }
        });
        told.insert(key.into(), json!(new));
        Ok(())
    }

    /// Batches that are put straight into the log.
    fn append_raw(&mut self, op: &Fields) -> Result<(), String> {
        op.only(&["op", "n", "epoch"])?;
        let epoch = LeaderEpoch(op.small("epoch")?);
        for _ in 0..op.number("n")? {
            let first = self.next_record;
            self.next_record += 1;
            let payload = Payload::Records { first };
            match self.broker.log.append_leader(1, epoch, None, payload) {
                Ok(Appended::Batch(_)) => {}
                other => return Err(format!("not appended: {other:?}")),
            }
        }
        Ok(())
    }

    /// The controller answers the AlterPartition that is outstanding.
    fn answer_proposal(&mut self, op: &Fields) -> Result<(), String> {
        op.only(&["op", "partition_epoch", "error"])?;
        let outstanding = self.broker.alter_partition_in_flight;
        let id = outstanding.ok_or("no AlterPartition is outstanding")?;
        let request = self.proposals.get(&id).ok_or("it was never sent")?;
        let error = match op.op() {
            "alter_fail" => delayed_produce::error(op.text("error")?)?,
            _ => None,
        };
        let partition_epoch = match error {
            None => PartitionEpoch(op.small("partition_epoch")?),
            Some(_) => request.partition_epoch,
        };
        let response = AlterPartitionResponse {
            error,
            leader: Some(request.broker),
            leader_epoch: request.leader_epoch,
            partition_epoch,
            isr: request.isr.iter().map(|(member, _)| *member).collect(),
            recovery: request.recovery,
        };
        self.act(|broker, context, sink| {
            broker.alter_partition_answered(context, id, Some(&response), sink)
        });
        Ok(())
    }

    /// The leader's metadata of a broker changes; the partition's does not.
    fn change_broker(&mut self, op: &Fields) -> Result<(), String> {
        op.only(&["op", "id", "fenced", "shutting_down", "alive_epoch"])?;
        let id = BrokerId(op.small("id")?);
        self.known(id);
        let mut image = self.broker.metadata.clone();
        image.offset = MetadataOffset(image.offset.0 + 1);
        for broker in image.brokers.iter_mut().filter(|b| b.id == id) {
            broker.fenced = op.flag_or("fenced", broker.fenced)?;
            broker.in_controlled_shutdown =
                op.flag_or("shutting_down", broker.in_controlled_shutdown)?;
            broker.epoch = BrokerEpoch(op.number_or("alive_epoch", broker.epoch.0)?);
        }
        self.act(|broker, context, sink| broker.apply_metadata(context, &image, sink));
        Ok(())
    }

    /// Time passes; what was parked may run out of it. The ISR check is an operation of its own.
    fn sleep(&mut self, op: &Fields) -> Result<(), String> {
        op.only(&["op", "ms"])?;
        let until = self.now.plus(Millis(op.number("ms")?));
        while let Some((at, timer)) = self.outbox.due(until) {
            self.now = at.max(self.now);
            self.act(|broker, context, sink| match timer {
                Timer::ProduceExpires { request, .. } => {
                    broker.produce_expires(request, context, sink)
                }
                Timer::FetchExpires { request, .. } => broker.fetch_expires(request, context, sink),
                Timer::AlterPartition { .. } => broker.retry_alter_partition(sink),
                _ => {}
            });
        }
        self.now = until;
        Ok(())
    }

    /// Operations of the log itself, without what the partition does about them.
    fn on_log(&mut self, op: &Fields, told: &mut Map<String, Value>) -> Result<(), String> {
        op.only(&["op", "offset"])?;
        let offset = Offset(op.number("offset")?);
        let log = &mut self.broker.log;
        let result = match op.op() {
            "delete_records" => log.delete_records(offset),
            "set_hw" => {
                log.set_hw(offset);
                Ok(())
            }
            _ => {
                log.truncate_fully(offset);
                Ok(())
            }
        };
        told.insert("result".into(), json!(delayed_produce::name(result.err())));
        Ok(())
    }
}
