//! The producer: produce calls, attempts, time-outs and retries (Java client's `Sender`; rules 4.2).

use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::{EventKind, Outcome};
use super::ids::{BrokerId, LeaderEpoch, MessageId, Millis, Offset, ProducerId, SendId};
use super::message::{Body, Node, ProduceRequest, ProduceResponse};
use super::record::{Batch, Payload, ProducerStamp};
use super::settings::{Acks, ProducerMetadata};
use super::sink::{Sink, Timer};

/// What a client finds when it looks for the leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaderLookup {
    /// The leader by the newest metadata that a live broker has (or the controller's, for raw clients).
    pub leader: Option<BrokerId>,
    /// Whether the process of the cached leader, or of `leader`, runs.
    pub leader_up: bool,
    /// Whether the process of the leader that the client has cached runs.
    pub cached_up: bool,
    /// The leader epoch of that metadata.
    pub epoch: LeaderEpoch,
}

/// Where a produce call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallState {
    /// It waits for a leader, for a free place among the requests in flight, or for its back-off to end.
    Waiting,
    /// A request is on its way or parked.
    InFlight(MessageId),
    /// The producer knows, or has given up.
    Done(Outcome),
}

/// A produce call of the script.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// Its number.
    pub send: SendId,
    /// When it was made.
    pub called_at: Millis,
    /// The batch; base offset and epoch are the leader's.
    pub batch: Batch,
    /// acks.
    pub acks: Acks,
    /// The request's timeout.
    pub timeout: Millis,
    /// The broker that the script named, if it did.
    pub to: Option<BrokerId>,
    /// The attempt that is on its way or was last, from 1; 0 = none yet.
    pub attempt: u32,
    /// Attempts that may still follow.
    pub retries_left: u32,
    /// The earliest instant of the next attempt.
    pub not_before: Millis,
    /// Where it is.
    pub state: CallState,
}

/// An idempotent producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// Its id.
    pub id: ProducerId,
    /// Its epoch.
    pub epoch: u32,
    /// The next sequence number.
    pub next_sequence: u32,
}

/// What a produce call asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSpec {
    /// The number of the first record.
    pub first_record: u64,
    /// How many records.
    pub count: u64,
    /// acks.
    pub acks: Acks,
    /// The request's timeout.
    pub timeout: Millis,
    /// The broker that the script named.
    pub to: Option<BrokerId>,
    /// The stamp of an idempotent batch.
    pub stamp: Option<ProducerStamp>,
}

/// The producers of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Producer {
    /// Every produce call, by its number.
    pub calls: Vec<Call>,
    /// Idempotent producers; the first is the default one.
    pub identities: Vec<Identity>,
    /// The leader that the client has cached.
    pub known_leader: Option<BrokerId>,
    /// The place of the first call that has neither an answer nor given up: what is before it is never looked at again.
    open_from: usize,
}

impl Producer {
    /// The idempotent producer at `place`, made when it is new.
    pub fn identity(&mut self, place: usize) -> &mut Identity {
        while self.identities.len() <= place {
            let id = ProducerId(self.identities.len() as u64 + 1);
            self.identities.push(Identity {
                id,
                epoch: 0,
                next_sequence: 0,
            });
        }
        &mut self.identities[place]
    }

    /// The script makes a produce call; returns its number.
    pub fn call<S: Sink>(
        &mut self,
        context: &Context<'_>,
        spec: CallSpec,
        lookup: LeaderLookup,
        sink: &mut S,
    ) -> SendId {
        let send = SendId(u32::try_from(self.calls.len()).unwrap_or(u32::MAX));
        let batch = Batch {
            base: Offset(0),
            count: spec.count,
            epoch: LeaderEpoch(0),
            producer: spec.stamp,
            payload: Payload::Records {
                first: spec.first_record,
            },
        };
        let raw = context.settings.producer_metadata == ProducerMetadata::Fresh;
        self.calls.push(Call {
            send,
            called_at: context.now,
            batch,
            acks: spec.acks,
            timeout: spec.timeout,
            to: spec.to,
            attempt: 0,
            retries_left: if raw { 0 } else { context.settings.retries },
            not_before: context.now,
            state: CallState::Waiting,
        });
        sink.event(|| {
            (
                EventKind::ProduceCalled {
                    send,
                    first_record: spec.first_record,
                    count: spec.count,
                    acks: spec.acks,
                },
                Cause::of(Rule::Script)
                    .number(Quantity::Records, spec.count)
                    .number(Quantity::Acks, spec.acks),
            )
        });
        if !raw {
            let at = context.now.plus(context.settings.delivery_timeout);
            sink.timer(at, Timer::ProducerDeliveryTimeout { send });
        }
        self.dispatch(context, lookup, sink);
        send
    }

