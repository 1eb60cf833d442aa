use super::samples::{batch, event, kinds, rich, run, set};
use super::*;
use crate::text::every_language;
use highwater_core::kafka::cause::{Cause, Quantity, Rule};
use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::event::{ChangeReason, Election, HwHold, Outcome};
use highwater_core::kafka::ids::{BrokerId, EventId, LeaderEpoch, Millis, Offset};
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::record::Payload;

/// A slot without a value looks like `{name}`; a set of brokers like `{1, 2}` or `{}`.
fn has_open_slot(text: &str) -> bool {
    text.match_indices('{').any(|(place, _)| {
        text[place + 1..].starts_with(|c: char| c.is_ascii_lowercase() || c == '^')
    })
}

#[test]
fn every_event_by_every_rule_has_a_sentence_in_every_language() {
    let run = run();
    for text in every_language() {
        let narrator = Narrator::new(&text, &run);
        for kind in kinds() {
            let mut event = event(kind, Rule::Script);
            for rule in Rule::ALL {
                for cause in [Cause::of(*rule), rich(*rule)] {
                    event.cause = cause;
                    let said = narrator.because(&event).text;
                    let place = || format!("{:?} {:?}: {said}", text.locale(), event);
                    assert_eq!(faults(&said), None, "{}", place());
                }
            }
        }
    }
}

/// What no sentence may have.
pub(super) fn faults(said: &str) -> Option<&'static str> {
    if said.trim().is_empty() {
        Some("nothing is said")
    } else if has_open_slot(said) {
        Some("a slot has no value")
    } else if said.contains("  ") || said.trim() != said {
        Some("spaces stand together or at an end")
    } else if !said.ends_with(['.', '。']) {
        Some("it does not end")
    } else if sentences(said) > 2 {
        Some("it is more than two sentences")
    } else {
        None
    }
}

/// Full stops that end a sentence (not those inside numbers and names).
fn sentences(said: &str) -> usize {
    said.matches(". ").count() + said.matches('。').count() + usize::from(said.ends_with('.'))
}

#[test]
fn every_rule_says_why_for_some_event() {
    let text = Text::english();
    let run = run();
    let narrator = Narrator::new(&text, &run);
    for rule in Rule::ALL {
        let told = kinds().into_iter().any(|kind| {
            let mut event = event(kind, *rule);
            event.cause = rich(*rule);
            narrator.why(&event).is_some()
        });
        assert!(told, "{rule:?}");
    }
}

#[test]
fn every_number_has_a_name_in_every_language() {
    let b = BrokerId(1);
    let cause = rich(Rule::LeaderHw);
    for text in every_language() {
        let run = run();
        for line in Narrator::new(&text, &run).numbers(&cause) {
            assert!(!line.label.is_empty() && !line.value.is_empty(), "{line:?}");
        }
        for quantity in [
            Quantity::Leo(b),
            Quantity::Hw(b),
            Quantity::Lso(b),
            Quantity::EpochStart(b),
            Quantity::Running(b),
            Quantity::BrokerEpoch(b),
            Quantity::Fenced(b),
            Quantity::InControlledShutdown(b),
            Quantity::LastContact(b),
            Quantity::ControllerIsr,
            Quantity::Elr,
            Quantity::LastKnownElr,
            Quantity::Leader,
            Quantity::LeaderEpoch,
            Quantity::PartitionEpoch,
            Quantity::UncleanElection,
            Quantity::ConsumerPosition,
            Quantity::Acks,
            Quantity::ReplicationFactor,
            Quantity::FetchMaxWait,
            Quantity::FetchOffset,
            Quantity::ResponseHw,
            Quantity::LastFetchedEpoch,
            Quantity::DivergingEpoch,
            Quantity::DivergingEnd,
            Quantity::OwnEpochEnd,
            Quantity::Records,
            Quantity::Attempt,
            Quantity::Retries,
            Quantity::KeepLeo,
            Quantity::FirstUnstable,
            Quantity::Preferred,
        ] {
            assert!(!label(&text, quantity).is_empty(), "{quantity:?}");
        }
    }
}

fn said(kind: EventKind, cause: Cause) -> String {
    let mut event = event(kind, cause.rule);
    event.cause = cause;
    because(&Text::english(), &run(), &event).text
}

#[test]
fn an_append_says_where_and_what_the_leo_is() {
    let kind = EventKind::Appended {
        broker: BrokerId(1),
        batch: batch(Payload::Records { first: 3 }),
        send: Some(SendId(0)),
        leo: Offset(3),
    };
    assert_eq!(
        said(kind, Cause::of(Rule::LeaderAppend)),
        "Leader 1 appended m3 at offset 2, so its LEO is 3."
    );
}

fn hw_moves() -> EventKind {
    EventKind::HwChanged {
        broker: BrokerId(1),
        from: Offset(2),
        to: Offset(3),
        leads: true,
    }
}

