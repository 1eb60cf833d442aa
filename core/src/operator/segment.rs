//! How many bytes a log's records take in a segment file, for the positions that log lines name.

use crate::kafka::ids::Offset;
use crate::kafka::log::Log;
use crate::kafka::record::{Batch, Payload};

/// The header of a record batch (`DefaultRecordBatch.RECORD_BATCH_OVERHEAD`).
const BATCH: u64 = 61;

/// A control record: its length, attributes, two deltas, a key of 4 bytes, a value of 6 and no headers.
const MARKER: u64 = 17;

/// The position in the segment at which the record at `offset` begins, or at which the log ends: the bytes of the batches
/// that end at or before it. `None` when the log holds records from before the script, whose sizes are not known.
///
/// The records are taken to be as the recordings have them: no key, no headers, the value `m1`, `m2`, …, uncompressed.
pub fn position(log: &Log, offset: Offset) -> Option<u64> {
    let mut bytes = 0u64;
    for batch in log.batches() {
        if batch.base >= offset {
            break;
        }
        let part = batch.up_to(offset)?;
        bytes = bytes.saturating_add(size(&part)?);
    }
    Some(bytes)
}

fn size(batch: &Batch) -> Option<u64> {
    match batch.payload {
        Payload::Marker { .. } => Some(BATCH + MARKER),
        Payload::Records { first } => {
            let mut bytes = BATCH;
            let (mut from, end) = (first, first.saturating_add(batch.count));
            // Values of as many digits are as long; so ten steps at most, whatever the count.
            while from < end {
                let digits = from.checked_ilog10().unwrap_or(0) + 1;
                let until = 10u64.checked_pow(digits).unwrap_or(u64::MAX).min(end);
                // Length, attributes, two deltas, an absent key, the value's length, `m` and its digits, no headers.
                let each = 8 + u64::from(digits);
                bytes = bytes.saturating_add(each.saturating_mul(until - from));
                if until == u64::MAX {
                    break;
                }
                from = until;
            }
            Some(bytes)
        }
        Payload::Before => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::ids::LeaderEpoch;

    #[test]
    fn positions_are_those_of_the_recordings() {
        let mut log = Log::new(Offset(0));
        for (first, count) in [(1, 2), (3, 3)] {
            let records = Payload::Records { first };
            log.append_leader(count, LeaderEpoch(0), None, records)
                .expect("it is appended");
        }
        assert_eq!(position(&log, Offset(2)), Some(79));
        assert_eq!(position(&log, Offset(5)), Some(167));
        assert_eq!(position(&log, Offset(0)), Some(0));
    }

    #[test]
    fn a_billion_records_cost_nothing() {
        let mut log = Log::new(Offset(0));
        let records = Payload::Records { first: 1 };
        log.append_leader(1_239_742_830, LeaderEpoch(0), None, records)
            .expect("it is appended");
        assert!(position(&log, Offset(1_239_742_830)).is_some());
    }
}
