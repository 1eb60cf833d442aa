//! The named properties: each can be violated, each is kept where it is said to be kept, and every step of every
//! recording, of every scenario of the repository and of every user case is held against them.
#![allow(clippy::unwrap_used)] // A test that fails may panic.
#![allow(dead_code)] // Other test files use the rest of the support.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use highwater_core::check::{
    Ghosts, Observer, Property, PropertySet, observe, same_again, trial, violated,
};
use highwater_core::kafka::broker::Role;
use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::ids::BrokerId;
use highwater_core::scenario::check::MAX_STEPS;
use highwater_core::scenario::{Scenario, names, parse, trace};
use highwater_core::sim::{EVENT_LIMIT, run, run_watched};

/// What a script violates, and what it had to keep at its end.
fn outcome(script: &str) -> (PropertySet, PropertySet) {
    let scenario = parse(script).unwrap();
    let (run, observer) = observe(&scenario);
    for violation in observer.violations() {
        assert!(violation.allowed, "{script}\n{violation:?}");
    }
    let broken = observer.violations().iter().map(|v| v.property).collect();
    (broken, observer.must_hold(run.last().cluster()))
}

/// The property is violated by the first script, where it need not hold; the second has to keep it, and does.
#[track_caller]
fn broken_and_kept(property: Property, breaks: &str, keeps: &str) {
    let (broken, must) = outcome(breaks);
    assert!(broken.contains(property), "{property} holds in\n{breaks}");
    assert!(
        !must.contains(property),
        "{property} must hold in\n{breaks}"
    );
    let (broken, must) = outcome(keeps);
    assert!(
        must.contains(property),
        "{property} need not hold in\n{keeps}"
    );
    assert!(!broken.contains(property), "{property} breaks in\n{keeps}");
}

/// The leader acknowledges, dies, and comes back to a leader that never had the record.
const LEADER_DIES: &str = "
    then produce 3
    then kill 1
    then await-fenced 1
    then start 1
    then check
";

#[test]
fn acks_1_loses_what_acks_all_keeps() {
    let alone = format!(
        "set acks=1\nthen pause-fetch 2\nthen pause-fetch 3\n{LEADER_DIES}then resume-fetch 2"
    );
    for property in [
        Property::AckedDurable,
        Property::CandidatesComplete,
        Property::AckedSomewhere,
    ] {
        broken_and_kept(property, &alone, LEADER_DIES);
    }
}

/// The only member of the ISR is committed by itself; then another replica is elected uncleanly.
const UNCLEAN: &str = "
    then pause-fetch 2
    then pause-fetch 3
    then produce
    then await-isr 1
    then kill 1
    then await-fenced 1
    then produce 2
    then resume-fetch 3
    then check
";

#[test]
fn an_unclean_election_breaks_what_readers_saw() {
    let settings = "set replica.lag.time.max.ms=10000 min.insync.replicas=1 eligible.leader.replicas=off unclean.leader.election.enable";
    let (on, off) = (
        format!("{settings}=true\n{UNCLEAN}"),
        format!("{settings}=false\n{UNCLEAN}"),
    );
    for property in [
        Property::AckedDurable,
        Property::VisibleSurvives,
        Property::AppliedHwMonotone,
        Property::ReadStable,
        Property::LogsAgreeBelowHw,
    ] {
        broken_and_kept(property, &on, &off);
    }
}

#[test]
fn last_replica_standing_loses_its_tail_without_elr_only() {
    let script = "
        then kill 3
        then produce
        then await-fenced 3
        then kill 2
        then await-fenced 2
        then power-loss 1 keep=0
        then await-fenced 1
        then start 1
        then check
    ";
    // Without ELR the last member is elected again, whatever it lost. With it one lossy shutdown would be tolerated, but
    // there are three unclean ones here, so it need not hold either; with clean ones it must, and does.
    let clean = script.replace("kill", "stop");
    let off = format!("set eligible.leader.replicas=off\n{clean}");
    broken_and_kept(Property::AckedDurable, &off, &clean);
    let (_, must) = outcome(script);
    assert!(!must.contains(Property::AckedDurable));
}

#[test]
fn a_new_leader_is_behind_for_a_moment() {
    let script = "
        set fetch=manual
        then produce
        then fetch 2
        then fetch 3
        then fetch 2
        then fetch 3
    ";
    let elected = format!("{script}then elect 2\n");
    broken_and_kept(Property::NaiveHwMonotone, &elected, script);
    // It is the honest form that holds all the same.
    let (broken, must) = outcome(&elected);
    assert!(
        must.contains(Property::AppliedHwMonotone) && !broken.contains(Property::AppliedHwMonotone)
    );
}

