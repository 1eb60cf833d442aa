//! The script's steps in words: whole, as verb and rest, and short.

use highwater_core::kafka::ids::BrokerId;
use highwater_core::scenario::value::{AWAIT_LIMIT, Produce, StepOutcome};
use highwater_core::scenario::{Action, ConfigChange, ElectionKind, Scenario, Step};
use highwater_core::sim::Run;

use super::arg::record_range;
use super::{Arg, Text};
use crate::say;

/// The steps of a scenario in the words of the script list: `produce m3`, `kill broker 1`.
pub fn steps(text: &Text, scenario: &Scenario) -> Vec<String> {
    let mut next_record = 1;
    scenario
        .steps
        .iter()
        .map(|step| {
            let words = step_words(text, &step.action, records_of(step, next_record));
            next_record = next_record.saturating_add(new_records(step));
            words
        })
        .collect()
}

/// The step of a run by its index; its number when there is no such step.
pub fn step_of_run(text: &Text, run: &Run, index: u32) -> String {
    let steps = &run.scenario.steps;
    let Some(step) = steps.get(index as usize) else {
        return format!("#{index}");
    };
    let before = steps.iter().take(index as usize);
    let first_record = before.fold(1_u64, |next, step| next.saturating_add(new_records(step)));
    step_words(text, &step.action, records_of(step, first_record))
}

fn records_of(step: &Step, first: u64) -> Option<(u64, u64)> {
    match &step.action {
        Action::Produce(call) => {
            Some((first, first.saturating_add(call.records.saturating_sub(1))))
        }
        _ => None,
    }
}

/// How many record numbers a step uses up: a batch that is sent again keeps its own.
fn new_records(step: &Step) -> u64 {
    match &step.action {
        Action::Produce(produce) if produce.retry_of.is_none() => produce.records,
        _ => 0,
    }
}

/// A step in words; `records` are the numbers of the first and the last record that it produces.
pub fn step_words(text: &Text, action: &Action, records: Option<(u64, u64)>) -> String {
    marked(text, action, records).replace('*', "")
}

/// A step's verb, and the rest of its words. The verb is empty where it does not come first (Korean): there the rest
/// is the whole.
pub fn step_parts(text: &Text, action: &Action, records: Option<(u64, u64)>) -> (String, String) {
    let words = marked(text, action, records);
    let after_star = words
        .strip_prefix('*')
        .and_then(|rest| rest.split_once('*'));
    match after_star {
        Some((verb, rest)) => (verb.to_owned(), rest.trim_start().to_owned()),
        None => (String::new(), words.replace('*', "")),
    }
}

/// A step in as few words as possible: `m1`, `kill 1`.
pub fn step_short(text: &Text, action: &Action, records: Option<(u64, u64)>) -> String {
    if let Some((first, last)) = records {
        return record_range(first, last.saturating_sub(first).saturating_add(1));
    }
    let words = marked(text, action, None);
    let mut parts = words.split('*');
    let (before, verb) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    match broker_of(action) {
        Some(broker) if before.is_empty() => format!("{verb} {broker}"),
        Some(broker) => format!("{broker} {verb}"),
        None => words.replace('*', ""),
    }
}

fn broker_of(action: &Action) -> Option<BrokerId> {
    match action {
        Action::Fetch { broker, .. }
        | Action::PauseFetch(broker)
        | Action::ResumeFetch(broker)
        | Action::SlowFetch { broker, .. }
        | Action::LimitFetch { broker, .. }
        | Action::CatchUp(broker)
        | Action::Stop(broker)
        | Action::Kill(broker)
        | Action::PowerLoss { broker, .. }
        | Action::Start { broker, .. }
        | Action::Bounce { broker, .. }
        | Action::Isolate(broker)
        | Action::Heal(broker)
        | Action::CutController(broker)
        | Action::HealController(broker)
        | Action::Fence(broker)
        | Action::Unfence(broker)
        | Action::IsrCheck(broker)
        | Action::AwaitFenced(broker)
        | Action::AwaitUnfenced(broker) => Some(*broker),
        _ => None,
    }
}

