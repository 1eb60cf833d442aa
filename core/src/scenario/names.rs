//! Every setting by Kafka's own name: read, print, list. The order of [`ALL`] is the canonical order.

mod setting;

use crate::kafka::ids::Millis;
use crate::kafka::rules::{ControllerKind, LastKnownLeader, Truncation};
use crate::kafka::settings::{Acks, FetchMode, Isolation, IsrMode, ProducerMetadata, Settings};
use crate::kafka::sort;

use super::error::{Expected, SettingError};
use super::words::nearest;

/// Kafka's largest int.
pub const INT_MAX: u64 = 2_147_483_647;
/// The most replicas of the partition.
pub const MAX_REPLICAS: usize = 5;
/// The most brokers of the cluster.
pub const MAX_BROKERS: usize = 9;

/// How a time is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A plain number: the name ends in `.ms`.
    Ms,
    /// A plain number of seconds: the name ends in `.seconds`.
    Seconds,
    /// With its unit.
    Written,
}

/// How a setting is read and written.
enum Kind {
    Time(
        u64,
        Unit,
        fn(&Settings) -> Millis,
        fn(&mut Settings, Millis),
    ),
    Number(u64, fn(&Settings) -> u64, fn(&mut Settings, u64)),
    /// `true`/`false` for Kafka's own, `on`/`off` for ours; both are read.
    Switch(bool, fn(&Settings) -> bool, fn(&mut Settings, bool)),
    /// Words in printed form; further words after a `|` are read as well.
    Words(
        &'static [&'static str],
        fn(&Settings) -> usize,
        fn(&mut Settings, usize),
    ),
    Version,
    ReplicationFactor,
    Replicas,
    Brokers,
    ReadsFrom,
    BrokerRacks,
    ClientRack,
    LagMessages,
}

/// A setting by name.
pub struct Setting {
    /// The name that is printed.
    pub name: &'static str,
    /// A second name that is read.
    pub alias: Option<&'static str>,
    kind: Kind,
}

macro_rules! field {
    (time $field:ident $min:literal $unit:ident) => {
        Kind::Time($min, Unit::$unit, |s| s.$field, |s, v| s.$field = v)
    };
    (u32 $field:ident $min:literal) => {
        Kind::Number(
            $min,
            |s| u64::from(s.$field),
            |s, v| s.$field = u32::try_from(v).unwrap_or(u32::MAX),
        )
    };
    (u64 $field:ident $min:literal) => {
        Kind::Number($min, |s| s.$field, |s, v| s.$field = v)
    };
    (kafka $field:ident) => {
        Kind::Switch(true, |s| s.$field, |s, v| s.$field = v)
    };
    (ours $field:ident) => {
        Kind::Switch(false, |s| s.$field, |s, v| s.$field = v)
    };
    (rule $field:ident) => {
        Kind::Switch(false, |s| s.rules.$field, |s, v| s.rules.$field = v)
    };
    (words $all:ident $words:ident $($field:ident).+) => {
        Kind::Words(
            $words,
            |s| $all.iter().position(|v| *v == s.$($field).+).unwrap_or(0),
            |s, place| {
                if let Some(value) = $all.get(place) {
                    s.$($field).+ = *value;
                }
            },
        )
    };
}

