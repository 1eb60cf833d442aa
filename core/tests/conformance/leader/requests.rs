//! Requests of producers, followers and clients to the broker.

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{
    BrokerEpoch, BrokerId, LeaderEpoch, MessageId, Millis, Offset, SendId,
};
use highwater_core::kafka::message::{
    Body, FetchRequest, FetchResponse, ListOffsetsRequest, Node, ProduceRequest,
};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::settings::{Acks, Isolation};
use serde_json::{Map, Value, json};

use super::Runner;
use crate::case::{Fields, or_minus_one};
use crate::delayed_produce::name;
use crate::log::stamp;

type Told<'a> = &'a mut Map<String, Value>;

fn isolation(op: &Fields) -> Result<Isolation, String> {
    match op.get("isolation") {
        None => Ok(Isolation::ReadUncommitted),
        Some(_) => match op.text("isolation")? {
            "read_uncommitted" => Ok(Isolation::ReadUncommitted),
            "read_committed" => Ok(Isolation::ReadCommitted),
            other => Err(format!("no such isolation: {other}")),
        },
    }
}

/// What a fetch answer says.
fn tell_fetch(response: &FetchResponse) -> Map<String, Value> {
    let records: u64 = response.batches.iter().map(|batch| batch.count).sum();
    let diverging = response.diverging.map(|answer| {
        json!({
            "epoch": or_minus_one(answer.epoch.map(|e| e.0.into())),
            "end_offset": or_minus_one(answer.end_offset.map(|o| o.0)),
        })
    });
    let told = json!({
        "error": name(response.error),
        "result": name(response.error),
        "records": records,
        "diverging": diverging,
        "response_hw": response.high_watermark.0,
        "response_lso": response.last_stable_offset.0,
    });
    told.as_object().cloned().unwrap_or_default()
}

impl Runner {
    pub(super) fn append(&mut self, op: &Fields, told: Told<'_>) -> Result<(), String> {
        op.only(&[
            "op",
            "n",
            "acks",
            "id",
            "timeout_ms",
            "producer",
            "transactional",
            "control",
        ])?;
        let wire = op.get("acks").and_then(Value::as_i64);
        let acks = match Acks::from_wire(wire.ok_or("acks is not a number")?) {
            Ok(acks) => acks,
            Err(error) => {
                told.insert("result".into(), json!(error.name()));
                return Ok(());
            }
        };
        let count = op.number("n")?;
        let payload = match op.get("control").and_then(Value::as_str) {
            Some(kind) => Payload::Marker {
                commit: kind == "commit",
            },
            None => Payload::Records {
                first: self.next_record,
            },
        };
        self.next_record += count;
        let request = self.outbox.number();
        let produce = ProduceRequest {
            send: SendId(request.0),
            attempt: 1,
            acks,
            timeout: Millis(op.number_or("timeout_ms", 30_000)?),
            batch: Batch {
                base: Offset(0),
                count,
                epoch: LeaderEpoch(0),
                producer: stamp(op)?,
                payload,
            },
        };
        self.act(|broker, context, sink| broker.produce(context, request, &produce, sink));
        self.tell_append(told, produce.send);
        self.park(op, request, told);
        Ok(())
    }

    /// What the broker did with a batch, by its events.
    fn tell_append(&self, told: Told<'_>, call: SendId) {
        let mut say = |key: &str, value: Value| told.insert(key.to_string(), value);
        let mut batch = |base: Offset, end: Offset, duplicate: bool| {
            say("base_offset", json!(base.0));
            say("last_offset", json!(end.0.saturating_sub(1)));
            say("duplicate", json!(duplicate));
        };
        for event in &self.outbox.events {
            match event {
                EventKind::Appended {
                    batch: appended,
                    send: Some(send),
                    ..
                } if *send == call => batch(appended.base, appended.end(), false),
                EventKind::DuplicateRecognised {
                    send, base, end, ..
                } if *send == call => batch(*base, *end, true),
                _ => {}
            }
        }
        let result = self.outbox.events.iter().find_map(|event| match event {
            EventKind::AppendRefused { send, error, .. } if *send == call => Some(error.name()),
            EventKind::ProduceCompleted { send, result, .. } if *send == call => {
                Some(name(result.err()))
            }
            _ => None,
        });
        told.insert("result".into(), json!(result.unwrap_or("PENDING")));
    }

    /// Notes a request that has no answer yet.
    fn park(&mut self, op: &Fields, request: MessageId, told: Told<'_>) {
        if told.get("result") == Some(&json!("PENDING")) {
            let id = op.text("id").map(str::to_owned);
            self.parked.extend(id.ok().map(|id| (request, id)));
        }
    }

    pub(super) fn follower_fetch(&mut self, op: &Fields, told: Told<'_>) -> Result<(), String> {
        op.only(&[
            "op",
            "from",
            "offset",
            "broker_epoch",
            "leader_epoch",
            "last_fetched_epoch",
            "log_start",
            "min_bytes",
            "max_wait_ms",
            "id",
        ])?;
        let from = BrokerId(op.small("from")?);
        let usual = super::usual_epoch(from);
        let broker_epoch = match op.get("broker_epoch") {
            None => Some(usual),
            Some(_) => op.maybe_number("broker_epoch")?.map(BrokerEpoch),
        };
        let fetch = FetchRequest {
            replica: Some(from),
            broker_epoch,
            last_fetched_epoch: op.maybe_small("last_fetched_epoch")?.map(LeaderEpoch),
            log_start: Offset(op.number_or("log_start", 0)?),
            client_metadata: false,
            isolation: Isolation::ReadUncommitted,
            ..self.fetch(op)?
        };
        self.send_fetch(op, Node::Broker(from), &fetch, told);
        Ok(())
    }

