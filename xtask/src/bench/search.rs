//! The checker's figures: distinct states per second and bytes per state, natively and in wasm, one thread each.

use std::process::Command;

use wasm_digest::search::SEARCHES;

use super::{Figures, bar, figures_of};
use crate::step::{capture, cargo, run, step};
use crate::workspace::root;
use crate::{Failure, Outcome, node, wasm};

/// So often both halves search, in turns. The fastest counts: whatever else the machine does only ever slows a search.
const ROUNDS: usize = 3;

/// Distinct states per second of one native thread.
const SPEED_BAR: f64 = 150_000.0;

/// The most memory for a distinct state.
const BYTES_BAR: f64 = 100.0;

/// wasm states per second over native ones.
const RATIO_BAR: f64 = 0.8;

/// How long the page's question may take in wasm, in seconds.
pub const ANSWER_BAR: f64 = 10.0;

/// Searches natively and in wasm, and prints the figures.
pub fn figures() -> Outcome {
    let module = step("build the checker for wasm", || {
        wasm::module("wasm-digest", wasm::SEARCH)
    })?;
    step("build the checker natively", || {
        run(&mut native(&["--no-run", "--quiet"]))
    })?;
    let (mut natives, mut wasms) = (Vec::new(), Vec::new());
    step("search", || {
        for _ in 0..ROUNDS {
            natives.push(figures_of(&capture(&mut native(&["--quiet"]))?));
            let mut command = node::node()?;
            command.arg(root().join("xtask/wasm-digest/search.mjs"));
            command.arg(&module).args(SEARCHES.iter().map(|s| s.0));
            wasms.push(figures_of(&capture(&mut command)?));
        }
        Ok(())
    })?;
    report(&natives, &wasms)
}

fn native(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command
        .args(["bench", "--locked", "--package", "wasm-digest"])
        .args(["--bench", "search"])
        .args(arguments);
    command
}

/// States, seconds and bytes of the fastest round.
fn fastest(rounds: &[Figures], name: &str) -> Outcome<[f64; 3]> {
    rounds
        .iter()
        .filter_map(|figures| <[f64; 3]>::try_from(figures.get(name)?.as_slice()).ok())
        .min_by(|a, b| a[1].total_cmp(&b[1]))
        .ok_or_else(|| Failure::work(format!("no round printed the search `{name}`")))
}

fn report(natives: &[Figures], wasms: &[Figures]) -> Outcome {
    println!("The checker, one thread, seconds of its own, the fastest of {ROUNDS} rounds:");
    println!(
        "{:<28}{:>12}{:>18}{:>18}{:>10}",
        "", "states", "native states/s", "wasm states/s", "ratio"
    );
    let (mut slowest, mut largest) = (f64::INFINITY, 0_f64);
    let (mut logarithms, mut answer) = (0.0, 0.0);
    for (name, _) in SEARCHES {
        let [states, seconds, bytes] = fastest(natives, name)?;
        let [same, in_wasm, linear] = fastest(wasms, name)?;
        if states != same {
            return Err(Failure::work(format!(
                "`{name}` has {states} states natively, {same} in wasm"
            )));
        }
        let (speed, other) = (states / seconds, states / in_wasm);
        println!(
            "{name:<28}{states:>12}{speed:>18.0}{other:>18.0}{:>10.3}",
            other / speed
        );
        slowest = slowest.min(speed);
        largest = largest.max(bytes / states).max(linear / states);
        logarithms += (other / speed).ln();
        answer = in_wasm;
    }
    let ratio = (logarithms / SEARCHES.len() as f64).exp();
    bar(
        "distinct states per second, natively, slowest",
        &format!("{slowest:.0}"),
        &format!("at least {SPEED_BAR}"),
        slowest >= SPEED_BAR,
    );
    bar(
        "bytes per state, most of both",
        &format!("{largest:.0}"),
        &format!("at most {BYTES_BAR}"),
        largest <= BYTES_BAR,
    );
    bar(
        "wasm / native states per second, mean",
        &format!("{ratio:.3}"),
        &format!("at least {RATIO_BAR}"),
        ratio >= RATIO_BAR,
    );
    bar(
        "three brokers, records, two faults, wasm (s)",
        &format!("{answer:.1}"),
        &format!("at most {ANSWER_BAR}"),
        answer <= ANSWER_BAR,
    );
    Ok(())
}
