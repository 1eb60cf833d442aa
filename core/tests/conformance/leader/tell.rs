//! Everything that a case may ask of the broker's state.

use highwater_core::kafka::broker::Role;
use highwater_core::kafka::context::Context;
use highwater_core::kafka::ids::BrokerSet;
use highwater_core::kafka::leader::{FollowerState, Leader};
use highwater_core::kafka::message::AlterPartitionRequest;
use serde_json::{Map, Value, json};

use super::Runner;
use crate::case::or_minus_one;
use crate::epoch_cache::entries;
use crate::partition::set;
use crate::replica_state::broker_epoch;

impl Runner {
    /// Tells the state after an operation.
    pub(super) fn tell(&self, told: &mut Map<String, Value>) {
        let mut say = |key: &str, value: Value| told.insert(key.to_string(), value);
        let (broker, log) = (&self.broker, &self.broker.log);
        let context = Context {
            settings: &self.settings,
            now: self.now,
        };
        say("hw", json!(log.hw().0));
        say("leo", json!(log.leo().0));
        say("lso", json!(log.lso().0));
        say("log_start", json!(log.log_start().0));
        say("epoch_cache", entries(log.epochs()));
        let epochs = match &broker.role {
            Role::Leader(leader) => Some((leader.epoch, leader.partition_epoch)),
            Role::Follower(follower) => Some((follower.epoch, follower.partition_epoch)),
            Role::None => None,
        };
        say("leader_epoch", or_minus_one(epochs.map(|e| e.0.0.into())));
        say(
            "partition_epoch",
            or_minus_one(epochs.map(|e| e.1.0.into())),
        );
        let leader = broker.leader();
        say("is_leader", json!(leader.is_some()));
        say("epoch_start", json!(leader.map(|l| l.epoch_start.0)));
        say("isr", set(&broker.committed_isr()));
        let of = |members: Option<BrokerSet>| set(&members.unwrap_or_default());
        say("maximal_isr", of(leader.map(|l| l.maximal_isr(&context))));
        let late = leader.map(|l| l.out_of_sync(broker.id, log.leo(), &context));
        say("out_of_sync", of(late));
        say(
            "inflight",
            json!(leader.is_some_and(|l| l.pending.is_some())),
        );
        say("under_min_isr", json!(broker.is_under_min_isr(&context)));
        say("at_min_isr", json!(broker.is_at_min_isr(&context)));
        say("under_replicated", json!(broker.is_under_replicated()));
        say("shrinks", json!(self.metrics.shrinks));
        say("expands", json!(self.metrics.expands));
        say("failures", json!(self.metrics.failures));
        let outstanding = broker.alter_partition_in_flight;
        say("pending_alter", json!(u8::from(outstanding.is_some())));
        let request = outstanding.and_then(|id| self.proposals.get(&id));
        say("proposed_isr", proposed(request, leader));
        say("proposed_isr_epochs", json!(request.map(member_epochs)));
        let followers = leader.map(|l| &l.followers);
        let remote = followers.into_iter().flatten();
        say(
            "remote_replicas",
            remote.clone().map(|(id, _)| json!(id.0)).collect(),
        );
        let states: Map<String, Value> = remote
            .map(|(id, state)| (id.to_string(), replica(state)))
            .collect();
        say("replica", states.into());
    }
}

/// The ISR of the request that is outstanding, or of the proposal that its answer left pending.
fn proposed(request: Option<&AlterPartitionRequest>, leader: Option<&Leader>) -> Value {
    match (request, leader.and_then(|l| l.pending.as_ref())) {
        (Some(request), _) => request.isr.iter().map(|(id, _)| json!(id.0)).collect(),
        (None, Some(pending)) => set(&pending.isr),
        (None, None) => Value::Null,
    }
}

fn member_epochs(request: &AlterPartitionRequest) -> Map<String, Value> {
    let epoch = |(id, epoch): &(_, Option<highwater_core::kafka::ids::BrokerEpoch>)| {
        let id: &highwater_core::kafka::ids::BrokerId = id;
        (id.to_string(), or_minus_one(epoch.map(|e| e.0)))
    };
    request.isr.iter().map(epoch).collect()
}

fn replica(state: &FollowerState) -> Value {
    json!({
        "leo": or_minus_one(state.leo.map(|o| o.0)),
        "log_start": or_minus_one(state.log_start.map(|o| o.0)),
        "last_caught_up": state.last_caught_up.unwrap_or_default().0,
        "broker_epoch": broker_epoch(state),
    })
}
