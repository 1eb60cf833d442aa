//! `cargo xtask bench --lighthouse`: what Lighthouse says of the lab, a widget, a lesson and the list of lessons, served by
//! nginx as the guide for hosts says.

use std::process::Command;

use crate::nginx::Nginx;
use crate::step::{capture, run, step};
use crate::workspace::target;
use crate::{Failure, Outcome, browser};

/// The last that runs on Node 20.
const LIGHTHOUSE: &str = "lighthouse@12.8.2";

/// A page's name, the bars of its four scores, and that of LCP.
type Bars = (&'static str, [Option<f64>; 4], Option<f64>);

/// What each page should reach: performance, accessibility, best practices, SEO; and LCP in ms. None = no bar is set.
const BARS: &[Bars] = &[
    ("lab", [None, Some(100.0), Some(100.0), Some(100.0)], None),
    // A widget must not be found by search engines.
    (
        "widget",
        [None, Some(100.0), Some(100.0), None],
        Some(1_500.0),
    ),
    (
        "lesson",
        [Some(95.0), Some(100.0), Some(100.0), Some(100.0)],
        None,
    ),
    (
        "lessons",
        [Some(95.0), Some(100.0), Some(100.0), Some(100.0)],
        None,
    ),
];

/// Measures and prints the figures against their bars.
pub fn figures() -> Outcome {
    let packages = target().join("lighthouse");
    if !packages.join("node_modules/lighthouse").is_dir() {
        step("install Lighthouse (once; 190 MB)", || {
            std::fs::create_dir_all(&packages)
                .map_err(|error| Failure::work(format!("{}: {error}", packages.display())))?;
            let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
            run(Command::new(npm)
                .args([
                    "install",
                    "--no-audit",
                    "--no-fund",
                    "--ignore-scripts",
                    "--prefix",
                ])
                .arg(&packages)
                .arg(LIGHTHOUSE))
        })?;
    }
    let nginx = Nginx::start().map_err(Failure::work)?;
    let said = step("measure with Lighthouse", || {
        let mut command = browser::beside_the_page()?;
        capture(
            command
                .env("HIGHWATER_URL", nginx.address())
                .arg("bench/lighthouse.mjs")
                .arg(&packages),
        )
    })?;
    let figures = super::figures_of(&said);
    for (page, scores, lcp) in BARS {
        let names = [
            "performance",
            "accessibility",
            "best practices",
            "SEO",
            "LCP (ms)",
        ];
        let bars = scores.iter().copied().chain([*lcp]);
        for (place, (name, limit)) in names.into_iter().zip(bars).enumerate() {
            let of = figures.get(*page).and_then(|values| values.get(place));
            let figure = *of.ok_or_else(|| Failure::work(format!("no figure for `{page}`")))?;
            let what = format!("{page}: {name}");
            let shown = format!("{figure:.0}");
            let is_time = place == scores.len();
            match limit {
                Some(limit) if is_time => {
                    super::bar(&what, &shown, &format!("at most {limit}"), figure <= limit);
                }
                Some(limit) => {
                    super::bar(&what, &shown, &format!("at least {limit}"), figure >= limit);
                }
                None => println!("{what:<48}{shown:>18}"),
            }
        }
    }
    Ok(())
}
