//! `min.insync.replicas` at cluster and broker level while ELR is switched on (rules 5.7). The lab sets the topic's own
//! value, which comes first; these levels are here because switching ELR on rewrites them.

use std::collections::BTreeMap;

use crate::kafka::error::KafkaError;
use crate::kafka::ids::BrokerId;

/// The level that a config is set at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfigLevel {
    /// The cluster-wide dynamic default.
    Cluster,
    /// One broker's dynamic value.
    Broker(BrokerId),
}

/// `min.insync.replicas` above the topic.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MinIsrLevels {
    /// What the active controller's own file says; none = nothing, so 1.
    pub controller_static: Option<u32>,
    /// The cluster-wide dynamic value.
    pub cluster: Option<u32>,
    /// The brokers' dynamic values.
    pub brokers: BTreeMap<BrokerId, u32>,
    /// Whether ELR is on.
    pub elr_enabled: bool,
}

impl MinIsrLevels {
    /// `ConfigurationControlManager.maybeGenerateElrSafetyRecords`: afterwards there is a cluster-wide value and no
    /// broker's own, so that the controller's view is everybody's.
    pub fn enable_elr(&mut self) {
        let value = self.cluster.or(self.controller_static).unwrap_or(1);
        self.cluster = Some(value);
        self.brokers.clear();
        self.elr_enabled = true;
    }

    /// Sets a value, or removes it (none). Errors while ELR is on: INVALID_CONFIG for any broker's value, and for
    /// removing the cluster-wide one.
    pub fn alter(&mut self, level: ConfigLevel, value: Option<u32>) -> Result<(), KafkaError> {
        let forbidden = match level {
            ConfigLevel::Broker(_) => true,
            ConfigLevel::Cluster => value.is_none(),
        };
        if self.elr_enabled && forbidden {
            return Err(KafkaError::InvalidConfig);
        }
        match (level, value) {
            (ConfigLevel::Cluster, value) => self.cluster = value,
            (ConfigLevel::Broker(id), Some(value)) => {
                self.brokers.insert(id, value);
            }
            (ConfigLevel::Broker(id), None) => {
                self.brokers.remove(&id);
            }
        }
        Ok(())
    }
}
