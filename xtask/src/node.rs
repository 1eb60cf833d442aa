//! Node: used for the JavaScript minifier, for the wasm comparison and for the browser tests.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::step::run;
use crate::workspace::{read, root, write};
use crate::{Failure, Outcome};

/// The directory with the one `package.json` of the project.
pub fn packages() -> PathBuf {
    root().join("e2e")
}

/// Node, or a message that says what to install.
pub fn node() -> Outcome<Command> {
    let usable = Command::new("node")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if usable {
        return Ok(Command::new("node"));
    }
    Err(Failure::work(
        "node is missing; install Node.js 20 or newer (it must be on PATH)",
    ))
}

/// Whether the packages of the lock are installed.
pub fn installed() -> bool {
    let lock = read(&packages().join("package-lock.json")).ok();
    lock.is_some() && lock == read(&stamp()).ok()
}

/// Installs the packages of the lock unless they are there. No install script runs, so none can download a browser.
pub fn install() -> Outcome {
    if installed() {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    run(Command::new(npm)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(packages()))?;
    write(&stamp(), read(&packages().join("package-lock.json"))?)
}

/// The lock that was installed: `npm ci` empties the directory first, so the stamp never outlives its packages.
fn stamp() -> PathBuf {
    packages().join("node_modules/.highwater-lock")
}
