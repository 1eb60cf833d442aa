//! The script language: values, text with positioned errors, canonical printer, JSON.

pub mod error;
pub mod names;
pub mod time;
pub mod value;
mod words;

pub use value::{
    Action, ConfigChange, ElectionKind, Produce, Scenario, Start, StartReplica, Step, When,
};
