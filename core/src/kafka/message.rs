//! Requests and answers between nodes, with the fields that matter for replication.

use super::error::KafkaError;
use super::ids::{
    BrokerEpoch, BrokerId, BrokerSet, LeaderEpoch, MessageId, MetadataOffset, Millis, Offset,
    PartitionEpoch, SendId,
};
use super::partition::{PartitionState, Recovery};
use super::record::Batch;
use super::settings::{Acks, Isolation};

/// A place that messages leave from and arrive at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A broker.
    Broker(BrokerId),
    /// The active controller.
    Controller,
    /// The producers (all of them share one place).
    Producer,
    /// The consumer.
    Consumer,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// Who sent it.
    pub from: Node,
    /// Who shall receive it.
    pub to: Node,
    /// The request that this answers.
    pub reply_to: Option<MessageId>,
    /// What it says.
    pub body: Body,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// Producer to broker.
    ProduceRequest(ProduceRequest),
    /// Broker to producer.
    ProduceResponse(ProduceResponse),
    /// Follower or consumer to broker.
    FetchRequest(FetchRequest),
    /// Broker to follower or consumer.
    FetchResponse(FetchResponse),
    /// Follower to leader (truncation before 2.8) or client to broker.
    OffsetsForLeaderEpochRequest(OffsetsForLeaderEpochRequest),
    /// The answer to it.
    OffsetsForLeaderEpochResponse(OffsetsForLeaderEpochResponse),
    /// Follower to leader after OFFSET_OUT_OF_RANGE, or client to broker.
    ListOffsetsRequest(ListOffsetsRequest),
    /// The answer to it.
    ListOffsetsResponse(ListOffsetsResponse),
    /// Leader to controller.
    AlterPartitionRequest(AlterPartitionRequest),
    /// Controller to leader.
    AlterPartitionResponse(AlterPartitionResponse),
    /// Broker to controller.
    RegistrationRequest(RegistrationRequest),
    /// Controller to broker.
    RegistrationResponse(RegistrationResponse),
    /// Broker to controller.
    HeartbeatRequest(HeartbeatRequest),
    /// Controller to broker.
    HeartbeatResponse(HeartbeatResponse),
    /// Controller to broker: the metadata log up to an offset (brokers fetch it; told as a push).
    Metadata(Box<MetadataImage>),
    /// The connection broke: the receiver's request got no answer.
    Disconnected,
}

/// Produce (API key 0).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProduceRequest {
    /// The produce call.
    pub send: SendId,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The producer's `acks`.
    pub acks: Acks,
    /// How long the broker may park it.
    pub timeout: Millis,
    /// The batch; its base offset and epoch are set by the leader.
    pub batch: Batch,
}

/// The answer to a produce request; none is sent for acks=0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProduceResponse {
    /// The produce call.
    pub send: SendId,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The base offset of the batch (of the first append, when it was a duplicate), or the error.
    pub result: Result<Offset, KafkaError>,
}

/// Fetch (API key 1).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FetchRequest {
    /// The follower, or none for a consumer (`replicaId` -1).
    pub replica: Option<BrokerId>,
    /// The follower's broker epoch (`replicaEpoch`).
    pub broker_epoch: Option<BrokerEpoch>,
    /// `maxWaitMs`.
    pub max_wait: Millis,
    /// `minBytes`.
    pub min_bytes: u64,
    /// `partitionMaxBytes`; the first batch is returned even when larger.
    pub max_bytes: u64,
    /// `isolationLevel`; of no effect for a follower.
    pub isolation: Isolation,
    /// `currentLeaderEpoch`; absent = not checked.
    pub current_leader_epoch: Option<LeaderEpoch>,
    /// `fetchOffset`.
    pub fetch_offset: Offset,
    /// `lastFetchedEpoch`; sent by followers since 2.8.
    pub last_fetched_epoch: Option<LeaderEpoch>,
    /// `logStartOffset` of the follower.
    pub log_start: Offset,
    /// Whether the client can read from a follower (Fetch v11+, KIP-392).
    pub client_metadata: bool,
}

/// The answer to a fetch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FetchResponse {
    /// The error, if any.
    pub error: Option<KafkaError>,
    /// The offset that the request asked for.
    pub fetch_offset: Offset,
    /// The leader epoch that the request carried (what the follower compares with its own).
    pub request_leader_epoch: Option<LeaderEpoch>,
    /// `highWatermark`, as read before this fetch updated the follower's position.
    pub high_watermark: Offset,
    /// `lastStableOffset`.
    pub last_stable_offset: Offset,
    /// `logStartOffset`.
    pub log_start: Offset,
    /// `divergingEpoch`: the largest epoch not above the asked one, and its end offset (exclusive; none = undefined).
    pub diverging: Option<DivergingEpoch>,
    /// The batches.
    pub batches: Vec<Batch>,
    /// Base offsets of aborted transactions among them, for read_committed.
    pub aborted: Vec<Offset>,
    /// `preferredReadReplica`: where the consumer shall read instead; then there are no batches (KIP-392).
    pub preferred_read_replica: Option<BrokerId>,
    /// How long the request was parked before this answer.
    pub parked: Millis,
}

