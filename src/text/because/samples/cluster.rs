//! One event of every kind at roles, the controller and the clients.

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::event::{
    ChangeReason, Election, EventKind, QueryAnswer, TransactionState,
};
use highwater_core::kafka::ids::{
    BrokerEpoch, LeaderEpoch, MetadataOffset, Millis, Offset, PartitionEpoch,
};
use highwater_core::kafka::record::Payload;

use super::{B1, B2, batch, partition, set};

pub fn roles() -> Vec<EventKind> {
    let follower = |leader| EventKind::BecameFollower {
        broker: B1,
        leader,
        epoch: LeaderEpoch(1),
        partition_epoch: PartitionEpoch(5),
    };
    let diverged = |epoch, end| EventKind::Diverged {
        broker: B1,
        epoch,
        end,
        cut: Offset(2),
    };
    let backed_off = |error| EventKind::FetchBackedOff {
        broker: B2,
        error,
        until: Millis(1_524),
    };
    vec![
        EventKind::BecameLeader {
            broker: B2,
            epoch: LeaderEpoch(1),
            epoch_start: Offset(2),
            hw: Offset(2),
            isr: set(&[2, 3]),
            partition_epoch: PartitionEpoch(5),
        },
        EventKind::IsrLearned {
            leader: B2,
            isr: set(&[2, 3]),
            partition_epoch: PartitionEpoch(5),
        },
        follower(Some(B2)),
        follower(None),
        EventKind::MetadataApplied {
            broker: B2,
            offset: MetadataOffset(12),
        },
        diverged(Some(LeaderEpoch(0)), Some(Offset(2))),
        diverged(None, None),
        backed_off(Some(KafkaError::NotLeaderOrFollower)),
        backed_off(None),
        EventKind::FetchFailed {
            broker: B2,
            error: KafkaError::FencedLeaderEpoch,
        },
    ]
}

pub fn controller() -> Vec<EventKind> {
    let registered = |clean| EventKind::BrokerRegistered {
        broker: B1,
        epoch: BrokerEpoch(40),
        clean,
    };
    let fenced = |session_expired| EventKind::BrokerFenced {
        broker: B1,
        session_expired,
    };
    let mut kinds = vec![
        EventKind::AlterPartitionRefused {
            broker: B1,
            error: KafkaError::InvalidUpdateVersion,
        },
        registered(true),
        registered(false),
        EventKind::RegistrationRefused {
            broker: B1,
            error: KafkaError::DuplicateBrokerRegistration,
        },
        fenced(true),
        fenced(false),
        EventKind::BrokerUnfenced { broker: B1 },
        EventKind::ControlledShutdownBegan { broker: B1 },
    ];
    let changed = |after, reason, election| EventKind::PartitionChanged {
        before: partition(Some(1), 0, &[1, 2, 3], &[]),
        after,
        reason,
        election,
    };
    for reason in [
        ChangeReason::Created,
        ChangeReason::SessionExpired(B1),
        ChangeReason::ControlledShutdown(B1),
        ChangeReason::Registered {
            broker: B1,
            clean: true,
        },
        ChangeReason::Registered {
            broker: B1,
            clean: false,
        },
        ChangeReason::Unfenced(B2),
        ChangeReason::Unregistered(B1),
        ChangeReason::AlterPartition(B1),
        ChangeReason::PreferredElection,
        ChangeReason::UncleanElection,
        ChangeReason::UncleanElectionTimer,
        ChangeReason::LeaderRebalance,
        ChangeReason::ElrCleared,
        ChangeReason::NamedElection(B2),
    ] {
        kinds.push(changed(
            partition(Some(2), 1, &[2, 3], &[]),
            reason,
            Election::FromIsr,
        ));
    }
    let reason = ChangeReason::SessionExpired(B1);
    for (after, election) in [
        (partition(None, 1, &[], &[1]), Election::NoLeader),
        (partition(Some(1), 1, &[1, 2], &[]), Election::None),
        (partition(Some(1), 0, &[1, 2], &[]), Election::None),
        (partition(Some(1), 0, &[1], &[2, 3]), Election::None),
        (partition(Some(1), 0, &[1, 2, 3], &[2]), Election::None),
        (partition(Some(1), 0, &[1, 2, 3], &[]), Election::None),
    ] {
        kinds.push(changed(after, reason, election));
    }
    kinds
}

pub fn clients() -> Vec<EventKind> {
    let consumed = |skipped| EventKind::Consumed {
        from: Offset(0),
        to: Offset(3),
        broker: B1,
        skipped,
    };
    let mut kinds = vec![
        consumed(0),
        consumed(1),
        EventKind::ConsumerFailed {
            error: KafkaError::OffsetOutOfRange,
            position: Offset(0),
        },
        EventKind::ConsumerSentTo {
            broker: B2,
            by: B1,
            until: Millis(300_000),
        },
    ];
    let fetch = |error, aborted| QueryAnswer::Fetch {
        error,
        hw: Offset(3),
        lso: Offset(2),
        aborted,
        batches: vec![
            batch(Payload::Before),
            batch(Payload::Marker { commit: false }),
        ],
    };
    let end = |error, epoch, end| QueryAnswer::EpochEnd { error, epoch, end };
    for answer in [
        fetch(None, 0),
        fetch(None, 1),
        fetch(None, 2),
        fetch(Some(KafkaError::OffsetOutOfRange), 0),
        QueryAnswer::Latest(Ok(Offset(3))),
        QueryAnswer::Latest(Err(KafkaError::OffsetNotAvailable)),
        end(None, Some(LeaderEpoch(0)), Some(Offset(3))),
        end(None, None, None),
        end(Some(KafkaError::UnknownLeaderEpoch), None, None),
        QueryAnswer::NoLeader,
    ] {
        kinds.push(EventKind::QueryAnswered { step: 0, answer });
    }
    for state in [
        TransactionState::Began,
        TransactionState::Committed,
        TransactionState::Aborted,
    ] {
        kinds.push(EventKind::TransactionChanged {
            transaction: 1,
            state,
        });
    }
    kinds
}
