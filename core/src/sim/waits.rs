//! What a record still waits for at an instant: why it is not acknowledged, not committed, not visible.

use super::run::{Instant, Run, State};
use super::verdict::{RecordVerdict, Since};
use crate::kafka::broker::Broker;
use crate::kafka::context::Context;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Outcome;
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, MessageId, Millis, Offset};
use crate::kafka::leader::Leader;
use crate::kafka::message::Node;
use crate::kafka::producer::{Call, CallState};
use crate::kafka::settings::{Acks, Isolation};

/// A fact that a record may still lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// The producer was told success.
    Acknowledged,
    /// The leader's HW passed it.
    Committed,
    /// A consumer could read it.
    Visible,
}

/// What a fact waits for, or why it will not come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The script has not produced it yet; it does at this time.
    NotProduced(Millis),
    /// acks=0: no answer is awaited.
    NoPromise,
    /// The producer knows no leader that it could reach, or has too many requests in flight.
    NothingToAsk,
    /// The next attempt leaves then.
    Backoff(Millis),
    /// The request has not reached this broker yet.
    RequestOnItsWay(BrokerId),
    /// The broker has the request and its answer has not reached the producer yet.
    AnswerOnItsWay,
    /// The producer was told this error, and sends no more.
    Refused(KafkaError),
    /// Nothing was sent: there was no leader to send it to.
    NothingSent,
    /// No answer came, and the producer has given up.
    NoAnswer,
    /// It is in no log.
    InNoLog,
    /// Nobody leads.
    NoLeader {
        /// The ISR.
        isr: BrokerSet,
        /// The ELR.
        elr: BrokerSet,
    },
    /// The leader's process is down, and the controller has not ended its session yet.
    LeaderDown(BrokerId),
    /// The elected leader has not heard of it yet.
    LeaderNotReady(BrokerId),
    /// The leader's log does not have it; these replicas' logs do.
    NotInLeadersLog {
        /// The leader.
        leader: BrokerId,
        /// Who has it.
        has: BrokerSet,
    },
    /// The HW stands still below min ISR (rules 1.3).
    BelowMinIsr {
        /// The committed ISR.
        isr: BrokerSet,
        /// The effective min ISR.
        min: u32,
        /// The HW.
        hw: Offset,
    },
    /// As [`Wait::BelowMinIsr`], and this follower may join only when it has reached the start of the leader's epoch.
    BeforeEpochStart {
        /// The committed ISR.
        isr: BrokerSet,
        /// The effective min ISR.
        min: u32,
        /// The follower.
        follower: BrokerId,
        /// The leader epoch.
        epoch: LeaderEpoch,
        /// Where it starts.
        start: Offset,
    },
    /// The leader does not know yet how far these are: they have not fetched since its election.
    PositionsUnknown {
        /// The leader.
        leader: BrokerId,
        /// Its epoch.
        epoch: LeaderEpoch,
        /// Where its epoch starts.
        start: Offset,
        /// Who has not fetched.
        brokers: BrokerSet,
    },
    /// These count and do not have it.
    Lacking {
        /// Who lacks it.
        brokers: BrokerSet,
        /// The ISR that counts.
        isr: BrokerSet,
        /// The HW.
        hw: Offset,
        /// What it must reach.
        required: Offset,
    },
    /// These have it, and the leader learns that with their next fetch.
    NotTold(BrokerSet),
    /// Nothing holds it: it comes with the leader's next look.
    NextLook,
    /// Consumers read below the HW only, and it is not committed.
    NotCommitted,
    /// A read_committed consumer reads below the LSO only: a transaction is open since `first`.
    OpenTransaction {
        /// The first unstable offset.
        first: Offset,
        /// The LSO.
        lso: Offset,
    },
    /// Its transaction was aborted: a read_committed consumer skips it.
    Aborted,
    /// The consumer reads from this follower, whose HW is behind (KIP-392).
    FollowersHw {
        /// The follower.
        broker: BrokerId,
        /// Its HW.
        hw: Offset,
    },
}

