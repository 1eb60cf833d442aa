//! What happens to processes and links.

use highwater_core::kafka::ids::{BrokerId, Offset};
use highwater_core::kafka::message::Node;
use highwater_core::scenario::Action;
use serde_json::Value;

use super::op::{Actions, number};
use super::{Writer, broker};

impl Writer {
    /// What happens to processes and links.
    pub(super) fn fault(&mut self, word: &str, raw: &Value) -> Result<Actions, String> {
        let all = |actions: Vec<Action>| Ok(actions.into_iter().map(|a| (None, a)).collect());
        let id = |writer: &Writer| broker(&raw["broker"], &writer.brokers);
        match word {
            "stop_clean" => {
                self.down.push(id(self)?);
                all(vec![Action::Stop(id(self)?)])
            }
            "kill" => {
                self.down.push(id(self)?);
                all(vec![Action::Kill(id(self)?)])
            }
            // The notation's power loss includes the end of the session.
            "power_loss" => {
                let broker = id(self)?;
                self.down.push(broker);
                let keep = Offset(number(raw, "keep_leo")?);
                all(vec![
                    Action::PowerLoss { broker, keep },
                    Action::AwaitFenced(broker),
                ])
            }
            "fence" => {
                let broker = id(self)?;
                let gone = self.down.contains(&broker) || self.is_isolated(broker);
                all(vec![if gone {
                    Action::AwaitFenced(broker)
                } else {
                    Action::Fence(broker)
                }])
            }
            "unfence" => all(vec![Action::Unfence(id(self)?)]),
            "start" => {
                let broker = id(self)?;
                self.down.retain(|b| *b != broker);
                all(vec![Action::Start {
                    broker,
                    clean: raw["unclean_registration"]
                        .as_bool()
                        .map(|unclean| !unclean),
                    wait: raw["wait"] != false,
                }])
            }
            "restart" => all(vec![Action::Bounce {
                broker: id(self)?,
                keep: None,
            }]),
            "isolate" => self.isolate(raw),
            "heal" => self.heal(raw),
            "isolate_from_followers" => {
                let broker = id(self)?;
                let others = self.settings.replicas.iter().filter(|b| **b != broker);
                all(others
                    .map(|b| Action::Cut(Node::Broker(broker), Node::Broker(*b)))
                    .collect())
            }
            // It goes on believing that it leads: clients and followers reach it, the controller does not.
            "make_zombie" => all(vec![
                Action::CutController(id(self)?),
                Action::AwaitFenced(id(self)?),
            ]),
            "cut_controller" => all(vec![Action::CutController(id(self)?)]),
            "heal_controller" => all(vec![Action::HealController(id(self)?)]),
            "kill_controller" => all(vec![Action::KillController]),
            "start_controller" => all(vec![Action::StartController]),
            // The leader proposes the addition on the follower's next fetch, and the proposal is held on its way.
            "delay_alter_partition" => {
                let leader = match raw.get("broker") {
                    Some(_) => id(self)?,
                    None => self.leader()?,
                };
                let mut actions = vec![Action::HoldAlterPartition(leader)];
                if raw.get("add").is_some() {
                    let broker = broker(&raw["add"], &self.brokers)?;
                    actions.push(Action::Fetch {
                        broker,
                        rounds: 1,
                        lose_response: false,
                    });
                }
                all(actions)
            }
            "deliver_alter_partition" => all(vec![Action::ReleaseAlterPartition(self.leader()?)]),
            "release_alter_partition" => all(vec![Action::ReleaseAlterPartition(id(self)?)]),
            other => Err(format!("op {other} has keys but no action")),
        }
    }

    fn is_isolated(&self, broker: BrokerId) -> bool {
        let state = |cut: bool, step: &highwater_core::scenario::Step| match step.action {
            Action::Isolate(b) | Action::CutController(b) if b == broker => true,
            Action::Heal(b) | Action::HealController(b) if b == broker => false,
            Action::HealAll => false,
            _ => cut,
        };
        self.steps.iter().fold(false, state)
    }

    fn named(&self, raw: &Value) -> Result<Vec<BrokerId>, String> {
        match (&raw["brokers"], raw.get("broker")) {
            (Value::Array(list), _) => list.iter().map(|b| broker(b, &self.brokers)).collect(),
            (_, Some(one)) => Ok(vec![broker(one, &self.brokers)?]),
            _ => Ok(Vec::new()),
        }
    }

    /// The controller notices at once unless the script says when: here it waits for the end of the session.
    fn isolate(&mut self, raw: &Value) -> Result<Actions, String> {
        let brokers = self.named(raw)?;
        if brokers.is_empty() {
            return Err("nobody to isolate".into());
        }
        let mut actions: Vec<Action> = brokers.iter().map(|b| Action::Isolate(*b)).collect();
        actions.extend(brokers.iter().map(|b| Action::AwaitFenced(*b)));
        Ok(actions.into_iter().map(|a| (None, a)).collect())
    }

    fn heal(&mut self, raw: &Value) -> Result<Actions, String> {
        let brokers = self.named(raw)?;
        if brokers.is_empty() {
            return Ok(vec![(None, Action::HealAll)]);
        }
        Ok(brokers
            .into_iter()
            .map(|b| (None, Action::Heal(b)))
            .collect())
    }
}
