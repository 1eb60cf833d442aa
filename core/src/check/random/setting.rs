//! Random settings: mostly those that make the interesting happen soon, now and then anything at all.

use super::Random;
use crate::kafka::ids::{BrokerId, Millis};
use crate::kafka::rules::{ControllerKind, LastKnownLeader, Truncation, Version};
use crate::kafka::settings::{Acks, FetchMode, Isolation, ProducerMetadata, Settings};

const ACKS: &[Acks] = &[Acks::All, Acks::Leader, Acks::None];

/// Settings of any version.
pub(super) fn settings(random: &mut Random) -> Settings {
    let version = random.pick(&Version::ALL).unwrap_or(Version::V4_2);
    let mut s = Settings::default().with_version(version);
    topic(random, &mut s);
    clocks(random, &mut s);
    if random.once_in(3) {
        producer(random, &mut s);
    }
    if random.once_in(4) {
        sizes(random, &mut s);
    }
    if random.once_in(6) {
        switch_a_rule(random, &mut s);
    }
    s
}

fn topic(random: &mut Random, s: &mut Settings) {
    let count = random.pick(&[3, 3, 3, 2, 2, 4, 5, 1]).unwrap_or(3);
    let mut replicas: Vec<BrokerId> = (1..=count).map(BrokerId).collect();
    let turn = usize::try_from(random.below(u64::from(count))).unwrap_or(0);
    replicas.rotate_left(turn);
    s.brokers = (1..=count).map(BrokerId).collect();
    if random.once_in(10) {
        s.brokers.push(BrokerId(count + 1));
    }
    s.replicas = replicas;
    s.min_insync_replicas = random.pick(&[1, 2, 2, 2, 3, 4]).unwrap_or(2);
    s.acks = if random.once_in(4) {
        random.pick(ACKS).unwrap_or(Acks::All)
    } else {
        Acks::All
    };
    s.unclean_leader_election = random.once_in(4);
    s.elr = !random.once_in(3);
}

/// Kafka's own waits are long; with shorter ones more happens within a run.
fn clocks(random: &mut Random, s: &mut Settings) {
    let mut time = |usual: Millis, others: &[u64]| {
        if random.once_in(2) {
            usual
        } else {
            random.pick(others).map_or(usual, Millis)
        }
    };
    s.session_timeout = time(s.session_timeout, &[1_000, 3_000, 500]);
    s.heartbeat_interval = time(s.heartbeat_interval, &[200, 500, 1_000]);
    s.replica_lag_time_max = time(s.replica_lag_time_max, &[400, 2_000, 10_000]);
    s.isr_tick_phase = time(s.isr_tick_phase, &[1, 100, 7_000]);
    s.replica_fetch_wait_max = time(s.replica_fetch_wait_max, &[100, 5_000, 5_000]);
    s.replica_fetch_backoff = time(s.replica_fetch_backoff, &[10, 100, 3_000]);
    s.hw_checkpoint_interval = time(s.hw_checkpoint_interval, &[10, 500, 60_000]);
    s.unclean_election_interval = time(s.unclean_election_interval, &[1_000, 5_000]);
    s.link_latency = time(s.link_latency, &[1, 2, 5, 40]);
    s.metadata_latency = time(s.metadata_latency, &[0, 3, 30, 400]);
    s.settle = time(s.settle, &[1, 100, 2_000]);
    // Idle polling makes most of the events of a run and none of what it is about.
    s.consumer_fetch_wait_max = time(Millis(5_000), &[500, 2_000, 20_000]);
    if s.heartbeat_interval >= s.session_timeout && !random.once_in(10) {
        // A broker that is late by itself is fenced again and again: a little of that is enough.
        s.heartbeat_interval = Millis(s.session_timeout.0 / 4);
    }
    s.auto_leader_rebalance = random.once_in(6);
    if s.auto_leader_rebalance {
        s.leader_imbalance_check_interval = Millis(1_000 + random.below(20) * 1_000);
    }
}

