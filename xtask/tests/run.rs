//! `cargo xtask run` through the real binary: what it prints, and what wrong input gets.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package");
    Path::new(&package)
        .parent()
        .expect("xtask is in the repository")
        .to_path_buf()
}

/// Runs the binary in the root of the repository.
fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("run")
        .args(arguments)
        .current_dir(repository())
        .output()
        .expect("xtask starts")
}

/// What a successful run prints.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What a refused run says; it prints nothing to standard output and ends with exit status 2.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// A file for one test; removed by the next build only, so that a failure can be looked at.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run");
    std::fs::create_dir_all(&directory).expect("a directory");
    let path = directory.join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

const LOST: &str = "\
title Acknowledged by one
set acks=1
at 0ms produce id=p1
at 500ms pause-fetch 2
at 500ms pause-fetch 3
at 520ms produce
after 8ms kill 1
then await-fenced 1
";

const TRACE: &str = "core/cases/cluster-traces/acks-1-lost-on-crash.elr.json";

#[test]
fn a_script_prints_its_transcript_and_then_its_verdict() {
    let out = printed(&[&file("lost.scenario", LOST)]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "Acknowledged by one");
    let kill = "    528 ms  Script: kill broker 1.";
    let place = lines.iter().position(|line| *line == kill);
    assert!(place.is_some(), "{out}");
    let verdict = lines
        .iter()
        .position(|line| *line == "1 acknowledged record was lost: m2.");
    assert!(verdict > place, "{out}");
    let m2 = "m2: sent at 520 ms, appended at offset 1 in epoch 0, acknowledged at 522 ms, never committed, \
              never visible, lost at 10.126 s";
    assert_eq!(lines.last(), Some(&m2), "{out}");
}

#[test]
fn all_adds_messages_and_idle_events() {
    let name = file("all.scenario", LOST);
    let (plain, all) = (printed(&[&name]), printed(&[&name, "--all"]));
    assert!(all.lines().count() > 2 * plain.lines().count());
    for line in plain.lines() {
        assert!(all.lines().any(|other| other == line), "{line}");
    }
}

#[test]
fn json_is_the_same_scenario() {
    let json = r#"{"title": "Acknowledged by one", "settings": {"acks": "1"}, "steps": [
        {"at": 0, "do": "produce", "id": "p1"},
        {"at": 500, "do": "pause-fetch", "broker": 2}, {"at": 500, "do": "pause-fetch", "broker": 3},
        {"at": 520, "do": "produce"}, {"after": 8, "do": "kill", "broker": 1}, {"do": "await-fenced", "broker": 1}]}"#;
    let script = printed(&[&file("same.scenario", LOST)]);
    // Told apart by the content, whatever the name.
    assert_eq!(script, printed(&[&file("same.txt", json)]));
}

#[test]
fn a_changed_setting_changes_the_run() {
    let name = file("set.scenario", LOST);
    let all = printed(&[&name, "--set", "acks=all", "--set=min.insync.replicas=1"]);
    assert!(!all.contains("acknowledged record was lost"), "{all}");
    assert!(all.contains("with acks=all"), "{all}");
}

#[test]
fn a_recording_is_held_against_the_model() {
    let out = printed(&[TRACE]);
    let summary = out
        .lines()
        .find(|line| line.starts_with("Recorded on Kafka"))
        .expect("a summary");
    assert!(
        summary.starts_with("Recorded on Kafka 4.4.0: "),
        "{summary}"
    );
    assert!(
        summary.ends_with(" values compared, all as recorded."),
        "{summary}"
    );
    let kill = out.lines().find(|line| line.starts_with("step 6, kill "));
    assert!(
        kill.is_some_and(|line| line.ends_with(" 24 values, as recorded")),
        "{out}"
    );
}

#[test]
fn a_recording_under_other_settings_says_what_differs() {
    let out = printed(&[TRACE, "--set", "min.insync.replicas=3"]);
    let different = "    acks/p3: recorded NONE@2, model NOT_ENOUGH_REPLICAS";
    assert!(out.lines().any(|line| line == different), "{out}");
    assert!(!out.contains("all as recorded"), "{out}");
}

#[test]
fn an_operator_looks_at_an_instant() {
    let name = file("operator.scenario", LOST);
    let end = printed(&[&name, "--operator"]);
    assert!(
        end.contains("\tLeader: 2\tReplicas: 1,2,3\tIsr: 2\tElr: 3\t"),
        "{end}"
    );
    assert!(
        end.contains("# broker 2: orders-0/leader-epoch-checkpoint\n0\n2\n0 0\n1 1\n"),
        "{end}"
    );
    let early = printed(&[&name, "--operator", "--at", "529ms"]);
    assert!(
        early.contains("\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\t"),
        "{early}"
    );
    assert!(!early.contains("Fencing broker"), "{early}");
    assert!(printed(&[TRACE, "--operator"]).contains("# controller: controller.log"));
}

