//! Kafka's error names and codes, as answers carry them.

use core::fmt;

macro_rules! errors {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $name:literal;)*) => {
        /// An error of the Kafka protocol (`org.apache.kafka.common.protocol.Errors`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum KafkaError { $($(#[$doc])* $variant,)* }

        impl KafkaError {
            /// Every error the model knows.
            pub const ALL: &'static [KafkaError] = &[$(KafkaError::$variant,)*];

            /// The code on the wire.
            pub fn code(self) -> i16 {
                match self { $(KafkaError::$variant => $code,)* }
            }

            /// The name, as in Kafka's documentation.
            pub fn name(self) -> &'static str {
                match self { $(KafkaError::$variant => $name,)* }
            }
        }
    };
}

errors! {
    /// The offset lies before the log start or beyond the LEO.
    OffsetOutOfRange = 1 "OFFSET_OUT_OF_RANGE";
    /// The partition is not known to this broker.
    UnknownTopicOrPartition = 3 "UNKNOWN_TOPIC_OR_PARTITION";
    /// There is no leader at present.
    LeaderNotAvailable = 5 "LEADER_NOT_AVAILABLE";
    /// This broker does not lead the partition.
    NotLeaderOrFollower = 6 "NOT_LEADER_OR_FOLLOWER";
    /// The request waited longer than its timeout.
    RequestTimedOut = 7 "REQUEST_TIMED_OUT";
    /// The connection broke before an answer arrived.
    NetworkException = 13 "NETWORK_EXCEPTION";
    /// The ISR is smaller than the effective min ISR; nothing was appended.
    NotEnoughReplicas = 19 "NOT_ENOUGH_REPLICAS";
    /// The records were appended, then the ISR fell below the effective min ISR.
    NotEnoughReplicasAfterAppend = 20 "NOT_ENOUGH_REPLICAS_AFTER_APPEND";
    /// acks was none of -1, 0, 1.
    InvalidRequiredAcks = 21 "INVALID_REQUIRED_ACKS";
    /// Invalid config value or a config that may not be changed now.
    InvalidConfig = 40 "INVALID_CONFIG";
    /// The receiver is not the active controller, or the sender knows more than it.
    NotController = 41 "NOT_CONTROLLER";
    /// The request contradicts itself or the state.
    InvalidRequest = 42 "INVALID_REQUEST";
    /// The sequence number does not follow the last one.
    OutOfOrderSequenceNumber = 45 "OUT_OF_ORDER_SEQUENCE_NUMBER";
    /// The sequence number was seen already (not returned by current brokers).
    DuplicateSequenceNumber = 46 "DUPLICATE_SEQUENCE_NUMBER";
    /// The producer epoch is older than the known one.
    InvalidProducerEpoch = 47 "INVALID_PRODUCER_EPOCH";
    /// The transaction is not in a state that allows this.
    InvalidTxnState = 48 "INVALID_TXN_STATE";
    /// An item of a request was not looked at.
    OperationNotAttempted = 55 "OPERATION_NOT_ATTEMPTED";
    /// The log directory failed.
    KafkaStorageError = 56 "KAFKA_STORAGE_ERROR";
    /// The producer id is not known.
    UnknownProducerId = 59 "UNKNOWN_PRODUCER_ID";
    /// The leader epoch of the request is older than the broker's.
    FencedLeaderEpoch = 74 "FENCED_LEADER_EPOCH";
    /// The leader epoch of the request is newer than the broker's.
    UnknownLeaderEpoch = 75 "UNKNOWN_LEADER_EPOCH";
    /// The broker epoch is not the registered one.
    StaleBrokerEpoch = 77 "STALE_BROKER_EPOCH";
    /// The leader's HW has not reached its epoch's start yet.
    OffsetNotAvailable = 78 "OFFSET_NOT_AVAILABLE";
    /// The preferred leader may not lead now.
    PreferredLeaderNotAvailable = 80 "PREFERRED_LEADER_NOT_AVAILABLE";
    /// No replica may lead now.
    EligibleLeadersNotAvailable = 83 "ELIGIBLE_LEADERS_NOT_AVAILABLE";
    /// The election would change nothing.
    ElectionNotNeeded = 84 "ELECTION_NOT_NEEDED";
    /// The partition epoch of the request is older than the controller's.
    InvalidUpdateVersion = 95 "INVALID_UPDATE_VERSION";
    /// The topic id is not known.
    UnknownTopicId = 100 "UNKNOWN_TOPIC_ID";
    /// The broker's previous session is still valid.
    DuplicateBrokerRegistration = 101 "DUPLICATE_BROKER_REGISTRATION";
    /// The broker is not registered.
    BrokerIdNotRegistered = 102 "BROKER_ID_NOT_REGISTERED";
    /// A proposed ISR member is fenced, shutting down, or of another broker epoch.
    IneligibleReplica = 107 "INELIGIBLE_REPLICA";
    /// The change was written and moved the leader.
    NewLeaderElected = 108 "NEW_LEADER_ELECTED";
    /// An answer of a broker this model has no finer word for.
    UnknownServerError = -1 "UNKNOWN_SERVER_ERROR";
}

impl KafkaError {
    /// The error of that name, if the model knows it.
    pub fn from_name(name: &str) -> Option<KafkaError> {
        KafkaError::ALL.iter().copied().find(|e| e.name() == name)
    }

    /// Whether a producer sends the batch again on this answer (rules 4.2).
    pub fn retriable(self) -> bool {
        matches!(
            self,
            KafkaError::RequestTimedOut
                | KafkaError::NetworkException
                | KafkaError::NotLeaderOrFollower
                | KafkaError::LeaderNotAvailable
                | KafkaError::NotEnoughReplicas
                | KafkaError::NotEnoughReplicasAfterAppend
                | KafkaError::UnknownTopicOrPartition
                | KafkaError::FencedLeaderEpoch
                | KafkaError::UnknownLeaderEpoch
                | KafkaError::KafkaStorageError
        )
    }

    /// Whether the answer proves that the broker appended nothing (rules 9: only these exclude an append).
    pub fn excludes_append(self) -> bool {
        matches!(
            self,
            KafkaError::NotEnoughReplicas
                | KafkaError::InvalidRequiredAcks
                | KafkaError::OutOfOrderSequenceNumber
                | KafkaError::InvalidProducerEpoch
                | KafkaError::InvalidTxnState
                | KafkaError::UnknownProducerId
        )
    }
}

impl fmt::Display for KafkaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
