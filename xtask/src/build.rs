//! `cargo xtask build`: Trunk builds the page, [`crate::finish`] makes it ready for a static host.

use std::path::{Path, PathBuf};

use crate::options::Options;
use crate::step::{cargo, run, step};
use crate::tools::{self, Tools};
use crate::workspace::{WASM_TARGET, dist, target};
use crate::{Outcome, compress, finish};

/// What a build is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Small and fast, into `dist/`.
    Release,
    /// Quick to build, into a directory of its own so that `dist/` stays a release.
    Watch,
}

impl Purpose {
    /// Where the finished page of this purpose is.
    pub fn output(self) -> PathBuf {
        match self {
            Purpose::Release => dist(),
            Purpose::Watch => target().join("watch"),
        }
    }

    /// Where Trunk puts it before it is finished: apart, so that a test can run beside a watcher.
    fn raw(self) -> PathBuf {
        target().join(match self {
            Purpose::Release => "trunk",
            Purpose::Watch => "trunk-watch",
        })
    }
}

/// Reads the command line and builds a release.
pub fn command(arguments: &[String]) -> Outcome {
    Options::new("build", arguments).finish("no option")?;
    for_hosts()?;
    println!("The page is in {}", dist().display());
    Ok(())
}

/// Builds a release with compressed copies beside its files: what a host is given, and what the tests look at.
pub fn for_hosts() -> Outcome {
    page(Purpose::Release)?;
    step("compress the page", || compress::all(&dist()))
}

/// Builds the page.
pub fn page(purpose: Purpose) -> Outcome {
    let tools = step("find the tools", Tools::ready)?;
    page_with(&tools, purpose)
}

/// Builds the page with tools that are known to be there.
pub fn page_with(tools: &Tools, purpose: Purpose) -> Outcome {
    step("fetch the locked packages", fetch)?;
    let raw = purpose.raw();
    step("build the page", || trunk(tools, purpose, &raw))?;
    step("finish the page", || {
        finish::page(&raw, &purpose.output(), purpose)
    })
}

/// After this a build needs no network. When everything is there already, none is tried.
///
/// Both targets are named: the macros are built for this machine, and without a name cargo takes every system there is.
fn fetch() -> Outcome {
    let host = tools::host()?;
    let arguments = [
        "fetch",
        "--locked",
        "--quiet",
        "--target",
        WASM_TARGET,
        "--target",
        &host,
    ];
    let present = cargo()
        .args(arguments)
        .arg("--offline")
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if present {
        return Ok(());
    }
    run(cargo().args(arguments))
}

fn trunk(tools: &Tools, purpose: Purpose, raw: &Path) -> Outcome {
    let mut command = tools.trunk();
    command
        .args(["build", "--offline=true", "--locked=true", "--dist"])
        .arg(raw);
    if purpose == Purpose::Release {
        command.arg("--release");
    }
    run(&mut command)
}
