//! What only a leader knows: its followers' positions, the ISR with a proposal in flight, parked produce requests; and
//! the arithmetic over them.

use super::context::Context;
use super::delayed_produce::PartitionStatus;
use super::error::KafkaError;
use super::event::IsrChange;
use super::ids::{
    BrokerEpoch, BrokerId, BrokerSet, LeaderEpoch, MessageId, Millis, Offset, PartitionEpoch,
    SendId,
};
use super::message::MetadataImage;
use super::partition::Recovery;
use super::rules::ControllerKind;
use crate::kafka::map::Map;

/// A remote replica as its leader sees it (`Replica`, `ReplicaState`). `None` = unknown (-1) or never.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FollowerState {
    /// Its LEO.
    pub leo: Option<Offset>,
    /// Its log start.
    pub log_start: Option<Offset>,
    /// When it was last caught up.
    pub last_caught_up: Option<Millis>,
    /// When it fetched last.
    pub last_fetch: Option<Millis>,
    /// The leader's LEO at that fetch.
    pub last_fetch_leader_leo: Option<Offset>,
    /// Whether it has fetched from this leader.
    pub fetched: bool,
    /// The broker epoch of its last fetch; none = -1 or not fetched.
    pub broker_epoch: Option<BrokerEpoch>,
}

/// An ISR proposal in flight (`PendingExpandIsr`, `PendingShrinkIsr`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PendingIsr {
    /// Shrink or expand.
    pub change: IsrChange,
    /// The proposed ISR.
    pub isr: BrokerSet,
    /// The request on its way; none while it waits to be sent (again), or after an answer that leaves it pending.
    pub request: Option<MessageId>,
    /// The answer left it pending: it waits for metadata and is not sent again.
    pub stuck: bool,
}

/// A produce request that waits for the HW (`DelayedProduce`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParkedProduce {
    /// The request.
    pub request: MessageId,
    /// The call.
    pub send: SendId,
    /// The attempt.
    pub attempt: u32,
    /// Where the batch is.
    pub base: Offset,
    /// The offset that the HW must reach.
    pub required: Offset,
    /// When it times out.
    pub until: Millis,
    /// How its partition stands.
    pub status: PartitionStatus,
}

impl ParkedProduce {
    /// What its answer says as things stand: the batch's base offset, or the error.
    pub fn result(&self) -> Result<Offset, KafkaError> {
        self.status.error.map_or(Ok(self.base), Err)
    }
}

/// A leader's state for the partition (`Partition`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leader {
    /// The leader epoch.
    pub epoch: LeaderEpoch,
    /// LEO at election (`leaderEpochStartOffset`).
    pub epoch_start: Offset,
    /// The partition epoch.
    pub partition_epoch: PartitionEpoch,
    /// The assignment.
    pub replicas: Vec<BrokerId>,
    /// The ISR that the controller agreed to.
    pub committed_isr: BrokerSet,
    /// The proposal in flight.
    pub pending: Option<PendingIsr>,
    /// The recovery state that the next AlterPartition tells.
    pub recovery: Recovery,
    /// Every other replica.
    pub followers: Map<BrokerId, FollowerState>,
    /// Produce requests that wait.
    pub parked: Vec<ParkedProduce>,
}

impl Default for FollowerState {
    /// Nothing is known of it (`ReplicaState.EMPTY`, which has 0 and not -1 for the leader's LEO at the last fetch).
    fn default() -> FollowerState {
        FollowerState {
            leo: None,
            log_start: None,
            last_caught_up: None,
            last_fetch: None,
            last_fetch_leader_leo: Some(Offset(0)),
            fetched: false,
            broker_epoch: None,
        }
    }
}

impl FollowerState {
    /// Whether it is caught up (`ReplicaState.isCaughtUp`, rules 3.1).
    pub fn is_caught_up(&self, leader_leo: Offset, now: Millis, lag_time_max: Millis) -> bool {
        self.leo == Some(leader_leo)
            || self
                .last_caught_up
                .is_some_and(|at| now.since(at) <= lag_time_max)
    }

