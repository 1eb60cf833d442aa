//! `cargo xtask fuzz`: random runs of the model from a seed, as many as wanted; or inputs for what reads texts.

use crate::options::Options;
use crate::step::{cargo, run};
use crate::{Failure, Outcome, coverage};

/// Overflow checks stay on, panics can be caught, and it is fast: see the profile in `Cargo.toml`.
pub const PROFILE: &str = "fuzz";

/// Inputs for a target when none are asked for.
const EXECUTIONS: u64 = 100_000;

/// Reads the command line and makes the runs; one that fails is shrunk, printed as a scenario, and ends the command with 1.
pub fn command(arguments: &[String]) -> Outcome {
    let mut options = Options::new("fuzz", arguments);
    let runs = number(&mut options, "--runs")?;
    let seed = number(&mut options, "--seed")?.unwrap_or(1);
    let threads = number(&mut options, "--threads")?;
    let target = options.value("--target", "a name")?;
    let executions = number(&mut options, "--executions")?;
    options.finish("--runs N, --seed S and --threads N, or --target NAME and --executions N")?;
    if let Some(target) = target {
        if runs.is_some() {
            return Err(Failure::Usage(
                "`--runs` is for random runs, and `--target` for inputs; choose one".to_owned(),
            ));
        }
        return coverage::fuzz(&target, executions.unwrap_or(EXECUTIONS));
    }
    let Some(runs) = runs.filter(|runs| *runs > 0) else {
        return Err(Failure::Usage(
            "`fuzz` needs how many runs to make; write `fuzz --runs 20000 --seed 1`".to_owned(),
        ));
    };
    let mut command = cargo();
    command
        .args(["run", "--locked", "--quiet", "--profile", PROFILE])
        .args(["--package", "random-runs", "--", "runs"])
        .args([runs.to_string(), seed.to_string()])
        .args(threads.map(|threads| threads.to_string()));
    run(&mut command)
}

fn number(options: &mut Options, name: &str) -> Outcome<Option<u64>> {
    let Some(text) = options.value(name, "a number")? else {
        return Ok(None);
    };
    let found = text.parse();
    found.map(Some).map_err(|_| {
        Failure::Usage(format!(
            "`{name}` needs a number from 0 to 18446744073709551615; found `{text}`"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_command_line_is_refused_with_what_is_expected() {
        for (line, expected) in [
            ("", "how many runs"),
            ("--runs 0", "how many runs"),
            ("--runs many", "found `many`"),
            ("--runs 5 --seeds 1", "`--seeds`"),
            ("--runs 5 --target json", "choose one"),
            ("--target none", "`none`"),
        ] {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let refused = command(&arguments);
            assert!(
                matches!(&refused, Err(Failure::Usage(reason)) if reason.contains(expected)),
                "{line}: {refused:?}"
            );
        }
    }
}
