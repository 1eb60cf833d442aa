//! The follower's fetch loop (`AbstractFetcherThread`, `ReplicaFetcherThread`; rules 2.5, 6.3 to 6.5).

use super::broker::{Broker, Process, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::EventKind;
use super::ids::{BrokerId, LeaderEpoch, MessageId, Millis, Offset, PartitionEpoch};
use super::message::{
    Body, DivergingEpoch, FetchRequest, FetchResponse, ListOffsetsRequest, ListOffsetsResponse,
    Node, OffsetsForLeaderEpochRequest, OffsetsForLeaderEpochResponse,
};
use super::partition::PartitionState;
use super::record::{Batch, Payload};
use super::rules::Truncation;
use super::settings::Isolation;
use super::sink::{Sink, Timer};
use super::truncation::truncation_point;

/// What the fetcher is doing with the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Nobody to fetch from.
    Idle,
    /// Asks the leader where its last epoch ends (before 2.8).
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
    /// Starts the fetcher for a new leader epoch: truncation first, where the rules ask for it (rules 6.3, 6.4).
    pub(super) fn start_fetcher<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        let Role::Follower(follower) = &mut self.role else {
            return;
        };
        if follower.leader.is_none() {
            follower.phase = Phase::Idle;
            return;
        }
        let latest = self.log.epochs().latest();
        match context.rules().truncation {
            Truncation::HighWatermark => {
                self.truncate(self.log.hw(), Rule::TruncateToHw, None, context, sink);
                self.set_phase(Phase::Fetching);
            }
            Truncation::InFetch | Truncation::LeaderEpoch | Truncation::LeaderEpochAndOffset
                if latest.is_none() =>
            {
                // Without any epoch there is nothing to ask by: the log is cut to the HW.
                self.truncate(self.log.hw(), Rule::TruncateToHw, None, context, sink);
                self.set_phase(Phase::Fetching);
            }
            Truncation::InFetch => self.set_phase(Phase::Fetching),
            Truncation::LeaderEpoch | Truncation::LeaderEpochAndOffset => {
                self.set_phase(Phase::Truncating)
            }
        }
        self.ask_leader(context, sink);
    }

    fn set_phase(&mut self, phase: Phase) {
        if let Role::Follower(follower) = &mut self.role {
            follower.phase = phase;
        }
    }

    /// Sends the next request, at once or after the script's delay.
    fn ask_again<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
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
    fn ask_leader<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
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
    fn awaited(&mut self, request: MessageId) -> bool {
        match &mut self.role {
            Role::Follower(follower) if follower.in_flight == Some(request) => {
                follower.in_flight = None;
                true
            }
            _ => false,
        }
    }

    fn back_off<S: Sink>(
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

    /// A fetch was answered (`AbstractFetcherThread.processFetchRequest`).
    pub fn fetch_answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        response: &FetchResponse,
        sink: &mut S,
    ) {
        if !self.awaited(request) {
            return;
        }
        match (response.error, response.diverging) {
            (None, Some(diverging)) => {
                let leo = self.log.leo();
                let point =
                    truncation_point(diverging, self.log.epochs(), leo, response.fetch_offset);
                self.truncate(
                    point.to,
                    Rule::FollowerTruncate,
                    Some(diverging),
                    context,
                    sink,
                );
                self.ask_again(context, sink);
            }
            (None, None) => {
                self.take_batches(context, response, sink);
                self.ask_again(context, sink);
            }
            (Some(error), _) => {
                self.fetch_failed(error, response.request_leader_epoch, context, sink)
            }
        }
    }

    /// Appends, then takes HW and log start (`ReplicaFetcherThread.processPartitionData`, rules 1.4 items 3 and 5).
    fn take_batches<S: Sink>(
        &mut self,
        context: &Context<'_>,
        response: &FetchResponse,
        sink: &mut S,
    ) {
        let Role::Follower(follower) = &self.role else {
            return;
        };
        let (id, epoch) = (self.id, follower.epoch);
        let limit = self.fetch_limit.map(|most| self.log.leo().plus(most));
        for (place, batch) in response.batches.iter().enumerate() {
            if context.rules().higher_epoch_batches_skipped && batch.epoch > epoch {
                break;
            }
            let Some(batch) = within(limit, place == 0, batch) else {
                break;
            };
            if !self.log.append_follower(batch) {
                break;
            }
            let leo = self.log.leo();
            sink.event(|| {
                (
                    EventKind::Appended {
                        broker: id,
                        batch,
                        send: None,
                        leo,
                    },
                    Cause::of(Rule::FollowerAppend)
                        .number(Quantity::FetchOffset, response.fetch_offset)
                        .number(Quantity::Records, batch.count),
                )
            });
        }
        let from = self.log.hw();
        self.checkpoint_before_hw(context);
        self.log.set_hw(response.high_watermark);
        let to = self.log.hw();
        if to != from {
            sink.event(|| {
                (
                    EventKind::HwChanged {
                        broker: id,
                        from,
                        to,
                        leads: false,
                    },
                    Cause::of(Rule::FollowerHw)
                        .number(Quantity::ResponseHw, response.high_watermark)
                        .number(Quantity::Leo(id), self.log.leo())
                        .number(Quantity::Waited, response.parked),
                )
            });
        }
        self.log.raise_log_start(response.log_start);
        // A consumer that reads from this follower is bounded by its HW (KIP-392).
        if to != from {
            self.complete_parked_fetches(context, sink);
        }
    }

    /// Notes for the checkpoint file that the HW may change now.
    fn checkpoint_before_hw(&mut self, context: &Context<'_>) {
        let hw = self.log.hw();
        self.checkpoint
            .hw_changes(context.settings.hw_checkpoint_interval, context.now, hw);
    }

    fn fetch_failed<S: Sink>(
        &mut self,
        error: KafkaError,
        asked_in: Option<LeaderEpoch>,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let Role::Follower(follower) = &mut self.role else {
            return;
        };
        match error {
            KafkaError::FencedLeaderEpoch if asked_in == Some(follower.epoch) => {
                follower.phase = Phase::Failed;
                let epoch = follower.epoch;
                sink.event(|| {
                    (
                        EventKind::FetchFailed {
                            broker: self.id,
                            error,
                        },
                        Cause::of(Rule::PartitionFenced).number(Quantity::RequestEpoch, epoch),
                    )
                });
            }
            KafkaError::OffsetOutOfRange => {
                follower.phase = Phase::OutOfRange;
                self.ask_leader(context, sink);
            }
            _ => self.back_off(Some(error), context, sink),
        }
    }

    /// Where the leader's epoch ends (before 2.8; rules 6.3).
    pub fn epoch_end_answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        response: &OffsetsForLeaderEpochResponse,
        sink: &mut S,
    ) {
        if !self.awaited(request) {
            return;
        }
        if let Some(error) = response.error {
            return self.fetch_failed(error, response.request_leader_epoch, context, sink);
        }
        let leo = self.log.leo();
        let (to, completed) = match (context.rules().truncation, response.answer.end_offset) {
            (_, None) => (self.log.hw(), true),
            (Truncation::LeaderEpochAndOffset, Some(_)) => {
                let point = truncation_point(response.answer, self.log.epochs(), leo, leo);
                (point.to, point.completed)
            }
            (_, Some(end)) => (end.min(leo), true),
        };
        self.truncate(
            to,
            Rule::FollowerTruncate,
            Some(response.answer),
            context,
            sink,
        );
        if completed || self.log.epochs().latest().is_none() {
            self.set_phase(Phase::Fetching);
        }
        self.ask_leader(context, sink);
    }

    /// The leader's offsets after OFFSET_OUT_OF_RANGE (`fetchOffsetAndTruncate`, rules 6.5).
    pub fn list_offsets_answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        response: &ListOffsetsResponse,
        sink: &mut S,
    ) {
        if !self.awaited(request) {
            return;
        }
        if let Some(error) = response.error {
            self.set_phase(Phase::Fetching);
            return self.fetch_failed(error, response.request_leader_epoch, context, sink);
        }
        let leo = self.log.leo();
        if response.latest < leo {
            if context.rules().exits_rather_than_truncate && !self.metadata.unclean_leader_election
            {
                return self.exit(leo, response.latest, sink);
            }
            self.truncate(
                response.latest,
                Rule::FollowerOutOfRange,
                None,
                context,
                sink,
            );
        } else if response.earliest > leo {
            self.log.truncate_fully(response.earliest);
            sink.event(|| {
                (
                    EventKind::Truncated {
                        broker: self.id,
                        from: leo,
                        to: response.earliest,
                        hw: response.earliest,
                    },
                    Cause::of(Rule::FollowerOutOfRange).number(Quantity::FetchOffset, leo),
                )
            });
        }
        self.set_phase(Phase::Fetching);
        self.ask_leader(context, sink);
    }

    /// 0.10: "Exiting because log truncation is not allowed" (`ReplicaFetcherThread.handleOffsetOutOfRange`).
    fn exit<S: Sink>(&mut self, leo: Offset, leader_leo: Offset, sink: &mut S) {
        self.process = Process::Down;
        self.role = Role::None;
        self.parked_fetches.clear();
        sink.event(|| {
            (
                EventKind::BrokerExited {
                    broker: self.id,
                    leo,
                    leader_leo,
                },
                Cause::of(Rule::FollowerOutOfRange).number(Quantity::Leo(self.id), leo),
            )
        });
    }

    /// Cuts the log, and tells it when anything was cut. Epoch entries at or past the new end go in any case.
    fn truncate<S: Sink>(
        &mut self,
        to: Offset,
        rule: Rule,
        diverging: Option<DivergingEpoch>,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let (from, hw) = (self.log.leo(), self.log.hw());
        let (id, own_epochs) = (self.id, self.log.epochs().clone());
        if let Some(answer) = diverging {
            sink.event(|| {
                let own = answer
                    .epoch
                    .map(|epoch| own_epochs.end_offset_for(epoch, from));
                (
                    EventKind::Diverged {
                        broker: id,
                        epoch: answer.epoch,
                        end: answer.end_offset,
                        cut: to,
                    },
                    Cause::of(rule)
                        .number(Quantity::DivergingEpoch, answer.epoch)
                        .number(Quantity::DivergingEnd, answer.end_offset)
                        .number(Quantity::OwnEpochEnd, own.and_then(|o| o.end_offset))
                        .number(Quantity::Leo(id), from),
                )
            });
        }
        self.checkpoint_before_hw(context);
        self.log.truncate_to(to);
        let leo = self.log.leo();
        if leo < from {
            sink.event(|| {
                let mut cause = Cause::of(rule)
                    .number(Quantity::Hw(id), hw)
                    .number(Quantity::Leo(id), from);
                if let Some(answer) = diverging {
                    cause = cause.number(Quantity::DivergingEnd, answer.end_offset);
                }
                (
                    EventKind::Truncated {
                        broker: id,
                        from,
                        to: leo,
                        hw: self.log.hw(),
                    },
                    cause,
                )
            });
        }
    }
}

/// What a follower with a limit takes of a batch: records from before the script one by one, others whole, and the
/// first batch in any case (as with `replica.fetch.max.bytes`).
fn within(limit: Option<Offset>, first: bool, batch: &Batch) -> Option<Batch> {
    match limit {
        Some(end) if batch.payload == Payload::Before => batch.up_to(end),
        Some(end) if batch.end() > end && !first => None,
        _ => Some(*batch),
    }
}
