//! What the model was checked against, and what the recorded clusters showed: data, checks and the page that tells both.
//!
//! Reading order: [`history`] (a recording as the cluster had it, and as the model has it), [`facts`] (what a history
//! tells, by rule), [`finding`] (what is told of which recordings, and what must be so), [`measured`] (the figures of the
//! last measurement), [`recorded`] (recordings as files of the page), then [`render`] and the page.

pub mod facts;
pub mod finding;
pub mod history;
pub mod measured;
pub mod page;
pub mod recorded;
pub mod render;
pub mod sources;
mod steps;
pub mod tables;
