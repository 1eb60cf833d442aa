//! Whether a run of an exported scenario is what the search found: the states after every event.

use super::export::period;
use super::trace::{Counterexample, Snapshot};
use crate::kafka::cluster::Cluster;
use crate::kafka::event::{EventKind, Outcome};
use crate::kafka::ids::{BrokerSet, Millis};
use crate::kafka::map::{Map, Set};
use crate::kafka::partition::PartitionState;
use crate::scenario::value::Scenario;
use crate::sim::{Instant, Run};

/// Where scenario and search differ first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// After how many events.
    pub events: usize,
    /// What is different.
    pub what: String,
}

impl Counterexample {
    /// Where a run of an exported scenario differs from the search: logs, HWs, who runs and who leads, the controller's
    /// record, who may lead, and what the producer was told, after each event.
    pub fn difference(&self, scenario: &Scenario, run: &Run) -> Option<Difference> {
        let period = period(&scenario.settings);
        for (place, snapshot) in self.snapshots.iter().enumerate() {
            let at = Millis(period.0.saturating_mul(place as u64 + 1).saturating_sub(1));
            let state = run.at(Instant {
                at,
                position: u32::MAX,
            });
            let found = differs(snapshot, state.cluster());
            if let Some(what) = found.or_else(|| answers_differ(snapshot, run, at)) {
                return Some(Difference {
                    events: place,
                    what,
                });
            }
        }
        None
    }
}

/// What is different between the search's machines and the lab's.
fn differs(snapshot: &Snapshot, cluster: &Cluster) -> Option<String> {
    let told = |what: &str, searched: String, found: String| {
        (searched != found).then(|| format!("{what}: the search has {searched}, the lab {found}"))
    };
    for broker in &snapshot.brokers {
        let id = broker.id;
        let Some(lab) = cluster.broker(id) else {
            return Some(format!("the lab has no broker {id}"));
        };
        let log = |b: &crate::kafka::broker::Broker| {
            let record = |batch: &crate::kafka::record::Batch| {
                format!("{:?}@{}", batch.payload, batch.epoch)
            };
            let records: Vec<String> = b.log.batches().iter().map(record).collect();
            records.join(" ")
        };
        let epochs = |b: &crate::kafka::broker::Broker| format!("{:?}", b.log.epochs().entries());
        // What a power loss cut is not below the HW of anybody: loading the log will say so.
        let hw = |b: &crate::kafka::broker::Broker| b.hw().min(b.leo()).to_string();
        let role = |b: &crate::kafka::broker::Broker| match (b.leader(), b.follower()) {
            (Some(leader), _) => format!("leads {} with {}", leader.epoch, leader.committed_isr),
            (_, Some(follower)) => format!("follows {:?} in {}", follower.leader, follower.epoch),
            _ => "has no role".to_owned(),
        };
        let found = told(
            &format!("broker {id} runs"),
            broker.is_up().to_string(),
            lab.is_up().to_string(),
        )
        .or_else(|| told(&format!("log of {id}"), log(broker), log(lab)))
        .or_else(|| told(&format!("epochs of {id}"), epochs(broker), epochs(lab)))
        .or_else(|| told(&format!("HW of {id}"), hw(broker), hw(lab)))
        .or_else(|| told(&format!("role of {id}"), role(broker), role(lab)));
        if found.is_some() {
            return found;
        }
    }
    let record = |p: &PartitionState| {
        format!(
            "leader {:?} epoch {} ISR {} ELR {}",
            p.leader, p.leader_epoch, p.isr, p.elr
        )
    };
    let fenced: BrokerSet = snapshot
        .brokers
        .iter()
        .map(|broker| broker.id)
        .filter(|id| !cluster.controller.is_active(*id))
        .collect();
    told(
        "controller",
        record(&snapshot.partition),
        record(&cluster.controller.partition),
    )
    .or_else(|| {
        told(
            "brokers that may not lead",
            snapshot.fenced.to_string(),
            fenced.to_string(),
        )
    })
}

/// What is different between the records that the search and the lab had confirmed by then.
fn answers_differ(snapshot: &Snapshot, run: &Run, by: Millis) -> Option<String> {
    let mut first_of = Map::new();
    let mut acked = Set::new();
    for event in run.events.iter().take_while(|event| event.at <= by) {
        match event.kind {
            EventKind::ProduceCalled {
                send, first_record, ..
            } => {
                first_of.insert(send, first_record);
            }
            EventKind::ProduceAnswered {
                send,
                outcome: Outcome::Ok(_),
                ..
            } => acked.extend(first_of.get(&send).copied()),
            _ => {}
        }
    }
    let mut searched = Set::new();
    searched.extend(snapshot.acked.iter().map(|number| u64::from(*number)));
    (searched != acked)
        .then(|| format!("confirmed records: the search has {searched:?}, the lab {acked:?}"))
}
