//! The log's properties on generated histories, and the rules that Kafka's own cases leave open.

use proptest::prelude::*;

use super::*;
use crate::kafka::ids::ProducerId;

fn stamp(id: u64, epoch: u32, first_sequence: u32, transactional: bool) -> ProducerStamp {
    ProducerStamp {
        id: ProducerId(id),
        epoch,
        first_sequence,
        transactional,
    }
}

fn records(first: u64) -> Payload {
    Payload::Records { first }
}

/// A log with batches of the given sizes and epochs; its records are numbered from 1.
fn log_of(batches: &[(u64, u32)]) -> Log {
    let mut log = Log::new(Offset(0));
    for (count, epoch) in batches {
        let first = log.leo().0 + 1;
        let appended = log.append_leader(*count, LeaderEpoch(*epoch), None, records(first));
        assert!(matches!(appended, Ok(Appended::Batch(_))));
    }
    log
}

#[test]
fn a_range_that_is_cut_keeps_its_record_and_sequence_numbers() {
    let mut log = Log::new(Offset(1_239_742_830));
    let producer = stamp(7, 0, (1 << 31) - 2, false);
    let _ = log.append_leader(10, LeaderEpoch(3), Some(producer), records(1));
    assert_eq!(log.leo(), Offset(1_239_742_840));
    let tail = log.read(Offset(1_239_742_833), log.leo(), u64::MAX, 1);
    assert_eq!(tail.len(), 1);
    assert_eq!(tail[0].payload, records(4));
    assert_eq!(tail[0].count, 7);
    assert_eq!(tail[0].producer, Some(stamp(7, 0, 1, false)));
    assert_eq!(tail[0].last_sequence(), Some(7));
    assert!(log.truncate_to(Offset(1_239_742_833)));
    assert_eq!(log.contains_record(3), Some(Offset(1_239_742_832)));
    assert_eq!(log.contains_record(4), None);
    // What is left is a batch of 3 with the sequence numbers 2147483646, 2147483647, 0: the next is 1.
    let entry = log.producers().entry(ProducerId(7)).expect("known");
    assert_eq!(entry.batches.last().map(|b| b.last_sequence), Some(0));
    assert!(log.append_follower(tail[0]));
    assert_eq!(log.contains_record(10), Some(Offset(1_239_742_839)));
}

#[test]
fn a_read_is_cut_at_its_bound_and_holds_at_least_one_batch() {
    let log = log_of(&[(3, 0), (3, 0), (3, 1)]);
    let read = |from, bound, bytes| {
        let found = log.read(Offset(from), Offset(bound), bytes, 100);
        found
            .iter()
            .map(|b| (b.base.0, b.end().0))
            .collect::<Vec<_>>()
    };
    assert_eq!(read(0, 9, 1), [(0, 3)]);
    assert_eq!(read(0, 9, 600), [(0, 3), (3, 6)]);
    assert_eq!(read(1, 7, 10_000), [(1, 3), (3, 6), (6, 7)]);
    assert_eq!(read(5, 5, 10_000), []);
    assert_eq!(read(9, 12, 10_000), []);
    assert_eq!(log.epoch_at(Offset(6)), Some(LeaderEpoch(1)));
    assert_eq!(log.epoch_at(Offset(9)), None);
}

#[test]
fn a_new_leader_recognises_a_retry_that_it_replicated() {
    let mut leader = Log::new(Offset(0));
    let producer = stamp(1, 0, 0, false);
    let _ = leader.append_leader(4, LeaderEpoch(0), Some(producer), records(1));
    let mut follower = Log::new(Offset(0));
    for batch in leader.read(Offset(0), leader.leo(), u64::MAX, 1) {
        assert!(follower.append_follower(batch));
    }
    let duplicate = Appended::Duplicate {
        base: Offset(0),
        end: Offset(4),
    };
    let retry = |log: &mut Log| log.append_leader(4, LeaderEpoch(1), Some(producer), records(1));
    assert_eq!(retry(&mut follower), Ok(duplicate));
    // Once the batch is cut away the retry is no duplicate, and from an unknown producer any sequence is taken.
    assert!(follower.truncate_to(Offset(0)));
    assert!(matches!(retry(&mut follower), Ok(Appended::Batch(_))));
}

