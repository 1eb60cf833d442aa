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
        None => Arg::Text(say!(text, SomeRecords, n = call.records)),
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
mod tests {
    use super::*;
    use crate::text::{Locale, every_language};

    /// One line for every action of the language, with all that reads differently.
    const EVERY_ACTION: &str = "then produce id=a
then produce 5 acks=all to=1 lose=request
then produce acks=1 producer=p id=b
then produce to=2 lose=response
then produce retry-of=b
then begin-transaction
then produce transactional
then fetch 2
then fetch 2 rounds=3 lose=response
then pause-fetch 2
then resume-fetch 2
then slow-fetch 2 delay=2s
then limit-fetch 2 1
then limit-fetch 2
then catch-up 2
then stop 2
then kill 2
then power-loss 2 keep=1
then start 2
then start 2 registration=clean
then start 2 registration=unclean no-wait
then bounce 2
then bounce 2 keep=1
then isolate 2
then heal 2
then heal-all
then cut-controller 2
then heal-controller 2
then cut 1 2
then heal-link 1 controller
then slow producer 1 latency=20ms
then hold 1 consumer
then release 1 consumer
then release 1 consumer count=2
then lose-next 2 1
then kill-controller
then start-controller
then hold-alter-partition 1
then release-alter-partition 1
then lose-alter-partition 1
then fence 2
then unfence 2
then hold-metadata 2
then deliver-metadata 2
then deliver-metadata 2 count=1
then elect preferred
then elect unclean
then elect 2
then config min.insync.replicas=1
then config unclean.leader.election.enable=true
then propose-isr 1,2
then isr-check 1
then consume 0
then consume 0 from=2
then list-offset
then epoch-end 0
then commit-transaction
then abort-transaction
then await-fenced 2
then await-unfenced 2
then await-isr 1,2
then await-ack a
then wait 5s
then check
";

    fn every_action() -> Scenario {
        highwater_core::scenario::parse(EVERY_ACTION).expect("it is a script")
    }

    #[test]
    fn every_action_has_words_with_one_verb_in_every_language() {
        let scenario = every_action();
        for text in every_language() {
            for (step, words) in scenario.steps.iter().zip(steps(&text, &scenario)) {
                let marked = marked(&text, &step.action, Some((1, 1)));
                assert_eq!(
                    marked.matches('*').count(),
                    2,
                    "{:?}: {marked}",
                    text.locale()
                );
                assert!(!words.is_empty() && !words.contains('*'), "{words}");
                assert!(!step_short(&text, &step.action, None).is_empty(), "{words}");
            }
        }
    }

    #[test]
    fn the_verb_comes_first_but_in_korean() {
        let kill = Action::Kill(BrokerId(3));
        let said: Vec<_> = every_language()
            .iter()
            .map(|text| {
                let (verb, rest) = step_parts(text, &kill, None);
                (text.locale(), verb, rest, step_short(text, &kill, None))
            })
            .collect();
        let expect = |locale, verb: &str, rest: &str, short: &str| {
            (locale, verb.to_owned(), rest.to_owned(), short.to_owned())
        };
        assert_eq!(
            said,
            [
                expect(Locale::En, "kill", "broker 3", "kill 3"),
                expect(Locale::Ko, "", "브로커 3 강제 종료", "3 강제 종료"),
                expect(Locale::Zh, "杀掉", "broker 3", "杀掉 3"),
            ]
        );
    }

    #[test]
    fn records_are_numbered_through_the_script_and_a_retry_keeps_its_own() {
        let scenario = every_action();
        let words = steps(&Text::english(), &scenario);
        assert_eq!(
            &words[..7],
            [
                "produce m1",
                "produce m2–m6 to broker 1 with acks=all, lose the request",
                "produce m7 with acks=1",
                "produce m8 to broker 2, lose the answer",
                "send again the batch of b",
                "begin a transaction",
                "produce m9, in the transaction",
            ]
        );
    }

    #[test]
    fn what_the_model_calls_impossible_is_said_in_every_language() {
        let reasons = [
            "no broker is running",
            "no transaction is open",
            "there is no leader",
            "the broker is running",
            "the broker is down",
            "the controller is running",
            "the controller is down",
        ];
        for text in every_language() {
            for reason in reasons {
                let said = outcome(&text, &StepOutcome::Impossible(reason)).unwrap_or_default();
                assert_eq!(said.contains(reason), text.locale() == Locale::En, "{said}");
            }
        }
    }
}
