//! Reads and prints the value of one setting.

use crate::kafka::ids::{BrokerId, Millis};
use crate::kafka::rules::{Rules, Version};
use crate::kafka::settings::Settings;
use crate::kafka::sort;

use super::super::error::Expected;
use super::super::lists::{print_brokers, read_broker, read_brokers, read_number};
use super::super::time;
use super::{INT_MAX, Kind, MAX_BROKERS, MAX_REPLICAS, Setting, Unit};

/// How a script says that there is no rack.
const NO_RACK: &str = "none";

/// A rack name: 1 to 64 letters, digits, `.`, `_` or `-`.
fn read_rack(text: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let ok = (1..=64).contains(&text.len()) && text != NO_RACK && text.chars().all(fits);
    ok.then(|| text.to_owned())
}

/// Brokers and their racks such as `1:a,2:b`, sorted by broker; each broker once.
fn read_racks(text: &str) -> Option<Vec<(BrokerId, String)>> {
    let mut racks: Vec<(BrokerId, String)> = Vec::new();
    for part in text.split(',') {
        let (broker, rack) = part.split_once(':')?;
        let broker = read_broker(broker)?;
        if racks.iter().any(|(known, _)| *known == broker) {
            return None;
        }
        racks.push((broker, read_rack(rack)?));
    }
    sort::insertion(&mut racks, |a, b| a.0 < b.0);
    Some(racks)
}

fn print_racks(racks: &[(BrokerId, String)]) -> String {
    let parts: Vec<String> = racks
        .iter()
        .map(|(id, rack)| format!("{id}:{rack}"))
        .collect();
    parts.join(",")
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
            Kind::BrokerRacks => Expected::Racks,
            Kind::ClientRack => Expected::Rack,
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
            Kind::BrokerRacks if settings.broker_racks.is_empty() => NO_RACK.to_owned(),
            Kind::BrokerRacks => print_racks(&settings.broker_racks),
            Kind::ClientRack if settings.client_rack.is_empty() => NO_RACK.to_owned(),
            Kind::ClientRack => settings.client_rack.clone(),
            Kind::LagMessages => match settings.rules.replica_lag_max_messages {
                Some(count) => count.to_string(),
                None => "off".to_owned(),
            },
        }
    }

    pub(super) fn set(&self, settings: &mut Settings, value: &str) -> Result<(), Expected> {
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
            Kind::ClientRack => {
                settings.client_rack = match value {
                    NO_RACK => String::new(),
                    _ => read_rack(value).ok_or_else(wrong)?,
                };
            }
            Kind::ReplicationFactor
            | Kind::Replicas
            | Kind::Brokers
            | Kind::ReadsFrom
            | Kind::BrokerRacks => {
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
            Kind::BrokerRacks => {
                let racks = match value {
                    NO_RACK => Vec::new(),
                    _ => read_racks(value).ok_or_else(wrong)?,
                };
                if racks.iter().any(|(id, _)| !settings.brokers.contains(id)) {
                    return Err(Expected::BrokerOf(settings.brokers.clone()));
                }
                settings.broker_racks = racks;
            }
            Kind::Brokers => {
                let mut brokers = read_brokers(value)
                    .filter(fits(MAX_BROKERS))
                    .ok_or_else(wrong)?;
                if settings.replicas.iter().any(|r| !brokers.contains(r)) {
                    return Err(Expected::AllReplicas(settings.replicas.clone()));
                }
                sort::insertion(&mut brokers, |a, b| a < b);
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
                sort::insertion(&mut settings.brokers, |a, b| a < b);
            }
        }
        let brokers = &settings.brokers;
        settings.broker_racks.retain(|(id, _)| brokers.contains(id));
        let reads_from = settings.consumer_reads_from;
        if reads_from.is_some_and(|broker| !settings.brokers.contains(&broker)) {
            settings.consumer_reads_from = None;
        }
        Ok(())
    }
}