/// What a record lacks at an instant, fact by fact, and why. Empty when it lacks nothing.
pub fn waits(run: &Run, record: &RecordVerdict, instant: Instant) -> Vec<(Fact, Wait)> {
    let happened = run.events_before(instant);
    let is = |since: Option<Since>| since.is_some_and(|s| (s.event.0 as usize) < happened);
    if !is(Some(record.sent)) {
        return vec![(Fact::Acknowledged, Wait::NotProduced(record.sent.at))];
    }
    let state = run.at(instant);
    let look = Look {
        run,
        state: &state,
        happened,
        record: record.record,
    };
    let appended = record.appended.iter().any(|fact| is(Some(fact.since)));
    let call = state.cluster().producer.calls.get(record.send.0 as usize);
    let mut lacking = Vec::new();
    if !is(record.acknowledged)
        && let Some(call) = call
    {
        lacking.push((Fact::Acknowledged, look.acknowledged(call)));
    }
    if !is(record.committed) {
        let why = if appended {
            look.committed()
        } else {
            Wait::InNoLog
        };
        lacking.push((Fact::Committed, why));
    }
    if !is(record.visible) {
        let why = if is(record.committed) {
            look.visible()
        } else {
            Wait::NotCommitted
        };
        lacking.push((Fact::Visible, why));
    }
    lacking
}

/// An instant and the record that is looked for.
struct Look<'a> {
    run: &'a Run,
    state: &'a State,
    happened: usize,
    record: u64,
}

impl<'a> Look<'a> {
    fn acknowledged(&self, call: &Call) -> Wait {
        if call.acks == Acks::None {
            return Wait::NoPromise;
        }
        match call.state {
            CallState::Waiting if call.not_before > self.state.simulation.now => {
                Wait::Backoff(call.not_before)
            }
            CallState::Waiting => Wait::NothingToAsk,
            CallState::InFlight(request) => self.in_flight(request),
            CallState::Done(Outcome::Refused(error)) => Wait::Refused(error),
            CallState::Done(Outcome::NoLeader | Outcome::LeaderDown) => Wait::NothingSent,
            CallState::Done(_) => Wait::NoAnswer,
        }
    }

    /// The request is on its way, parked, or answered.
    fn in_flight(&self, request: MessageId) -> Wait {
        let Some(message) = self.run.messages.get(request.0 as usize) else {
            return Wait::AnswerOnItsWay;
        };
        let Node::Broker(broker) = message.message.to else {
            return Wait::AnswerOnItsWay;
        };
        if message
            .end_event
            .is_none_or(|end| end.0 as usize >= self.happened)
        {
            return Wait::RequestOnItsWay(broker);
        }
        let broker = self.state.cluster().broker(broker);
        let parked = broker.and_then(|broker| {
            let leader = broker.leader()?;
            let parked = leader.parked.iter().find(|p| p.request == request)?;
            Some(self.held(broker, leader, parked.required))
        });
        parked.unwrap_or(Wait::AnswerOnItsWay)
    }

    fn committed(&self) -> Wait {
        let cluster = self.state.cluster();
        let partition = &cluster.controller.partition;
        let Some(named) = partition.leader else {
            return Wait::NoLeader {
                isr: partition.isr.clone(),
                elr: partition.elr.clone(),
            };
        };
        if cluster.broker(named).is_some_and(|broker| !broker.is_up()) {
            return Wait::LeaderDown(named);
        }
        let Some((broker, leader)) = self.leader() else {
            return Wait::LeaderNotReady(named);
        };
        match broker.log.contains_record(self.record) {
            Some(offset) => self.held(broker, leader, offset.plus(1)),
            None => Wait::NotInLeadersLog {
                leader: named,
                has: cluster
                    .brokers
                    .iter()
                    .filter(|b| b.log.contains_record(self.record).is_some())
                    .map(|b| b.id)
                    .collect(),
            },
        }
    }

