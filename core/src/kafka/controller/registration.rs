//! Registering, and what a registration tells about the shutdown before it (rules 5.3).

use super::{Concerns, Controller, Registration, Step, because};
use crate::kafka::cause::{Cause, Quantity, Rule};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{ChangeReason, EventKind};
use crate::kafka::ids::{BrokerEpoch, BrokerId, EventId, MetadataOffset, Millis};
use crate::kafka::message::{RegistrationRequest, RegistrationResponse};
use crate::kafka::rules::Rules;
use crate::kafka::settings::Settings;
use crate::kafka::sink::Sink;

impl Controller {
    /// Whether the broker's session is valid: heard of within `broker.session.timeout.ms`. A fenced broker has none
    /// (`BrokerHeartbeatManager.hasValidSession`; 4.x counts its heartbeats too, which only delays a restart).
    pub fn has_valid_session(&self, settings: &Settings, now: Millis, broker: BrokerId) -> bool {
        self.brokers.get(&broker).is_some_and(|registration| {
            let silent = now.since(registration.last_contact);
            !registration.fenced && silent <= settings.session_timeout
        })
    }

    /// `ClusterControlManager.registerBroker`. A new incarnation is refused while the old one's session is valid,
    /// unless the old one is shutting down; accepted, it is fenced until its first heartbeat that has caught up.
    pub(super) fn register<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        request: &RegistrationRequest,
    ) -> RegistrationResponse {
        let broker = request.broker;
        let existing = self.brokers.get(&broker).cloned();
        let same = existing
            .as_ref()
            .filter(|r| r.incarnation == request.incarnation);
        if let Some(old) = existing.as_ref().filter(|_| same.is_none()) {
            let valid = self.has_valid_session(step.settings, step.now, broker);
            if valid && !old.in_controlled_shutdown {
                return refuse(step, broker, old);
            }
        }
        let epoch = BrokerEpoch(self.offset.0.saturating_add(1));
        let fenced = same.map_or(!step.zookeeper(), |r| r.fenced);
        let registration = Registration {
            epoch,
            incarnation: request.incarnation,
            fenced,
            in_controlled_shutdown: same.is_some_and(|r| r.in_controlled_shutdown),
            controlled_shutdown_offset: same.and_then(|r| r.controlled_shutdown_offset),
            metadata_offset: MetadataOffset(0),
            registered_at: MetadataOffset(epoch.0),
            last_contact: step.now,
            kept_fenced: same.is_some_and(|r| r.kept_fenced),
        };
        let stored = existing.as_ref().map(|r| r.epoch);
        let clean = stored.is_some() && request.previous_broker_epoch == stored;
        let trigger = step.sink.event(|| {
            let kind = EventKind::BrokerRegistered {
                broker,
                epoch,
                clean,
            };
            let cause = Cause::of(Rule::Registration)
                .number(Quantity::BrokerEpoch(broker), stored)
                .number(Quantity::RequestEpoch, request.previous_broker_epoch);
            (kind, cause)
        });
        let new_incarnation = same.is_none();
        self.brokers.insert(broker, registration);
        if step.zookeeper() {
            self.zookeeper_broker_is_back(
                step,
                broker,
                Cause::of(Rule::Registration).after(trigger),
            );
        } else if new_incarnation {
            self.shutdown_detected(step, broker, clean, trigger);
        }
        self.wrote();
        if let Some(registration) = self.brokers.get_mut(&broker) {
            registration.registered_at = self.offset;
        }
        RegistrationResponse { result: Ok(epoch) }
    }

    /// `ReplicationControlManager.handleBrokerShutdown`: an unclean one leaves ISR and ELR when ELR is on; otherwise it
    /// is as if the broker was fenced.
    pub(super) fn shutdown_detected<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        broker: BrokerId,
        clean: bool,
        trigger: Option<EventId>,
    ) {
        let in_isr = self.partition.isr.contains(broker);
        let in_elr = self.partition.elr.contains(broker);
        let reason = ChangeReason::Registered { broker, clean };
        let leaves_elr = self.elr_enabled && !clean && step.rules.unclean_registration_leaves_elr;
        let concerns = match leaves_elr {
            true if in_isr || in_elr => Concerns {
                unclean: Some(broker),
                ..Concerns::default()
            },
            false if in_isr => Concerns {
                remove: Some(broker),
                ..Concerns::default()
            },
            _ => return,
        };
        let why = because(reason, Rule::ShutdownDetection, trigger);
        self.update_leader_and_isr(step, concerns, why);
    }

    /// The detection alone, without a registration.
    pub fn detect_shutdown<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        broker: BrokerId,
        clean: bool,
        sink: &mut S,
    ) {
        self.act(rules, settings, now, sink, |controller, step| {
            controller.shutdown_detected(step, broker, clean, None);
        });
    }
}

fn refuse<S: Sink>(
    step: &mut Step<'_, S>,
    broker: BrokerId,
    old: &Registration,
) -> RegistrationResponse {
    let error = KafkaError::DuplicateBrokerRegistration;
    step.sink.event(|| {
        let cause = Cause::of(Rule::DuplicateRegistration)
            .number(Quantity::BrokerEpoch(broker), old.epoch)
            .number(Quantity::LastContact(broker), old.last_contact)
            .number(Quantity::Waited, step.now.since(old.last_contact))
            .number(Quantity::SessionTimeout, step.settings.session_timeout);
        (EventKind::RegistrationRefused { broker, error }, cause)
    });
    RegistrationResponse { result: Err(error) }
}
