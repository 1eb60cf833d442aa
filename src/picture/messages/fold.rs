//! Folded time: messages that begin and end inside of one pause are counted on it, not drawn.

use highwater_core::kafka::ids::{MessageId, Millis};
use highwater_core::sim::{MessageRecord, Run};

use super::super::clock::{Clock, Segment, SegmentKind};
use super::super::shape::Tenths;
use super::arrow::ended;

/// What a folded pause holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The pause, by the instant at which it begins.
    pub from: Millis,
    /// Its middle.
    pub y: Tenths,
    /// The messages.
    pub messages: Vec<MessageId>,
}

/// The folded pause that holds the whole of a message's way.
pub fn holding<'a>(clock: &'a Clock, run: &Run, message: &MessageRecord) -> Option<&'a Segment> {
    let segments = clock.segments();
    let place = segments.partition_point(|s| s.to < message.sent_at);
    let own = segments.get(place)?;
    let inside = own.from < message.sent_at && ended(run, message) < own.to;
    (inside && matches!(own.kind, SegmentKind::Folded(_))).then_some(own)
}

/// Counts a message on its pause. Messages come in the order of sending, and so do pauses.
pub fn count(list: &mut Vec<Folded>, segment: &Segment, message: MessageId) {
    match list.last_mut() {
        Some(last) if last.from == segment.from => last.messages.push(message),
        _ => list.push(Folded {
            from: segment.from,
            y: segment.top + (segment.bottom - segment.top) / 2,
            messages: vec![message],
        }),
    }
}