macro_rules! settings {
    ($($name:literal $(/ $alias:literal)? => $kind:expr;)*) => {
        /// Every setting, in canonical order: what others depend on comes first.
        pub static ALL: &[Setting] = &[$(Setting {
            name: $name,
            alias: { #[allow(unused_mut, unused_assignments)] { let mut alias = None; $(alias = Some($alias);)? alias } },
            kind: $kind,
        },)*];
    };
}

const ACKS: &[Acks] = &[Acks::All, Acks::Leader, Acks::None];
const ACKS_WORDS: &[&str] = &["all|-1", "1", "0"];
const ISOLATION: &[Isolation] = &[Isolation::ReadUncommitted, Isolation::ReadCommitted];
const ISOLATION_WORDS: &[&str] = &["read_uncommitted", "read_committed"];
const METADATA: &[ProducerMetadata] = &[ProducerMetadata::Cached, ProducerMetadata::Fresh];
const METADATA_WORDS: &[&str] = &["cached", "fresh"];
const FETCH: &[FetchMode] = &[FetchMode::Auto, FetchMode::Manual];
const FETCH_WORDS: &[&str] = &["auto", "manual"];
const TRUNCATION: &[Truncation] = &[
    Truncation::HighWatermark,
    Truncation::LeaderEpoch,
    Truncation::LeaderEpochAndOffset,
    Truncation::InFetch,
];
const ISR: &[IsrMode] = &[IsrMode::Auto, IsrMode::Manual];
const ISR_WORDS: &[&str] = &["auto", "manual"];
const TRUNCATION_WORDS: &[&str] = &[
    "high-watermark|hw",
    "kip-101|kip101",
    "kip-279|kip279",
    "in-fetch",
];
const CONTROLLER: &[ControllerKind] = &[ControllerKind::ZooKeeper, ControllerKind::KRaft];
const CONTROLLER_WORDS: &[&str] = &["zookeeper", "kraft"];
const LAST_KNOWN: &[LastKnownLeader] = &[
    LastKnownLeader::Off,
    LastKnownLeader::ByEmptyIsr,
    LastKnownLeader::ByLeader,
];
const LAST_KNOWN_WORDS: &[&str] = &["off", "by-empty-isr", "by-leader"];

settings! {
    "kafka.version" / "version" => Kind::Version;
    "rule.truncation" => field!(words TRUNCATION TRUNCATION_WORDS rules.truncation);
    "rule.epoch.fencing" => field!(rule epoch_fencing);
    "rule.epoch.recorded.at.election" => field!(rule epoch_recorded_at_election);
    "rule.epoch.start.rule" => field!(rule epoch_start_rule);
    "rule.maximal.isr" => field!(rule maximal_isr);
    "rule.broker.epoch.check" => field!(rule broker_epoch_check);
    "rule.fenced.kept.out.of.isr" => field!(rule fenced_kept_out_of_isr);
    "rule.hw.gated.by.min.isr" => field!(rule hw_gated_by_min_isr);
    "rule.min.isr.capped.at.rf" => field!(rule min_isr_capped_at_rf);
    "rule.controller" => field!(words CONTROLLER CONTROLLER_WORDS rules.controller);
    "rule.elr.available" => field!(rule elr_available);
    "rule.last.known.leader" => field!(words LAST_KNOWN LAST_KNOWN_WORDS rules.last_known_leader);
    "rule.last.known.leader.must.be.live" => field!(rule last_known_leader_must_be_live);
    "rule.leader.epoch.bump.on.isr.shrink" => field!(rule leader_epoch_bump_on_isr_shrink);
    "rule.higher.epoch.batches.skipped" => field!(rule higher_epoch_batches_skipped);
    "rule.hw.wakes.follower.fetch" => field!(rule hw_wakes_follower_fetch);
    "rule.unclean.election.timer" => field!(rule unclean_election_timer);
    "rule.unclean.registration.leaves.elr" => field!(rule unclean_registration_leaves_elr);
    "rule.exits.rather.than.truncate" => field!(rule exits_rather_than_truncate);
    "rule.replica.lag.max.messages" => Kind::LagMessages;
    "rule.higher.epoch.answered" => field!(rule higher_epoch_answered);
    "rule.preferred.read.replica" => field!(rule preferred_read_replica);
    "rule.offset.not.available" => field!(rule offset_not_available);
    "replication.factor" / "rf" => Kind::ReplicationFactor;
    "replicas" => Kind::Replicas;
    "brokers" => Kind::Brokers;
    "acks" => field!(words ACKS ACKS_WORDS acks);
    "min.insync.replicas" / "min.isr" => field!(u32 min_insync_replicas 1);
    "unclean.leader.election.enable" / "unclean" => field!(kafka unclean_leader_election);
    "eligible.leader.replicas" / "elr" => field!(ours elr);
    "enable.idempotence" => field!(kafka idempotence);
    "retries" => field!(u32 retries 0);
    "request.timeout.ms" => field!(time request_timeout 0 Ms);
    "delivery.timeout.ms" => field!(time delivery_timeout 0 Ms);
    "retry.backoff.ms" => field!(time retry_backoff 0 Ms);
    "retry.backoff.max.ms" => field!(time retry_backoff_max 0 Ms);
    "max.in.flight.requests.per.connection" / "max.in.flight" => field!(u32 max_in_flight 1);
    "producer.metadata" => field!(words METADATA METADATA_WORDS producer_metadata);
    "replica.lag.time.max.ms" => field!(time replica_lag_time_max 1 Ms);
    "isr.tick.phase" => field!(time isr_tick_phase 0 Written);
    "replica.fetch.wait.max.ms" => field!(time replica_fetch_wait_max 0 Ms);
    "replica.fetch.min.bytes" => field!(u64 replica_fetch_min_bytes 0);
    "replica.fetch.max.bytes" => field!(u64 replica_fetch_max_bytes 0);
    "replica.fetch.backoff.ms" => field!(time replica_fetch_backoff 0 Ms);
    "replica.high.watermark.checkpoint.interval.ms" => field!(time hw_checkpoint_interval 1 Ms);
    "broker.heartbeat.interval.ms" => field!(time heartbeat_interval 1 Ms);
    "broker.session.timeout.ms" => field!(time session_timeout 1 Ms);
    "unclean.leader.election.interval.ms" => field!(time unclean_election_interval 1 Ms);
    "auto.leader.rebalance.enable" => field!(kafka auto_leader_rebalance);
    "leader.imbalance.check.interval.seconds" => field!(time leader_imbalance_check_interval 1 Seconds);
    "link.latency" => field!(time link_latency 1 Written);
    "metadata.latency" => field!(time metadata_latency 0 Written);
    "isolation.level" => field!(words ISOLATION ISOLATION_WORDS isolation);
    "fetch.max.wait.ms" => field!(time consumer_fetch_wait_max 0 Ms);
    "fetch.min.bytes" => field!(u64 consumer_fetch_min_bytes 0);
    "consumer.reads.from" => Kind::ReadsFrom;
    "broker.rack" => Kind::BrokerRacks;
    "client.rack" => Kind::ClientRack;
    "record.bytes" => field!(u64 record_bytes 1);
    "fetch" => field!(words FETCH FETCH_WORDS fetch_mode);
    "isr" => field!(words ISR ISR_WORDS isr_mode);
    "settle" => field!(time settle 1 Written);
}

/// The setting of that name; `_` and `-` count as `.`, capitals as small letters.
pub fn find(name: &str) -> Option<&'static Setting> {
    let name = name.to_ascii_lowercase().replace(['_', '-'], ".");
    ALL.iter()
        .find(|s| s.name == name || s.alias == Some(name.as_str()))
}

