//! Why it happened: the rule in one sentence, with the numbers that it looked at.

use highwater_core::kafka::cause::{Cause, Quantity, Rule, Value};
use highwater_core::kafka::event::{ChangeReason, Event, EventKind, TransactionState};
use highwater_core::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset};
use highwater_core::kafka::message::Node;

use super::Narrator;
use super::numbers::find;
use crate::say;

impl Narrator<'_> {
    /// Why; none where the sentence of what happened says it already.
    pub(super) fn why(&self, event: &Event) -> Option<String> {
        if says_why_itself(event) {
            return None;
        }
        if let EventKind::ProduceAnswered { retry: true, .. } = event.kind {
            return Some(self.retry(&event.cause));
        }
        let why = match event.cause.rule {
            Rule::TargetElr if registered_without_proof(&event.kind) => {
                return Some(say!(self.text, WhyElrUnproven));
            }
            Rule::LeaderHw => self.leader_hw(event),
            Rule::UnstableOffset => self.lso(&event.cause),
            Rule::FetchRead if !asked_by_a_broker(&event.kind) => return None,
            rule @ (Rule::Script
            | Rule::Start
            | Rule::Link
            | Rule::LinkBroken
            | Rule::AcksNone
            | Rule::AcksLeader
            | Rule::AcksAll
            | Rule::ProducerSend
            | Rule::ProducerAnswer
            | Rule::ProducerRetry
            | Rule::ProducerRequestTimeout
            | Rule::ProducerDeliveryTimeout) => self.why_producer(rule, &event.cause),
            rule => self
                .why_leader(rule, event)
                .or_else(|| self.why_follower(rule, &event.cause))
                .or_else(|| self.why_controller(rule, &event.cause))
                .or_else(|| self.why_client(rule))?,
        };
        (!why.is_empty()).then_some(why)
    }

    fn retry(&self, cause: &Cause) -> String {
        match millis(cause, Quantity::Backoff) {
            Some(backoff) => say!(self.text, WhyProducerRetryAfter, backoff = backoff),
            None => say!(self.text, RetryFollows),
        }
    }

    fn why_producer(&self, rule: Rule, cause: &Cause) -> String {
        let text = self.text;
        match rule {
            Rule::Script => say!(text, WhyScript),
            Rule::Start => say!(text, WhyStart),
            Rule::Link => match millis(cause, Quantity::Waited) {
                Some(wait) => say!(text, WhyLink, wait = wait),
                None => String::new(),
            },
            Rule::LinkBroken => say!(text, WhyLinkBroken),
            Rule::AcksNone => say!(text, WhyAcksNone),
            Rule::AcksLeader => say!(text, WhyAcksLeader),
            Rule::AcksAll => say!(text, WhyAcksAll),
            Rule::ProducerSend => say!(text, WhyProducerSend),
            Rule::ProducerAnswer => say!(text, WhyProducerAnswer),
            Rule::ProducerRetry => match millis(cause, Quantity::Backoff) {
                Some(backoff) => say!(text, WhyProducerRetryAfter, backoff = backoff),
                None => say!(text, WhyProducerRetry),
            },
            Rule::ProducerRequestTimeout => {
                let timeout = millis(cause, Quantity::RequestTimeout);
                say!(
                    text,
                    WhyRequestTimeout,
                    timeout = timeout.unwrap_or(self.run.scenario.settings.request_timeout)
                )
            }
            Rule::ProducerDeliveryTimeout => {
                let timeout = millis(cause, Quantity::DeliveryTimeout);
                say!(
                    text,
                    WhyDeliveryTimeout,
                    timeout = timeout.unwrap_or(self.run.scenario.settings.delivery_timeout)
                )
            }
            _ => String::new(),
        }
    }

    /// The leader's HW: which ISR it is the minimum of, and who was last.
    fn leader_hw(&self, event: &Event) -> String {
        let (text, cause) = (self.text, &event.cause);
        let isr = find(cause, |q| matches!(q, Quantity::MaximalIsr(_)))
            .or_else(|| find(cause, |q| matches!(q, Quantity::CommittedIsr(_))));
        let Some(Value::Brokers(isr)) = isr else {
            return say!(text, WhyLeaderHwPlain);
        };
        let others: Vec<BrokerId> = followers(cause)
            .filter(|broker| !isr.contains(*broker))
            .collect();
        if !others.is_empty() {
            return say!(text, WhyLeaderHwOthers, isr = isr, others = others);
        }
        if isr.len() == 1 {
            return say!(text, WhyLeaderHwAlone);
        }
        match last_to_move(cause, isr) {
            Some(last) => say!(text, WhyLeaderHwLast, isr = isr, last = last),
            None => say!(text, WhyLeaderHw, isr = isr),
        }
    }

    fn lso(&self, cause: &Cause) -> String {
        match cause.value(Quantity::FirstUnstable) {
            Some(Value::Offset(None)) => say!(self.text, WhyLsoFollowsHw),
            _ => say!(self.text, WhyUnstable),
        }
    }

    fn why_leader(&self, rule: Rule, event: &Event) -> Option<String> {
        let (text, cause) = (self.text, &event.cause);
        Some(match rule {
            Rule::LeaderAppend => say!(text, WhyLeaderAppend),
            Rule::MinIsrGate => self.min_isr_gate(cause),
            Rule::ValidAcks => say!(text, WhyValidAcks),
            Rule::NotLeader => say!(text, WhyNotLeader),
            Rule::Duplicate => say!(text, WhyDuplicate),
            Rule::SequenceCheck => match (
                count(cause, Quantity::Sequence),
                count(cause, Quantity::ExpectedSequence),
            ) {
                (Some(sequence), Some(expected)) => {
                    say!(text, WhySequence, sequence = sequence, expected = expected)
                }
                _ => say!(text, WhySequencePlain),
            },
            Rule::ProducerEpochCheck => say!(text, WhyProducerEpoch),
            Rule::HwFreeze => say!(text, WhyHwFreeze),
            Rule::DelayedProduceCheck => {
                let hw = find(cause, |q| matches!(q, Quantity::Hw(_))).and_then(offset_of);
                match (hw, offset(cause, Quantity::RequiredOffset)) {
                    (Some(hw), Some(required)) => {
                        say!(text, WhyHwReached, hw = hw, required = required)
                    }
                    _ => say!(text, WhyDelayedProduce),
                }
            }
            Rule::DelayedProduceExpired => match offset(cause, Quantity::RequiredOffset) {
                Some(required) => say!(text, WhyProduceExpired, required = required),
                None => say!(text, WhyProduceExpiredPlain),
            },
            Rule::DelayedProduceNotLeader => say!(text, WhyProduceNotLeader),
            Rule::NotEnoughAfterAppend => say!(text, WhyNotEnoughAfterAppend),
            Rule::FetchRead => say!(text, WhyFetchRead),
            Rule::FetchEpochCheck => {
                let own =
                    find(cause, |q| matches!(q, Quantity::BrokerLeaderEpoch(_))).and_then(epoch_of);
                match (find_epoch(cause, Quantity::RequestEpoch), own) {
                    (Some(request), Some(own)) => {
                        say!(text, WhyFetchEpoch, request = request, own = own)
                    }
                    _ => say!(text, WhyFetchEpochDiffers),
                }
            }
            Rule::FetchNotLeader => say!(text, WhyFetchNotLeader),
            Rule::FetchOutOfRange => say!(text, WhyFetchOutOfRange),
            Rule::FetchDiverging => say!(text, WhyFetchDiverging),
            Rule::DelayedFetch => match event.kind {
                EventKind::FetchParked { .. } => say!(text, WhyFetchWaits),
                _ => say!(text, WhyFetchWoken),
            },
            Rule::DelayedFetchExpired => say!(text, WhyFetchExpired),
            Rule::FollowerState => say!(text, WhyFollowerState),
            Rule::PreviousFetch => say!(text, WhyPreviousFetch),
            Rule::FetchBrokerEpoch => say!(text, WhyFetchBrokerEpoch),
            Rule::IsrShrink => self.isr_shrink(cause),
            Rule::IsrExpand => {
                let leo =
                    find(cause, |q| matches!(q, Quantity::FollowerLeo { .. })).and_then(offset_of);
                let hw = find(cause, |q| matches!(q, Quantity::Hw(_))).and_then(offset_of);
                match (leo, hw) {
                    (Some(leo), Some(hw)) => say!(text, WhyIsrExpandAt, leo = leo, hw = hw),
                    _ => say!(text, WhyIsrExpand),
                }
            }
            Rule::LagMessages => say!(text, WhyLagMessages),
            Rule::AlterPartitionAnswer => say!(text, WhyAlterAnswer),
            Rule::AlterPartitionError => say!(text, WhyAlterError),
            Rule::ZooKeeperIsr => say!(text, WhyZooKeeperIsr),
            _ => return None,
        })
    }

    fn isr_shrink(&self, cause: &Cause) -> String {
        let settings = &self.run.scenario.settings;
        let max = millis(cause, Quantity::LagTimeMax).unwrap_or(settings.replica_lag_time_max);
        let caught_up: Vec<Option<Millis>> = cause
            .numbers
            .iter()
            .filter(|n| matches!(n.quantity, Quantity::LastCaughtUp { .. }))
            .map(|n| match n.value {
                Value::Millis(at) => at,
                _ => None,
            })
            .collect();
        match caught_up.as_slice() {
            [Some(at)] => say!(self.text, WhyIsrShrinkSince, at = *at, max = max),
            several => say!(self.text, WhyIsrShrink, n = several.len().max(1), max = max),
        }
    }

    fn min_isr_gate(&self, cause: &Cause) -> String {
        let text = self.text;
        let isr = count(cause, Quantity::IsrSize).or_else(|| {
            match find(cause, |q| matches!(q, Quantity::CommittedIsr(_))) {
                Some(Value::Brokers(isr)) => Some(isr.len() as u64),
                _ => None,
            }
        });
        match (isr, count(cause, Quantity::MinIsr)) {
            (Some(isr), Some(min)) => say!(text, WhyMinIsrGate, isr = isr, min = min),
            _ => say!(text, WhyMinIsrGatePlain),
        }
    }

    fn why_follower(&self, rule: Rule, cause: &Cause) -> Option<String> {
        let text = self.text;
        Some(match rule {
            Rule::MakeLeader => say!(text, WhyMakeLeader),
            Rule::MakeFollower => say!(text, WhyMakeFollower),
            Rule::ApplyMetadata => say!(text, WhyApplyMetadata),
            Rule::FetcherStart => say!(text, WhyFetcherStart),
            Rule::FollowerAppend => say!(text, WhyFollowerAppend),
            Rule::FollowerHw => say!(text, WhyFollowerHw),
            Rule::FollowerTruncate => say!(text, WhyFollowerTruncate),
            Rule::TruncateToHw => say!(text, WhyTruncateToHw),
            Rule::FollowerOutOfRange => say!(text, WhyFollowerOutOfRange),
            Rule::FetchBackoff => {
                let wait = millis(cause, Quantity::Backoff);
                say!(
                    text,
                    WhyFetchBackoff,
                    wait = wait.unwrap_or(self.run.scenario.settings.replica_fetch_backoff)
                )
            }
            Rule::PartitionFenced => say!(text, WhyPartitionFenced),
            Rule::StaleResponse => say!(text, WhyStaleResponse),
            Rule::HigherEpochBatch => say!(text, WhyHigherEpochBatch),
            Rule::LogLoad => say!(text, WhyLogLoad),
            Rule::HwCheckpoint => say!(text, WhyHwCheckpoint),
            Rule::PowerLoss => say!(text, WhyPowerLoss),
            Rule::EpochEntry => say!(text, WhyEpochEntry),
            _ => return None,
        })
    }

    fn why_controller(&self, rule: Rule, cause: &Cause) -> Option<String> {
        let text = self.text;
        Some(match rule {
            Rule::Registration => say!(text, WhyRegistration),
            Rule::DuplicateRegistration => say!(text, WhyDuplicateRegistration),
            Rule::ShutdownDetection => say!(text, WhyShutdownDetection),
            Rule::SessionExpired => {
                let max = millis(cause, Quantity::SessionTimeout);
                say!(
                    text,
                    WhySessionExpired,
                    max = max.unwrap_or(self.run.scenario.settings.session_timeout)
                )
            }
            Rule::Fence => say!(text, WhyFence),
            Rule::Unfence => say!(text, WhyUnfence),
            Rule::ControlledShutdown => say!(text, WhyControlledShutdown),
            Rule::ShutdownNow => say!(text, WhyShutdownNow),
            Rule::AlterPartitionValidation => say!(text, WhyAlterValidation),
            Rule::IneligibleReplica => say!(text, WhyIneligible),
            Rule::ElectFromIsr => say!(text, WhyElectIsr),
            Rule::ElectFromElr => say!(text, WhyElectElr),
            Rule::ElectLastKnownLeader => say!(text, WhyElectLastKnown),
            Rule::ElectUnclean => say!(text, WhyElectUnclean),
            Rule::ElectPreferred => say!(text, WhyElectPreferred),
            Rule::ElectNobody => say!(text, WhyElectNobody),
            Rule::TargetElr => say!(text, WhyTargetElr),
            Rule::ClearElr => say!(text, WhyClearElr),
            Rule::UncleanTimer => say!(text, WhyUncleanTimer),
            Rule::RebalanceTimer => say!(text, WhyRebalanceTimer),
            Rule::ElectLeaders => say!(text, WhyElectLeaders),
            Rule::AlterConfig => say!(text, WhyAlterConfig),
            _ => return None,
        })
    }

    fn why_client(&self, rule: Rule) -> Option<String> {
        let text = self.text;
        Some(match rule {
            Rule::ConsumerRead => say!(text, WhyConsumerRead),
            Rule::ConsumerHw => say!(text, WhyConsumerHw),
            Rule::ConsumerLso => say!(text, WhyConsumerLso),
            Rule::ConsumerReset => say!(text, WhyConsumerReset),
            Rule::PreferredReadReplica => say!(text, WhyPreferredReadReplica),
            Rule::ConsumerAsksLeader => say!(text, WhyConsumerAsksLeader),
            Rule::ListOffsets => say!(text, WhyListOffsets),
            Rule::EpochEnd => say!(text, WhyEpochEnd),
            Rule::Transaction => say!(text, WhyTransaction),
            _ => return None,
        })
    }
}

