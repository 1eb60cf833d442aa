//! A broker's process: start, registration, heartbeats, controlled shutdown, crash (rules 5.3).

use super::broker::{Broker, HwCheckpoint, Process, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::{EventKind, Stop};
use super::ids::{MessageId, Millis, Offset};
use super::message::{
    Body, HeartbeatRequest, HeartbeatResponse, MetadataImage, Node, RegistrationRequest,
    RegistrationResponse,
};
use super::sink::{Sink, Timer};

/// The first wait before a refused registration is tried again; it doubles up to the heartbeat interval
/// (`BrokerLifecycleManager`).
const REGISTRATION_BACKOFF: Millis = Millis(100);

impl Broker {
    /// The process ends without telling anybody. What is on its disk stays, or loses the tail that was not flushed.
    pub fn crash<S: Sink>(&mut self, context: &Context<'_>, keep: Option<Offset>, sink: &mut S) {
        if self.process == Process::Down {
            return;
        }
        let how = keep.map_or(Stop::Kill, Stop::PowerLoss);
        let checkpointed = self.checkpointed_hw(context);
        self.clean_shutdown = None;
        self.end_process(how, checkpointed, sink);
    }

    /// The process ends: what is in memory is gone.
    fn end_process<S: Sink>(&mut self, how: Stop, checkpointed: Offset, sink: &mut S) {
        self.process = Process::Down;
        self.role = Role::None;
        self.parked_fetches.clear();
        self.heartbeat_in_flight = None;
        self.alter_partition_in_flight = None;
        self.checkpoint = HwCheckpoint::of(checkpointed);
        if let Stop::PowerLoss(keep) = how {
            self.log.lose_tail(keep);
        }
        let leo = self.log.leo();
        sink.event(|| {
            let rule = if matches!(how, Stop::PowerLoss(_)) {
                Rule::PowerLoss
            } else {
                Rule::Script
            };
            let mut cause = Cause::of(rule).number(Quantity::Leo(self.id), leo);
            if let Stop::PowerLoss(keep) = how {
                cause = cause.number(Quantity::KeepLeo, keep);
            }
            (
                EventKind::BrokerStopped {
                    broker: self.id,
                    how,
                    leo,
                    checkpointed_hw: checkpointed,
                },
                cause,
            )
        });
    }

    /// What the checkpoint file of a dead broker holds (not clamped to its LEO until it is loaded).
    pub fn checkpoint_on_disk(&self) -> Offset {
        self.checkpoint.written()
    }

    /// The process starts: the log is loaded, then it registers.
    pub fn start<S: Sink>(&mut self, context: &Context<'_>, clean: Option<bool>, sink: &mut S) {
        if self.process != Process::Down {
            return;
        }
        let checkpointed = self.checkpoint_on_disk();
        let forgotten = self.log.load_from_disk(checkpointed);
        self.process = Process::Registering;
        self.incarnation = self.incarnation.saturating_add(1);
        self.registration_attempts = 0;
        self.registration_override = clean;
        self.metadata = MetadataImage::default();
        self.announced = false;
        self.shutdown_heard = false;
        self.checkpoint = HwCheckpoint::of(self.log.hw());
        sink.event(|| {
            (
                EventKind::BrokerStarted {
                    broker: self.id,
                    leo: self.log.leo(),
                    hw: self.log.hw(),
                    forgotten_epochs: forgotten,
                    clean: self.clean_shutdown.is_some(),
                },
                Cause::of(Rule::LogLoad)
                    .number(Quantity::Hw(self.id), checkpointed)
                    .number(Quantity::Leo(self.id), self.log.leo()),
            )
        });
        let half = Millis((context.settings.replica_lag_time_max.0 / 2).max(1));
        sink.timer(
            context.now.plus(half),
            Timer::IsrTick {
                broker: self.id,
                incarnation: self.incarnation,
            },
        );
        self.register(sink);
    }

    /// Sends the registration, unless it is registered already.
    pub fn register<S: Sink>(&mut self, sink: &mut S) {
        if self.process != Process::Registering {
            return;
        }
        self.registration_attempts = self.registration_attempts.saturating_add(1);
        let previous_broker_epoch = match self.registration_override {
            Some(true) => self.epoch,
            Some(false) => None,
            None => self.clean_shutdown,
        };
        let request = RegistrationRequest {
            broker: self.id,
            incarnation: self.incarnation,
            previous_broker_epoch,
        };
        let sent = sink.request(
            Node::Broker(self.id),
            Node::Controller,
            Body::RegistrationRequest(request),
        );
        self.registration_in_flight = Some(sent);
    }

    /// The registration was answered, or the connection broke (`response` none).
    pub fn registration_answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        response: Option<&RegistrationResponse>,
        sink: &mut S,
    ) {
        if self.process != Process::Registering {
            return;
        }
        self.registration_in_flight = None;
        match response.map(|r| r.result) {
            Some(Ok(epoch)) => {
                self.epoch = Some(epoch);
                self.process = Process::Running;
                self.clean_shutdown = None;
                let incarnation = self.incarnation;
                sink.timer(
                    context.now.plus(context.settings.heartbeat_interval),
                    Timer::Heartbeat {
                        broker: self.id,
                        incarnation,
                    },
                );
                // The image may have come before this answer: it was kept, and is applied now.
                let image = std::mem::take(&mut self.metadata);
                self.apply_metadata(context, &image, sink);
            }
            _ => {
                let doubled =
                    REGISTRATION_BACKOFF.0 << self.registration_attempts.saturating_sub(1).min(16);
                let wait = Millis(doubled.min(context.settings.heartbeat_interval.0).max(1));
                sink.timer(
                    context.now.plus(wait),
                    Timer::Register {
                        broker: self.id,
                        incarnation: self.incarnation,
                    },
                );
            }
        }
    }

    /// The connection to the controller broke while a registration was on its way.
    pub fn registration_disconnected<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        sink: &mut S,
    ) {
        if self.registration_in_flight == Some(request) {
            self.registration_answered(context, None, sink);
        }
    }

    /// Sends a heartbeat now.
    pub fn send_heartbeat<S: Sink>(&mut self, sink: &mut S) {
        let Some(broker_epoch) = self
            .epoch
            .filter(|_| matches!(self.process, Process::Running | Process::ShuttingDown))
        else {
            return;
        };
        let request = HeartbeatRequest {
            broker: self.id,
            broker_epoch,
            metadata_offset: self.metadata.offset,
            want_fence: false,
            want_shut_down: self.process == Process::ShuttingDown,
        };
        let sent = sink.request(
            Node::Broker(self.id),
            Node::Controller,
            Body::HeartbeatRequest(request),
        );
        self.heartbeat_in_flight = Some(sent);
    }

    /// The heartbeat timer: sends one, and asks for the next.
    pub fn heartbeat_due<S: Sink>(
        &mut self,
        context: &Context<'_>,
        incarnation: u32,
        sink: &mut S,
    ) {
        if incarnation != self.incarnation || !self.is_up() {
            return;
        }
        self.send_heartbeat(sink);
        sink.timer(
            context.now.plus(context.settings.heartbeat_interval),
            Timer::Heartbeat {
                broker: self.id,
                incarnation,
            },
        );
    }

    /// A heartbeat was answered, or the connection broke (`response` none).
    pub fn heartbeat_answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        response: Option<&HeartbeatResponse>,
        sink: &mut S,
    ) {
        if self.heartbeat_in_flight != Some(request) {
            return;
        }
        self.heartbeat_in_flight = None;
        let Some(response) = response else { return };
        if self.process == Process::ShuttingDown {
            if response.should_shut_down {
                return self.stop_now(sink);
            }
            if response.error.is_none() && !self.shutdown_heard {
                // `BrokerLifecycleManager`: after the first answer it asks again at once, then at the usual pace.
                self.shutdown_heard = true;
                self.send_heartbeat(sink);
            }
        } else if response.error == Some(KafkaError::StaleBrokerEpoch) {
            // The controller knows another incarnation: this one registers anew.
            self.process = Process::Registering;
            self.registration_attempts = 0;
            sink.timer(
                context.now.plus(REGISTRATION_BACKOFF),
                Timer::Register {
                    broker: self.id,
                    incarnation: self.incarnation,
                },
            );
        }
    }

    /// SIGTERM: asks the controller for leave (controlled.shutdown.enable).
    pub fn begin_shutdown<S: Sink>(&mut self, sink: &mut S) {
        if self.process == Process::Registering {
            // Not registered: there is nobody to ask. The file holds the epoch of this process, which has none (-1,
            // `BrokerLifecycleManager.brokerEpoch`): it proves nothing of the process that was registered before.
            self.stop_now(sink);
            self.clean_shutdown = None;
            return;
        }
        if self.process == Process::Running {
            self.process = Process::ShuttingDown;
            self.shutdown_heard = false;
            self.send_heartbeat(sink);
        }
    }

    /// The controller lets it go: logs are flushed, the clean-shutdown file is written.
    fn stop_now<S: Sink>(&mut self, sink: &mut S) {
        self.clean_shutdown = self.epoch;
        let hw = self.log.hw();
        self.end_process(Stop::Clean, hw, sink);
    }

    /// The process stops and starts with its log, unnoticed by anybody (the pre-registration era's bounce).
    pub fn bounce<S: Sink>(&mut self, context: &Context<'_>, keep: Option<Offset>, sink: &mut S) {
        if self.process == Process::Down {
            return;
        }
        let (process, metadata, epoch) = (self.process, self.metadata.clone(), self.epoch);
        self.crash(context, keep, sink);
        let checkpointed = self.checkpoint_on_disk();
        let forgotten_epochs = self.log.load_from_disk(checkpointed);
        self.checkpoint = HwCheckpoint::of(self.log.hw());
        self.process = process;
        self.epoch = epoch;
        sink.event(|| {
            (
                EventKind::BrokerStarted {
                    broker: self.id,
                    leo: self.log.leo(),
                    hw: self.log.hw(),
                    forgotten_epochs,
                    clean: false,
                },
                Cause::of(Rule::LogLoad).number(Quantity::Hw(self.id), checkpointed),
            )
        });
        // It has to be told anew, or it would take its own metadata for old and stay without a role.
        self.metadata = MetadataImage::default();
        self.apply_metadata(context, &metadata, sink);
    }
}
