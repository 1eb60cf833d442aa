//! The active controller as a pure machine: registrations, the partition's record, elections (rules 3.4, 3.5, 5).
//!
//! Every record that it writes moves `offset` by one. What one action writes is published as **one** image with the
//! final state, at once, to every registered broker (running or not; the links decide what arrives), because Kafka
//! writes such records as one batch: the partition change and the registration change of a fence, an unfence, a
//! controlled shutdown or a registration; a config and its ClearElr record. Two sessions that expire in the same check
//! are two actions, so two images, as in Kafka.
//!
//! Of the events of one action the broker's own (registered, fenced, unfenced, shutting down) comes first, and names
//! itself as the trigger of the partition change that follows from it.

mod alter_partition;
mod config;
mod election;
mod explain;
mod fencing;
mod heartbeat;
pub mod min_isr_levels;
mod registration;
#[cfg(test)]
mod tests;
mod zookeeper;

use super::map::Map;

pub use heartbeat::BrokerState;

use super::cause::Rule;
use super::change_builder::{BuiltChange, ElectionType, PartitionChangeBuilder};
use super::event::{ChangeReason, EventKind};
use super::ids::{BrokerEpoch, BrokerId, BrokerSet, EventId, MessageId, MetadataOffset, Millis};
use super::message::{Body, BrokerImage, MetadataImage, Node};
use super::partition::PartitionState;
use super::rules::{ControllerKind, Rules};
use super::settings::Settings;
use super::sink::Sink;
use super::topic::TopicConfig;
use explain::{Because, Looked};

/// What the controller knows of a broker. With ZooKeeper `fenced` means that its ephemeral node is gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Registration {
    /// The broker epoch: the offset at which the batch of its registration was written.
    pub epoch: BrokerEpoch,
    /// The process start that registered.
    pub incarnation: u32,
    /// Whether it is fenced: it may not lead, nor join the ISR.
    pub fenced: bool,
    /// Whether it is in controlled shutdown. Stays set when it is fenced; a new incarnation clears it.
    pub in_controlled_shutdown: bool,
    /// The offset that every active broker must have applied before it may stop; none = not shutting down.
    pub controlled_shutdown_offset: Option<MetadataOffset>,
    /// What it has applied, by its last heartbeat.
    pub metadata_offset: MetadataOffset,
    /// The offset of its registration record: it is unfenced when it has applied it.
    pub registered_at: MetadataOffset,
    /// When it was last heard of.
    pub last_contact: Millis,
    /// A script ended its session: its heartbeats do not unfence it, until the script allows it or it starts anew.
    pub kept_fenced: bool,
}

impl Registration {
    /// Neither fenced nor shutting down (`ClusterControlManager.isActive`).
    pub fn is_active(&self) -> bool {
        !self.fenced && !self.in_controlled_shutdown
    }
}

/// The state that a run starts from, as far as the controller knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerStart {
    /// The partition's record. Its `replicas` may be empty: then they are those of the settings.
    pub partition: PartitionState,
    /// The brokers that are fenced.
    pub fenced: BrokerSet,
}

/// The active controller.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Controller {
    /// Whether its process runs. When it does not, it does nothing at all.
    pub running: bool,
    /// The partition's record.
    pub partition: PartitionState,
    /// The registered brokers.
    pub brokers: Map<BrokerId, Registration>,
    /// The offset of the last record of its metadata log.
    pub offset: MetadataOffset,
    /// The topic's configs.
    pub config: TopicConfig,
    /// Whether ELR is on (`eligible.leader.replicas.version` = 1).
    pub elr_enabled: bool,
}

/// What every action is handed.
struct Step<'a, S> {
    rules: &'a Rules,
    settings: &'a Settings,
    now: Millis,
    sink: &'a mut S,
}

impl<S> Step<'_, S> {
    fn zookeeper(&self) -> bool {
        self.rules.controller == ControllerKind::ZooKeeper
    }
}

/// Which broker a change is about (`ReplicationControlManager.generateLeaderAndIsrUpdates`).
#[derive(Clone, Copy, Default)]
struct Concerns {
    /// It leaves the ISR and may not lead.
    remove: Option<BrokerId>,
    /// It leaves ISR and ELR and may not lead.
    unclean: Option<BrokerId>,
}

