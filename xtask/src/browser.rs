//! The browser tests: Playwright with a browser of the system, against `dist/` under a path of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::nginx::Nginx;
use crate::server::{self, Site};
use crate::step::{capture, run};
use crate::test::Counts;
use crate::tools::on_path;
use crate::workspace::{dist, read, target};
use crate::{Failure, Outcome, node};

/// A deep path, so that an absolute reference anywhere in the page shows.
const BASE: &str = "/some/sub/path/";

/// Programs that are taken as the browser, in this order.
const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Fonts with Korean and Chinese letters; without them screenshots show boxes.
const CJK_FONTS: &str = "fonts-noto-cjk";

/// Serves the built page and runs the tests against it.
pub fn tests(arguments: &[String]) -> Outcome<Counts> {
    let results = target().join("playwright.json");
    drop(std::fs::remove_file(&results));
    let command_line = node::packages().join("node_modules/@playwright/test/cli.js");
    let mut command = beside_the_page()?;
    // As long as the tests run. Where it is missing its own test says so and fails; the others run.
    let served = Nginx::start();
    match &served {
        Ok(nginx) => command.env("HIGHWATER_NGINX", nginx.address()),
        Err(reason) => command.env("HIGHWATER_NGINX_MISSING", reason),
    };
    let outcome = run(command
        .arg(command_line)
        .arg("test")
        .args(arguments)
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &results));
    let mut counts = counts_of(&read(&results)?)?;
    if outcome.is_err() && counts.failed == 0 {
        counts.failed = 1;
    }
    Ok(counts)
}

/// Node beside the served page: the address and the browser are in its environment. The page is served as long as we run.
pub fn beside_the_page() -> Outcome<Command> {
    if !dist().join("index.html").is_file() {
        return Err(Failure::work(
            "dist/ is missing; `cargo xtask build` makes it",
        ));
    }
    let browser = browser()?;
    let listener = server::listen(0)?;
    let site = Site {
        directory: dist(),
        base: BASE.to_owned(),
        builds: None,
    };
    let address = server::address(&listener, &site)?;
    std::thread::spawn(move || server::serve(&listener, site));
    let mut node = node::node()?;
    node.current_dir(node::packages())
        .env("HIGHWATER_URL", address)
        .env("HIGHWATER_CHROMIUM", browser);
    Ok(node)
}

/// The totals of Playwright's JSON report. A flaky test is a failed one: nothing here may depend on luck.
fn counts_of(report: &str) -> Outcome<Counts> {
    let report: Value = serde_json::from_str(report)
        .map_err(|error| Failure::work(format!("the report of Playwright is not JSON: {error}")))?;
    let number = |name: &str| report["stats"][name].as_u64().unwrap_or(0);
    Ok(Counts {
        passed: number("expected"),
        failed: number("unexpected") + number("flaky"),
        skipped: number("skipped"),
    })
}

/// Finds a browser, or installs one where that is possible without asking anybody.
fn browser() -> Outcome<PathBuf> {
    if let Some(named) = std::env::var_os("HIGHWATER_CHROMIUM").filter(|value| !value.is_empty()) {
        let named = PathBuf::from(named);
        if named.is_file() {
            return Ok(named);
        }
        return Err(Failure::work(format!(
            "HIGHWATER_CHROMIUM names {}, which is no file",
            named.display()
        )));
    }
    let found = found();
    let fonts = has_cjk_fonts();
    if let Some(browser) = found.clone().filter(|_| fonts) {
        return Ok(browser);
    }
    if can_install() {
        install()?;
        return self::found()
            .ok_or_else(|| Failure::work("chromium was installed but is not on PATH"));
    }
    match found {
        Some(browser) => {
            println!(
                "    no font with Korean and Chinese letters (Debian: {CJK_FONTS}); screenshots will show boxes"
            );
            Ok(browser)
        }
        None => Err(Failure::work(
            "no browser for the tests; install chromium (Debian: `apt-get install chromium fonts-noto-cjk`) \
             or set HIGHWATER_CHROMIUM to a chromium or chrome program",
        )),
    }
}

fn found() -> Option<PathBuf> {
    BROWSERS.iter().find_map(|name| on_path(name)).or_else(|| {
        // Not on everybody's PATH.
        let places = [
            "/usr/bin/chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        ];
        places
            .iter()
            .map(PathBuf::from)
            .find(|place| place.is_file())
    })
}

/// Where fontconfig is missing or silent, nothing is claimed and nothing is installed for it.
fn has_cjk_fonts() -> bool {
    ["ko", "zh-cn"].iter().all(|language| {
        let listed = Command::new("fc-list")
            .arg(format!(":lang={language}"))
            .arg("family")
            .output();
        listed.map_or(!can_install(), |output| {
            !output.stdout.trim_ascii().is_empty()
        })
    })
}

/// Root on a system with apt: a container or a CI machine, where installing needs no question.
pub fn can_install() -> bool {
    let root = Command::new("id").arg("-u").output();
    root.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
        && Path::new("/usr/bin/apt-get").is_file()
}

fn install() -> Outcome {
    apt(&["chromium", "fontconfig", CJK_FONTS])
}

/// Installs packages of Debian.
pub fn apt(packages: &[&str]) -> Outcome {
    println!("    installing {} with apt-get", packages.join(", "));
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").arg("-q");
        command
    };
    capture(apt().arg("update"))?;
    let install = ["install", "-y", "--no-install-recommends"];
    capture(apt().args(install).args(packages)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_playwright_is_counted() {
        let report = r#"{"suites": [], "stats": {"expected": 7, "unexpected": 1, "flaky": 1, "skipped": 2}}"#;
        let counts = counts_of(report).expect("counts");
        assert_eq!(
            counts,
            Counts {
                passed: 7,
                failed: 2,
                skipped: 2
            }
        );
        assert!(counts_of("no report").is_err());
    }
}
