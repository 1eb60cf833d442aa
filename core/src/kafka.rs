//! The protocol: pure transitions behind one door (`Cluster::step`). Knows nothing but std.

pub mod cause;
pub mod change_builder;
pub mod controller;
pub mod epoch_cache;
pub mod error;
pub mod event;
pub mod ids;
pub mod log;
pub mod message;
pub mod partition;
pub mod producer_state;
pub mod reassignment;
pub mod record;
pub mod rules;
pub mod settings;
pub mod sink;
pub mod topic;
pub mod truncation;
