//! Every setting by Kafka's own name: read, print, list. The order of [`ALL`] is the canonical order.

use crate::kafka::ids::{BrokerId, Millis};
use crate::kafka::rules::{ControllerKind, LastKnownLeader, Rules, Truncation, Version};
use crate::kafka::settings::{Acks, FetchMode, Isolation, Settings};

use super::error::{Expected, SettingError};
use super::time;
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
const FETCH: &[FetchMode] = &[FetchMode::Auto, FetchMode::Manual];
const FETCH_WORDS: &[&str] = &["auto", "manual"];
const TRUNCATION: &[Truncation] = &[
    Truncation::HighWatermark,
    Truncation::LeaderEpoch,
    Truncation::LeaderEpochAndOffset,
    Truncation::InFetch,
];
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
    "replica.lag.time.max.ms" => field!(time replica_lag_time_max 1 Ms);
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
    "record.bytes" => field!(u64 record_bytes 1);
    "fetch" => field!(words FETCH FETCH_WORDS fetch_mode);
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
    known.sort_unstable();
    for (_, place) in known {
        if let Some((name, value)) = pairs.get(place) {
            errors.extend(set(settings, name, value).err().map(|e| (place, e)));
        }
    }
    errors.sort_by_key(|(place, _)| *place);
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
    brokers.sort_unstable();
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

/// A list of broker ids with commas between them, each once; `none` is the empty list.
pub(crate) fn read_brokers(text: &str) -> Option<Vec<BrokerId>> {
    if text == "none" {
        return Some(Vec::new());
    }
    let mut list = Vec::new();
    for part in text.split(',') {
        let broker = read_broker(part)?;
        if list.contains(&broker) || list.len() == MAX_BROKERS {
            return None;
        }
        list.push(broker);
    }
    Some(list)
}

/// A broker id.
pub(crate) fn read_broker(text: &str) -> Option<BrokerId> {
    let id = read_number(text)?;
    (id <= INT_MAX).then_some(())?;
    u32::try_from(id).ok().map(BrokerId)
}

/// Decimal digits and nothing else.
pub(crate) fn read_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// The list as a script writes it.
pub(crate) fn print_brokers(brokers: impl Iterator<Item = BrokerId>) -> String {
    let list: Vec<String> = brokers.map(|b| b.to_string()).collect();
    if list.is_empty() {
        "none".to_owned()
    } else {
        list.join(",")
    }
}

fn read_switch(text: &str) -> Option<bool> {
    match text {
        "true" | "on" | "1" => Some(true),
        "false" | "off" | "0" => Some(false),
        _ => None,
    }
}

impl Setting {
    /// What may stand there.
    pub fn expected(&self) -> Expected {
        match &self.kind {
            Kind::Time(min, Unit::Seconds, ..) => Expected::Time {
                min: Millis(*min),
                max: time::LONGEST,
            },
            Kind::Time(min, Unit::Ms, ..) => Expected::Number {
                min: *min,
                max: time::LONGEST.0,
            },
            Kind::Time(min, Unit::Written, ..) => Expected::Time {
                min: Millis(*min),
                max: time::LONGEST,
            },
            Kind::Number(min, ..) => Expected::Number {
                min: *min,
                max: INT_MAX,
            },
            Kind::Switch(true, ..) => Expected::OneOf(&["true", "false"]),
            Kind::Switch(false, ..) => Expected::OneOf(&["on", "off"]),
            Kind::Words(words, ..) => {
                Expected::Words(words.iter().filter_map(|w| w.split('|').next()).collect())
            }
            Kind::Version => Expected::KafkaVersion,
            Kind::ReplicationFactor => Expected::Number {
                min: 1,
                max: MAX_REPLICAS as u64,
            },
            Kind::Replicas => Expected::BrokerList {
                min: 1,
                max: MAX_REPLICAS,
            },
            Kind::Brokers => Expected::BrokerList {
                min: 1,
                max: MAX_BROKERS,
            },
            Kind::ReadsFrom => Expected::BrokerOr("leader"),
            Kind::LagMessages => Expected::Number {
                min: 0,
                max: INT_MAX,
            },
        }
    }