#[test]
fn a_newer_producer_epoch_begins_with_sequence_0() {
    let mut log = Log::new(Offset(0));
    let mut append = |epoch, sequence| {
        let producer = Some(stamp(1, epoch, sequence, false));
        log.append_leader(1, LeaderEpoch(0), producer, records(1))
            .map(|_| ())
    };
    // From a producer that is not known, any sequence number is taken.
    assert_eq!(append(4, 17), Ok(()));
    assert_eq!(append(5, 18), Err(KafkaError::OutOfOrderSequenceNumber));
    assert_eq!(append(5, 0), Ok(()));
    assert_eq!(append(5, 2), Err(KafkaError::OutOfOrderSequenceNumber));
    assert_eq!(append(4, 18), Err(KafkaError::InvalidProducerEpoch));
}

#[test]
fn an_aborted_transaction_is_stable_once_the_hw_passes_its_marker() {
    let mut log = Log::new(Offset(0));
    let data = stamp(9, 0, 0, true);
    let _ = log.append_leader(2, LeaderEpoch(0), Some(data), records(1));
    let plain = log.append_leader(1, LeaderEpoch(0), Some(stamp(9, 0, 2, false)), records(3));
    assert_eq!(plain, Err(KafkaError::InvalidTxnState));
    log.set_hw(Offset(2));
    assert_eq!(
        (log.first_unstable(), log.lso()),
        (Some(Offset(0)), Offset(0))
    );
    let marker = log.append_leader(
        5,
        LeaderEpoch(0),
        Some(data),
        Payload::Marker { commit: false },
    );
    assert!(matches!(marker, Ok(Appended::Batch(batch)) if batch.count == 1));
    assert_eq!(log.lso(), Offset(0));
    // The HW at the marker is not past it.
    log.set_hw(Offset(2));
    assert_eq!(log.lso(), Offset(0));
    log.raise_hw(Offset(3));
    assert_eq!((log.first_unstable(), log.lso()), (None, Offset(3)));
    assert!(log.producers().is_aborted(&log.batches()[0]));
    let aborted = |from, to| {
        let found = log.producers().aborted_between(Offset(from), Offset(to));
        found
            .map(|ended| (ended.first.0, ended.marker.0))
            .collect::<Vec<_>>()
    };
    assert_eq!(aborted(2, 3), [(0, 2)]);
    assert_eq!(aborted(3, 9), []);
    assert_eq!(aborted(0, 0), []);
    // Cutting the marker away opens the transaction again.
    assert!(log.truncate_to(Offset(2)));
    assert_eq!(log.first_unstable(), Some(Offset(0)));
    assert!(!log.producers().is_aborted(&log.batches()[0]));
}

#[test]
fn an_epoch_without_records_is_forgotten_by_truncation_and_by_loading() {
    let mut log = log_of(&[(5, 0)]);
    assert!(log.assign_epoch(LeaderEpoch(1), Offset(5)));
    let mut loaded = log.clone();
    assert_eq!(loaded.crash(Offset(9), None), 1);
    assert_eq!(loaded.epochs().latest(), Some(LeaderEpoch(0)));
    assert_eq!(loaded.hw(), Offset(5));
    assert!(!log.truncate_to(Offset(8)));
    assert_eq!(log.epochs().latest(), Some(LeaderEpoch(0)));
}

#[test]
fn a_power_loss_takes_what_was_not_flushed() {
    let mut log = log_of(&[(5, 0), (5, 1), (5, 2)]);
    log.raise_hw(Offset(12));
    log.delete_records(Offset(7)).expect("below the HW");
    assert_eq!(log.batches().len(), 2);
    assert_eq!(
        log.epochs().entries(),
        [(LeaderEpoch(1), Offset(7)), (LeaderEpoch(2), Offset(10))]
    );
    assert_eq!(log.crash(Offset(3), Some(Offset(10))), 1);
    assert_eq!(
        (log.log_start(), log.hw(), log.leo()),
        (Offset(7), Offset(7), Offset(10))
    );
    assert_eq!(log.contains_record(7), None);
    assert_eq!(log.contains_record(8), Some(Offset(7)));
    assert_eq!(log.crash(Offset(3), Some(Offset(0))), 1);
    assert_eq!((log.log_start(), log.leo()), (Offset(7), Offset(7)));
    assert!(log.batches().is_empty());
}

