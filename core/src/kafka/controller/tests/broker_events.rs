//! Registrations, sessions, heartbeats, controlled shutdown; one image an action; causes that chain.

use super::*;
use crate::kafka::cause::{Quantity, Value};
use crate::kafka::error::KafkaError;

#[test]
fn a_new_partition_has_all_active_replicas_in_its_isr() {
    let lab = Lab::new();
    let partition = &lab.controller.partition;
    assert_eq!((lab.isr().as_str(), partition.leader), ("1,2,3", Some(ONE)));
    let epochs: Vec<_> = lab.controller.brokers.values().map(|r| r.epoch).collect();
    assert!(epochs.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_fence_is_one_image_and_its_events_chain() {
    let mut lab = Lab::new();
    lab.fence(ONE);
    let [(fenced, _), (changed, cause)] = &lab.record.events[..] else {
        panic!("{:?}", lab.record.events);
    };
    assert!(matches!(
        fenced,
        EventKind::BrokerFenced {
            broker: ONE,
            session_expired: true
        }
    ));
    let EventKind::PartitionChanged { reason, after, .. } = changed else {
        panic!("{changed:?}");
    };
    assert_eq!(*reason, ChangeReason::SessionExpired(ONE));
    assert_eq!(after.leader, Some(TWO));
    assert_eq!(
        (cause.rule, cause.trigger),
        (Rule::ElectFromIsr, Some(EventId(0)))
    );
    assert_eq!(cause.value(Quantity::MinIsr), Some(&Value::Count(2)));
    assert_eq!(cause.value(Quantity::Fenced(ONE)), Some(&Value::Flag(true)));
    assert_eq!(
        cause.value(Quantity::Fenced(TWO)),
        Some(&Value::Flag(false))
    );
    for broker in [ONE, TWO, THREE] {
        let [image] = lab.images(broker)[..] else {
            panic!("one image");
        };
        assert_eq!(image, &lab.controller.image());
    }
}

#[test]
fn sessions_expire_one_at_a_time_the_longest_silent_first() {
    let mut lab = Lab::new();
    lab.now = Millis(500);
    let offset = lab.controller.offset;
    lab.heartbeat(ONE, offset, false);
    lab.now = Millis(9_400);
    lab.heartbeat(THREE, offset, false);
    let timeout = lab.settings.session_timeout;
    lab.now = timeout;
    lab.act(Controller::check_sessions);
    assert!(
        lab.record.events.is_empty(),
        "9,000 ms of silence are allowed"
    );
    lab.now = Millis(500).plus(timeout).plus(Millis(1));
    lab.act(Controller::check_sessions);
    let fenced = lab
        .record
        .events
        .iter()
        .filter_map(|(kind, cause)| match kind {
            EventKind::BrokerFenced { broker, .. } => Some((*broker, cause.rule)),
            _ => None,
        });
    let fenced: Vec<_> = fenced.collect();
    assert_eq!(
        fenced,
        [(TWO, Rule::SessionExpired), (ONE, Rule::SessionExpired)]
    );
    assert_eq!(lab.images(THREE).len(), 2);
    assert_eq!((lab.leader(), lab.elr().as_str()), (Some(THREE), "1"));
}

#[test]
fn a_second_incarnation_is_refused_while_the_session_is_valid() {
    let mut lab = Lab::new();
    let refused = lab.register(TWO, 1, None);
    assert_eq!(refused, Err(KafkaError::DuplicateBrokerRegistration));
    assert!(matches!(
        lab.record.events[..],
        [(EventKind::RegistrationRefused { broker: TWO, .. }, _)]
    ));
    lab.now = lab.settings.session_timeout.plus(Millis(1));
    assert!(lab.register(TWO, 1, None).is_ok());
    assert_eq!(lab.isr(), "1,3", "it leaves the ISR when it registers anew");
    assert_eq!(
        lab.controller.brokers[&TWO].metadata_offset,
        MetadataOffset(0)
    );
}

#[test]
fn a_heartbeat_unfences_when_it_has_caught_up_with_the_registration() {
    let mut lab = Lab::new();
    lab.fence(TWO);
    let before = lab.controller.offset;
    let epoch = lab.register(TWO, 1, None).expect("registered");
    assert!(epoch.0 > before.0, "broker epochs grow");
    assert!(lab.heartbeat(TWO, before, false).is_fenced);
    let offset = lab.controller.offset;
    assert!(!lab.heartbeat(TWO, offset, false).is_fenced);
    assert_eq!(
        lab.isr(),
        "1,3",
        "nobody re-enters the ISR by being unfenced"
    );
}

#[test]
fn a_broker_that_a_script_fenced_stays_fenced_until_it_is_let_or_starts_anew() {
    let mut lab = Lab::new();
    lab.fence(TWO);
    let offset = lab.controller.offset;
    assert!(lab.heartbeat(TWO, offset, false).is_fenced);
    lab.bring_back(TWO);
    lab.fence(TWO);
    lab.register(TWO, 1, None).expect("its session is over");
    let offset = lab.controller.offset;
    assert!(!lab.heartbeat(TWO, offset, false).is_fenced);
}

#[test]
fn a_heartbeat_of_another_broker_epoch_is_stale() {
    let mut lab = Lab::new();
    let request = HeartbeatRequest {
        broker: TWO,
        broker_epoch: BrokerEpoch(77),
        metadata_offset: lab.controller.offset,
        want_fence: false,
        want_shut_down: false,
    };
    let answer = lab.ask(TWO, Body::HeartbeatRequest(request));
    let Body::HeartbeatResponse(answer) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(answer.error, Some(KafkaError::StaleBrokerEpoch));
}

#[test]
fn controlled_shutdown_moves_leadership_and_waits_for_the_others() {
    let mut lab = Lab::new();
    let before = lab.controller.offset;
    let answer = lab.heartbeat(ONE, before, true);
    assert!(!answer.should_shut_down && !answer.is_fenced);
    assert_eq!((lab.leader(), lab.isr().as_str()), (Some(TWO), "2,3"));
    let written = lab.controller.offset;
    lab.heartbeat(TWO, written, false);
    assert!(
        !lab.heartbeat(ONE, written, true).should_shut_down,
        "3 has not applied it"
    );
    lab.heartbeat(THREE, written, false);
    let answer = lab.heartbeat(ONE, written, true);
    assert!(answer.should_shut_down && answer.is_fenced);
    assert!(lab.controller.brokers[&ONE].fenced);
    let epoch = lab.controller.brokers[&ONE].epoch;
    assert!(
        lab.register(ONE, 1, Some(epoch)).is_ok(),
        "a restart is welcome at once"
    );
    assert!(lab.record.events.iter().any(|(kind, _)| matches!(
        kind,
        EventKind::BrokerRegistered {
            broker: ONE,
            clean: true,
            ..
        }
    )));
}

#[test]
fn a_broker_that_leads_nothing_may_stop_at_once() {
    let mut lab = Lab::new();
    let offset = lab.controller.offset;
    let answer = lab.heartbeat(THREE, offset, true);
    assert!(answer.should_shut_down && answer.is_fenced);
    let EventKind::PartitionChanged { reason, .. } = &lab.record.events[1].0 else {
        panic!("{:?}", lab.record.events);
    };
    assert_eq!(*reason, ChangeReason::ControlledShutdown(THREE));
}

#[test]
fn unregistering_takes_a_broker_out_of_isr_and_elr() {
    let mut lab = Lab::new();
    lab.fence(THREE);
    lab.fence(TWO);
    assert_eq!(lab.elr(), "2");
    let result = lab.act(|c, r, settings, now, s| c.unregister(r, settings, now, TWO, s));
    assert_eq!((result, lab.elr().as_str()), (Ok(()), ""));
    let again = lab.act(|c, r, settings, now, s| c.unregister(r, settings, now, TWO, s));
    assert_eq!(again, Err(KafkaError::BrokerIdNotRegistered));
}

#[test]
fn a_controller_that_is_down_does_nothing() {
    let mut lab = Lab::new();
    lab.controller.stop();
    let before = lab.controller.clone();
    lab.now = Millis(60_000);
    lab.act(Controller::check_sessions);
    let fenced = lab.act(|c, rules, settings, now, s| c.fence(rules, settings, now, ONE, s));
    assert_eq!(fenced, Err(KafkaError::RequestTimedOut));
    assert_eq!(lab.controller, before);
    assert!(lab.record.messages.is_empty());
    lab.controller.restart(lab.now);
    lab.act(Controller::check_sessions);
    assert_eq!(
        lab.leader(),
        Some(ONE),
        "sessions begin anew with the controller"
    );
}