    pub(super) fn consume(&mut self, op: &Fields, told: Told<'_>) -> Result<(), String> {
        op.only(&[
            "op",
            "offset",
            "isolation",
            "client_metadata",
            "leader_epoch",
            "min_bytes",
            "max_wait_ms",
            "id",
        ])?;
        let fetch = FetchRequest {
            isolation: isolation(op)?,
            client_metadata: op.flag_or("client_metadata", false)?,
            ..self.fetch(op)?
        };
        self.send_fetch(op, Node::Consumer, &fetch, told);
        Ok(())
    }

    /// The fields that followers and consumers share.
    fn fetch(&self, op: &Fields) -> Result<FetchRequest, String> {
        Ok(FetchRequest {
            replica: None,
            broker_epoch: None,
            max_wait: Millis(op.number_or("max_wait_ms", 0)?),
            min_bytes: op.number_or("min_bytes", 1)?,
            max_bytes: self.settings.replica_fetch_max_bytes,
            isolation: Isolation::ReadUncommitted,
            current_leader_epoch: op.maybe_small("leader_epoch")?.map(LeaderEpoch),
            fetch_offset: Offset(op.number("offset")?),
            last_fetched_epoch: None,
            log_start: Offset(0),
            client_metadata: false,
        })
    }

    fn send_fetch(&mut self, op: &Fields, from: Node, fetch: &FetchRequest, told: Told<'_>) {
        let request = self.outbox.number();
        // The answer on the wire has no LEO; the read that it is made from has.
        let leo = self.act(|broker, context, _| broker.read(fetch, context).map(|read| read.leo));
        self.act(|broker, context, sink| broker.fetch(context, request, from, fetch, sink));
        match self.answer(request) {
            Some(Body::FetchResponse(response)) => told.extend(tell_fetch(response)),
            _ => {
                told.insert("result".into(), json!("PENDING"));
            }
        }
        told.remove("error");
        if let Ok(leo) = leo {
            told.insert("response_leo".into(), json!(leo.0));
        }
        self.park(op, request, told);
    }

    /// The answer to a request, if it went out in this step.
    fn answer(&self, request: MessageId) -> Option<&Body> {
        let messages = self.outbox.messages.iter();
        let mut answers = messages.filter(|(_, m)| m.reply_to == Some(request));
        answers.next().map(|(_, message)| &message.body)
    }

    /// Requests that were parked before and are answered in this step, by their names.
    pub(super) fn completed(&mut self) -> Map<String, Value> {
        let mut completed = Map::new();
        for (request, id) in self.parked.clone() {
            let told = match self.answer(request) {
                Some(Body::FetchResponse(response)) => {
                    let mut told = tell_fetch(response);
                    told.remove("result");
                    Value::Object(told)
                }
                Some(Body::ProduceResponse(response)) => json!({
                    "error": name(response.result.err()),
                    "base_offset": or_minus_one(response.result.ok().map(|base| base.0)),
                }),
                _ => continue,
            };
            self.parked.remove(&request);
            completed.insert(id, told);
        }
        completed
    }

    pub(super) fn list_offset(&mut self, op: &Fields, told: Told<'_>) -> Result<(), String> {
        op.only(&["op", "timestamp", "isolation", "leader_epoch"])?;
        let asked = ListOffsetsRequest {
            // A replica asks without an isolation level.
            replica: op.get("isolation").is_none().then_some(BrokerId(0)),
            isolation: isolation(op)?,
            current_leader_epoch: op.maybe_small("leader_epoch")?.map(LeaderEpoch),
        };
        let answer: Result<Offset, KafkaError> = match op.text("timestamp")? {
            "latest" => self.act(|broker, context, _| broker.latest_offset(&asked, context)),
            "earliest" => self.broker.earliest_offset(&asked),
            other => return Err(format!("no such timestamp: {other}")),
        };
        told.insert("result".into(), json!(name(answer.err())));
        told.insert("offset".into(), or_minus_one(answer.ok().map(|o| o.0)));
        Ok(())
    }

    pub(super) fn end_offset_for_epoch(
        &mut self,
        op: &Fields,
        told: Told<'_>,
    ) -> Result<(), String> {
        op.only(&["op", "epoch", "leader_epoch", "only_leader"])?;
        let current = op.maybe_small("leader_epoch")?.map(LeaderEpoch);
        let asked = LeaderEpoch(op.small("epoch")?);
        let only_leader = op.flag_or("only_leader", true)?;
        let answer = self.broker.epoch_end(asked, current, only_leader);
        told.insert("result".into(), json!(name(answer.err())));
        let answer = answer.ok();
        let epoch = answer.and_then(|a| a.epoch).map(|e| e.0.into());
        told.insert("epoch".into(), or_minus_one(epoch));
        let end = answer.and_then(|a| a.end_offset).map(|o| o.0);
        told.insert("end_offset".into(), or_minus_one(end));
        Ok(())
    }
}
