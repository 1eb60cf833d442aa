//! Everything that the cluster knows at an instant: each broker's log and state, the leader's view, what is parked, the
//! controller's view, and the last messages field by field. The tables have the names of Kafka's classes.

use highwater_core::kafka::broker::{Broker, Role};
use highwater_core::kafka::context::Context;
use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::kafka::leader::Leader;
use highwater_core::kafka::record::Batch;
use highwater_core::sim::{Instant, MessageRecord, Run, State};

use super::eligible::eligible;
use super::fields::{batch, fields, name, node, or_minus_one};
use super::html::{Table, element, table};
use super::words::{fill, tell};
use crate::text::Text;

/// So many batches of a log are listed, the last ones.
const BATCHES: usize = 24;
/// So many messages are listed, the last ones.
const MESSAGES: usize = 16;

/// The markup.
pub fn view(text: &Text, run: &Run, instant: Instant) -> String {
    let state = run.at(instant);
    let mut out = String::new();
    let means = tell!(text, WhatItMeans);
    for shown in tables(text, &state) {
        table(&mut out, &shown, &means);
    }
    element(&mut out, "h3 class=\"h\"", &tell!(text, LastMessages));
    out.push_str("<ol class=\"messages\">");
    for message in messages(run, instant) {
        out.push_str("<li><details>");
        element(
            &mut out,
            "summary translate=\"no\"",
            &summary(message, run, instant),
        );
        let body = &message.message.body;
        let mut shown = Table::new(name(body), &["field", "value"]);
        for field in fields(body) {
            let meaning = fill(text, field.meaning, &[]);
            shown.rows.push(vec![field.name.to_owned(), field.value]);
            shown = shown.means(field.name, meaning);
        }
        table(&mut out, &shown, &means);
        out.push_str("</details></li>");
    }
    out.push_str("</ol>");
    out
}

/// The tables of a state.
pub fn tables(text: &Text, state: &State) -> Vec<Table> {
    let cluster = state.cluster();
    let context = Context {
        settings: &cluster.settings,
        now: state.simulation.now,
    };
    let replicas = &cluster.controller.partition.replicas;
    let brokers = || cluster.brokers.iter().filter(|b| replicas.contains(&b.id));
    let mut tables = vec![of_brokers(text, brokers(), &context)];
    tables.extend(brokers().map(|broker| log(text, broker)));
    for broker in brokers() {
        if let Some(leader) = broker.leader() {
            tables.push(followers(text, broker, leader, &context));
            tables.push(parked_produce(text, broker, leader));
        }
        if !broker.parked_fetches.is_empty() {
            tables.push(parked_fetches(text, broker));
        }
    }
    tables.push(partition(text, state));
    tables.push(registrations(text, state));
    tables
}

fn of_brokers<'a>(
    text: &Text,
    brokers: impl Iterator<Item = &'a Broker>,
    context: &Context<'_>,
) -> Table {
    let head = [
        "broker",
        "process",
        "role",
        "leaderEpoch",
        "LEO",
        "HW",
        "LSO",
        "logStartOffset",
        "replication-offset-checkpoint",
        "metadata offset",
    ];
    let mut table = Table::new("kafka.cluster.Partition", &head)
        .about(tell!(text, AboutBrokers))
        .means("process", tell!(text, MeansProcess))
        .means("role", tell!(text, MeansRole))
        .means("LEO", tell!(text, MeansLeo))
        .means("HW", tell!(text, MeansHw))
        .means("LSO", tell!(text, FieldLso))
        .means("logStartOffset", tell!(text, FieldLogStart))
        .means(
            "replication-offset-checkpoint",
            tell!(text, MeansCheckpoint),
        )
        .means("metadata offset", tell!(text, FieldMetadataOffset));
    for broker in brokers {
        let (role, epoch) = match &broker.role {
            Role::Leader(leader) => ("leader".to_owned(), leader.epoch.to_string()),
            Role::Follower(follower) => (
                format!(
                    "follower of {}, {:?}",
                    or_minus_one(follower.leader),
                    follower.phase
                ),
                follower.epoch.to_string(),
            ),
            Role::None => ("-".to_owned(), "-".to_owned()),
        };
        table.rows.push(vec![
            broker.id.to_string(),
            format!("{:?}", broker.process),
            role,
            epoch,
            broker.leo().to_string(),
            broker.hw().to_string(),
            broker.log.lso().to_string(),
            broker.log.log_start().to_string(),
            broker.checkpointed_hw(context).to_string(),
            broker.metadata.offset.to_string(),
        ]);
    }
    table
}