fn followers_at(cause: Cause, at: &[(u32, u64, u32)]) -> Cause {
    let mut cause = cause;
    for (follower, leo, set_by) in at {
        let quantity = Quantity::FollowerLeo {
            leader: BrokerId(1),
            follower: BrokerId(*follower),
        };
        cause = cause.number(quantity, Offset(*leo));
        if let Some(number) = cause.numbers.last_mut() {
            number.set_by = Some(EventId(*set_by));
        }
    }
    cause
}

#[test]
fn the_hw_names_the_isr_and_who_was_last() {
    let isr = |brokers: &[u32]| {
        Cause::of(Rule::LeaderHw).number(Quantity::MaximalIsr(BrokerId(1)), set(brokers))
    };
    assert_eq!(
        said(
            hw_moves(),
            followers_at(isr(&[1, 2, 3]), &[(2, 3, 20), (3, 3, 24)])
        ),
        "HW moves from 2 to 3. It is the lowest LEO of ISR {1, 2, 3}; follower 3 was last."
    );
    assert_eq!(
        said(hw_moves(), isr(&[1])),
        "HW moves from 2 to 3. The leader is alone in the ISR, so its own LEO counts."
    );
    assert_eq!(
        said(
            hw_moves(),
            followers_at(isr(&[1, 2]), &[(2, 3, 20), (3, 3, 24)])
        ),
        "HW moves from 2 to 3. It is the lowest LEO of ISR {1, 2} and of broker 3, caught up and about to join."
    );
}

#[test]
fn a_shrunk_isr_moves_the_hw_and_no_follower_was_last() {
    let mut cause =
        Cause::of(Rule::LeaderHw).number(Quantity::MaximalIsr(BrokerId(1)), set(&[1, 2]));
    cause.numbers[0].set_by = Some(EventId(30));
    assert_eq!(
        said(hw_moves(), followers_at(cause, &[(2, 3, 20)])),
        "HW moves from 2 to 3. It is the lowest LEO of ISR {1, 2}."
    );
}

#[test]
fn a_held_hw_says_what_holds_it() {
    let held = |why| EventKind::HwHeld {
        broker: BrokerId(1),
        at: Offset(2),
        why,
    };
    let freeze = Cause::of(Rule::HwFreeze).number(Quantity::CommittedIsr(BrokerId(1)), set(&[1]));
    assert_eq!(
        said(held(HwHold::BelowMinIsr { isr: 1, min: 2 }), freeze),
        "HW stays at 2: the ISR {1} is smaller than min.insync.replicas 2. \
         Below min.insync.replicas the HW stands still, with ELR on or off (since Kafka 3.7)."
    );
    assert_eq!(
        said(
            held(HwHold::Replicas(set(&[2, 3]))),
            Cause::of(Rule::LeaderHw)
        ),
        "HW stays at 2: brokers 2 and 3 have not fetched further."
    );
}

#[test]
fn an_election_says_whose_session_ended_and_why_that_broker() {
    let state = |leader: u32, epoch, isr: &[u32]| {
        Box::new(PartitionState {
            leader: Some(BrokerId(leader)),
            leader_epoch: LeaderEpoch(epoch),
            isr: set(isr),
            ..PartitionState::default()
        })
    };
    let kind = EventKind::PartitionChanged {
        before: state(1, 0, &[1, 2, 3]),
        after: state(2, 1, &[2, 3]),
        reason: ChangeReason::SessionExpired(BrokerId(1)),
        election: Election::FromIsr,
    };
    let cause = Cause::of(Rule::ElectFromIsr).number(Quantity::Waited, Millis(9_000));
    assert_eq!(
        said(kind, cause),
        "Broker 2 is elected leader in epoch 1 with ISR {2, 3}: broker 1's session ended after 9.00 s of silence. \
         It is the first live ISR member in replica order."
    );
}

#[test]
fn an_answer_with_a_retry_says_when_it_comes() {
    let kind = EventKind::ProduceAnswered {
        send: SendId(0),
        attempt: 1,
        outcome: Outcome::Refused(KafkaError::NotEnoughReplicas),
        retry: true,
    };
    assert_eq!(
        said(
            kind,
            Cause::of(Rule::ProducerRetry).number(Quantity::Backoff, Millis(100))
        ),
        "The producer is told NOT_ENOUGH_REPLICAS for m3. \
         The error can pass and retries are left; the next attempt comes after 100 ms."
    );
}

#[test]
fn a_step_is_said_in_the_words_of_the_list() {
    assert_eq!(
        said(EventKind::Step { step: 1 }, Cause::of(Rule::Script)),
        "Script: kill broker 1."
    );
    // Two records were produced by the first step.
    assert_eq!(
        said(EventKind::Step { step: 2 }, Cause::of(Rule::Script)),
        "Script: produce m3."
    );
}
