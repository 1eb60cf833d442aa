//! The wasm tests: every golden run and every random run of [`wasm_digest`] must give the same digest in wasm as natively.

use std::path::PathBuf;

use crate::node;
use crate::step::{capture, cargo, run};
use crate::test::Counts;
use crate::workspace::{WASM_TARGET, root, target};
use crate::{Failure, Outcome};
use wasm_digest::random;

/// The profile of a module that is loaded when somebody asks: speed counts, not size.
pub const SEARCH: &str = "search";

/// Where the compiler is told how to treat wasm.
const FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Copies of states as loads and stores. LLVM would make each an instruction `memory.copy` (or `memory.fill`), which engines
/// answer with a call that costs more than the hundred bytes of a state.
const IN_LINE: &str = "-Cllvm-args=-max-store-memcpy=32 -Cllvm-args=-max-store-memset=32 \
                       -Cllvm-args=-max-store-memmove=16";

/// Three times the usual room for inlining: a call costs more in wasm than natively (7 % of the search's states a second).
const INLINED: &str = "-Cllvm-args=-inline-threshold=600";

/// Builds the wasm module with the profile of the page; where it is.
pub fn build() -> Outcome<PathBuf> {
    module("wasm-digest", "release")
}

/// Builds a package as a bare wasm module, without glue; where it is.
pub fn module(package: &str, profile: &str) -> Outcome<PathBuf> {
    let mut command = cargo();
    command
        .args(["build", "--locked", "--quiet", "--profile", profile])
        .args(["--package", package, "--lib", "--target", WASM_TARGET]);
    if profile == SEARCH {
        command.env(FLAGS, format!("{IN_LINE} {INLINED}"));
    }
    run(&mut command)?;
    let folder = target().join(WASM_TARGET).join(profile);
    Ok(folder.join(format!("{}.wasm", package.replace('-', "_"))))
}

/// Evaluates the wasm module under node and compares. Natively and in wasm it takes about as long, so both go at once.
pub fn compare() -> Outcome<Counts> {
    let module = build()?;
    let mut node = node::node()?;
    node.arg(root().join("xtask/wasm-digest/run.mjs"))
        .arg(module);
    let (said, expected) = std::thread::scope(|scope| {
        let native = scope.spawn(native);
        (capture(&mut node), native.join())
    });
    let said = said?;
    let expected = expected.map_err(|_| Failure::work("a golden run panicked natively"))?;
    let lines: Vec<&str> = said.lines().collect();
    if lines.len() != expected.len() {
        return Err(Failure::work(format!(
            "the wasm module has {} digests, the native one {}",
            lines.len(),
            expected.len()
        )));
    }
    let mut counts = Counts::default();
    for ((name, native), line) in expected.iter().zip(lines) {
        if native == line {
            counts.passed += 1;
        } else {
            counts.failed += 1;
            println!("wasm {name} ... FAILED: native `{native}`, wasm `{line}`");
        }
    }
    println!(
        "    {} golden runs and {} random runs compared",
        wasm_digest::cases().count(),
        random::RUNS
    );
    Ok(counts)
}

/// What the module has to say, line by line, with a name for the report.
fn native() -> Vec<(String, String)> {
    let cases = wasm_digest::cases().enumerate();
    let golden = cases.map(|(index, case)| {
        let line = format!("{index} {:016x}", case.digest());
        (case.name.to_owned(), line)
    });
    let random = (0..random::chunks()).map(|chunk| {
        let line = format!("random {chunk} {:016x}", random::digest_of_chunk(chunk));
        (format!("chunk {chunk} of the random runs"), line)
    });
    golden.chain(random).collect()
}
