//! Named properties of the protocol, and what holds runs against them.

pub mod faults;
pub mod ghosts;
mod intervals;
mod invariant;
mod observer;
mod predicate;
mod property;
pub mod random;
mod shrink;
mod trial;

pub use faults::{Faults, must_hold};
pub use ghosts::Ghosts;
pub use intervals::Intervals;
pub use invariant::broken_invariant;
pub use observer::{Observer, Violation, observe};
pub use predicate::violated;
pub use property::{Property, PropertySet};
pub use shrink::shrink;
pub use trial::{Trial, same_again, trial};
