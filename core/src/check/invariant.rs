//! What is true of every state of the model whatever happens, under any version: if one of these is false, the model is
//! wrong. Unlike the named properties they say nothing about Kafka's promises.

use crate::kafka::broker::{Broker, Role};
use crate::kafka::cluster::Cluster;
use crate::kafka::leader::Leader;
use crate::kafka::log::Log;
use crate::kafka::rules::LastKnownLeader;

/// The first invariant that is false, in words for whoever repairs the model.
/// `made_up` = the run began in a state of the script, or a process lost records and came back unnoticed: epochs need not
/// fit.
pub fn broken_invariant(cluster: &Cluster, made_up: bool) -> Option<String> {
    of_partition(cluster, made_up).or_else(|| {
        cluster.brokers.iter().find_map(|broker| {
            let what = of_broker(cluster, broker, made_up)?;
            Some(format!("broker {}: {what}", broker.id))
        })
    })
}

/// Looks at one condition after another.
macro_rules! first_false {
    ($($holds:expr => $($words:expr),+;)*) => {{
        $(if !$holds {
            return Some(format!($($words),+));
        })*
        None
    }};
}

fn of_partition(cluster: &Cluster, made_up: bool) -> Option<String> {
    let partition = &cluster.controller.partition;
    let replica = |broker| partition.replicas.contains(&broker);
    let overlap = partition.isr.iter().find(|b| partition.elr.contains(*b));
    // Without the last known leader's election it is a list of members (`useLastKnownLeaderInBalancedRecovery=false`).
    let many_remembered = cluster.settings.rules.last_known_leader == LastKnownLeader::Off;
    first_false! {
        partition.isr.iter().all(replica) => "ISR {} is not among the replicas", partition.isr;
        partition.elr.iter().all(replica) => "ELR {} is not among the replicas", partition.elr;
        partition.leader.is_none_or(replica) => "leader {:?} is no replica", partition.leader;
        made_up || overlap.is_none() => "{overlap:?} is in ISR and ELR";
        made_up || cluster.controller.elr_enabled || partition.elr.is_empty() => "ELR {} although ELR is off", partition.elr;
        made_up || many_remembered || partition.last_known_elr.len() <= 1 => "last known ELR {:?}", partition.last_known_elr;
        cluster.controller.brokers.len() >= partition.replicas.len() => "a replica is not registered";
    }
}

fn of_broker(cluster: &Cluster, broker: &Broker, made_up: bool) -> Option<String> {
    let partition = &cluster.controller.partition;
    let role_epoch = match &broker.role {
        Role::Leader(leader) => Some(leader.epoch),
        Role::Follower(follower) => Some(follower.epoch),
        Role::None => None,
    };
    if let Some(what) = of_log(&broker.log, broker.is_up(), made_up) {
        return Some(what);
    }
    if let Some(leader) = broker.leader()
        && let Some(what) = of_leader(broker, leader)
    {
        return Some(what);
    }
    first_false! {
        broker.is_up() || broker.role == Role::None => "it is down and has a role";
        broker.is_up() || broker.parked_fetches.is_empty() => "it is down and fetches wait for it";
        role_epoch.is_none_or(|epoch| epoch <= partition.leader_epoch) => "leader epoch {role_epoch:?} is ahead of the controller";
        broker.metadata.offset <= cluster.controller.offset => "its metadata is ahead of the controller";
    }
}

fn of_log(log: &Log, up: bool, made_up: bool) -> Option<String> {
    let (start, hw, leo) = (log.log_start(), log.hw(), log.leo());
    let batches = log.batches();
    let gap = batches
        .windows(2)
        .find(|pair| pair[0].end() != pair[1].base);
    let entries = log.epochs().entries();
    let ascending = entries
        .windows(2)
        .all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
    let sorted = batches
        .windows(2)
        .all(|pair| pair[0].epoch <= pair[1].epoch);
    // A log whose epochs go back (unfenced versions) has a cache that forgot, as Kafka's does.
    let strange = batches.iter().find(|batch| {
        batch.base >= start && log.epochs().epoch_for_offset(batch.base) != Some(batch.epoch)
    });
    first_false! {
        start <= leo => "log start {start} is beyond LEO {leo}";
        !up || hw <= leo => "HW {hw} is beyond LEO {leo}";
        !up || start <= hw => "log start {start} is beyond HW {hw}";
        gap.is_none() => "offsets are not contiguous: {gap:?}";
        batches.iter().all(|batch| batch.count > 0) => "an empty batch";
        batches.last().is_none_or(|last| last.end() == leo) => "LEO {leo} is not the end of the last batch";
        batches.first().is_some_and(|first| first.base <= start) || start == leo => "log start {start} is before the first batch";
        ascending => "the epoch cache does not ascend: {entries:?}";
        made_up || !sorted || strange.is_none() => "the epoch cache {entries:?} does not know {strange:?}";
        log.lso() <= hw => "LSO {} is beyond HW {hw}", log.lso();
    }
}

fn of_leader(broker: &Broker, leader: &Leader) -> Option<String> {
    let hw = broker.hw();
    let waiting = leader.parked.iter().find(|p| p.required <= hw);
    let beyond = leader.parked.iter().find(|p| p.required > broker.leo());
    first_false! {
        leader.committed_isr.iter().all(|b| leader.replicas.contains(&b)) => "its ISR {} is not among the replicas", leader.committed_isr;
        !leader.followers.contains_key(&broker.id) => "it follows itself";
        leader.followers.keys().all(|b| leader.replicas.contains(b)) => "it knows a follower that is no replica";
        waiting.is_none() => "HW {hw} has passed {waiting:?}, which still waits";
        beyond.is_none() => "{beyond:?} waits for more than LEO {}", broker.leo();
        leader.epoch_start <= broker.leo() => "its epoch starts at {} beyond LEO {}", leader.epoch_start, broker.leo();
    }
}
