//! What a run is set to: topic, broker, producer, consumer and link settings, by Kafka's names and defaults.

use super::error::KafkaError;
use super::ids::{BrokerId, Millis};
use super::rules::{ControllerKind, Rules, Version};

/// How many answers a producer waits for (`acks`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Acks {
    /// `0`: no answer is awaited.
    None,
    /// `1`: the leader's own append.
    Leader,
    /// `all` (-1): the HW passed the batch.
    All,
}

impl Acks {
    /// The value of a produce request's `acks` field (`ReplicaManager.isValidRequiredAcks`).
    ///
    /// # Errors
    /// INVALID_REQUIRED_ACKS for all but -1, 0 and 1; it comes before every other check.
    pub fn from_wire(acks: i64) -> Result<Acks, KafkaError> {
        match acks {
            -1 => Ok(Acks::All),
            0 => Ok(Acks::None),
            1 => Ok(Acks::Leader),
            _ => Err(KafkaError::InvalidRequiredAcks),
        }
    }
}

/// A consumer's `isolation.level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isolation {
    /// Bounded by the HW.
    ReadUncommitted,
    /// Bounded by the LSO; aborted records are skipped.
    ReadCommitted,
}

/// Whether followers fetch by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FetchMode {
    /// Running followers fetch all the time, except those paused.
    Auto,
    /// No follower's fetch request reaches the leader except in a `fetch` step.
    Manual,
}

/// Whether leaders propose ISR changes by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IsrMode {
    /// The `isr-expiration` task shrinks the ISR, an accepted fetch expands it.
    Auto,
    /// No leader proposes a change except in a `propose-isr` step, which makes it send the real AlterPartition.
    Manual,
}

/// How the producer finds the leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProducerMetadata {
    /// As the Java client: it keeps the leader it knows until an error or a broken connection, and a batch without a
    /// usable leader waits until `delivery.timeout.ms`.
    Cached,
    /// As the raw clients of the recordings: the leader is looked up at the controller before every request, and a
    /// request that cannot be sent fails at once.
    Fresh,
}

/// The settings of a run. Defaults are [`Settings::default`], which is how the lab starts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Settings {
    /// The Kafka version that chose [`Settings::rules`].
    pub version: Version,
    /// The rules in force: those of the version, unless single ones were switched.
    pub rules: Rules,
    /// All brokers of the cluster, ascending; contains every replica.
    pub brokers: Vec<BrokerId>,
    /// The partition's replicas in assignment order; the first is the preferred leader. 1 to 5.
    pub replicas: Vec<BrokerId>,
    /// `acks` of a produce step that names none.
    pub acks: Acks,
    /// `min.insync.replicas`, as configured (not capped).
    pub min_insync_replicas: u32,
    /// `unclean.leader.election.enable`.
    pub unclean_leader_election: bool,
    /// `eligible.leader.replicas.version` = 1.
    pub elr: bool,
    /// `enable.idempotence` as asked for; in force only with acks=all and retries > 0.
    pub idempotence: bool,
    /// `retries` of the producer.
    pub retries: u32,
    /// `request.timeout.ms` of the producer, sent as the request's timeout.
    pub request_timeout: Millis,
    /// `delivery.timeout.ms`.
    pub delivery_timeout: Millis,
    /// `retry.backoff.ms`.
    pub retry_backoff: Millis,
    /// `retry.backoff.max.ms`.
    pub retry_backoff_max: Millis,
    /// `max.in.flight.requests.per.connection`.
    pub max_in_flight: u32,
    /// How the producer finds the leader.
    pub producer_metadata: ProducerMetadata,
    /// `replica.lag.time.max.ms`.
    pub replica_lag_time_max: Millis,
    /// How far every broker's `isr-expiration` tick, which comes each half of the lag time, is shifted towards the start.
    pub isr_tick_phase: Millis,
    /// `replica.fetch.wait.max.ms`.
    pub replica_fetch_wait_max: Millis,
    /// `replica.fetch.min.bytes`.
    pub replica_fetch_min_bytes: u64,
    /// `replica.fetch.max.bytes`.
    pub replica_fetch_max_bytes: u64,
    /// `replica.fetch.backoff.ms`.
    pub replica_fetch_backoff: Millis,
    /// `replica.high.watermark.checkpoint.interval.ms`.
    pub hw_checkpoint_interval: Millis,
    /// `broker.heartbeat.interval.ms`.
    pub heartbeat_interval: Millis,
    /// `broker.session.timeout.ms`.
    pub session_timeout: Millis,
    /// `unclean.leader.election.interval.ms`.
    pub unclean_election_interval: Millis,
    /// `auto.leader.rebalance.enable`.
    pub auto_leader_rebalance: bool,
    /// `leader.imbalance.check.interval.seconds`, in ms.
    pub leader_imbalance_check_interval: Millis,
    /// One way, of every link that no step slowed.
    pub link_latency: Millis,
    /// From the controller's write until a broker has applied it.
    pub metadata_latency: Millis,
    /// The consumer's `isolation.level`.
    pub isolation: Isolation,
    /// The consumer's `fetch.max.wait.ms`.
    pub consumer_fetch_wait_max: Millis,
    /// The consumer's `fetch.min.bytes`.
    pub consumer_fetch_min_bytes: u64,
    /// The broker that the consumer reads from whatever the leader says, when not the leader.
    pub consumer_reads_from: Option<BrokerId>,
    /// `broker.rack` of those that have one, by id. Where any is set, the brokers select by rack (KIP-392,
    /// `replica.selector.class` = `RackAwareReplicaSelector`).
    pub broker_racks: Vec<(BrokerId, String)>,
    /// The consumer's `client.rack`; empty = none.
    pub client_rack: String,
    /// Bytes that one record counts for in fetch sizes.
    pub record_bytes: u64,
    /// Whether followers fetch by themselves.
    pub fetch_mode: FetchMode,
    /// Whether leaders propose ISR changes by themselves.
    pub isr_mode: IsrMode,
    /// How long nothing may have changed before a step that waits for rest goes on.
    pub settle: Millis,
}

