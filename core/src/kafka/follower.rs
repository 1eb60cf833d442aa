//! The follower's fetch loop (`AbstractFetcherThread`, `ReplicaFetcherThread`; rules 2.5, 6.3 to 6.5).

use super::broker::{Broker, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::EventKind;
use super::ids::{BrokerId, LeaderEpoch, MessageId, Millis, PartitionEpoch};
use super::message::{Body, FetchRequest, ListOffsetsRequest, Node, OffsetsForLeaderEpochRequest};
use super::partition::PartitionState;
use super::rules::{Rules, Truncation};
use super::settings::Isolation;
use super::sink::{Sink, Timer};

/// What the fetcher is doing with the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Nobody to fetch from.
    Idle,
    /// Makes its log agree before it fetches: asks the leader where its last epoch ends (before 2.8), or cuts to its HW.
    Truncating,
    /// Fetches.
    Fetching,
    /// Asks the leader for its offsets after OFFSET_OUT_OF_RANGE.
    OutOfRange,
    /// Stopped until the leader epoch moves (`onPartitionFenced`).
    Failed,
}

/// A follower's state for the partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Follower {
    /// Whom it follows.
    pub leader: Option<BrokerId>,
    /// The leader epoch.
    pub epoch: LeaderEpoch,
    /// The partition epoch.
    pub partition_epoch: PartitionEpoch,
    /// What the fetcher is doing.
    pub phase: Phase,
    /// The request on its way.
    pub in_flight: Option<MessageId>,
    /// Counts the fetcher's restarts: an answer or timer of an older one has no effect.
    pub generation: u32,
    /// Until when it waits before it asks again.
    pub backoff_until: Option<Millis>,
}

impl Follower {
    /// A follower that has not asked anything yet.
    pub fn new(partition: &PartitionState, generation: u32) -> Follower {
        Follower {
            leader: partition.leader,
            epoch: partition.leader_epoch,
            partition_epoch: partition.partition_epoch,
            phase: Phase::Idle,
            in_flight: None,
            generation,
            backoff_until: None,
        }
    }
}

impl Broker {
    /// What a fetcher does first with the partition (`AbstractFetcherThread.partitionFetchState`): fetch at once when the fetch
    /// itself tells of a divergence and there is an epoch to tell it by, else truncate.
    pub(super) fn first_phase(&self, leader: Option<BrokerId>, rules: &Rules) -> Phase {
        match (leader, rules.truncation) {
            (None, _) => Phase::Idle,
            (Some(_), Truncation::InFetch) if self.log.epochs().latest().is_some() => {
                Phase::Fetching
            }
            (Some(_), _) => Phase::Truncating,
        }
    }

    /// The truncating step of a follower that need not ask the leader for it: by the old rule, or because it has no epoch
    /// to ask by, it cuts its log to its HW (`AbstractFetcherThread.truncateToHighWatermark`). True when it did.
    pub fn maybe_truncate<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) -> bool {
        let truncating = self.follower().map(|f| f.phase) == Some(Phase::Truncating);
        let by_hw = context.rules().truncation == Truncation::HighWatermark
            || self.log.epochs().latest().is_none();
        if !truncating || !by_hw {
            return false;
        }
        self.truncate(self.log.hw(), Rule::TruncateToHw, None, context, sink);
        self.set_phase(Phase::Fetching);
        true
    }

    pub(super) fn set_phase(&mut self, phase: Phase) {
        if let Role::Follower(follower) = &mut self.role {
            follower.phase = phase;
        }
    }

    /// Sends the next request, at once or after the script's delay.
    pub(super) fn ask_again<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        if self.fetch_delay == Millis(0) {
            return self.ask_leader(context, sink);
        }
        let at = context.now.plus(self.fetch_delay);
        self.ask_at(at, sink);
    }

    fn ask_at<S: Sink>(&mut self, at: Millis, sink: &mut S) {
        let id = self.id;
        let Role::Follower(follower) = &mut self.role else {
            return;
        };
        follower.backoff_until = Some(at);
        sink.timer(
            at,
            Timer::FollowerFetch {
                broker: id,
                generation: follower.generation,
            },
        );
    }

    /// The timer of a back-off or of a slow follower.
    pub fn follower_fetch_due<S: Sink>(
        &mut self,
        context: &Context<'_>,
        generation: u32,
        sink: &mut S,
    ) {
        let Role::Follower(follower) = &mut self.role else {
            return;
        };
        let due = follower.backoff_until.is_some_and(|at| at <= context.now);
        if follower.generation != generation || !due || follower.in_flight.is_some() {
            return;
        }
        follower.backoff_until = None;
        self.ask_leader(context, sink);
    }

    /// Sends what the phase asks for.
    pub fn ask_leader<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        let (id, broker_epoch) = (self.id, self.epoch);
        let settings = context.settings;
        let (leo, log_start, latest) = (
            self.log.leo(),
            self.log.log_start(),
            self.log.epochs().latest(),
        );
        let Role::Follower(follower) = &mut self.role else {
            return;
        };
        let Some(leader) = follower.leader else {
            return;
        };
        let fenced = context.rules().epoch_fencing;
        let current_leader_epoch = fenced.then_some(follower.epoch);
        let body = match follower.phase {
            Phase::Idle | Phase::Failed => return,
            Phase::Truncating => Body::OffsetsForLeaderEpochRequest(OffsetsForLeaderEpochRequest {
                replica: Some(id),
                current_leader_epoch,
                epoch: latest.unwrap_or_default(),
            }),
            Phase::OutOfRange => Body::ListOffsetsRequest(ListOffsetsRequest {
                replica: Some(id),
                isolation: Isolation::ReadUncommitted,
                current_leader_epoch,
            }),
            Phase::Fetching => Body::FetchRequest(FetchRequest {
                replica: Some(id),
                broker_epoch: if context.rules().broker_epoch_check {
                    broker_epoch
                } else {
                    None
                },
                max_wait: settings.replica_fetch_wait_max,
                min_bytes: settings.replica_fetch_min_bytes,
                max_bytes: settings.replica_fetch_max_bytes,
                isolation: Isolation::ReadUncommitted,
                current_leader_epoch,
                fetch_offset: leo,
                last_fetched_epoch: if context.rules().truncation == Truncation::InFetch {
                    latest
                } else {
                    None
                },
                log_start,
                client_metadata: false,
            }),
        };
        follower.in_flight = Some(sink.request(Node::Broker(id), Node::Broker(leader), body));
        follower.backoff_until = None;
    }

    /// Takes the answer's request off the wire; false when the answer is of no use any more.
    pub(super) fn awaited(&mut self, request: MessageId) -> bool {
        match &mut self.role {
            Role::Follower(follower) if follower.in_flight == Some(request) => {
                follower.in_flight = None;
                true
            }
            _ => false,
        }
    }

    pub(super) fn back_off<S: Sink>(
        &mut self,
        error: Option<KafkaError>,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let until = context.now.plus(context.settings.replica_fetch_backoff);
        sink.event(|| {
            (
                EventKind::FetchBackedOff {
                    broker: self.id,
                    error,
                    until,
                },
                Cause::of(Rule::FetchBackoff)
                    .number(Quantity::Backoff, context.settings.replica_fetch_backoff),
            )
        });
        self.ask_at(until, sink);
    }

    /// The connection to the leader broke.
    pub fn fetch_disconnected<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        sink: &mut S,
    ) {
        if self.awaited(request) {
            self.back_off(None, context, sink);
        }
    }
}