#[test]
fn a_retry_is_appended_again_without_idempotence_only() {
    let script = "
        then produce id=a lose=response
        then produce retry-of=a
    ";
    let idempotent = "
        set enable.idempotence=true retries=3
        then produce id=a lose=response
        then wait 2s
        then check
    ";
    broken_and_kept(Property::NoDupVisible, script, idempotent);
}

#[test]
fn the_controller_elects_nobody_whom_the_leader_does_not_count() {
    // The controller accepts 3, which the leader, without the maximal ISR, does not count before it is told.
    let script = "
        set replica.lag.time.max.ms=10000
        then pause-fetch 3
        then produce
        then wait 20s
        then resume-fetch 3
        then wait 2s
    ";
    let without = format!("set rule.maximal.isr=off\n{script}");
    broken_and_kept(Property::EffIsrSuperset, &without, script);
}

#[test]
fn a_leader_that_lost_its_tail_unnoticed_gives_its_epoch_two_histories() {
    // Found by random runs (seed 4002548): epoch 1 begins at 3, and again at 1 after the bounce. What broker 2 wrote there
    // is of epoch 1, and broker 3, which has epoch 1 up to 4, gives it the end of epoch 0 to put behind that.
    let script = |bounced: u32| {
        format!(
            "set acks=all
             then produce 3
             then stop 1
             then wait 2s
             then produce 1
             then wait 2s
             then pause-fetch 3
             then bounce {bounced} keep=1
             then produce 1
             then wait 100ms
             then stop 2
             then wait 1s"
        )
    };
    broken_and_kept(Property::LogEpochsMonotone, &script(2), &script(3));
}

#[test]
fn a_leader_that_is_also_the_last_known_one_keeps_leading_without_an_isr_in_4_0() {
    // Found by random runs (seed 4113705).
    let script = |version: &str| {
        format!(
            "set kafka.version={version} replicas=1 broker.heartbeat.interval.ms=500
             start leader=1 epoch=2 partition-epoch=5 isr=1 last-known-elr=1
               broker 1 log=0:2,2:2 hw=4
             at 4.826s power-loss 1 keep=0
             after 1.029s start 1"
        )
    };
    broken_and_kept(Property::LeaderInIsr, &script("4.0"), &script("4.2"));
}

/// The state after a script, to be damaged.
fn state_after(script: &str) -> (Cluster, Ghosts) {
    let scenario = parse(script).unwrap();
    let (run, observer) = observe(&scenario);
    (run.last().cluster().clone(), observer.ghosts().clone())
}

#[test]
fn what_holds_by_construction_is_seen_when_it_does_not() {
    let (sound, mut ghosts) = state_after("then produce\nthen elect 2\nthen check");
    assert!(
        violated(&sound, &ghosts)
            .minus([Property::NaiveHwMonotone].into_iter().collect())
            .is_empty()
    );

    let mut damaged = sound.clone();
    damaged.controller.partition.isr.remove(BrokerId(2));
    assert!(violated(&damaged, &ghosts).contains(Property::LeaderInIsr));

    // Two leaders of one epoch: 3 believes what only 2 may.
    let mut damaged = sound.clone();
    damaged.brokers[2].role = damaged.brokers[1].role.clone();
    ghosts.look(&damaged);
    assert!(violated(&damaged, &ghosts).contains(Property::OneLeaderPerEpoch));

    let (mut damaged, mut ghosts) = state_after("then produce\nthen elect 2\nthen check");
    if let Role::Leader(leader) = &mut damaged.brokers[1].role {
        leader.epoch.0 -= 1;
    }
    ghosts.look(&damaged);
    assert!(violated(&damaged, &ghosts).contains(Property::EpochMonotone));
    for property in [
        Property::LeaderInIsr,
        Property::OneLeaderPerEpoch,
        Property::EpochMonotone,
    ] {
        let (_, must) = outcome(LEADER_DIES);
        assert!(must.contains(property));
    }
}

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Everything that can be said of any run, of these; prints how often each property was violated where it may be.
fn try_all(scenarios: impl Iterator<Item = (String, Scenario)>) -> BTreeMap<Property, u32> {
    let mut findings = BTreeMap::new();
    for (name, scenario) in scenarios {
        let passed = trial(&scenario, EVENT_LIMIT).unwrap_or_else(|why| panic!("{name}: {why}"));
        same_again(&passed.run, EVENT_LIMIT).unwrap_or_else(|why| panic!("{name}: {why}"));
        for finding in passed.findings {
            *findings.entry(finding.property).or_default() += 1;
        }
    }
    println!("{findings:?}");
    findings
}

