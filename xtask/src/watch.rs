//! Rebuilding when a source changes. Polling sees every change on every system and needs no dependency;
//! reading the times of some hundred files twice a second costs nothing that a build would notice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::workspace::root;
use crate::{Failure, Outcome};

/// What the page is made of; everything else in the repository may change without a rebuild.
const SOURCES: &[&str] = &[
    "src",
    "core/src",
    "lessons",
    "style",
    "public",
    "index.html",
    "Trunk.toml",
    "Cargo.toml",
    "core/Cargo.toml",
    "Cargo.lock",
];

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(500);

type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Works now and after every change. A failure is printed; the next change may mend it.
pub fn forever(mut work: impl FnMut() -> Outcome) -> Outcome {
    loop {
        let before = look(&root());
        match work() {
            Ok(()) | Err(Failure::Reported) => {}
            Err(Failure::Work(reason) | Failure::Usage(reason) | Failure::Input(reason)) => {
                eprintln!("xtask: {reason}")
            }
        }
        let changed = wait_for_change(before);
        println!("changed: {}", changed.display());
        // An editor writes several files at once; they belong to one build.
        std::thread::sleep(PAUSE);
    }
}

fn wait_for_change(before: Seen) -> PathBuf {
    loop {
        if let Some(path) = difference(&before, &look(&root())) {
            return path
                .strip_prefix(root())
                .map_or(path.clone(), Path::to_path_buf);
        }
        std::thread::sleep(PAUSE);
    }
}

fn look(root: &Path) -> Seen {
    let mut seen = Seen::new();
    for source in SOURCES {
        visit(&root.join(source), &mut seen);
    }
    seen
}

fn visit(path: &Path, seen: &mut Seen) {
    let Ok(metadata) = path.metadata() else {
        return;
    };
    if metadata.is_file() {
        seen.insert(
            path.to_path_buf(),
            (metadata.modified().ok(), metadata.len()),
        );
        return;
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        visit(&entry.path(), seen);
    }
}

/// A file that is new, gone or different.
fn difference(before: &Seen, now: &Seen) -> Option<PathBuf> {
    let changed = |(path, state): &(&PathBuf, &_)| before.get(*path) != Some(*state);
    let gone = |path: &&PathBuf| !now.contains_key(*path);
    now.iter()
        .find(changed)
        .map(|(path, _)| path)
        .or_else(|| before.keys().find(gone))
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_a_changed_and_a_missing_file_are_seen() {
        let seen = |files: &[(&str, u64)]| -> Seen {
            files
                .iter()
                .map(|(name, size)| (PathBuf::from(name), (None, *size)))
                .collect()
        };
        let before = seen(&[("a", 1), ("b", 1)]);
        assert_eq!(difference(&before, &before.clone()), None);
        for (now, expected) in [
            (seen(&[("a", 1), ("b", 1), ("c", 1)]), "c"),
            (seen(&[("a", 1), ("b", 2)]), "b"),
            (seen(&[("b", 1)]), "a"),
        ] {
            assert_eq!(difference(&before, &now), Some(PathBuf::from(expected)));
        }
    }
}
