//! Lists the golden runs: every scenario of the library and every recorded trace of the repository becomes a case.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders from the root of the repository, the end of their files' names, and the variant that runs them.
const FOLDERS: [(&str, &str, &str); 2] = [
    ("scenarios", ".hw", "Scenario"),
    ("core/cases/cluster-traces", ".json", "Trace"),
];

fn main() -> io::Result<()> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.join("../..");
    let mut cases = String::new();
    for (folder, ending, variant) in FOLDERS {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        for (name, path) in files(&root.join(folder), ending) {
            cases.push_str(&format!(
                "    Case {{ name: {name:?}, input: Input::{variant}(include_str!({path:?})) }},\n"
            ));
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("files.rs"), format!("&[\n{cases}]\n"))
}

/// The files of a folder, sorted by name, with their names without the ending.
fn files(folder: &Path, ending: &str) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let name = name.strip_suffix(ending)?.to_owned();
            Some((name, entry.path()))
        })
        .collect();
    found.sort();
    found
}
