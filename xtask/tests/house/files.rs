//! The files of the repository: their lengths, and what none of them may contain.

use std::path::Path;

/// What counts as a source file.
pub const SOURCES: &[&str] = &["rs", "css", "js", "mjs", "ts", "html"];

/// The most lines of a source file. Past this a file has more than one noun.
const MOST_LINES: usize = 500;

/// Files that may be longer, each with its reason.
const LONG: &[&str] = &[
    // One flat list: every event of the protocol with its words. Flat long is fine, deep long is not.
    "core/src/kafka/event.rs",
];

/// Folders that a build, a test or git fills.
const FILLED: &[&str] = &[
    ".git",
    "target",
    "dist",
    "dist.new",
    "dist.old",
    "node_modules",
    "test-results",
    "screenshots",
];

/// The text files under a directory with their paths relative to it, sorted. No extension named means all.
pub fn texts_under(directory: &Path, extensions: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    visit(directory, "", extensions, &mut found);
    found.sort();
    found
}

fn visit(directory: &Path, prefix: &str, extensions: &[&str], found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if FILLED.contains(&name.as_str()) {
            continue;
        }
        if entry.path().is_dir() {
            visit(&entry.path(), &format!("{path}/"), extensions, found);
            continue;
        }
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if !extensions.is_empty() && !extensions.contains(&extension) {
            continue;
        }
        // What is not text (a picture) has no lines to judge.
        if let Ok(text) = std::fs::read_to_string(entry.path()) {
            found.push((path, text));
        }
    }
}

/// A fault if the file is longer than a source file may be.
pub fn too_long(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    let fault = lines > MOST_LINES && !LONG.contains(&path);
    fault.then(|| format!("{path}: {lines} lines; a source file has at most {MOST_LINES}"))
}

/// A fault for every line that names a path of one machine. The patterns are put together here, or this file had one.
pub fn machine_paths(path: &str, text: &str) -> Vec<String> {
    let patterns = [
        ["/wo", "rk/"].concat(),
        ["../sh", "ared"].concat(),
        ["/ro", "ot/"].concat(),
        ["/ho", "me/"].concat(),
    ];
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for pattern in &patterns {
            if line.contains(pattern) {
                faults.push(format!(
                    "{path}:{}: names `{pattern}`, a path of one machine",
                    index + 1
                ));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(too_long("a.rs", &"\n".repeat(MOST_LINES)), None);
        assert!(too_long("a.rs", &"\n".repeat(MOST_LINES + 1)).is_some());
    }

    #[test]
    fn a_path_of_one_machine_is_found_with_its_line() {
        let text = ["fine\ncd /wo", "rk/here"].concat();
        assert_eq!(
            machine_paths("a.md", &text),
            [["a.md:2: names `/wo", "rk/`, a path of one machine"].concat()]
        );
        assert!(machine_paths("a.md", "framework/x and /workshop").is_empty());
    }
}
