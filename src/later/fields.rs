//! Messages field by field, by the names that Kafka's protocol gives them (`clients/src/main/resources/common/message`). -1
//! stands where Kafka sends it.

use std::fmt::Display;

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::{BrokerId, LeaderEpoch};
use highwater_core::kafka::message::{Body, FetchRequest, FetchResponse, Node};
use highwater_core::kafka::record::Batch;
use highwater_core::kafka::settings::{Acks, Isolation};

use super::keys::Key;
use crate::picture::messages::says::records;

/// A field, its value, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Kafka's name.
    pub name: &'static str,
    /// The value as Kafka sends it.
    pub value: String,
    /// The sentence that says what it means.
    pub meaning: Key,
}

fn field(name: &'static str, value: impl Display, meaning: Key) -> Field {
    Field {
        name,
        value: value.to_string(),
        meaning,
    }
}

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

/// What a message is for.
pub fn purpose(body: &Body) -> Key {
    match body {
        Body::ProduceRequest(_) => Key::ForProduceRequest,
        Body::ProduceResponse(_) => Key::ForProduceResponse,
        Body::FetchRequest(_) => Key::ForFetchRequest,
        Body::FetchResponse(_) => Key::ForFetchResponse,
        Body::OffsetsForLeaderEpochRequest(_) => Key::ForEpochRequest,
        Body::OffsetsForLeaderEpochResponse(_) => Key::ForEpochResponse,
        Body::ListOffsetsRequest(_) => Key::ForListOffsetsRequest,
        Body::ListOffsetsResponse(_) => Key::ForListOffsetsResponse,
        Body::AlterPartitionRequest(_) => Key::ForAlterPartitionRequest,
        Body::AlterPartitionResponse(_) => Key::ForAlterPartitionResponse,
        Body::RegistrationRequest(_) => Key::ForRegistrationRequest,
        Body::RegistrationResponse(_) => Key::ForRegistrationResponse,
        Body::HeartbeatRequest(_) => Key::ForHeartbeatRequest,
        Body::HeartbeatResponse(_) => Key::ForHeartbeatResponse,
        Body::Metadata(_) => Key::ForMetadata,
        Body::Disconnected => Key::ForDisconnected,
    }
}

fn error(error: Option<KafkaError>, meaning: Key) -> Field {
    let value = match error {
        Some(error) => format!("{} {}", error.code(), error.name()),
        None => "0 NONE".to_owned(),
    };
    field("errorCode", value, meaning)
}

/// The fields of a message.
pub fn fields(body: &Body) -> Vec<Field> {
    match body {
        Body::ProduceRequest(request) => vec![
            field("acks", acks(request.acks), Key::FieldAcks),
            field("timeoutMs", request.timeout, Key::FieldTimeoutMs),
            field("records", batch(&request.batch), Key::FieldProduceRecords),
        ],
        Body::ProduceResponse(response) => vec![
            error(response.result.err(), Key::FieldProduceError),
            field(
                "baseOffset",
                or_minus_one(response.result.ok()),
                Key::FieldBaseOffset,
            ),
        ],
        Body::FetchRequest(request) => fetch(request),
        Body::FetchResponse(response) => fetched(response),
        Body::OffsetsForLeaderEpochRequest(request) => vec![
            replica(request.replica),
            current_epoch(request.current_leader_epoch),
            field("leaderEpoch", request.epoch, Key::FieldAskedEpoch),
        ],
        Body::OffsetsForLeaderEpochResponse(response) => vec![
            error(response.error, Key::FieldErrorCode),
            field(
                "leaderEpoch",
                or_minus_one(response.answer.epoch),
                Key::FieldAnsweredEpoch,
            ),
            field(
                "endOffset",
                or_minus_one(response.answer.end_offset),
                Key::FieldEndOffset,
            ),
        ],
        Body::ListOffsetsRequest(request) => vec![
            replica(request.replica),
            field(
                "isolationLevel",
                isolation(request.isolation),
                Key::FieldIsolation,
            ),
            current_epoch(request.current_leader_epoch),
        ],
        Body::ListOffsetsResponse(response) => vec![
            error(response.error, Key::FieldErrorCode),
            field("offset (earliest)", response.earliest, Key::FieldEarliest),
            field("offset (latest)", response.latest, Key::FieldLatest),
        ],
        other => of_controller(other),
    }
}

fn replica(replica: Option<BrokerId>) -> Field {
    field("replicaId", or_minus_one(replica), Key::FieldReplicaId)
}

fn current_epoch(epoch: Option<LeaderEpoch>) -> Field {
    let value = or_minus_one(epoch);
    field("currentLeaderEpoch", value, Key::FieldCurrentLeaderEpoch)
}

