//! Every script of the user cases becomes a scenario for each of its runs, and every action of the checker's model has words.
#![allow(clippy::unwrap_used)] // A test that fails may panic.
#![allow(dead_code)] // Other test files use the rest of the support.

mod support;

use std::collections::BTreeSet;

use highwater_core::scenario::{check, from_json, parse, print, print_action, to_json};
use serde_json::{Value, json};
use support::notation::{NotationRun, runs};

fn cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/user-cases.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn runs_of(id: &str) -> Vec<NotationRun> {
    let cases = cases();
    runs(cases.iter().find(|case| case["id"] == id).unwrap()).unwrap()
}

/// The steps of a run, with how many of each when there are many.
fn steps(run: &NotationRun) -> Vec<String> {
    let text = print(&run.scenario);
    let step = |line: &&str| {
        ["at ", "after ", "then "]
            .iter()
            .any(|w| line.starts_with(w))
    };
    text.lines().filter(step).map(str::to_owned).collect()
}

#[test]
fn every_script_of_the_user_cases_becomes_scenarios() {
    let (mut scripts, mut all, mut ops) = (0, 0, BTreeSet::new());
    for case in cases().iter().filter(|case| case["sim"].is_object()) {
        let runs = runs(case).unwrap();
        assert!(!runs.is_empty(), "{}", case["id"]);
        scripts += 1;
        all += runs.len();
        for run in runs {
            ops.extend(
                run.steps
                    .iter()
                    .map(|s| s.raw["do"].as_str().unwrap().to_owned()),
            );
            // A loop may have more steps than a text may; all else is a valid scenario in every form.
            if run.scenario.steps.len() > check::MAX_STEPS {
                assert!(run.steps.iter().any(|s| s.raw["do"] == "loop"));
                continue;
            }
            assert_eq!(
                check::check(&run.scenario),
                vec![],
                "{} {:?}",
                run.case,
                run.choice
            );
            assert_eq!(parse(&print(&run.scenario)).as_ref(), Ok(&run.scenario));
            assert_eq!(
                from_json(&to_json(&run.scenario)).as_ref(),
                Ok(&run.scenario)
            );
        }
    }
    assert_eq!(scripts, 40);
    assert_eq!(all, 52);
    assert_eq!(ops.len(), 28, "{ops:?}");
}

#[test]
fn lists_and_selectors_make_runs() {
    let choices = |id| {
        let choice = |run: &NotationRun| json!(run.choice).to_string();
        runs_of(id).iter().map(choice).collect::<Vec<_>>()
    };
    assert_eq!(choices("UC-05"), ["{\"min_isr\":1}", "{\"min_isr\":2}"]);
    assert_eq!(
        choices("UC-21"),
        ["{\"version\":\"3.6\"}", "{\"version\":\"3.7+\"}"]
    );
    assert_eq!(
        choices("UC-48"),
        ["{\"truncate_by\":\"hw\"}", "{\"truncate_by\":\"epoch\"}"]
    );
    assert_eq!(choices("UC-69").len(), 4);
    let old = &runs_of("UC-21")[0];
    let checks = old.steps.iter().filter(|s| s.raw["do"] == "check").count();
    assert_eq!((old.scenario.settings.version.name(), checks), ("3.6", 1));
}

