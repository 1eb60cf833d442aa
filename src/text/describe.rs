//! Text alternatives: one record's facts in a line, and the words of the script list (from [`super::step`]).

use highwater_core::kafka::cause::Value;
use highwater_core::sim::RecordVerdict;

use super::Text;
use super::arg::record_range;
use super::because::value;
pub use super::step::{outcome, step_of_run, step_parts, step_short, step_words, steps};
use crate::say;

/// The value of a config: a switch is `true` or `false`, as Kafka writes it.
pub fn config_value(text: &Text, of: &Value) -> String {
    match of {
        Value::Flag(on) => on.to_string(),
        other => value(text, other),
    }
}

/// One record's facts in a line: `m3: sent at 522 ms, acknowledged at 524 ms, never committed, lost at 5.53 s`.
pub fn record_line(text: &Text, record: &RecordVerdict) -> String {
    let facts = record_facts(text, record);
    let mut joined: Option<String> = None;
    for fact in facts {
        joined = Some(match joined {
            None => fact,
            Some(front) => say!(text, ListMore, a = front, b = fact),
        });
    }
    say!(
        text,
        RecordLine,
        records = record_range(record.record, 1),
        facts = joined.unwrap_or_default(),
    )
}

/// One record's facts, each in a few words, in the order of its life.
pub fn record_facts(text: &Text, record: &RecordVerdict) -> Vec<String> {
    let mut facts = vec![say!(text, FactSent, at = record.sent.at)];
    for append in &record.appended {
        facts.push(say!(
            text,
            FactAppended,
            offset = append.offset,
            epoch = append.epoch
        ));
    }
    if record.appended.is_empty() {
        facts.push(say!(text, FactNotAppended));
    }
    facts.push(match (record.acknowledged, record.refused) {
        (Some(since), _) => say!(text, FactAcknowledged, at = since.at),
        (None, Some((error, since))) => say!(text, FactRefused, error = error, at = since.at),
        (None, None) if super::headline::promised_nothing(record) => say!(text, FactNoPromise),
        (None, None) => say!(text, FactNotAcknowledged),
    });
    facts.push(match record.committed {
        Some(since) => say!(text, FactCommitted, at = since.at),
        None => say!(text, FactNotCommitted),
    });
    facts.push(match record.visible {
        Some(since) => say!(text, FactVisible, at = since.at),
        None => say!(text, FactNotVisible),
    });
    if let Some(since) = record.lost {
        facts.push(say!(text, FactLost, at = since.at));
    }
    if record.duplicated {
        facts.push(say!(text, FactDuplicated));
    }
    if record.unknown {
        facts.push(say!(text, FactUnknown));
    }
    facts
}
