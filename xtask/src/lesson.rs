//! `cargo xtask lesson check`: the lessons against the model, in seconds; and their pages as part of a build.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use highwater_lessons::fault::Fault;
use highwater_lessons::render::{self, Lessons};
use highwater_lessons::site::Site;

use crate::options::Options;
use crate::workspace::{dist, read, root, target, write};
use crate::{Failure, Outcome, serve, server, watch};

/// The style sheets of a lesson, in order; all but the last are those of the lab.
const STYLES: [&str; 4] = ["tokens", "page", "picture", "lesson"];

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
pub fn into(page: &Path, minify: impl Fn(&[std::path::PathBuf]) -> Outcome) -> Outcome {
    let lessons = lessons(None)?;
    let folder = page.join("lessons");
    if folder.exists() {
        // What a lesson no longer has must not stay.
        std::fs::remove_dir_all(&folder)
            .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))?;
    }
    make(&folder)?;
    let sheets: Vec<String> = STYLES
        .iter()
        .map(|name| read(&root().join(format!("style/{name}.css"))))
        .collect::<Outcome<_>>()?;
    let (style, script) = (folder.join("lessons.css"), folder.join("lesson.js"));
    write(&style, sheets.concat())?;
    write(&script, read(&root().join("lessons/page/lesson.js"))?)?;
    minify(&[style.clone(), script.clone()])?;
    let site = Site {
        style: named(&style, "css")?,
        script: named(&script, "js")?,
        wasm: false,
        papers: papers(&sheets[0]),
        address: address(),
    };
    for (name, content) in lessons.files(&site) {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            make(parent)?;
        }
        write(&path, content)?;
    }
    Ok(())
}

/// The address of the site, where it is known.
pub fn address() -> Option<String> {
    let address = std::env::var("HIGHWATER_ADDRESS").ok();
    address.filter(|address| !address.is_empty())
}

/// Names a file after its content; gives the name.
pub fn named(path: &Path, extension: &str) -> Outcome<String> {
    let content = read(path)?;
    let stem = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("");
    let name = format!(
        "{stem}-{:016x}.{extension}",
        wasm_digest::digest_of(content.as_bytes())
    );
    std::fs::rename(path, path.with_file_name(&name))
        .map_err(|error| Failure::work(format!("{name}: {error}")))?;
    Ok(name)
}

/// The two values of `--paper`: light first, then dark.
pub fn papers(tokens: &str) -> (String, String) {
    let mut values = tokens
        .split("--paper:")
        .skip(1)
        .filter_map(|value| Some(value.split(';').next()?.trim().to_owned()));
    (
        values.next().unwrap_or_default(),
        values.next().unwrap_or_default(),
    )
}

/// Makes a folder, and those above it.
pub fn make(folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))
}
