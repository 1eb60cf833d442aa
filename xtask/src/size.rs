//! `cargo xtask size`: what a visitor downloads, in gzip bytes, against the bar: first without a person, and then with the
//! module, which comes when a person shows up.

use std::io::Write as _;
use std::path::Path;

use flate2::{Compression, GzBuilder};

use crate::options::Options;
use crate::workspace::{dist, files_in, name_of, read};
use crate::{Failure, Outcome, finish, first};

/// The bar of the whole first load. Static hosts send gzip, not brotli, so gzip is what counts.
const TOTAL: usize = 150_000;

/// What was reached of all that comes once a person shows up: the module (the model, the picture, the sentences), its glue,
/// and the first load before it. Whoever raises it says in the commit what the bytes are for.
const WITH_MODULE: usize = 438_500;

/// The script that other pages load for their widgets: no more, for ever.
const EMBED: (&str, usize) = ("embed.js", 3_000);

/// The budget of each part of the first load; they add up to less than the bar.
const PARTS: &[Part] = &[
    Part {
        name: "first view",
        extensions: &["txt"],
        budget: 22_000,
    },
    Part {
        name: "script",
        extensions: &["js"],
        budget: 5_000,
    },
    Part {
        name: "style",
        extensions: &["css"],
        budget: 11_000,
    },
    Part {
        name: "page",
        extensions: &["html"],
        budget: 4_000,
    },
    Part {
        name: "other",
        extensions: &[],
        budget: 2_000,
    },
];

struct Part {
    name: &'static str,
    /// Empty: whatever no other part claims.
    extensions: &'static [&'static str],
    budget: usize,
}

/// One file of the first load.
pub struct Measured {
    /// Its name in `dist/`.
    pub name: String,
    /// Its bytes on disk.
    pub raw: usize,
    /// Its bytes as sent.
    pub gzip: usize,
}

/// Reads the command line and runs the gate.
pub fn command(arguments: &[String]) -> Outcome {
    Options::new("size", arguments).finish("no option")?;
    gate()
}

/// Prints the sizes against the bar and the budgets of the parts; fails when one of them is exceeded.
pub fn gate() -> Outcome {
    let files = measure(&dist())?;
    println!("{:<44}{:>10}{:>10}", "first load", "bytes", "gzip -9");
    let mut limits = Vec::new();
    files.iter().for_each(print);
    for part in PARTS {
        let of_part = files
            .iter()
            .filter(|file| part_of(&file.name).name == part.name);
        limits.push((format!("{} (budget)", part.name), sum(of_part), part.budget));
    }
    let total = sum(&files);
    limits.push(("first load (bar)".to_owned(), total, TOTAL));
    let module = module(&dist())?;
    println!("when a person shows up");
    module.iter().for_each(print);
    let whole = total + sum(&module);
    limits.push(("with the module (reached)".to_owned(), whole, WITH_MODULE));
    let script = measured(&dist(), EMBED.0.to_owned())?;
    limits.push(("embed.js (bar)".to_owned(), script.gzip, EMBED.1));
    for (name, gzip, allowed) in &limits {
        let percent = gzip * 100 / allowed;
        println!("{name:<44}{allowed:>10}{gzip:>10}  {percent} %");
    }
    judge(&limits)
}

fn print(file: &Measured) {
    println!("{:<44}{:>10}{:>10}", file.name, file.raw, file.gzip);
}

fn sum<'a>(files: impl IntoIterator<Item = &'a Measured>) -> usize {
    files.into_iter().map(|file| file.gzip).sum()
}

/// The gate.
fn judge(limits: &[(String, usize, usize)]) -> Outcome {
    let exceeded: Vec<String> = limits
        .iter()
        .filter(|(_, gzip, allowed)| gzip > allowed)
        .map(|(name, gzip, allowed)| format!("{name}: {gzip} bytes, allowed are {allowed}"))
        .collect();
    match exceeded.is_empty() {
        true => Ok(()),
        false => Err(Failure::work(format!("too large: {}", exceeded.join("; ")))),
    }
}

/// The files of the first load with their sizes: what is fetched without a person. Of the files of the first view it is the
/// largest one.
pub fn measure(directory: &Path) -> Outcome<Vec<Measured>> {
    let html = page_of(directory)?;
    let module = finish::module(&html);
    let mut names = vec!["index.html".to_owned()];
    names.extend(
        finish::first_load(directory, &html)
            .into_iter()
            .filter(|name| !module.contains(name)),
    );
    let mut files = measured_all(directory, names)?;
    let views = files_in(&directory.join(first::FOLDER));
    let views = views
        .iter()
        .map(|path| format!("{}/{}", first::FOLDER, name_of(path)));
    let views = measured_all(directory, views.filter(|name| name.ends_with(".txt")))?;
    let Some(largest) = views.into_iter().max_by_key(|view| view.gzip) else {
        return Err(Failure::work("there is no file of the first view"));
    };
    files.push(largest);
    Ok(files)
}

/// The module and its glue.
fn module(directory: &Path) -> Outcome<Vec<Measured>> {
    let names = finish::module(&page_of(directory)?);
    if names.len() != 2 {
        return Err(Failure::work(
            "index.html does not name the module and its glue",
        ));
    }
    measured_all(directory, names)
}

fn page_of(directory: &Path) -> Outcome<String> {
    let page = directory.join("index.html");
    if !page.is_file() {
        return Err(Failure::work(format!(
            "{} is missing; `cargo xtask build` makes it",
            page.display()
        )));
    }
    read(&page)
}

fn measured_all(
    directory: &Path,
    names: impl IntoIterator<Item = String>,
) -> Outcome<Vec<Measured>> {
    let names = names.into_iter();
    names.map(|name| measured(directory, name)).collect()
}

fn measured(directory: &Path, name: String) -> Outcome<Measured> {
    let content = std::fs::read(directory.join(&name))
        .map_err(|error| Failure::work(format!("{name}: {error}")))?;
    let gzip = gzip_size(&content).map_err(|error| Failure::work(format!("{name}: {error}")))?;
    Ok(Measured {
        name,
        raw: content.len(),
        gzip,
    })
}

/// A fixed implementation, level and header, so that the number is the same everywhere.
fn gzip_size(content: &[u8]) -> std::io::Result<usize> {
    let mut encoder = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?.len())
}

fn part_of(name: &str) -> &'static Part {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    PARTS
        .iter()
        .find(|part| part.extensions.contains(&extension))
        .unwrap_or(&PARTS[PARTS.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budgets_stay_under_the_bar() {
        assert!(PARTS.iter().map(|part| part.budget).sum::<usize>() <= TOTAL);
    }

    #[test]
    fn every_file_belongs_to_a_part() {
        assert_eq!(part_of("first/ko-1072-1.txt").name, "first view");
        assert_eq!(part_of("favicon.svg").name, "other");
    }

    #[test]
    fn gzip_is_counted_with_its_header() {
        assert_eq!(gzip_size(b"").expect("memory does not fail"), 20);
        assert!(gzip_size(&[7; 10_000]).expect("memory does not fail") < 100);
    }

    #[test]
    fn what_exceeds_its_limit_fails_and_is_named() {
        let limit = |gzip| [("first load (bar)".to_owned(), gzip, TOTAL)];
        assert!(judge(&limit(TOTAL)).is_ok());
        let failed = judge(&limit(TOTAL + 1));
        assert!(
            matches!(failed, Err(Failure::Work(said)) if said.contains("first load (bar): 150001"))
        );
    }
}
