//! Where a rule stands: Kafka's source at the commit that the rules were read from, its documentation, or the KIP.

use highwater_core::kafka::cause::Rule;

/// A link with what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// `Class.method`, a config, or `KIP-n`.
    pub label: String,
    /// Where it leads.
    pub url: String,
}

/// The commit of apache/kafka (2026-08-23, Kafka 4.4's code) that every rule was read at: its paths do not move.
const COMMIT: &str = "d79bd502ec7fa49335afa422f442af80ed0ab8f6";

/// The folders of the classes that rules name.
const FOLDERS: [(&str, &[&str]); 11] = [
    ("core/src/main/scala/kafka/cluster/", &["Partition.scala"]),
    (
        "core/src/main/scala/kafka/server/",
        &[
            "ReplicaManager.scala",
            "AbstractFetcherThread.scala",
            "ReplicaFetcherThread.scala",
            "DelayedFetch.scala",
        ],
    ),
    (
        "core/src/main/scala/kafka/coordinator/transaction/",
        &["TransactionCoordinator.scala"],
    ),
    (
        "server/src/main/java/org/apache/kafka/server/replica/",
        &["Replica.java"],
    ),
    (
        "server/src/main/java/org/apache/kafka/server/purgatory/",
        &["DelayedProduce.java"],
    ),
    (
        "storage/src/main/java/org/apache/kafka/storage/internals/log/",
        &[
            "UnifiedLog.java",
            "LocalLog.java",
            "LogLoader.java",
            "ProducerStateManager.java",
            "ProducerAppendInfo.java",
            "ProducerStateEntry.java",
        ],
    ),
    (
        "storage/src/main/java/org/apache/kafka/storage/internals/epoch/",
        &["LeaderEpochFileCache.java"],
    ),
    (
        "metadata/src/main/java/org/apache/kafka/controller/",
        &[
            "PartitionChangeBuilder.java",
            "ReplicationControlManager.java",
            "ClusterControlManager.java",
            "BrokerHeartbeatManager.java",
            "ConfigurationControlManager.java",
        ],
    ),
    (
        "clients/src/main/java/org/apache/kafka/clients/",
        &["NetworkClient.java"],
    ),
    (
        "clients/src/main/java/org/apache/kafka/clients/producer/internals/",
        &["Sender.java", "ProducerBatch.java"],
    ),
    (
        "clients/src/main/java/org/apache/kafka/clients/consumer/internals/",
        &[
            "FetchCollector.java",
            "SubscriptionState.java",
            "Fetcher.java",
        ],
    ),
];

/// The links of a rule: its source, when it is Kafka's, and its KIP, when there is one.
pub fn of(rule: Rule) -> Vec<Link> {
    let mut links = Vec::new();
    let source = rule.source();
    if let Some(path) = source.split_once('.').and_then(|(class, _)| path(class)) {
        links.push(Link {
            label: source.to_owned(),
            url: format!("https://github.com/apache/kafka/blob/{COMMIT}/{path}"),
        });
    } else if source.contains('.') {
        links.push(Link {
            label: source.to_owned(),
            url: format!("https://kafka.apache.org/documentation/#brokerconfigs_{source}"),
        });
    }
    if let Some(kip) = rule.kip() {
        links.push(Link {
            label: format!("KIP-{kip}"),
            url: format!(
                "https://cwiki.apache.org/confluence/dosearchsite.action?queryString=KIP-{kip}"
            ),
        });
    }
    links
}

fn path(class: &str) -> Option<String> {
    FOLDERS.iter().find_map(|(folder, files)| {
        let file = files
            .iter()
            .find(|file| file.split_once('.').is_some_and(|(name, _)| name == class))?;
        Some(format!("{folder}{file}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_kafka_has_a_link_to_its_class() {
        for rule in Rule::ALL {
            let links = of(*rule);
            let outside = ["script", "start", "link"].contains(&rule.source());
            assert_eq!(links.is_empty(), outside, "{rule:?}");
            if !outside {
                let first = links.first().expect("it is not empty");
                assert_eq!(first.label, rule.source());
                // Only a config has no class: a class begins with a capital.
                let class = rule.source().starts_with(|c: char| c.is_ascii_uppercase());
                assert_eq!(
                    first
                        .url
                        .starts_with("https://github.com/apache/kafka/blob/"),
                    class,
                    "{rule:?}"
                );
            }
        }
    }

    #[test]
    fn a_rule_of_a_kip_names_it() {
        let labels: Vec<String> = of(Rule::ElectFromElr)
            .into_iter()
            .map(|l| l.label)
            .collect();
        assert_eq!(labels, ["PartitionChangeBuilder.electAnyLeader", "KIP-966"]);
    }
}
