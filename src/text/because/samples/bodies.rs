//! One message body of every kind.

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::{
    BrokerEpoch, LeaderEpoch, MetadataOffset, Millis, Offset, PartitionEpoch, SendId,
};
use highwater_core::kafka::message::{
    AlterPartitionRequest, AlterPartitionResponse, Body, DivergingEpoch, FetchRequest,
    FetchResponse, HeartbeatRequest, HeartbeatResponse, ListOffsetsRequest, ListOffsetsResponse,
    MetadataImage, OffsetsForLeaderEpochRequest, OffsetsForLeaderEpochResponse, ProduceRequest,
    ProduceResponse, RegistrationRequest, RegistrationResponse,
};
use highwater_core::kafka::partition::Recovery;
use highwater_core::kafka::record::Payload;
use highwater_core::kafka::settings::{Acks, Isolation};

use super::{B1, B2, REFUSED, batch, partition, set};

/// One of every body, in every form that reads differently.
pub fn bodies() -> Vec<Body> {
    let mut bodies = client_bodies();
    bodies.extend(broker_bodies());
    bodies
}

fn client_bodies() -> Vec<Body> {
    let produced = |result| {
        Body::ProduceResponse(ProduceResponse {
            send: SendId(0),
            attempt: 1,
            result,
        })
    };
    let fetched = |error, diverging, batches| {
        Body::FetchResponse(FetchResponse {
            error,
            fetch_offset: Offset(2),
            request_leader_epoch: None,
            high_watermark: Offset(2),
            last_stable_offset: Offset(2),
            log_start: Offset(0),
            diverging,
            batches,
            aborted: Vec::new(),
            preferred_read_replica: None,
            parked: Millis(0),
        })
    };
    let diverging = Some(DivergingEpoch {
        epoch: None,
        end_offset: None,
    });
    let epoch_end = |error, epoch, end_offset| {
        Body::OffsetsForLeaderEpochResponse(OffsetsForLeaderEpochResponse {
            error,
            asked: LeaderEpoch(0),
            request_leader_epoch: None,
            answer: DivergingEpoch { epoch, end_offset },
        })
    };
    let listed = |error| {
        Body::ListOffsetsResponse(ListOffsetsResponse {
            error,
            request_leader_epoch: None,
            earliest: Offset(0),
            latest: Offset(3),
        })
    };
    vec![
        Body::ProduceRequest(ProduceRequest {
            send: SendId(0),
            attempt: 1,
            acks: Acks::All,
            timeout: Millis(30_000),
            batch: batch(Payload::Records { first: 3 }),
        }),
        produced(Ok(Offset(2))),
        produced(Err(REFUSED)),
        Body::FetchRequest(FetchRequest {
            replica: Some(B2),
            broker_epoch: None,
            max_wait: Millis(500),
            min_bytes: 1,
            max_bytes: 1_048_576,
            isolation: Isolation::ReadUncommitted,
            current_leader_epoch: None,
            fetch_offset: Offset(2),
            last_fetched_epoch: None,
            log_start: Offset(0),
            client_metadata: false,
        }),
        fetched(None, None, Vec::new()),
        fetched(None, None, vec![batch(Payload::Records { first: 3 })]),
        fetched(Some(KafkaError::OffsetOutOfRange), None, Vec::new()),
        fetched(None, diverging, Vec::new()),
        Body::OffsetsForLeaderEpochRequest(OffsetsForLeaderEpochRequest {
            replica: Some(B2),
            current_leader_epoch: None,
            epoch: LeaderEpoch(0),
        }),
        epoch_end(None, Some(LeaderEpoch(0)), Some(Offset(2))),
        epoch_end(None, None, None),
        epoch_end(Some(KafkaError::FencedLeaderEpoch), None, None),
        Body::ListOffsetsRequest(ListOffsetsRequest {
            replica: None,
            isolation: Isolation::ReadCommitted,
            current_leader_epoch: None,
        }),
        listed(None),
        listed(Some(KafkaError::OffsetNotAvailable)),
    ]
}

fn broker_bodies() -> Vec<Body> {
    let altered = |error| {
        Body::AlterPartitionResponse(AlterPartitionResponse {
            error,
            leader: Some(B1),
            leader_epoch: LeaderEpoch(0),
            partition_epoch: PartitionEpoch(1),
            isr: set(&[1, 2]),
            recovery: Recovery::Recovered,
        })
    };
    let heartbeat = |want_shut_down| {
        Body::HeartbeatRequest(HeartbeatRequest {
            broker: B1,
            broker_epoch: BrokerEpoch(40),
            metadata_offset: MetadataOffset(3),
            want_fence: false,
            want_shut_down,
        })
    };
    let beat = |error, is_fenced, should_shut_down| {
        Body::HeartbeatResponse(HeartbeatResponse {
            error,
            is_fenced,
            should_shut_down,
        })
    };
    let image = |leader| {
        Body::Metadata(Box::new(MetadataImage {
            partition: *partition(leader, 1, &[2, 3], &[]),
            ..MetadataImage::default()
        }))
    };
    vec![
        Body::AlterPartitionRequest(AlterPartitionRequest {
            broker: B1,
            broker_epoch: BrokerEpoch(40),
            leader_epoch: LeaderEpoch(0),
            partition_epoch: PartitionEpoch(0),
            isr: vec![(B1, None), (B2, None)],
            recovery: Recovery::Recovered,
        }),
        altered(None),
        altered(Some(KafkaError::IneligibleReplica)),
        Body::RegistrationRequest(RegistrationRequest {
            broker: B1,
            incarnation: 2,
            previous_broker_epoch: None,
        }),
        Body::RegistrationResponse(RegistrationResponse {
            result: Ok(BrokerEpoch(41)),
        }),
        Body::RegistrationResponse(RegistrationResponse {
            result: Err(KafkaError::DuplicateBrokerRegistration),
        }),
        heartbeat(false),
        heartbeat(true),
        beat(None, false, false),
        beat(None, true, false),
        beat(None, false, true),
        beat(Some(KafkaError::StaleBrokerEpoch), false, false),
        image(Some(2)),
        image(None),
        Body::Disconnected,
    ]
}
