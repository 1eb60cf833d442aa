//! The script language: values, text with positioned errors, canonical printer, JSON.

pub mod value;

pub use value::{
    Action, ConfigChange, ElectionKind, Produce, Scenario, Start, StartReplica, Step, When,
};
