//! What a cluster showed beside what the model shows, value by value, after each step of a recording.

use highwater_core::kafka::context::Context;
use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::ids::{BrokerId, LeaderEpoch, Offset};
use highwater_core::kafka::producer::CallState;
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::settings::Isolation;
use highwater_core::sim::{Instant, Simulation, latest_at_leader};

use super::ran::Ran;
use super::recorded::Recorded;

/// One value of both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The step of the script after which it was read.
    pub step: usize,
    /// What it is.
    pub what: String,
    /// What the cluster showed.
    pub recorded: String,
    /// What the model shows.
    pub model: String,
}

impl Row {
    /// Whether they are the same.
    pub fn same(&self) -> bool {
        self.recorded == self.model
    }
}

/// Every recorded value with the model's.
pub fn compare(recorded: &Recorded, ran: &Ran) -> Vec<Row> {
    let mut rows = Vec::with_capacity(recorded.observed.len());
    for group in recorded.observed.chunk_by(|a, b| a.step == b.step) {
        let Some(first) = group.first() else { continue };
        let state = ran.run.at(settled(ran, first.step));
        rows.extend(group.iter().map(|observed| Row {
            step: observed.step,
            what: observed.what.clone(),
            recorded: observed.value.clone(),
            model: value(&state.simulation, &observed.what, &observed.value),
        }));
    }
    rows
}

/// The instant at which everything that a step set off has come to rest: just before the next step.
pub fn settled(ran: &Ran, step: usize) -> Instant {
    let next = step.checked_add(1).and_then(|next| ran.run.steps.get(next));
    let event = next.and_then(|record| ran.event(record.event?));
    match event {
        Some(event) => Instant {
            at: event.at,
            position: event.sequence,
        },
        None => ran.end(),
    }
}

/// A value of the model in the words of a recording; empty when there is no such value. `like` is the recorded one:
/// where it says less (logs without epochs), so does this.
pub fn value(simulation: &Simulation, what: &str, like: &str) -> String {
    let partition = &simulation.cluster.controller.partition;
    let cluster = &simulation.cluster;
    let (name, of) = what.split_once('/').unwrap_or((what, ""));
    match name {
        "leader" => partition
            .leader
            .map_or_else(|| "none".to_owned(), |leader| leader.to_string()),
        "leader_epoch" => partition.leader_epoch.to_string(),
        "partition_epoch" => partition.partition_epoch.to_string(),
        "isr" => brokers(partition.isr.iter()),
        "elr" => brokers(partition.elr.iter()),
        "last_known_elr" => brokers(partition.last_known_elr.iter().copied()),
        "recovery" => partition.recovery.name().to_owned(),
        "fenced" => {
            let registered = cluster.controller.brokers.iter();
            brokers(registered.filter(|(_, one)| one.fenced).map(|(id, _)| *id))
        }
        "running" => brokers(cluster.brokers.iter().filter(|b| b.is_up()).map(|b| b.id)),
        "consumer_end" => end(simulation, Isolation::ReadUncommitted),
        "read_committed_end" => end(simulation, Isolation::ReadCommitted),
        "acks" => ack(simulation, of),
        _ => of_broker(simulation, name, of, like).unwrap_or_default(),
    }
}

fn of_broker(simulation: &Simulation, name: &str, of: &str, like: &str) -> Option<String> {
    let broker = simulation.cluster.broker(BrokerId(of.parse().ok()?))?;
    let context = Context {
        settings: &simulation.cluster.settings,
        now: simulation.now,
    };
    Some(match name {
        "leo" => broker.leo().to_string(),
        "hw" => broker.checkpointed_hw(&context).to_string(),
        "epochs" => epochs(broker.log.epochs().entries()),
        "logs" => log(broker.log.batches(), like.contains('@') || like.is_empty()),
        _ => return None,
    })
}

/// Brokers as a recording's file writes them; `none` when there are none.
pub fn brokers(list: impl Iterator<Item = BrokerId>) -> String {
    words(list.map(|broker| broker.to_string()))
}

/// An epoch cache: `0@0 1@2`.
pub fn epochs(entries: &[(LeaderEpoch, Offset)]) -> String {
    words(
        entries
            .iter()
            .map(|(epoch, start)| format!("{epoch}@{start}")),
    )
}

/// Words with a space between them, or `none`.
pub fn words(list: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = list.collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(" ")
    }
}

/// Longer logs are not told record by record.
const MOST: u64 = 10_000;

fn log(batches: &[Batch], with_epochs: bool) -> String {
    let mut before: u64 = 0;
    let mut out = Vec::new();
    for batch in batches {
        for place in 0..batch.count.min(MOST) {
            let record = match batch.payload {
                Payload::Records { first } => Some(first.saturating_add(place)),
                Payload::Marker { .. } => None,
                Payload::Before => {
                    before = before.saturating_add(1);
                    Some(before)
                }
            };
            out.push(entry(record, with_epochs.then_some(batch.epoch)));
        }
    }
    words(out.into_iter())
}

/// One record of a log: `m3@1`, or `marker@1`.
pub fn entry(record: Option<u64>, epoch: Option<LeaderEpoch>) -> String {
    let name = record.map_or_else(|| "marker".to_owned(), |number| format!("m{number}"));
    match epoch {
        Some(epoch) => format!("{name}@{epoch}"),
        None => name,
    }
}

fn end(simulation: &Simulation, isolation: Isolation) -> String {
    match latest_at_leader(simulation, isolation) {
        None => "no leader".to_owned(),
        Some(Ok(offset)) => offset.to_string(),
        Some(Err(error)) => error.name().to_owned(),
    }
}

fn ack(simulation: &Simulation, id: &str) -> String {
    let send = simulation.progress.named.get(id);
    let call = send.and_then(|send| simulation.cluster.producer.calls.get(send.0 as usize));
    let Some(call) = call else {
        return String::new();
    };
    match call.state {
        CallState::Waiting | CallState::InFlight(_) => "pending".to_owned(),
        CallState::Done(outcome) => match outcome {
            Outcome::Ok(base) => format!("NONE@{base}"),
            Outcome::Refused(error) => error.name().to_owned(),
            Outcome::NoAnswer | Outcome::ResponseLost => "no answer".to_owned(),
            Outcome::ConnectionClosed => "connection closed".to_owned(),
            Outcome::LeaderDown => "NETWORK_EXCEPTION".to_owned(),
            Outcome::NoLeader => "no leader".to_owned(),
            Outcome::NoAnswerExpected => "no answer expected".to_owned(),
        },
    }
}
