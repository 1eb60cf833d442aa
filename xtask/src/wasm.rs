//! The wasm tests: every golden run of [`wasm_digest`] must give the same digest in wasm as natively.

use std::path::PathBuf;

use crate::node;
use crate::step::{capture, cargo, run};
use crate::test::Counts;
use crate::workspace::{WASM_TARGET, root, target};
use crate::{Failure, Outcome};

/// Builds the wasm module with the profile of the page, evaluates it under node and compares.
pub fn compare() -> Outcome<Counts> {
    run(cargo().args([
        "build",
        "--locked",
        "--release",
        "--package",
        "wasm-digest",
        "--target",
        WASM_TARGET,
    ]))?;
    let said = capture(
        node::node()?
            .arg(root().join("xtask/wasm-digest/run.mjs"))
            .arg(module()),
    )?;
    let lines: Vec<&str> = said.lines().collect();
    if lines.len() != wasm_digest::CASES.len() {
        return Err(Failure::work(format!(
            "the wasm module has {} cases, the native one {}",
            lines.len(),
            wasm_digest::CASES.len()
        )));
    }
    let mut counts = Counts::default();
    for (index, (case, line)) in wasm_digest::CASES.iter().zip(lines).enumerate() {
        let native = format!("{index} {:016x}", (case.run)());
        if native == line {
            counts.passed += 1;
            println!("wasm {} ... ok", case.name);
        } else {
            counts.failed += 1;
            println!(
                "wasm {} ... FAILED: native `{native}`, wasm `{line}`",
                case.name
            );
        }
    }
    Ok(counts)
}

fn module() -> PathBuf {
    target().join(WASM_TARGET).join("release/wasm_digest.wasm")
}
