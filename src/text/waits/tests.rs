#![allow(clippy::unwrap_used)] // A test that fails may panic.

use super::*;
use crate::text::every_language;
use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::parse;
use highwater_core::sim::{run, verdict};

/// What is said of a record at the end of a millisecond, in English.
fn said(script: &str, record: usize, at: u64) -> Vec<String> {
    in_language(&Text::english(), script, record, at)
}

fn in_language(text: &Text, script: &str, record: usize, at: u64) -> Vec<String> {
    let run = run(&parse(script).unwrap());
    let verdict = verdict(&run);
    let instant = Instant {
        at: Millis(at),
        position: u32::MAX,
    };
    why_not(text, &run, &verdict.records[record - 1], instant)
}

const LATE: &str =
    "at 0ms produce\nat 500ms pause-fetch 3\nat 510ms pause-fetch 2\nat 520ms produce\n";

#[test]
fn the_member_of_the_isr_that_lacks_it_is_named() {
    assert_eq!(
        said(LATE, 2, 530),
        [
            "m2 is not acknowledged: broker 3 of ISR {1, 2, 3} has not fetched it, so HW is 1 and not 2.",
            "m2 is not committed: broker 3 of ISR {1, 2, 3} has not fetched it, so HW is 1 and not 2.",
            "m2 is not visible: consumers read below HW only.",
        ]
    );
    assert_eq!(
        said(LATE, 1, 530),
        ["m1 waits for nothing: it is acknowledged, committed and visible."]
    );
}

#[test]
fn a_leader_that_has_not_heard_of_its_followers_says_so() {
    let script = "set fetch=manual\nat 5ms produce\n";
    assert_eq!(
        said(script, 1, 20)[1],
        "m1 is not committed: leader 1 of epoch 0, which starts at offset 0, does not know yet how far brokers 2 and 3 are."
    );
}

#[test]
fn before_it_is_sent_and_on_the_way() {
    assert_eq!(said(LATE, 2, 100), ["The script produces m2 at 520 ms."]);
    let way = said(LATE, 2, 520);
    assert_eq!(
        way[0],
        "m2 is not acknowledged: the request has not reached broker 1 yet."
    );
    assert_eq!(way[1], "m2 is not committed: it is in no log.");
}

#[test]
fn a_follower_that_has_it_tells_with_its_next_fetch() {
    let script = "at 0ms produce\nat 500ms slow-fetch 2 300ms\nat 510ms slow-fetch 3 300ms\nat 1520ms produce\n";
    let found = (1520..2200).any(|at| {
        said(script, 2, at)
            .iter()
            .any(|line| line.contains("the leader learns that with the next fetch"))
    });
    assert!(found);
}

#[test]
fn below_min_isr_the_hw_stays() {
    let script = "set acks=1\nat 0ms produce\nat 10ms kill 2\nat 11ms kill 3\nthen await-fenced 3\nat 30s produce\n";
    let lines = said(script, 2, 30_010);
    assert_eq!(
        lines,
        [
            "m2 is not committed: HW stays at 1 while ISR {1} has fewer members than min.insync.replicas=2.",
            "m2 is not visible: consumers read below HW only.",
        ]
    );
    let refused = script.replace("acks=1", "acks=all");
    let lines = said(&refused, 2, 30_010);
    assert_eq!(
        lines[0],
        "m2 is not acknowledged: the producer was told NOT_ENOUGH_REPLICAS and sends it no more."
    );
    assert_eq!(lines[1], "m2 is not committed: it is in no log.");
}

#[test]
fn without_a_leader_nothing_is_committed() {
    let script =
        "set acks=1\nat 0ms pause-fetch 2\nat 0ms pause-fetch 3\nat 10ms produce\nat 20ms kill 1\n";
    let down = said(script, 1, 30);
    assert_eq!(
        down[0],
        "m1 is not committed: leader 1 is down, and the controller has not ended its session yet."
    );
    let lost = said(script, 1, 15_000);
    assert_eq!(
        lost[0],
        "m1 is not committed: leader 2 does not have it; broker 1 does."
    );
}

#[test]
fn acks_zero_promises_nothing() {
    let lines = said("set acks=0\nat 0ms pause-fetch 2\nat 5ms produce\n", 1, 20);
    assert_eq!(
        lines[0],
        "m1 is not acknowledged: with acks=0 the producer awaits no answer."
    );
}

#[test]
fn an_open_transaction_hides_it_from_read_committed() {
    let script = "set isolation.level=read_committed\nat 0ms begin-transaction\nat 5ms produce transactional\n";
    let lines = said(script, 1, 50);
    assert_eq!(
        lines,
        [
            "m1 is not visible: a transaction is open since offset 0, and a read_committed consumer reads below LSO 0 only."
        ]
    );
}

#[test]
fn every_language_says_every_wait() {
    let set: BrokerSet = [BrokerId(2), BrokerId(3)].into_iter().collect();
    use highwater_core::kafka::error::KafkaError;
    use highwater_core::kafka::ids::{LeaderEpoch, Offset};
    let (isr, elr, min, hw) = (set.clone(), set.clone(), 2, Offset(3));
    let (epoch, start, follower) = (LeaderEpoch(1), Offset(5), BrokerId(3));
    let leader = BrokerId(1);
    let all = [
        Wait::NotProduced(Millis(5)),
        Wait::NoPromise,
        Wait::NothingToAsk,
        Wait::Backoff(Millis(7)),
        Wait::RequestOnItsWay(leader),
        Wait::AnswerOnItsWay,
        Wait::Refused(KafkaError::NotEnoughReplicas),
        Wait::NothingSent,
        Wait::NoAnswer,
        Wait::InNoLog,
        Wait::NoLeader {
            isr: isr.clone(),
            elr,
        },
        Wait::LeaderDown(leader),
        Wait::LeaderNotReady(leader),
        Wait::NotInLeadersLog {
            leader,
            has: set.clone(),
        },
        Wait::NotInLeadersLog {
            leader,
            has: BrokerSet::new(),
        },
        Wait::BelowMinIsr {
            isr: isr.clone(),
            min,
            hw,
        },
        Wait::BeforeEpochStart {
            isr: isr.clone(),
            min,
            follower,
            epoch,
            start,
        },
        Wait::PositionsUnknown {
            leader,
            epoch,
            start,
            brokers: set.clone(),
        },
        Wait::Lacking {
            brokers: set.clone(),
            isr,
            hw,
            required: start,
        },
        Wait::NotTold(set),
        Wait::NextLook,
        Wait::NotCommitted,
        Wait::OpenTransaction { first: hw, lso: hw },
        Wait::Aborted,
        Wait::FollowersHw {
            broker: follower,
            hw,
        },
    ];
    for text in every_language() {
        for wait in &all {
            let line = sentence(&text, 3, Fact::Committed, wait);
            assert!(line.contains("m3"), "{line}");
            assert!(
                !line.contains(['{', '}']) || line.contains("{2, 3}"),
                "{line}"
            );
        }
    }
    let korean = &every_language()[1];
    assert_eq!(
        in_language(korean, LATE, 2, 530)[0],
        "m2는 아직 ack되지 않았다: ISR {1, 2, 3}의 브로커 3이 아직 fetch하지 않아서 HW는 2가 아니라 1이다."
    );
}
