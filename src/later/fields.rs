//! Messages field by field, by the names that Kafka's protocol gives them (`clients/src/main/resources/common/message`). -1
//! stands where Kafka sends it.

use std::fmt::Display;

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::message::{Body, FetchRequest, FetchResponse, Node};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::settings::{Acks, Isolation};

/// A field and its value.
pub type Field = (&'static str, String);

/// A message's name.
pub fn name(body: &Body) -> &'static str {
    match body {
        Body::ProduceRequest(_) => "ProduceRequest",
        Body::ProduceResponse(_) => "ProduceResponse",
        Body::FetchRequest(_) => "FetchRequest",
        Body::FetchResponse(_) => "FetchResponse",
        Body::OffsetsForLeaderEpochRequest(_) => "OffsetForLeaderEpochRequest",
        Body::OffsetsForLeaderEpochResponse(_) => "OffsetForLeaderEpochResponse",
        Body::ListOffsetsRequest(_) => "ListOffsetsRequest",
        Body::ListOffsetsResponse(_) => "ListOffsetsResponse",
        Body::AlterPartitionRequest(_) => "AlterPartitionRequest",
        Body::AlterPartitionResponse(_) => "AlterPartitionResponse",
        Body::RegistrationRequest(_) => "BrokerRegistrationRequest",
        Body::RegistrationResponse(_) => "BrokerRegistrationResponse",
        Body::HeartbeatRequest(_) => "BrokerHeartbeatRequest",
        Body::HeartbeatResponse(_) => "BrokerHeartbeatResponse",
        Body::Metadata(_) => "MetadataImage",
        Body::Disconnected => "disconnected",
    }
}

/// A place, in one word.
pub fn node(node: Node) -> String {
    match node {
        Node::Broker(broker) => format!("broker {broker}"),
        Node::Controller => "controller".to_owned(),
        Node::Producer => "producer".to_owned(),
        Node::Consumer => "consumer".to_owned(),
    }
}

/// -1 for none.
pub fn or_minus_one<T: Display>(value: Option<T>) -> String {
    value.map_or_else(|| "-1".to_owned(), |value| value.to_string())
}

fn error(error: Option<KafkaError>) -> Field {
    let value = match error {
        Some(error) => format!("{} {}", error.code(), error.name()),
        None => "0 NONE".to_owned(),
    };
    ("errorCode", value)
}

fn text(value: impl Display) -> String {
    value.to_string()
}

/// The fields of a message.
pub fn fields(body: &Body) -> Vec<Field> {
    match body {
        Body::ProduceRequest(request) => vec![
            ("acks", acks(request.acks).to_owned()),
            ("timeoutMs", text(request.timeout)),
            ("records", batch(&request.batch)),
        ],
        Body::ProduceResponse(response) => vec![
            error(response.result.err()),
            ("baseOffset", or_minus_one(response.result.ok())),
        ],
        Body::FetchRequest(request) => fetch(request),
        Body::FetchResponse(response) => fetched(response),
        Body::OffsetsForLeaderEpochRequest(request) => vec![
            ("replicaId", or_minus_one(request.replica)),
            (
                "currentLeaderEpoch",
                or_minus_one(request.current_leader_epoch),
            ),
            ("leaderEpoch", text(request.epoch)),
        ],
        Body::OffsetsForLeaderEpochResponse(response) => vec![
            error(response.error),
            ("leaderEpoch", or_minus_one(response.answer.epoch)),
            ("endOffset", or_minus_one(response.answer.end_offset)),
        ],
        Body::ListOffsetsRequest(request) => vec![
            ("replicaId", or_minus_one(request.replica)),
            ("isolationLevel", isolation(request.isolation).to_owned()),
            (
                "currentLeaderEpoch",
                or_minus_one(request.current_leader_epoch),
            ),
        ],
        Body::ListOffsetsResponse(response) => vec![
            error(response.error),
            ("offset (earliest)", text(response.earliest)),
            ("offset (latest)", text(response.latest)),
        ],
        other => of_controller(other),
    }
}