    fn visible(&self) -> Wait {
        let cluster = self.state.cluster();
        let settings = &cluster.settings;
        let reads_from = settings.consumer_reads_from.and_then(|b| cluster.broker(b));
        let broker = reads_from.or(self.leader().map(|(broker, _)| broker));
        let Some(broker) = broker else {
            return self.committed();
        };
        let Some(offset) = broker.log.contains_record(self.record) else {
            return self.committed();
        };
        if broker.hw() <= offset {
            return Wait::FollowersHw {
                broker: broker.id,
                hw: broker.hw(),
            };
        }
        if settings.isolation == Isolation::ReadCommitted {
            let aborted = |batch| broker.log.producers().is_aborted(batch);
            if let Some(first) = broker.log.first_unstable().filter(|first| *first <= offset) {
                let lso = broker.log.lso();
                return Wait::OpenTransaction { first, lso };
            }
            if broker.log.batch_at(offset).is_some_and(aborted) {
                return Wait::Aborted;
            }
        }
        Wait::NextLook
    }

    fn leader(&self) -> Option<(&'a Broker, &'a Leader)> {
        let broker = self.state.cluster().acting_leader()?;
        Some((broker, broker.leader()?))
    }

    /// What keeps the leader's HW below `required`.
    fn held(&self, broker: &Broker, leader: &Leader, required: Offset) -> Wait {
        let cluster = self.state.cluster();
        let context = Context {
            settings: &cluster.settings,
            now: self.state.simulation.now,
        };
        let (isr, min) = (
            leader.committed_isr.clone(),
            broker.effective_min_isr(&context),
        );
        if context.rules().hw_gated_by_min_isr && isr.len() < min as usize {
            return self.below_min(broker, leader, min);
        }
        let (candidate, holders) = leader.hw_candidate(broker.leo(), &broker.metadata, &context);
        if candidate >= Some(required) {
            return Wait::NextLook;
        }
        if candidate.is_none() {
            return Wait::PositionsUnknown {
                leader: broker.id,
                epoch: leader.epoch,
                start: leader.epoch_start,
                brokers: holders,
            };
        }
        // Not only the last ones: everybody who counts and has not fetched it.
        let maximal = leader.maximal_isr(&context);
        let behind = leader.followers.iter().filter(|(id, state)| {
            let counts = maximal.contains(**id) || holders.contains(**id);
            counts && state.leo < Some(required)
        });
        let behind: BrokerSet = behind.map(|(id, _)| *id).collect();
        let has = |id: &BrokerId| {
            let broker = cluster.broker(*id).filter(|broker| broker.is_up());
            broker.is_some_and(|broker| broker.log.contains_record(self.record).is_some())
        };
        let lacking: BrokerSet = behind.iter().filter(|id| !has(id)).collect();
        if lacking.is_empty() {
            return Wait::NotTold(behind);
        }
        Wait::Lacking {
            brokers: lacking,
            isr: maximal,
            hw: broker.hw(),
            required,
        }
    }

    fn below_min(&self, broker: &Broker, leader: &Leader, min: u32) -> Wait {
        let isr = leader.committed_isr.clone();
        let early = leader.followers.iter().find(|(id, state)| {
            let leo = state.leo.is_some_and(|leo| leo < leader.epoch_start);
            leo && !isr.contains(**id)
        });
        let epoch_rule = self.state.cluster().settings.rules.epoch_start_rule;
        match early.filter(|_| epoch_rule) {
            Some((follower, _)) => Wait::BeforeEpochStart {
                isr,
                min,
                follower: *follower,
                epoch: leader.epoch,
                start: leader.epoch_start,
            },
            None => Wait::BelowMinIsr {
                isr,
                min,
                hw: broker.hw(),
            },
        }
    }
}