impl Controller {
    /// The controller after every broker has registered, has been unfenced (unless `start` names it fenced) and the
    /// partition was created: ISR = the active replicas, leader = the first of them in assignment order, epochs 0;
    /// or the record that `start` has. Broker epochs ascend with the broker ids, all sessions begin at instant 0.
    pub fn new(settings: &Settings, start: Option<&ControllerStart>) -> Controller {
        let mut offset = MetadataOffset(0);
        let mut brokers = Map::new();
        let mut ids: Vec<BrokerId> = settings.brokers.clone();
        ids.extend(settings.replicas.iter().copied());
        for id in ids {
            if brokers.contains_key(&id) {
                continue;
            }
            offset = MetadataOffset(offset.0.saturating_add(1));
            let registration = Registration {
                epoch: BrokerEpoch(offset.0),
                incarnation: 0,
                fenced: start.is_some_and(|s| s.fenced.contains(id)),
                in_controlled_shutdown: false,
                controlled_shutdown_offset: None,
                metadata_offset: MetadataOffset(0),
                registered_at: offset,
                last_contact: Millis(0),
                kept_fenced: false,
            };
            brokers.insert(id, registration);
        }
        // One record each for the unfencing, and one for the partition.
        offset.0 = offset.0.saturating_add(brokers.len() as u64 + 1);
        let mut controller = Controller {
            running: true,
            partition: start.map(|s| s.partition.clone()).unwrap_or_default(),
            brokers,
            offset,
            config: TopicConfig {
                min_insync_replicas: settings.min_insync_replicas,
                unclean_leader_election: settings.unclean_leader_election,
            },
            elr_enabled: settings.elr_enabled(),
        };
        for registration in controller.brokers.values_mut() {
            registration.metadata_offset = offset;
        }
        if start.is_none() {
            controller.create_partition(&settings.replicas);
        } else if controller.partition.replicas.is_empty() {
            controller.partition.replicas = settings.replicas.clone();
        }
        controller
    }

    /// Puts a new partition in place: ISR = active replicas, leader = the first of them, epochs 0.
    pub fn create_partition(&mut self, replicas: &[BrokerId]) {
        let active = || replicas.iter().copied().filter(|b| self.is_active(*b));
        self.partition = PartitionState {
            isr: active().collect(),
            leader: active().next(),
            replicas: replicas.to_vec(),
            ..PartitionState::default()
        };
    }

