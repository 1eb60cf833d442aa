//! The simulator as a whole, on small scripts.

use super::*;
use crate::kafka::event::{EventKind, Outcome};
use crate::kafka::ids::{BrokerId, Millis, Offset};
use crate::kafka::settings::Acks;
use crate::scenario::value::{Action, Produce, Scenario, Step, When};

/// The run, which kept what every run must keep, after every step.
pub(super) fn run(scenario: &Scenario) -> Run {
    let kept = crate::check::trial(scenario, EVENT_LIMIT).expect("what must hold");
    kept.run
}

fn at(ms: u64, action: Action) -> Step {
    Step {
        when: When::At(Millis(ms)),
        action,
    }
}

fn produce() -> Action {
    Action::Produce(Produce {
        records: 1,
        ..Produce::default()
    })
}

fn answers(run: &Run) -> Vec<Outcome> {
    run.events
        .iter()
        .filter_map(|e| match e.kind {
            EventKind::ProduceAnswered {
                outcome,
                retry: false,
                ..
            } => Some(outcome),
            _ => None,
        })
        .collect()
}

#[test]
fn acks_all_is_answered_when_the_hw_passed() {
    let scenario = Scenario {
        steps: vec![at(0, produce()), at(10, produce())],
        ..Scenario::default()
    };
    let run = run(&scenario);
    assert_eq!(
        answers(&run),
        [Outcome::Ok(Offset(0)), Outcome::Ok(Offset(1))]
    );
    let state = run.last();
    for broker in &state.cluster().brokers {
        assert_eq!(
            (broker.leo(), broker.hw()),
            (Offset(2), Offset(2)),
            "broker {}",
            broker.id
        );
    }
    assert_eq!(state.cluster().consumer.position, Offset(2));
}

#[test]
fn acks_1_record_of_a_killed_leader_is_lost() {
    let mut scenario = Scenario {
        steps: vec![
            at(0, produce()),
            at(10, Action::PauseFetch(BrokerId(2))),
            at(10, Action::PauseFetch(BrokerId(3))),
            at(600, produce()),
            at(610, Action::Kill(BrokerId(1))),
            at(20_000, Action::ResumeFetch(BrokerId(2))),
            at(20_000, Action::ResumeFetch(BrokerId(3))),
            at(21_000, produce()),
            at(
                30_000,
                Action::Start {
                    broker: BrokerId(1),
                    clean: None,
                    wait: true,
                },
            ),
        ],
        ..Scenario::default()
    };
    scenario.settings.acks = Acks::Leader;
    let run = run(&scenario);
    assert_eq!(
        answers(&run),
        [
            Outcome::Ok(Offset(0)),
            Outcome::Ok(Offset(1)),
            Outcome::Ok(Offset(1))
        ]
    );
    let truncated = run.events.iter().any(|e| {
        matches!(
            e.kind,
            EventKind::Truncated {
                broker: BrokerId(1),
                ..
            }
        )
    });
    assert!(truncated, "broker 1 cuts its copy of the lost record");
    let cluster = run.last().cluster();
    assert_eq!(cluster.controller.partition.isr.len(), 3);
    assert!(cluster.brokers.iter().all(|b| b.leo() == Offset(2)));
    let verdict = verdict(&run);
    let lost: Vec<u64> = verdict.acknowledged_lost().map(|r| r.record).collect();
    assert_eq!(lost, [2]);
    assert!(verdict.records[1].committed.is_none());
    assert!(verdict.records[2].visible.is_some() && verdict.records[2].in_final_log);
    assert_eq!(verdict.unavailable, None);
    assert!(verdict.chain.len() >= 4, "{:?}", verdict.chain);
}

#[test]
fn every_instant_is_what_the_run_was() {
    let scenario = Scenario {
        steps: vec![
            at(0, produce()),
            at(5, Action::Kill(BrokerId(1))),
            at(20_000, produce()),
        ],
        ..Scenario::default()
    };
    let run = run(&scenario);
    let mut recorder = Recorder::default();
    let mut simulation = Simulation::new(&scenario, &mut recorder);
    let mut compared = 0;
    while simulation.advance(run.end, &mut recorder) {
        let instant = Instant {
            at: simulation.now,
            position: u32::MAX,
        };
        // Only when all of this millisecond has happened.
        let over = simulation.agenda.next_at() > Some(simulation.now);
        if over && run.events_before(instant) == recorder.event_count() as usize {
            let same = run.at(instant).cluster() == &simulation.cluster;
            assert!(same, "at {}", simulation.now);
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} instants were compared");
}

#[test]
fn a_back_off_of_nothing_does_not_stop_the_clock() {
    // A random run found it: without a leader to send to, the batch was tried again in the same millisecond, for ever.
    let script = "set retry.backoff.ms=0 retries=5 delivery.timeout.ms=900 rf=1\nthen kill 1\nthen produce\n";
    let run = run(&crate::scenario::parse(script).expect("a scenario"));
    assert!(run.end >= Millis(900), "{}", run.end);
    let gave_up =
        |e: &crate::kafka::event::Event| matches!(e.kind, EventKind::DeliveryTimedOut { .. });
    assert!(run.events.iter().any(gave_up));
}

#[test]
fn no_record_overtakes_one_that_waits_for_a_leader() {
    for idempotence in ["", "enable.idempotence=false "] {
        let script = format!(
            "set {idempotence}retries=5 max.in.flight.requests.per.connection=1\nat 0ms produce\nat 100ms kill 1\n\
             at 200ms produce\nat 250ms produce\nthen await-fenced 1\nthen produce\n"
        );
        let run = run(&crate::scenario::parse(&script).expect("a scenario"));
        let verdict = super::verdict(&run);
        let offsets: Vec<u64> = verdict
            .records
            .iter()
            .filter_map(|r| r.appended.last().map(|a| a.offset.0))
            .collect();
        assert_eq!(offsets, [0, 1, 2, 3], "{script}");
    }
}

#[test]
fn a_moment_within_the_first_millisecond_is_not_its_end() {
    let scenario = Scenario {
        steps: vec![at(0, produce())],
        ..Scenario::default()
    };
    let run = run(&scenario);
    let leo = |position| {
        let state = run.at(Instant {
            at: Millis(0),
            position,
        });
        state.cluster().brokers[0].leo()
    };
    let appended = run
        .events
        .iter()
        .position(|e| matches!(e.kind, EventKind::Appended { .. }))
        .expect("an append");
    // The append comes a millisecond later; what matters is that the queue of the first one is not run to its end.
    assert_eq!(leo(0), Offset(0));
    assert!(run.events[appended].at > Millis(0));
    let early = run.at(Instant {
        at: Millis(0),
        position: 1,
    });
    let late = run.at(Instant {
        at: Millis(0),
        position: u32::MAX,
    });
    assert_ne!(early.cluster(), late.cluster());
}
