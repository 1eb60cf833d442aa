//! The metrics of rules 10.4, by MBean, with their values at an instant.

mod counted;

use super::line::Origin;
use super::topic::Topic;
use crate::kafka::broker::Broker;
use crate::kafka::cluster::Cluster;
use crate::kafka::context::Context;
use crate::kafka::event::Event;
use crate::kafka::ids::BrokerId;
use crate::kafka::rules::{ControllerKind, Version};
use crate::sim::{MessageRecord, Simulation};
use counted::Counts;

/// A metric and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Whose process has it.
    pub origin: Origin,
    /// The MBean, with its attribute after a colon as JMX tools write it: `kafka.server:type=…,name=…:Value`.
    pub name: String,
    /// Its value. Meters are given by their count since the process started, not by a rate.
    pub value: u64,
}

/// A metric that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Whose process has it.
    pub origin: Origin,
    /// The MBean and the attribute.
    pub name: String,
    /// Before; none = there was no such metric (the process was down).
    pub before: Option<u64>,
    /// Afterwards; none = there is none any more.
    pub after: Option<u64>,
}

/// Every metric of every process that runs, at the simulation's present. `events` and `messages` are those of the run, the
/// former only up to the present.
pub fn metrics(
    simulation: &Simulation,
    events: &[Event],
    messages: &[MessageRecord],
    topic: &Topic,
) -> Vec<Metric> {
    let cluster = &simulation.cluster;
    let context = Context {
        settings: &cluster.settings,
        now: simulation.now,
    };
    let counts = Counts::of(events, messages);
    let mut list = List::default();
    let kraft = cluster.settings.rules.controller == ControllerKind::KRaft;
    if cluster.controller.running && kraft {
        of_controller(cluster, &counts, &mut list);
    }
    for broker in cluster.brokers.iter().filter(|broker| broker.is_up()) {
        list.origin = Origin::Broker(broker.id);
        of_broker(broker, &context, topic, &mut list);
        of_counts(broker.id, &counts, topic, &mut list);
    }
    list.metrics
}

/// The metrics that differ.
pub fn moved(before: &[Metric], after: &[Metric]) -> Vec<Moved> {
    let value = |list: &[Metric], like: &Metric| {
        let same = |metric: &&Metric| metric.origin == like.origin && metric.name == like.name;
        list.iter().find(same).map(|metric| metric.value)
    };
    let gone = before.iter().filter(|m| value(after, m).is_none());
    let mut all: Vec<&Metric> = after.iter().chain(gone).collect();
    all.sort_by_key(|metric| metric.origin);
    all.into_iter()
        .map(|metric| Moved {
            origin: metric.origin,
            name: metric.name.clone(),
            before: value(before, metric),
            after: value(after, metric),
        })
        .filter(|moved| moved.before != moved.after)
        .collect()
}

/// The list that is being made.
struct List {
    origin: Origin,
    metrics: Vec<Metric>,
}

impl Default for List {
    fn default() -> List {
        List {
            origin: Origin::Controller,
            metrics: Vec::new(),
        }
    }
}

impl List {
    fn value(&mut self, bean: &str, value: u64) {
        self.add(bean, "Value", value);
    }

    fn count(&mut self, bean: &str, value: u64) {
        self.add(bean, "Count", value);
    }

    fn add(&mut self, bean: &str, attribute: &str, value: u64) {
        self.metrics.push(Metric {
            origin: self.origin,
            name: format!("{bean}:{attribute}"),
            value,
        });
    }
}

