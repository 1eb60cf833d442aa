//! `cargo xtask bench`: figures of the model, natively and in wasm, and of the page, against their bars.

mod lighthouse;
mod search;

use std::collections::BTreeMap;
use std::process::Command;

use crate::options::Options;
use crate::step::{capture, cargo, run, step};
use crate::workspace::{dist, root, target, write};
use crate::{Failure, Outcome, browser, node, size, wasm};

/// So often both halves are measured, in turns: a machine that is busy for a while is busy for both.
const ROUNDS: usize = 5;

/// wasm events per second over native ones.
const RATIO_BAR: f64 = 0.8;

/// Linear memory while a run of 10,000 events is held.
const MEMORY_BAR: f64 = 64.0 * 1024.0 * 1024.0;

/// Reads the command line and prints the figures.
pub fn command(arguments: &[String]) -> Outcome {
    let mut options = Options::new("bench", arguments);
    let model_only = options.switch("--model");
    let check_only = options.switch("--check");
    let lighthouse_only = options.switch("--lighthouse");
    options.finish("--model, --check and --lighthouse")?;
    if lighthouse_only {
        return lighthouse::figures();
    }
    if check_only {
        return search::figures();
    }
    if !model_only {
        page()?;
    }
    model()?;
    search::figures()
}

/// What a reader waits for, in ms, without throttling and at 4× CPU throttling.
const TOGGLE_BARS: [f64; 2] = [16.0, 50.0];

/// A toggle with B beside A, on a script of 300 steps, until both are redrawn, in ms.
const PAIR_BAR: f64 = 33.0;

/// The outcome matrix of a script of thirty steps, from the edit to the last cell, in ms.
const MATRIX_BAR: f64 = 200.0;

/// How long a key may wait while it is computed, in ms.
const DELAY_BAR: f64 = 50.0;

/// p95 of a frame while the playhead is moved through a run of 10,000 events, in ms.
const SCRUB_BAR: f64 = 16.7;

/// The built page: its size, and its figures in a browser.
fn page() -> Outcome {
    if !dist().join("index.html").is_file() {
        println!(
            "The page is not built, so only the model is measured; `cargo xtask build` makes it."
        );
        return Ok(());
    }
    let files = size::measure(&dist())?;
    let gzip: usize = files.iter().map(|file| file.gzip).sum();
    step("install the packages of the browser", node::install)?;
    let scripts = target().join("bench");
    std::fs::create_dir_all(&scripts)
        .map_err(|error| Failure::work(format!("{}: {error}", scripts.display())))?;
    let [short, many, long] =
        ["thirty.hw", "three-hundred.hw", "long.hw"].map(|name| scripts.join(name));
    write(&short, wasm_digest::bench::THIRTY)?;
    write(&many, wasm_digest::bench::three_hundred())?;
    write(&long, wasm_digest::bench::long())?;
    let figures = step("measure the page", || {
        let mut command = browser::beside_the_page()?;
        Ok(figures_of(&capture(
            command.arg("bench/page.mjs").args([short, many, long]),
        )?))
    })?;
    println!("First load, without a person: {gzip} bytes gzip (the gate is `cargo xtask size`)");
    let rounds = [figures];
    for (throttling, limit) in [1, 4].into_iter().zip(TOGGLE_BARS) {
        let name = format!("toggle-{throttling}");
        let (middle, most) = (median(&rounds, &name, 0)?, median(&rounds, &name, 1)?);
        bar(
            &format!("toggle to redrawn, thirty steps, {throttling}× (ms)"),
            &format!("{middle:.1}, p95 {most:.1}"),
            &format!("median at most {limit}"),
            middle <= limit,
        );
        let name = format!("settled-{throttling}");
        let (middle, most) = (median(&rounds, &name, 0)?, median(&rounds, &name, 1)?);
        let what = format!("until all below the window is written, {throttling}× (ms)");
        println!("{what:<48}{:>18}", format!("{middle:.0}, p95 {most:.0}"));
    }
    beside_and_matrix(&rounds)?;
    for throttling in [1, 4] {
        let name = format!("scrub-{throttling}");
        let (middle, most) = (median(&rounds, &name, 0)?, median(&rounds, &name, 1)?);
        let what = format!("frame while scrubbing the long run, {throttling}× (ms)");
        let figure = format!("{middle:.1}, p95 {most:.1}");
        if throttling == 1 {
            bar(
                &what,
                &figure,
                &format!("p95 at most {SCRUB_BAR}"),
                most <= SCRUB_BAR,
            );
        } else {
            println!("{what:<48}{figure:>18}");
        }
    }
    let memory = median(&rounds, "page-memory", 0)?;
    bar(
        "linear memory of the page with the long run",
        &format!("{:.1} MB", memory / 1024.0 / 1024.0),
        "at most 64 MB",
        memory <= MEMORY_BAR,
    );
    let (seconds, states) = (median(&rounds, "check", 0)?, median(&rounds, "check", 1)?);
    bar(
        "three brokers, three records, two faults (s)",
        &format!("{seconds:.1}, {states} states"),
        &format!("at most {}", search::ANSWER_BAR),
        seconds <= search::ANSWER_BAR,
    );
    Ok(())
}