#[test]
fn every_recording_keeps_what_it_must() {
    let findings = try_all(
        files("cases/cluster-traces", "json")
            .into_iter()
            .map(|file| {
                let text = std::fs::read_to_string(&file).unwrap();
                let scenario = trace::read(&text).unwrap().scenario();
                (file.display().to_string(), scenario)
            }),
    );
    // The recordings were made to show losses; real clusters had them.
    for property in [
        Property::AckedDurable,
        Property::VisibleSurvives,
        Property::LogsAgreeBelowHw,
        Property::ReadStable,
        Property::NaiveHwMonotone,
    ] {
        assert!(findings.contains_key(&property), "{property} never broke");
    }
}

#[test]
fn every_scenario_of_the_repository_keeps_what_it_must() {
    let findings = try_all(files("../scenarios", "hw").into_iter().map(|file| {
        let text = std::fs::read_to_string(&file).unwrap();
        (file.display().to_string(), parse(&text).unwrap())
    }));
    assert!(findings.contains_key(&Property::AckedDurable));
}

/// The runs of a lesson: each names its script and the settings that it changes.
fn lesson_runs(folder: &Path) -> Vec<(String, Scenario)> {
    let told = std::fs::read_to_string(folder.join("lesson.toml")).unwrap();
    let lines = told.lines().skip_while(|line| *line != "[runs]").skip(1);
    let runs = lines.take_while(|line| !line.starts_with('['));
    let written = runs.filter_map(|line| line.split_once(" = "));
    written
        .map(|(_, run)| {
            let mut words = run.split('"').nth(1).unwrap().split(' ');
            let file = folder.join(words.next().unwrap());
            let mut scenario = parse(&std::fs::read_to_string(file).unwrap()).unwrap();
            for word in words {
                let (name, value) = word.split_once('=').unwrap();
                names::set(&mut scenario.settings, name, value).unwrap();
            }
            (format!("{} {run}", folder.display()), scenario)
        })
        .collect()
}

#[test]
fn every_lesson_keeps_what_it_must() {
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lessons");
    let folders = std::fs::read_dir(lessons).unwrap();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("lesson.toml").exists());
    folders.sort();
    let runs: Vec<_> = folders.iter().map(|folder| lesson_runs(folder)).collect();
    for (folder, runs) in folders.iter().zip(&runs) {
        assert!(!runs.is_empty(), "{} has no run", folder.display());
    }
    try_all(runs.into_iter().flatten());
}

#[test]
fn every_user_case_keeps_what_it_must() {
    let text = include_str!("../cases/user-cases.json");
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut cases = BTreeSet::new();
    for case in file["cases"].as_array().unwrap() {
        for run in support::notation::runs(case).unwrap_or_default() {
            if run.scenario.steps.len() > MAX_STEPS {
                // A loop that is longer than any text may be: its own test runs it.
                continue;
            }
            let (_, observer) = observe(&run.scenario);
            let wrong = observer.violations().iter().find(|v| !v.allowed);
            assert_eq!(wrong, None, "{} {:?}", run.case, run.choice);
            cases.insert(run.case);
        }
    }
    assert!(cases.len() > 10, "{cases:?}");
}

#[test]
fn idle_events_change_nothing_that_a_property_speaks_of() {
    for file in files("cases/cluster-traces", "json").into_iter().step_by(9) {
        let text = std::fs::read_to_string(&file).unwrap();
        let scenario = trace::read(&text).unwrap().scenario();
        let mut closely: Option<Observer> = None;
        let mut seen = 0;
        run_watched(&scenario, EVENT_LIMIT, &mut |simulation, events| {
            match &mut closely {
                None => closely = Some(Observer::new(simulation, events)),
                Some(observer) => observer.look_closely(simulation, &events[seen..]),
            }
            seen = events.len();
        });
        let broken = |observer: &Observer| -> Vec<(Property, bool)> {
            let violations = observer.violations().iter();
            violations.map(|v| (v.property, v.allowed)).collect()
        };
        let (_, usual) = observe(&scenario);
        assert_eq!(
            broken(&closely.unwrap()),
            broken(&usual),
            "{}",
            file.display()
        );
    }
}

#[test]
fn watching_changes_nothing() {
    let scenario = parse(LEADER_DIES).unwrap();
    assert_eq!(observe(&scenario).0.events, run(&scenario).events);
}
