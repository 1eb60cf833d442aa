//! How long each record's column segment is: from when it was sent until it left the partition, and its last log.

use highwater_core::kafka::ids::{Millis, Offset};
use highwater_core::sim::verdict::{RecordVerdict, Verdict};

use super::history::History;
use super::homes::{Home, Homes};

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

/// The segments of all records that were sent.
pub fn spans(history: &History, verdict: &Verdict, homes: &Homes) -> Vec<RecordSpan> {
    let mut list = Vec::new();
    for send in history.sends.iter() {
        let records = verdict.records.iter().filter(|r| r.send == send.id);
        let first = verdict.records.partition_point(|r| r.record < send.first);
        let known = verdict
            .records
            .get(first)
            .filter(|r| r.record == send.first);
        // Records are in order of their numbers; a verdict that is not is searched.
        let count = usize::try_from(send.count).unwrap_or(usize::MAX);
        let found: Vec<&RecordVerdict> = match known {
            Some(_) => verdict.records.iter().skip(first).take(count).collect(),
            None => records.collect(),
        };
        for record in found {
            let Some(home) = homes.of(send.id) else {
                continue;
            };
            list.push(match home {
                Home::At(base) => {
                    let offset = base.plus(record.record.saturating_sub(send.first));
                    appended(history, record, offset, send.called)
                }
                Home::Nowhere(homeless) => {
                    let last = send.last_mark(history.end).min(history.end);
                    RecordSpan {
                        record: record.record,
                        offset: None,
                        homeless,
                        sent: send.called,
                        left_partition: last,
                        left_logs: last,
                    }
                }
            });
        }
    }
    list
}

fn appended(history: &History, record: &RecordVerdict, offset: Offset, sent: Millis) -> RecordSpan {
    let number = record.record;
    let copies = || {
        let all = history
            .replicas
            .iter()
            .flat_map(|r| r.copies.iter().map(move |c| (r, c)));
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
        sent,
        left_partition: left.min(history.end),
        left_logs: left_logs.max(left.min(left_logs)).min(history.end),
    }
}
