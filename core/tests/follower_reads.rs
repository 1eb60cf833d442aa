//! Fetch from follower (KIP-392; rules 7): who sends the consumer where, and what it may then read.

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{BrokerId, Offset};
use highwater_core::scenario::parse;
use highwater_core::sim::{Run, run};

/// What happened to the consumer, in order.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    SentTo(u32, u32),
    Read(u64, u64, u32),
    Failed(KafkaError, u64),
}

fn play(script: &str) -> Run {
    match parse(script) {
        Ok(scenario) => run(&scenario),
        Err(errors) => panic!("{errors:?}"),
    }
}

fn seen(run: &Run) -> Vec<Seen> {
    run.events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::ConsumerSentTo { broker, by, .. } => Some(Seen::SentTo(by.0, broker.0)),
            EventKind::Consumed {
                from, to, broker, ..
            } => Some(Seen::Read(from.0, to.0, broker.0)),
            EventKind::ConsumerFailed { error, position } => Some(Seen::Failed(error, position.0)),
            _ => None,
        })
        .collect()
}

#[test]
fn the_leader_sends_a_consumer_to_the_replica_of_its_rack() {
    let run = play("set broker.rack=1:a,2:b,3:c client.rack=b\nat 0ms produce\nat 2s produce\n");
    assert_eq!(
        seen(&run),
        [Seen::SentTo(1, 2), Seen::Read(0, 1, 2), Seen::Read(1, 2, 2)]
    );
}

#[test]
fn nobody_is_sent_anywhere_without_a_rack_of_their_own() {
    for set in [
        "broker.rack=1:a,2:b,3:c",
        "client.rack=b",
        "broker.rack=1:a,2:b,3:c client.rack=a",
        "broker.rack=1:a,2:b,3:c client.rack=d",
        "version=2.0 broker.rack=1:a,2:b,3:c client.rack=b",
        "broker.rack=1:a,2:b,3:c client.rack=b rule.preferred.read.replica=off",
    ] {
        let run = play(&format!("set {set}\nat 0ms produce\n"));
        assert_eq!(seen(&run), [Seen::Read(0, 1, 1)], "{set}");
    }
}

#[test]
fn a_dead_replica_is_left_and_not_offered_again() {
    let run = play(
        "set broker.rack=1:a,2:b,3:c client.rack=b min.insync.replicas=1\nat 0ms produce\nat 1s kill 2\n\
         at 20s produce\n",
    );
    let mut seen = seen(&run);
    let tries = seen.len();
    seen.dedup();
    assert_eq!(
        seen,
        [
            Seen::SentTo(1, 2),
            Seen::Read(0, 1, 2),
            // Until its session ends the leader goes on to name it; then it reads for the consumer itself.
            Seen::SentTo(1, 2),
            Seen::Read(1, 2, 1)
        ]
    );
    assert!(
        tries < 20,
        "an unreachable broker is tried once a second, not {tries} times"
    );
}

#[test]
fn a_reader_at_a_follower_is_bounded_by_that_followers_hw() {
    let in_rack = |rack: &str| {
        play(&format!(
            "set broker.rack=1:a,2:b,3:c client.rack={rack}\nat 0ms produce\nat 600ms produce\n"
        ))
    };
    let (near, far) = (in_rack("a"), in_rack("b"));
    let when = |run: &Run| {
        run.events.iter().rev().find_map(|event| match event.kind {
            EventKind::Consumed { to: Offset(2), .. } => Some(event.at),
            _ => None,
        })
    };
    let (near, far) = (when(&near), when(&far));
    assert!(near.is_some() && far.is_some());
    // The follower learns the HW with its next answer, which waits for replica.fetch.wait.max.ms on a quiet partition.
    assert!(far > near, "{near:?} {far:?}");
}

#[test]
fn an_offset_that_a_follower_lacks_resets_nothing() {
    // The consumer has read from the leader; then it is told to read from broker 3, which lags behind.
    let run = play(
        "set consumer.reads.from=3 replica.lag.time.max.ms=600000\nat 0ms pause-fetch 3\nat 10ms produce\n\
         at 20ms kill 3\nat 12s produce\nat 14s start 3\nat 30s produce\n",
    );
    let seen = seen(&run);
    assert!(
        !seen.windows(2).any(|pair| matches!(
            pair,
            [Seen::Read(_, to, _), Seen::Read(from, ..)] if from < to
        )),
        "{seen:?}"
    );
    assert!(
        seen.iter().all(|one| !matches!(one, Seen::Failed(_, 0))),
        "{seen:?}"
    );
    let last = run.last();
    assert_eq!(last.cluster().consumer.position, Offset(3), "{seen:?}");
    assert!(last.cluster().broker(BrokerId(3)).is_some());
}
