//! A run read once: replicas, leaders, produce calls and reads over time. The panels draw from this, not from events.

use highwater_core::kafka::event::{ChangeReason, Event, EventKind};
use highwater_core::kafka::ids::{BrokerId, EventId, Millis, Offset};
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::settings::Isolation;
use highwater_core::kafka::sort;
use highwater_core::sim::{Instant, Run};

use super::clock;
use super::replica::{Replica, owner};
use super::sends::{Send, Sends};
use super::series::{Interval, Series};

/// The controller's state of the partition from an instant on.
#[derive(Clone, Debug)]
pub struct StateChange {
    /// From then on.
    pub at: Millis,
    /// The event; none at the start.
    pub event: Option<EventId>,
    /// The state.
    pub state: PartitionState,
    /// Why it was written; none at the start.
    pub reason: Option<ChangeReason>,
}

/// The consumer was given records.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// When.
    pub at: Millis,
    /// The event.
    pub event: EventId,
    /// First offset.
    pub from: Offset,
    /// After the last.
    pub to: Offset,
}

/// A run read once.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Nothing is drawn after it.
    pub end: Millis,
    /// The replicas, in assignment order.
    pub replicas: Vec<Replica>,
    /// The controller's states in order; the first is from instant 0.
    pub states: Vec<StateChange>,
    /// Produce calls.
    pub sends: Vec<Send>,
    /// What the consumer was given.
    pub reads: Vec<Read>,
    /// The present leader's HW; between two leaders it stays where it was.
    pub committed: Series,
    /// What bounds the consumer: the HW or LSO of the broker it reads from.
    pub bound: Series,
    /// While that broker is there to be read from.
    pub served: Vec<Interval>,
    /// Whether the bound is the LSO.
    pub bound_is_lso: bool,
}

impl History {
    /// Reads a run; with `until`, only what happened up to that instant.
    pub fn new(run: &Run, until: Option<Instant>) -> History {
        let seen = |e: &&Event| match until {
            Some(limit) => e.at < limit.at || (e.at == limit.at && e.sequence < limit.position),
            None => true,
        };
        let settings = &run.scenario.settings;
        let start = run.scenario.start.as_ref();
        // What changes at the very end is seen for as long as the clock runs on.
        let last = run.end.plus(Millis(clock::REST));
        let mut history = History {
            end: until.map_or(last, |u| u.at.min(last)),
            bound_is_lso: settings.isolation == Isolation::ReadCommitted,
            states: vec![first_state(run)],
            ..History::default()
        };
        for (place, broker) in settings.replicas.iter().enumerate() {
            let own = start.and_then(|s| s.replicas.iter().find(|r| r.broker == *broker));
            history.replicas.push(Replica::new(*broker, place, own));
        }
        let mut sends = Sends::default();
        for event in run.events.iter().take_while(seen) {
            if let Some(broker) = owner(&event.kind)
                && let Some(replica) = history.replicas.iter_mut().find(|r| r.broker == broker)
            {
                replica.take(event.at, event.id, &event.kind);
            }
            sends.take(event);
            history.take(event);
        }
        history.sends = sends.finish();
        let end = history.end;
        for replica in &mut history.replicas {
            replica.finish(end);
        }
        history.find_leaders();
        history.committed = history.follow(|_| true);
        history.find_bound(settings.consumer_reads_from);
        history
    }

    fn take(&mut self, event: &Event) {
        match &event.kind {
            EventKind::PartitionChanged { after, reason, .. } => {
                self.states.push(StateChange {
                    at: event.at,
                    event: Some(event.id),
                    state: (**after).clone(),
                    reason: Some(*reason),
                });
            }
            EventKind::Consumed { from, to, .. } => self.reads.push(Read {
                at: event.at,
                event: event.id,
                from: *from,
                to: *to,
            }),
            _ => {}
        }
    }

    /// The state of the partition at an instant.
    pub fn state(&self, t: Millis) -> Option<&StateChange> {
        let place = self.states.partition_point(|s| s.at <= t);
        self.states.get(place.saturating_sub(1))
    }

