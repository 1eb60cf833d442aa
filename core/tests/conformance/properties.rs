//! The states of unit cases against the named properties and the invariants of the model, after every operation.
//!
//! A unit case puts single parts of a cluster into a state of its own, so only what holds from any state on is demanded
//! (`must_hold` of a run with a start section); any other property that is false is a finding with its name.

use std::sync::OnceLock;

use highwater_core::check::{Faults, Ghosts, PropertySet, broken_invariant, must_hold, violated};
use highwater_core::kafka::broker::{Broker, Role};
use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::controller::Controller;
use highwater_core::kafka::ids::LeaderEpoch;
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::{Scenario, Start};
use highwater_core::sim::run;

/// What was seen of the states of a case.
#[derive(Default)]
pub struct Held {
    ghosts: Ghosts,
    /// The invariant that the case's own state breaks, in words: a log with a gap, for example.
    given: Option<String>,
    /// How many states were looked at.
    pub states: usize,
    /// Properties that were false where nothing excludes it.
    pub findings: PropertySet,
}

impl Held {
    /// Looks at a state that the case puts there: the one that it begins with, or one that an operation sets by hand.
    pub fn begin(&mut self, cluster: &Cluster) {
        self.given = broken_invariant(cluster, true);
        self.ghosts = Ghosts::new(cluster);
    }

    /// Looks at a state; what must not be, in words.
    pub fn look(&mut self, cluster: &Cluster) -> Result<(), String> {
        self.states += 1;
        let broken = broken_invariant(cluster, true);
        if broken != self.given
            && let Some(what) = broken
        {
            return Err(format!("the model is broken: {what}"));
        }
        self.ghosts.look(cluster);
        let made_up = Scenario {
            start: Some(Start::default()),
            ..Scenario::default()
        };
        let made_up = Faults::new(&made_up, cluster);
        let broken = violated(cluster, &self.ghosts);
        let must = must_hold(&cluster.settings, &made_up, &self.ghosts);
        if let Some(property) = broken.intersection(must).iter().next() {
            return Err(format!("{property} is violated"));
        }
        self.findings = self.findings.union(broken);
        Ok(())
    }
}

/// A cluster of these brokers, whose controller has this partition. What a case without a controller told its brokers, its
/// controller would know as well.
pub fn cluster(
    settings: &Settings,
    mut partition: PartitionState,
    brokers: Vec<Broker>,
) -> Cluster {
    let epochs = brokers.iter().filter_map(|broker| match &broker.role {
        Role::Leader(leader) => Some(leader.epoch),
        Role::Follower(follower) => Some(follower.epoch),
        Role::None => None,
    });
    partition.leader_epoch = epochs.fold(partition.leader_epoch, LeaderEpoch::max);
    let mut settings = settings.clone();
    settings.replicas.clone_from(&partition.replicas);
    settings.brokers = partition.replicas.clone();
    settings
        .brokers
        .extend(brokers.iter().map(|broker| broker.id));
    settings.brokers.sort_unstable();
    settings.brokers.dedup();
    let mut controller = Controller::new(&settings, None);
    let newest = brokers.iter().map(|broker| broker.metadata.offset).max();
    controller.offset = controller.offset.max(newest.unwrap_or_default());
    controller.partition = partition;
    Cluster {
        settings,
        controller,
        brokers,
        ..new()
    }
}

/// A cluster of which a case has the controller alone.
pub fn of_controller(settings: &Settings, controller: &Controller) -> Cluster {
    Cluster {
        settings: settings.clone(),
        controller: controller.clone(),
        brokers: Vec::new(),
        ..new()
    }
}

/// A new cluster: its clients, which no case has, are looked at by no property.
fn new() -> Cluster {
    static NEW: OnceLock<Cluster> = OnceLock::new();
    let made = || run(&Scenario::default()).last().cluster().clone();
    NEW.get_or_init(made).clone()
}
