//! Steps: each says what it does, runs, and says how long it took.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Failure, Outcome};

/// Announces a step, does it, and prints how long it took.
pub fn step<T>(what: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    println!("==> {what}");
    let start = Instant::now();
    let outcome = work();
    let verdict = if outcome.is_ok() { "done" } else { "FAILED" };
    println!("    {verdict}: {what} ({})", seconds(start.elapsed()));
    outcome
}

/// A duration for people: tenths of a second, minutes when it is long.
pub fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole >= 120 {
        return format!("{} min {:02} s", whole / 60, whole % 60);
    }
    format!("{:.1} s", duration.as_secs_f64())
}

/// Runs a command, its output going where ours goes.
pub fn run(command: &mut Command) -> Outcome {
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|error| could_not_start(command, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::work(format!(
        "{} ended with {status}",
        shown(command)
    )))
}

/// Runs a command and returns what it printed; its errors go where ours go.
pub fn capture(command: &mut Command) -> Outcome<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| could_not_start(command, &error))?;
    if !output.status.success() {
        return Err(Failure::work(format!(
            "{} ended with {}",
            shown(command),
            output.status
        )));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command and hands over every line while it is printed; returns whether it succeeded.
pub fn run_with_lines(command: &mut Command, mut each: impl FnMut(&str)) -> Outcome<bool> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| could_not_start(command, &error))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            println!("{line}");
            each(&line);
        }
    }
    let status = child
        .wait()
        .map_err(|error| Failure::work(format!("{}: {error}", shown(command))))?;
    Ok(status.success())
}

/// Cargo, as the toolchain that runs us.
pub fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(crate::workspace::root());
    // Set for us by `cargo run`; a nested cargo would hand them to build scripts and rebuild when they change.
    for name in [
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PKG_NAME",
    ] {
        command.env_remove(name);
    }
    command
}

fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

fn could_not_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure::work(format!("cannot start {}: {error}", shown(command)))
}
