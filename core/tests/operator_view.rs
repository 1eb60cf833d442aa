//! What an operator would see of any run: it can be read back, and it is what the cluster has.
#![allow(clippy::unwrap_used)] // A test that fails may panic.

#[allow(dead_code, reason = "other test files use the rest")]
mod support;

use highwater_core::kafka::context::Context;
use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::operator::evidence::{read_describe, read_epochs, read_offsets};
use highwater_core::operator::{Described, Section, Topic, sections, view};
use highwater_core::scenario::{Scenario, parse};
use highwater_core::sim::{Instant, Run, run};
use proptest::prelude::*;
use support::arbitrary;

/// Looks at an instant and holds every piece of text against the state.
fn look(run: &Run, instant: Instant) -> Vec<Section> {
    let topic = Topic::default();
    let view = view(run, instant, &topic);
    let state = run.at(instant);
    let cluster = state.cluster();
    if let Described::Lines(lines) = &view.described {
        let (topics, partitions) = read_describe(&lines.join("\n")).unwrap();
        let min_isr = ("min.insync.replicas".to_owned(), true);
        let said = topics[0]
            .configs
            .iter()
            .map(|(name, value)| (name.clone(), !value.is_empty()));
        assert!(said.into_iter().any(|said| said == min_isr));
        let newest = cluster.brokers.iter().map(|b| &b.metadata.partition);
        assert!(
            newest
                .into_iter()
                .any(|p| p.isr == partitions[0].isr && p.replicas == partitions[0].replicas),
            "{lines:?}"
        );
    }
    let context = Context {
        settings: &cluster.settings,
        now: state.simulation.now,
    };
    for file in &view.files {
        let broker = cluster.broker(file.broker).unwrap();
        if file.path.ends_with("leader-epoch-checkpoint") {
            assert_eq!(
                read_epochs(&file.text).unwrap(),
                broker.log.epochs().entries()
            );
        } else if file.path.ends_with("-checkpoint") {
            for entry in read_offsets(&file.text).unwrap() {
                assert_eq!((entry.topic.as_str(), entry.partition), ("orders", 0));
                if file.path == "replication-offset-checkpoint" {
                    assert_eq!(entry.offset, broker.checkpointed_hw(&context));
                }
            }
        }
    }
    assert!(view.lines.is_sorted_by_key(|line| line.at));
    for line in &view.lines {
        assert!(line.at <= instant.at.max(Millis(0)), "{line}");
        assert!(!line.message.contains(['\n', '\t']), "{line}");
    }
    for moved in &view.moved {
        assert_ne!(moved.before, moved.after, "{}", moved.name);
    }
    sections(&view, &topic)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_run_can_be_looked_at(choices in prop::collection::vec(any::<u32>(), 0..160), share in 0u64..=8) {
        let run = run(&arbitrary::scenario(&choices));
        let at = Millis(run.end.0 / 8 * share);
        look(&run, Instant { at, position: u32::MAX });
        look(&run, run.end());
    }
}

fn scenario(script: &str) -> Scenario {
    parse(script).unwrap()
}

/// The text of a piece.
fn text<'a>(sections: &'a [Section], whose: &str, name: &str) -> &'a str {
    let found = sections.iter().find(|section| {
        let origin = section
            .origin
            .map_or_else(String::new, |origin| origin.to_string());
        origin == whose && section.name.ends_with(name)
    });
    found.map_or("", |section| &section.text)
}

const LOST: &str = "set acks=1\nat 0ms produce\nat 500ms pause-fetch 2\nat 500ms pause-fetch 3\nat 520ms produce\n\
    after 8ms kill 1\nthen await-fenced 1\nafter 500ms start 1\n";

#[test]
fn a_loss_leaves_its_traces() {
    let run = run(&scenario(LOST));
    let end = look(&run, run.end());
    let server = text(&end, "broker 1", "server.log");
    assert!(
        server.contains("] Truncating to offset 1 (org.apache.kafka.storage"),
        "{server}"
    );
    assert_eq!(
        text(&end, "broker 2", "leader-epoch-checkpoint"),
        "0\n2\n0 0\n1 1\n"
    );
    let controller = text(&end, "controller", "controller.log");
    assert!(controller.contains("Fencing broker 1 at epoch 1 because its session has timed out."));
    let metrics = text(&end, "controller", "metrics");
    assert!(
        metrics.contains("name=PreferredReplicaImbalanceCount:Value: 0 -> 1\n"),
        "{metrics}"
    );
}

#[test]
fn an_earlier_instant_shows_less() {
    let run = run(&scenario(LOST));
    let before = look(
        &run,
        Instant {
            at: Millis(600),
            position: 0,
        },
    );
    assert_eq!(
        text(&before, "controller", "controller.log")
            .lines()
            .count(),
        1
    );
    assert!(text(&before, "", "--topic orders").contains("\tLeader: 1\t"));
    assert!(!text(&before, "broker 1", "server.log").contains("Truncating to"));
}

#[test]
fn versions_have_their_own_forms() {
    for (version, describes, told) in [
        ("0.10", "Topic:orders\tPartitionCount:1\t", false),
        ("2.0", "Topic:orders\tPartitionCount:1\t", false),
        ("3.6", "Topic: orders\tTopicId: ", false),
        ("4.0", "Topic: orders\tTopicId: ", true),
    ] {
        let run = run(&scenario(&format!("set version={version}\n{LOST}")));
        let end = look(&run, run.end());
        let described = text(&end, "", "--topic orders");
        assert!(described.starts_with(describes), "{version}: {described}");
        assert_eq!(described.contains("\tElr: "), told, "{version}");
        let epochs = text(&end, "broker 1", "leader-epoch-checkpoint");
        assert_eq!(epochs.is_empty(), version == "0.10", "{version}");
    }
}

#[test]
fn nobody_answers_when_nobody_can() {
    let run = run(&scenario("at 0ms kill 1\nat 0ms kill 2\nat 0ms kill 3\n"));
    let topic = Topic::default();
    let none = view(
        &run,
        Instant {
            at: Millis(10),
            position: u32::MAX,
        },
        &topic,
    );
    assert_eq!(none.described, Described::NoBroker);
    let run = highwater_core::sim::run(&scenario("at 0ms kill-controller\nafter 10ms produce\n"));
    let none = view(
        &run,
        Instant {
            at: Millis(5),
            position: u32::MAX,
        },
        &topic,
    );
    assert_eq!(none.described, Described::NoAnswer);
    assert!(none.files.iter().any(|file| file.broker == BrokerId(2)));
}
