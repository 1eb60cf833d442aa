//! The verdict as JSON: one object a record with its separate facts.

use super::value::{Fields, Json, ToJson, fields};
use crate::sim::verdict::{AppendFact, RecordVerdict, Since, Unavailable, Verdict};

impl ToJson for Since {
    fn json(&self) -> Json {
        Json::Object(fields!(Since { at, event } of self))
    }
}

impl ToJson for AppendFact {
    fn json(&self) -> Json {
        Json::Object(fields!(AppendFact { broker, offset, epoch, since } of self))
    }
}

impl ToJson for RecordVerdict {
    fn json(&self) -> Json {
        let RecordVerdict {
            refused,
            last_outcome,
            ..
        } = self;
        let refused = refused.map(|(error, since)| {
            Json::Object(Fields(vec![
                ("error", error.json()),
                ("at", since.at.json()),
                ("event", since.event.json()),
            ]))
        });
        let last_outcome = last_outcome.map(|(outcome, since)| {
            Json::Object(Fields(vec![
                ("outcome", outcome.json()),
                ("at", since.at.json()),
                ("event", since.event.json()),
            ]))
        });
        Json::Object(Fields(vec![
            ("record", self.record.json()),
            ("send", self.send.json()),
            ("sent", self.sent.json()),
            ("appended", self.appended.json()),
            ("acknowledged", self.acknowledged.json()),
            ("refused", refused.unwrap_or(Json::Null)),
            ("last_outcome", last_outcome.unwrap_or(Json::Null)),
            ("committed", self.committed.json()),
            ("visible", self.visible.json()),
            ("lost", self.lost.json()),
            ("duplicated", self.duplicated.json()),
            ("unknown", self.unknown.json()),
            ("in_final_log", self.in_final_log.json()),
        ]))
    }
}

impl ToJson for Unavailable {
    fn json(&self) -> Json {
        let (word, fields) = match self {
            Unavailable::NoLeader { isr, elr } => {
                ("NoLeader", vec![("isr", isr.json()), ("elr", elr.json())])
            }
            Unavailable::LeaderDown(broker) => ("LeaderDown", vec![("broker", broker.json())]),
            Unavailable::BelowMinIsr { isr, min } => (
                "BelowMinIsr",
                vec![("isr", isr.json()), ("min", min.json())],
            ),
        };
        Json::Object(Fields(vec![(word, Json::Object(Fields(fields)))]))
    }
}

impl ToJson for Verdict {
    fn json(&self) -> Json {
        Json::Object(fields!(Verdict { records, unavailable, chain } of self))
    }
}