fn of_controller(cluster: &Cluster, counts: &Counts, list: &mut List) {
    let controller = &cluster.controller;
    let partition = &controller.partition;
    let registered = || controller.brokers.values();
    let offline = u64::from(partition.leader.is_none());
    let unpreferred = u64::from(partition.leader != partition.replicas.first().copied());
    let gauges = [
        ("ActiveControllerCount", 1),
        (
            "ActiveBrokerCount",
            registered().filter(|r| !r.fenced).count() as u64,
        ),
        (
            "FencedBrokerCount",
            registered().filter(|r| r.fenced).count() as u64,
        ),
        ("OfflinePartitionsCount", offline),
        ("PreferredReplicaImbalanceCount", unpreferred),
    ];
    for (name, value) in gauges {
        list.value(
            &format!("kafka.controller:type=KafkaController,name={name}"),
            value,
        );
    }
    let version = cluster.settings.version;
    if version >= Version::V4_1 {
        let leaving = registered().filter(|r| r.in_controlled_shutdown && !r.fenced);
        let name = "kafka.controller:type=KafkaController,name=ControlledShutdownBrokerCount";
        list.value(name, leaving.count() as u64);
    }
    let stats = |name: &str| format!("kafka.controller:type=ControllerStats,name={name}");
    list.count(&stats("UncleanLeaderElectionsPerSec"), counts.unclean);
    if version >= Version::V4_1 {
        list.count(
            &stats("ElectionFromEligibleLeaderReplicasPerSec"),
            counts.from_elr,
        );
    }
    list.count(
        "kafka.network:type=RequestMetrics,name=RequestsPerSec,request=AlterPartition,version=3",
        counts.alter_partition,
    );
}

fn of_broker(broker: &Broker, context: &Context<'_>, topic: &Topic, list: &mut List) {
    let leader = broker.leader();
    let isr = broker.committed_isr().len() as u64;
    let replicas = leader.map_or(0, |leader| leader.replicas.len() as u64);
    let min = u64::from(broker.effective_min_isr(context));
    let one = |yes: bool| u64::from(leader.is_some() && yes);
    let (under, below, at) = (one(isr < replicas), one(isr < min), one(isr == min));
    let has_role = leader.is_some() || broker.follower().is_some();
    let manager = [
        ("UnderReplicatedPartitions", under),
        ("UnderMinIsrPartitionCount", below),
        ("AtMinIsrPartitionCount", at),
        ("LeaderCount", u64::from(leader.is_some())),
        ("PartitionCount", u64::from(has_role)),
    ];
    for (name, value) in manager {
        list.value(
            &format!("kafka.server:type=ReplicaManager,name={name}"),
            value,
        );
    }
    let behind = broker.hw().since(broker.log.lso());
    let partition = [
        ("UnderReplicated", under),
        ("UnderMinIsr", below),
        ("AtMinIsr", at),
        ("InSyncReplicasCount", isr),
        ("ReplicasCount", replicas),
        (
            "LastStableOffsetLag",
            if leader.is_some() { behind } else { 0 },
        ),
    ];
    for (name, value) in partition {
        let bean = format!(
            "kafka.cluster:type=Partition,name={name},topic={},partition=0",
            topic.name
        );
        list.value(&bean, value);
    }
    let parked = leader.map_or(0, |leader| leader.parked.len() as u64);
    let fetches = broker.parked_fetches.len() as u64;
    for (operation, size) in [("Produce", parked), ("Fetch", fetches)] {
        let bean = format!(
            "kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation={operation}"
        );
        list.value(&bean, size);
    }
}

fn of_counts(broker: BrokerId, counts: &Counts, topic: &Topic, list: &mut List) {
    let counted = counts.of_broker(broker);
    let manager = [
        ("IsrShrinksPerSec", counted.shrinks),
        ("IsrExpandsPerSec", counted.expands),
        ("FailedIsrUpdatesPerSec", counted.failed_updates),
    ];
    for (name, value) in manager {
        list.count(
            &format!("kafka.server:type=ReplicaManager,name={name}"),
            value,
        );
    }
    list.count(
        "kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec",
        counted.produce_expired,
    );
    for (fetcher, value) in [
        ("follower", counted.follower_fetch_expired),
        ("consumer", counted.consumer_fetch_expired),
    ] {
        let bean = format!(
            "kafka.server:type=DelayedFetchMetrics,name=ExpiresPerSec,fetcherType={fetcher}"
        );
        list.count(&bean, value);
    }
    if let Some((leader, lag)) = counted.lag {
        let bean = format!(
            "kafka.server:type=FetcherLagMetrics,name=ConsumerLag,clientId=ReplicaFetcherThread-0-{leader},topic={},\
             partition=0",
            topic.name
        );
        list.value(&bean, lag);
        list.value(
            "kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica",
            lag,
        );
    }
}
