//! The events of the search, in 16 bits each.

use core::fmt;

use super::question::Fault;
use crate::kafka::ids::BrokerId;

/// What a search can do next (the actions of the reference). Brokers are places among the replicas, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Act {
    Produce,
    Retry(u8),
    Fetch,
    FetchLost,
    /// The leader proposes a change of that replica's membership.
    ChangeIsr(u8),
    ChangeIsrLost(u8),
    /// It reads the history up to that place.
    Learn(u8),
    Clean,
    Crash,
    PowerLoss(u8),
    Restart,
    Fence,
    Unfence,
    Move,
    Bounce,
    BouncePower(u8),
}

/// An event: who, what, and which outcome where an election may have several winners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Choice {
    pub place: u8,
    pub act: Act,
    pub outcome: u8,
}

impl Act {
    fn parts(self) -> (u16, u8) {
        match self {
            Act::Produce => (0, 0),
            Act::Retry(number) => (1, number),
            Act::Fetch => (2, 0),
            Act::FetchLost => (3, 0),
            Act::ChangeIsr(place) => (4, place),
            Act::ChangeIsrLost(place) => (5, place),
            Act::Learn(position) => (6, position),
            Act::Clean => (7, 0),
            Act::Crash => (8, 0),
            Act::PowerLoss(keep) => (9, keep),
            Act::Restart => (10, 0),
            Act::Fence => (11, 0),
            Act::Unfence => (12, 0),
            Act::Move => (13, 0),
            Act::Bounce => (14, 0),
            Act::BouncePower(keep) => (15, keep),
        }
    }

    /// The fault that it is, if it is one.
    pub fn fault(self) -> Option<Fault> {
        Some(match self {
            Act::Retry(_) => Fault::Retry,
            Act::FetchLost => Fault::LostFetchResponse,
            Act::ChangeIsrLost(_) => Fault::LostAlterPartitionResponse,
            Act::Clean => Fault::CleanShutdown,
            Act::Crash => Fault::Crash,
            Act::PowerLoss(_) => Fault::PowerLoss,
            Act::Fence => Fault::Fence,
            Act::Move => Fault::Move,
            Act::Bounce => Fault::Bounce,
            Act::BouncePower(_) => Fault::BouncePowerLoss,
            _ => return None,
        })
    }
}

impl Choice {
    /// 4 bits kind, 3 bits place, 5 bits argument, 3 bits outcome.
    pub fn pack(self) -> u16 {
        let (kind, argument) = self.act.parts();
        kind | u16::from(self.place) << 4
            | u16::from(argument & 31) << 7
            | u16::from(self.outcome) << 12
    }

    pub fn unpack(bits: u16) -> Choice {
        let argument = (bits >> 7 & 31) as u8;
        let act = match bits & 15 {
            0 => Act::Produce,
            1 => Act::Retry(argument),
            2 => Act::Fetch,
            3 => Act::FetchLost,
            4 => Act::ChangeIsr(argument),
            5 => Act::ChangeIsrLost(argument),
            6 => Act::Learn(argument),
            7 => Act::Clean,
            8 => Act::Crash,
            9 => Act::PowerLoss(argument),
            10 => Act::Restart,
            11 => Act::Fence,
            12 => Act::Unfence,
            13 => Act::Move,
            14 => Act::Bounce,
            _ => Act::BouncePower(argument),
        };
        Choice {
            place: (bits >> 4 & 7) as u8,
            act,
            outcome: (bits >> 12) as u8,
        }
    }
}

/// A request of a follower's fetcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Where its last epoch ends.
    EpochEnd,
    /// A fetch.
    Fetch,
    /// The leader's offsets, after OFFSET_OUT_OF_RANGE.
    Offsets,
}

/// An event of a counterexample, with what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckEvent {
    /// A record is produced to a broker that believes it leads.
    Produce {
        /// The broker.
        broker: BrokerId,
        /// The record's number, from 1.
        record: u8,
    },
    /// The producer sends it again.
    Retry {
        /// The broker.
        broker: BrokerId,
        /// The record's number.
        record: u8,
    },
    /// A follower fetches.
    Fetch {
        /// The follower.
        broker: BrokerId,
        /// Whom it asks.
        leader: BrokerId,
        /// The answer is lost.
        lost: bool,
        /// The requests that it sends, in order.
        asked: Vec<Asked>,
    },
    /// The leader proposes an ISR without a member, or with one more.
    ChangeIsr {
        /// The leader.
        leader: BrokerId,
        /// Who leaves or joins.
        replica: BrokerId,
        /// Whether it joins.
        joins: bool,
        /// The answer is lost.
        lost: bool,
    },
    /// A broker reads metadata.
    Learn {
        /// The broker.
        broker: BrokerId,
        /// The leader that the record names.
        leader: Option<BrokerId>,
        /// Its leader epoch (Kafka's, from 0).
        epoch: u8,
    },
    /// A process ends.
    Stop {
        /// The broker.
        broker: BrokerId,
        /// How.
        how: StopKind,
    },
    /// A process starts, registers and is unfenced.
    Restart {
        /// The broker.
        broker: BrokerId,
    },
    /// The controller ends the session of a live broker.
    Fence {
        /// The broker.
        broker: BrokerId,
    },
    /// It is let back.
    Unfence {
        /// The broker.
        broker: BrokerId,
    },
    /// Leadership is moved to it.
    Move {
        /// The broker.
        broker: BrokerId,
    },
    /// Its process restarts unnoticed.
    Bounce {
        /// The broker.
        broker: BrokerId,
        /// The records that are left; none = all.
        keep: Option<u8>,
    },
}

