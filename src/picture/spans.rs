//! How long each record's column segment is: from when it was sent until it left the partition, and its last log.

use highwater_core::kafka::map::Map;

use highwater_core::kafka::ids::{Millis, Offset};
use highwater_core::kafka::record::Payload;
use highwater_core::sim::{RecordVerdict, Verdict};

use super::history::History;
use super::homes::{Home, Homes};
use super::sends::Send;

/// A record's segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordSpan {
    /// The record, from 1.
    pub record: u64,
    /// Its offset; none = it was never appended.
    pub offset: Option<Offset>,
    /// For a record without offset: its column among those, from 0.
    pub homeless: usize,
    /// When it was sent.
    pub sent: Millis,
    /// When it left the partition, or the end of the run.
    pub left_partition: Millis,
    /// When it left the last log, or the end of the run.
    pub left_logs: Millis,
}

/// Copies of the script's records by the number of their first record: places of the replica and of its copy.
type Index = Map<u64, Vec<(usize, usize)>>;

/// The segments of all records that were sent.
pub fn spans(history: &History, verdict: &Verdict, homes: &Homes) -> Vec<RecordSpan> {
    let index = index(history);
    let mut list = Vec::new();
    for send in &history.sends {
        // Verdicts are in the order of the records' numbers.
        let from = verdict.records.partition_point(|r| r.record < send.first);
        let records = verdict.records.iter().skip(from);
        for record in records.take_while(|r| r.record <= send.last()) {
            match homes.of(send.id) {
                Some(Home::At(base)) => {
                    let offset = base.plus(record.record.saturating_sub(send.first));
                    list.push(appended(history, &index, send, record, offset));
                }
                Some(Home::Nowhere(homeless)) => {
                    let last = send.last_mark(history.end).min(history.end);
                    list.push(RecordSpan {
                        record: record.record,
                        offset: None,
                        homeless,
                        sent: send.called,
                        left_partition: last,
                        left_logs: last,
                    });
                }
                None => {}
            }
        }
    }
    list
}

fn index(history: &History) -> Index {
    let mut index = Index::new();
    for (place, replica) in history.replicas.iter().enumerate() {
        for (nth, copy) in replica.copies.iter().enumerate() {
            if let Payload::Records { first } = copy.payload {
                index.entry(first).or_default().push((place, nth));
            }
        }
    }
    index
}

fn appended(
    history: &History,
    index: &Index,
    send: &Send,
    record: &RecordVerdict,
    offset: Offset,
) -> RecordSpan {
    let number = record.record;
    let copies = || {
        let places = index.range(send.first, send.last().max(send.first));
        let all = places
            .flat_map(|(_, list)| list)
            .filter_map(|(place, nth)| {
                let replica = history.replicas.get(*place)?;
                Some((replica, replica.copies.get(*nth)?))
            });
        all.filter(move |(_, c)| c.record(offset) == Some(number))
    };
    let left_logs = copies()
        .map(|(_, c)| c.held.to)
        .max()
        .unwrap_or(history.end);
    // It is in the partition as long as the log of whoever leads has it.
    let led = copies().flat_map(|(r, c)| r.leads.iter().filter_map(|(lead, _)| lead.and(&c.held)));
    let last_led = led.map(|i| i.to).max();
    let next_leader = |t: Millis| {
        let later = history.replicas.iter().flat_map(|r| &r.leads);
        later.map(|(i, _)| i.from).filter(|from| *from >= t).min()
    };
    let left = match (record.in_final_log, record.lost, last_led) {
        (true, _, _) => history.end,
        (false, Some(lost), _) => lost.at,
        (false, None, Some(last)) => next_leader(last).unwrap_or(history.end),
        (false, None, None) => left_logs,
    };
    RecordSpan {
        record: number,
        offset: Some(offset),
        homeless: 0,
        sent: send.called,
        left_partition: left.min(history.end),
        left_logs: left_logs.min(history.end),
    }
}
