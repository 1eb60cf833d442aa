//! Named properties of the protocol, and what finds their violations: an observer of runs with random runs for it, and a
//! breadth-first search over every interleaving of a budget of faults, on the transitions that the lab runs. The rest of this
//! is about the search.
//!
//! # How events map to transitions
//!
//! Nothing here decides what Kafka does: every event calls the functions of [`crate::kafka`] that the simulator calls, with
//! a sink that records no event. What is chosen here is how much of the protocol is *one* event. These are the choices,
//! and with them the lengths are those of the reference tables (`checker-golden.json`):
//!
//! - **Requests are atomic.** A fetch is request and answer, an ISR change is AlterPartition and answer, a death is the end
//!   of the process and of its session, a restart is loading the log, registering, reading the newest metadata and the
//!   heartbeat that unfences. Losing an answer is an event of its own.
//! - **A fetch lines up first.** Exchanges before it (OffsetsForLeaderEpoch, diverging answers, ListOffsets) belong to it;
//!   when they cut the log, that is all of the event. The answer has the HW of before the fetch (max.wait is 0).
//! - **Any time may pass between two events**, more than lag time, session timeout and checkpoint interval: a replica is
//!   caught up only while its LEO equals the leader's, and a crashed broker finds its last HW in the checkpoint.
//! - **A leader proposes when it is told to** (`isr=manual`), and only while it knows the newest partition record: to drop a
//!   member whose LEO is not its own, to take in a replica that its own rules let in. AlterPartition, the controller's
//!   validation and the answer are the real ones.
//! - **Partition records are learned one by one or several at once; what the controller writes about brokers alone** (fenced,
//!   broker epoch) is known to a leader that proposes.
//! - **A leader that missed its dismissal** and is told of a later leadership of its own hears of both: it gives up its
//!   waiting produce requests and the positions of its followers.
//! - **The winner of an election** is any that an order of the replicas would choose.
//! - A record is a batch of its own. Batches carry a producer's stamp only where retries meet idempotence.
//!
//! Leader epochs are Kafka's and begin at 0; the reference counts them from 1.
//!
//! # What is kept of a state
//!
//! Machines (brokers, the controller) are interned: a state is a handful of numbers, and an event runs the real transition
//! once for each combination of machines that takes part, not once for each state. All states but those of two levels are
//! kept as 64-bit fingerprints with parent and event. See `pack` for what is forgotten of a machine between events.

mod agree;
mod control;
mod event;
mod expand;
mod export;
pub mod faults;
pub mod ghosts;
mod guard;
mod intern;
mod intervals;
mod invariant;
mod judge;
mod observer;
mod outbox;
mod pack;
mod predicate;
mod property;
mod question;
pub mod random;
mod replica;
mod rest;
mod search;
mod shrink;
mod state;
mod store;
mod symmetry;
mod trace;
mod trial;
mod world;

pub use agree::Difference;
pub use event::{Asked, CheckEvent, StopKind};
pub use expand::BoundsHit;
pub use faults::{Faults, must_hold};
pub use ghosts::Ghosts;
pub use guard::Guard;
pub use intervals::Intervals;
pub use invariant::broken_invariant;
pub use observer::{Observer, Violation, observe};
pub use predicate::violated;
pub use property::{Property, PropertySet};
pub use question::{Bounds, Budget, Fault, NoBudget, Question, Unaskable};
pub use search::{Answer, Checker, Found, Progress};
pub use shrink::shrink;
pub use trace::{Counterexample, Snapshot};
pub use trial::{Trial, same_again, trial};
