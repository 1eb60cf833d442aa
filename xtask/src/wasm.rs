//! The wasm tests: every golden run of [`wasm_digest`] must give the same digest in wasm as natively.

use std::path::PathBuf;

use crate::node;
use crate::step::{capture, cargo, run};
use crate::test::Counts;
use crate::workspace::{WASM_TARGET, root, target};
use crate::{Failure, Outcome};

/// Builds the wasm module with the profile of the page; where it is.
pub fn build() -> Outcome<PathBuf> {
    run(cargo().args([
        "build",
        "--locked",
        "--release",
        "--package",
        "wasm-digest",
        "--lib",
        "--target",
        WASM_TARGET,
    ]))?;
    Ok(target().join(WASM_TARGET).join("release/wasm_digest.wasm"))
}

/// Evaluates the wasm module under node and compares.
pub fn compare() -> Outcome<Counts> {
    let module = build()?;
    let said = capture(
        node::node()?
            .arg(root().join("xtask/wasm-digest/run.mjs"))
            .arg(module),
    )?;
    let lines: Vec<&str> = said.lines().collect();
    let cases: Vec<_> = wasm_digest::cases().collect();
    if lines.len() != cases.len() {
        return Err(Failure::work(format!(
            "the wasm module has {} cases, the native one {}",
            lines.len(),
            cases.len()
        )));
    }
    let mut counts = Counts::default();
    for (index, (case, line)) in cases.iter().zip(lines).enumerate() {
        let native = format!("{index} {:016x}", case.digest());
        if native == line {
            counts.passed += 1;
        } else {
            counts.failed += 1;
            println!(
                "wasm {} ... FAILED: native `{native}`, wasm `{line}`",
                case.name
            );
        }
    }
    println!("    {} golden runs compared", cases.len());
    Ok(counts)
}
