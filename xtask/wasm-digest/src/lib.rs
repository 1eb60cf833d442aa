//! Golden runs of the model, reduced to one number each.
//!
//! `cargo xtask test` evaluates every case natively and, under node, in the wasm build with the optimisation that the
//! page uses. The numbers must be equal: a run is its inputs, on every machine.
//!
//! Every scenario of `scenarios/` and every recording of `core/cases/cluster-traces/` is a case by itself (the build script
//! lists them); what else shall be compared is added to [`OWN`]. The digest covers every event with its cause, every
//! message, the verdict, and the whole state at the end.

use highwater_core::scenario::trace;
use highwater_core::scenario::{Scenario, ScriptError, parse};
use highwater_core::sim::{json, replay, run};

pub mod bench;
pub mod random;
pub mod search;

/// One golden run: a name for the report, and what is run.
pub struct Case {
    /// What the report calls it.
    pub name: &'static str,
    /// What is run.
    pub input: Input,
}

/// What a golden run is made of.
pub enum Input {
    /// Nothing is run: the digest itself is compared.
    Bytes(&'static [u8]),
    /// A scenario as text.
    Scenario(&'static str),
    /// A scenario whose text is made.
    Made(fn() -> String),
    /// The examples between the fences of a description of the language.
    Examples(&'static str),
    /// A recording of a real cluster as JSON: run, and replayed step by step.
    Trace(&'static str),
}

/// Cases that are no files of their own.
const OWN: &[Case] = &[
    Case {
        name: "digest of known bytes",
        input: Input::Bytes(b"highwater"),
    },
    Case {
        name: "every example of the language",
        input: Input::Examples(include_str!("../../../docs/scenario-language.md")),
    },
    Case {
        name: "the run of the benchmarks",
        input: Input::Made(bench::long),
    },
    Case {
        name: "the script of the benchmarks",
        input: Input::Scenario(bench::THIRTY),
    },
];

const FILES: &[Case] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// All golden runs, in the order of the exported `digest(index)`.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    OWN.iter().chain(FILES)
}

impl Case {
    /// Runs the model and digests what came out.
    pub fn digest(&self) -> u64 {
        digest_of(&self.bytes())
    }

    /// What is digested. A script that is refused gives its errors, which the tests do not let pass.
    fn bytes(&self) -> Vec<u8> {
        let told = match self.input {
            Input::Bytes(bytes) => return bytes.to_vec(),
            Input::Scenario(text) => parse(text).map(|scenario| of_scenario(&scenario)),
            Input::Made(text) => parse(&text()).map(|scenario| of_scenario(&scenario)),
            Input::Examples(text) => examples(text)
                .map(|example| Ok(of_scenario(&parse(example)?)))
                .collect(),
            Input::Trace(text) => of_trace(text),
        };
        told.unwrap_or_else(refused).into_bytes()
    }
}

fn of_scenario(scenario: &Scenario) -> String {
    let run = run(scenario);
    format!("{}\n{:?}\n", json::to_json(&run), run.last())
}

fn of_trace(text: &str) -> Result<String, Vec<ScriptError>> {
    let trace = trace::read(text)?;
    let run = run(&trace.scenario());
    let comparisons = replay::replay(&trace);
    let recorded = json::recording_to_json(&run, &trace, &comparisons);
    Ok(format!("{recorded}\n{:?}\n{comparisons:?}", run.last()))
}

/// The examples of scenarios in a description: what stands between fences without a word.
fn examples(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("\n```").skip(1).step_by(2);
    parts.filter_map(|part| part.strip_prefix('\n'))
}

fn refused(errors: Vec<ScriptError>) -> String {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    format!("refused: {}", errors.join("; "))
}

/// FNV-1a, 64 bits: short, without dependencies and the same everywhere.
pub fn digest_of(bytes: &[u8]) -> u64 {
    digest_on(0xcbf2_9ce4_8422_2325, bytes)
}

/// The digest of what had `digest` and goes on with these bytes.
fn digest_on(digest: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(digest, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// How many cases the module has.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn count() -> u32 {
    cases().count() as u32
}

/// The digest of one case, 0 for an index without a case.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn digest(index: u32) -> u64 {
    cases().nth(index as usize).map_or(0, Case::digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn digest_matches_the_published_test_vectors_of_fnv_1a() {
        assert_eq!(digest_of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest_of(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn case_names_are_distinct() {
        let names: BTreeSet<&str> = cases().map(|case| case.name).collect();
        assert_eq!(names.len(), cases().count());
    }

    #[test]
    fn every_recording_is_a_case() {
        let package = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the package");
        let folder = format!("{package}/../../core/cases/cluster-traces");
        let files = std::fs::read_dir(folder).expect("the recordings").flatten();
        let recordings = files
            .filter(|file| file.file_name().to_string_lossy().ends_with(".json"))
            .count();
        let traces = cases().filter(|case| matches!(case.input, Input::Trace(_)));
        assert!(recordings > 100, "only {recordings} recordings");
        assert_eq!(traces.count(), recordings);
    }

    #[test]
    fn no_case_is_refused_and_each_has_a_digest_of_its_own() {
        let mut digests = BTreeSet::new();
        for case in cases() {
            let bytes = case.bytes();
            let shown = String::from_utf8_lossy(&bytes);
            assert!(!shown.starts_with("refused"), "{}: {shown}", case.name);
            let is_run = !matches!(case.input, Input::Bytes(_));
            assert!(!is_run || bytes.len() > 10_000, "{}: {shown}", case.name);
            assert!(digests.insert(digest_of(&bytes)), "{}", case.name);
        }
    }
}
