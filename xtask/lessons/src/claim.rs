//! A claim: `RUN, INSTANT: WHAT = VALUE`. Run and instant may be left out: the first run, its end.

use std::collections::BTreeMap;

use crate::anchor::{self, Ran};
use crate::value::{self, Value};

/// The runs of a lesson by name.
pub type Runs = BTreeMap<String, Ran>;

/// Checks a claim; gives the value that it claims.
pub fn check(runs: &Runs, claim: &str) -> Result<Value, String> {
    let (what, said) = claim
        .split_once(" = ")
        .ok_or_else(|| format!("`{claim}` is no claim; expected `RUN, INSTANT: WHAT = VALUE`"))?;
    let (place, what) = match what.split_once(':') {
        Some((place, what)) => (place.trim(), what.trim()),
        None => ("", what.trim()),
    };
    let (name, when) = match place.split_once(',') {
        Some((name, when)) => (name.trim(), when.trim()),
        None => (place, "end"),
    };
    let ran = run(runs, name)?;
    let when = anchor::instant(ran, when)?;
    let found = value::value(ran, when, what)?;
    if found.is(said) {
        Ok(found)
    } else {
        Err(format!(
            "the run says otherwise: `{what}` is {}, the claim says {}",
            found.written(),
            said.trim()
        ))
    }
}

/// The run of that name; the first one without a name.
pub fn run<'a>(runs: &'a Runs, name: &str) -> Result<&'a Ran, String> {
    let found = if name.is_empty() {
        runs.values().next()
    } else {
        runs.get(name)
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = runs.keys().map(String::as_str).collect();
        format!("there is no run `{name}`; there are {}", names.join(", "))
    })
}

/// Splits `B: m2.lost` into the run and the rest; the given run when none is named.
pub fn in_run<'a>(
    runs: &'a Runs,
    usual: &'a str,
    text: &'a str,
) -> Result<(&'a Ran, &'a str), String> {
    match text.split_once(':') {
        Some((name, rest)) => Ok((run(runs, name.trim())?, rest.trim())),
        None => Ok((run(runs, usual)?, text.trim())),
    }
}
