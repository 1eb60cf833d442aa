//! Fencing, unfencing, controlled shutdown, unregistering (rules 5.3).

use super::{Concerns, Controller, Step, because};
use crate::kafka::cause::{Cause, Quantity, Rule};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{ChangeReason, EventKind};
use crate::kafka::ids::{BrokerId, EventId, Millis};
use crate::kafka::rules::Rules;
use crate::kafka::settings::Settings;
use crate::kafka::sink::Sink;

impl Controller {
    /// Fences every broker whose session has expired, one at a time, the longest silent first, so that the effect of
    /// each is there before the next (`ReplicationControlManager.maybeFenceOneStaleBroker`). To be called every
    /// `broker.session.timeout.ms` / 8 (`QuorumController.maybeFenceStaleBrokerPeriodNs`).
    pub fn check_sessions<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        sink: &mut S,
    ) {
        while let Some(broker) = self.stale_broker(settings, now) {
            let fenced = self.act(rules, settings, now, sink, |controller, step| {
                let last = controller.brokers.get(&broker).map(|r| r.last_contact);
                let cause = Cause::of(Rule::SessionExpired)
                    .number(Quantity::LastContact(broker), last)
                    .number(Quantity::Waited, now.since(last.unwrap_or(now)))
                    .number(Quantity::SessionTimeout, settings.session_timeout);
                controller.fence_now(step, broker, true, cause);
            });
            if fenced.is_none() {
                return;
            }
        }
    }

    fn stale_broker(&self, settings: &Settings, now: Millis) -> Option<BrokerId> {
        self.brokers
            .iter()
            .filter(|(_, r)| !r.fenced && now.since(r.last_contact) > settings.session_timeout)
            .min_by_key(|(id, r)| (r.last_contact, **id))
            .map(|(id, _)| *id)
    }

    /// A script ends the broker's session now; its heartbeats do not bring it back before [`Controller::unfence`] or a
    /// new start of its process.
    pub fn fence<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        broker: BrokerId,
        sink: &mut S,
    ) -> Result<(), KafkaError> {
        if !self.brokers.contains_key(&broker) {
            return Err(KafkaError::BrokerIdNotRegistered);
        }
        self.act(rules, settings, now, sink, |controller, step| {
            if let Some(registration) = controller.brokers.get_mut(&broker) {
                registration.kept_fenced = true;
            }
            controller.fence_now(step, broker, true, Cause::of(Rule::Script));
        })
        .ok_or(KafkaError::RequestTimedOut)
    }

    /// The broker's next heartbeat may unfence it again.
    pub fn unfence(&mut self, broker: BrokerId) -> Result<(), KafkaError> {
        let registration = self
            .brokers
            .get_mut(&broker)
            .ok_or(KafkaError::BrokerIdNotRegistered)?;
        registration.kept_fenced = false;
        Ok(())
    }

    /// `handleBrokerFenced`: out of the ISR, another leader if it led, then its registration is fenced.
    /// Nothing is written for a broker that is fenced already.
    pub(super) fn fence_now<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        broker: BrokerId,
        session_expired: bool,
        cause: Cause,
    ) -> Option<EventId> {
        let registration = self.brokers.get_mut(&broker)?;
        registration.controlled_shutdown_offset = None;
        if registration.fenced {
            return None;
        }
        registration.fenced = true;
        let trigger = step.sink.event(|| {
            let kind = EventKind::BrokerFenced {
                broker,
                session_expired,
            };
            (kind, cause)
        });
        let reason = match session_expired {
            true => ChangeReason::SessionExpired(broker),
            false => ChangeReason::ControlledShutdown(broker),
        };
        if step.zookeeper() {
            self.zookeeper_broker_is_gone(step, broker, reason, trigger);
        } else {
            self.remove_from_isr(step, broker, because(reason, Rule::Fence, trigger));
        }
        self.wrote();
        trigger
    }

    /// `handleBrokerUnfenced`: only a leaderless partition is looked at, and nobody re-enters the ISR by it.
    pub(super) fn unfence_now<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        broker: BrokerId,
        cause: Cause,
    ) {
        let Some(registration) = self.brokers.get_mut(&broker) else {
            return;
        };
        registration.fenced = false;
        self.wrote();
        let trigger = step
            .sink
            .event(|| (EventKind::BrokerUnfenced { broker }, cause));
        if self.partition.leader.is_none() {
            let why = because(ChangeReason::Unfenced(broker), Rule::Unfence, trigger);
            self.update_leader_and_isr(step, Concerns::default(), why);
        }
    }

    /// `handleBrokerInControlledShutdown`: as fencing, but its registration says that it is shutting down.
    pub(super) fn enter_controlled_shutdown<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        broker: BrokerId,
    ) {
        let Some(registration) = self.brokers.get_mut(&broker) else {
            return;
        };
        registration.in_controlled_shutdown = true;
        self.wrote();
        let leader = self.partition.leader;
        let trigger = step.sink.event(|| {
            let cause = Cause::of(Rule::ControlledShutdown).number(Quantity::Leader, leader);
            (EventKind::ControlledShutdownBegan { broker }, cause)
        });
        let reason = ChangeReason::ControlledShutdown(broker);
        let why = because(reason, Rule::ControlledShutdown, trigger);
        self.remove_from_isr(step, broker, why);
        // It may go when everybody knows what was written here (`QuorumController`'s processBatchEndOffset).
        let written = self.offset;
        if let Some(registration) = self.brokers.get_mut(&broker) {
            registration
                .controlled_shutdown_offset
                .get_or_insert(written);
        }
    }

    /// Puts a broker into controlled shutdown, as a heartbeat that asks for it does while it leads.
    pub fn begin_controlled_shutdown<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        broker: BrokerId,
        sink: &mut S,
    ) {
        self.act(rules, settings, now, sink, |controller, step| {
            controller.enter_controlled_shutdown(step, broker);
        });
    }

    /// `handleBrokerUnregistered`: out of ISR and ELR, and the registration is gone.
    pub fn unregister<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        broker: BrokerId,
        sink: &mut S,
    ) -> Result<(), KafkaError> {
        if !self.brokers.contains_key(&broker) {
            return Err(KafkaError::BrokerIdNotRegistered);
        }
        self.act(rules, settings, now, sink, |controller, step| {
            let partition = &controller.partition;
            if partition.isr.contains(broker) || partition.elr.contains(broker) {
                let concerns = Concerns {
                    unclean: Some(broker),
                    ..Concerns::default()
                };
                let why = because(ChangeReason::Unregistered(broker), Rule::Fence, None);
                controller.update_leader_and_isr(step, concerns, why);
            }
            controller.brokers.remove(&broker);
            controller.wrote();
        })
        .ok_or(KafkaError::RequestTimedOut)
    }

    fn remove_from_isr<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        broker: BrokerId,
        why: super::Because,
    ) {
        if !self.partition.isr.contains(broker) {
            return;
        }
        let concerns = Concerns {
            remove: Some(broker),
            ..Concerns::default()
        };
        self.update_leader_and_isr(step, concerns, why);
    }
}
