use super::*;
use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::{BrokerId, BrokerSet, EventId, Millis, SendId};
use highwater_core::sim::verdict::Since;

fn since(at: u64) -> Since {
    Since {
        at: Millis(at),
        event: EventId(0),
    }
}

fn record(number: u64) -> RecordVerdict {
    RecordVerdict {
        record: number,
        send: SendId(0),
        sent: since(0),
        appended: Vec::new(),
        acknowledged: Some(since(2)),
        refused: None,
        last_outcome: None,
        committed: None,
        visible: None,
        lost: None,
        duplicated: false,
        unknown: false,
        in_final_log: true,
    }
}

fn answer(
    records: Vec<RecordVerdict>,
    unavailable: Option<Unavailable>,
) -> (String, String, Vec<String>) {
    let verdict = Verdict {
        records,
        unavailable,
        chain: Vec::new(),
    };
    let headline = headline(&Text::english(), &verdict);
    (headline.title, headline.line, headline.also)
}

fn lost(number: u64) -> RecordVerdict {
    RecordVerdict {
        lost: Some(since(5530)),
        in_final_log: false,
        ..record(number)
    }
}

#[test]
fn lost_comes_first_and_names_the_records() {
    let (title, line, also) = answer(vec![record(1), record(2), lost(3), record(4)], None);
    assert_eq!(title, "1 acknowledged record was lost: m3.");
    assert_eq!(
        line,
        "The producer was told ok, so nobody will send it again."
    );
    assert!(also.is_empty());

    let many = (1..=20)
        .map(|n| if n % 2 == 0 { lost(n) } else { record(n) })
        .collect();
    let down = Some(Unavailable::LeaderDown(BrokerId(1)));
    let (title, line, also) = answer(many, down);
    assert_eq!(
        title,
        "10 acknowledged records were lost: m2, m4 and 8 more."
    );
    assert_eq!(
        line,
        "The producer was told ok, so nobody will send them again."
    );
    assert_eq!(also, ["And the partition is unavailable at the end."]);
}

#[test]
fn a_lost_record_that_was_only_readable_is_told_as_that() {
    let seen = RecordVerdict {
        acknowledged: None,
        visible: Some(since(3)),
        ..lost(7)
    };
    assert_eq!(
        answer(vec![seen], None).0,
        "1 record that could be read was lost: m7."
    );
}

#[test]
fn all_survived() {
    assert_eq!(
        answer((1..=4).map(record).collect(), None).0,
        "All 4 acknowledged records survived."
    );
    assert_eq!(
        answer(vec![record(1)], None).0,
        "The acknowledged record survived."
    );
}

#[test]
fn unavailable_says_why() {
    let isr: BrokerSet = [BrokerId(1)].into_iter().collect();
    let none = Unavailable::NoLeader {
        isr,
        elr: BrokerSet::new(),
    };
    let (title, line, _) = answer(vec![record(1)], Some(none));
    assert_eq!(title, "The partition is unavailable: nobody may lead.");
    assert_eq!(line, "No live broker is in ISR {1} or ELR {}.");
    let below = Unavailable::BelowMinIsr { isr: 1, min: 2 };
    assert_eq!(
        answer(vec![record(1)], Some(below)).1,
        "The ISR has 1 member; 2 are needed."
    );
}

#[test]
fn refused_and_unknown_are_told_apart() {
    let refused = |number| RecordVerdict {
        acknowledged: None,
        refused: Some((KafkaError::NotEnoughReplicas, since(3))),
        in_final_log: false,
        ..record(number)
    };
    let unknown = |number, there| RecordVerdict {
        acknowledged: None,
        unknown: true,
        in_final_log: there,
        ..record(number)
    };
    let (title, line, also) = answer(vec![refused(1), refused(2), unknown(3, true)], None);
    assert_eq!(title, "2 records were refused: m1 and m2.");
    assert_eq!(
        line,
        "The producer was told NOT_ENOUGH_REPLICAS, so it knows."
    );
    assert_eq!(also, ["The outcome of m3 is unknown to the producer."]);
    let (title, line, _) = answer(vec![unknown(3, true)], None);
    assert_eq!(
        title,
        "The outcome of 1 record is unknown to the producer: m3."
    );
    assert_eq!(line, "It is in the log all the same.");
    let (_, line, _) = answer(vec![unknown(3, true), unknown(4, false)], None);
    assert_eq!(line, "Some are in the log and some are not.");
}

#[test]
fn acks_0_promises_nothing() {
    let sent = |number, there| RecordVerdict {
        acknowledged: None,
        unknown: true,
        last_outcome: Some((Outcome::NoAnswerExpected, since(1))),
        in_final_log: there,
        ..record(number)
    };
    let (title, line, _) = answer(vec![sent(1, true), sent(2, false)], None);
    assert_eq!(title, "Nothing was promised: acks=0.");
    assert_eq!(
        line,
        "1 of 2 records sent with acks=0 is not in the log: m2."
    );
}

#[test]
fn a_duplicate_comes_before_unavailability() {
    let twice = RecordVerdict {
        duplicated: true,
        ..record(3)
    };
    let (title, _, also) = answer(vec![twice], Some(Unavailable::LeaderDown(BrokerId(2))));
    assert_eq!(title, "1 record is in the log twice: m3.");
    assert_eq!(also.len(), 1);
}

#[test]
fn record_names_are_shortened() {
    let text = Text::english();
    for (numbers, expect) in [
        (vec![3], "m3"),
        (vec![3, 4], "m3 and m4"),
        (vec![3, 4, 5], "m3–m5"),
        (vec![1, 3, 5], "m1, m3 and m5"),
        (vec![1, 3, 5, 7], "m1, m3 and 2 more"),
        ((1..=60).collect(), "m1–m60"),
        (vec![], ""),
    ] {
        assert_eq!(record_names(&text, &numbers), expect);
    }
}