fn producer(random: &mut Random, s: &mut Settings) {
    s.retries = random.pick(&[0, 1, 3, 10]).unwrap_or(0);
    s.idempotence = !random.once_in(3);
    s.request_timeout = random
        .pick(&[0, 200, 2_000, 30_000])
        .map_or(Millis(30_000), Millis);
    s.delivery_timeout = random
        .pick(&[0, 3_000, 20_000, 120_000])
        .map_or(Millis(120_000), Millis);
    s.retry_backoff = random.pick(&[0, 10, 100]).map_or(Millis(100), Millis);
    s.retry_backoff_max = random.pick(&[0, 100, 1_000]).map_or(Millis(1_000), Millis);
    if random.once_in(4) {
        // As many retries as Kafka's default asks for, at its own pace: faster ones only make the same thing happen again.
        s.retries = 2_147_483_647;
        s.request_timeout = Millis(30_000);
        s.retry_backoff = Millis(100);
    }
    s.max_in_flight = random.pick(&[1, 2, 5, 8]).unwrap_or(5);
    if random.once_in(4) {
        s.producer_metadata = ProducerMetadata::Fresh;
    }
}

fn sizes(random: &mut Random, s: &mut Settings) {
    s.replica_fetch_min_bytes = random.pick(&[1, 150, 1_000]).unwrap_or(1);
    s.replica_fetch_max_bytes = random.pick(&[0, 100, 450, 1_048_576]).unwrap_or(1_048_576);
    s.record_bytes = random.pick(&[1, 100, 1_000_000]).unwrap_or(100);
    s.consumer_fetch_min_bytes = random.pick(&[1, 1, 500]).unwrap_or(1);
    s.isolation = random
        .pick(&[Isolation::ReadUncommitted, Isolation::ReadCommitted])
        .unwrap_or(Isolation::ReadUncommitted);
    s.consumer_reads_from = random.maybe(3, |r| r.pick(&s.replicas)).flatten();
    if random.once_in(5) {
        let racks = ["a", "b", "c"];
        let mut rack = || random.pick(&racks).unwrap_or("a").to_owned();
        s.broker_racks = s.brokers.iter().map(|id| (*id, rack())).collect();
        s.client_rack = rack();
    }
    if random.once_in(3) {
        s.fetch_mode = FetchMode::Manual;
    }
    if random.once_in(200) {
        // Followers and consumer that never wait: the busiest that a run can be.
        s.replica_fetch_wait_max = Millis(0);
        s.consumer_fetch_wait_max = Millis(0);
    }
    if random.once_in(200) {
        s.replica_fetch_min_bytes = 0;
        s.consumer_fetch_min_bytes = 0;
    }
}

fn switch_a_rule(random: &mut Random, s: &mut Settings) {
    let on = random.once_in(2);
    let rules = &mut s.rules;
    match random.below(20) {
        0 => rules.truncation = Truncation::HighWatermark,
        1 => rules.truncation = Truncation::LeaderEpoch,
        2 => rules.truncation = Truncation::LeaderEpochAndOffset,
        3 => rules.truncation = Truncation::InFetch,
        4 => rules.epoch_fencing = on,
        5 => rules.epoch_recorded_at_election = on,
        6 => rules.epoch_start_rule = on,
        7 => rules.maximal_isr = on,
        8 => rules.broker_epoch_check = on,
        9 => rules.fenced_kept_out_of_isr = on,
        10 => rules.hw_gated_by_min_isr = on,
        11 => rules.min_isr_capped_at_rf = on,
        12 => {
            rules.controller = if on {
                ControllerKind::KRaft
            } else {
                ControllerKind::ZooKeeper
            }
        }
        13 => rules.elr_available = on,
        14 => {
            rules.last_known_leader = random
                .pick(&[
                    LastKnownLeader::Off,
                    LastKnownLeader::ByEmptyIsr,
                    LastKnownLeader::ByLeader,
                ])
                .unwrap_or(LastKnownLeader::Off)
        }
        15 => rules.last_known_leader_must_be_live = on,
        16 => rules.leader_epoch_bump_on_isr_shrink = on,
        17 => rules.unclean_registration_leaves_elr = on,
        18 => rules.exits_rather_than_truncate = on,
        _ => rules.replica_lag_max_messages = Some(random.below(6)),
    }
}