#[test]
fn logs_differ_first_where_an_epoch_or_a_record_differs() {
    let left = log_of(&[(4, 0), (4, 1)]);
    // The same records, cut differently.
    assert_eq!(
        left.first_difference(&log_of(&[(1, 0), (3, 0), (2, 1), (1, 1)])),
        None
    );
    assert_eq!(
        left.first_difference(&log_of(&[(5, 0), (3, 1)])),
        Some(Offset(4))
    );
    let mut other = log_of(&[(4, 0), (1, 1)]);
    let _ = other.append_leader(3, LeaderEpoch(1), None, records(60));
    assert_eq!(left.first_difference(&other), Some(Offset(5)));
    assert_eq!(left.first_difference(&Log::new(Offset(0))), None);
    // A compacted log: offsets 2 to 5 are gone.
    let batch = |base, count, epoch| Batch {
        base: Offset(base),
        count,
        epoch: LeaderEpoch(epoch),
        producer: None,
        payload: records(base + 1),
    };
    let compacted =
        |batches: &[Batch]| Log::load(batches.to_vec(), EpochCache::default(), Offset(0));
    let gap = compacted(&[batch(0, 2, 0), batch(6, 2, 1)]);
    assert_eq!(gap.leo(), Offset(8));
    assert_eq!(gap.first_difference(&gap), None);
    assert_eq!(gap.first_difference(&left), Some(Offset(2)));
    assert_eq!(left.first_difference(&gap), Some(Offset(2)));
    let other = compacted(&[batch(0, 2, 0), batch(7, 1, 1)]);
    assert_eq!(gap.first_difference(&other), Some(Offset(6)));
    assert_eq!(gap.read(Offset(3), Offset(8), 1, 1), [batch(6, 2, 1)]);
}

#[derive(Clone, Debug)]
enum Step {
    Leader(u64, u32, Option<ProducerStamp>, Payload),
    Follower(Batch),
    SetHw(u64),
    RaiseHw(u64),
    Truncate(u64),
    Fully(u64),
    Delete(u64),
    Crash(u64, Option<u64>),
    Assign(u32, u64),
}

/// Mostly small numbers, which meet; sometimes the largest.
fn offset() -> impl Strategy<Value = u64> {
    prop_oneof![12 => 0..40u64, 1 => any::<u64>(), 1 => Just(u64::MAX)]
}

fn payload() -> impl Strategy<Value = Payload> {
    prop_oneof![
        (1..50u64).prop_map(records),
        any::<bool>().prop_map(|commit| Payload::Marker { commit }),
        Just(Payload::Before),
    ]
}

fn producer() -> impl Strategy<Value = Option<ProducerStamp>> {
    let sequence = prop_oneof![0..8u32, any::<u32>()];
    let some = (0..3u64, 0..3u32, sequence, any::<bool>())
        .prop_map(|(id, epoch, sequence, transactional)| stamp(id, epoch, sequence, transactional));
    proptest::option::of(some)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (offset(), 0..6u32, producer(), payload()).prop_map(|(n, e, p, l)| Step::Leader(n, e, p, l)),
        4 => (offset(), offset(), 0..6u32, producer(), payload()).prop_map(|(base, count, epoch, producer, payload)| {
            Step::Follower(Batch { base: Offset(base), count, epoch: LeaderEpoch(epoch), producer, payload })
        }),
        2 => offset().prop_map(Step::SetHw),
        2 => offset().prop_map(Step::RaiseHw),
        2 => offset().prop_map(Step::Truncate),
        1 => offset().prop_map(Step::Fully),
        1 => offset().prop_map(Step::Delete),
        1 => (offset(), proptest::option::of(offset())).prop_map(|(hw, keep)| Step::Crash(hw, keep)),
        1 => (0..6u32, offset()).prop_map(|(epoch, start)| Step::Assign(epoch, start)),
    ]
}