    /// Notes a fetch (`Replica.updateFetchStateOrThrow`, rules 2.3); true when its LEO changed. `registered` is the broker
    /// epoch that the leader's metadata has for it.
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER, with nothing noted, for a fetch of an older broker epoch.
    pub fn update(
        &mut self,
        fetch: FetchPosition,
        leader_leo: Offset,
        now: Millis,
        registered: Option<BrokerEpoch>,
    ) -> Result<bool, KafkaError> {
        if let (Some(sent), Some(known)) = (fetch.broker_epoch, registered)
            && known > sent
        {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        if fetch.offset >= leader_leo {
            self.last_caught_up = self.last_caught_up.max(Some(now));
        } else if self
            .last_fetch_leader_leo
            .is_some_and(|leo| fetch.offset >= leo)
        {
            self.last_caught_up = self.last_caught_up.max(self.last_fetch);
        }
        let changed = self.leo != Some(fetch.offset);
        self.leo = Some(fetch.offset);
        self.log_start = Some(fetch.log_start);
        self.fetched = true;
        self.broker_epoch = fetch.broker_epoch;
        self.last_fetch_leader_leo = self.last_fetch_leader_leo.max(Some(leader_leo));
        self.last_fetch = Some(now);
        Ok(changed)
    }

    /// Forgets it at an election (`Replica.resetReplicaState`, rules 6.1): caught up now when in the ISR, else never.
    pub fn reset(&mut self, leader_leo: Offset, new_leader: bool, in_isr: bool, now: Millis) {
        self.last_caught_up = in_isr.then_some(now);
        if new_leader {
            self.leo = None;
            self.log_start = None;
            self.last_fetch_leader_leo = None;
            self.last_fetch = None;
            self.fetched = false;
            self.broker_epoch = None;
        } else {
            self.last_fetch_leader_leo = Some(leader_leo);
            self.last_fetch = in_isr.then_some(now);
        }
    }
}

/// What a follower's fetch says of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchPosition {
    /// `fetchOffset`: its LEO.
    pub offset: Offset,
    /// Its log start.
    pub log_start: Offset,
    /// Its broker epoch; none = -1.
    pub broker_epoch: Option<BrokerEpoch>,
}

impl Leader {
    /// The ISR that HW and acks count (`maximalIsr`, rules 1.2): a pending addition counts, a pending removal does too.
    ///
    /// With ZooKeeper the write is one step for the leader (`Partition.maybeExpandIsr` holds `leaderIsrUpdateLock` until
    /// ZooKeeper has answered): nothing is committed by the old ISR while the new one may be in place already.
    pub fn maximal_isr(&self, context: &Context<'_>) -> BrokerSet {
        let rules = context.rules();
        let counts = rules.maximal_isr || rules.controller == ControllerKind::ZooKeeper;
        match &self.pending {
            Some(pending) if pending.change == IsrChange::Expand && counts => {
                self.committed_isr.union(&pending.isr)
            }
            _ => self.committed_isr.clone(),
        }
    }

    /// Whether a replica may be in the ISR (`Partition.isReplicaIsrEligible`, rules 3.3 item 2).
    pub fn is_eligible(
        &self,
        replica: BrokerId,
        metadata: &MetadataImage,
        context: &Context<'_>,
    ) -> bool {
        let Some(state) = self.followers.get(&replica) else {
            return false;
        };
        let Some(image) = metadata.broker(replica) else {
            return !context.rules().fenced_kept_out_of_isr;
        };
        let rules = context.rules();
        if rules.fenced_kept_out_of_isr && (image.fenced || image.in_controlled_shutdown) {
            return false;
        }
        if !rules.broker_epoch_check {
            return true;
        }
        state.fetched && state.broker_epoch.is_none_or(|epoch| epoch == image.epoch)
    }

