//! `cargo xtask lesson check`: the lessons against the model, in seconds; and their pages as part of a build.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use highwater_lessons::fault::Fault;
use highwater_lessons::render::{self, Lessons};

use crate::options::Options;
use crate::workspace::{dist, root, target};
use crate::{Failure, Outcome, pages, serve, server, watch};

/// The style sheets of a lesson, in order; all but the last are those of the lab.
const STYLES: &[&str] = &["tokens", "page", "picture", "lesson"];

/// Reads the command line and checks.
pub fn command(arguments: &[String]) -> Outcome {
    let mut options = Options::new("lesson", arguments);
    let port = options.value("--port", "a port from 1 to 65535")?;
    let what = options.positional();
    let slug = options.positional();
    options.finish("check [SLUG] or serve [--port N]")?;
    match what.as_deref() {
        Some("check") => check(slug.as_deref()),
        Some("serve") => serve(serve::port(port)?),
        other => Err(Failure::Usage(format!(
            "`lesson` needs `check [SLUG]` or `serve`; found `{}`",
            other.unwrap_or("nothing")
        ))),
    }
}

/// Serves the lessons alone, rendered anew after every change: seconds, not a build of the lab. Links into the lab work
/// when `cargo xtask build` was run before.
fn serve(port: u16) -> Outcome {
    let output = if dist().join("index.html").is_file() {
        dist()
    } else {
        target().join("lessons-only")
    };
    let builds = Arc::new(AtomicU64::new(0));
    let listener = server::listen(port)?;
    let site = server::Site {
        directory: output.clone(),
        base: "/".to_owned(),
        builds: Some(Arc::clone(&builds)),
    };
    let address = server::address(&listener, &site)?;
    std::thread::spawn(move || server::serve(&listener, site));
    watch::forever(|| {
        let outcome = into(&output, |_| Ok(()));
        if outcome.is_ok() {
            builds.fetch_add(1, Ordering::Relaxed);
        }
        println!("The lessons are at {address}lessons/ (Ctrl-C stops it); waiting for changes");
        outcome
    })
}

fn check(slug: Option<&str>) -> Outcome {
    let lessons = lessons(slug)?;
    for lesson in &lessons.lessons {
        let words: Vec<String> = lesson
            .prose
            .iter()
            .map(|(locale, prose)| format!("{} {}", locale.tag(), prose.words))
            .collect();
        println!(
            "{}: {} steps, {} questions; words: {}",
            lesson.slug,
            lesson.steps.len(),
            lesson
                .steps
                .iter()
                .filter(|step| step.ask.is_some())
                .count(),
            words.join(", ")
        );
    }
    if slug.is_some() {
        return Ok(());
    }
    let written = lessons.lessons.len();
    println!(
        "{written} of {} lessons are written and hold",
        lessons.rows.len()
    );
    Ok(())
}

fn lessons(slug: Option<&str>) -> Outcome<Lessons> {
    render::read(&root(), slug).map_err(|faults| {
        let said: Vec<String> = faults.iter().map(Fault::to_string).collect();
        Failure::Input(said.join("\n"))
    })
}

/// Writes the pages into the finished page. `minify` makes style sheet and script smaller.
pub fn into(page: &Path, minify: impl Fn(&[PathBuf]) -> Outcome) -> Outcome {
    let lessons = lessons(None)?;
    let folder = page.join("lessons");
    if folder.exists() {
        // What a lesson no longer has must not stay.
        std::fs::remove_dir_all(&folder)
            .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))?;
    }
    pages::make(&folder)?;
    let site = pages::dress(
        &folder,
        "lessons.css",
        STYLES,
        &["lessons/page/lesson.js"],
        minify,
    )?
    .0;
    pages::put(&folder, lessons.files(&site))
}
