//! One event of every kind, in every form that reads differently, and a run with a message of every kind.

use std::sync::Arc;

use highwater_core::kafka::cause::{Cause, Quantity, Rule, Value};
use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::event::{
    ChangeReason, Election, Event, EventKind, HwHold, IsrChange, LinkState, Loss, Outcome,
    QueryAnswer, Stale, Stop, TransactionState,
};
use highwater_core::kafka::ids::{
    BrokerEpoch, BrokerId, BrokerSet, EventId, LeaderEpoch, MessageId, MetadataOffset, Millis,
    Offset, PartitionEpoch, SendId,
};
use highwater_core::kafka::message::{
    AlterPartitionRequest, AlterPartitionResponse, Body, DivergingEpoch, FetchRequest,
    FetchResponse, HeartbeatRequest, HeartbeatResponse, ListOffsetsRequest, ListOffsetsResponse,
    Message, MetadataImage, Node, OffsetsForLeaderEpochRequest, OffsetsForLeaderEpochResponse,
    ProduceRequest, ProduceResponse, RegistrationRequest, RegistrationResponse,
};
use highwater_core::kafka::partition::{PartitionState, Recovery};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::settings::{Acks, Isolation};
use highwater_core::scenario::{Action, Produce, Scenario, Step, When};
use highwater_core::sim::{MessageRecord, Run};

const B1: BrokerId = BrokerId(1);
const B2: BrokerId = BrokerId(2);
const REFUSED: KafkaError = KafkaError::NotEnoughReplicas;

pub(super) fn set(brokers: &[u32]) -> BrokerSet {
    brokers.iter().copied().map(BrokerId).collect()
}

pub(super) fn batch(payload: Payload) -> Batch {
    Batch {
        base: Offset(2),
        count: 1,
        epoch: LeaderEpoch(0),
        producer: None,
        payload,
    }
}

fn partition(leader: Option<u32>, epoch: u32, isr: &[u32], elr: &[u32]) -> Box<PartitionState> {
    Box::new(PartitionState {
        replicas: [1, 2, 3].map(BrokerId).to_vec(),
        isr: set(isr),
        elr: set(elr),
        leader: leader.map(BrokerId),
        leader_epoch: LeaderEpoch(epoch),
        partition_epoch: PartitionEpoch(epoch + 4),
        ..PartitionState::default()
    })
}

/// An event of a kind, by a rule without numbers.
pub(super) fn event(kind: EventKind, rule: Rule) -> Event {
    Event {
        id: EventId(9),
        at: Millis(524),
        sequence: 0,
        kind,
        cause: Cause::of(rule),
        idle: false,
    }
}

/// A cause with every number that a sentence can look for.
pub(super) fn rich(rule: Rule) -> Cause {
    let follower = |follower| Quantity::FollowerLeo {
        leader: B1,
        follower,
    };
    let mut cause = Cause::of(rule)
        .number(Quantity::MaximalIsr(B1), set(&[1, 2]))
        .number(Quantity::CommittedIsr(B1), set(&[1, 2]))
        .number(follower(B2), Offset(3))
        .number(Quantity::Hw(B1), Offset(3))
        .number(Quantity::RequiredOffset, Offset(3))
        .number(Quantity::MinIsr, 2_u32)
        .number(Quantity::IsrSize, 1_u32)
        .number(Quantity::Sequence, 7_u32)
        .number(Quantity::ExpectedSequence, 5_u32)
        .number(Quantity::Waited, Millis(9_000))
        .number(Quantity::Backoff, Millis(100))
        .number(Quantity::LagTimeMax, Millis(30_000))
        .number(Quantity::SessionTimeout, Millis(9_000))
        .number(Quantity::RequestTimeout, Millis(30_000))
        .number(Quantity::DeliveryTimeout, Millis(120_000))
        .number(Quantity::RequestEpoch, LeaderEpoch(0))
        .number(Quantity::BrokerLeaderEpoch(B1), LeaderEpoch(1));
    for (place, number) in cause.numbers.iter_mut().enumerate() {
        number.set_by = (place == 2).then_some(EventId(8));
    }
    cause
}

/// Every error that is answered has one text; one stands for all.
fn outcomes() -> [Outcome; 8] {
    [
        Outcome::Ok(Offset(2)),
        Outcome::Refused(REFUSED),
        Outcome::NoAnswer,
        Outcome::ConnectionClosed,
        Outcome::LeaderDown,
        Outcome::NoLeader,
        Outcome::NoAnswerExpected,
        Outcome::ResponseLost,
    ]
}

