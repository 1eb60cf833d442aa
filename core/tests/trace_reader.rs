//! Every recorded trace is read and converted; what is not as the format says is refused with its place.
#![allow(clippy::unwrap_used)] // A test that fails may panic.

use std::collections::BTreeMap;
use std::path::PathBuf;

use highwater_core::kafka::ids::{BrokerId, Millis, Offset};
use highwater_core::scenario::trace::{Ack, End, Known, StepResult, Trace, read};
use highwater_core::scenario::{Action, from_json, parse, print, to_json};

fn texts() -> BTreeMap<String, String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases/cluster-traces");
    let mut texts = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            texts.insert(name, std::fs::read_to_string(path).unwrap());
        }
    }
    texts
}

fn trace(name: &str) -> Trace {
    read(&texts()[name]).unwrap()
}

#[test]
fn every_trace_is_read_and_becomes_a_scenario() {
    let texts = texts();
    assert_eq!(texts.len(), 133);
    let (mut steps, mut values) = (0, 0);
    for (name, text) in &texts {
        let trace = read(text).unwrap_or_else(|e| panic!("{name}: {}", e[0]));
        assert_eq!(&trace.id, name);
        let scenario = trace.scenario();
        assert_eq!(parse(&print(&scenario)).as_ref(), Ok(&scenario), "{name}");
        assert_eq!(
            from_json(&to_json(&scenario)).as_ref(),
            Ok(&scenario),
            "{name}"
        );
        assert_eq!(scenario.start, None, "{name}: a new cluster");
        let ends = trace.last_scenario_steps();
        assert_eq!(
            ends.last(),
            Some(&scenario.steps.len().checked_sub(1)),
            "{name}"
        );
        // What the differences add up to at the end is what the file's last word on each value was.
        let mut known = Known::at_start(&trace);
        for step in &trace.steps {
            known.after(&trace, step);
            values += step.observed.names().len();
        }
        steps += trace.steps.len();
        let raw: serde_json::Value = serde_json::from_str(text).unwrap();
        let named = raw["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(named_values)
            .sum::<usize>();
        values -= named;
        let mut last = known.state.leo.clone();
        for step in raw["steps"].as_array().unwrap() {
            for (broker, leo) in step["observed"]["leo"].as_object().into_iter().flatten() {
                last.insert(
                    BrokerId(broker.parse().unwrap()),
                    Offset(leo.as_u64().unwrap()),
                );
            }
        }
        assert_eq!(known.state.leo, last, "{name}");
    }
    assert_eq!(values, 0, "every value of every file was taken over");
    assert!(steps > 1_500, "{steps}");
}

/// How many values a step's difference names.
fn named_values(step: &serde_json::Value) -> usize {
    let each = |key: &str| matches!(key, "leo" | "hw" | "epochs" | "logs" | "acks");
    let observed = step["observed"].as_object().unwrap();
    let count = |(key, value): (&String, &serde_json::Value)| match each(key) {
        true => value.as_object().unwrap().len(),
        false => usize::from(!value.is_null()),
    };
    observed.iter().map(count).sum()
}

#[test]
fn settings_are_those_of_the_recorder() {
    let text = print(&trace("history-after-append.kafka-0.10.2.2").scenario());
    let settings: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("set "))
        .collect();
    assert_eq!(
        settings,
        [
            "kafka.version=0.10",
            "eligible.leader.replicas=off",
            "request.timeout.ms=60000",
            "producer.metadata=fresh",
            "replica.lag.time.max.ms=3000",
            "replica.fetch.backoff.ms=200",
            "replica.high.watermark.checkpoint.interval.ms=50",
            "broker.heartbeat.interval.ms=500",
            "broker.session.timeout.ms=5000",
        ]
    );
    let two = trace("last-replica-standing-clean.elr");
    assert_eq!(two.settings.brokers.len(), 3);
}

#[test]
fn answers_and_results_have_types() {
    let trace = trace("acks-1-lost-on-crash.elr");
    let last = trace.steps.iter().find(|s| s.index == 6).unwrap();
    assert_eq!(last.actions, [Action::Kill(BrokerId(1))]);
    assert_eq!(last.observed.consumer_end, Some(End::NoLeader));
    assert_eq!(last.at, Millis(7_209));
    assert_eq!(trace.steps[0].observed.acks["p1"], Ack::Success(Offset(0)));
    let all = texts();
    let results: Vec<StepResult> = all
        .values()
        .flat_map(|text| read(text).unwrap().steps)
        .filter_map(|step| step.result)
        .collect();
    let has = |test: fn(&StepResult) -> bool| results.iter().any(test);
    assert!(has(|r| *r == StepResult::NoBroker));
    assert!(has(|r| matches!(
        r,
        StepResult::Consumed { aborted: 1, .. }
    )));
    assert!(has(|r| matches!(
        r,
        StepResult::Listed {
            offset: None,
            error: Some(_),
            ..
        }
    )));
    assert!(has(|r| matches!(
        r,
        StepResult::EpochEnd {
            end_offset: Some(Offset(2)),
            ..
        }
    )));
    assert!(has(|r| matches!(
        r,
        StepResult::Produced {
            base_offset: Some(Offset(1)),
            ..
        }
    )));
}

