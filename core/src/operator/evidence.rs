//! The way back: pasted `--describe` lines and checkpoint files as facts, and what is wrong with them.

mod checkpoint;
mod described;
#[cfg(test)]
mod tests;

pub use checkpoint::{OffsetEntry, read_epochs, read_offsets};
pub use described::{
    Contradiction, PartitionLine, TopicLine, read_describe, read_partition, read_topic,
};

/// What is wrong with a pasted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What was found there.
    pub found: String,
    /// What was expected.
    pub expected: &'static str,
}

impl core::fmt::Display for Mistake {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Mistake {
            line,
            found,
            expected,
        } = self;
        write!(f, "line {line}: found `{found}`, expected {expected}")
    }
}

/// Longer lines are cut when they are quoted.
const QUOTED: usize = 60;

fn mistake(line: usize, found: &str, expected: &'static str) -> Mistake {
    Mistake {
        line,
        found: found.chars().take(QUOTED).collect(),
        expected,
    }
}
