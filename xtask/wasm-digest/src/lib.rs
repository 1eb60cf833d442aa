//! Golden runs of the model, reduced to one number each.
//!
//! `cargo xtask test` evaluates every case natively and, under node, in the wasm build with the optimisation that the
//! page uses. The numbers must be equal: a run is its inputs, on every machine.
//!
//! To add a case, add a line to [`CASES`]. A case takes no input, reads no clock and no file; it runs the model and
//! returns [`digest_of`] the bytes that describe the run (its printed events, for example).

/// One golden run: a name for the report, and the run reduced to a digest.
pub struct Case {
    /// What the report calls it.
    pub name: &'static str,
    /// Runs the model and digests what came out.
    pub run: fn() -> u64,
}

/// All golden runs, in the order of the exported `digest(index)`.
pub const CASES: &[Case] = &[Case {
    name: "digest of known bytes",
    run: || digest_of(b"highwater"),
}];

/// FNV-1a, 64 bits: short, without dependencies and the same everywhere.
pub fn digest_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// How many cases the module has.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn count() -> u32 {
    CASES.len() as u32
}

/// The digest of one case. An index without a case traps, which the node script reports.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn digest(index: u32) -> u64 {
    (CASES[index as usize].run)()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_matches_the_published_test_vectors_of_fnv_1a() {
        assert_eq!(digest_of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest_of(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn case_names_are_distinct() {
        for (index, case) in CASES.iter().enumerate() {
            assert!(CASES[..index].iter().all(|other| other.name != case.name));
        }
    }
}