#[test]
fn scripts_read_as_expected() {
    let run = &runs_of("UC-57")[1];
    assert_eq!(
        steps(run),
        [
            "then isolate 0",
            "then await-fenced 0",
            "then produce 10 acks=all id=p1",
            "then check",
            "then isolate 1",
            "then await-fenced 1",
            "then check",
            "then power-loss 2 keep=104",
            "then await-fenced 2",
            "then heal-all",
            "then start 2 registration=unclean",
        ]
    );
    let run = &runs_of("UC-64")[0];
    assert_eq!(
        steps(run),
        [
            "then hold-alter-partition 1",
            "then fetch 2",
            "then power-loss 2 keep=0",
            "then await-fenced 2",
            "then start 2",
            "then release-alter-partition 1",
            "then check",
            "then kill 1",
            "then await-fenced 1",
        ]
    );
    let run = &runs_of("UC-22")[0];
    assert_eq!(
        steps(run),
        [
            "after 0ms slow-fetch 3 400ms",
            "after 0ms produce acks=all id=p1",
            "at 120ms check",
            "at 920ms check"
        ]
    );
    let run = &runs_of("UC-26")[0];
    assert_eq!(
        steps(run),
        [
            "then produce acks=all id=p1 producer=idempotent lose=response",
            "then produce acks=all id=p2 producer=idempotent retry-of=p1",
        ]
    );
    let run = &runs_of("UC-97")[0];
    assert_eq!(
        steps(run),
        [
            "at 0ms check",
            "at 10ms produce acks=all id=p1",
            "at 50ms check",
            "at 630ms check"
        ]
    );
    let run = &runs_of("UC-29")[0];
    assert_eq!(
        steps(run)[..4],
        [
            "then limit-fetch 2 1",
            "after 0ms slow-fetch 2 200ms",
            "after 0ms fetch 2",
            "then check"
        ]
    );
    assert_eq!(steps(run).len(), 4 + 600 + 1);
    let run = &runs_of("UC-73")[0];
    assert_eq!(
        steps(run)[..2],
        ["after 5ms produce acks=1 id=p1", "after 0ms fetch 2"]
    );
    assert_eq!(steps(run).len(), 48_001);
    let run = &runs_of("UC-50")[0];
    let text = print(&run.scenario);
    for line in [
        "set rule.truncation=kip-101",
        "start leader=1 epoch=3 isr=1",
        "  broker 1 log=1:21,3:19",
        "  broker 2 log=1:11,2:15",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
}

#[test]
fn what_the_notation_does_not_know_is_an_error() {
    let case = |config: Value, step: Value| {
        let start = json!({"leader": 4, "isr": [4], "leo": {"4": 1}, "hw": 1});
        let mut all = json!({"replicas": [4, 2], "min_isr": 1});
        all.as_object_mut()
            .unwrap()
            .extend(config.as_object().unwrap().clone());
        json!({"id": "X", "sim": {"config": all, "start": start, "steps": [step]}})
    };
    let error = |config, step| runs(&case(config, step)).unwrap_err();
    assert!(error(json!({}), json!({"do": "explode"})).contains("unknown op explode"));
    assert!(error(json!({}), json!({"do": "kill", "broker": 3})).contains("unknown broker 3"));
    assert!(
        error(json!({}), json!({"do": "kill", "broker": 2, "how": 9})).contains("unknown key how")
    );
    assert!(error(json!({"rack": 1}), json!({"do": "check"})).contains("unknown config rack"));
    // A branch is a run of its own, with the steps before it.
    let mut branched = case(json!({}), json!({"do": "kill", "broker": 4}));
    let list = branched["sim"]["steps"].as_array_mut().unwrap();
    list.push(json!({"do": "branch", "steps": [{"do": "check"}]}));
    list.push(json!({"do": "fence", "broker": 4}));
    let runs = runs(&branched).unwrap();
    assert_eq!(steps(&runs[0]), ["then kill 4", "then await-fenced 4"]);
    assert_eq!(steps(&runs[1]), ["then kill 4", "then check"]);
}

/// Each action of `properties.md` section 2.3 with the steps that say it.
const MODEL: &[(&str, &[&str])] = &[
    ("Produce(b)", &["produce to=1 id=x"]),
    ("Retry(b,id)", &["produce to=2 retry-of=x"]),
    ("Fetch(f)", &["fetch 2"]),
    ("FetchLost(f)", &["fetch 2 lose=response"]),
    ("Shrink(l,f)", &["propose-isr 1,3"]),
    ("Expand(l,f)", &["propose-isr 1,2,3"]),
    (
        "ShrinkLost(l,f)",
        &[
            "hold-metadata 1",
            "lose-alter-partition 1",
            "propose-isr 1,3",
        ],
    ),
    (
        "ExpandLost(l,f)",
        &[
            "hold-metadata 1",
            "lose-alter-partition 1",
            "propose-isr 1,2,3",
        ],
    ),
    ("Learn(b,k)", &["deliver-metadata 2 count=3"]),
    ("Clean(b)", &["stop 2"]),
    ("Crash(b)", &["kill 2", "await-fenced 2"]),
    ("PowerLoss(b,k)", &["power-loss 2 keep=1", "await-fenced 2"]),
    ("Restart(b)", &["start 2"]),
    ("Fence(b)", &["fence 2"]),
    ("Unfence(b)", &["unfence 2"]),
    ("Move(b)", &["elect 2"]),
    ("Bounce(f)", &["bounce 2"]),
    ("BouncePower(f,k)", &["bounce 2 keep=1"]),
];

#[test]
fn every_action_of_the_checkers_model_has_words() {
    let lines: Vec<&str> = MODEL
        .iter()
        .flat_map(|(_, steps)| steps.iter().copied())
        .collect();
    let text: String = lines.iter().map(|line| format!("then {line}\n")).collect();
    let scenario = parse(&text).map_err(|e| e[0].to_string()).unwrap();
    let printed: Vec<String> = scenario
        .steps
        .iter()
        .map(|s| print_action(&s.action))
        .collect();
    assert_eq!(printed, lines);
    assert_eq!(from_json(&to_json(&scenario)), Ok(scenario));
}

/// Below min ISR a follower joins while far behind, since the HW stands still, and is removed again: UC-29.
#[test]
fn a_follower_with_a_limit_flaps_as_the_case_says() {
    use highwater_core::check::trial;
    use highwater_core::kafka::event::EventKind;
    use highwater_core::kafka::ids::BrokerId;
    use highwater_core::sim::EVENT_LIMIT;

    let run = &runs_of("UC-29")[0];
    let done = trial(&run.scenario, EVENT_LIMIT).unwrap().run;
    let changes = done
        .events
        .iter()
        .filter(|e| matches!(e.kind, EventKind::IsrAnswered { result: Ok(_), .. }));
    let appended = done.events.iter().filter_map(|e| match &e.kind {
        EventKind::Appended {
            broker: BrokerId(2),
            batch,
            ..
        } => Some(batch.count),
        _ => None,
    });
    assert!(
        appended.clone().all(|count| count == 1),
        "one record a fetch"
    );
    assert!(appended.count() > 250, "five a second for a minute");
    let least = run.steps.last().unwrap().raw["isr_changes_at_least"]
        .as_u64()
        .unwrap();
    assert!(changes.count() as u64 >= least);
}