/// A log batch by batch, with the epoch cache under it.
fn log(text: &Text, broker: &Broker) -> Table {
    let mut table = Table::new(
        format!("broker {}: UnifiedLog", broker.id),
        &["offset", "records", "committed"],
    )
    .about(tell!(text, AboutLog));
    let batches = broker.log.batches();
    let shown = batches.len().saturating_sub(BATCHES);
    for one in &batches[shown..] {
        let (offsets, rest) = cell(one);
        let below = one.end() <= broker.hw();
        let mark = match (below, one.base < broker.hw()) {
            (true, _) => "< HW",
            (false, true) => "HW",
            (false, false) => "≥ HW",
        };
        table.rows.push(vec![offsets, rest, mark.to_owned()]);
    }
    let entries = broker.log.epochs().entries().iter();
    let cache: Vec<String> = entries
        .map(|(epoch, start)| format!("{epoch} {start}"))
        .collect();
    table.rows.push(vec![
        "LeaderEpochFileCache".to_owned(),
        cache.join(", "),
        String::new(),
    ]);
    table
}

fn cell(one: &Batch) -> (String, String) {
    let text = batch(one);
    match text.split_once(": ") {
        Some((offsets, rest)) => (offsets.to_owned(), rest.to_owned()),
        None => (text, String::new()),
    }
}

/// The leader's view of its followers.
fn followers(text: &Text, broker: &Broker, leader: &Leader, context: &Context<'_>) -> Table {
    let mut table = Table::new(
        format!("broker {}: Replica (remote)", broker.id),
        &[
            "broker",
            "logEndOffset",
            "lastCaughtUpTimeMs",
            "lastFetchTimeMs",
            "ISR",
            "maximal ISR",
            "isReplicaIsrEligible",
        ],
    )
    .about(tell!(text, AboutFollowers))
    .means("logEndOffset", tell!(text, MeansFollowerLeo))
    .means("lastCaughtUpTimeMs", tell!(text, MeansCaughtUp))
    .means("lastFetchTimeMs", tell!(text, MeansLastFetch))
    .means("maximal ISR", tell!(text, MeansMaximalIsr));
    let maximal = leader.maximal_isr(context);
    for (id, state) in &leader.followers {
        table.rows.push(vec![
            id.to_string(),
            or_minus_one(state.leo),
            or_minus_one(state.last_caught_up),
            or_minus_one(state.last_fetch),
            leader.committed_isr.contains(*id).to_string(),
            maximal.contains(*id).to_string(),
            eligible(text, broker, leader, (*id, state), context),
        ]);
    }
    table
}

fn parked_produce(text: &Text, broker: &Broker, leader: &Leader) -> Table {
    let mut table = Table::new(
        format!("broker {}: DelayedProduce", broker.id),
        &["produce call", "requiredOffset", "baseOffset", "until ms"],
    )
    .about(tell!(text, AboutParkedProduce))
    .means("requiredOffset", tell!(text, MeansRequired))
    .means("until ms", tell!(text, MeansUntil));
    if leader.parked.is_empty() {
        table.about = format!("{} {}", table.about, tell!(text, ParkedNothing));
        return table;
    }
    table.rows = leader
        .parked
        .iter()
        .map(|parked| {
            vec![
                format!("#{} ({})", parked.send, parked.attempt),
                parked.required.to_string(),
                parked.base.to_string(),
                parked.until.to_string(),
            ]
        })
        .collect();
    table
}

fn parked_fetches(text: &Text, broker: &Broker) -> Table {
    let mut table = Table::new(
        format!("broker {}: DelayedFetch", broker.id),
        &["from", "fetchOffset", "minBytes", "since ms", "until ms"],
    )
    .about(tell!(text, AboutParkedFetch))
    .means("fetchOffset", tell!(text, FieldFetchOffset))
    .means("minBytes", tell!(text, FieldMinBytes))
    .means("until ms", tell!(text, MeansUntil));
    table.rows = broker
        .parked_fetches
        .iter()
        .map(|parked| {
            vec![
                node(parked.from),
                parked.fetch.fetch_offset.to_string(),
                parked.fetch.min_bytes.to_string(),
                parked.since.to_string(),
                parked.until.to_string(),
            ]
        })
        .collect();
    table
}