/// A and B, and the outcome matrix.
fn beside_and_matrix(rounds: &[Figures]) -> Outcome {
    let (middle, most) = (median(rounds, "pair", 0)?, median(rounds, "pair", 1)?);
    bar(
        "toggle to A and B redrawn, 300 steps (ms)",
        &format!("{middle:.1}, p95 {most:.1}"),
        &format!("median at most {PAIR_BAR}"),
        middle <= PAIR_BAR,
    );
    let (middle, most) = (median(rounds, "matrix", 0)?, median(rounds, "matrix", 1)?);
    bar(
        "edit to the whole matrix, thirty steps (ms)",
        &format!("{middle:.1}, p95 {most:.1}"),
        &format!("median at most {MATRIX_BAR}"),
        middle <= MATRIX_BAR,
    );
    let (middle, most) = (
        median(rounds, "matrix-delay", 0)?,
        median(rounds, "matrix-delay", 1)?,
    );
    bar(
        "delay of a key meanwhile (ms)",
        &format!("{middle:.1}, most {most:.1}"),
        &format!("at most {DELAY_BAR}"),
        most <= DELAY_BAR,
    );
    Ok(())
}

/// The figures of one process: a name and its values.
type Figures = BTreeMap<String, Vec<f64>>;

/// The model, natively and in wasm.
fn model() -> Outcome {
    let module = step("build the benchmarks for wasm", wasm::build)?;
    step("build the benchmarks natively", || {
        run(&mut native(&["--no-run", "--quiet"]))
    })?;
    let mut natives = Vec::new();
    let mut wasms = Vec::new();
    step("measure", || {
        for _ in 0..ROUNDS {
            natives.push(figures_of(&capture(&mut native(&["--quiet"]))?));
            let mut command = node::node()?;
            let script = root().join("xtask/wasm-digest/bench.mjs");
            wasms.push(figures_of(&capture(command.arg(script).arg(&module))?));
        }
        Ok(())
    })?;
    report(&natives, &wasms)
}

fn native(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command
        .args(["bench", "--locked", "--package", "wasm-digest"])
        .args(["--bench", "native"])
        .args(arguments);
    command
}

fn figures_of(said: &str) -> Figures {
    said.lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let name = words.next()?.to_owned();
            let values: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
            (!values.is_empty()).then_some((name, values))
        })
        .collect()
}

/// The median over the rounds of the value at a place of a figure.
fn median(rounds: &[Figures], name: &str, place: usize) -> Outcome<f64> {
    let mut values: Vec<f64> = rounds
        .iter()
        .filter_map(|figures| figures.get(name)?.get(place).copied())
        .collect();
    values.sort_by(f64::total_cmp);
    values
        .get(values.len() / 2)
        .copied()
        .ok_or_else(|| Failure::work(format!("no round printed the figure `{name}`")))
}

fn report(natives: &[Figures], wasms: &[Figures]) -> Outcome {
    let events = median(natives, "events", 0)?;
    if events != median(wasms, "events", 0)? {
        return Err(Failure::work("the run has not the same events in wasm"));
    }
    println!("A run of {events} events, medians of {ROUNDS} rounds:");
    println!("{:<48}{:>9}{:>9}", "", "native", "wasm");
    let row = |what: &str, name: &str, place: usize, scale: f64| -> Outcome<(f64, f64)> {
        let (native, wasm) = (median(natives, name, place)?, median(wasms, name, place)?);
        println!("{what:<48}{:>9.1}{:>9.1}", native / scale, wasm / scale);
        Ok((native, wasm))
    };
    let (native, wasm) = row("events per second (thousands)", "per-second", 0, 1e3)?;
    row("state at a random instant, median (µs)", "scrub", 0, 1.0)?;
    row("state at a random instant, p95 (µs)", "scrub", 1, 1.0)?;
    row("run and verdict of thirty steps (µs)", "thirty", 0, 1.0)?;
    let ratio = wasm / native;
    bar(
        "wasm / native events per second",
        &format!("{ratio:.3}"),
        &format!("at least {RATIO_BAR}"),
        ratio >= RATIO_BAR,
    );
    let memory = median(wasms, "memory", 0)?;
    bar(
        "linear memory with that run held",
        &format!("{:.1} MB", memory / 1024.0 / 1024.0),
        "at most 64 MB",
        memory <= MEMORY_BAR,
    );
    Ok(())
}

/// A figure against its bar. A figure is no test: the command does not fail for one.
fn bar(what: &str, figure: &str, bar: &str, met: bool) {
    let verdict = if met { "met" } else { "MISSED" };
    println!("{what:<48}{figure:>18}   bar: {bar}, {verdict}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_their_median_taken() {
        let rounds: Vec<Figures> = ["scrub 1 9\nevents 5", "noise\nscrub 3 7", "scrub 2 8"]
            .map(figures_of)
            .into();
        assert_eq!(median(&rounds, "scrub", 0).ok(), Some(2.0));
        assert_eq!(median(&rounds, "scrub", 1).ok(), Some(8.0));
        assert_eq!(median(&rounds, "events", 0).ok(), Some(5.0));
        assert!(median(&rounds, "noise", 0).is_err());
    }
}
