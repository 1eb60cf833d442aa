//! `lessons/path.toml`: the rows as a path, what each needs, and which of them have a lesson already.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::fault::{Fault, line_of};

/// The file.
pub const FILE: &str = "lessons/path.toml";

/// One row of the path.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its number, from 1.
    pub number: u32,
    /// The name of its folder and of its page; never changed once published.
    pub slug: String,
    /// About how long it takes.
    pub minutes: u32,
    /// Rows that should come before.
    #[serde(default)]
    pub needs: Vec<u32>,
    /// What it is about, in each language.
    pub title: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    row: Vec<Spanned<Row>>,
}

/// Reads the path. `folders` are the lessons that exist.
pub fn read(text: &str, folders: &[String]) -> Result<Vec<Row>, Vec<Fault>> {
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        vec![Fault::at(FILE, line, error.message())]
    })?;
    let mut faults = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for row in file.row {
        let line = line_of(text, row.span().start);
        let row = row.into_inner();
        let mut fault = |message: String| faults.push(Fault::at(FILE, line, message));
        if rows
            .iter()
            .any(|r| r.number == row.number || r.slug == row.slug)
        {
            fault(format!("row {} or `{}` stands twice", row.number, row.slug));
        }
        if let Some(later) = row
            .needs
            .iter()
            .find(|n| !rows.iter().any(|r| r.number == **n))
        {
            fault(format!(
                "row {} needs row {later}, which does not stand before it",
                row.number
            ));
        }
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if row.slug.is_empty() || !row.slug.chars().all(plain) {
            fault(format!(
                "`{}` is no slug (small letters, digits and -)",
                row.slug
            ));
        }
        for language in ["en", "ko", "zh"] {
            if !row.title.contains_key(language) {
                fault(format!("row {} has no title in {language}", row.number));
            }
        }
        rows.push(row);
    }
    for folder in folders {
        if !rows.iter().any(|row| row.slug == *folder) {
            faults.push(Fault::of(
                format!("lessons/{folder}"),
                format!("no row of {FILE} has the slug `{folder}`"),
            ));
        }
    }
    if faults.is_empty() {
        Ok(rows)
    } else {
        Err(faults)
    }
}
