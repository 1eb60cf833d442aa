//! Every recorded cluster trace, replayed: every observed value after every step.
//!
//! `HIGHWATER_CASES=DIR` reads `DIR/cluster-traces/*.json` instead of those in the repository.

use highwater_core::scenario::trace;
use highwater_core::sim::replay::replay;
use std::path::PathBuf;

fn folder() -> PathBuf {
    let cases = std::env::var_os("HIGHWATER_CASES").map(PathBuf::from);
    cases
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases"))
        .join("cluster-traces")
}

#[test]
fn every_trace_is_reproduced() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder()) {
        Ok(entries) => entries.filter_map(|e| e.ok().map(|e| e.path())).collect(),
        Err(_) => Vec::new(),
    };
    files.retain(|f| {
        f.extension().is_some_and(|e| e == "json") && f.to_string_lossy().contains(&only)
    });
    files.sort();
    let (mut passed, mut failed, mut values) = (0, 0, 0);
    for file in &files {
        let name = file
            .file_stem()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let recording = match trace::read(&text) {
            Ok(recording) => recording,
            Err(errors) => {
                println!("{name}: cannot be read: {errors:?}");
                failed += 1;
                continue;
            }
        };
        let comparisons = replay(&recording);
        values += comparisons.iter().map(|c| c.compared).sum::<usize>();
        let wrong: Vec<_> = comparisons
            .iter()
            .filter(|c| !c.differences.is_empty())
            .collect();
        if wrong.is_empty() {
            passed += 1;
            continue;
        }
        failed += 1;
        println!(
            "{name}: {} of {} steps differ",
            wrong.len(),
            comparisons.len()
        );
        if let Some(first) = wrong.first() {
            let at = first.at;
            println!("  step {:?} at {at} ms:", first.step);
            for difference in &first.differences {
                println!(
                    "    {}: recorded {} model {}",
                    difference.name, difference.recorded, difference.model
                );
            }
        }
    }
    println!("cluster-traces: {passed} passed, {failed} failed, {values} values compared");
    assert_eq!(failed, 0, "traces that are not reproduced");
}
