//! `cargo xtask bench`: figures of the page and of the model.

use std::time::Instant;

use crate::options::Options;
use crate::step::{cargo, run, step};
use crate::workspace::{dist, root};
use crate::{Outcome, size};

/// Reads the command line and prints the figures.
pub fn command(arguments: &[String]) -> Outcome {
    Options::new("bench", arguments).finish("no option")?;
    page()?;
    model()
}

/// The size of the page, and how long the comparison of digests takes natively as a first figure of speed.
fn page() -> Outcome {
    if !dist().join("index.html").is_file() {
        println!(
            "The page is not built; `cargo xtask build` makes it, then its size is shown here."
        );
        return Ok(());
    }
    for file in size::measure(&dist())? {
        println!(
            "{:<44}{:>10} bytes{:>10} gzip",
            file.name, file.raw, file.gzip
        );
    }
    Ok(())
}

/// The benchmarks of the model are `core/benches/*.rs`; they are built with the profile of a release.
fn model() -> Outcome {
    for case in wasm_digest::CASES {
        let start = Instant::now();
        let digest = (case.run)();
        println!(
            "golden run {:<33}{:>10} µs (digest {digest:016x}, test profile)",
            case.name,
            start.elapsed().as_micros()
        );
    }
    if !root().join("core/benches").is_dir() {
        println!("The model has no benchmarks yet; put them into core/benches.");
        return Ok(());
    }
    step("benchmarks of the model", || {
        run(cargo().args([
            "bench",
            "--locked",
            "--package",
            "highwater-core",
            "--benches",
        ]))
    })
}
