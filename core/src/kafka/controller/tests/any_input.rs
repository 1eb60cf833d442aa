//! No input brings the controller down, and what must hold holds after each.

use proptest::prelude::*;

use super::*;
use crate::kafka::ids::{LeaderEpoch, PartitionEpoch};
use crate::kafka::message::AlterPartitionRequest;
use crate::kafka::partition::Recovery;
use crate::kafka::topic::{ConfigChange, ElectionKind};

/// One input; broker ids go beyond those that exist.
#[derive(Clone, Debug)]
enum Input {
    Fence(u32),
    BringBack(u32),
    Register(u32, u32, Option<u64>),
    Heartbeat(u32, u64, u64, bool, bool),
    Alter(u32, u64, u32, u32, Vec<(u32, Option<u64>)>, bool),
    /// A proposal that fits the state, except perhaps its members.
    Propose(Vec<u32>),
    Write(u32, Vec<u32>),
    Elect(u8, u32),
    MinIsr(u32),
    Unclean(bool),
    Unregister(u32),
    Timers(u64),
    Controller(bool),
}

/// Mostly small numbers, sometimes any.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..40_u64, 1 => any::<u64>()]
}

fn small() -> impl Strategy<Value = u32> {
    prop_oneof![8 => 0..6_u32, 1 => any::<u32>()]
}

fn input() -> impl Strategy<Value = Input> {
    let broker = || 0..6_u32;
    let members = || proptest::collection::vec(0..6_u32, 0..5);
    let pairs = proptest::collection::vec((broker(), proptest::option::of(number())), 0..5);
    prop_oneof![
        3 => broker().prop_map(Input::Fence),
        3 => broker().prop_map(Input::BringBack),
        1 => (broker(), small(), proptest::option::of(number()))
            .prop_map(|(b, i, p)| Input::Register(b, i, p)),
        1 => (broker(), number(), number(), any::<bool>(), any::<bool>())
            .prop_map(|(b, e, o, f, s)| Input::Heartbeat(b, e, o, f, s)),
        1 => (broker(), number(), small(), small(), pairs, any::<bool>())
            .prop_map(|(b, e, l, p, i, r)| Input::Alter(b, e, l, p, i, r)),
        3 => members().prop_map(Input::Propose),
        1 => (broker(), members()).prop_map(|(b, m)| Input::Write(b, m)),
        1 => (0..3_u8, broker()).prop_map(|(k, b)| Input::Elect(k, b)),
        1 => small().prop_map(Input::MinIsr),
        1 => any::<bool>().prop_map(Input::Unclean),
        1 => broker().prop_map(Input::Unregister),
        1 => number().prop_map(Input::Timers),
        1 => any::<bool>().prop_map(Input::Controller),
    ]
}

fn set(members: &[u32]) -> BrokerSet {
    members.iter().copied().map(BrokerId).collect()
}

impl Lab {
    fn message(&mut self, from: u32, body: &Body) {
        self.act(|c, rules, settings, now, sink| {
            let from = BrokerId(from);
            c.handle(rules, settings, now, MessageId(1), from, body, sink);
        });
    }

    fn request(&mut self, input: &Input) {
        match input.clone() {
            Input::Register(broker, incarnation, previous) => {
                let request = RegistrationRequest {
                    broker: BrokerId(broker),
                    incarnation,
                    previous_broker_epoch: previous.map(BrokerEpoch),
                };
                self.message(broker, &Body::RegistrationRequest(request));
            }
            Input::Heartbeat(broker, epoch, offset, want_fence, want_shut_down) => {
                let known = self.controller.brokers.get(&BrokerId(broker));
                let request = HeartbeatRequest {
                    broker: BrokerId(broker),
                    broker_epoch: known.map_or(BrokerEpoch(epoch), |r| r.epoch),
                    metadata_offset: MetadataOffset(offset),
                    want_fence,
                    want_shut_down,
                };
                self.message(broker, &Body::HeartbeatRequest(request));
            }
            Input::Alter(broker, epoch, leader_epoch, partition_epoch, isr, recovering) => {
                let member =
                    |(id, epoch): (u32, Option<u64>)| (BrokerId(id), epoch.map(BrokerEpoch));
                let request = AlterPartitionRequest {
                    broker: BrokerId(broker),
                    broker_epoch: BrokerEpoch(epoch),
                    leader_epoch: LeaderEpoch(leader_epoch),
                    partition_epoch: PartitionEpoch(partition_epoch),
                    isr: isr.into_iter().map(member).collect(),
                    recovery: match recovering {
                        true => Recovery::Recovering,
                        false => Recovery::Recovered,
                    },
                };
                self.message(broker, &Body::AlterPartitionRequest(request));
            }
            _ => {}
        }
    }

