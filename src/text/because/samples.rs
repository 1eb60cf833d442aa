//! One event of every kind, in every form that reads differently, and a run with a message of every kind.

mod bodies;
mod cluster;

use bodies::bodies;
use cluster::{clients, controller, roles};

use highwater_core::kafka::cause::{Cause, Quantity, Rule, Value};
use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::event::{
    Event, EventKind, HwHold, IsrChange, LinkState, Loss, Outcome, Stale, Stop,
};
use highwater_core::kafka::ids::{
    BrokerId, BrokerSet, EventId, LeaderEpoch, MessageId, Millis, Offset, PartitionEpoch, SendId,
};
use highwater_core::kafka::message::{Message, Node};
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::settings::Acks;
use highwater_core::scenario::{Action, Produce, Scenario, Step, When};
use highwater_core::sim::{MessageRecord, Run};
use std::sync::Arc;

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
