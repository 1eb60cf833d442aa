//! `cargo xtask evidence`: measures what the evidence page tells, and writes it with the commit that was measured; and the
//! page itself as part of a build.

use std::path::{Path, PathBuf};
use std::process::Command;

use highwater_evidence::measured::{self, Checked, FILE, Measured, source};
use highwater_evidence::render;

use crate::options::Options;
use crate::step::{capture, step};
use crate::workspace::{read, root, target, write};
use crate::{Failure, Outcome, pages, test, wasm};

/// The style sheets of the page, in order; all but the last are those of the lab and of the lessons.
const STYLES: &[&str] = &["tokens", "page", "lesson", "evidence"];

/// What the tests leave in the target folder.
const LEFT: [&str; 2] = ["checked.json", "checked-random.json"];

/// What the last `cargo xtask test` measured, in the target folder.
const MEASURED: &str = "measured.json";

/// Reads the command line, measures and writes.
pub fn command(arguments: &[String]) -> Outcome {
    let mut options = Options::new("evidence", arguments);
    let as_tested = options.switch("--as-tested");
    options.finish("--as-tested")?;
    let commit = commit()?.ok_or_else(|| {
        Failure::work(
            "there are changes that are not committed, and the figures name a commit; commit first",
        )
    })?;
    let measured = if as_tested {
        tested(&commit)?
    } else {
        forget()?;
        passes(test::CASES, test::cases)?;
        passes("random runs", test::random_runs)?;
        passes(test::GOLDEN, wasm::compare)?;
        gathered(commit)?
    };
    write(&root().join(FILE), measured.text())?;
    println!("{FILE} has the figures of commit {}", measured.commit);
    Ok(())
}

fn passes(what: &str, work: fn() -> Outcome<test::Counts>) -> Outcome {
    let counts = step(what, work)?;
    if counts.failed == 0 {
        return Ok(());
    }
    Err(Failure::work(format!("{what}: {counts}")))
}

/// What the last `cargo xtask test` left, when it was of this very commit.
fn tested(commit: &str) -> Outcome<Measured> {
    let path = target().join(MEASURED);
    let measured = Measured::read(&read(&path)?).map_err(Failure::work)?;
    if measured.commit == commit {
        return Ok(measured);
    }
    Err(Failure::work(format!(
        "the last test was of commit `{}`, and this is {commit}; run `cargo xtask evidence` without --as-tested",
        measured.commit
    )))
}

/// Removes what older tests left, so that only what is measured now can be told.
pub fn forget() -> Outcome {
    for name in LEFT.iter().chain([&MEASURED]) {
        let path = target().join(name);
        if path.exists() {
            std::fs::remove_file(&path)
                .map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
        }
    }
    Ok(())
}

/// Compares what the tests have just left with the file; leaves it for `--as-tested`.
pub fn compare() -> Outcome {
    let now = gathered(commit()?.unwrap_or_default())?;
    write(&target().join(MEASURED), now.text())?;
    let file = Measured::read(&read(&root().join(FILE))?).map_err(Failure::work)?;
    let mut told = file.differences(&now.checked);
    if file.cases != now.cases {
        told.push(format!("the cases in {} have changed", measured::CASES));
    }
    if told.is_empty() {
        return Ok(());
    }
    Err(Failure::work(format!(
        "{FILE} is not what was measured:\n  {}\ncommit, and let `cargo xtask evidence` write it (`--as-tested` takes the \
         figures of a whole test of that commit)",
        told.join("\n  ")
    )))
}

fn gathered(commit: String) -> Outcome<Measured> {
    let mut checked = Vec::new();
    for name in LEFT {
        let text = read(&target().join(name))?;
        let left = measured::left(&text);
        checked.extend(left.map_err(|error| Failure::work(format!("{name}: {error}")))?);
    }
    // It was compared before, and nothing is gathered where that failed.
    let runs = wasm_digest::cases().count() as u64 + wasm_digest::random::RUNS;
    checked.push(Checked {
        source: source::WASM.to_owned(),
        count: runs,
        passed: runs,
        ..Checked::default()
    });
    Ok(Measured {
        commit,
        cases: measured::digest_of_cases(&root()).map_err(Failure::work)?,
        checked,
    })
}

/// The commit of the sources; none when some of them are not committed (the figures themselves do not count).
fn commit() -> Outcome<Option<String>> {
    let changed = capture(git().args(["status", "--porcelain"]))?;
    let sources = |line: &&str| !line.ends_with(FILE);
    if changed.lines().any(|line| sources(&line)) {
        return Ok(None);
    }
    Ok(Some(
        capture(git().args(["rev-parse", "HEAD"]))?
            .trim()
            .to_owned(),
    ))
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.current_dir(root());
    git
}

/// Writes the page into the finished page. `minify` makes its style sheet smaller.
pub fn into(page: &Path, minify: impl Fn(&[PathBuf]) -> Outcome) -> Outcome {
    let folder = page.join("evidence");
    pages::make(&folder)?;
    let (site, _) = pages::dress(&folder, "evidence.css", STYLES, &[], minify)?;
    pages::put(
        &folder,
        render::files(&root(), &site).map_err(Failure::work)?,
    )
}