/// An epoch and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DivergingEpoch {
    /// The epoch; none = undefined (-1).
    pub epoch: Option<LeaderEpoch>,
    /// Its end offset (exclusive); none = undefined (-1).
    pub end_offset: Option<Offset>,
}

/// OffsetsForLeaderEpoch (API key 23).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OffsetsForLeaderEpochRequest {
    /// The follower, or none for a client.
    pub replica: Option<BrokerId>,
    /// `currentLeaderEpoch`; absent = not checked.
    pub current_leader_epoch: Option<LeaderEpoch>,
    /// The epoch whose end is asked for.
    pub epoch: LeaderEpoch,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OffsetsForLeaderEpochResponse {
    /// The error, if any.
    pub error: Option<KafkaError>,
    /// The epoch that was asked for.
    pub asked: LeaderEpoch,
    /// The leader epoch that the request carried.
    pub request_leader_epoch: Option<LeaderEpoch>,
    /// The largest epoch not above the asked one and its end.
    pub answer: DivergingEpoch,
}

/// ListOffsets (API key 2), for the latest or the earliest offset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListOffsetsRequest {
    /// The follower (answered with LEO), or none for a client (answered with HW or LSO).
    pub replica: Option<BrokerId>,
    /// The client's isolation level.
    pub isolation: Isolation,
    /// `currentLeaderEpoch`; absent = not checked.
    pub current_leader_epoch: Option<LeaderEpoch>,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListOffsetsResponse {
    /// The error, if any.
    pub error: Option<KafkaError>,
    /// The leader epoch that the request carried.
    pub request_leader_epoch: Option<LeaderEpoch>,
    /// The log start.
    pub earliest: Offset,
    /// LEO for a follower; HW or LSO for a client.
    pub latest: Offset,
}

/// AlterPartition (API key 56).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlterPartitionRequest {
    /// The sender.
    pub broker: BrokerId,
    /// The sender's broker epoch.
    pub broker_epoch: BrokerEpoch,
    /// The sender's leader epoch.
    pub leader_epoch: LeaderEpoch,
    /// The partition epoch that the proposal is based on.
    pub partition_epoch: PartitionEpoch,
    /// The proposed ISR: per member the broker epoch of its last fetch, none = -1 (not checked).
    pub isr: Vec<(BrokerId, Option<BrokerEpoch>)>,
    /// The leader's recovery state.
    pub recovery: Recovery,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlterPartitionResponse {
    /// An error of the whole request or of the partition.
    pub error: Option<KafkaError>,
    /// The controller's state of the partition after it.
    pub leader: Option<BrokerId>,
    /// Its leader epoch.
    pub leader_epoch: LeaderEpoch,
    /// Its partition epoch.
    pub partition_epoch: PartitionEpoch,
    /// Its ISR.
    pub isr: BrokerSet,
    /// Its recovery state.
    pub recovery: Recovery,
}

/// BrokerRegistration (API key 62).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegistrationRequest {
    /// The broker.
    pub broker: BrokerId,
    /// Counts the process starts of the broker.
    pub incarnation: u32,
    /// `previousBrokerEpoch`: from the clean-shutdown file; none = -1.
    pub previous_broker_epoch: Option<BrokerEpoch>,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegistrationResponse {
    /// The new broker epoch, or DUPLICATE_BROKER_REGISTRATION.
    pub result: Result<BrokerEpoch, KafkaError>,
}

/// BrokerHeartbeat (API key 63).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeartbeatRequest {
    /// The broker.
    pub broker: BrokerId,
    /// Its broker epoch.
    pub broker_epoch: BrokerEpoch,
    /// The metadata offset that it has applied.
    pub metadata_offset: MetadataOffset,
    /// `wantFence`.
    pub want_fence: bool,
    /// `wantShutDown`.
    pub want_shut_down: bool,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeartbeatResponse {
    /// The error, if any.
    pub error: Option<KafkaError>,
    /// `isFenced`.
    pub is_fenced: bool,
    /// `shouldShutDown`.
    pub should_shut_down: bool,
}

/// What a broker knows of the cluster at a metadata offset.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetadataImage {
    /// The position in the controller's metadata log.
    pub offset: MetadataOffset,
    /// The partition.
    pub partition: PartitionState,
    /// The registered brokers, ascending by id.
    pub brokers: Vec<BrokerImage>,
    /// `min.insync.replicas` as the topic has it.
    pub min_insync_replicas: u32,
    /// `unclean.leader.election.enable` (0.10 followers look at it).
    pub unclean_leader_election: bool,
}

impl MetadataImage {
    /// The registration of `broker`, if there is one.
    pub fn broker(&self, broker: BrokerId) -> Option<&BrokerImage> {
        self.brokers.iter().find(|b| b.id == broker)
    }
}

/// A broker's registration as other brokers see it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrokerImage {
    /// The broker.
    pub id: BrokerId,
    /// Its broker epoch.
    pub epoch: BrokerEpoch,
    /// Whether it is fenced.
    pub fenced: bool,
    /// Whether it is in controlled shutdown.
    pub in_controlled_shutdown: bool,
}
