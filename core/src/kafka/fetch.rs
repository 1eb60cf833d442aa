//! Fetch requests at a broker (`ReplicaManager.fetchMessages`, `Partition.fetchRecords`; rules 2.2 to 2.4).

use super::broker::{Broker, ParkedFetch, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::error::KafkaError;
use super::event::EventKind;
use super::ids::{BrokerId, LeaderEpoch, MessageId, Millis, Offset};
use super::leader::FetchPosition;
use super::message::{Body, DivergingEpoch, FetchRequest, FetchResponse, Node};
use super::record::Batch;
use super::settings::{Isolation, IsrMode};
use super::sink::{Sink, Timer};

/// What a read of the log gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchRead {
    /// The batches up to the bound.
    pub batches: Vec<Batch>,
    /// Where the request's position does not fit.
    pub diverging: Option<DivergingEpoch>,
    /// HW before this request had any effect.
    pub hw: Offset,
    /// LSO before this request had any effect.
    pub lso: Offset,
    /// Log start.
    pub log_start: Offset,
    /// LEO before this request had any effect.
    pub leo: Offset,
}

impl Broker {
    /// A fetch arrives, from a follower or a consumer.
    pub fn fetch<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        from: Node,
        fetch: &FetchRequest,
        sink: &mut S,
    ) {
        if let (Ok(()), Some(replica)) = (
            self.check_epoch(fetch.current_leader_epoch),
            self.preferred_read_replica(fetch, context),
        ) {
            return self.send_elsewhere(request, from, fetch, replica, sink);
        }
        let mut read = self.read(fetch, context);
        if let (Ok(found), Some(follower)) = (&read, fetch.replica)
            && found.diverging.is_none()
        {
            let leo = found.leo;
            if let Err(error) = self.note_follower(context, follower, fetch, leo, sink) {
                read = Err(error);
            }
        }
        let ready = match &read {
            Err(_) => true,
            Ok(found) => {
                found.diverging.is_some()
                    || fetch.max_wait == Millis(0)
                    || bytes(&found.batches, context) >= fetch.min_bytes
            }
        };
        if ready {
            return self.serve(request, from, fetch, read, Millis(0), sink);
        }
        let until = context.now.plus(fetch.max_wait);
        sink.event(|| {
            (
                EventKind::FetchParked {
                    broker: self.id,
                    by: from,
                    offset: fetch.fetch_offset,
                    until,
                },
                Cause::of(Rule::DelayedFetch)
                    .number(Quantity::FetchOffset, fetch.fetch_offset)
                    .number(Quantity::Leo(self.id), self.log.leo())
                    .number(Quantity::FetchMaxWait, fetch.max_wait),
            )
        });
        sink.timer(
            until,
            Timer::FetchExpires {
                broker: self.id,
                request,
            },
        );
        self.parked_fetches.push(ParkedFetch {
            request,
            from,
            fetch: fetch.clone(),
            since: context.now,
            until,
        });
        // The follower's own progress may have moved the HW past what a parked consumer waits for; and the request
        // itself may be ready already (`DelayedOperationPurgatory.tryCompleteElseWatch`).
        self.complete_parked_fetches(context, sink);
    }

    /// Reads for a fetch without changing anything (`Partition.readRecords`, rules 2.2).
    ///
    /// # Errors
    /// The error of the first check that fails, in Kafka's order.
    pub fn read(
        &self,
        fetch: &FetchRequest,
        context: &Context<'_>,
    ) -> Result<FetchRead, KafkaError> {
        self.check_epoch(fetch.current_leader_epoch)?;
        let needs_leader = fetch.replica.is_some() || !fetch.client_metadata;
        let serves = match &self.role {
            Role::Leader(_) => true,
            Role::Follower(_) => !needs_leader,
            Role::None => false,
        };
        if !serves {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        if let (Some(follower), Some(leader)) = (fetch.replica, self.leader())
            && !leader.followers.contains_key(&follower)
        {
            return Err(match fetch.current_leader_epoch {
                Some(_) => KafkaError::UnknownLeaderEpoch,
                None => KafkaError::NotLeaderOrFollower,
            });
        }
        let (leo, log_start) = (self.log.leo(), self.log.log_start());
        let mut read = FetchRead {
            batches: Vec::new(),
            diverging: None,
            hw: self.log.hw(),
            lso: self.log.lso(),
            log_start,
            leo,
        };
        if let Some(last) = fetch.last_fetched_epoch {
            let answer = self.log.epochs().end_offset_for(last, leo);
            let (Some(epoch), Some(end)) = (answer.epoch, answer.end_offset) else {
                return Err(KafkaError::OffsetOutOfRange);
            };
            if fetch.fetch_offset < log_start {
                return Err(KafkaError::OffsetOutOfRange);
            }
            if epoch < last || end < fetch.fetch_offset {
                read.diverging = Some(answer);
                return Ok(read);
            }
        }
        if fetch.fetch_offset < log_start || fetch.fetch_offset > leo {
            return Err(KafkaError::OffsetOutOfRange);
        }
        let bound = self.bound(fetch);
        if fetch.fetch_offset < bound {
            read.batches = self.log.read(
                fetch.fetch_offset,
                bound,
                fetch.max_bytes,
                context.settings.record_bytes,
            );
        }
        Ok(read)
    }

    /// What a fetch may see: LEO for followers, HW or LSO for consumers (rules 2.2 item 6).
    fn bound(&self, fetch: &FetchRequest) -> Offset {
        match (fetch.replica, fetch.isolation) {
            (Some(_), _) => self.log.leo(),
            (None, Isolation::ReadUncommitted) => self.log.hw(),
            (None, Isolation::ReadCommitted) => self.log.lso(),
        }
    }

    /// `Partition.checkCurrentLeaderEpoch`: an absent epoch is not checked.
    pub(super) fn check_epoch(&self, asked: Option<LeaderEpoch>) -> Result<(), KafkaError> {
        let local = match &self.role {
            Role::Leader(leader) => leader.epoch,
            Role::Follower(follower) => follower.epoch,
            Role::None => return Err(KafkaError::NotLeaderOrFollower),
        };
        match asked {
            Some(epoch) if epoch < local => Err(KafkaError::FencedLeaderEpoch),
            Some(epoch) if epoch > local => Err(KafkaError::UnknownLeaderEpoch),
            _ => Ok(()),
        }
    }

    /// Notes where a follower is, then: ISR expansion, HW, parked requests, in this order (rules 2.3).
    fn note_follower<S: Sink>(
        &mut self,
        context: &Context<'_>,
        follower: BrokerId,
        fetch: &FetchRequest,
        leo: Offset,
        sink: &mut S,
    ) -> Result<(), KafkaError> {
        let registered = self.metadata.broker(follower).map(|image| image.epoch);
        let id = self.id;
        let Role::Leader(leader) = &mut self.role else {
            return Err(KafkaError::NotLeaderOrFollower);
        };
        let Some(state) = leader.followers.get_mut(&follower) else {
            return Err(KafkaError::UnknownLeaderEpoch);
        };
        let registered = registered.filter(|_| context.rules().broker_epoch_check);
        let previous = (state.last_caught_up, state.last_fetch_leader_leo);
        let position = FetchPosition {
            offset: fetch.fetch_offset,
            log_start: fetch.log_start,
            broker_epoch: fetch.broker_epoch,
        };
        let changed = state.update(position, leo, context.now, registered)?;
        let caught_up = state.last_caught_up;
        if changed {
            let by_previous_fetch = fetch.fetch_offset < leo && previous.0 != caught_up;
            let rule = if by_previous_fetch {
                Rule::PreviousFetch
            } else {
                Rule::FollowerState
            };
            sink.event(|| {
                (
                    EventKind::FollowerStateUpdated {
                        leader: id,
                        follower,
                        leo: fetch.fetch_offset,
                        last_caught_up: caught_up,
                    },
                    Cause::of(rule)
                        .number(Quantity::FetchOffset, fetch.fetch_offset)
                        .number(Quantity::Leo(id), leo),
                )
            });
        }
        if context.settings.isr_mode == IsrMode::Auto {
            self.maybe_expand_isr(context, follower, sink);
        }
        if changed {
            self.try_hw(context, sink);
        }
        Ok(())
    }

    /// Answers a fetch with what was read.
    fn serve<S: Sink>(
        &self,
        request: MessageId,
        from: Node,
        fetch: &FetchRequest,
        read: Result<FetchRead, KafkaError>,
        parked: Millis,
        sink: &mut S,
    ) {
        let end = read
            .as_ref()
            .ok()
            .and_then(|r| r.batches.last())
            .map_or(fetch.fetch_offset, Batch::end);
        sink.event(|| {
            let error = read.as_ref().err().copied();
            let diverging = read.as_ref().is_ok_and(|r| r.diverging.is_some());
            let rule = match error {
                Some(KafkaError::FencedLeaderEpoch | KafkaError::UnknownLeaderEpoch) => {
                    Rule::FetchEpochCheck
                }
                Some(KafkaError::OffsetOutOfRange) => Rule::FetchOutOfRange,
                Some(_) => Rule::FetchNotLeader,
                None if diverging => Rule::FetchDiverging,
                None if parked > Millis(0) && end == fetch.fetch_offset => {
                    Rule::DelayedFetchExpired
                }
                None => Rule::FetchRead,
            };
            let hw = read.as_ref().map_or(self.log.hw(), |r| r.hw);
            (
                EventKind::FetchServed {
                    broker: self.id,
                    by: from,
                    offset: fetch.fetch_offset,
                    end,
                    hw,
                    error,
                    diverging,
                },
                self.serve_cause(rule, fetch, hw, parked),
            )
        });
        let response = match read {
            Ok(read) => FetchResponse {
                error: None,
                fetch_offset: fetch.fetch_offset,
                request_leader_epoch: fetch.current_leader_epoch,
                high_watermark: read.hw,
                last_stable_offset: read.lso,
                log_start: read.log_start,
                diverging: read.diverging,
                aborted: self.aborted_in(fetch, end),
                batches: read.batches,
                preferred_read_replica: None,
                parked,
            },
            Err(error) => FetchResponse {
                error: Some(error),
                fetch_offset: fetch.fetch_offset,
                request_leader_epoch: fetch.current_leader_epoch,
                high_watermark: self.log.hw(),
                last_stable_offset: self.log.lso(),
                log_start: self.log.log_start(),
                diverging: None,
                batches: Vec::new(),
                aborted: Vec::new(),
                preferred_read_replica: None,
                parked,
            },
        };
        sink.reply(
            Node::Broker(self.id),
            from,
            request,
            Body::FetchResponse(response),
        );
    }

    fn serve_cause(&self, rule: Rule, fetch: &FetchRequest, hw: Offset, parked: Millis) -> Cause {
        let mut cause = Cause::of(rule)
            .number(Quantity::FetchOffset, fetch.fetch_offset)
            .number(Quantity::Leo(self.id), self.log.leo())
            .number(Quantity::Hw(self.id), hw);
        if let Some(epoch) = fetch.current_leader_epoch {
            cause = cause.number(Quantity::RequestEpoch, epoch).number(
                Quantity::BrokerLeaderEpoch(self.id),
                self.metadata.partition.leader_epoch,
            );
        }
        if let Some(last) = fetch.last_fetched_epoch {
            cause = cause.number(Quantity::LastFetchedEpoch, last);
        }
        if parked > Millis(0) {
            cause = cause.number(Quantity::Waited, parked);
        }
        cause
    }

    /// First offsets of the aborted transactions that a read_committed fetch up to `end` must skip.
    pub fn aborted_in(&self, fetch: &FetchRequest, end: Offset) -> Vec<Offset> {
        if fetch.replica.is_some() || fetch.isolation == Isolation::ReadUncommitted {
            return Vec::new();
        }
        self.log.aborted_transactions(fetch.fetch_offset, end)
    }

    /// Looks at every parked fetch again (`DelayedFetch.tryComplete`).
    pub(super) fn complete_parked_fetches<S: Sink>(&mut self, context: &Context<'_>, sink: &mut S) {
        if self.parked_fetches.is_empty() {
            return;
        }
        let parked = std::mem::take(&mut self.parked_fetches);
        for wait in parked {
            let read = self.read(&wait.fetch, context);
            let ready = match &read {
                Err(_) => true,
                Ok(found) => {
                    found.diverging.is_some()
                        || wait.fetch.fetch_offset > self.bound(&wait.fetch)
                        || bytes(&found.batches, context) >= wait.fetch.min_bytes
                }
            };
            if ready {
                self.serve(
                    wait.request,
                    wait.from,
                    &wait.fetch,
                    read,
                    context.now.since(wait.since),
                    sink,
                );
            } else {
                self.parked_fetches.push(wait);
            }
        }
    }

    /// A parked fetch has waited long enough: it is answered with what there is, and the HW of now (rules 1.4 item 1).
    pub fn fetch_expires<S: Sink>(
        &mut self,
        request: MessageId,
        context: &Context<'_>,
        sink: &mut S,
    ) {
        let found = self
            .parked_fetches
            .iter()
            .position(|w| w.request == request && w.until <= context.now);
        let Some(place) = found else { return };
        let wait = self.parked_fetches.remove(place);
        let read = self.read(&wait.fetch, context);
        self.serve(
            wait.request,
            wait.from,
            &wait.fetch,
            read,
            context.now.since(wait.since),
            sink,
        );
    }
}

/// The size of batches, as fetch limits count it.
fn bytes(batches: &[Batch], context: &Context<'_>) -> u64 {
    let records: u64 = batches
        .iter()
        .fold(0, |sum, batch| sum.saturating_add(batch.count));
    records.saturating_mul(context.settings.record_bytes)
}