/// A step with its verb between stars.
fn marked(text: &Text, action: &Action, records: Option<(u64, u64)>) -> String {
    match action {
        Action::Produce(call) => produce(text, call, records),
        Action::Fetch { .. }
        | Action::PauseFetch(_)
        | Action::ResumeFetch(_)
        | Action::SlowFetch { .. }
        | Action::LimitFetch { .. }
        | Action::CatchUp(_) => fetching(text, action),
        Action::Stop(_)
        | Action::Kill(_)
        | Action::PowerLoss { .. }
        | Action::Start { .. }
        | Action::Bounce { .. }
        | Action::KillController
        | Action::StartController => processes(text, action),
        Action::Isolate(_)
        | Action::Heal(_)
        | Action::HealAll
        | Action::CutController(_)
        | Action::HealController(_)
        | Action::Cut(..)
        | Action::HealLink(..)
        | Action::Slow { .. }
        | Action::Hold { .. }
        | Action::Release { .. }
        | Action::LoseNext { .. } => links(text, action),
        Action::HoldAlterPartition(_)
        | Action::ReleaseAlterPartition(_)
        | Action::LoseAlterPartitionResponse(_)
        | Action::Fence(_)
        | Action::Unfence(_)
        | Action::HoldMetadata(_)
        | Action::DeliverMetadata { .. }
        | Action::Elect(_)
        | Action::SetConfig(_)
        | Action::ProposeIsr(_)
        | Action::IsrCheck(_) => controller(text, action),
        Action::Consume { .. }
        | Action::ListOffset { .. }
        | Action::EpochEnd { .. }
        | Action::TransactionBegin
        | Action::TransactionEnd { .. }
        | Action::AwaitFenced(_)
        | Action::AwaitUnfenced(_)
        | Action::AwaitIsr(_)
        | Action::AwaitAck(_)
        | Action::Wait(_)
        | Action::Check => clients(text, action),
    }
}

fn produce(text: &Text, call: &Produce, records: Option<(u64, u64)>) -> String {
    let records = match records {
        Some((first, last)) => Arg::Records {
            first,
            count: last.saturating_sub(first).saturating_add(1),
        },
        None => Arg::SomeRecords(call.records),
    };
    let mut words = match (&call.retry_of, call.to, call.acks) {
        (Some(name), _, _) => say!(text, StepRetry, name = name.clone()),
        (None, None, None) => say!(text, StepProduce, records = records),
        (None, Some(broker), None) => say!(text, StepProduceTo, records = records, broker = broker),
        (None, None, Some(acks)) => say!(text, StepProduceAcks, records = records, acks = acks),
        (None, Some(broker), Some(acks)) => {
            say!(
                text,
                StepProduceToAcks,
                records = records,
                broker = broker,
                acks = acks
            )
        }
    };
    if call.transactional {
        words = say!(text, StepTransactional, step = words);
    }
    if call.lose_request {
        words = say!(text, StepLoseRequest, step = words);
    }
    if call.lose_response {
        words = say!(text, StepLoseResponse, step = words);
    }
    words
}

fn fetching(text: &Text, action: &Action) -> String {
    match action {
        Action::Fetch {
            broker,
            rounds,
            lose_response: false,
        } => say!(text, StepFetch, n = *rounds, broker = *broker),
        Action::Fetch { broker, rounds, .. } => {
            say!(text, StepFetchLost, n = *rounds, broker = *broker)
        }
        Action::PauseFetch(broker) => say!(text, StepPauseFetch, broker = *broker),
        Action::ResumeFetch(broker) => say!(text, StepResumeFetch, broker = *broker),
        Action::SlowFetch { broker, delay } => {
            say!(text, StepSlowFetch, broker = *broker, delay = *delay)
        }
        Action::LimitFetch {
            broker,
            records: Some(n),
        } => say!(text, StepLimitFetch, broker = *broker, n = *n),
        Action::LimitFetch { broker, .. } => say!(text, StepUnlimitFetch, broker = *broker),
        Action::CatchUp(broker) => say!(text, StepCatchUp, broker = *broker),
        _ => String::new(),
    }
}

fn processes(text: &Text, action: &Action) -> String {
    match action {
        Action::Stop(broker) => say!(text, StepStop, broker = *broker),
        Action::Kill(broker) => say!(text, StepKill, broker = *broker),
        Action::PowerLoss { broker, keep } => {
            say!(text, StepPowerLoss, broker = *broker, keep = *keep)
        }
        Action::Start { broker, clean, .. } => match clean {
            None => say!(text, StepStart, broker = *broker),
            Some(true) => say!(text, StepStartClean, broker = *broker),
            Some(false) => say!(text, StepStartUnclean, broker = *broker),
        },
        Action::Bounce { broker, keep } => match keep {
            None => say!(text, StepBounce, broker = *broker),
            Some(keep) => say!(text, StepBounceKeep, broker = *broker, keep = *keep),
        },
        Action::KillController => say!(text, StepKillController),
        Action::StartController => say!(text, StepStartController),
        _ => String::new(),
    }
}

fn links(text: &Text, action: &Action) -> String {
    match action {
        Action::Isolate(broker) => say!(text, StepIsolate, broker = *broker),
        Action::Heal(broker) => say!(text, StepHeal, broker = *broker),
        Action::HealAll => say!(text, StepHealAll),
        Action::CutController(broker) => say!(text, StepCutController, broker = *broker),
        Action::HealController(broker) => say!(text, StepHealController, broker = *broker),
        Action::Cut(from, to) => say!(text, StepCut, from = *from, to = *to),
        Action::HealLink(from, to) => say!(text, StepHealLink, from = *from, to = *to),
        Action::Slow { from, to, latency } => {
            say!(text, StepSlow, from = *from, to = *to, latency = *latency)
        }
        Action::Hold { from, to } => say!(text, StepHold, from = *from, to = *to),
        Action::Release {
            from,
            to,
            count: None,
        } => say!(text, StepRelease, from = *from, to = *to),
        Action::Release {
            from,
            to,
            count: Some(n),
        } => say!(text, StepReleaseSome, n = *n, from = *from, to = *to),
        Action::LoseNext { from, to } => say!(text, StepLoseNext, from = *from, to = *to),
        _ => String::new(),
    }
}

