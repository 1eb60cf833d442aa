//! The settings of a run as a question for the checker, in the form that its page reads.

use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::names;

/// What matters to a search besides the rules; times do not, as any time may pass between two events.
const ASKED: [&str; 6] = [
    "kafka.version",
    "acks",
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "eligible.leader.replicas",
    "enable.idempotence",
];

/// The query of the checker's page (`check/`): what differs from the lab's start, by Kafka's names.
pub fn query(settings: &Settings) -> String {
    let mut query = format!("?replication.factor={}", settings.replicas.len());
    for (name, value) in names::entries(settings) {
        if ASKED.contains(&name) || name.starts_with("rule.") {
            // Words, numbers and switches: nothing that an address would change.
            query.push('&');
            query.push_str(name);
            query.push('=');
            query.push_str(&value);
        }
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;
    use highwater_core::kafka::ids::Millis;

    #[test]
    fn only_what_matters_to_a_search_is_asked() {
        let mut settings = Settings::default();
        assert_eq!(query(&settings), "?replication.factor=3");
        settings.link_latency = Millis(4);
        names::set(&mut settings, "replication.factor", "4").expect("a setting");
        names::set(&mut settings, "acks", "1").expect("a setting");
        names::set(&mut settings, "elr", "off").expect("a setting");
        names::set(&mut settings, "rule.truncation", "hw").expect("a setting");
        let asked = query(&settings);
        assert!(asked.starts_with("?replication.factor=4&") && !asked.contains("latency"));
        for part in [
            "acks=1",
            "eligible.leader.replicas=off",
            "rule.truncation=high-watermark",
        ] {
            assert!(asked.contains(part), "{asked}");
        }
    }
}