/// The smallest trace, with this as its only step, config and start added to.
fn tiny(config: &str, start: &str, step: &str) -> String {
    format!(
        "{{\"id\": \"t\", \"kafka\": \"4.4.0\",\n \"config\": {{\"replicas\": [7, 5]{config}}},\n \"start\": {{\"leader\": 7{start}}},\n \"steps\": [\n  {step}]}}"
    )
}

#[test]
fn other_brokers_and_a_cluster_with_a_past_are_read() {
    let text = tiny(
        ", \"min_insync_replicas\": 1, \"fetch\": \"manual\"",
        ", \"leader_epoch\": 3, \"isr\": [7], \"leo\": {\"7\": 5, \"5\": 2}, \"hw\": {\"7\": 5}, \"epochs\": {\"7\": [[0, 0], [3, 2]], \"5\": [[0, 0]]}, \"running\": [7, 9]",
        "{\"step\": 0, \"do\": \"kill\", \"broker\": 9}",
    );
    let scenario = read(&text).unwrap().scenario();
    assert_eq!(
        print(&scenario)
            .lines()
            .filter(|l| !l.contains(".ms=") && !l.contains("producer.metadata"))
            .collect::<Vec<_>>(),
        [
            "set replicas=7,5",
            "set brokers=5,7,9",
            "set min.insync.replicas=1",
            "set fetch=manual",
            "set settle=300ms",
            "start leader=7 epoch=3 isr=7",
            "  broker 5 log=0:2 down",
            "  broker 7 log=0:2,3:3 hw=5",
            "then kill 9",
        ]
    );
}

#[test]
fn what_the_format_does_not_know_is_refused_with_its_place() {
    let message = |text: &str| read(text).unwrap_err()[0].to_string();
    for (config, step, expected) in [
        (
            "",
            "{\"step\": 0, \"do\": \"explode\"}",
            "line 5, column 15: steps[0].do: found `explode`, expected produce, follower_fetch",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"kil\", \"broker\": 7}",
            "write `kill`?",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"kill\", \"brokr\": 7}",
            "line 5, column 29: steps[0].brokr: found `brokr`, expected step, do, t_ms, observed, varies, result or broker; write `broker`?",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"kill\"}",
            "line 5, column 3: steps[0]: found nothing, expected the argument broker",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"kill\", \"broker\": 4}",
            "line 5, column 3: steps[0]: found `4`, expected a broker of the cluster: 1, 2, 3, 5 or 7",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"kill\", \"broker\": -1}",
            "steps[0].broker: found `-1`, expected a whole number from 0 to 2147483647",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"wait\", \"ms\": 1e99}",
            "steps[0].ms: found `1e+99`, expected a whole number from 0 to 86400000",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"check\", \"observed\": {\"hw\": {\"x\": 1}}}",
            "steps[0].observed.hw.x: found `x`, expected a broker id",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"check\", \"observed\": {\"acks\": {\"p\": \"MAYBE\"}}}",
            "steps[0].observed.acks.p: found `MAYBE`, expected the name of a Kafka error",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"check\", \"observed\": {\"logs\": {\"7\": [\"m1@0\", \"z\"]}}}",
            "steps[0].observed.logs.7[1]: found `z`, expected a record such as m1@0 or marker@0",
        ),
        (
            "",
            "{\"step\": 0, \"do\": \"await_ack\", \"id\": \"p\"}",
            "found `p`, expected the id of an earlier produce",
        ),
        (
            ", \"elr\": 3",
            "{}",
            "line 2, column 33: config.elr: found `3`, expected on or off",
        ),
        (", \"rack\": 3", "{}", "config.rack: found `rack`"),
    ] {
        let found = message(&tiny(config, "", step));
        assert!(found.contains(expected), "{found}\n{expected}");
    }
    assert_eq!(
        message("{"),
        "line 1, column 1: found nothing, expected JSON: EOF while parsing an object"
    );
    let deep = "[".repeat(100_000);
    assert!(
        message(&deep).contains("recursion limit exceeded"),
        "{}",
        message(&deep)
    );
    assert!(message(&" ".repeat(10_000_001)).contains("at most 10000000 bytes"));
}
