//! Elections and configs: what is asked for, what the timers do, and what the versions do differently.

use super::*;
use crate::kafka::cause::Quantity;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Election;
use crate::kafka::topic::{ConfigChange, ElectionKind};

impl Lab {
    fn elect(&mut self, kind: ElectionKind) -> Result<(), KafkaError> {
        self.act(|c, rules, settings, now, s| c.elect(rules, settings, now, kind, s))
    }

    fn set(&mut self, change: ConfigChange) -> Result<(), KafkaError> {
        self.act(|c, rules, settings, now, s| c.set_config(rules, settings, now, change, s))
    }

    fn propose(&mut self, isr: &[BrokerId]) -> Result<(), KafkaError> {
        let isr = isr.iter().copied().collect();
        self.act(|c, rules, settings, now, s| c.propose(rules, settings, now, &isr, s))
    }

    /// How the leader of the last partition record was chosen, and by which rule.
    fn last_change(&self) -> (Election, Rule) {
        let mut changes = self
            .record
            .events
            .iter()
            .filter_map(|(kind, cause)| match kind {
                EventKind::PartitionChanged { election, .. } => Some((*election, cause.rule)),
                _ => None,
            });
        changes.next_back().expect("a partition record")
    }
}

#[test]
fn with_elr_off_the_last_member_stays_listed_and_is_elected_when_it_returns() {
    let mut lab = Lab::of(Version::V3_7, 2, false);
    for broker in [TWO, THREE, ONE] {
        lab.fence(broker);
    }
    assert_eq!((lab.leader(), lab.isr().as_str()), (None, "1"));
    lab.bring_back(TWO);
    assert_eq!(lab.leader(), None, "2 is not in the ISR");
    lab.register(ONE, 1, None).expect("its session is over");
    assert_eq!(lab.isr(), "1", "an unclean registration is as a fence");
    lab.bring_back(ONE);
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(ONE), "1"));
    assert_eq!(lab.last_change(), (Election::FromIsr, Rule::ElectFromIsr));
}

#[test]
fn the_last_known_leader_is_elected_uncleanly_though_unclean_election_is_off() {
    let mut lab = Lab::new();
    for broker in [TWO, THREE, ONE] {
        lab.fence(broker);
    }
    assert_eq!((lab.isr().as_str(), lab.elr().as_str()), ("", "1,3"));
    assert_eq!(lab.last_change(), (Election::NoLeader, Rule::ElectNobody));
    lab.register(THREE, 1, None).expect("registered");
    lab.register(ONE, 1, None).expect("registered");
    assert_eq!((lab.elr().as_str(), lab.leader()), ("", None));
    lab.bring_back(THREE);
    assert_eq!(lab.leader(), None, "3 is not the last known leader");
    lab.bring_back(ONE);
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(ONE), "1"));
    let by_last_known = (Election::LastKnownLeader, Rule::ElectLastKnownLeader);
    assert_eq!(lab.last_change(), by_last_known);
    assert_eq!(lab.controller.partition.recovery.name(), "RECOVERING");
    assert_eq!(lab.propose(&[ONE, THREE]), Ok(()));
    assert_eq!(lab.controller.partition.recovery.name(), "RECOVERED");
}

#[test]
fn kafka_4_0_elects_a_last_known_leader_that_is_fenced() {
    let mut lab = Lab::of(Version::V4_0, 1, false);
    for broker in [TWO, THREE, ONE] {
        lab.fence(broker);
    }
    lab.register(ONE, 1, None).expect("registered");
    assert_eq!(lab.leader(), Some(ONE));
    assert!(lab.controller.brokers[&ONE].fenced);
}

#[test]
fn turning_unclean_election_on_elects_nobody_before_the_timer() {
    let mut lab = Lab::of(Version::V4_2, 1, false);
    for broker in [TWO, THREE, ONE] {
        lab.fence(broker);
    }
    lab.bring_back(TWO);
    assert_eq!(lab.set(ConfigChange::UncleanLeaderElection(true)), Ok(()));
    assert_eq!(lab.leader(), None);
    lab.act(Controller::periodic_unclean);
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(TWO), "2"));
    assert_eq!(lab.last_change(), (Election::Unclean, Rule::ElectUnclean));
}

#[test]
fn kraft_before_3_9_does_not_read_the_unclean_config() {
    let mut lab = Lab::of(Version::V3_7, 1, true);
    for broker in [TWO, THREE, ONE] {
        lab.fence(broker);
    }
    lab.bring_back(TWO);
    lab.act(Controller::periodic_unclean);
    assert_eq!(lab.leader(), None);
    assert_eq!(lab.elect(ElectionKind::Unclean), Ok(()));
    assert_eq!(lab.leader(), Some(TWO));
}

#[test]
fn a_named_winner_must_be_able_to_win_cleanly() {
    let mut lab = Lab::new();
    assert_eq!(lab.elect(ElectionKind::Named(THREE)), Ok(()));
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(THREE), "1,2,3"));
    let again = lab.elect(ElectionKind::Named(THREE));
    assert_eq!(again, Err(KafkaError::ElectionNotNeeded));
    assert_eq!(lab.propose(&[TWO, THREE]), Ok(()));
    let out = lab.elect(ElectionKind::Named(ONE));
    assert_eq!(out, Err(KafkaError::EligibleLeadersNotAvailable));
    assert_eq!(lab.leader(), Some(THREE));
}

#[test]
fn leadership_goes_back_to_the_preferred_leader() {
    let mut lab = Lab::new();
    lab.fence(ONE);
    lab.bring_back(ONE);
    assert_eq!(lab.propose(&[ONE, TWO, THREE]), Ok(()));
    lab.act(Controller::periodic_preferred);
    assert_eq!(lab.leader(), Some(ONE));
    assert_eq!(lab.last_change(), (Election::FromIsr, Rule::ElectPreferred));
}

#[test]
fn only_a_changed_min_isr_clears_the_elr() {
    let mut lab = Lab::new();
    lab.fence(THREE);
    lab.fence(TWO);
    let before = lab.controller.clone();
    assert_eq!(lab.set(ConfigChange::MinInsyncReplicas(2)), Ok(()));
    assert_eq!(lab.controller, before);
    assert_eq!(
        lab.set(ConfigChange::MinInsyncReplicas(0)),
        Err(KafkaError::InvalidConfig)
    );
    assert_eq!(lab.set(ConfigChange::MinInsyncReplicas(1)), Ok(()));
    assert_eq!((lab.elr().as_str(), lab.isr().as_str()), ("", "1"));
    let (kind, cause) = lab.record.events.last().expect("an event");
    assert!(matches!(
        kind,
        EventKind::PartitionChanged {
            reason: ChangeReason::ElrCleared,
            ..
        }
    ));
    let trigger = cause.trigger.expect("the config").0 as usize;
    assert!(matches!(
        lab.record.events[trigger].0,
        EventKind::ConfigSet { .. }
    ));
}

#[test]
fn a_fenced_member_is_refused_and_the_cause_says_who() {
    let mut lab = Lab::new();
    lab.fence(THREE);
    let result = lab.propose(&[ONE, TWO, THREE]);
    assert_eq!(result, Err(KafkaError::IneligibleReplica));
    let (kind, cause) = lab.record.events.last().expect("an event");
    assert!(matches!(
        kind,
        EventKind::AlterPartitionRefused { broker: ONE, .. }
    ));
    assert_eq!(cause.rule, Rule::IneligibleReplica);
    assert!(cause.value(Quantity::Fenced(THREE)).is_some());
    assert_eq!(lab.propose(&[TWO]), Err(KafkaError::InvalidRequest));
}
