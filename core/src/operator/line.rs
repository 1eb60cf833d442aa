//! One line of a log file.

use super::clock;
use crate::kafka::ids::{BrokerId, EventId, Millis};
use core::fmt;

/// Whose log it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The active controller.
    Controller,
    /// A broker.
    Broker(BrokerId),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Controller => f.write_str("controller"),
            Origin::Broker(broker) => write!(f, "broker {broker}"),
        }
    }
}

/// How grave it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Usual.
    Info,
    /// To be looked at.
    Warn,
    /// Something failed.
    Error,
}

impl Level {
    /// log4j's word.
    pub fn name(self) -> &'static str {
        match self {
            Level::Info => "INFO",
            Level::Warn => "WARN",
            Level::Error => "ERROR",
        }
    }
}

/// A line of a log file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it was written.
    pub at: Millis,
    /// The event that it tells of.
    pub event: EventId,
    /// Whose log it is.
    pub origin: Origin,
    /// How grave it is.
    pub level: Level,
    /// What it says.
    pub message: String,
    /// The logger's name, at the end of the line.
    pub logger: &'static str,
    /// The line after it, when an exception is told.
    pub exception: Option<String>,
}

impl Line {
    /// The file that it is in, by Kafka's own logging configuration.
    pub fn file(&self) -> &'static str {
        match (self.origin, self.logger) {
            (Origin::Controller, _) => "controller.log",
            (_, "state.change.logger") => "state-change.log",
            _ => "server.log",
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stamp, level) = (clock::stamp(self.at), self.level.name());
        write!(f, "[{stamp}] {level} {} ({})", self.message, self.logger)?;
        match &self.exception {
            Some(exception) => write!(f, "\n{exception}"),
            None => Ok(()),
        }
    }
}
