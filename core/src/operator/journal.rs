//! The log lines of a run: a clerk who follows the events and writes down what each broker and the controller would.
//!
//! It keeps for itself what the lines need and an event does not carry: each replica's log, its role before the event, the
//! registrations. All of it follows from the events, by the model's own log and epoch cache.

mod broker;
mod controller;

use super::line::{Level, Line, Origin};
use super::topic::Topic;
use crate::kafka::event::{Event, EventKind, Stop};
use crate::kafka::ids::{BrokerEpoch, BrokerId, BrokerSet, EventId, LeaderEpoch, Millis, Offset};
use crate::kafka::log::Log;
use crate::kafka::map::Map;
use crate::kafka::partition::PartitionState;
use crate::kafka::rules::{ControllerKind, Version};
use crate::kafka::settings::Settings;
use crate::sim::Simulation;

/// A broker as the journal follows it.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// Its replica's log, event by event.
    pub log: Log,
    /// How far its log is known to be on the disk; what its `recovery-point-offset-checkpoint` holds.
    pub recovery_point: Offset,
    /// What its process knows of leader and leader epoch; none = nothing yet.
    role: Option<(Option<BrokerId>, LeaderEpoch)>,
    /// It leads.
    leads: bool,
    /// The ISR that it proposed last.
    proposed: BrokerSet,
}

/// A broker's registration as the controller's log tells of it.
#[derive(Clone, Copy, Debug)]
struct Registration {
    epoch: BrokerEpoch,
    /// The offset of its register record.
    record: u64,
    /// It has not been unfenced since it registered.
    fresh: bool,
    shutting_down: bool,
}

/// Writes the lines. Feed it the events in order.
#[derive(Clone, Debug)]
pub struct Journal {
    topic: Topic,
    settings: Settings,
    seats: Map<BrokerId, Seat>,
    registrations: Map<BrokerId, Registration>,
    partition: PartitionState,
    min_isr: u32,
    lines: Vec<Line>,
    /// What the controller wrote when it applied its own records: a controller that starts again writes it once more.
    replayed: Vec<Line>,
    at: Millis,
    event: EventId,
}

impl Journal {
    /// A journal that begins with the run. `simulation` is the state that the run starts from.
    pub fn of_start(topic: &Topic, simulation: &Simulation) -> Journal {
        let cluster = &simulation.cluster;
        let seat = |log: &Log| Seat {
            log: log.clone(),
            recovery_point: log.log_start(),
            role: None,
            leads: false,
            proposed: BrokerSet::new(),
        };
        let registrations = cluster.controller.brokers.iter().map(|(id, known)| {
            let registration = Registration {
                epoch: known.epoch,
                record: known.registered_at.0,
                fresh: false,
                shutting_down: known.in_controlled_shutdown,
            };
            (*id, registration)
        });
        let mut journal = Journal {
            topic: topic.clone(),
            settings: cluster.settings.clone(),
            seats: cluster
                .brokers
                .iter()
                .map(|b| (b.id, seat(&b.log)))
                .collect(),
            registrations: registrations.collect(),
            partition: cluster.controller.partition.clone(),
            min_isr: cluster.controller.config.min_insync_replicas,
            lines: Vec::new(),
            replayed: Vec::new(),
            at: Millis(0),
            event: EventId(0),
        };
        journal.begins(simulation.scenario.start.is_none());
        journal
    }

    /// Follows the next events of the run.
    pub fn take(&mut self, events: &[Event]) {
        for (place, event) in events.iter().enumerate() {
            self.at = event.at;
            self.event = event.id;
            let next = events.get(place + 1);
            let changes = next.is_some_and(|next| {
                let changed = matches!(next.kind, EventKind::PartitionChanged { .. });
                changed && next.cause.trigger == Some(event.id)
            });
            self.of_controller(event, changes);
            self.of_broker(event);
            self.follow(event);
        }
    }

    /// The lines so far, in the order in which they were written.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The lines so far.
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }

    pub(super) fn seat(&self, broker: BrokerId) -> Option<&Seat> {
        self.seats.get(&broker)
    }

    fn version(&self) -> Version {
        self.settings.version
    }

    fn kraft(&self) -> bool {
        self.settings.rules.controller == ControllerKind::KRaft
    }

    fn write(&mut self, origin: Origin, level: Level, logger: &'static str, message: String) {
        self.lines.push(Line {
            at: self.at,
            event: self.event,
            origin,
            level,
            message,
            logger,
            exception: None,
        });
    }

    /// Brings what it knows up to after the event.
    fn follow(&mut self, event: &Event) {
        match &event.kind {
            EventKind::PartitionChanged { after, .. } => self.partition = (**after).clone(),
            EventKind::ConfigSet {
                name,
                value,
                result,
            } => {
                use crate::kafka::cause::Value;
                if let (&"min.insync.replicas", Value::Count(min), Ok(())) = (name, value, result) {
                    self.min_isr = u32::try_from(*min).unwrap_or(u32::MAX);
                }
            }
            other => self.follow_broker(other),
        }
    }

    fn follow_broker(&mut self, kind: &EventKind) {
        let broker = match kind {
            EventKind::Appended { broker, .. }
            | EventKind::Truncated { broker, .. }
            | EventKind::HwChanged { broker, .. }
            | EventKind::EpochAssigned { broker, .. }
            | EventKind::Diverged { broker, .. }
            | EventKind::BecameLeader { broker, .. }
            | EventKind::BecameFollower { broker, .. }
            | EventKind::BrokerStarted { broker, .. }
            | EventKind::BrokerStopped { broker, .. } => *broker,
            EventKind::IsrProposed { leader, .. } => *leader,
            _ => return,
        };
        let Some(seat) = self.seats.get_mut(&broker) else {
            return;
        };
        match kind {
            EventKind::Appended { batch, .. } => {
                seat.log.append_follower(*batch);
            }
            EventKind::Truncated { to, hw, .. } => {
                seat.log.truncate_to(*to);
                seat.log.set_hw(*hw);
                seat.recovery_point = seat.recovery_point.min(*to);
            }
            // What cuts no record still drops the epochs that begin at the end of the log.
            EventKind::Diverged { cut, .. } if *cut >= seat.log.leo() => {
                seat.log.truncate_to(*cut);
            }
            EventKind::HwChanged { to, .. } => {
                seat.log.set_hw(*to);
            }
            EventKind::EpochAssigned { epoch, start, .. } => {
                seat.log.assign_epoch(*epoch, *start);
            }
            EventKind::BecameLeader { epoch, .. } => {
                seat.role = Some((Some(broker), *epoch));
                seat.leads = true;
            }
            EventKind::BecameFollower { leader, epoch, .. } => {
                seat.role = Some((*leader, *epoch));
                seat.leads = false;
            }
            EventKind::IsrProposed { isr, .. } => seat.proposed = isr.clone(),
            EventKind::BrokerStopped { how, .. } => {
                seat.role = None;
                seat.leads = false;
                match how {
                    Stop::Clean => seat.recovery_point = seat.log.leo(),
                    Stop::Kill => {}
                    Stop::PowerLoss(keep) => seat.log.lose_tail(*keep),
                }
            }
            EventKind::BrokerStarted { hw, .. } => {
                seat.log.load_from_disk(*hw);
                seat.recovery_point = seat.log.leo();
            }
            _ => {}
        }
    }
}
