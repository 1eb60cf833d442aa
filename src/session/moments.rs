//! The moments of a run that a reader steps through: events that matter, in order.

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{EventId, Millis};
use highwater_core::sim::{Instant, Run};

/// The instant just after an event.
pub fn after(event: &Event) -> Instant {
    Instant {
        at: event.at,
        position: event.sequence.saturating_add(1),
    }
}

/// Whether an event is worth a stop of the playhead: it changes something that the picture or the producer shows.
/// Messages on their way, parked fetches and bookkeeping are told by the events that follow from them.
pub fn matters(event: &Event) -> bool {
    if event.idle {
        return false;
    }
    !matches!(
        event.kind,
        EventKind::MessageSent { .. }
            | EventKind::MessageArrived { .. }
            | EventKind::MessageHeld { .. }
            | EventKind::MessageIgnored { .. }
            | EventKind::LinkChanged { .. }
            | EventKind::ProduceSent { .. }
            | EventKind::ProduceCompleted { .. }
            | EventKind::FetchParked { .. }
            | EventKind::FetchServed { .. }
            | EventKind::FollowerStateUpdated { .. }
            | EventKind::MetadataApplied { .. }
            | EventKind::EpochAssigned { .. }
            | EventKind::IsrLearned { .. }
            | EventKind::BecameFollower { .. }
            | EventKind::BrokerRegistered { .. }
    )
}

/// The events that matter, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    list: Vec<(Instant, EventId)>,
}

impl Moments {
    /// The moments of a run.
    pub fn of(run: &Run) -> Moments {
        let list = run
            .events
            .iter()
            .filter(|event| matters(event))
            .map(|event| (after(event), event.id))
            .collect();
        Moments { list }
    }

    /// The last moment at or before `instant`.
    pub fn at(&self, instant: Instant) -> Option<(Instant, EventId)> {
        let count = self.list.partition_point(|(moment, _)| *moment <= instant);
        self.list.get(count.checked_sub(1)?).copied()
    }

    /// The first moment after `instant`.
    pub fn next(&self, instant: Instant) -> Option<(Instant, EventId)> {
        let count = self.list.partition_point(|(moment, _)| *moment <= instant);
        self.list.get(count).copied()
    }

    /// The last moment before `instant`, that at `instant` itself not counted.
    pub fn previous(&self, instant: Instant) -> Option<(Instant, EventId)> {
        let count = self.list.partition_point(|(moment, _)| *moment < instant);
        self.list.get(count.checked_sub(1)?).copied()
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Instant, EventId)> + '_ {
        self.list.iter().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing matters.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The end of a millisecond: everything that happened in it has happened.
pub fn end_of(at: Millis) -> Instant {
    Instant {
        at,
        position: u32::MAX,
    }
}
