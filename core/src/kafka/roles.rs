//! Metadata reaches a broker: it becomes leader or follower (`ReplicaManager.applyDelta`, rules 6.1).

use super::broker::{Broker, Process, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::event::EventKind;
use super::follower::Follower;
use super::ids::{BrokerId, BrokerSet, LeaderEpoch, MetadataOffset, PartitionEpoch};
use super::leader::{FollowerState, Leader};
use super::message::MetadataImage;
use super::partition::{PartitionState, Recovery};
use super::rules::Rules;
use super::sink::Sink;
use crate::kafka::map::Map;

impl Broker {
    /// Applies metadata that arrived. Older metadata has no effect. A broker that is registering keeps it until it is
    /// registered: the replica manager hears of metadata only once the broker has seen its own registration.
    pub fn apply_metadata<S: Sink>(
        &mut self,
        context: &Context<'_>,
        image: &MetadataImage,
        sink: &mut S,
    ) {
        let first =
            self.role == Role::None && !self.announced || self.metadata.offset == MetadataOffset(0);
        if image.offset <= self.metadata.offset && !first {
            return;
        }
        if self.process == Process::Registering {
            self.metadata = image.clone();
        }
        let sees_itself = image
            .broker(self.id)
            .is_some_and(|b| Some(b.epoch) == self.epoch);
        if !matches!(self.process, Process::Running | Process::ShuttingDown)
            || (first && !sees_itself)
        {
            return;
        }
        let known = std::mem::replace(&mut self.metadata, image.clone());
        sink.event(|| {
            (
                EventKind::MetadataApplied {
                    broker: self.id,
                    offset: image.offset,
                },
                Cause::of(Rule::ApplyMetadata),
            )
        });
        let partition = &image.partition;
        if partition.replicas.contains(&self.id)
            && (first || partition.partition_epoch != known.partition.partition_epoch)
        {
            // The topic's change is applied before its config: the HW is looked at with the old min ISR, and a lowered
            // one takes effect at the next append or fetch (rules 5.7, seen on real clusters).
            if !first {
                self.metadata.min_insync_replicas = known.min_insync_replicas;
            }
            if partition.leader == Some(self.id) {
                self.make_leader(context, partition, sink);
            } else {
                self.make_follower(context, partition, sink);
            }
            self.metadata.min_insync_replicas = image.min_insync_replicas;
        }
        if !self.announced {
            self.announced = true;
            self.send_heartbeat(sink);
        }
    }

    /// `Partition.makeLeader`; true when this broker was not the leader before.
    pub fn make_leader<S: Sink>(
        &mut self,
        context: &Context<'_>,
        partition: &PartitionState,
        sink: &mut S,
    ) -> bool {
        if self.knows_newer(partition) {
            return false;
        }
        let newer_epoch = self.is_newer_epoch(partition);
        let before = match std::mem::replace(&mut self.role, Role::None) {
            Role::Leader(leader) => Some(*leader),
            Role::Follower(_) | Role::None => None,
        };
        let was_leader = before.is_some();
        let newer = newer_epoch || !was_leader;
        let mut leader = before.unwrap_or_else(|| self.new_leader(partition));
        leader.partition_epoch = partition.partition_epoch;
        leader.replicas = partition.replicas.clone();
        leader.committed_isr = partition.isr.clone();
        leader.pending = None;
        leader.recovery = Recovery::Recovered;
        let own = self.id;
        leader
            .followers
            .retain(|id, _| partition.replicas.contains(id));
        for &replica in partition.replicas.iter().filter(|r| **r != own) {
            leader.followers.entry(replica).or_default();
        }
        if newer {
            self.begin_epoch(context, &mut leader, partition, was_leader, sink);
        } else {
            sink.event(|| {
                (
                    EventKind::IsrLearned {
                        leader: own,
                        isr: partition.isr.clone(),
                        partition_epoch: partition.partition_epoch,
                    },
                    Cause::of(Rule::MakeLeader)
                        .number(Quantity::ControllerIsr, &partition.isr)
                        .number(Quantity::PartitionEpoch, partition.partition_epoch),
                )
            });
        }
        self.role = Role::Leader(Box::new(leader));
        self.isr_changed(context, sink);
        if newer {
            self.complete_parked_fetches(context, sink);
        }
        !was_leader
    }

    fn new_leader(&self, partition: &PartitionState) -> Leader {
        Leader {
            epoch: partition.leader_epoch,
            epoch_start: self.log.leo(),
            partition_epoch: partition.partition_epoch,
            replicas: partition.replicas.clone(),
            committed_isr: BrokerSet::new(),
            pending: None,
            recovery: Recovery::Recovered,
            followers: Map::new(),
            parked: Vec::new(),
        }
    }

    /// A newer leader epoch: where it starts is noted before anything is written, and nobody's position is known.
    fn begin_epoch<S: Sink>(
        &mut self,
        context: &Context<'_>,
        leader: &mut Leader,
        partition: &PartitionState,
        was_leader: bool,
        sink: &mut S,
    ) {
        let leo = self.log.leo();
        leader.epoch = partition.leader_epoch;
        leader.epoch_start = leo;
        for (id, state) in &mut leader.followers {
            reset(state, *id, partition, was_leader, leo, context);
        }
        sink.event(|| {
            (
                EventKind::BecameLeader {
                    broker: self.id,
                    epoch: partition.leader_epoch,
                    epoch_start: leo,
                    hw: self.log.hw(),
                    isr: partition.isr.clone(),
                    partition_epoch: partition.partition_epoch,
                },
                Cause::of(Rule::MakeLeader)
                    .number(Quantity::Leader, partition.leader)
                    .number(Quantity::LeaderEpoch, partition.leader_epoch)
                    .number(Quantity::Leo(self.id), leo)
                    .number(Quantity::Hw(self.id), self.log.hw()),
            )
        });
        if context.rules().epoch_recorded_at_election
            && self.log.assign_epoch(partition.leader_epoch, leo)
        {
            sink.event(|| {
                (
                    EventKind::EpochAssigned {
                        broker: self.id,
                        epoch: partition.leader_epoch,
                        start: leo,
                    },
                    Cause::of(Rule::EpochEntry)
                        .number(Quantity::LeaderEpoch, partition.leader_epoch)
                        .number(Quantity::Leo(self.id), leo),
                )
            });
        }
    }

    /// `Partition.makeFollower`; true when the leader epoch is newer, which restarts the fetcher.
    pub fn make_follower<S: Sink>(
        &mut self,
        context: &Context<'_>,
        partition: &PartitionState,
        sink: &mut S,
    ) -> bool {
        if self.knows_newer(partition) {
            return false;
        }
        let newer = self.is_newer_epoch(partition);
        let refused = match &mut self.role {
            Role::Leader(leader) => std::mem::take(&mut leader.parked),
            Role::Follower(_) | Role::None => Vec::new(),
        };
        if !self.follow(partition, context.rules()) {
            return false;
        }
        sink.event(|| {
            (
                EventKind::BecameFollower {
                    broker: self.id,
                    leader: partition.leader,
                    epoch: partition.leader_epoch,
                    partition_epoch: partition.partition_epoch,
                },
                Cause::of(Rule::MakeFollower)
                    .number(Quantity::Leader, partition.leader)
                    .number(Quantity::LeaderEpoch, partition.leader_epoch)
                    .number(Quantity::Leo(self.id), self.log.leo())
                    .number(Quantity::Hw(self.id), self.log.hw()),
            )
        });
        self.refuse_parked_produce(refused, sink);
        self.complete_parked_fetches(context, sink);
        self.maybe_truncate(context, sink);
        self.ask_leader(context, sink);
        newer
    }

    /// The fetcher gets the partition (`AbstractFetcherThread.addPartitions`); with the leader and the leader epoch that it
    /// has already it keeps its state. True when it starts anew.
    pub fn follow(&mut self, partition: &PartitionState, rules: &Rules) -> bool {
        let newer = self.is_newer_epoch(partition);
        let mut generation = 0;
        if let Role::Follower(follower) = &mut self.role {
            generation = follower.generation;
            if !newer && follower.leader == partition.leader {
                follower.partition_epoch = partition.partition_epoch;
                return false;
            }
        }
        let mut follower = Follower::new(partition, generation.saturating_add(1));
        follower.phase = self.first_phase(partition.leader, rules);
        self.role = Role::Follower(follower);
        true
    }
}

impl Broker {
    /// The leader and partition epoch that it has for the partition; none before the first metadata.
    fn known_epochs(&self) -> Option<(LeaderEpoch, PartitionEpoch)> {
        match &self.role {
            Role::Leader(leader) => Some((leader.epoch, leader.partition_epoch)),
            Role::Follower(follower) => Some((follower.epoch, follower.partition_epoch)),
            Role::None => None,
        }
    }

    /// A change with a lower partition epoch is ignored; an equal one is not, because the answer to an AlterPartition may
    /// have brought it before.
    fn knows_newer(&self, partition: &PartitionState) -> bool {
        self.known_epochs()
            .is_some_and(|(_, known)| partition.partition_epoch < known)
    }

    fn is_newer_epoch(&self, partition: &PartitionState) -> bool {
        self.known_epochs()
            .is_none_or(|(known, _)| partition.leader_epoch > known)
    }
}

fn reset(
    state: &mut FollowerState,
    id: BrokerId,
    partition: &PartitionState,
    was_leader: bool,
    leo: super::ids::Offset,
    context: &Context<'_>,
) {
    state.reset(leo, !was_leader, partition.isr.contains(id), context.now);
}
