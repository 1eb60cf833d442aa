//! Highwater's model of Kafka's replication protocol, for one partition.
//!
//! In reading order: [`kafka`] is the protocol (pure transitions behind one door),
//! [`scenario`] is the script language, [`sim`] runs a scenario on a timed agenda, [`operator`] is what an operator would
//! see of a run, [`check`] holds runs against named
//! properties.
//!
//! A run is a function of scenario and settings: no float, no hash order, no clock, no randomness.

pub mod check;
pub mod kafka;
pub mod operator;
pub mod scenario;
pub mod sim;