    /// The value as a script writes it.
    pub fn get(&self, settings: &Settings) -> String {
        match &self.kind {
            Kind::Time(_, Unit::Ms, get, _) => get(settings).to_string(),
            Kind::Time(_, Unit::Seconds, get, _) if get(settings).0 % 1_000 == 0 => {
                (get(settings).0 / 1_000).to_string()
            }
            Kind::Time(_, _, get, _) => time::print(get(settings)),
            Kind::Number(_, get, _) => get(settings).to_string(),
            Kind::Switch(kafka, get, _) => match (kafka, get(settings)) {
                (true, true) => "true",
                (true, false) => "false",
                (false, true) => "on",
                (false, false) => "off",
            }
            .to_owned(),
            Kind::Words(words, get, _) => words
                .get(get(settings))
                .and_then(|w| w.split('|').next())
                .unwrap_or("")
                .to_owned(),
            Kind::Version => settings.version.name().to_owned(),
            Kind::ReplicationFactor => settings.replicas.len().to_string(),
            Kind::Replicas => print_brokers(settings.replicas.iter().copied()),
            Kind::Brokers => print_brokers(settings.brokers.iter().copied()),
            Kind::ReadsFrom => match settings.consumer_reads_from {
                Some(broker) => broker.to_string(),
                None => "leader".to_owned(),
            },
            Kind::LagMessages => match settings.rules.replica_lag_max_messages {
                Some(count) => count.to_string(),
                None => "off".to_owned(),
            },
        }
    }

    fn set(&self, settings: &mut Settings, value: &str) -> Result<(), Expected> {
        let wrong = || self.expected();
        match &self.kind {
            Kind::Time(min, unit, _, set) => {
                let time = match unit {
                    Unit::Seconds => match read_number(value) {
                        Some(seconds) => seconds.checked_mul(1_000).map(Millis),
                        None => time::read(value),
                    },
                    _ => time::read(value),
                };
                let in_range = |t: &Millis| t.0 >= *min && *t <= time::LONGEST;
                set(settings, time.filter(in_range).ok_or_else(wrong)?);
            }
            Kind::Number(min, _, set) => {
                let in_range = |n: &u64| (*min..=INT_MAX).contains(n);
                set(
                    settings,
                    read_number(value).filter(in_range).ok_or_else(wrong)?,
                );
            }
            Kind::Switch(_, _, set) => set(settings, read_switch(value).ok_or_else(wrong)?),
            Kind::Words(words, _, set) => {
                let place = words.iter().position(|w| w.split('|').any(|w| w == value));
                set(settings, place.ok_or_else(wrong)?);
            }
            Kind::Version => {
                settings.version = Version::of_release(value).ok_or_else(wrong)?;
                settings.rules = Rules::of(settings.version);
            }
            Kind::LagMessages => {
                let in_range = |n: &u64| *n <= INT_MAX;
                settings.rules.replica_lag_max_messages = match value {
                    "off" => None,
                    _ => Some(read_number(value).filter(in_range).ok_or_else(wrong)?),
                };
            }
            Kind::ReplicationFactor | Kind::Replicas | Kind::Brokers | Kind::ReadsFrom => {
                return self.set_brokers(settings, value);
            }
        }
        Ok(())
    }

    fn set_brokers(&self, settings: &mut Settings, value: &str) -> Result<(), Expected> {
        let wrong = || self.expected();
        let fits = |max: usize| move |list: &Vec<BrokerId>| (1..=max).contains(&list.len());
        match &self.kind {
            Kind::ReadsFrom if value == "leader" => settings.consumer_reads_from = None,
            Kind::ReadsFrom => {
                let broker = read_broker(value).ok_or_else(wrong)?;
                if !settings.brokers.contains(&broker) {
                    return Err(Expected::BrokerOf(settings.brokers.clone()));
                }
                settings.consumer_reads_from = Some(broker);
            }
            Kind::Brokers => {
                let mut brokers = read_brokers(value)
                    .filter(fits(MAX_BROKERS))
                    .ok_or_else(wrong)?;
                if settings.replicas.iter().any(|r| !brokers.contains(r)) {
                    return Err(Expected::AllReplicas(settings.replicas.clone()));
                }
                brokers.sort_unstable();
                settings.brokers = brokers;
            }
            _ => {
                settings.replicas = match self.kind {
                    Kind::ReplicationFactor => {
                        let most = MAX_REPLICAS as u64;
                        let factor = read_number(value)
                            .filter(|n| (1..=most).contains(n))
                            .and_then(|n| u32::try_from(n).ok())
                            .ok_or_else(wrong)?;
                        (1..=factor).map(BrokerId).collect()
                    }
                    _ => read_brokers(value)
                        .filter(fits(MAX_REPLICAS))
                        .ok_or_else(wrong)?,
                };
                settings.brokers = settings.replicas.clone();
                settings.brokers.sort_unstable();
            }
        }
        let reads_from = settings.consumer_reads_from;
        if reads_from.is_some_and(|broker| !settings.brokers.contains(&broker)) {
            settings.consumer_reads_from = None;
        }
        Ok(())
    }
}
