//! Random runs of the model, a digest for each chunk of them: natively and in wasm the same.

use core::fmt::{self, Write};

use highwater_core::check::random;
use highwater_core::scenario::print;
use highwater_core::sim::{Run, json, message_is_idle, run_watched};

/// So many runs are compared.
pub const RUNS: u64 = 10_000;

/// So many of them have one digest.
const CHUNK: u64 = 100;

/// Each takes at most so many events, most of which are idle polling.
const MOST_EVENTS: u32 = 2_000;

/// How many digests there are.
pub fn chunks() -> u64 {
    RUNS / CHUNK
}

/// The digest of a chunk: every run's script, every event and message with its time, and with all that it tells when it
/// is more than idle polling, and the whole state at the end. Of the first run everything, in the form that `--json` prints.
pub fn digest_of_chunk(chunk: u64) -> u64 {
    let mut digest = Digest::default();
    let first = 1 + chunk * CHUNK;
    for seed in first..first + CHUNK {
        let scenario = random::scenario(seed);
        let run = run_watched(&scenario, MOST_EVENTS, &mut |_, _| {});
        // Nothing that is written into a digest fails.
        let _ = digest.write_str(&print(&scenario));
        let _ = tell(&run, &mut digest);
        if seed == first {
            let _ = digest.write_str(&json::to_json(&run));
        }
    }
    digest.0
}

fn tell(run: &Run, digest: &mut Digest) -> fmt::Result {
    for event in &run.events {
        if event.idle {
            write!(digest, "{}", event.at)?;
        } else {
            write!(digest, "{event:?}")?;
        }
    }
    for message in &run.messages {
        if message_is_idle(&message.message.body) {
            write!(digest, "{} {:?}", message.sent_at, message.arrived_at)?;
        } else {
            write!(digest, "{message:?}")?;
        }
    }
    write!(digest, "{:?}", run.steps)?;
    write!(digest, "{} {} {:?}", run.end, run.cut_off, run.last())
}

/// FNV-1a over what is written.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(crate::digest_of(b""))
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = crate::digest_on(self.0, text.as_bytes());
        Ok(())
    }
}

/// How many chunks the module has.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn random_chunks() -> u32 {
    chunks() as u32
}

/// The digest of one chunk.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn random_digest(chunk: u32) -> u64 {
    digest_of_chunk(u64::from(chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_has_its_own_digest_and_always_the_same() {
        assert_eq!(chunks() * CHUNK, RUNS);
        assert_ne!(digest_of_chunk(0), digest_of_chunk(1));
        assert_eq!(digest_of_chunk(2), digest_of_chunk(2));
    }

    #[test]
    fn what_is_written_piece_by_piece_is_digested_as_a_whole() {
        let mut digest = Digest::default();
        assert!(digest.write_str("foo").and(digest.write_str("bar")).is_ok());
        assert_eq!(digest.0, crate::digest_of(b"foobar"));
    }
}