/// Events whose own sentence names the reason.
fn says_why_itself(event: &Event) -> bool {
    match (&event.kind, event.cause.rule) {
        (
            EventKind::Step { .. }
            | EventKind::BrokerStopped { .. }
            | EventKind::ControllerStopped
            | EventKind::ControllerStarted
            | EventKind::LinkChanged { .. }
            | EventKind::ProduceCalled { .. },
            Rule::Script,
        ) => true,
        (
            EventKind::MessageLost { .. }
            | EventKind::MessageHeld { .. }
            | EventKind::MessageIgnored { .. }
            | EventKind::BrokerExited { .. },
            _,
        ) => true,
        (EventKind::BrokerStarted { clean, .. }, Rule::LogLoad) => *clean,
        (EventKind::TransactionChanged { state, .. }, Rule::Transaction) => {
            *state == TransactionState::Began
        }
        (EventKind::IsrLearned { .. }, Rule::MakeLeader)
        | (EventKind::BrokerUnfenced { .. }, Rule::Registration)
        | (EventKind::QueryAnswered { .. }, Rule::FetchRead)
        | (EventKind::HwHeld { .. }, Rule::LeaderHw)
        | (EventKind::Appended { .. }, Rule::LeaderAppend)
        | (EventKind::ProduceAnswered { .. }, Rule::ProducerAnswer) => true,
        _ => false,
    }
}