fn of_controller(body: &Body) -> Vec<Field> {
    match body {
        Body::AlterPartitionRequest(request) => {
            let members = request
                .isr
                .iter()
                .map(|(broker, epoch)| format!("{broker} (brokerEpoch {})", or_minus_one(*epoch)));
            let members = members.collect::<Vec<_>>().join(", ");
            vec![
                field("brokerId", request.broker, Key::FieldBrokerId),
                field("brokerEpoch", request.broker_epoch, Key::FieldBrokerEpoch),
                field(
                    "leaderEpoch",
                    request.leader_epoch,
                    Key::FieldAlterLeaderEpoch,
                ),
                field(
                    "partitionEpoch",
                    request.partition_epoch,
                    Key::FieldAlterPartitionEpoch,
                ),
                field("newIsrWithEpochs", members, Key::FieldNewIsr),
                field(
                    "leaderRecoveryState",
                    request.recovery.name(),
                    Key::FieldRecovery,
                ),
            ]
        }
        Body::AlterPartitionResponse(response) => vec![
            error(response.error, Key::FieldErrorCode),
            field(
                "leaderId",
                or_minus_one(response.leader),
                Key::FieldLeaderId,
            ),
            field("leaderEpoch", response.leader_epoch, Key::FieldLeaderEpoch),
            field("isr", &response.isr, Key::FieldIsr),
            field(
                "leaderRecoveryState",
                response.recovery.name(),
                Key::FieldRecovery,
            ),
            field(
                "partitionEpoch",
                response.partition_epoch,
                Key::FieldPartitionEpoch,
            ),
        ],
        Body::Metadata(image) => vec![
            field("offset", image.offset, Key::FieldImageOffset),
            field(
                "leader",
                or_minus_one(image.partition.leader),
                Key::FieldLeaderId,
            ),
            field(
                "leaderEpoch",
                image.partition.leader_epoch,
                Key::FieldLeaderEpoch,
            ),
            field(
                "partitionEpoch",
                image.partition.partition_epoch,
                Key::FieldPartitionEpoch,
            ),
            field("isr", &image.partition.isr, Key::FieldIsr),
            field("elr", &image.partition.elr, Key::FieldElr),
            field(
                "min.insync.replicas",
                image.min_insync_replicas,
                Key::FieldMinIsr,
            ),
        ],
        other => of_session(other),
    }
}

fn of_session(body: &Body) -> Vec<Field> {
    match body {
        Body::RegistrationRequest(request) => vec![
            field("brokerId", request.broker, Key::FieldBrokerId),
            field(
                "incarnationId",
                format!("#{}", request.incarnation),
                Key::FieldIncarnation,
            ),
            field(
                "previousBrokerEpoch",
                or_minus_one(request.previous_broker_epoch),
                Key::FieldPreviousEpoch,
            ),
        ],
        Body::RegistrationResponse(response) => vec![
            error(response.result.err(), Key::FieldErrorCode),
            field(
                "brokerEpoch",
                or_minus_one(response.result.ok()),
                Key::FieldNewBrokerEpoch,
            ),
        ],
        Body::HeartbeatRequest(request) => vec![
            field("brokerId", request.broker, Key::FieldBrokerId),
            field("brokerEpoch", request.broker_epoch, Key::FieldBrokerEpoch),
            field(
                "currentMetadataOffset",
                request.metadata_offset,
                Key::FieldMetadataOffset,
            ),
            field("wantFence", request.want_fence, Key::FieldWantFence),
            field(
                "wantShutDown",
                request.want_shut_down,
                Key::FieldWantShutDown,
            ),
        ],
        Body::HeartbeatResponse(response) => vec![
            error(response.error, Key::FieldErrorCode),
            field("isFenced", response.is_fenced, Key::FieldIsFenced),
            field(
                "shouldShutDown",
                response.should_shut_down,
                Key::FieldShouldShutDown,
            ),
        ],
        _ => Vec::new(),
    }
}

fn fetch(request: &FetchRequest) -> Vec<Field> {
    vec![
        replica(request.replica),
        field(
            "replicaEpoch",
            or_minus_one(request.broker_epoch),
            Key::FieldReplicaEpoch,
        ),
        field("maxWaitMs", request.max_wait, Key::FieldMaxWaitMs),
        field("minBytes", request.min_bytes, Key::FieldMinBytes),
        field("partitionMaxBytes", request.max_bytes, Key::FieldMaxBytes),
        field(
            "isolationLevel",
            isolation(request.isolation),
            Key::FieldIsolation,
        ),
        current_epoch(request.current_leader_epoch),
        field("fetchOffset", request.fetch_offset, Key::FieldFetchOffset),
        field(
            "lastFetchedEpoch",
            or_minus_one(request.last_fetched_epoch),
            Key::FieldLastFetchedEpoch,
        ),
        field(
            "logStartOffset",
            request.log_start,
            Key::FieldFollowerLogStart,
        ),
    ]
}

fn fetched(response: &FetchResponse) -> Vec<Field> {
    let aborted = response.aborted.iter().map(ToString::to_string);
    let batches = response.batches.iter().map(batch);
    let mut fields = vec![
        error(response.error, Key::FieldErrorCode),
        field(
            "highWatermark",
            response.high_watermark,
            Key::FieldHighWatermark,
        ),
        field(
            "lastStableOffset",
            response.last_stable_offset,
            Key::FieldLso,
        ),
        field("logStartOffset", response.log_start, Key::FieldLogStart),
    ];
    if let Some(diverging) = response.diverging {
        fields.push(field(
            "divergingEpoch.epoch",
            or_minus_one(diverging.epoch),
            Key::FieldDivergingEpoch,
        ));
        fields.push(field(
            "divergingEpoch.endOffset",
            or_minus_one(diverging.end_offset),
            Key::FieldDivergingEnd,
        ));
    }
    fields.push(field(
        "abortedTransactions",
        aborted.collect::<Vec<_>>().join(", "),
        Key::FieldAborted,
    ));
    fields.push(field(
        "preferredReadReplica",
        or_minus_one(response.preferred_read_replica),
        Key::FieldPreferred,
    ));
    fields.push(field(
        "records",
        batches.collect::<Vec<_>>().join(", "),
        Key::FieldFetchedRecords,
    ));
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
    let what = records(batch);
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