    /// Sends every call that may be sent now, in order.
    pub fn dispatch<S: Sink>(&mut self, context: &Context<'_>, lookup: LeaderLookup, sink: &mut S) {
        if context.settings.producer_metadata == ProducerMetadata::Fresh
            || self.known_leader.is_none()
            || !lookup.cached_up
        {
            self.known_leader = lookup.leader;
        }
        let raw = context.settings.producer_metadata == ProducerMetadata::Fresh;
        let places = context.settings.max_in_flight.max(1) as usize;
        let on_its_way = |call: &&Call| matches!(call.state, CallState::InFlight(_));
        // More than there are places for need not be counted: a long queue of waiting calls lies behind them.
        let mut in_flight = self.open().iter().filter(on_its_way).take(places).count();
        // The accumulator keeps one queue a partition: no batch overtakes an earlier one of its producer that waits for a
        // leader or for its back-off (`RecordAccumulator.drainBatchesForOneNode`). What was already in flight may still.
        let mut waiting: Vec<(Acks, Option<ProducerId>, Option<BrokerId>)> = Vec::new();
        for place in self.open_from..self.calls.len() {
            let full = in_flight >= places;
            if full && !raw {
                // No place becomes free in here, so nothing more is sent.
                return;
            }
            let call = &self.calls[place];
            if call.state != CallState::Waiting {
                continue;
            }
            // Calls with other acks, another identity or a broker of their own are those of another producer.
            let queue = (
                call.acks,
                call.batch.producer.map(|stamp| stamp.id),
                call.to,
            );
            let overtakes = waiting.contains(&queue);
            if call.not_before <= context.now && (raw || !overtakes) {
                self.send_attempt(place, context, lookup, sink);
            }
            match self.calls[place].state {
                CallState::InFlight(_) => in_flight += 1,
                CallState::Waiting if !overtakes => waiting.push(queue),
                CallState::Waiting => {}
                CallState::Done(_) => {}
            }
        }
    }

    /// The calls from the first one on that has neither an answer nor given up.
    fn open(&self) -> &[Call] {
        self.calls.get(self.open_from..).unwrap_or_default()
    }

    /// Notes what became of a call; nothing changes it any more.
    fn close(&mut self, place: usize, outcome: Outcome) {
        self.calls[place].state = CallState::Done(outcome);
        let done = |call: &&Call| matches!(call.state, CallState::Done(_));
        self.open_from += self.open().iter().take_while(done).count();
    }

    fn send_attempt<S: Sink>(
        &mut self,
        place: usize,
        context: &Context<'_>,
        lookup: LeaderLookup,
        sink: &mut S,
    ) {
        let raw = context.settings.producer_metadata == ProducerMetadata::Fresh;
        let known = self.known_leader;
        let call = &mut self.calls[place];
        let target = call.to.or(known);
        let target_up = call.to.is_some()
            || (target == lookup.leader && lookup.leader_up)
            || (target == known && lookup.cached_up);
        let Some(to) = target.filter(|_| target_up) else {
            if raw {
                let outcome = if target.is_none() {
                    Outcome::NoLeader
                } else {
                    Outcome::LeaderDown
                };
                call.attempt = call.attempt.saturating_add(1);
                return self.finish(place, outcome, Rule::ProducerSend, sink);
            }
            // No usable leader: the batch stays in the accumulator, and the client asks for metadata again.
            // At least one millisecond on: a back-off of 0 must not stop the clock.
            let backoff = context.settings.retry_backoff.max(Millis(1));
            call.not_before = context.now.plus(backoff);
            let timer = Timer::ProducerRetry {
                send: call.send,
                attempt: call.attempt,
            };
            return sink.timer(call.not_before, timer);
        };
        call.attempt = call.attempt.saturating_add(1);
        let (send, attempt) = (call.send, call.attempt);
        sink.event(|| {
            (
                EventKind::ProduceSent { send, attempt, to },
                Cause::of(Rule::ProducerSend)
                    .number(Quantity::Leader, to)
                    .number(Quantity::Attempt, attempt),
            )
        });
        let request = ProduceRequest {
            send,
            attempt,
            acks: call.acks,
            timeout: call.timeout,
            batch: call.batch,
        };
        let sent = sink.request(
            Node::Producer,
            Node::Broker(to),
            Body::ProduceRequest(request),
        );
        if call.acks == Acks::None {
            return self.finish(place, Outcome::NoAnswerExpected, Rule::AcksNone, sink);
        }
        call.state = CallState::InFlight(sent);
        if !raw {
            // The client's own clock runs out only when no answer can be on its way any more: the broker's answer to
            // a request that timed out there arrives one round trip after the same time.
            let round_trip = Millis(
                context
                    .settings
                    .link_latency
                    .0
                    .saturating_mul(2)
                    .saturating_add(1),
            );
            let at = context.now.plus(call.timeout).plus(round_trip);
            sink.timer(at, Timer::ProducerRequestTimeout { send, attempt });
        }
    }

    fn place_of(&self, request: MessageId) -> Option<usize> {
        let place = self
            .open()
            .iter()
            .rposition(|c| c.state == CallState::InFlight(request))?;
        Some(self.open_from + place)
    }

