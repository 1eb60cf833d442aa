//! The test of the house: every line stands in a room, and its imports say which.
//!
//! The tables are in `rooms.rs`. Where the work shows a better shape, change the table and write the reason there;
//! never move a line to please the table.

mod colours;
mod files;
mod imports;
mod rooms;
mod rust;

use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package");
    Path::new(&package)
        .parent()
        .expect("xtask is in the repository")
        .to_path_buf()
}

/// Fails with all faults at once.
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n  {}\n", faults.join("\n  "));
}

#[test]
fn the_rooms_import_only_what_the_tables_allow() {
    let mut faults = Vec::new();
    for (directory, rooms) in [("core/src", rooms::CORE), ("src", rooms::APP)] {
        for (path, text) in files::texts_under(&root().join(directory), &["rs"]) {
            faults.extend(imports::faults(directory, &path, &text, rooms));
        }
    }
    none(&faults);
}

#[test]
fn colours_are_written_only_in_the_tokens() {
    let mut faults = Vec::new();
    for directory in ["style", "src", "public"] {
        for (path, text) in files::texts_under(&root().join(directory), &["css", "rs", "js"]) {
            let path = format!("{directory}/{path}");
            if path != colours::TOKENS {
                faults.extend(colours::faults(&path, &text));
            }
        }
    }
    none(&faults);
}

#[test]
fn the_theme_colours_of_the_page_are_those_of_the_tokens() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect(path);
    let page = colours::theme_colours(&read("index.html"));
    let tokens = colours::papers(&read(colours::TOKENS));
    assert_eq!(
        page.len(),
        2,
        "index.html has a theme colour for light and one for dark"
    );
    assert_eq!(
        page[..],
        tokens[..2],
        "index.html, and --paper in {}",
        colours::TOKENS
    );
}

#[test]
fn no_source_file_is_too_long() {
    let mut faults = Vec::new();
    for (path, text) in files::texts_under(&root(), files::SOURCES) {
        faults.extend(files::too_long(&path, &text));
    }
    none(&faults);
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    let mut faults = Vec::new();
    for (path, text) in files::texts_under(&root(), &[]) {
        faults.extend(files::machine_paths(&path, &text));
    }
    none(&faults);
}
