//! What happened, in one sentence.

use highwater_core::kafka::cause::{Quantity, Rule, Value};
use highwater_core::kafka::event::{Event, EventKind, HwHold, LinkState, Outcome, Stop};

use super::Narrator;
use super::numbers::find;
use crate::say;
use crate::text::Arg;
use crate::text::describe::{config_value, step_of_run};

impl Narrator<'_> {
    /// What happened.
    pub(super) fn what(&self, event: &Event) -> String {
        let kind = &event.kind;
        match kind {
            EventKind::Step { .. }
            | EventKind::BrokerStopped { .. }
            | EventKind::BrokerStarted { .. }
            | EventKind::BrokerExited { .. }
            | EventKind::ControllerStopped
            | EventKind::ControllerStarted
            | EventKind::LinkChanged { .. }
            | EventKind::ConfigSet { .. }
            | EventKind::ElectionAnswered { .. } => self.outside(kind),
            EventKind::MessageSent { .. }
            | EventKind::MessageArrived { .. }
            | EventKind::MessageLost { .. }
            | EventKind::MessageHeld { .. }
            | EventKind::MessageIgnored { .. } => self.message_event(kind),
            EventKind::ProduceCalled { .. }
            | EventKind::ProduceSent { .. }
            | EventKind::ProduceAnswered { .. }
            | EventKind::DeliveryTimedOut { .. } => self.producer(kind),
            EventKind::Appended { .. }
            | EventKind::Truncated { .. }
            | EventKind::HwChanged { .. }
            | EventKind::HwHeld { .. }
            | EventKind::LsoChanged { .. }
            | EventKind::EpochAssigned { .. } => self.log(event),
            EventKind::AppendRefused { .. }
            | EventKind::DuplicateRecognised { .. }
            | EventKind::ProduceParked { .. }
            | EventKind::ProduceCompleted { .. } => self.leader_produce(event),
            EventKind::FetchParked { .. }
            | EventKind::FetchServed { .. }
            | EventKind::FollowerStateUpdated { .. }
            | EventKind::IsrProposed { .. }
            | EventKind::IsrAnswered { .. } => self.leader_fetch(kind),
            EventKind::BecameLeader { .. }
            | EventKind::IsrLearned { .. }
            | EventKind::BecameFollower { .. }
            | EventKind::MetadataApplied { .. }
            | EventKind::Diverged { .. }
            | EventKind::FetchBackedOff { .. }
            | EventKind::FetchFailed { .. } => self.roles(kind),
            EventKind::PartitionChanged { .. }
            | EventKind::AlterPartitionRefused { .. }
            | EventKind::BrokerRegistered { .. }
            | EventKind::RegistrationRefused { .. }
            | EventKind::BrokerFenced { .. }
            | EventKind::BrokerUnfenced { .. }
            | EventKind::ControlledShutdownBegan { .. } => self.controller(event),
            EventKind::Consumed { .. }
            | EventKind::ConsumerFailed { .. }
            | EventKind::ConsumerSentTo { .. }
            | EventKind::QueryAnswered { .. }
            | EventKind::TransactionChanged { .. } => self.consumer(kind),
        }
    }

    fn outside(&self, kind: &EventKind) -> String {
        let text = self.text;
        match kind {
            EventKind::Step { step } => {
                say!(text, StepDone, step = step_of_run(text, self.run, *step))
            }
            EventKind::BrokerStopped {
                broker,
                how,
                leo,
                checkpointed_hw: hw,
            } => match how {
                Stop::Clean => say!(text, StoppedClean, broker = *broker, leo = *leo, hw = *hw),
                Stop::Kill => say!(text, StoppedKill, broker = *broker, leo = *leo, hw = *hw),
                Stop::PowerLoss(_) => {
                    say!(text, StoppedPower, broker = *broker, leo = *leo, hw = *hw)
                }
            },
            EventKind::BrokerStarted {
                broker,
                leo,
                hw,
                forgotten_epochs,
                clean,
            } => match (*forgotten_epochs, clean) {
                (0, true) => say!(text, StartedClean, broker = *broker, leo = *leo, hw = *hw),
                (0, false) => say!(text, StartedUnclean, broker = *broker, leo = *leo, hw = *hw),
                (n, _) => say!(
                    text,
                    StartedForgot,
                    broker = *broker,
                    leo = *leo,
                    hw = *hw,
                    n = n
                ),
            },
            EventKind::BrokerExited {
                broker,
                leo,
                leader_leo,
            } => say!(
                text,
                Exited,
                broker = *broker,
                leo = *leo,
                leader_leo = *leader_leo
            ),
            EventKind::ControllerStopped => say!(text, ControllerStopped),
            EventKind::ControllerStarted => say!(text, ControllerStarted),
            EventKind::LinkChanged { from, to, state } => match state {
                LinkState::Open => say!(text, LinkOpen, from = *from, to = *to),
                LinkState::Cut => say!(text, LinkCut, from = *from, to = *to),
                LinkState::Held => say!(text, LinkHeld, from = *from, to = *to),
                LinkState::Slow(latency) => {
                    say!(text, LinkSlow, from = *from, to = *to, latency = *latency)
                }
                LinkState::FetchPaused => say!(text, FetchPaused, from = *from, to = *to),
                LinkState::FetchResumed => say!(text, FetchResumed, from = *from, to = *to),
            },
            EventKind::ConfigSet {
                name,
                value,
                result,
            } => match result {
                Ok(()) => say!(
                    text,
                    ConfigSet,
                    name = *name,
                    value = config_value(text, value)
                ),
                Err(error) => say!(text, ConfigRefused, name = *name, error = *error),
            },
            EventKind::ElectionAnswered { result } => match result {
                Ok(()) => say!(text, ElectionDone),
                Err(error) => say!(text, ElectionRefused, error = *error),
            },
            _ => String::new(),
        }
    }

    fn producer(&self, kind: &EventKind) -> String {
        let text = self.text;
        match kind {
            EventKind::ProduceCalled { send, acks, .. } => {
                say!(
                    text,
                    ProduceCalled,
                    records = self.records(*send),
                    acks = *acks
                )
            }
            EventKind::ProduceSent { send, attempt, to } if *attempt > 1 => say!(
                text,
                ProduceSentAgain,
                records = self.records(*send),
                to = *to,
                attempt = *attempt,
            ),
            EventKind::ProduceSent { send, to, .. } => {
                say!(text, ProduceSent, records = self.records(*send), to = *to)
            }
            EventKind::ProduceAnswered { send, outcome, .. } => {
                let records = self.records(*send);
                match outcome {
                    Outcome::Ok(base) => {
                        let offsets = Arg::Offsets {
                            from: *base,
                            end: base.plus(records.count()),
                        };
                        say!(text, AnsweredOk, records = records, offsets = offsets)
                    }
                    Outcome::Refused(error) => {
                        say!(text, AnsweredError, error = *error, records = records)
                    }
                    Outcome::NoAnswer => say!(text, AnsweredNothing, records = records),
                    Outcome::ConnectionClosed => say!(text, AnsweredClosed, records = records),
                    Outcome::LeaderDown => say!(text, AnsweredLeaderDown, records = records),
                    Outcome::NoLeader => say!(text, AnsweredNoLeader, records = records),
                    Outcome::NoAnswerExpected => say!(text, AnsweredNotExpected, records = records),
                    Outcome::ResponseLost => say!(text, AnsweredLost, records = records),
                }
            }
            EventKind::DeliveryTimedOut { send } => {
                say!(text, DeliveryTimedOut, records = self.records(*send))
            }
            _ => String::new(),
        }
    }

    fn log(&self, event: &Event) -> String {
        let text = self.text;
        match &event.kind {
            EventKind::Appended {
                broker,
                batch,
                send,
                leo,
            } => {
                let records = self.payload(batch);
                let offsets = Arg::Offsets {
                    from: batch.base,
                    end: batch.end(),
                };
                if send.is_some()
                    || matches!(event.cause.rule, Rule::LeaderAppend | Rule::Transaction)
                {
                    say!(
                        text,
                        AppendedLeader,
                        broker = *broker,
                        records = records,
                        offsets = offsets,
                        leo = *leo
                    )
                } else {
                    say!(
                        text,
                        AppendedFollower,
                        broker = *broker,
                        records = records,
                        offsets = offsets,
                        leo = *leo
                    )
                }
            }
            EventKind::Truncated {
                broker,
                from,
                to,
                hw,
            } => {
                say!(
                    text,
                    Truncated,
                    broker = *broker,
                    from = *from,
                    to = *to,
                    hw = *hw
                )
            }
            EventKind::HwChanged {
                broker,
                from,
                to,
                leads,
            } => match (leads, to > from) {
                (true, true) => say!(text, HwLeader, from = *from, to = *to),
                (true, false) => say!(text, HwLeaderDown, broker = *broker, from = *from, to = *to),
                (false, true) => say!(text, HwFollower, broker = *broker, from = *from, to = *to),
                (false, false) => say!(
                    text,
                    HwFollowerDown,
                    broker = *broker,
                    from = *from,
                    to = *to
                ),
            },
            EventKind::HwHeld { at, why, .. } => match why {
                HwHold::BelowMinIsr { isr, min } => {
                    let isr_quantity = |q: &Quantity| {
                        matches!(q, Quantity::CommittedIsr(_) | Quantity::MaximalIsr(_))
                    };
                    match find(&event.cause, isr_quantity) {
                        Some(Value::Brokers(set)) => {
                            say!(text, HwHeldBelowMinSet, at = *at, set = set, min = *min)
                        }
                        _ => say!(text, HwHeldBelowMin, at = *at, isr = *isr, min = *min),
                    }
                }
                HwHold::Replicas(brokers) => {
                    let brokers: Vec<_> = brokers.iter().collect();
                    say!(text, HwHeldReplicas, at = *at, brokers = brokers)
                }
            },
            EventKind::LsoChanged { from, to, .. } => {
                say!(text, LsoChanged, from = *from, to = *to)
            }
            EventKind::EpochAssigned {
                broker,
                epoch,
                start,
            } => {
                say!(
                    text,
                    EpochAssigned,
                    broker = *broker,
                    epoch = *epoch,
                    start = *start
                )
            }
            _ => String::new(),
        }
    }
}