    /// A produce request was answered.
    pub fn answered<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        response: &ProduceResponse,
        sink: &mut S,
    ) {
        let Some(place) = self.place_of(request) else {
            return;
        };
        match response.result {
            Ok(base) => self.finish(place, Outcome::Ok(base), Rule::ProducerAnswer, sink),
            Err(error) => {
                let stale = matches!(
                    error,
                    KafkaError::NotLeaderOrFollower
                        | KafkaError::FencedLeaderEpoch
                        | KafkaError::UnknownLeaderEpoch
                );
                if stale {
                    self.known_leader = None;
                }
                let retriable = error.retriable() || self.follows_unfinished(place, error);
                self.failed(place, Outcome::Refused(error), retriable, context, sink);
            }
        }
    }

    /// An idempotent batch that arrived before an earlier one that is sent again (`TransactionManager.canRetry`).
    fn follows_unfinished(&self, place: usize, error: KafkaError) -> bool {
        let id = self.calls[place].batch.producer.map(|stamp| stamp.id);
        error == KafkaError::OutOfOrderSequenceNumber
            && id.is_some()
            && self.calls[..place].iter().any(|earlier| {
                !matches!(earlier.state, CallState::Done(_))
                    && earlier.batch.producer.map(|s| s.id) == id
            })
    }

    /// The connection broke before an answer came.
    pub fn disconnected<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        response_lost: bool,
        sink: &mut S,
    ) {
        let Some(place) = self.place_of(request) else {
            return;
        };
        self.known_leader = None;
        let raw = context.settings.producer_metadata == ProducerMetadata::Fresh;
        let outcome = if raw && response_lost {
            Outcome::ResponseLost
        } else {
            Outcome::ConnectionClosed
        };
        self.failed(place, outcome, true, context, sink);
    }

    /// request.timeout.ms passed without an answer.
    pub fn request_timed_out<S: Sink>(
        &mut self,
        context: &Context<'_>,
        send: SendId,
        attempt: u32,
        sink: &mut S,
    ) {
        let place = send.0 as usize;
        let waits =
            |call: &Call| call.attempt == attempt && matches!(call.state, CallState::InFlight(_));
        if self.calls.get(place).is_some_and(waits) {
            self.known_leader = None;
            self.failed(place, Outcome::NoAnswer, true, context, sink);
        }
    }

    /// delivery.timeout.ms is over: the producer gives up, whatever becomes of the records.
    pub fn delivery_timed_out<S: Sink>(
        &mut self,
        context: &Context<'_>,
        send: SendId,
        sink: &mut S,
    ) {
        let is_open = |call: &Call| !matches!(call.state, CallState::Done(_));
        let place = send.0 as usize;
        if !self.calls.get(place).is_some_and(is_open) {
            return;
        }
        self.close(place, Outcome::NoAnswer);
        sink.event(|| {
            (
                EventKind::DeliveryTimedOut { send },
                Cause::of(Rule::ProducerDeliveryTimeout)
                    .number(Quantity::DeliveryTimeout, context.settings.delivery_timeout),
            )
        });
    }

    fn failed<S: Sink>(
        &mut self,
        place: usize,
        outcome: Outcome,
        retriable: bool,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let settings = context.settings;
        let call = &mut self.calls[place];
        let deadline = call.called_at.plus(settings.delivery_timeout);
        // retry.backoff.ms doubles with each attempt up to retry.backoff.max.ms.
        let doubled = settings
            .retry_backoff
            .0
            .saturating_mul(1 << call.attempt.saturating_sub(1).min(20));
        let backoff =
            Millis(doubled.min(settings.retry_backoff_max.0.max(settings.retry_backoff.0)));
        let at = context.now.plus(backoff);
        let retry = retriable && call.retries_left > 0 && at < deadline;
        if !retry {
            return self.finish(place, outcome, Rule::ProducerAnswer, sink);
        }
        call.retries_left -= 1;
        call.state = CallState::Waiting;
        call.not_before = at;
        let (send, attempt, left) = (call.send, call.attempt, call.retries_left);
        sink.event(|| {
            (
                EventKind::ProduceAnswered {
                    send,
                    attempt,
                    outcome,
                    retry: true,
                },
                Cause::of(Rule::ProducerRetry)
                    .number(Quantity::Backoff, backoff)
                    .number(Quantity::Retries, left)
                    .number(Quantity::Attempt, attempt),
            )
        });
        sink.timer(at, Timer::ProducerRetry { send, attempt });
    }

    fn finish<S: Sink>(&mut self, place: usize, outcome: Outcome, rule: Rule, sink: &mut S) {
        self.close(place, outcome);
        let call = &self.calls[place];
        let (send, attempt) = (call.send, call.attempt);
        sink.event(|| {
            (
                EventKind::ProduceAnswered {
                    send,
                    attempt,
                    outcome,
                    retry: false,
                },
                Cause::of(rule).number(Quantity::Attempt, attempt),
            )
        });
    }

    /// Whether any call has neither an answer nor given up.
    pub fn is_busy(&self) -> bool {
        self.open_from < self.calls.len()
    }
}
