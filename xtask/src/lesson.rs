//! `cargo xtask lesson check`: the lessons against the model, in seconds; and their pages as part of a build.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use highwater_lessons::fault::Fault;
use highwater_lessons::preview;
use highwater_lessons::render::{self, Lessons};
use highwater_lessons::site::Site;

use crate::options::Options;
use crate::raster::Raster;
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
        println!("rendering the lessons …");
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

/// Writes the pages into the finished page. `minify` makes style sheet and script smaller. The pages that are there stay
/// until all of the new ones are written: a mistake in a lesson leaves its author with the last good ones.
pub fn into(page: &Path, minify: impl Fn(&[PathBuf]) -> Outcome) -> Outcome {
    let lessons = lessons(None)?;
    replace(&page.join("lessons"), |folder| {
        let (site, _) = pages::dress(
            folder,
            "lessons.css",
            STYLES,
            &["lessons/page/lesson.js"],
            minify,
        )?;
        let site = Site {
            // Previews are named by their whole address, and so only where it is known.
            previews: site.address.is_some() && previews(&lessons, folder)?,
            ..site
        };
        pages::put(folder, lessons.files(&site))
    })
}

/// Fills a new folder and puts it in the place of the old one, of which nothing stays. Where filling fails, the old one does.
fn replace(folder: &Path, fill: impl FnOnce(&Path) -> Outcome) -> Outcome {
    let fresh = folder.with_extension("new");
    remove(&fresh)?;
    pages::make(&fresh)?;
    if let Err(failure) = fill(&fresh) {
        remove(&fresh)?;
        return Err(failure);
    }
    remove(folder)?;
    std::fs::rename(&fresh, folder)
        .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))
}

/// Removes a folder with all that is in it, if there is one.
fn remove(folder: &Path) -> Outcome {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::work(format!("{}: {error}", folder.display())))
        }
        _ => Ok(()),
    }
}

/// Draws the previews of the lessons. Gives whether there are any: a system without the fonts has none, and is told so.
fn previews(lessons: &Lessons, folder: &Path) -> Outcome<bool> {
    let cards = lessons.previews();
    let drawn: Outcome<Vec<_>> = Raster::new().and_then(|raster| {
        let draw = |(name, svg): &(String, String)| {
            Ok((name.clone(), raster.draw(svg, preview::SIZE, 1)?))
        };
        cards.iter().map(draw).collect()
    });
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(Failure::Work(why)) => {
            println!("    the lessons have no PNG previews: {why}");
            return Ok(false);
        }
        Err(failure) => return Err(failure),
    };
    pages::put(folder, drawn)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_leaves_the_last_good_pages() {
        let above = target().join(format!("tmp/replace-{}", std::process::id()));
        let folder = above.join("lessons");
        let with = |name: &'static str| move |folder: &Path| pages::put(folder, [(name, "a page")]);
        let there = |name: &str| folder.join(name).is_file();
        assert!(replace(&folder, with("old.html")).is_ok() && there("old.html"));
        let failed = replace(&folder, |fresh| {
            with("half.html")(fresh)?;
            Err(Failure::work("a mistake".to_owned()))
        });
        assert!(matches!(failed, Err(Failure::Work(why)) if why.contains("a mistake")));
        assert!(there("old.html") && !there("half.html"));
        assert!(replace(&folder, with("new.html")).is_ok());
        assert!(there("new.html") && !there("old.html"), "nothing old stays");
        let left = std::fs::read_dir(&above).map(|list| list.count());
        assert_eq!(left.ok(), Some(1), "no folder beside it");
        assert!(remove(&above).is_ok());
    }

    #[test]
    fn a_preview_is_drawn_in_every_language() {
        let Ok(lessons) = lessons(Some("the-first-fetch")) else {
            panic!("the lesson holds");
        };
        let cards = lessons.previews();
        assert_eq!(cards.len(), 3);
        let Ok(raster) = Raster::new() else {
            // Without fonts a build says so and names the SVG.
            return;
        };
        let mut drawn = Vec::new();
        for (name, svg) in &cards {
            assert!(name.ends_with("/the-first-fetch/preview.png"), "{name}");
            // A system may lack the fonts of one language.
            if let Ok(png) = raster.draw(svg, preview::SIZE, 1) {
                assert_eq!(png.get(..4), Some(&b"\x89PNG"[..]));
                let side = |at: usize| {
                    png.get(at..at + 4)
                        .map(|b| b.iter().fold(0, |n, b| n * 256 + u32::from(*b)))
                };
                assert_eq!((side(16), side(20)), (Some(1200), Some(630)));
                assert!(png.len() > 20_000, "{name}: {} bytes", png.len());
                drawn.push(png);
            }
        }
        assert!(!drawn.is_empty(), "the Latin letters at least");
        drawn.dedup();
        assert!(
            drawn.len() > 1 || cards.len() > drawn.len(),
            "each has its own words"
        );
    }
}