impl CheckEvent {
    /// Whether it counts against a budget of faults.
    pub fn is_fault(&self) -> bool {
        match self {
            CheckEvent::Retry { .. }
            | CheckEvent::Stop { .. }
            | CheckEvent::Fence { .. }
            | CheckEvent::Move { .. }
            | CheckEvent::Bounce { .. } => true,
            CheckEvent::Fetch { lost, .. } | CheckEvent::ChangeIsr { lost, .. } => *lost,
            CheckEvent::Produce { .. }
            | CheckEvent::Learn { .. }
            | CheckEvent::Restart { .. }
            | CheckEvent::Unfence { .. } => false,
        }
    }
}

/// How a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopKind {
    /// Controlled shutdown.
    Clean,
    /// Killed; the page cache survives.
    Crash,
    /// Only so many records are left.
    PowerLoss(u8),
}

impl fmt::Display for CheckEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = |lost: bool| if lost { "; the answer is lost" } else { "" };
        match *self {
            CheckEvent::Produce { broker, record } => {
                write!(f, "record {record} is produced to {broker}")
            }
            CheckEvent::Retry { broker, record } => {
                write!(f, "record {record} is sent again, to {broker}")
            }
            CheckEvent::Fetch {
                broker,
                leader,
                lost,
                ..
            } => write!(f, "{broker} fetches from {leader}{}", answer(lost)),
            CheckEvent::ChangeIsr {
                leader,
                replica,
                joins,
                lost,
            } => {
                let verb = if joins { "takes" } else { "drops" };
                let into = if joins { "into" } else { "from" };
                write!(
                    f,
                    "{leader} {verb} {replica} {into} the ISR{}",
                    answer(lost)
                )
            }
            CheckEvent::Learn {
                broker,
                leader,
                epoch,
            } => match leader {
                Some(leader) if leader == broker => {
                    write!(f, "{broker} learns that it leads epoch {epoch}")
                }
                Some(leader) => write!(f, "{broker} learns that {leader} leads epoch {epoch}"),
                None => write!(f, "{broker} learns that nobody leads epoch {epoch}"),
            },
            CheckEvent::Stop { broker, how } => match how {
                StopKind::Clean => write!(f, "{broker} shuts down cleanly"),
                StopKind::Crash => write!(f, "{broker} crashes, and is fenced"),
                StopKind::PowerLoss(keep) => {
                    write!(
                        f,
                        "{broker} loses power and keeps {keep} records, and is fenced"
                    )
                }
            },
            CheckEvent::Restart { broker } => write!(f, "{broker} starts again"),
            CheckEvent::Fence { broker } => write!(f, "{broker} is fenced while it lives"),
            CheckEvent::Unfence { broker } => write!(f, "{broker} is unfenced"),
            CheckEvent::Move { broker } => write!(f, "leadership is moved to {broker}"),
            CheckEvent::Bounce { broker, keep } => match keep {
                None => write!(f, "{broker} restarts unnoticed"),
                Some(keep) => write!(f, "{broker} restarts unnoticed and keeps {keep} records"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_fits_into_sixteen_bits() {
        let acts = [
            Act::Produce,
            Act::Retry(8),
            Act::Fetch,
            Act::FetchLost,
            Act::ChangeIsr(4),
            Act::ChangeIsrLost(3),
            Act::Learn(19),
            Act::Clean,
            Act::Crash,
            Act::PowerLoss(7),
            Act::Restart,
            Act::Fence,
            Act::Unfence,
            Act::Move,
            Act::Bounce,
            Act::BouncePower(30),
        ];
        for act in acts {
            for (place, outcome) in [(0, 0), (4, 4), (2, 1)] {
                let choice = Choice {
                    place,
                    act,
                    outcome,
                };
                assert_eq!(Choice::unpack(choice.pack()), choice);
            }
        }
    }
}
