//! The small files in a broker's log directory (rules 10.2).

use super::journal::Journal;
use super::topic::Topic;
use crate::kafka::broker::{Broker, Process};
use crate::kafka::context::Context;
use crate::kafka::ids::{BrokerId, Offset};
use crate::kafka::rules::Version;
use crate::sim::Simulation;

/// A file of a broker's log directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Whose.
    pub broker: BrokerId,
    /// Its path from the log directory.
    pub path: String,
    /// What it holds, each line ended.
    pub text: String,
}

/// The files of every replica, by broker, with what they hold at the simulation's present. `journal` has followed the run so
/// far.
///
/// `replication-offset-checkpoint` is written every `replica.high.watermark.checkpoint.interval.ms` and so lags behind. The
/// others are given as they would be written now: an epoch entry is written when it is made; recovery point and log start
/// are written once a minute, at a truncation and at a clean stop, and hardly ever change between.
pub fn files(simulation: &Simulation, journal: &Journal, topic: &Topic) -> Vec<File> {
    let cluster = &simulation.cluster;
    let context = Context {
        settings: &cluster.settings,
        now: simulation.now,
    };
    let replicas = &cluster.controller.partition.replicas;
    cluster
        .brokers
        .iter()
        .filter(|broker| replicas.contains(&broker.id))
        .flat_map(|broker| of_broker(broker, &context, journal, topic))
        .collect()
}

fn of_broker(
    broker: &Broker,
    context: &Context<'_>,
    journal: &Journal,
    topic: &Topic,
) -> Vec<File> {
    let version = context.settings.version;
    let file = |path: String, text: String| File {
        broker: broker.id,
        path,
        text,
    };
    let one = |name: &str, offset: Offset| file(name.to_owned(), offsets(topic, offset));
    let mut files = Vec::new();
    if version >= Version::V0_11 {
        let path = format!("{}/leader-epoch-checkpoint", topic.partition());
        files.push(file(path, epochs(broker.log.epochs().entries())));
    }
    let hw = broker.checkpointed_hw(context);
    files.push(one("replication-offset-checkpoint", hw));
    let flushed = journal
        .seat(broker.id)
        .map_or(broker.log.log_start(), |seat| seat.recovery_point);
    files.push(one("recovery-point-offset-checkpoint", flushed));
    if version >= Version::V0_11 {
        files.push(match broker.log.log_start() {
            // Only logs that begin after their first segment's base are listed.
            Offset(0) => file("log-start-offset-checkpoint".to_owned(), none()),
            start => one("log-start-offset-checkpoint", start),
        });
    }
    if broker.process == Process::Down
        && let Some(epoch) = broker.clean_shutdown
    {
        // KIP-966: the file says which broker epoch it was; before, that it is there was all.
        let text = match version >= Version::V4_0 {
            true => format!("{{\"version\":0,\"brokerEpoch\":{epoch}}}"),
            false => String::new(),
        };
        files.push(file(".kafka_cleanshutdown".to_owned(), text));
    }
    files
}

/// `LeaderEpochCheckpointFile`: version, count, and a line for each epoch with its start.
pub fn epochs(entries: &[(crate::kafka::ids::LeaderEpoch, Offset)]) -> String {
    let lines = entries
        .iter()
        .map(|(epoch, start)| format!("{epoch} {start}\n"));
    format!("0\n{}\n{}", entries.len(), lines.collect::<String>())
}

/// `OffsetCheckpointFile` with the one partition.
pub fn offsets(topic: &Topic, offset: Offset) -> String {
    format!("0\n1\n{} 0 {offset}\n", topic.name)
}

/// `OffsetCheckpointFile` without an entry.
fn none() -> String {
    "0\n0\n".to_owned()
}