fn asked_by_a_broker(kind: &EventKind) -> bool {
    match kind {
        EventKind::FetchServed { by, .. } | EventKind::FetchParked { by, .. } => {
            matches!(by, Node::Broker(_))
        }
        _ => true,
    }
}

/// The followers whose LEO the leader looked at.
fn followers(cause: &Cause) -> impl Iterator<Item = BrokerId> + '_ {
    cause.numbers.iter().filter_map(|n| match n.quantity {
        Quantity::FollowerLeo { follower, .. } => Some(follower),
        _ => None,
    })
}

/// The follower whose LEO is the newest of all numbers that the rule looked at: it made the difference.
fn last_to_move(cause: &Cause, isr: &BrokerSet) -> Option<BrokerId> {
    let newest = cause
        .numbers
        .iter()
        .filter(|n| n.set_by.is_some())
        .max_by_key(|n| n.set_by)?;
    match newest.quantity {
        Quantity::FollowerLeo { follower, .. } if isr.contains(follower) => Some(follower),
        _ => None,
    }
}

fn millis(cause: &Cause, quantity: Quantity) -> Option<Millis> {
    match cause.value(quantity) {
        Some(Value::Millis(time)) => *time,
        _ => None,
    }
}

fn count(cause: &Cause, quantity: Quantity) -> Option<u64> {
    match cause.value(quantity) {
        Some(Value::Count(count)) => Some(*count),
        _ => None,
    }
}

fn offset(cause: &Cause, quantity: Quantity) -> Option<Offset> {
    cause.value(quantity).and_then(offset_of)
}

fn offset_of(value: &Value) -> Option<Offset> {
    match value {
        Value::Offset(offset) => *offset,
        _ => None,
    }
}

fn find_epoch(cause: &Cause, quantity: Quantity) -> Option<LeaderEpoch> {
    cause.value(quantity).and_then(epoch_of)
}

fn epoch_of(value: &Value) -> Option<LeaderEpoch> {
    match value {
        Value::LeaderEpoch(epoch) => *epoch,
        _ => None,
    }
}

/// A broker that registers after a crash leaves the ELR: nothing proves that its log still has what it confirmed.
fn registered_without_proof(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::PartitionChanged {
            reason: ChangeReason::Registered { clean: false, .. },
            ..
        }
    )
}