/// One of every kind, in every form that reads differently.
pub(super) fn kinds() -> Vec<EventKind> {
    let mut kinds = outside();
    kinds.extend(messages());
    kinds.extend(producer());
    kinds.extend(logs());
    kinds.extend(leader());
    kinds.extend(roles());
    kinds.extend(controller());
    kinds.extend(clients());
    kinds
}

fn outside() -> Vec<EventKind> {
    let stopped = |how| EventKind::BrokerStopped {
        broker: B1,
        how,
        leo: Offset(3),
        checkpointed_hw: Offset(2),
    };
    let started = |clean, forgotten_epochs| EventKind::BrokerStarted {
        broker: B1,
        leo: Offset(3),
        hw: Offset(2),
        forgotten_epochs,
        clean,
    };
    let link = |state| EventKind::LinkChanged {
        from: Node::Broker(B2),
        to: Node::Controller,
        state,
    };
    let config = |value, result| EventKind::ConfigSet {
        name: "min.insync.replicas",
        value,
        result,
    };
    vec![
        EventKind::Step { step: 0 },
        EventKind::Step { step: 1 },
        EventKind::Step { step: 99 },
        stopped(Stop::Clean),
        stopped(Stop::Kill),
        stopped(Stop::PowerLoss(Offset(3))),
        started(true, 0),
        started(false, 1),
        started(false, 2),
        EventKind::BrokerExited {
            broker: B1,
            leo: Offset(3),
            leader_leo: Offset(2),
        },
        EventKind::ControllerStopped,
        EventKind::ControllerStarted,
        link(LinkState::Open),
        link(LinkState::Cut),
        link(LinkState::Held),
        link(LinkState::Slow(Millis(20))),
        link(LinkState::FetchPaused),
        link(LinkState::FetchResumed),
        config(Value::Count(1), Ok(())),
        config(Value::Flag(true), Ok(())),
        config(Value::Count(1), Err(KafkaError::InvalidConfig)),
        EventKind::ElectionAnswered { result: Ok(()) },
        EventKind::ElectionAnswered {
            result: Err(KafkaError::ElectionNotNeeded),
        },
    ]
}

fn messages() -> Vec<EventKind> {
    let mut kinds = Vec::new();
    // One number past the last: a message that the run does not know.
    for number in 0..=bodies().len() as u32 {
        let message = MessageId(number);
        kinds.push(EventKind::MessageSent { message });
        kinds.push(EventKind::MessageArrived { message });
        kinds.push(EventKind::MessageHeld { message });
        for why in [
            Loss::Dropped,
            Loss::LinkCut,
            Loss::ReceiverDown,
            Loss::ConnectionClosed,
        ] {
            kinds.push(EventKind::MessageLost { message, why });
        }
    }
    for why in [
        Stale::LeaderEpoch,
        Stale::FetchOffset,
        Stale::PartitionState,
        Stale::Metadata,
        Stale::Incarnation,
        Stale::Attempt,
    ] {
        for message in [None, Some(MessageId(2))] {
            kinds.push(EventKind::MessageIgnored {
                message,
                by: Node::Consumer,
                why,
            });
        }
    }
    kinds
}

fn producer() -> Vec<EventKind> {
    let send = SendId(0);
    let sent = |send, attempt| EventKind::ProduceSent {
        send,
        attempt,
        to: B1,
    };
    let mut kinds = vec![
        EventKind::ProduceCalled {
            send,
            first_record: 3,
            count: 1,
            acks: Acks::Leader,
        },
        EventKind::ProduceCalled {
            send: SendId(1),
            first_record: 4,
            count: 5,
            acks: Acks::All,
        },
        sent(send, 1),
        sent(send, 2),
        sent(SendId(77), 1),
        EventKind::DeliveryTimedOut { send },
    ];
    for outcome in outcomes() {
        for retry in [false, true] {
            kinds.push(EventKind::ProduceAnswered {
                send,
                attempt: 1,
                outcome,
                retry,
            });
        }
    }
    kinds
}