/// Sets one setting. `replicas` and `replication.factor` set `brokers` as well; `kafka.version` sets every rule.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), SettingError> {
    let Some(setting) = find(name) else {
        let names = ALL.iter().flat_map(|s| [Some(s.name), s.alias]).flatten();
        return Err(SettingError {
            instead: nearest(name, names).map(str::to_owned),
            ..SettingError::new(name, Expected::SettingName)
        });
    };
    setting
        .set(settings, value)
        .map_err(|expected| SettingError::new(value, expected))
}

/// Sets several settings in canonical order, whatever their order here. The errors come with the place in `pairs`;
/// a name that stands twice is one.
pub fn set_all(
    settings: &mut Settings,
    pairs: &[(&str, &str)],
) -> Result<(), Vec<(usize, SettingError)>> {
    let mut errors = Vec::new();
    let mut known: Vec<(usize, usize)> = Vec::new();
    for (place, (name, value)) in pairs.iter().enumerate() {
        // The replication factor is another way to say the replicas.
        let index = find(name).and_then(|s| {
            let name = match s.kind {
                Kind::ReplicationFactor => "replicas",
                _ => s.name,
            };
            ALL.iter().position(|other| other.name == name)
        });
        match index {
            Some(index) if known.iter().any(|(i, _)| *i == index) => {
                errors.push((place, SettingError::new(name, Expected::Once)));
            }
            Some(index) => known.push((index, place)),
            None => errors.extend(set(settings, name, value).err().map(|e| (place, e))),
        }
    }
    sort::heap(&mut known, |a, b| a < b);
    for (_, place) in known {
        if let Some((name, value)) = pairs.get(place) {
            errors.extend(set(settings, name, value).err().map(|e| (place, e)));
        }
    }
    sort::insertion(&mut errors, |a, b| a.0 < b.0);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// The value of a setting as a script writes it; none for an unknown name.
pub fn get(settings: &Settings, name: &str) -> Option<String> {
    find(name).map(|setting| setting.get(settings))
}

/// The settings that differ from the defaults of their version, in canonical order.
pub fn entries(settings: &Settings) -> Vec<(&'static str, String)> {
    let mut usual = Settings::default().with_version(settings.version);
    if settings.version != Settings::default().version {
        usual.version = Settings::default().version;
    }
    let mut brokers = settings.replicas.clone();
    sort::insertion(&mut brokers, |a, b| a < b);
    let of_replicas = Settings {
        brokers,
        ..usual.clone()
    };
    ALL.iter()
        .filter(|setting| !matches!(setting.kind, Kind::ReplicationFactor))
        .filter_map(|setting| {
            let compared = match setting.kind {
                Kind::Brokers => &of_replicas,
                _ => &usual,
            };
            let value = setting.get(settings);
            (value != setting.get(compared)).then_some((setting.name, value))
        })
        .collect()
}
