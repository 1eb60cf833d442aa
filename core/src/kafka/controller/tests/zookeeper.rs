//! The ZooKeeper controller (rules 5.8).

use super::*;
use crate::kafka::event::Election;

fn lab(unclean: bool) -> Lab {
    Lab::of(Version::V2_0, 1, unclean)
}

impl Lab {
    fn write(&mut self, leader: BrokerId, isr: &[BrokerId]) -> bool {
        let isr = isr.iter().copied().collect();
        let result = self
            .act(|c, rules, settings, now, s| c.write_isr(rules, settings, now, leader, &isr, s));
        result.is_ok()
    }
}

#[test]
fn a_leader_writes_its_own_isr() {
    let mut lab = lab(false);
    let epoch = lab.controller.partition.leader_epoch;
    assert!(lab.write(ONE, &[ONE, THREE]));
    assert_eq!(lab.isr(), "1,3");
    assert_eq!(lab.controller.partition.leader_epoch, epoch);
    assert!(!lab.write(TWO, &[TWO]), "2 does not lead");
    assert_eq!(lab.isr(), "1,3");
}

#[test]
fn the_last_member_stays_listed_while_unclean_election_is_off() {
    let mut lab = lab(false);
    for broker in [TWO, THREE, ONE] {
        lab.fence(broker);
    }
    // The controller is one of the brokers: when the last one goes, nobody is left to write that it is gone.
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(ONE), "1"));
    lab.register(TWO, 1, None).expect("registered");
    assert_eq!(
        lab.leader(),
        Some(ONE),
        "2 may not lead, so nothing changes"
    );
    lab.register(ONE, 1, None).expect("registered");
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(ONE), "1"));
    assert!(
        !lab.controller.brokers[&ONE].fenced,
        "registered is all there is"
    );
}

#[test]
fn with_unclean_election_the_first_live_replica_leads_alone() {
    let mut lab = lab(true);
    for broker in [TWO, THREE, ONE] {
        lab.fence(broker);
    }
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(ONE), "1"));
    lab.register(THREE, 1, None).expect("registered");
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(THREE), "3"));
    let unclean = lab.record.events.iter().any(|(kind, _)| {
        matches!(
            kind,
            EventKind::PartitionChanged {
                election: Election::Unclean,
                ..
            }
        )
    });
    assert!(unclean);
}

#[test]
fn a_controlled_shutdown_ends_the_session_and_moves_leadership() {
    let mut lab = lab(false);
    let offset = lab.controller.offset;
    let answer = lab.heartbeat(ONE, offset, true);
    assert!(answer.should_shut_down);
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(TWO), "2,3"));
    assert!(lab.register(ONE, 1, None).is_ok());
    assert_eq!(lab.isr(), "2,3", "it catches up its way back in");
}

#[test]
fn a_session_that_had_ended_begins_anew_with_a_heartbeat() {
    let mut lab = lab(false);
    lab.now = lab.settings.session_timeout.plus(Millis(1));
    lab.act(Controller::check_sessions);
    assert_eq!(
        lab.leader(),
        Some(THREE),
        "the last session took the controller along"
    );
    let offset = lab.controller.offset;
    lab.heartbeat(TWO, offset, false);
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(THREE), "3"));
    lab.heartbeat(THREE, offset, false);
    assert_eq!(lab.leader(), Some(THREE));
}
