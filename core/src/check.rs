//! Named properties of the protocol, and what finds their violations.

mod property;

pub use property::{Property, PropertySet};
