//! The exhaustive search for the page: a question as text in, progress, an answer and a way as text out.
//!
//! A page loads this module when somebody asks, in a worker where there is one. It has no glue: the exported functions take
//! and give single numbers, texts go byte by byte ([`exports`]); a text is some hundred bytes and is moved a few times a
//! second.

pub mod exports;
pub mod search;

pub use search::Search;
