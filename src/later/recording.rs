//! A recording of a real cluster as a file of the page: the script of what was done and what was observed, in the words
//! of [`crate::session::recorded`]. `cargo xtask build` writes those that come with the page, and a reader may drop one.

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::scenario::trace::{Ack, End, Known, Observation, Trace};
use highwater_core::scenario::{Action, Scenario, Step, When, parse, print};
use highwater_core::sim::replay;

use crate::session::Ran;
use crate::session::against::{brokers, compare, entry, epochs, words};
use crate::session::recorded::Recorded;

/// A recording as a file of the page. When the leader's ISR check ticked was not recorded, so its phase is the first of
/// a few with which the model shows what the cluster showed (the replay of the tests does the same).
pub fn file(recording: &Trace) -> String {
    let half = (recording.settings.replica_lag_time_max.0 / 2).max(1);
    let mut best: Option<(usize, String)> = None;
    for eighth in 0..replay::TICK_PHASES {
        let file = file_with(recording, Millis(half * eighth / replay::TICK_PHASES));
        let wrong = differences(recording, &file);
        if best.as_ref().is_none_or(|(least, _)| wrong < *least) {
            best = Some((wrong, file));
        }
        if wrong == 0 {
            break;
        }
    }
    best.map(|(_, file)| file).unwrap_or_default()
}

fn differences(recording: &Trace, file: &str) -> usize {
    let Ok(recorded) = Recorded::read(&recording.id, file) else {
        return usize::MAX;
    };
    let Ok(scenario) = parse(&recorded.text) else {
        return usize::MAX;
    };
    let rows = compare(&recorded, &Ran::of(&scenario));
    rows.iter().filter(|row| !row.same()).count()
}

fn file_with(recording: &Trace, phase: Millis) -> String {
    let (scenario, ends) = script(recording, phase);
    let mut out = format!(
        "highwater recording 1\nkafka {}\nrecorded {}\nscript\n{}observed\n",
        recording.kafka,
        recording.recorded,
        print(&scenario)
    );
    let mut known = Known::at_start(recording);
    for (step, end) in recording.steps.iter().zip(ends) {
        known.after(recording, step);
        for name in step.observed.names() {
            if known.unknown.contains(&name) || not_asked(&known.state, &name) {
                continue;
            }
            if let Some(value) = value(&known.state, &name) {
                out.push_str(&format!("{end}\t{name}\t{value}\n"));
            }
        }
    }
    out
}

/// The recorder asks for the read_committed end only where there is a leader to ask.
fn not_asked(seen: &Observation, name: &str) -> bool {
    name == "read_committed_end" && matches!(seen.consumer_end, Some(End::NoLeader | End::NoAnswer))
}

/// The script of a recording, and for each of its steps the step of the script after which it was observed.
///
/// An answer REQUEST_TIMED_OUT stands in the first observation made after it, so the script waits for it there.
fn script(recording: &Trace, isr_tick_phase: Millis) -> (Scenario, Vec<usize>) {
    let mut scenario = recording.scenario();
    scenario.settings.isr_tick_phase = isr_tick_phase;
    scenario.steps.clear();
    let mut ends = Vec::new();
    let mut push = |action: Action| {
        scenario.steps.push(Step {
            when: When::Settled,
            action,
        });
    };
    let mut count = 0_usize;
    for step in &recording.steps {
        let timed_out = step
            .observed
            .acks
            .iter()
            .filter(|(_, ack)| **ack == Ack::Error(KafkaError::RequestTimedOut));
        let waits = timed_out.map(|(id, _)| Action::AwaitAck(id.clone()));
        for action in step.actions.iter().cloned().chain(waits) {
            push(action);
            count += 1;
        }
        ends.push(count.saturating_sub(1));
    }
    // The last state is looked at when it has settled, like every other.
    push(Action::Check);
    (scenario, ends)
}

fn value(seen: &Observation, what: &str) -> Option<String> {
    let (name, of) = what.split_once('/').unwrap_or((what, ""));
    let id = || Some(BrokerId(of.parse().ok()?));
    Some(match name {
        "leader" => seen
            .leader?
            .map_or_else(|| "none".to_owned(), |leader| leader.to_string()),
        "leader_epoch" => seen.leader_epoch?.to_string(),
        "partition_epoch" => seen.partition_epoch?.to_string(),
        "isr" => brokers(seen.isr.as_ref()?.iter()),
        "elr" => brokers(seen.elr.as_ref()?.iter()),
        "last_known_elr" => brokers(seen.last_known_elr.as_ref()?.iter().copied()),
        "recovery" => seen.recovery?.name().to_owned(),
        "fenced" => brokers(seen.fenced.as_ref()?.iter()),
        "running" => brokers(seen.running.as_ref()?.iter()),
        "consumer_end" => end(seen.consumer_end?),
        "read_committed_end" => end(seen.read_committed_end?),
        "leo" => seen.leo.get(&id()?)?.to_string(),
        "hw" => seen.hw.get(&id()?)?.to_string(),
        "epochs" => epochs(seen.epochs.get(&id()?)?),
        "logs" => words(
            seen.logs
                .get(&id()?)?
                .iter()
                .map(|one| entry(one.record, one.epoch)),
        ),
        "acks" => ack(*seen.acks.get(of)?),
        _ => return None,
    })
}

fn end(end: End) -> String {
    match end {
        End::At(offset) => offset.to_string(),
        End::NoLeader => "no leader".to_owned(),
        End::NoAnswer => "no answer".to_owned(),
        End::Error(error) => error.name().to_owned(),
    }
}

fn ack(ack: Ack) -> String {
    match ack {
        Ack::Pending => "pending".to_owned(),
        Ack::Success(base) => format!("NONE@{base}"),
        Ack::Error(error) => error.name().to_owned(),
        Ack::NoneExpected => "no answer expected".to_owned(),
        Ack::ConnectionClosed => "connection closed".to_owned(),
        Ack::NoAnswer => "no answer".to_owned(),
        Ack::NoLeader => "no leader".to_owned(),
    }
}
