//! One replica over time: its process, its LEO and HW, when it led, and what its log held.

use highwater_core::kafka::event::{EventKind, Stop};
use highwater_core::kafka::ids::{BrokerId, EventId, LeaderEpoch, Millis, Offset};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::scenario::value::StartReplica;

use super::series::{Interval, Series};

/// A stretch of a log, from its append until it was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Its first offset.
    pub base: Offset,
    /// The offset after its last.
    pub end: Offset,
    /// The leader epoch it was appended in.
    pub epoch: LeaderEpoch,
    /// What it holds.
    pub payload: Payload,
    /// While it was in the log; open ended at the end of the run.
    pub held: Interval,
    /// The event that appended it; none = it was there at the start.
    pub appended: Option<EventId>,
    /// The event that cut it off.
    pub removed: Option<EventId>,
}

impl Copy {
    /// The number of the record at an offset, when it is a record of the script.
    pub fn record(&self, offset: Offset) -> Option<u64> {
        match self.payload {
            Payload::Records { first } if self.base <= offset && offset < self.end => {
                Some(first.saturating_add(offset.since(self.base)))
            }
            _ => None,
        }
    }

    /// Whether it holds the offset.
    pub fn covers(&self, offset: Offset) -> bool {
        self.base <= offset && offset < self.end
    }
}

/// One replica over time.
#[derive(Clone, Debug, Default)]
pub struct Replica {
    /// The broker.
    pub broker: BrokerId,
    /// Its place in the replica list, from 0: its lane.
    pub place: usize,
    /// While its process ran.
    pub alive: Vec<Interval>,
    /// Its LEO.
    pub leo: Series,
    /// Its HW.
    pub hw: Series,
    /// Its LSO while it led; empty when it was never told.
    pub lso: Series,
    /// While it led, by the controller, and its process ran.
    pub leads: Vec<(Interval, LeaderEpoch)>,
    /// What its log held.
    pub copies: Vec<Copy>,
    up_since: Option<Millis>,
    /// Places of `copies` that are in the log now, by ascending offset.
    present: Vec<usize>,
}

impl Replica {
    /// A replica as it is at the start of a run.
    pub fn new(broker: BrokerId, place: usize, start: Option<&StartReplica>) -> Replica {
        let mut replica = Replica {
            broker,
            place,
            ..Replica::default()
        };
        let mut leo = start.map_or(Offset(0), |s| s.log_start);
        for (epoch, count) in start.iter().flat_map(|s| &s.log) {
            if *count == 0 {
                continue;
            }
            let batch = Batch {
                base: leo,
                count: *count,
                epoch: *epoch,
                producer: None,
                payload: Payload::Before,
            };
            replica.append(Millis(0), &batch, None);
            leo = batch.end();
        }
        replica.leo.restart(Millis(0), leo);
        replica
            .hw
            .restart(Millis(0), start.map_or(Offset(0), |s| s.hw));
        if !start.is_some_and(|s| s.down) {
            replica.up_since = Some(Millis(0));
        }
        replica
    }

    /// Takes an event in, if it is about this replica.
    pub fn take(&mut self, at: Millis, id: EventId, kind: &EventKind) {
        match kind {
            EventKind::Appended { batch, leo, .. } => {
                self.append(at, batch, Some(id));
                self.leo.push(at, *leo);
            }
            EventKind::Truncated { to, hw, .. } => {
                self.cut(at, *to, Some(id));
                self.leo.push(at, *to);
                self.hw.push(at, *hw);
            }
            EventKind::HwChanged { to, .. } => self.hw.push(at, *to),
            EventKind::LsoChanged { to, .. } => self.lso.push(at, *to),
            EventKind::BecameLeader { hw, .. } => self.hw.push(at, *hw),
            EventKind::BrokerStopped { leo, how, .. } => {
                self.stop(at);
                if matches!(how, Stop::PowerLoss(_)) {
                    self.cut(at, *leo, Some(id));
                    self.leo.push(at, *leo);
                }
            }
            EventKind::BrokerExited { .. } => self.stop(at),
            EventKind::BrokerStarted { leo, hw, .. } => {
                self.cut(at, *leo, Some(id));
                self.up_since.get_or_insert(at);
                self.leo.restart(at, *leo);
                self.hw.restart(at, *hw);
            }
            _ => {}
        }
    }

    /// Closes what is open at the end of the run.
    pub fn finish(&mut self, end: Millis) {
        if let Some(since) = self.up_since.take() {
            self.alive.push(Interval::new(since, end));
        }
        for place in std::mem::take(&mut self.present) {
            if let Some(copy) = self.copies.get_mut(place) {
                copy.held.to = end;
            }
        }
    }

    /// Whether its process runs at the instant.
    pub fn is_alive(&self, t: Millis) -> bool {
        self.alive.iter().any(|i| i.contains(t))
    }

    /// Whether it leads at the instant.
    pub fn leads_at(&self, t: Millis) -> bool {
        self.leads.iter().any(|(i, _)| i.contains(t))
    }

    /// What its log holds at an offset at an instant.
    pub fn copy_at(&self, offset: Offset, t: Millis) -> Option<&Copy> {
        self.copies
            .iter()
            .rev()
            .find(|c| c.covers(offset) && c.held.contains(t))
    }

    fn stop(&mut self, at: Millis) {
        if let Some(since) = self.up_since.take() {
            self.alive.push(Interval::new(since, at));
        }
    }

    fn append(&mut self, at: Millis, batch: &Batch, event: Option<EventId>) {
        self.present.push(self.copies.len());
        self.copies.push(Copy {
            base: batch.base,
            end: batch.end(),
            epoch: batch.epoch,
            payload: batch.payload,
            held: Interval::new(at, Millis(u64::MAX)),
            appended: event,
            removed: None,
        });
    }

    fn cut(&mut self, at: Millis, to: Offset, event: Option<EventId>) {
        while let Some(place) = self.present.pop() {
            let Some(copy) = self.copies.get_mut(place) else {
                continue;
            };
            if copy.end <= to {
                self.present.push(place);
                return;
            }
            let mut rest = *copy;
            copy.held.to = at;
            copy.removed = event;
            if copy.base < to {
                // The part below the cut stays: it is a copy of its own from now on, held since it was appended.
                if let Payload::Records { first } = &mut copy.payload {
                    *first = first.saturating_add(to.since(copy.base));
                }
                copy.base = to;
                rest.end = to;
                self.present.push(self.copies.len());
                self.copies.push(rest);
                return;
            }
        }
    }
}

/// The replica that the event is about, when it changes one.
pub fn owner(kind: &EventKind) -> Option<BrokerId> {
    match kind {
        EventKind::Appended { broker, .. }
        | EventKind::Truncated { broker, .. }
        | EventKind::HwChanged { broker, .. }
        | EventKind::LsoChanged { broker, .. }
        | EventKind::BecameLeader { broker, .. }
        | EventKind::BrokerStopped { broker, .. }
        | EventKind::BrokerExited { broker, .. }
        | EventKind::BrokerStarted { broker, .. } => Some(*broker),
        _ => None,
    }
}
