//! `kafka-topics.sh --describe` (`TopicCommand.TopicDescription`, `PartitionDescription`; rules 10.1).

use super::topic::Topic;
use crate::kafka::broker::{Broker, Process};
use crate::kafka::ids::BrokerId;
use crate::kafka::message::{MetadataImage, Node};
use crate::kafka::rules::{ControllerKind, Version};
use crate::sim::Simulation;

/// The answer to `kafka-topics.sh --describe`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Described {
    /// The line of the topic and the line of its partition, fields separated by tabs.
    Lines(Vec<String>),
    /// No broker is up that could be asked.
    NoBroker,
    /// No broker that is up reaches the controller: the tool asks for reassignments too, which only the controller knows,
    /// and waits until its time-out (seen on 4.4).
    NoAnswer,
}

/// What the tool prints when it asks the broker with the newest metadata.
pub fn describe(simulation: &Simulation, topic: &Topic) -> Described {
    let serving = || serving(simulation);
    let Some(newest) = serving().max_by_key(|broker| broker.metadata.offset) else {
        return Described::NoBroker;
    };
    let settings = &simulation.cluster.settings;
    let kraft = settings.rules.controller == ControllerKind::KRaft;
    if kraft && !serving().any(|broker| reaches_controller(simulation, broker.id)) {
        return Described::NoAnswer;
    }
    Described::Lines(of_broker(newest, topic, settings.version))
}

/// What each broker that serves clients would have the tool print. They differ while metadata is on its way, and as long as
/// a broker is cut off.
pub fn answers(simulation: &Simulation, topic: &Topic) -> Vec<(BrokerId, Vec<String>)> {
    let version = simulation.cluster.settings.version;
    serving(simulation)
        .map(|broker| (broker.id, of_broker(broker, topic, version)))
        .collect()
}

/// The brokers that clients can talk to; one that is registering does not listen yet.
fn serving(simulation: &Simulation) -> impl Iterator<Item = &Broker> {
    let brokers = simulation.cluster.brokers.iter();
    brokers.filter(|broker| broker.is_up() && broker.process != Process::Registering)
}

fn reaches_controller(simulation: &Simulation, broker: BrokerId) -> bool {
    let link = (Node::Broker(broker), Node::Controller);
    simulation.cluster.controller.running && !simulation.network.is_cut(link.0, link.1)
}

fn of_broker(broker: &Broker, topic: &Topic, version: Version) -> Vec<String> {
    vec![
        topic_line(&broker.metadata, topic, version),
        partition_line(&broker.metadata, topic, version),
    ]
}

/// Up to 2.1 the tool read ZooKeeper, and put no blank after the colons of the first line.
fn reads_zookeeper(version: Version) -> bool {
    version <= Version::V2_0
}

fn topic_line(image: &MetadataImage, topic: &Topic, version: Version) -> String {
    let gap = if reads_zookeeper(version) { "" } else { " " };
    let mut line = format!("Topic:{gap}{}\t", topic.name);
    // KIP-516: topics have ids since 2.8.
    if version >= Version::V2_8 {
        line.push_str(&format!("TopicId: {}\t", topic.id));
    }
    let (replicas, min_isr) = (image.partition.replicas.len(), image.min_insync_replicas);
    let unclean = image.unclean_leader_election;
    line.push_str(&format!(
        "PartitionCount:{gap}1\tReplicationFactor:{gap}{replicas}\t\
         Configs:{gap}min.insync.replicas={min_isr},unclean.leader.election.enable={unclean}"
    ));
    line
}

/// The line of the partition.
fn partition_line(image: &MetadataImage, topic: &Topic, version: Version) -> String {
    let partition = &image.partition;
    // A fenced leader is not named; by then the controller has named another, or none.
    let live = |broker: &BrokerId| image.broker(*broker).is_some_and(|b| !b.fenced);
    let leader = match partition.leader.filter(live) {
        Some(leader) => leader.to_string(),
        None if reads_zookeeper(version) => "-1".to_owned(),
        None => "none".to_owned(),
    };
    let name = &topic.name;
    let mut line = format!(
        "\tTopic: {name}\tPartition: 0\tLeader: {leader}\tReplicas: {}\tIsr: {}",
        joined(&partition.replicas),
        partition.isr
    );
    if !(partition.adding.is_empty() && partition.removing.is_empty()) {
        line.push_str(&format!(
            "\tAdding Replicas: {}\tRemoving Replicas: {}",
            joined(&partition.adding),
            joined(&partition.removing)
        ));
    }
    // KIP-966: printed by the tools of 4.0 and later, empty also where ELR is off.
    if version >= Version::V4_0 {
        line.push_str(&format!(
            "\tElr: {}\tLastKnownElr: {}",
            partition.elr,
            joined(&partition.last_known_elr)
        ));
    }
    line
}

/// Ids with commas between them.
pub(super) fn joined(brokers: &[BrokerId]) -> String {
    let ids: Vec<String> = brokers.iter().map(BrokerId::to_string).collect();
    ids.join(",")
}
