//! The usage text: one place that lists every command and option.

use crate::{Failure, Outcome};

/// The names of the commands, in the order of the usage text.
pub const NAMES: &[&str] = &[
    "serve", "test", "build", "size", "bench", "run", "picture", "fuzz", "check", "evidence",
    "lesson", "help",
];

const TEXT: &str = "\
cargo xtask COMMAND [OPTIONS]

  serve             build the page and serve it on 127.0.0.1
    --port N        ask for this port (default 8080); the next free one is taken when it is busy
    --watch         rebuild without optimisation when a source changes, and reload the open pages

  test              everything that CI checks; the last line counts the tests
    --native        only formatting, lints, native tests and the wasm comparison
    --browser       only the build, the size gate and the browser tests
    --cases         only the recorded cases of real Kafka (HIGHWATER_CASES is passed on)
    --wasm          only the golden runs in wasm against native
    --as-built      browser tests use dist/ as it is, without a build
    -- ARGUMENTS    handed to Playwright, for example: -- --project=phone smoke

  build             release build into dist/, ready for any static host under any path
  size              gzip bytes of the first load and of the module, against the bar and the budgets
  bench             figures of the model and the checker (natively and in wasm) and of the page, against their bars
    --model         without the page
    --check         only the checker
    --lighthouse    only what Lighthouse says of the lab, a widget and a lesson

  run FILE          run a scenario (text or JSON) or a recorded trace; print what happened and the verdict
    --set NAME=VALUE   change a setting of the scenario; may be repeated
    --all              messages and idle events as well
    --json             print the run, or what an operator sees, as JSON (docs/run-json.md)
    --operator         what an operator would see instead: the describe lines, logs, checkpoint files and metrics that moved
    --at TIME          when the operator looks, as 528ms or 10.2s (default: at the end)

  picture LINK -o OUT   the picture of a view as a file, OUT ending in .svg or .png; LINK is a link, its query, or a script's file
    --width PX         how wide the drawing is (default 1072, two side by side 1456)
    --scale N          px of a PNG for one px of the drawing, 1 to 4 (default 2)
    --theme NAME       auto, light or dark, before what the link asks for; a PNG of `auto` is light

  fuzz              random runs of the model; one that breaks what must hold is shrunk and printed as a scenario
    --runs N           how many
    --seed S           the seeds S, S + 1, … (default 1)
    --threads N        on so many threads (default: one for each core)
    --target NAME      instead, guided by coverage: inputs for a reader (scenario, json, trace); needs cargo-fuzz and
                       the nightly toolchain that fuzz/ pins, and says what is missing
    --executions N     how many inputs (default 100000)

  check             search every interleaving of a budget of faults for a lost record
    --set NAME=VALUE   change a setting of the lab's start; may be repeated
    --faults LIST      how often each may happen, as crash=1,power=1,fence=unbounded (default power=1,fence=1); kinds:
                       crash, power, clean, fence, move, bounce, bounce_power, retry, lost_fetch, lost_alter_partition
    --records N        how many records are produced at most (default 2)
    --epochs N         how many leader epochs there are at most (default 3)
    --property NAME    only this property; may be repeated
    --states N         give up after so many states
    --symmetry         count states that differ in the names of brokers as one
    --scenario         print the scenario that replays the shortest way in the lab
    --json             print the result as JSON

  evidence          measure what the evidence page tells (cases, random runs, wasm), and write evidence/checked.json
    --as-tested        take the figures of the last whole `test`, when it was of this commit

  lesson check [SLUG]   the lessons (or one) against the model: claims, answers, numbers, languages
  lesson serve [--port N]   the lessons alone, rendered anew after every change

  help              this text

Tools (trunk, wasm-bindgen) of the pinned version are taken from PATH or else built once into
$HIGHWATER_TOOLS, or $XDG_CACHE_HOME/highwater/tools, or ~/.cache/highwater/tools.
The browser of the tests is $HIGHWATER_CHROMIUM, or a chromium or google-chrome of the system.
Exit code: 0 success, 1 failure, 2 wrong command line or wrong input.
";

/// Prints what `help` says of one command and of its options.
pub fn of(command: &str) -> Outcome {
    print!("cargo xtask {}", section(command));
    Ok(())
}

/// The lines on a command: those that begin with its name, and what is indented under them.
fn section(command: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in TEXT.lines() {
        match line.strip_prefix("  ") {
            Some(name) if !name.starts_with(' ') => {
                inside = name.split(' ').next() == Some(command);
            }
            Some(_) => {}
            None => inside = false,
        }
        if inside {
            out.push_str(if out.is_empty() {
                line.trim_start()
            } else {
                line
            });
            out.push('\n');
        }
    }
    out
}

/// Prints the usage.
pub fn command(arguments: &[String]) -> Outcome {
    if let Some(extra) = arguments.first() {
        return Err(Failure::Usage(format!(
            "`help` takes no argument; found `{extra}`"
        )));
    }
    print!("{TEXT}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_the_usage_text() {
        for name in NAMES {
            assert!(section(name).starts_with(name), "{name}");
        }
    }

    #[test]
    fn the_section_of_a_command_has_its_options_and_no_other_command() {
        let run = section("run");
        assert!(
            run.contains("--operator") && run.contains("--set NAME=VALUE"),
            "{run}"
        );
        assert!(
            !run.contains("picture") && !run.contains("--faults"),
            "{run}"
        );
        assert!(section("lesson").contains("lesson serve"));
    }
}
