//! Heartbeats: the broker state machine (`BrokerHeartbeatManager.calculateNextBrokerState`) and what follows.

use super::{Controller, Registration, Step};
use crate::kafka::cause::{Cause, Quantity, Rule};
use crate::kafka::error::KafkaError;
use crate::kafka::ids::{BrokerId, MetadataOffset};
use crate::kafka::message::{HeartbeatRequest, HeartbeatResponse};
use crate::kafka::sink::Sink;

/// `BrokerControlState`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BrokerState {
    /// May not lead, nor join the ISR.
    Fenced,
    /// The usual state.
    Unfenced,
    /// Its leaderships move away.
    ControlledShutdown,
    /// It may stop; counts as fenced.
    ShutdownNow,
}

impl BrokerState {
    /// Kafka's word.
    pub fn name(self) -> &'static str {
        match self {
            BrokerState::Fenced => "FENCED",
            BrokerState::Unfenced => "UNFENCED",
            BrokerState::ControlledShutdown => "CONTROLLED_SHUTDOWN",
            BrokerState::ShutdownNow => "SHUTDOWN_NOW",
        }
    }

    /// Whether a broker in this state is fenced.
    pub fn fenced(self) -> bool {
        matches!(self, BrokerState::Fenced | BrokerState::ShutdownNow)
    }
}

impl Controller {
    /// `currentBrokerState`; none = not registered.
    pub fn broker_state(&self, broker: BrokerId) -> Option<BrokerState> {
        let registration = self.brokers.get(&broker)?;
        Some(if registration.controlled_shutdown_offset.is_some() {
            BrokerState::ControlledShutdown
        } else if registration.fenced {
            BrokerState::Fenced
        } else {
            BrokerState::Unfenced
        })
    }

    /// The lowest metadata offset among active brokers; none = no broker is active.
    pub fn lowest_active_offset(&self) -> Option<MetadataOffset> {
        self.brokers
            .values()
            .filter(|r| !r.fenced && r.controlled_shutdown_offset.is_none())
            .map(|r| r.metadata_offset)
            .min()
    }

    /// `calculateNextBrokerState`: what the heartbeat leads to; none = not registered.
    pub fn next_broker_state(
        &self,
        request: &HeartbeatRequest,
        leads: bool,
    ) -> Option<BrokerState> {
        let registration = self.brokers.get(&request.broker)?;
        let caught_up = request.metadata_offset >= registration.registered_at;
        let stays_fenced = request.want_fence || registration.kept_fenced || !caught_up;
        Some(match self.broker_state(request.broker)? {
            BrokerState::Fenced if request.want_shut_down => BrokerState::ShutdownNow,
            BrokerState::Fenced if stays_fenced => BrokerState::Fenced,
            BrokerState::Fenced => BrokerState::Unfenced,
            BrokerState::Unfenced if request.want_shut_down && (request.want_fence || !leads) => {
                BrokerState::ShutdownNow
            }
            BrokerState::Unfenced if request.want_shut_down => BrokerState::ControlledShutdown,
            BrokerState::Unfenced if request.want_fence => BrokerState::Fenced,
            BrokerState::Unfenced => BrokerState::Unfenced,
            BrokerState::ControlledShutdown if leads => BrokerState::ControlledShutdown,
            BrokerState::ControlledShutdown => {
                let waits = self
                    .lowest_active_offset()
                    .is_some_and(|lowest| registration.controlled_shutdown_offset > Some(lowest));
                match waits {
                    true => BrokerState::ControlledShutdown,
                    false => BrokerState::ShutdownNow,
                }
            }
            BrokerState::ShutdownNow => BrokerState::ShutdownNow,
        })
    }

    /// `ReplicationControlManager.processBrokerHeartbeat`.
    pub(super) fn heartbeat<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        request: &HeartbeatRequest,
    ) -> HeartbeatResponse {
        let broker = request.broker;
        let known = self
            .brokers
            .get(&broker)
            .is_some_and(|r| r.epoch == request.broker_epoch);
        let leads = self.partition.leader == Some(broker);
        let states = self.broker_state(broker).filter(|_| known);
        let next = self.next_broker_state(request, leads);
        let (Some(current), Some(next)) = (states, next) else {
            return HeartbeatResponse {
                error: Some(KafkaError::StaleBrokerEpoch),
                is_fenced: true,
                should_shut_down: false,
            };
        };
        let now = step.now;
        self.touch(broker, |r| r.last_contact = r.last_contact.max(now));
        let next = match step.zookeeper() {
            true => self.zookeeper_heartbeat(step, request),
            false => {
                self.move_to(step, request, current, next);
                next
            }
        };
        self.touch(broker, |r| {
            r.metadata_offset = request.metadata_offset;
            if next.fenced() {
                r.controlled_shutdown_offset = None;
            }
        });
        HeartbeatResponse {
            error: None,
            is_fenced: next.fenced(),
            should_shut_down: next == BrokerState::ShutdownNow,
        }
    }

    fn move_to<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        request: &HeartbeatRequest,
        current: BrokerState,
        next: BrokerState,
    ) {
        if current == next {
            return;
        }
        let broker = request.broker;
        match next {
            BrokerState::Unfenced => {
                let cause = Cause::of(Rule::Unfence)
                    .number(Quantity::BrokerEpoch(broker), request.broker_epoch);
                self.unfence_now(step, broker, cause);
            }
            BrokerState::ControlledShutdown => self.enter_controlled_shutdown(step, broker),
            BrokerState::Fenced => {
                self.fence_now(step, broker, false, Cause::of(Rule::Fence));
            }
            BrokerState::ShutdownNow => {
                self.fence_now(step, broker, false, Cause::of(Rule::ShutdownNow));
            }
        }
    }

    fn touch(&mut self, broker: BrokerId, change: impl FnOnce(&mut Registration)) {
        if let Some(registration) = self.brokers.get_mut(&broker) {
            change(registration);
        }
    }
}