    /// Handles a request of a broker and answers it: registration, heartbeat, AlterPartition. Anything else is ignored,
    /// and so is everything while the process is down.
    #[expect(
        clippy::too_many_arguments,
        reason = "a request and its surroundings, flat"
    )]
    pub fn handle<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        request: MessageId,
        from: BrokerId,
        body: &Body,
        sink: &mut S,
    ) {
        if !self.running && !is_kept_without_controller(rules, body) {
            return;
        }
        let mut step = Step {
            rules,
            settings,
            now,
            sink,
        };
        let before = self.offset;
        let answer = match body {
            Body::RegistrationRequest(asked) => {
                Body::RegistrationResponse(self.register(&mut step, asked))
            }
            Body::HeartbeatRequest(asked) => {
                Body::HeartbeatResponse(self.heartbeat(&mut step, asked))
            }
            Body::AlterPartitionRequest(asked) => {
                Body::AlterPartitionResponse(self.alter_partition(&mut step, asked))
            }
            _ => return,
        };
        let to = Node::Broker(from);
        step.sink.reply(Node::Controller, to, request, answer);
        if self.running {
            self.publish_since(before, &mut step);
        }
    }

    /// The process ends: nothing is answered and no session expires until `restart`.
    pub fn stop(&mut self) {
        self.running = false;
    }

    /// The process is back: its log has kept everything but the sessions, which begin anew
    /// (`ClusterControlManager.activate`).
    pub fn restart(&mut self, now: Millis) {
        self.running = true;
        for registration in self.brokers.values_mut() {
            registration.last_contact = now;
            registration.metadata_offset = MetadataOffset(0);
            registration.controlled_shutdown_offset = None;
        }
    }

    /// What the metadata log says at `offset`.
    pub fn image(&self) -> MetadataImage {
        let brokers = self.brokers.iter().map(|(id, registration)| BrokerImage {
            id: *id,
            epoch: registration.epoch,
            fenced: registration.fenced,
            in_controlled_shutdown: registration.in_controlled_shutdown,
        });
        MetadataImage {
            offset: self.offset,
            partition: self.partition.clone(),
            brokers: brokers.collect(),
            min_insync_replicas: self.config.min_insync_replicas,
            unclean_leader_election: self.config.unclean_leader_election,
        }
    }

    /// Sends the image to every registered broker.
    pub fn publish<S: Sink>(&self, sink: &mut S) {
        for broker in self.brokers.keys() {
            sink.metadata(*broker, || self.image());
        }
    }

    /// `min(min.insync.replicas, RF)` (`ReplicationControlManager.getTopicEffectiveMinIsr`).
    pub fn effective_min_isr(&self) -> u32 {
        let replicas = u32::try_from(self.partition.replicas.len()).unwrap_or(u32::MAX);
        self.config.min_insync_replicas.min(replicas)
    }

    /// Registered, not fenced, not shutting down.
    pub fn is_active(&self, broker: BrokerId) -> bool {
        self.brokers
            .get(&broker)
            .is_some_and(Registration::is_active)
    }

    fn publish_since<S: Sink>(&self, before: MetadataOffset, step: &mut Step<'_, S>) {
        if self.offset != before {
            self.publish(step.sink);
        }
    }

    /// A record was written.
    fn wrote(&mut self) {
        self.offset.0 = self.offset.0.saturating_add(1);
    }

    /// Runs one action of a client, a script or a timer, and publishes what it wrote. Nothing when the process is down.
    fn act<S: Sink, R>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        sink: &mut S,
        action: impl FnOnce(&mut Controller, &mut Step<'_, S>) -> R,
    ) -> Option<R> {
        if !self.running {
            return None;
        }
        let mut step = Step {
            rules,
            settings,
            now,
            sink,
        };
        let before = self.offset;
        let result = action(self, &mut step);
        self.publish_since(before, &mut step);
        Some(result)
    }

    /// A builder for the partition; `excluded` may not lead in this action.
    fn builder<'a>(
        &'a self,
        rules: &'a Rules,
        excluded: Concerns,
    ) -> PartitionChangeBuilder<'a, impl Fn(BrokerId) -> bool + 'a> {
        let acceptable = move |broker: BrokerId| {
            let out = [excluded.remove, excluded.unclean].contains(&Some(broker));
            !out && self.is_active(broker)
        };
        PartitionChangeBuilder::new(
            &self.partition,
            acceptable,
            rules,
            self.effective_min_isr(),
            self.elr_enabled,
        )
    }

    /// Whether the topic's config lets ISR and leader events elect uncleanly.
    fn unclean_enabled(&self, rules: &Rules) -> bool {
        self.config.unclean_leader_election && rules.unclean_election_config
    }

    /// The election that ISR and leader events hold: unclean when the topic allows it.
    fn usual_election(&self, rules: &Rules) -> ElectionType {
        match self.unclean_enabled(rules) {
            true => ElectionType::Unclean,
            false => ElectionType::Online,
        }
    }

    /// `ReplicationControlManager.generateLeaderAndIsrUpdates` for the one partition.
    fn update_leader_and_isr<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        concerns: Concerns,
        because: Because,
    ) {
        let out: BrokerSet = concerns
            .remove
            .into_iter()
            .chain(concerns.unclean)
            .collect();
        let built = self
            .builder(step.rules, concerns)
            .election(self.usual_election(step.rules))
            .target_isr(self.partition.isr.minus(&out))
            .unclean_shutdown(concerns.unclean.into_iter().collect())
            .build();
        if let Some(built) = built {
            self.commit(step, built, because);
        }
    }

    /// Writes a partition record.
    fn commit<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        built: BuiltChange,
        because: Because,
    ) -> Option<EventId> {
        let looked = Looked::at(self, step.rules);
        let after = built.change.merge_into(&self.partition);
        let before = std::mem::replace(&mut self.partition, after);
        self.wrote();
        let (after, election) = (&self.partition, built.election);
        step.sink.event(|| {
            let cause = looked.cause(&before, after, election, because);
            let kind = EventKind::PartitionChanged {
                before: Box::new(before),
                after: Box::new(after.clone()),
                reason: because.reason,
                election,
            };
            (kind, cause)
        })
    }
}

/// Whether a request is answered although no controller runs: a leader's write of its ISR goes to ZooKeeper itself; the
/// controller tells of it when it is back (rules 5.8).
pub fn is_kept_without_controller(rules: &Rules, body: &Body) -> bool {
    rules.controller == ControllerKind::ZooKeeper && matches!(body, Body::AlterPartitionRequest(_))
}

/// The reason, for a change that an action of the broker caused.
fn because(reason: ChangeReason, rule: Rule, trigger: Option<EventId>) -> Because {
    Because {
        reason,
        rule,
        trigger,
    }
}
