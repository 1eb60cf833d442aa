//! What several test files use.

pub mod arbitrary;
pub mod notation;