fn controller(text: &Text, action: &Action) -> String {
    match action {
        Action::HoldAlterPartition(broker) => say!(text, StepHoldAlter, broker = *broker),
        Action::ReleaseAlterPartition(broker) => say!(text, StepReleaseAlter, broker = *broker),
        Action::LoseAlterPartitionResponse(broker) => say!(text, StepLoseAlter, broker = *broker),
        Action::Fence(broker) => say!(text, StepFence, broker = *broker),
        Action::Unfence(broker) => say!(text, StepUnfence, broker = *broker),
        Action::HoldMetadata(broker) => say!(text, StepHoldMetadata, broker = *broker),
        Action::DeliverMetadata {
            broker,
            count: None,
        } => say!(text, StepDeliverMetadata, broker = *broker),
        Action::DeliverMetadata {
            broker,
            count: Some(n),
        } => say!(text, StepDeliverSome, broker = *broker, n = *n),
        Action::Elect(ElectionKind::Preferred) => say!(text, StepElectPreferred),
        Action::Elect(ElectionKind::Unclean) => say!(text, StepElectUnclean),
        Action::Elect(ElectionKind::Named(broker)) => say!(text, StepElectNamed, broker = *broker),
        Action::SetConfig(ConfigChange::MinInsyncReplicas(n)) => {
            say!(
                text,
                StepSetConfig,
                name = "min.insync.replicas",
                value = *n
            )
        }
        Action::SetConfig(ConfigChange::UncleanLeaderElection(on)) => say!(
            text,
            StepSetConfig,
            name = "unclean.leader.election.enable",
            value = if *on { "true" } else { "false" },
        ),
        Action::ProposeIsr(isr) => say!(text, StepProposeIsr, isr = isr),
        Action::IsrCheck(broker) => say!(text, StepIsrCheck, broker = *broker),
        _ => String::new(),
    }
}

fn clients(text: &Text, action: &Action) -> String {
    match action {
        Action::Consume {
            offset, from: None, ..
        } => say!(text, StepConsume, offset = *offset),
        Action::Consume {
            offset,
            from: Some(broker),
            ..
        } => say!(text, StepConsumeFrom, offset = *offset, broker = *broker),
        Action::ListOffset { .. } => say!(text, StepListOffset),
        Action::EpochEnd { epoch, .. } => say!(text, StepEpochEnd, epoch = *epoch),
        Action::TransactionBegin => say!(text, StepTransactionBegin),
        Action::TransactionEnd { commit: true } => say!(text, StepCommit),
        Action::TransactionEnd { commit: false } => say!(text, StepAbort),
        Action::AwaitFenced(broker) => say!(text, StepAwaitFenced, broker = *broker),
        Action::AwaitUnfenced(broker) => say!(text, StepAwaitUnfenced, broker = *broker),
        Action::AwaitIsr(isr) => say!(text, StepAwaitIsr, isr = isr),
        Action::AwaitAck(name) => say!(text, StepAwaitAck, name = name.clone()),
        Action::Wait(wait) => say!(text, StepWait, wait = *wait),
        Action::Check => say!(text, StepCheck),
        _ => String::new(),
    }
}

/// What came of a step, when it is worth a word.
pub fn outcome(text: &Text, outcome: &StepOutcome) -> Option<String> {
    match outcome {
        StepOutcome::Done => None,
        StepOutcome::NeverHappened => Some(say!(text, OutcomeNeverHappened, wait = AWAIT_LIMIT)),
        StepOutcome::Error(error) => Some(say!(text, OutcomeError, error = *error)),
        StepOutcome::Impossible(reason) => Some(say!(
            text,
            OutcomeImpossible,
            reason = impossible(text, reason)
        )),
    }
}

/// Why a step could not be carried out. A reason that has no message here is said as the model says it.
fn impossible(text: &Text, reason: &str) -> String {
    match reason {
        "no broker is running" => say!(text, ImpossibleNoBroker),
        "no transaction is open" => say!(text, ImpossibleNoTransaction),
        "there is no leader" => say!(text, ImpossibleNoLeader),
        "the broker is running" => say!(text, ImpossibleRunning),
        "the broker is down" => say!(text, ImpossibleDown),
        "the controller is running" => say!(text, ImpossibleControllerRunning),
        "the controller is down" => say!(text, ImpossibleControllerDown),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests;
