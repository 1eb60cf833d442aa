//! `cargo xtask test`: everything that CI checks. A failing step does not hide what the later ones would say.

use std::ops::AddAssign;

use crate::build;
use crate::options::Options;
use crate::step::{cargo, run, run_with_lines, step};
use crate::workspace::WASM_TARGET;
use crate::{Failure, Outcome, browser, evidence, fuzz, node, size, tools, wasm};

/// How many tests had which end.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed, and steps that failed without counting tests.
    pub failed: u64,
    /// Tests that are there but were not run.
    pub skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(formatter, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// The steps so far.
#[derive(Default)]
struct Report {
    counts: Counts,
    failed_steps: Vec<String>,
}

impl Report {
    /// A step that only succeeds or fails: its success is no test, its failure must not go unseen.
    fn check(&mut self, what: &str, work: impl FnOnce() -> Outcome) -> bool {
        self.tests(what, || work().map(|()| Counts::default()))
    }

    /// A step that counts tests.
    fn tests(&mut self, what: &str, work: impl FnOnce() -> Outcome<Counts>) -> bool {
        let counts = step(what, || {
            let counts = work()?;
            if counts != Counts::default() {
                println!("    {counts}");
            }
            Ok(counts)
        });
        let counts = counts.unwrap_or_else(|failure| {
            if let Failure::Work(reason) | Failure::Usage(reason) | Failure::Input(reason) = failure
            {
                eprintln!("xtask: {reason}");
            }
            Counts {
                failed: 1,
                ..Counts::default()
            }
        });
        if counts.failed > 0 {
            self.failed_steps.push(what.to_owned());
        }
        self.counts += counts;
        counts.failed == 0
    }

    /// The one line of counts comes last, alone.
    fn close(self) -> Outcome {
        let ran_nothing = self.counts.passed + self.counts.failed == 0;
        if !self.failed_steps.is_empty() {
            println!("failed: {}", self.failed_steps.join("; "));
        }
        if ran_nothing {
            println!("no test ran");
        }
        println!("{}", self.counts);
        if self.failed_steps.is_empty() && !ran_nothing {
            return Ok(());
        }
        Err(Failure::Reported)
    }
}

/// Reads the command line and runs the parts it asks for.
pub fn command(arguments: &[String]) -> Outcome {
    let mut options = Options::new("test", arguments);
    let native_only = options.switch("--native");
    let browser_only = options.switch("--browser");
    let cases_only = options.switch("--cases");
    let wasm_only = options.switch("--wasm");
    let as_built = options.switch("--as-built");
    let for_playwright = options.passed_on();
    options.finish("--native, --browser, --cases, --wasm, --as-built and -- ARGUMENTS")?;
    if [native_only, browser_only, cases_only, wasm_only]
        .iter()
        .filter(|chosen| **chosen)
        .count()
        > 1
    {
        return Err(Failure::Usage(
            "`--native`, `--browser`, `--cases` and `--wasm` exclude each other; choose one or none"
                .to_owned(),
        ));
    }
    let mut report = Report::default();
    if cases_only {
        report.tests(CASES, cases);
        return report.close();
    }
    if wasm_only {
        report.tests(GOLDEN, wasm::compare);
        return report.close();
    }
    if !browser_only {
        native(&mut report);
    }
    if !native_only {
        in_browser(&mut report, as_built, &for_playwright);
    }
    report.close()
}

/// The name of the step that runs the cases.
pub const CASES: &str = "recorded cases of real Kafka, and the checker's table";

const RANDOM_RUNS: &str = "random-runs";

/// The name of the step that compares wasm with native.
pub const GOLDEN: &str = "wasm tests: golden and random runs give the same digests as natively";

fn native(report: &mut Report) {
    report.check("formatting", || {
        run(cargo().args(["fmt", "--all", "--check"]))
    });
    report.check("lints", || {
        run(cargo().args([
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ]))
    });
    report.check("lints of the browser build", || {
        tools::wasm_target()?;
        let packages = ["--package", "highwater", "--package", "wasm-digest"];
        run(cargo()
            .args(["clippy", "--locked", "--target", WASM_TARGET, "--quiet"])
            .args(packages)
            .args(["--", "-D", "warnings"]))
    });
    report.tests("native tests", || {
        cargo_test(&["--workspace", "--exclude", RANDOM_RUNS, "--no-fail-fast"])
    });
    let fresh = report.check("forget what older tests measured", evidence::forget);
    let measured = [
        report.tests("random runs", random_runs),
        report.tests(CASES, cases),
        report.tests(GOLDEN, wasm::compare),
    ];
    // Cases of another folder are not what the page tells.
    let own = std::env::var_os("HIGHWATER_CASES").is_none();
    if own && fresh && measured.iter().all(|passed| *passed) {
        report.check(
            "the figures of the evidence page are those that were measured",
            evidence::compare,
        );
    }
}

/// Makes the random runs.
pub fn random_runs() -> Outcome<Counts> {
    // Optimised: what a minute has time for is what they find.
    cargo_test(&["--profile", fuzz::PROFILE, "--package", RANDOM_RUNS])
}

fn in_browser(report: &mut Report, as_built: bool, for_playwright: &[String]) {
    // Before the build, which minifies with a package from here: what is tested is what is deployed.
    let mut ready = report.check("install the packages of the browser tests", node::install);
    if !as_built {
        ready &= report.check("release build", build::for_hosts);
        ready &= report.check("size gate", size::gate);
    }
    if ready {
        report.tests("browser tests", || browser::tests(for_playwright));
    } else {
        println!("==> browser tests: not run, as a step before them failed");
    }
}

/// Runs the cases of real Kafka, and counts cases instead of the one test that runs them all.
pub fn cases() -> Outcome<Counts> {
    let mut command = cargo();
    command
        // Optimised: the checker looks at some twenty million states.
        .args(["test", "--locked", "--profile", fuzz::PROFILE])
        .args(["--package", "highwater-core", "--test", "conformance"])
        .args(["every_case", "--", "--nocapture"]);
    if let Some(folder) = std::env::var_os("HIGHWATER_CASES") {
        // Relative to where the command was given; the test runs elsewhere.
        let absolute = std::path::absolute(folder).map_err(|e| Failure::work(e.to_string()))?;
        command.env("HIGHWATER_CASES", absolute);
    }
    let mut counts = Counts::default();
    let succeeded = run_with_lines(&mut command, |line| {
        if let Some(found) = cases_of(line) {
            counts += found;
        }
    })?;
    if !succeeded && counts.failed == 0 {
        counts.failed = 1;
    }
    Ok(counts)
}

/// `kafka-unit-cases.json: 153 passed, 0 failed, 0 skipped; …`
fn cases_of(line: &str) -> Option<Counts> {
    let (file, results) = line.split_once(": ")?;
    if !file.ends_with(".json") {
        return None;
    }
    let mut parts = results.split_once(';')?.0.split(", ");
    let mut number = |name: &str| parts.next()?.strip_suffix(name)?.trim().parse().ok();
    Some(Counts {
        passed: number("passed")?,
        failed: number("failed")?,
        skipped: number("skipped")?,
    })
}

/// Where proptest reads the seed of its generated cases.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Runs `cargo test` and adds up the results of its binaries.
fn cargo_test(arguments: &[&str]) -> Outcome<Counts> {
    let mut counts = Counts::default();
    let mut command = cargo();
    command.args(["test", "--locked"]).args(arguments);
    // The same cases for everyone: what fails here fails again, and nobody's change fails for an older fault.
    // Another seed in the environment, or `cargo test` alone, tries others.
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "1");
    }
    let succeeded = run_with_lines(&mut command, |line| {
        if let Some(found) = counts_of(line) {
            counts += found;
        }
    })?;
    if !succeeded && counts.failed == 0 {
        // A test that does not compile or that ends its process leaves no result line.
        counts.failed = 1;
    }
    Ok(counts)
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; …`
fn counts_of(line: &str) -> Option<Counts> {
    let (_, results) = line
        .trim()
        .strip_prefix("test result: ")?
        .split_once(". ")?;
    let number = |name: &str| {
        results
            .split("; ")
            .find_map(|part| part.strip_suffix(name)?.trim().parse().ok())
            .unwrap_or(0)
    };
    Some(Counts {
        passed: number("passed"),
        failed: number("failed"),
        skipped: number("ignored"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_of_cargo_are_counted() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.02s";
        assert_eq!(
            counts_of(line),
            Some(Counts {
                passed: 12,
                failed: 3,
                skipped: 1
            })
        );
        assert_eq!(counts_of("test a ... ok"), None);
    }

    #[test]
    fn lines_of_case_files_are_counted() {
        let line = "user-cases.json: 40 passed, 1 failed, 37 skipped; 294 values compared";
        let counts = Counts {
            passed: 40,
            failed: 1,
            skipped: 37,
        };
        assert_eq!(cases_of(line), Some(counts));
        assert_eq!(cases_of("checker-golden.json: not there"), None);
        assert_eq!(cases_of("  failed: UC-05: {}: leo; more"), None);
    }

    #[test]
    fn the_last_line_is_plain() {
        let mut counts = Counts {
            passed: 312,
            failed: 0,
            skipped: 0,
        };
        assert_eq!(counts.to_string(), "312 passed, 0 failed");
        counts.skipped = 2;
        assert_eq!(counts.to_string(), "312 passed, 0 failed, 2 skipped");
    }

    #[test]
    fn a_failed_step_counts_as_a_failure() {
        let mut report = Report::default();
        assert!(report.tests("tests", || Ok(Counts {
            passed: 2,
            ..Counts::default()
        })));
        assert!(!report.check("lints", || Err(Failure::work("a warning"))));
        assert_eq!(
            report.counts,
            Counts {
                passed: 2,
                failed: 1,
                skipped: 0
            }
        );
        assert!(report.close().is_err());
    }

    #[test]
    fn a_run_without_tests_is_no_success() {
        assert!(Report::default().close().is_err());
    }
}