impl Default for Settings {
    /// The lab's start: Kafka 4.4, RF 3, min.insync.replicas 2, acks all, unclean election off, ELR on, retries 0,
    /// idempotence off, 1 ms per hop, everything else at Kafka's default.
    fn default() -> Settings {
        let replicas: Vec<BrokerId> = (1..=3).map(BrokerId).collect();
        Settings {
            version: Version::V4_2,
            rules: Rules::of(Version::V4_2),
            brokers: replicas.clone(),
            replicas,
            acks: Acks::All,
            min_insync_replicas: 2,
            unclean_leader_election: false,
            elr: true,
            idempotence: false,
            retries: 0,
            request_timeout: Millis(30_000),
            delivery_timeout: Millis(120_000),
            retry_backoff: Millis(100),
            retry_backoff_max: Millis(1_000),
            max_in_flight: 5,
            producer_metadata: ProducerMetadata::Cached,
            replica_lag_time_max: Millis(30_000),
            isr_tick_phase: Millis(0),
            replica_fetch_wait_max: Millis(500),
            replica_fetch_min_bytes: 1,
            replica_fetch_max_bytes: 1_048_576,
            replica_fetch_backoff: Millis(1_000),
            hw_checkpoint_interval: Millis(5_000),
            heartbeat_interval: Millis(2_000),
            session_timeout: Millis(9_000),
            unclean_election_interval: Millis(300_000),
            auto_leader_rebalance: false,
            leader_imbalance_check_interval: Millis(300_000),
            link_latency: Millis(1),
            metadata_latency: Millis(1),
            isolation: Isolation::ReadUncommitted,
            consumer_fetch_wait_max: Millis(500),
            consumer_fetch_min_bytes: 1,
            consumer_reads_from: None,
            broker_racks: Vec::new(),
            client_rack: String::new(),
            record_bytes: 100,
            fetch_mode: FetchMode::Auto,
            isr_mode: IsrMode::Auto,
            settle: Millis(800),
        }
    }
}

impl Settings {
    /// The settings with the rules of `version` (single switched rules are forgotten).
    pub fn with_version(mut self, version: Version) -> Settings {
        self.version = version;
        self.rules = Rules::of(version);
        self
    }

    /// ELR in force: asked for, and the version has it. Only KRaft's controller keeps one (`PartitionChangeBuilder`).
    pub fn elr_enabled(&self) -> bool {
        self.elr && self.rules.elr_available && self.rules.controller == ControllerKind::KRaft
    }

    /// Idempotence in force: switched off by acks other than all, or by retries=0
    /// (`ProducerConfig.postProcessAndValidateIdempotenceConfigs`).
    pub fn idempotence_in_force(&self) -> bool {
        self.idempotence && self.acks == Acks::All && self.retries > 0
    }

    /// `min(min.insync.replicas, RF)` since 3.7, the raw value before (rules 1.3).
    pub fn effective_min_isr(&self, min_insync_replicas: u32) -> u32 {
        if self.rules.min_isr_capped_at_rf {
            min_insync_replicas.min(u32::try_from(self.replicas.len()).unwrap_or(u32::MAX))
        } else {
            min_insync_replicas
        }
    }
}