fn of_controller(body: &Body) -> Vec<Field> {
    match body {
        Body::AlterPartitionRequest(request) => {
            let members = request
                .isr
                .iter()
                .map(|(broker, epoch)| format!("{broker} (brokerEpoch {})", or_minus_one(*epoch)));
            vec![
                ("brokerId", text(request.broker)),
                ("brokerEpoch", text(request.broker_epoch)),
                ("leaderEpoch", text(request.leader_epoch)),
                ("partitionEpoch", text(request.partition_epoch)),
                ("newIsrWithEpochs", members.collect::<Vec<_>>().join(", ")),
                ("leaderRecoveryState", request.recovery.name().to_owned()),
            ]
        }
        Body::AlterPartitionResponse(response) => vec![
            error(response.error),
            ("leaderId", or_minus_one(response.leader)),
            ("leaderEpoch", text(response.leader_epoch)),
            ("isr", text(&response.isr)),
            ("leaderRecoveryState", response.recovery.name().to_owned()),
            ("partitionEpoch", text(response.partition_epoch)),
        ],
        Body::RegistrationRequest(request) => vec![
            ("brokerId", text(request.broker)),
            ("incarnationId", format!("#{}", request.incarnation)),
            (
                "previousBrokerEpoch",
                or_minus_one(request.previous_broker_epoch),
            ),
        ],
        Body::RegistrationResponse(response) => vec![
            error(response.result.err()),
            ("brokerEpoch", or_minus_one(response.result.ok())),
        ],
        Body::HeartbeatRequest(request) => vec![
            ("brokerId", text(request.broker)),
            ("brokerEpoch", text(request.broker_epoch)),
            ("currentMetadataOffset", text(request.metadata_offset)),
            ("wantFence", text(request.want_fence)),
            ("wantShutDown", text(request.want_shut_down)),
        ],
        Body::HeartbeatResponse(response) => vec![
            error(response.error),
            ("isFenced", text(response.is_fenced)),
            ("shouldShutDown", text(response.should_shut_down)),
        ],
        Body::Metadata(image) => vec![
            ("offset", text(image.offset)),
            ("leader", or_minus_one(image.partition.leader)),
            ("leaderEpoch", text(image.partition.leader_epoch)),
            ("partitionEpoch", text(image.partition.partition_epoch)),
            ("isr", text(&image.partition.isr)),
            ("elr", text(&image.partition.elr)),
            ("min.insync.replicas", text(image.min_insync_replicas)),
        ],
        _ => Vec::new(),
    }
}

fn fetch(request: &FetchRequest) -> Vec<Field> {
    vec![
        ("replicaId", or_minus_one(request.replica)),
        ("replicaEpoch", or_minus_one(request.broker_epoch)),
        ("maxWaitMs", text(request.max_wait)),
        ("minBytes", text(request.min_bytes)),
        ("partitionMaxBytes", text(request.max_bytes)),
        ("isolationLevel", isolation(request.isolation).to_owned()),
        (
            "currentLeaderEpoch",
            or_minus_one(request.current_leader_epoch),
        ),
        ("fetchOffset", text(request.fetch_offset)),
        ("lastFetchedEpoch", or_minus_one(request.last_fetched_epoch)),
        ("logStartOffset", text(request.log_start)),
    ]
}

fn fetched(response: &FetchResponse) -> Vec<Field> {
    let aborted = response.aborted.iter().map(ToString::to_string);
    let batches = response.batches.iter().map(batch);
    let mut fields = vec![
        error(response.error),
        ("highWatermark", text(response.high_watermark)),
        ("lastStableOffset", text(response.last_stable_offset)),
        ("logStartOffset", text(response.log_start)),
    ];
    if let Some(diverging) = response.diverging {
        fields.push(("divergingEpoch.epoch", or_minus_one(diverging.epoch)));
        fields.push((
            "divergingEpoch.endOffset",
            or_minus_one(diverging.end_offset),
        ));
    }
    fields.push((
        "abortedTransactions",
        aborted.collect::<Vec<_>>().join(", "),
    ));
    fields.push(("records", batches.collect::<Vec<_>>().join(", ")));
    fields
}

fn acks(acks: Acks) -> &'static str {
    match acks {
        Acks::None => "0",
        Acks::Leader => "1",
        Acks::All => "-1",
    }
}

fn isolation(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::ReadUncommitted => "0 READ_UNCOMMITTED",
        Isolation::ReadCommitted => "1 READ_COMMITTED",
    }
}

/// A batch: which records, from which offset, in which epoch.
pub fn batch(batch: &Batch) -> String {
    let last = batch.count.saturating_sub(1);
    let what = match batch.payload {
        Payload::Records { first } if last == 0 => format!("m{first}"),
        Payload::Records { first } => format!("m{first}–m{}", first.saturating_add(last)),
        Payload::Marker { commit: true } => "COMMIT".to_owned(),
        Payload::Marker { commit: false } => "ABORT".to_owned(),
        Payload::Before => "…".to_owned(),
    };
    let offsets = match last {
        0 => batch.base.to_string(),
        _ => format!("{}–{}", batch.base, batch.base.plus(last)),
    };
    let stamp = batch.producer.map(|stamp| {
        format!(
            " (producerId {}, producerEpoch {}, baseSequence {})",
            stamp.id, stamp.epoch, stamp.first_sequence
        )
    });
    format!(
        "{offsets}: {what}, partitionLeaderEpoch {}{}",
        batch.epoch,
        stamp.unwrap_or_default()
    )
}
