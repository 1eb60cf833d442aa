//! The state of the page without a page: which scenario is open, its text, its run and verdict, the playhead, what is
//! selected, and what can be undone. [`Session::apply`] is the only writer; everything else reads.

pub mod act;
pub mod against;
pub mod apply;
pub mod asked;
pub mod beside;
pub mod command;
pub mod history;
mod lanes;
pub mod library;
mod lines;
pub mod link;
pub mod logs;
pub mod look;
pub mod matrix;
pub mod model;
pub mod moments;
pub mod player;
pub mod question;
pub mod ran;
pub mod recorded;
pub mod rewrite;
pub mod script;
pub mod state;
pub mod widget;

pub use command::Command;
pub use ran::Ran;
pub use state::{Origin, Session};

#[cfg(test)]
mod tests;
