//! Pinned tools: a matching one on PATH is taken, else it is built once into a cache of the user.
//!
//! They are built from crates.io, where every version stays what it was; no prebuilt binary is downloaded.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{capture, cargo, run, step};
use crate::workspace::{TRUNK, WASM_TARGET, locked_version, root};
use crate::{Failure, Outcome};

/// A program that a build needs.
struct Tool {
    /// The package on crates.io.
    package: &'static str,
    /// The one program of it that is wanted.
    program: &'static str,
    /// The exact version.
    version: String,
}

/// The programs of a build.
pub struct Tools {
    trunk: PathBuf,
    wasm_bindgen: PathBuf,
}

impl Tools {
    /// Finds the tools, or installs what is missing: one after the other, as each build uses every core.
    pub fn ready() -> Outcome<Self> {
        wasm_target()?;
        let trunk = Tool {
            package: "trunk",
            program: "trunk",
            version: TRUNK.to_owned(),
        };
        let wasm_bindgen = Tool {
            package: "wasm-bindgen-cli",
            program: "wasm-bindgen",
            version: locked_version("wasm-bindgen")?,
        };
        Ok(Tools {
            wasm_bindgen: wasm_bindgen.ready()?,
            trunk: trunk.ready()?,
        })
    }

    /// Trunk, set up to find the pinned wasm-bindgen and to download nothing.
    pub fn trunk(&self) -> Command {
        let mut command = Command::new(&self.trunk);
        command
            .current_dir(root())
            .env("PATH", path_starting_with(self.wasm_bindgen.parent()))
            .env("TRUNK_SKIP_VERSION_CHECK", "true")
            // Trunk 0.21 reads NO_COLOR as a switch of its own and stops at the usual value 1.
            .env_remove("NO_COLOR");
        command
    }
}

impl Tool {
    fn ready(&self) -> Outcome<PathBuf> {
        let home = cache()?.join(format!("{}-{}", self.package, self.version));
        let cached =
            home.join("bin")
                .join(format!("{}{}", self.program, std::env::consts::EXE_SUFFIX));
        if self.matches(&cached) {
            return Ok(cached);
        }
        if let Some(found) = on_path(self.program).filter(|program| self.matches(program)) {
            return Ok(found);
        }
        let what = format!(
            "install {} {} into {} (once; some minutes)",
            self.package,
            self.version,
            home.display()
        );
        step(&what, || self.install(&home))?;
        if self.matches(&cached) {
            return Ok(cached);
        }
        Err(Failure::work(format!(
            "{} was installed but does not say that it is {}",
            cached.display(),
            self.version
        )))
    }

    /// The release profiles of the tools ask for link-time optimisation over one unit, which takes Trunk from about
    /// four minutes to fourteen on two cores and gains nothing that a build of this page would notice.
    fn install(&self, home: &Path) -> Outcome {
        run(cargo()
            .args(["install", self.package, "--locked", "--bin", self.program])
            .args(["--version", &format!("={}", self.version)])
            .arg("--root")
            .arg(home)
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"))
    }

    fn matches(&self, program: &Path) -> bool {
        let Ok(output) = Command::new(program).arg("--version").output() else {
            return false;
        };
        let said = String::from_utf8_lossy(&output.stdout);
        said.split_whitespace().any(|word| word == self.version)
    }
}

/// The first program of that name on PATH.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|directory| directory.join(&name))
        .find(|candidate| candidate.is_file())
}

fn path_starting_with(first: Option<&Path>) -> OsString {
    let present = std::env::var_os("PATH").unwrap_or_default();
    let directories = first
        .map(Path::to_path_buf)
        .into_iter()
        .chain(std::env::split_paths(&present));
    std::env::join_paths(directories).unwrap_or(present)
}

/// Where installed tools live: per user, so that a fresh clone finds them.
fn cache() -> Outcome<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(directory) = variable("HIGHWATER_TOOLS") {
        return Ok(PathBuf::from(directory));
    }
    let base = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .or_else(|| variable("LOCALAPPDATA").map(PathBuf::from));
    match base {
        Some(base) => Ok(base.join("highwater").join("tools")),
        None => Err(Failure::work(
            "no home directory to keep tools in; set HIGHWATER_TOOLS to a directory",
        )),
    }
}

/// The target that this machine builds for by itself.
pub fn host() -> Outcome<String> {
    let said = capture(Command::new("rustc").arg("-vV").current_dir(root()))?;
    said.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| Failure::work("`rustc -vV` names no host"))
}

/// Adds the wasm target to the toolchain unless it is there; rustup usually did so from rust-toolchain.toml.
pub fn wasm_target() -> Outcome {
    let sysroot = capture(
        Command::new("rustc")
            .args(["--print", "sysroot"])
            .current_dir(root()),
    )?;
    let libraries = Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(WASM_TARGET);
    if libraries.is_dir() {
        return Ok(());
    }
    step(&format!("add the target {WASM_TARGET}"), || {
        run(Command::new("rustup")
            .args(["target", "add", WASM_TARGET])
            .current_dir(root()))
    })
}
