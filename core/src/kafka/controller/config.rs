//! Changes of the topic's configs (rules 5.5, 5.7).

use super::{Controller, Step, because};
use crate::kafka::cause::{Cause, Rule, Value};
use crate::kafka::change_builder::BuiltChange;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{ChangeReason, Election, EventKind};
use crate::kafka::ids::{BrokerSet, EventId, Millis};
use crate::kafka::partition_change::PartitionChange;
use crate::kafka::rules::Rules;
use crate::kafka::settings::Settings;
use crate::kafka::sink::Sink;
use crate::kafka::topic::ConfigChange;

impl Controller {
    /// `ConfigurationControlManager.incrementalAlterConfigs` for the topic. A value that is there already writes nothing.
    /// A changed min.insync.replicas clears the ELR while ELR is on. Turning unclean election on elects nobody.
    /// Errors: INVALID_CONFIG for min.insync.replicas 0; REQUEST_TIMED_OUT when the controller's process is down.
    pub fn set_config<S: Sink>(
        &mut self,
        rules: &Rules,
        settings: &Settings,
        now: Millis,
        change: ConfigChange,
        sink: &mut S,
    ) -> Result<(), KafkaError> {
        let answered = self.act(
            rules,
            settings,
            now,
            sink,
            |controller, step| match change {
                ConfigChange::MinInsyncReplicas(value) => controller.set_min_isr(step, value),
                ConfigChange::UncleanLeaderElection(value) => {
                    let changed = controller.config.unclean_leader_election != value;
                    controller.config.unclean_leader_election = value;
                    if changed {
                        controller.wrote();
                    }
                    config_set(step, "unclean.leader.election.enable", value, Ok(()));
                    Ok(())
                }
            },
        );
        answered.unwrap_or(Err(KafkaError::RequestTimedOut))
    }

    fn set_min_isr<S: Sink>(
        &mut self,
        step: &mut Step<'_, S>,
        value: u32,
    ) -> Result<(), KafkaError> {
        let name = "min.insync.replicas";
        if value == 0 {
            let result = Err(KafkaError::InvalidConfig);
            config_set(step, name, value, result);
            return result;
        }
        let changed = self.config.min_insync_replicas != value;
        self.config.min_insync_replicas = value;
        if changed {
            self.wrote();
        }
        let trigger = config_set(step, name, value, Ok(()));
        if changed && self.elr_enabled {
            self.clear_elr(step, trigger);
        }
        Ok(())
    }

    /// ClearElrRecord (`ReplicationControlManager.replay(ClearElrRecord)`): the partition epoch moves only when there was
    /// something to clear, the leader epoch never.
    fn clear_elr<S: Sink>(&mut self, step: &mut Step<'_, S>, trigger: Option<EventId>) {
        let partition = &self.partition;
        if partition.elr.is_empty() && partition.last_known_elr.is_empty() {
            self.wrote();
            return;
        }
        let built = BuiltChange {
            change: PartitionChange {
                elr: Some(BrokerSet::new()),
                last_known_elr: Some(Vec::new()),
                ..PartitionChange::default()
            },
            election: Election::None,
        };
        let why = because(ChangeReason::ElrCleared, Rule::ClearElr, trigger);
        self.commit(step, built, why);
    }
}

fn config_set<S: Sink>(
    step: &mut Step<'_, S>,
    name: &'static str,
    value: impl Into<Value>,
    result: Result<(), KafkaError>,
) -> Option<EventId> {
    step.sink.event(|| {
        let kind = EventKind::ConfigSet {
            name,
            value: value.into(),
            result,
        };
        (kind, Cause::of(Rule::AlterConfig))
    })
}