fn apply(log: &mut Log, step: Step) {
    match step {
        Step::Leader(count, epoch, producer, payload) => {
            let _ = log.append_leader(count, LeaderEpoch(epoch), producer, payload);
        }
        Step::Follower(batch) => {
            let fits = batch.base >= log.leo()
                && batch.count > 0
                && batch.base.0.checked_add(batch.count).is_some();
            assert_eq!(log.append_follower(batch), fits);
        }
        Step::SetHw(hw) => {
            log.set_hw(Offset(hw));
        }
        Step::RaiseHw(hw) => {
            let before = log.hw();
            assert_eq!(log.raise_hw(Offset(hw)), log.hw() > before);
            assert!(log.hw() >= before);
        }
        Step::Truncate(to) => {
            let before = log.leo();
            assert_eq!(log.truncate_to(Offset(to)), Offset(to) < before);
            assert_eq!(log.leo(), before.min(Offset(to)));
        }
        Step::Fully(start) => log.truncate_fully(Offset(start)),
        Step::Delete(start) => {
            let allowed = Offset(start) <= log.hw();
            assert_eq!(log.delete_records(Offset(start)).is_ok(), allowed);
        }
        Step::Crash(hw, keep) => {
            log.crash(Offset(hw), keep.map(Offset));
        }
        Step::Assign(epoch, start) => {
            log.assign_epoch(LeaderEpoch(epoch), Offset(start));
        }
    }
}

/// What holds of every log.
fn assert_sound(log: &Log) {
    assert!(log.log_start() <= log.hw() && log.hw() <= log.leo());
    assert!(log.lso() <= log.hw() && log.lso() >= log.log_start());
    let mut next = Offset(0);
    for batch in log.batches() {
        assert!(batch.base >= next);
        assert!(batch.end() > batch.base && batch.end() > log.log_start());
        next = batch.end();
    }
    assert!(next <= log.leo());
    let entries = log.epochs().entries();
    assert!(
        entries
            .windows(2)
            .all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1)
    );
    assert_eq!(log.first_difference(log), None);
}

proptest! {
    #[test]
    fn any_history_leaves_a_sound_log(steps in proptest::collection::vec(step(), 0..40)) {
        let mut log = Log::new(Offset(0));
        for step in steps {
            apply(&mut log, step);
            assert_sound(&log);
        }
    }

    #[test]
    fn what_is_cut_away_and_appended_again_is_the_same_log(
        steps in proptest::collection::vec((1..6u64, producer()), 1..12),
        cut in 0..40u64,
    ) {
        let mut log = Log::new(Offset(0));
        for (place, (count, producer)) in steps.into_iter().enumerate() {
            let epoch = LeaderEpoch(u32::try_from(place / 3).unwrap_or(0));
            let batch = Batch { base: log.leo(), count, epoch, producer, payload: records(log.leo().0 + 1) };
            prop_assert!(log.append_follower(batch));
        }
        let whole = log.clone();
        // At the batch boundary at or before the cut, as in Kafka: a batch that is split counts as two to its producer.
        let to = log.batch_at(Offset(cut)).map_or(log.leo(), |batch| batch.base);
        let tail = log.read(to, log.leo(), u64::MAX, 1);
        log.truncate_to(to);
        prop_assert_eq!(log.first_difference(&whole), None);
        for batch in tail {
            prop_assert!(log.append_follower(batch));
        }
        prop_assert_eq!(&log, &whole);
    }

    #[test]
    fn the_first_difference_is_the_one_that_a_look_at_every_offset_finds(
        left in proptest::collection::vec((1..4u64, 0..2u32), 0..6),
        right in proptest::collection::vec((1..4u64, 0..2u32), 0..6),
    ) {
        let (left, right) = (log_of(&left), log_of(&right));
        let record = |log: &Log, at: u64| log.read(Offset(at), Offset(at + 1), u64::MAX, 1);
        let end = left.leo().min(right.leo()).0;
        let slow: Vec<u64> = (0..end).filter(|at| record(&left, *at) != record(&right, *at)).collect();
        let fast = left.differences(&right).flat_map(|range| range.start.0..range.end.0);
        prop_assert_eq!(fast.collect::<Vec<_>>(), slow.clone());
        prop_assert_eq!(left.first_difference(&right), slow.first().copied().map(Offset));
        prop_assert_eq!(right.first_difference(&left), slow.first().copied().map(Offset));
    }
}