#[test]
fn json_is_the_whole_run() {
    let out = printed(&[TRACE, "--json"]);
    let run: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(run["form"], "highwater-run/1");
    assert_eq!(run["settings"]["min.insync.replicas"], "2");
    let events = run["events"].as_array().expect("events");
    for (place, event) in events.iter().enumerate() {
        assert_eq!(event["id"], place);
        let earlier = |id: &Value| id.is_null() || id.as_u64() < Some(place as u64);
        assert!(earlier(&event["cause"]["trigger"]), "{event}");
        for number in event["cause"]["numbers"].as_array().expect("numbers") {
            assert!(earlier(&number["set_by"]), "{event}");
        }
    }
    let records = run["verdict"]["records"].as_array().expect("records");
    let lost: Vec<&Value> = records.iter().filter(|r| !r["lost"].is_null()).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0]["record"], 3);
    let steps = run["recording"]["steps"].as_array().expect("steps");
    assert_eq!(steps[0]["step"], Value::Null);
    let differs = |step: &Value| step["differences"].as_array().is_none_or(|d| !d.is_empty());
    assert!(!steps.iter().any(differs));
}

#[test]
fn a_wrong_script_is_refused_with_line_column_found_and_expected() {
    let name = file("wrong.scenario", "set acks=2\nat 0 produce\nat 5ms kil 1\n");
    assert_eq!(
        refused(&[&name]),
        format!(
            "{name}: line 1, column 10: found `2`, expected all, 1 or 0\n\
             {name}: line 3, column 8: found `kil`, expected an action such as produce, kill or pause-fetch; \
             write `kill`?\n"
        )
    );
}

#[test]
fn wrong_json_is_refused_with_its_path() {
    let name = file(
        "wrong.json",
        "{\"steps\": [\n {\"at\": 5, \"do\": \"kill\", \"broker\": 9}]}",
    );
    let said = refused(&[&name]);
    assert!(
        said.starts_with(&format!("{name}: line 2, column ")),
        "{said}"
    );
    assert!(
        said.contains("steps[0].broker: found `9`, expected a broker of the cluster: 1, 2 or 3")
    );
    let name = file("broken.json", "{\"steps\": [,]}");
    let said = refused(&[&name]);
    assert!(
        said.contains("line 1, column 12: found nothing, expected JSON"),
        "{said}"
    );
}

#[test]
fn a_wrong_recording_is_refused_with_its_place() {
    let whole = std::fs::read_to_string(repository().join(TRACE)).expect("the recording");
    let name = file(
        "wrong-trace.json",
        whole.replace("\"do\": \"kill\"", "\"do\": \"kil\""),
    );
    let said = refused(&[&name]);
    assert!(
        said.contains(": line ") && said.contains("found `kil`"),
        "{said}"
    );
}

#[test]
fn broken_utf_8_is_refused_with_its_place() {
    let name = file("latin1.scenario", b"at 0 produce\ntitle caf\xe9\n");
    assert_eq!(
        refused(&[&name]),
        format!("{name}: line 2, column 10: found `byte 0xe9`, expected UTF-8\n")
    );
}

#[test]
fn too_much_and_too_deep_is_refused() {
    let name = file("long.scenario", vec![b'#'; 2_000_000]);
    let said = refused(&[&name]);
    assert!(said.contains("found `2000000 bytes`, expected a text of at most 1000000 bytes"));
    let name = file("huge.scenario", vec![b' '; 10_485_760]);
    let said = refused(&[&name]);
    assert!(said.contains("found 10485760 bytes, expected a file of at most 10000000 bytes"));
    let name = file("deep.json", format!("{{\"steps\": {}", "[".repeat(500_000)));
    let said = refused(&[&name]);
    assert!(said.contains("recursion limit exceeded"), "{said}");
}

#[test]
fn wrong_settings_are_refused() {
    let name = file("settings.scenario", LOST);
    assert_eq!(
        refused(&[&name, "--set", "ack=all"]),
        "--set ack=all: found `ack`, expected the name of a setting; write `acks`?\n"
    );
    assert_eq!(
        refused(&[&name, "--set", "min.insync.replicas=0"]),
        "--set min.insync.replicas=0: found `0`, expected a whole number from 1 to 2147483647\n"
    );
    assert_eq!(
        refused(&[&name, "--set", "replication.factor=2"]),
        format!(
            "{name} with --set: step 3 (`at 500ms pause-fetch 3`): found `3`, expected a broker of the cluster: 1 or 2\n"
        )
    );
    assert!(refused(&[&name, "--set", "acks"]).contains("`--set` needs NAME=VALUE; found `acks`"));
}

