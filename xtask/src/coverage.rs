//! `cargo xtask fuzz --target`: coverage-guided fuzzing of what reads texts, with cargo-fuzz on the pinned nightly.

use std::process::{Command, Stdio};

use crate::step::{run, step};
use crate::workspace::root;
use crate::{Failure, Outcome};

/// The targets, and the longest input that each is given: what is longer is only more of the same.
pub const TARGETS: &[(&str, u32)] = &[
    ("scenario", 512),
    ("json", 768),
    ("trace", 1536),
    ("message", 256),
];

/// The version of cargo-fuzz.
const CARGO_FUZZ: &str = "0.13.2";

/// Seconds after which an input counts as one that hangs.
const TIMEOUT: u32 = 20;

/// Gives a target so many inputs. New ones that reach something new are kept in `fuzz/found`, and what fails in
/// `fuzz/artifacts`, which the fuzzer names.
pub fn fuzz(target: &str, executions: u64) -> Outcome {
    let Some((target, longest)) = TARGETS.iter().find(|(name, _)| *name == target) else {
        let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
        return Err(Failure::Usage(format!(
            "there is no target `{target}`; expected one of {}",
            names.join(", ")
        )));
    };
    let toolchain = toolchain()?;
    cargo_fuzz(&toolchain)?;
    let folder = root().join("fuzz");
    let found = folder.join("found").join(target);
    std::fs::create_dir_all(&found)
        .map_err(|error| Failure::work(format!("{}: {error}", found.display())))?;
    let mut command = on(&toolchain, "cargo");
    command
        .args(["fuzz", "run", "--fuzz-dir"])
        .arg(&folder)
        // Safe code needs no sanitizer, and branches alone guide well enough at twice the speed.
        .args(["--sanitizer", "none", "--no-trace-compares", target])
        .arg(&found)
        .arg(folder.join("corpus").join(target))
        .arg("--")
        .arg(format!("-runs={executions}"))
        .arg(format!("-max_len={longest}"))
        .arg(format!("-timeout={TIMEOUT}"))
        .arg(format!("-dict={}", folder.join("words.dict").display()))
        .arg("-print_final_stats=1");
    step(&format!("{executions} inputs for `{target}`"), || {
        run(&mut command)
    })
}

/// What `fuzz/rust-toolchain.toml` pins: the name of the toolchain, and how its compiler names itself.
fn pinned(text: &str) -> Option<(&str, &str)> {
    let channel = text
        .lines()
        .find_map(|line| line.strip_prefix("channel = "));
    let compiler = text.lines().find_map(|line| {
        line.strip_prefix("# ")
            .filter(|said| said.starts_with("rustc "))
    });
    Some((channel?.trim_matches('"'), compiler?))
}

/// The name of an installed toolchain that is the pinned compiler, under that name or another.
fn toolchain() -> Outcome<String> {
    let path = root().join("fuzz/rust-toolchain.toml");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
    let (channel, compiler) = pinned(&text)
        .ok_or_else(|| Failure::work(format!("{} pins no toolchain", path.display())))?;
    for name in [channel, "nightly"] {
        if said(on(name, "rustc").arg("--version")).as_deref() == Some(compiler) {
            return Ok(name.to_owned());
        }
    }
    Err(Failure::work(format!(
        "coverage-guided fuzzing needs the compiler `{compiler}`, and no installed toolchain is that; \
         `rustup toolchain install {channel} --profile minimal` installs it"
    )))
}

fn cargo_fuzz(toolchain: &str) -> Outcome {
    let found = said(on(toolchain, "cargo").args(["fuzz", "--version"]));
    let wanted = format!("cargo-fuzz {CARGO_FUZZ}");
    if found.as_deref() == Some(wanted.as_str()) {
        return Ok(());
    }
    let found = found.unwrap_or_else(|| "none".to_owned());
    Err(Failure::work(format!(
        "coverage-guided fuzzing needs {wanted}, found {found}; \
         `cargo install cargo-fuzz --version ={CARGO_FUZZ} --locked` installs it"
    )))
}

/// A program of a toolchain; none of what our own cargo set for us reaches it.
fn on(toolchain: &str, program: &str) -> Command {
    let mut command = Command::new("rustup");
    command
        .args(["run", toolchain, program])
        .current_dir(root())
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    command
}

/// The one line that a program prints; none when it fails or is not there.
fn said(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pinned_toolchain_is_read() {
        let text = include_str!("../../fuzz/rust-toolchain.toml");
        let (channel, compiler) = pinned(text).expect("a channel and a compiler");
        assert!(channel.starts_with("nightly-20"), "{channel}");
        assert!(
            compiler.starts_with("rustc 1.") && compiler.contains("-nightly ("),
            "{compiler}"
        );
        assert_eq!(pinned("[toolchain]\nchannel = \"nightly\"\n"), None);
    }

    #[test]
    fn every_target_has_a_program_and_seeds() {
        let manifest = include_str!("../../fuzz/Cargo.toml");
        for (target, _) in TARGETS {
            assert!(manifest.contains(&format!("path = \"targets/{target}.rs\"")));
            let seeds = std::fs::read_dir(root().join("fuzz/corpus").join(target));
            assert!(seeds.expect("a corpus").count() > 10, "{target}");
        }
    }

    #[test]
    fn a_target_that_is_not_there_is_named() {
        let refused = fuzz("parser", 1);
        assert!(
            matches!(refused, Err(Failure::Usage(reason)) if reason.contains("scenario, json, trace"))
        );
    }
}
