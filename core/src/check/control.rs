//! Events of processes and of the controller, by the real transitions. Where an election may have several winners each of
//! them is one outcome: the replicas stand in the order that lets it win.

use super::outbox::Outbox;
use super::replica::{Kind, key};
use super::rest::{self, NOW};
use super::world::{Decision, World};
use crate::kafka::broker::Broker;
use crate::kafka::controller::Controller;
use crate::kafka::ids::{MessageId, Millis};
use crate::kafka::message::Body;
use crate::kafka::topic::ElectionKind;

/// The most heartbeats that a controlled shutdown takes.
const MOST_HEARTBEATS: usize = 8;

impl World {
    /// A request of a broker reaches the controller.
    pub(super) fn decide(
        &self,
        controller: &mut Controller,
        broker: &Broker,
        id: MessageId,
        body: &Body,
        outbox: &mut Outbox,
    ) {
        let settings = &self.settings;
        controller.handle(&settings.rules, settings, NOW, id, broker.id, body, outbox);
    }

    /// The outcomes of an event, one for each order of the replicas that makes a difference.
    fn outcomes(
        &mut self,
        key: u64,
        broker: Option<u32>,
        controller: u32,
        act: impl Fn(&World, Option<&mut Broker>, &mut Controller, &mut Outbox) -> bool,
    ) -> (u32, u32) {
        if let Some(known) = self.decided.get(key) {
            return known;
        }
        let first = self.decisions.len();
        let before = self.controllers.get(controller).partition.leader_epoch;
        for winner in 0..self.ids.len() {
            let mut deciding = self.controllers.get(controller).clone();
            deciding.partition.replicas[..=winner].rotate_right(1);
            let mut machine = broker.map(|number| self.machine(number));
            let mut outbox = Outbox::default();
            if !act(self, machine.as_mut(), &mut deciding, &mut outbox) {
                break;
            }
            let wrote = deciding.partition.partition_epoch != rest::AT_REST;
            let elected = deciding.partition.leader_epoch != before;
            let decision = Decision {
                broker: machine.map_or(0, |machine| self.broker(&machine)),
                controller: self.controller(deciding),
                wrote,
            };
            if !self.decisions[first..].contains(&decision) {
                self.decisions.push(decision);
            }
            // Only an election looks at the order of the replicas, and each begins a leader epoch.
            if !elected {
                break;
            }
        }
        let found = (first as u32, (self.decisions.len() - first) as u32);
        self.decided.insert(key, found);
        found
    }

    /// The session of a dead broker expires.
    pub fn session_expires(&mut self, controller: u32, place: u8) -> (u32, u32) {
        let key = key(Kind::SessionExpires, controller, 0, place);
        self.outcomes(key, None, controller, |world, _, deciding, outbox| {
            let settings = &world.settings;
            let id = world.ids[usize::from(place)];
            if let Some(registration) = deciding.brokers.get_mut(&id) {
                registration.last_contact = Millis(0);
            }
            deciding.check_sessions(&settings.rules, settings, NOW, outbox);
            true
        })
    }

    /// The controller ends the session of a live broker.
    pub fn fence(&mut self, controller: u32, place: u8) -> (u32, u32) {
        let key = key(Kind::Fence, controller, 0, place);
        self.outcomes(key, None, controller, |world, _, deciding, outbox| {
            let settings = &world.settings;
            let id = world.ids[usize::from(place)];
            deciding
                .fence(&settings.rules, settings, NOW, id, outbox)
                .is_ok()
        })
    }

    /// A fenced broker that lives is let back by its next heartbeat.
    pub fn unfence(&mut self, broker: u32, controller: u32) -> (u32, u32) {
        let key = key(Kind::Unfence, broker, controller, 0);
        self.outcomes(
            key,
            Some(broker),
            controller,
            |world, machine, deciding, outbox| {
                let Some(machine) = machine else { return false };
                machine.send_heartbeat(outbox);
                world.heartbeat(machine, deciding, outbox);
                true
            },
        )
    }

    /// Leadership is moved to the broker at `place`.
    pub fn move_leader(&mut self, controller: u32, place: u8) -> (u32, u32) {
        let key = key(Kind::Move, controller, 0, place);
        self.outcomes(key, None, controller, |world, _, deciding, outbox| {
            let settings = &world.settings;
            let kind = ElectionKind::Named(world.ids[usize::from(place)]);
            deciding
                .elect(&settings.rules, settings, NOW, kind, outbox)
                .is_ok()
        })
    }

    /// A process starts: it loads its log, registers, reads the newest metadata and is unfenced.
    pub fn restart(&mut self, broker: u32, controller: u32) -> (u32, u32) {
        let key = key(Kind::Restart, broker, controller, 0);
        self.outcomes(
            key,
            Some(broker),
            controller,
            |world, machine, deciding, outbox| {
                let Some(machine) = machine else { return false };
                let context = world.context();
                machine.start(&context, None, outbox);
                let Some((id, request)) = outbox.take() else {
                    return false;
                };
                world.decide(deciding, machine, id, &request.body, outbox);
                if let Some((_, answer)) = outbox.take()
                    && let Body::RegistrationResponse(response) = &answer.body
                {
                    machine.registration_answered(&context, Some(response), outbox);
                }
                machine.apply_metadata(&context, &deciding.image(), outbox);
                world.heartbeat(machine, deciding, outbox);
                machine.apply_metadata(&context, &deciding.image(), outbox);
                true
            },
        )
    }

    /// A controlled shutdown, to its end.
    pub fn clean_shutdown(&mut self, broker: u32, controller: u32) -> (u32, u32) {
        let key = key(Kind::Clean, broker, controller, 0);
        self.outcomes(
            key,
            Some(broker),
            controller,
            |world, machine, deciding, outbox| {
                let Some(machine) = machine else { return false };
                machine.begin_shutdown(outbox);
                for _ in 0..MOST_HEARTBEATS {
                    if !machine.is_up() {
                        return true;
                    }
                    if outbox.peek().is_none() {
                        machine.send_heartbeat(outbox);
                    }
                    world.heartbeat(machine, deciding, outbox);
                }
                !machine.is_up()
            },
        )
    }

    /// The heartbeat that is on its way reaches the controller, and its answer the broker.
    fn heartbeat(&self, broker: &mut Broker, controller: &mut Controller, outbox: &mut Outbox) {
        // A follower that has just begun to fetch has a request on its way, too: fetching is an event of its own.
        let is_heartbeat = |body: &Body| matches!(body, Body::HeartbeatRequest(_));
        let request = core::iter::from_fn(|| outbox.take()).find(|(_, m)| is_heartbeat(&m.body));
        let Some((id, request)) = request else {
            return;
        };
        self.decide(controller, broker, id, &request.body, outbox);
        if let Some((_, answer)) = outbox.take()
            && let Body::HeartbeatResponse(response) = &answer.body
        {
            broker.heartbeat_answered(&self.context(), id, Some(response), outbox);
        }
    }
}