#[test]
fn what_cannot_be_read_is_refused() {
    assert!(refused(&["no-such-file"]).starts_with("no-such-file: cannot be read: "));
    assert_eq!(
        refused(&["core"]),
        "core: cannot be read: it is a directory, expected a file\n"
    );
    assert!(refused(&[]).contains("`run` needs a scenario file"));
}

/// The consoles of the readme: the arguments after `cargo xtask run`, and the lines under it.
fn consoles(readme: &str) -> Vec<(Vec<&str>, Vec<&str>)> {
    let blocks = readme.split("\n```console\n").skip(1);
    let block = |text: &'_ str| text.find("\n```").map(|end| end + 1);
    blocks
        .filter_map(|text| {
            let mut lines = text.get(..block(text)?)?.lines();
            let command = lines.next()?.strip_prefix("$ cargo xtask run ")?;
            Some((command.split(' ').collect(), lines.collect()))
        })
        .collect()
}

/// Whether `shown` is what was printed, in order, where each `…` stands for lines that are left out.
fn shows(shown: &[&str], printed: &[&str]) -> Result<(), String> {
    let mut rest = printed;
    for (index, part) in shown.split(|line| *line == "…").enumerate() {
        let Some(place) = (0..=rest.len().saturating_sub(part.len()))
            .find(|place| rest[*place..].starts_with(part))
        else {
            return Err(format!("not printed there: {part:#?}"));
        };
        if index == 0 && place > 0 {
            return Err(format!("lines before it are not shown: {part:#?}"));
        }
        rest = &rest[place + part.len()..];
    }
    if shown.last() == Some(&"…") || rest.is_empty() {
        return Ok(());
    }
    Err(format!("lines after it are not shown: {rest:#?}"))
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("the readme");
    let consoles = consoles(&readme);
    assert_eq!(consoles.len(), 4);
    for (arguments, shown) in consoles {
        let out = printed(&arguments);
        let lines: Vec<&str> = out.lines().collect();
        let said = shown
            .iter()
            .filter(|line| **line != "…" && !line.is_empty());
        assert!(said.count() >= 3, "{arguments:?}");
        shows(&shown, &lines).unwrap_or_else(|fault| panic!("{arguments:?}: {fault}"));
    }
}

#[test]
fn what_was_not_printed_is_not_shown() {
    let printed = ["a", "b", "c", "d"];
    for right in [
        &["a", "b", "c", "d"] as &[&str],
        &["…", "b", "…", "d"],
        &["a", "…"],
        &["…"],
    ] {
        assert_eq!(shows(right, &printed), Ok(()), "{right:?}");
    }
    for wrong in [
        &["b", "…"] as &[&str],
        &["…", "b", "d"],
        &["…", "c"],
        &["…", "c", "…", "b", "…"],
    ] {
        assert!(shows(wrong, &printed).is_err(), "{wrong:?}");
    }
}

#[test]
fn every_command_tells_its_options_when_asked_and_does_nothing_else() {
    for asked in [["run", "--help"], ["run", "-h"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(asked)
            .current_dir(repository())
            .output()
            .expect("xtask starts");
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(output.status.code(), Some(0));
        assert!(out.starts_with("cargo xtask run FILE"), "{out}");
        assert!(
            out.contains("--operator") && !out.contains("picture"),
            "{out}"
        );
    }
}

#[test]
fn what_an_operator_sees_is_json_too() {
    let path = file("operator.scenario", LOST);
    let told = printed(&[&path, "--operator", "--at", "11ms"]);
    let out = printed(&[&path, "--operator", "--at", "11ms", "--json"]);
    let seen: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(seen["form"], "highwater-operator/1");
    assert_eq!(seen["at"], 11);
    let sections = seen["sections"].as_array().expect("sections");
    assert!(sections.len() > 3, "{seen}");
    for section in sections {
        let text = section["text"].as_str().expect("a text");
        assert!(told.contains(text), "{text}");
    }
}

#[test]
fn a_setting_that_is_not_in_force_is_said_under_the_verdict() {
    let script = LOST.replace(
        "set acks=1",
        "set acks=all enable.idempotence=true retries=0",
    );
    let out = printed(&[&file("retries.scenario", script)]);
    let last = out.lines().last().unwrap_or_default();
    assert!(last.contains("enable.idempotence is not in force"), "{out}");
}
