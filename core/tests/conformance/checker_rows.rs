//! The verdicts and shortest ways of the checker, row by row, each counterexample replayed by the lab.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::golden::{self, Row, Searched};
use super::report::Report;

/// A row larger than this is searched with states that differ only in the names of brokers as one; `checker_golden.rs`
/// compares both ways of counting.
const LARGE: u64 = 1_000_000;

/// A build without optimisation searches no row that is larger.
const UNOPTIMISED: u64 = 100_000;

/// Checks every row of the file.
pub fn check(text: &str, report: &mut Report) {
    let read = match golden::rows(text) {
        Ok(read) => read,
        Err(why) => return report.fails("the file", why),
    };
    let mut rows = Vec::new();
    for row in read {
        match row {
            Ok(row) if cfg!(debug_assertions) && row.size > UNOPTIMISED => report.skips(
                &row.id,
                "large: `cargo xtask test` and `cargo xtask test --cases` search it, optimised",
            ),
            Ok(row) => rows.push(row),
            Err((id, why)) => report.fails(&id, why),
        }
    }
    for (row, result) in rows.iter().zip(results(&rows)) {
        match result {
            Ok(searched) => {
                report.passes(searched.answers);
                report.figure(&row.id, searched.states);
            }
            Err(wrong) => report.fails(&row.id, wrong.join("; ")),
        }
    }
    report.kafka("4.4 with single rules of older versions");
}

/// The result of each row. Rows are independent of each other, so as many are searched at a time as there are processors.
fn results(rows: &[Row]) -> Vec<Result<Searched, Vec<String>>> {
    let results: Vec<Mutex<Result<Searched, Vec<String>>>> = rows
        .iter()
        .map(|_| Mutex::new(Ok(Searched::default())))
        .collect();
    // The largest first, so that none of them is left for the end.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(rows[*place].size));
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(place) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = &rows[*place];
            *results[*place].lock().unwrap() = row.check(row.size > LARGE, true);
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(work);
        }
    });
    let results = results.into_iter();
    results.map(|result| result.into_inner().unwrap()).collect()
}