    /// Whether a replica outside the ISR holds the HW back, because it is about to join (rules 1.2 item 2).
    pub fn counts_outside_isr(
        &self,
        replica: BrokerId,
        leo: Offset,
        metadata: &MetadataImage,
        context: &Context<'_>,
    ) -> bool {
        self.followers.get(&replica).is_some_and(|state| {
            state.is_caught_up(leo, context.now, context.settings.replica_lag_time_max)
        }) && self.is_eligible(replica, metadata, context)
    }

    /// The HW that the positions allow, and who holds it there; `None` while an unknown position blocks it
    /// (`Partition.maybeIncrementLeaderHW`). The min-ISR freeze is not looked at here.
    pub fn hw_candidate(
        &self,
        leo: Offset,
        metadata: &MetadataImage,
        context: &Context<'_>,
    ) -> (Option<Offset>, BrokerSet) {
        let maximal = self.maximal_isr(context);
        let mut candidate = Some(leo);
        let mut holders = BrokerSet::new();
        for (&replica, state) in &self.followers {
            if state.leo >= Some(leo)
                || !(maximal.contains(replica)
                    || self.counts_outside_isr(replica, leo, metadata, context))
            {
                continue;
            }
            // None (unknown) sorts below every offset, as -1 does in Kafka.
            if state.leo < candidate {
                candidate = state.leo;
                holders = BrokerSet::new();
            }
            if state.leo == candidate {
                holders.insert(replica);
            }
        }
        (candidate, holders)
    }

    /// ISR members that are not caught up (`Partition.getOutOfSyncReplicas`, rules 3.2). Never the leader itself, and nobody
    /// while a change is in flight.
    pub fn out_of_sync(&self, own: BrokerId, leo: Offset, context: &Context<'_>) -> BrokerSet {
        if self.pending.is_some() {
            return BrokerSet::new();
        }
        let by_count = context.rules().replica_lag_max_messages;
        self.committed_isr
            .iter()
            .filter(|&member| member != own)
            .filter(|member| {
                let Some(state) = self.followers.get(member) else {
                    return true;
                };
                let late =
                    !state.is_caught_up(leo, context.now, context.settings.replica_lag_time_max);
                // KIP-16 removed this: so many records behind, however fresh the follower is.
                let far =
                    by_count.is_some_and(|most| leo.since(state.leo.unwrap_or_default()) > most);
                late || far
            })
            .collect()
    }

    /// Takes it that these followers are not caught up in time: a script that has them removed says that the leader found
    /// them so. It lasts until they fetch up to the LEO again.
    pub fn take_as_late(&mut self, late: &BrokerSet) {
        for follower in late.iter() {
            if let Some(state) = self.followers.get_mut(&follower) {
                state.last_caught_up = None;
            }
        }
    }

    /// Whether a follower may join the ISR now (`Partition.maybeExpandIsr`, rules 3.3).
    pub fn may_join(
        &self,
        replica: BrokerId,
        hw: Offset,
        metadata: &MetadataImage,
        context: &Context<'_>,
    ) -> bool {
        let Some(leo) = self.followers.get(&replica).and_then(|state| state.leo) else {
            return false;
        };
        self.pending.is_none()
            && !self.committed_isr.contains(replica)
            && self.is_eligible(replica, metadata, context)
            && leo >= hw
            && (!context.rules().epoch_start_rule || leo >= self.epoch_start)
    }

    /// The broker epoch that AlterPartition gives for a member: of its last fetch, none = -1 for one that has not
    /// fetched from this leader (`Partition.addBrokerEpochToIsr`).
    pub fn member_epoch(
        &self,
        member: BrokerId,
        own: BrokerId,
        own_epoch: Option<BrokerEpoch>,
    ) -> Option<BrokerEpoch> {
        if member == own {
            own_epoch
        } else {
            self.followers
                .get(&member)
                .and_then(|state| state.broker_epoch)
        }
    }
}