fn partition(text: &Text, state: &State) -> Table {
    let controller = &state.cluster().controller;
    let partition = &controller.partition;
    let ids = |list: &[BrokerId]| {
        let ids: Vec<String> = list.iter().map(ToString::to_string).collect();
        ids.join(",")
    };
    Table::of_fields(
        "controller: PartitionRegistration",
        vec![
            ("controller running", controller.running.to_string()),
            ("replicas", ids(&partition.replicas)),
            ("isr", partition.isr.to_string()),
            ("elr", partition.elr.to_string()),
            ("lastKnownElr", ids(&partition.last_known_elr)),
            ("leader", or_minus_one(partition.leader)),
            ("leaderRecoveryState", partition.recovery.name().to_owned()),
            ("leaderEpoch", partition.leader_epoch.to_string()),
            ("partitionEpoch", partition.partition_epoch.to_string()),
            (
                "min.insync.replicas",
                controller.config.min_insync_replicas.to_string(),
            ),
            (
                "effective min ISR",
                controller.effective_min_isr().to_string(),
            ),
            (
                "unclean.leader.election.enable",
                controller.config.unclean_leader_election.to_string(),
            ),
        ],
    )
    .about(tell!(text, AboutPartition))
    .means("replicas", tell!(text, MeansReplicas))
    .means("isr", tell!(text, FieldIsr))
    .means("elr", tell!(text, FieldElr))
    .means("lastKnownElr", tell!(text, MeansLastKnownElr))
    .means("leader", tell!(text, FieldLeaderId))
    .means("leaderRecoveryState", tell!(text, FieldRecovery))
    .means("leaderEpoch", tell!(text, FieldLeaderEpoch))
    .means("partitionEpoch", tell!(text, FieldPartitionEpoch))
    .means("min.insync.replicas", tell!(text, FieldMinIsr))
    .means("effective min ISR", tell!(text, MeansEffectiveMin))
    .means("unclean.leader.election.enable", tell!(text, MeansUnclean))
}

/// Registrations with heartbeats: when each session was heard of last and when it ends.
fn registrations(text: &Text, state: &State) -> Table {
    let cluster = state.cluster();
    let controller = &cluster.controller;
    let mut table = Table::new(
        "controller: BrokerRegistration, BrokerHeartbeatManager",
        &[
            "broker",
            "state",
            "brokerEpoch",
            "fenced",
            "inControlledShutdown",
            "metadata offset",
            "lastContact ms",
            "session ends ms",
        ],
    )
    .about(tell!(text, AboutSessions))
    .means("brokerEpoch", tell!(text, FieldBrokerEpoch))
    .means("fenced", tell!(text, FieldIsFenced))
    .means("metadata offset", tell!(text, FieldMetadataOffset))
    .means("lastContact ms", tell!(text, MeansLastContact))
    .means("session ends ms", tell!(text, MeansSessionEnd));
    for (id, known) in &controller.brokers {
        let state = controller
            .broker_state(*id)
            .map_or("-", |state| state.name());
        let ends = known.last_contact.plus(cluster.settings.session_timeout);
        table.rows.push(vec![
            id.to_string(),
            state.to_owned(),
            known.epoch.to_string(),
            known.fenced.to_string(),
            known.in_controlled_shutdown.to_string(),
            known.metadata_offset.to_string(),
            known.last_contact.to_string(),
            match known.fenced {
                true => "-".to_owned(),
                false => ends.to_string(),
            },
        ]);
    }
    table
}

/// The last messages that were sent by the instant.
fn messages(run: &Run, instant: Instant) -> impl Iterator<Item = &MessageRecord> {
    let happened = run.events_before(instant);
    let sent = run
        .messages
        .partition_point(|message| (message.sent_event.0 as usize) < happened);
    let first = sent.saturating_sub(MESSAGES);
    run.messages
        .get(first..sent)
        .unwrap_or_default()
        .iter()
        .rev()
}

fn summary(message: &MessageRecord, run: &Run, instant: Instant) -> String {
    let happened = run.events_before(instant);
    let ended = message.end_event.filter(|end| (end.0 as usize) < happened);
    let arrived = match (ended, message.arrived_at) {
        (Some(_), Some(at)) => format!("→ {} ms", at.0),
        (Some(_), None) => "×".to_owned(),
        (None, _) => "…".to_owned(),
    };
    let Millis(at) = message.sent_at;
    format!(
        "{at} ms {arrived}  {} → {}: {}",
        node(message.message.from),
        node(message.message.to),
        name(&message.message.body)
    )
}
