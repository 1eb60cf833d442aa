//! Messages in words: what one says, and what becomes of it.

use highwater_core::kafka::event::{EventKind, Loss, Stale};
use highwater_core::kafka::ids::{BrokerSet, MessageId, Offset};
use highwater_core::kafka::message::{
    AlterPartitionResponse, Body, FetchResponse, HeartbeatResponse, MetadataImage, Node,
    ProduceResponse,
};
use highwater_core::kafka::record::{Batch, Payload};

use super::Narrator;
use crate::say;
use crate::text::{Arg, Key};

impl Narrator<'_> {
    /// A message event.
    pub(super) fn message_event(&self, kind: &EventKind) -> String {
        let text = self.text;
        match kind {
            EventKind::MessageSent { message } => {
                let (from, to, what) = self.ends(*message);
                say!(text, MessageSent, from = from, to = to, what = what)
            }
            EventKind::MessageArrived { message } => {
                let (from, to, what) = self.ends(*message);
                say!(text, MessageArrived, from = from, to = to, what = what)
            }
            EventKind::MessageHeld { message } => {
                let (from, to, what) = self.ends(*message);
                say!(text, MessageHeld, from = from, to = to, what = what)
            }
            EventKind::MessageLost { message, why } => self.lost(*message, *why),
            EventKind::MessageIgnored { message, by, why } => self.ignored(*message, *by, *why),
            _ => String::new(),
        }
    }

    fn lost(&self, message: MessageId, why: Loss) -> String {
        let text = self.text;
        let (from, to, what) = self.ends(message);
        match why {
            Loss::Dropped => say!(text, MessageDropped, from = from, to = to, what = what),
            Loss::LinkCut => say!(text, MessageLinkCut, from = from, to = to, what = what),
            Loss::ReceiverDown => {
                say!(text, MessageReceiverDown, from = from, to = to, what = what)
            }
            Loss::ConnectionClosed => say!(
                text,
                MessageConnectionClosed,
                from = from,
                to = to,
                what = what
            ),
        }
    }

    fn ignored(&self, message: Option<MessageId>, by: Node, why: Stale) -> String {
        let text = self.text;
        let what = match message.and_then(|id| self.body(id)) {
            Some(body) => self.say_body(body),
            None => say!(text, BodySomething),
        };
        match why {
            Stale::LeaderEpoch => say!(text, IgnoredLeaderEpoch, by = by, what = what),
            Stale::FetchOffset => say!(text, IgnoredFetchOffset, by = by, what = what),
            Stale::PartitionState => say!(text, IgnoredPartitionState, by = by, what = what),
            Stale::Metadata => say!(text, IgnoredMetadata, by = by, what = what),
            Stale::Incarnation => say!(text, IgnoredIncarnation, by = by, what = what),
            Stale::Attempt => say!(text, IgnoredAttempt, by = by, what = what),
        }
    }

    /// Sender, receiver and content of a message.
    fn ends(&self, id: MessageId) -> (Arg<'static>, Arg<'static>, String) {
        match self.message(id) {
            Some(message) => (
                Arg::Node(message.from),
                Arg::Node(message.to),
                self.say_body(&message.body),
            ),
            None => {
                let unknown = Arg::Said(Key::ValueUnknown);
                (unknown, unknown, say!(self.text, BodySomething))
            }
        }
    }

    /// What a message says, in a few words that fit into a sentence.
    pub fn say_body(&self, body: &Body) -> String {
        let text = self.text;
        match body {
            Body::ProduceRequest(request) => {
                say!(
                    text,
                    BodyProduce,
                    records = self.records(request.send),
                    acks = request.acks
                )
            }
            Body::ProduceResponse(response) => self.produce_response(response),
            Body::FetchRequest(request) => say!(text, BodyFetch, offset = request.fetch_offset),
            Body::FetchResponse(response) => self.fetch_response(response),
            Body::OffsetsForLeaderEpochRequest(request) => {
                say!(text, BodyEpochRequest, epoch = request.epoch)
            }
            Body::OffsetsForLeaderEpochResponse(response) => {
                match (
                    response.error,
                    response.answer.epoch,
                    response.answer.end_offset,
                ) {
                    (Some(error), _, _) => say!(text, BodyFetchError, error = error),
                    (None, Some(epoch), Some(end)) => {
                        say!(text, BodyEpochAnswer, epoch = epoch, end = end)
                    }
                    _ => say!(text, BodyEpochUnknown),
                }
            }
            Body::ListOffsetsRequest(_) => say!(text, BodyListRequest),
            Body::ListOffsetsResponse(response) => match response.error {
                Some(error) => say!(text, BodyFetchError, error = error),
                None => say!(
                    text,
                    BodyListAnswer,
                    earliest = response.earliest,
                    latest = response.latest
                ),
            },
            Body::AlterPartitionRequest(request) => {
                let isr: BrokerSet = request.isr.iter().map(|(broker, _)| *broker).collect();
                say!(text, BodyAlterRequest, isr = &isr)
            }
            Body::AlterPartitionResponse(response) => self.alter_response(response),
            Body::RegistrationRequest(_) => say!(text, BodyRegister),
            Body::RegistrationResponse(response) => match response.result {
                Ok(_) => say!(text, BodyRegisterAnswer),
                Err(error) => say!(text, BodyRegisterError, error = error),
            },
            Body::HeartbeatRequest(request) if request.want_shut_down => {
                say!(text, BodyHeartbeatShutDown)
            }
            Body::HeartbeatRequest(_) => say!(text, BodyHeartbeat),
            Body::HeartbeatResponse(response) => self.heartbeat_response(response),
            Body::Metadata(image) => self.metadata(image),
            Body::Disconnected => say!(text, BodyDisconnected),
        }
    }

    fn produce_response(&self, response: &ProduceResponse) -> String {
        let records = self.records(response.send);
        match response.result {
            Ok(_) => say!(self.text, BodyProduceOk, records = records),
            Err(error) => say!(
                self.text,
                BodyProduceError,
                error = error,
                records = records
            ),
        }
    }

    fn fetch_response(&self, response: &FetchResponse) -> String {
        let (text, hw) = (self.text, response.high_watermark);
        if let Some(error) = response.error {
            return say!(text, BodyFetchError, error = error);
        }
        if response.diverging.is_some() {
            return say!(text, BodyFetchDiverging);
        }
        match span(&response.batches) {
            Some(offsets) => say!(text, BodyFetchData, offsets = offsets, hw = hw),
            None => say!(text, BodyFetchEmpty, hw = hw),
        }
    }

    fn alter_response(&self, response: &AlterPartitionResponse) -> String {
        match response.error {
            Some(error) => say!(self.text, BodyAlterError, error = error),
            None => say!(self.text, BodyAlterAnswer, isr = &response.isr),
        }
    }

    fn heartbeat_response(&self, response: &HeartbeatResponse) -> String {
        let text = self.text;
        match response.error {
            Some(error) => say!(text, BodyRegisterError, error = error),
            None if response.should_shut_down => say!(text, BodyHeartbeatStop),
            None if response.is_fenced => say!(text, BodyHeartbeatFenced),
            None => say!(text, BodyHeartbeatAnswer),
        }
    }

    fn metadata(&self, image: &MetadataImage) -> String {
        let (text, partition) = (self.text, &image.partition);
        match partition.leader {
            Some(leader) => say!(
                text,
                BodyMetadata,
                leader = leader,
                epoch = partition.leader_epoch,
                isr = &partition.isr,
            ),
            None => say!(
                text,
                BodyMetadataNoLeader,
                epoch = partition.leader_epoch,
                isr = &partition.isr,
            ),
        }
    }

    /// The records of a batch in words.
    pub(super) fn payload(&self, batch: &Batch) -> Arg<'static> {
        match batch.payload {
            Payload::Records { first } => Arg::Records {
                first,
                count: batch.count,
            },
            Payload::Marker { commit: true } => Arg::Said(Key::MarkerCommit),
            Payload::Marker { commit: false } => Arg::Said(Key::MarkerAbort),
            Payload::Before => Arg::SomeRecords(batch.count),
        }
    }
}

/// The offsets that batches cover; none when there are no batches.
fn span(batches: &[Batch]) -> Option<Arg<'static>> {
    let from: Offset = batches.first()?.base;
    let end = batches.last()?.end();
    Some(Arg::Offsets { from, end })
}
