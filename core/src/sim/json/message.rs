//! Messages as JSON: Kafka's name of the request or answer and its fields.

use super::value::{Fields, ToJson, fields};
use crate::kafka::message::{
    AlterPartitionRequest, AlterPartitionResponse, Body, FetchRequest, FetchResponse,
    HeartbeatRequest, HeartbeatResponse, ListOffsetsRequest, ListOffsetsResponse, MetadataImage,
    OffsetsForLeaderEpochRequest, OffsetsForLeaderEpochResponse, ProduceRequest, ProduceResponse,
    RegistrationRequest, RegistrationResponse,
};

/// One line a message; a field that is forgotten does not compile.
macro_rules! bodies {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        /// Every message by its name, with the names of its fields.
        pub const ALL: &[(&str, &[&str])] = &[
            $((stringify!($type), &[$(stringify!($field)),*]),)*
            ("Metadata", &["image"]),
            ("Disconnected", &[]),
        ];

        /// The name of a message and its fields, named as in [`crate::kafka::message`].
        pub fn fields_of(body: &Body) -> (&'static str, Fields) {
            match body {
                $(Body::$type(body) => (stringify!($type), fields!($type { $($field),* } of body)),)*
                Body::Metadata(image) => {
                    let image: &MetadataImage = image;
                    ("Metadata", Fields(vec![("image", image.json())]))
                }
                Body::Disconnected => ("Disconnected", Fields::default()),
            }
        }
    };
}

bodies! {
    ProduceRequest { send, attempt, acks, timeout, batch }
    ProduceResponse { send, attempt, result }
    FetchRequest { replica, broker_epoch, max_wait, min_bytes, max_bytes, isolation, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start, client_metadata }
    FetchResponse { error, fetch_offset, request_leader_epoch, high_watermark, last_stable_offset, log_start, diverging, batches, aborted, preferred_read_replica, parked }
    OffsetsForLeaderEpochRequest { replica, current_leader_epoch, epoch }
    OffsetsForLeaderEpochResponse { error, asked, request_leader_epoch, answer }
    ListOffsetsRequest { replica, isolation, current_leader_epoch }
    ListOffsetsResponse { error, request_leader_epoch, earliest, latest }
    AlterPartitionRequest { broker, broker_epoch, leader_epoch, partition_epoch, isr, recovery }
    AlterPartitionResponse { error, leader, leader_epoch, partition_epoch, isr, recovery }
    RegistrationRequest { broker, incarnation, previous_broker_epoch }
    RegistrationResponse { result }
    HeartbeatRequest { broker, broker_epoch, metadata_offset, want_fence, want_shut_down }
    HeartbeatResponse { error, is_fenced, should_shut_down }
}