fn logs() -> Vec<EventKind> {
    let appended = |payload, send| EventKind::Appended {
        broker: B1,
        batch: batch(payload),
        send,
        leo: Offset(3),
    };
    let moved = |from, to, leads| EventKind::HwChanged {
        broker: B2,
        from: Offset(from),
        to: Offset(to),
        leads,
    };
    let held = |why| EventKind::HwHeld {
        broker: B1,
        at: Offset(2),
        why,
    };
    vec![
        appended(Payload::Records { first: 3 }, Some(SendId(0))),
        appended(Payload::Records { first: 3 }, None),
        appended(Payload::Marker { commit: true }, None),
        appended(Payload::Marker { commit: false }, None),
        appended(Payload::Before, None),
        EventKind::Truncated {
            broker: B1,
            from: Offset(3),
            to: Offset(2),
            hw: Offset(2),
        },
        moved(2, 3, true),
        moved(3, 2, true),
        moved(2, 3, false),
        moved(3, 2, false),
        held(HwHold::BelowMinIsr { isr: 1, min: 2 }),
        held(HwHold::Replicas(set(&[2]))),
        held(HwHold::Replicas(set(&[2, 3]))),
        EventKind::LsoChanged {
            broker: B1,
            from: Offset(2),
            to: Offset(3),
        },
        EventKind::EpochAssigned {
            broker: B2,
            epoch: LeaderEpoch(1),
            start: Offset(2),
        },
    ]
}

fn leader() -> Vec<EventKind> {
    let send = SendId(0);
    let served = |end, error, diverging| EventKind::FetchServed {
        broker: B1,
        by: Node::Broker(B2),
        offset: Offset(2),
        end: Offset(end),
        hw: Offset(2),
        error,
        diverging,
    };
    let noted = |last_caught_up| EventKind::FollowerStateUpdated {
        leader: B1,
        follower: B2,
        leo: Offset(3),
        last_caught_up,
    };
    let proposed = |change| EventKind::IsrProposed {
        leader: B1,
        isr: set(&[1, 2]),
        change,
        members: set(&[3]),
    };
    let completed = |result| EventKind::ProduceCompleted {
        broker: B1,
        send,
        result,
        timed_out: false,
    };
    vec![
        EventKind::AppendRefused {
            broker: B1,
            send,
            error: REFUSED,
        },
        EventKind::DuplicateRecognised {
            broker: B1,
            send,
            base: Offset(2),
            end: Offset(3),
        },
        EventKind::ProduceParked {
            broker: B1,
            send,
            required: Offset(3),
            until: Millis(30_524),
        },
        completed(Ok(Offset(2))),
        completed(Err(KafkaError::RequestTimedOut)),
        EventKind::FetchParked {
            broker: B1,
            by: Node::Consumer,
            offset: Offset(3),
            until: Millis(1_024),
        },
        served(2, None, false),
        served(3, None, false),
        served(2, Some(KafkaError::FencedLeaderEpoch), false),
        served(2, None, true),
        noted(Some(Millis(520))),
        noted(None),
        proposed(IsrChange::Shrink),
        proposed(IsrChange::Expand),
        EventKind::IsrAnswered {
            leader: B1,
            result: Ok(set(&[1, 2])),
        },
        EventKind::IsrAnswered {
            leader: B1,
            result: Err(KafkaError::IneligibleReplica),
        },
    ]
}

fn roles() -> Vec<EventKind> {
    let follower = |leader| EventKind::BecameFollower {
        broker: B1,
        leader,
        epoch: LeaderEpoch(1),
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

fn controller() -> Vec<EventKind> {
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

fn clients() -> Vec<EventKind> {
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

/// One of every body, in every form that reads differently.
pub(super) fn bodies() -> Vec<Body> {
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

/// A run whose messages are [`bodies`] and whose produce calls are m3 and m4–m8.
pub(super) fn run() -> Run {
    let step = |action| Step {
        when: When::Settled,
        action,
    };
    let produce = |records| {
        step(Action::Produce(Produce {
            records,
            ..Produce::default()
        }))
    };
    let messages = bodies()
        .into_iter()
        .enumerate()
        .map(|(place, body)| MessageRecord {
            id: MessageId(place as u32),
            message: Arc::new(Message {
                from: Node::Broker(B1),
                to: Node::Broker(B2),
                reply_to: None,
                body,
            }),
            sent_at: Millis(520),
            sent_event: EventId(0),
            arrived_at: None,
            end_event: None,
        });
    let scenario = Scenario {
        steps: vec![produce(2), step(Action::Kill(B1)), produce(1)],
        ..Scenario::default()
    };
    let mut run = highwater_core::sim::run(&scenario);
    run.events = producer()
        .into_iter()
        .take(2)
        .map(|kind| event(kind, Rule::Script))
        .collect();
    run.messages = messages.collect();
    run
}
