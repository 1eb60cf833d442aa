//! The brokers' logs at the playhead, cell by cell, as far as there is room.

use highwater_core::kafka::ids::{BrokerId, LeaderEpoch, Offset};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::sim::State;

/// One offset of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which.
    pub offset: Offset,
    /// `m3`, or what else stands there; empty for records from before the script.
    pub name: String,
    /// The leader epoch that it was appended in.
    pub epoch: LeaderEpoch,
}

/// One broker's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    /// The broker.
    pub broker: BrokerId,
    /// Its place among the replicas, from 0: its hue.
    pub place: usize,
    /// Whether the controller has it as leader.
    pub leads: bool,
    /// Whether its process runs.
    pub up: bool,
    /// Its LEO.
    pub leo: Offset,
    /// Its HW.
    pub hw: Offset,
    /// What is in the window.
    pub cells: Vec<Cell>,
}

/// All logs, over the same offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Logs {
    /// The first offset that is shown.
    pub from: Offset,
    /// How many are.
    pub count: u64,
    /// One for each replica.
    pub rows: Vec<LogRow>,
    /// The line of `kafka-topics.sh --describe`.
    pub describe: String,
}

/// The last `room` offsets of the replicas' logs, and one more that is empty.
pub fn logs(state: &State, room: u64) -> Logs {
    let cluster = state.cluster();
    let partition = &cluster.controller.partition;
    let replicas = &partition.replicas;
    let end = cluster
        .brokers
        .iter()
        .map(|b| b.leo())
        .max()
        .unwrap_or_default();
    let shown = room.max(2);
    let from = Offset(end.0.saturating_add(1).saturating_sub(shown));
    let rows = replicas
        .iter()
        .enumerate()
        .filter_map(|(place, id)| Some((place, cluster.broker(*id)?)))
        .map(|(place, broker)| LogRow {
            broker: broker.id,
            place,
            leads: partition.leader == Some(broker.id),
            up: broker.is_up(),
            leo: broker.leo(),
            hw: broker.hw(),
            cells: cells(broker.log.batches(), from, from.plus(shown)),
        })
        .collect();
    Logs {
        from,
        count: shown,
        rows,
        describe: describe(state),
    }
}

fn cells(batches: &[Batch], from: Offset, to: Offset) -> Vec<Cell> {
    let first = batches.partition_point(|batch| batch.end() <= from);
    let inside = batches
        .iter()
        .skip(first)
        .take_while(|batch| batch.base < to);
    inside
        .flat_map(|batch| {
            let start = batch.base.max(from).0;
            let end = batch.end().min(to).0;
            (start..end).map(move |offset| Cell {
                offset: Offset(offset),
                name: name(batch, Offset(offset)),
                epoch: batch.epoch,
            })
        })
        .collect()
}

fn name(batch: &Batch, offset: Offset) -> String {
    match batch.payload {
        Payload::Records { first } => {
            format!("m{}", first.saturating_add(offset.since(batch.base)))
        }
        Payload::Marker { commit: true } => "C".to_owned(),
        Payload::Marker { commit: false } => "A".to_owned(),
        Payload::Before => String::new(),
    }
}

/// What an operator reads: the words and their order are those of Kafka's `TopicCommand`.
fn describe(state: &State) -> String {
    let partition = &state.cluster().controller.partition;
    let list = |brokers: &mut dyn Iterator<Item = BrokerId>| {
        let ids: Vec<String> = brokers.map(|b| b.to_string()).collect();
        ids.join(",")
    };
    let leader = partition
        .leader
        .map_or_else(|| "none".to_owned(), |leader| leader.to_string());
    format!(
        "Topic: orders\tPartition: 0\tLeader: {leader}\tReplicas: {}\tIsr: {}\tElr: {}\tLastKnownElr: {}",
        list(&mut partition.replicas.iter().copied()),
        list(&mut partition.isr.iter()),
        list(&mut partition.elr.iter()),
        list(&mut partition.last_known_elr.iter().copied()),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use highwater_core::kafka::ids::Millis;
    use highwater_core::scenario::parse;
    use highwater_core::sim::run;

    #[test]
    fn the_window_ends_one_past_the_longest_log() {
        let run = run(
            &parse("set acks=1\nset fetch=manual\nat 0ms produce 3\nat 5ms produce\n").unwrap(),
        );
        let soon = super::super::moments::end_of(Millis(50));
        let logs = logs(&run.at(soon), 4);
        assert_eq!((logs.from, logs.count), (Offset(1), 4));
        let names: Vec<&str> = logs.rows[0]
            .cells
            .iter()
            .map(|cell| cell.name.as_str())
            .collect();
        assert_eq!(names, ["m2", "m3", "m4"]);
        assert!(logs.rows[0].leads && logs.rows[0].up);
        assert_eq!((logs.rows[0].leo, logs.rows[1].leo), (Offset(4), Offset(0)));
        assert_eq!(
            logs.describe,
            "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\tElr: \tLastKnownElr: "
        );
    }

    #[test]
    fn an_offset_of_a_billion_costs_nothing() {
        let text =
            "start leader=1 isr=1,2,3\n  broker 1 log=0:1239742830 hw=1239742830\nat 0ms check\n";
        let run = run(&parse(text).unwrap());
        let logs = logs(run.last(), 4);
        assert_eq!(logs.from, Offset(1_239_742_827));
        assert_eq!(logs.rows[0].cells.len(), 3);
    }
}