    fn input(&mut self, input: &Input) {
        self.request(input);
        self.act(|c, rules, settings, now, sink| {
            let kind = |kind: u8, broker| match kind {
                0 => ElectionKind::Preferred,
                1 => ElectionKind::Unclean,
                _ => ElectionKind::Named(BrokerId(broker)),
            };
            let set_config = |c: &mut Controller, change, sink: &mut Record| {
                c.set_config(rules, settings, now, change, sink)
            };
            // What comes back is an error or not; the state is what is looked at.
            let _ = match input {
                Input::Fence(b) => c.fence(rules, settings, now, BrokerId(*b), sink),
                Input::Propose(isr) => c.propose(rules, settings, now, &set(isr), sink),
                Input::Write(b, isr) if rules.controller == ControllerKind::ZooKeeper => {
                    c.write_isr(rules, settings, now, BrokerId(*b), &set(isr), sink)
                }
                Input::Elect(k, b) => c.elect(rules, settings, now, kind(*k, *b), sink),
                Input::MinIsr(n) => set_config(c, ConfigChange::MinInsyncReplicas(*n), sink),
                Input::Unclean(on) => set_config(c, ConfigChange::UncleanLeaderElection(*on), sink),
                Input::Unregister(b) => c.unregister(rules, settings, now, BrokerId(*b), sink),
                Input::BringBack(b) => c.unfence(BrokerId(*b)),
                _ => Ok(()),
            };
        });
        match input {
            Input::BringBack(b) if self.controller.brokers.contains_key(&BrokerId(*b)) => {
                let offset = self.controller.offset.0;
                self.request(&Input::Heartbeat(*b, 0, offset, false, false));
            }
            Input::Timers(ms) => {
                self.now = self.now.plus(Millis(*ms));
                self.act(Controller::check_sessions);
                self.act(Controller::periodic_unclean);
                self.act(Controller::periodic_preferred);
            }
            Input::Controller(true) => self.controller.restart(self.now),
            Input::Controller(false) => self.controller.stop(),
            _ => {}
        }
    }

    fn check(&self, before: &Controller) -> Result<(), TestCaseError> {
        let (old, new) = (&before.partition, &self.controller.partition);
        let kraft = self.settings.rules.controller == ControllerKind::KRaft;
        let changed = old != new;
        prop_assert_eq!(changed, old.partition_epoch != new.partition_epoch);
        prop_assert!(old.leader_epoch <= new.leader_epoch);
        prop_assert!(before.offset <= self.controller.offset);
        prop_assert!(!changed || before.offset < self.controller.offset);
        if kraft {
            prop_assert!(new.leader.is_none_or(|leader| new.isr.contains(leader)));
            prop_assert!(new.isr.iter().all(|b| new.replicas.contains(&b)));
            prop_assert!(self.controller.elr_enabled || !new.isr.is_empty());
        }
        prop_assert!(new.elr.iter().all(|b| !new.isr.contains(b)));
        prop_assert!(new.last_known_elr.len() <= 1);
        prop_assert!(self.controller.elr_enabled || new.elr.is_empty());
        Ok(())
    }
}

proptest! {
    #[test]
    fn nothing_brings_the_controller_down(
        version in 0..Version::ALL.len(),
        min_isr in 1..5_u32,
        unclean in any::<bool>(),
        inputs in proptest::collection::vec(input(), 0..40),
    ) {
        let mut lab = Lab::of(Version::ALL[version], min_isr, unclean);
        for input in inputs {
            let before = lab.controller.clone();
            lab.input(&input);
            lab.check(&before)?;
        }
    }
}
