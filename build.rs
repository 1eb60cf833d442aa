//! Checks the language files of `src/text` and writes the table of keys. A message that is missing in a language, or a
//! slot that differs, stops the build here and says which.

use std::path::Path;
use std::{env, fs, process};

#[path = "src/text/fingerprint.rs"]
mod fingerprint;
#[path = "src/text/source.rs"]
mod source;
#[path = "src/text/template.rs"]
mod template;

/// Tag and file of each language; English is first, the others are compared with it.
const LANGUAGES: [(&str, &str); 3] = [
    ("en", "src/text/en.txt"),
    ("ko", "src/text/ko.txt"),
    ("zh", "src/text/zh.txt"),
];

/// The same for the views that load later: their module has all three in it.
const LATER: [(&str, &str); 3] = [
    ("en", "src/later/text/en.txt"),
    ("ko", "src/later/text/ko.txt"),
    ("zh", "src/later/text/zh.txt"),
];

fn main() {
    let sources = checked(LANGUAGES);
    if let Some(english) = sources.first() {
        write("keys.rs", &source::keys(english));
        write("en.msg", &source::messages(english));
    }
    let sources = checked(LATER);
    if let Some(english) = sources.first() {
        write("later_keys.rs", &source::keys(english));
    }
    for ((tag, _), source) in LATER.iter().zip(&sources) {
        write(&format!("later_{tag}.msg"), &source::messages(source));
    }
    for file in [
        "build.rs",
        "src/text/fingerprint.rs",
        "src/text/source.rs",
        "src/text/template.rs",
    ] {
        println!("cargo::rerun-if-changed={file}");
    }
}

/// The files of one set, read and compared; what is wrong with any of them stops the build.
fn checked(languages: [(&str, &'static str); 3]) -> Vec<source::Source> {
    let mut faults = Vec::new();
    let mut sources = Vec::new();
    for (tag, file) in languages {
        println!("cargo::rerun-if-changed={file}");
        let text =
            fs::read_to_string(file).unwrap_or_else(|error| stop(&[format!("{file}: {error}")]));
        match source::read(tag, file, &text) {
            Ok(source) => sources.push(source),
            Err(found) => faults.extend(found),
        }
    }
    if let Some((english, others)) = sources.split_first() {
        for other in others {
            faults.extend(source::compare(english, other));
        }
    }
    if !faults.is_empty() {
        stop(&faults);
    }
    sources
}

fn write(name: &str, text: &str) {
    let folder = env::var("OUT_DIR").unwrap_or_else(|_| stop(&["OUT_DIR is not set".to_owned()]));
    if let Err(error) = fs::write(Path::new(&folder).join(name), text) {
        stop(&[format!("{name}: {error}")]);
    }
}

fn stop(faults: &[String]) -> ! {
    for fault in faults {
        println!("cargo::error={fault}");
    }
    process::exit(1)
}