    /// Until when a state holds.
    pub fn state_end(&self, place: usize) -> Millis {
        self.states
            .get(place.saturating_add(1))
            .map_or(self.end, |s| s.at)
    }

    /// The replica of a broker.
    pub fn replica(&self, broker: BrokerId) -> Option<&Replica> {
        self.replicas.iter().find(|r| r.broker == broker)
    }

    /// The live leader at an instant.
    pub fn leader(&self, t: Millis) -> Option<&Replica> {
        self.replicas.iter().find(|r| r.leads_at(t))
    }

    /// Every stretch of leadership, in order of time.
    pub fn leaderships(&self) -> Vec<(Interval, &Replica)> {
        let mut list: Vec<(Interval, &Replica)> = self
            .replicas
            .iter()
            .flat_map(|r| r.leads.iter().map(move |(i, _)| (*i, r)))
            .collect();
        sort::heap(&mut list, |a, b| (a.0, a.1.place) < (b.0, b.1.place));
        list
    }

    fn find_leaders(&mut self) {
        let mut spans: Vec<(BrokerId, Interval, _)> = Vec::new();
        for (place, change) in self.states.iter().enumerate() {
            let Some(leader) = change.state.leader else {
                continue;
            };
            let to = self.state_end(place);
            match spans.last_mut() {
                Some((b, span, epoch))
                    if *b == leader
                        && *epoch == change.state.leader_epoch
                        && span.to == change.at =>
                {
                    span.to = to;
                }
                _ => spans.push((
                    leader,
                    Interval::new(change.at, to),
                    change.state.leader_epoch,
                )),
            }
        }
        for replica in &mut self.replicas {
            replica.leads = spans
                .iter()
                .filter(|(b, _, _)| *b == replica.broker)
                .flat_map(|(_, span, epoch)| {
                    replica
                        .alive
                        .iter()
                        .filter_map(move |alive| Some((alive.and(span)?, *epoch)))
                })
                .collect();
        }
    }

    /// The HW of whoever leads, as one series; values of brokers that are not wanted are left out.
    fn follow(&self, wanted: impl Fn(&Replica) -> bool) -> Series {
        let mut series = Series::default();
        for (span, leader) in self.leaderships() {
            if wanted(leader) {
                for (at, value) in leader.hw.within(span) {
                    series.push(at, value);
                }
            }
        }
        series
    }

    fn find_bound(&mut self, reads_from: Option<BrokerId>) {
        if let Some(replica) = reads_from.and_then(|b| self.replica(b)) {
            let (bound, served) = (replica.hw.clone(), replica.alive.clone());
            self.bound = bound;
            self.served = served;
            return;
        }
        let mut bound = Series::default();
        let mut served = Vec::new();
        for (span, leader) in self.leaderships() {
            served.push(span);
            let lso = self.bound_is_lso && !leader.lso.points().is_empty();
            let series = if lso { &leader.lso } else { &leader.hw };
            for (at, value) in series.within(span) {
                bound.push(at, value);
            }
        }
        self.bound = bound;
        self.served = served;
    }
}

/// What the controller knows at instant 0: the start section, or a fresh partition.
fn first_state(run: &Run) -> StateChange {
    let settings = &run.scenario.settings;
    let state = match &run.scenario.start {
        Some(start) => PartitionState {
            replicas: settings.replicas.clone(),
            isr: start.isr.clone(),
            elr: start.elr.clone(),
            last_known_elr: start.last_known_elr.clone(),
            leader: start.leader,
            leader_epoch: start.leader_epoch,
            partition_epoch: start.partition_epoch,
            recovery: start.recovery,
            ..PartitionState::default()
        },
        None => PartitionState {
            replicas: settings.replicas.clone(),
            isr: settings.replicas.iter().copied().collect(),
            leader: settings.replicas.first().copied(),
            ..PartitionState::default()
        },
    };
    StateChange {
        at: Millis(0),
        event: None,
        state,
        reason: None,
    }
}
