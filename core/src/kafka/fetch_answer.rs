//! What a follower makes of the leader's answers (`AbstractFetcherThread.processFetchRequest`; rules 2.5, 6.3 to 6.5).

use super::broker::{Broker, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::EventKind;
use super::follower::Phase;
use super::ids::{LeaderEpoch, MessageId, Offset};
use super::message::{
    DivergingEpoch, FetchResponse, ListOffsetsResponse, OffsetsForLeaderEpochResponse,
};
use super::record::{Batch, Payload};
use super::rules::Truncation;
use super::sink::Sink;
use super::truncation::truncation_point;

impl Broker {
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
        if !self.fits(response) {
            return self.ask_again(context, sink);
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

    /// An answer counts only while the partition's fetch offset and leader epoch are those of its request.
    fn fits(&self, response: &FetchResponse) -> bool {
        let Role::Follower(follower) = &self.role else {
            return false;
        };
        let same_epoch = response
            .request_leader_epoch
            .is_none_or(|epoch| epoch == follower.epoch);
        same_epoch && response.fetch_offset == self.log.leo()
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

    /// 0.10: "Exiting because log truncation is not allowed" (`ReplicaFetcherThread.handleOffsetOutOfRange`). Seen on
    /// 0.10.2.2: the exit never ends, because its shutdown hook waits for the fetcher that called it; the process stays
    /// registered, and its fetcher asks no more.
    fn exit<S: Sink>(&mut self, leo: Offset, leader_leo: Offset, sink: &mut S) {
        self.set_phase(Phase::Failed);
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
    pub(super) fn truncate<S: Sink>(
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
