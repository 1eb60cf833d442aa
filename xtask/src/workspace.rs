//! Where things are, and the versions that are pinned.

use std::path::{Path, PathBuf};

use crate::{Failure, Outcome};

/// The version of Trunk. The versions of the other tools are pinned by `Cargo.lock` and `e2e/package-lock.json`.
pub const TRUNK: &str = "0.21.14";

/// The target of the page.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The root of the repository: cargo names the package it runs, so that a moved clone works without a rebuild.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or(package.clone(), Path::to_path_buf)
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(directory) => root().join(directory),
        None => root().join("target"),
    }
}

/// The finished page.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The version of a package in `Cargo.lock`, so that a tool can never drift from the library it belongs to.
pub fn locked_version(package: &str) -> Outcome<String> {
    let path = root().join("Cargo.lock");
    version_in_lock(&read(&path)?, package)
        .ok_or_else(|| Failure::work(format!("Cargo.lock names no package `{package}`")))
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let wanted = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    lines.find(|line| *line == wanted)?;
    let version = lines.next()?.strip_prefix("version = \"")?;
    Some(version.trim_end_matches('"').to_owned())
}

/// The text of a file, or a failure that names it.
pub fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::work(format!("cannot read {}: {error}", path.display())))
}

/// Writes a file, or fails with its name.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Outcome {
    std::fs::write(path, content)
        .map_err(|error| Failure::work(format!("cannot write {}: {error}", path.display())))
}

/// The files directly in a directory, sorted by name; none if the directory is missing.
pub fn files_in(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

/// The last part of a path as text; empty if it is not text.
pub fn name_of(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_whole_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(
            version_in_lock(lock, "wasm-bindgen").as_deref(),
            Some("0.2.129")
        );
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }
}
