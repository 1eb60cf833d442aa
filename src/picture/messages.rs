//! The messages view: a space-time diagram of producer, brokers, consumer and controller. Time runs down on the clock that
//! the timelines have (same spans, same folds, same scale); every request and answer is an arrow from lane to lane.
//!
//! Idle polling and heartbeats (see [`idle`]) are left out unless they are asked for. The diagram is laid out once for a
//! run; only what touches the visible stretch is written ([`Diagram::markup`]), so a long run costs no more than a short one.

pub mod arrow;
mod fold;
pub mod idle;
pub mod lanes;
mod names;
pub mod says;
#[cfg(test)]
mod tests;
mod write;

use highwater_core::kafka::ids::{MessageId, Millis};
use highwater_core::kafka::map::Set;
use highwater_core::sim::Run;

use super::clock::{Clock, Scale};
use super::history::History;
use super::shape::{Shape, Tenths};
use arrow::Arrow;
use idle::Reading;
use lanes::Lanes;

pub use fold::Folded;
pub use write::Marks;

/// Where the diagram stands: beside the script and the partition strip of the timelines' picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Left edge of the lanes.
    pub left: Tenths,
    /// Right edge.
    pub right: Tenths,
    /// y of instant 0.
    pub top: Tenths,
    /// Height of a folded pause.
    pub fold: Tenths,
    /// Folded pauses that are open, each named by the instant at which it begins.
    pub unfolded: Set<Millis>,
    /// Whether idle polling and heartbeats are drawn too.
    pub idle: bool,
    /// The selected record: messages that carry it stand out.
    pub record: Option<u64>,
}

/// The names over the lanes of those that are no brokers, in the reader's language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Of the producer.
    pub producer: String,
    /// Of the consumer.
    pub consumer: String,
    /// Of the controller.
    pub controller: String,
}

/// The messages of a run, laid out.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Time to y: the picture's own.
    pub clock: Clock,
    /// The lanes.
    pub lanes: Lanes,
    /// The arrows, by the instant at which they leave.
    pub arrows: Vec<Arrow>,
    /// What lies in folded time.
    pub folded: Vec<Folded>,
    /// How many messages are idle polling or heartbeats.
    pub idle: usize,
    /// The words beside arrows, by y.
    labels: Vec<Shape>,
    names: Vec<Shape>,
}

impl Diagram {
    /// Lays out the messages of the first run on the clock of all of them (two when A and B are compared).
    pub fn new(runs: &[&Run], reading: &Reading, room: &Room, names: &Names) -> Diagram {
        let scale = Scale {
            top: room.top,
            fold: room.fold,
        };
        let clock = Clock::new(runs, scale, &room.unfolded);
        let mut diagram = Diagram {
            clock,
            lanes: Lanes::default(),
            arrows: Vec::new(),
            folded: Vec::new(),
            idle: reading.idle(),
            labels: Vec::new(),
            names: Vec::new(),
        };
        let Some(run) = runs.first() else {
            return diagram;
        };
        diagram.lanes = Lanes::new(run, &History::new(run, None), room);
        diagram.names = names::over(&diagram.lanes, room, names);
        let shown = |id: MessageId| room.idle || !reading.is_idle(id);
        let drawn = run.messages.iter().filter(|m| shown(m.id));
        for message in drawn {
            match fold::holding(&diagram.clock, run, message) {
                Some(segment) => fold::count(&mut diagram.folded, segment, message.id),
                None => {
                    let arrow = Arrow::new(run, message, &diagram.clock, &diagram.lanes);
                    if let Some(mut arrow) = arrow {
                        arrow.idle = reading.is_idle(message.id);
                        arrow.carries = room.record.is_some_and(|r| reading.carries(message.id, r));
                        diagram.arrows.push(arrow);
                    }
                }
            }
        }
        arrow::bundle(&mut diagram.arrows);
        diagram.labels = says::labels(run, &diagram.arrows, &diagram.lanes, &diagram.names);
        diagram
    }

    /// The arrow of a message; one of a bundle is the bundle's.
    pub fn arrow(&self, id: MessageId) -> Option<&Arrow> {
        let alone = self.arrows.iter().find(|a| a.message == id);
        alone.or_else(|| self.arrows.iter().find(|a| a.others.contains(&id)))
    }
}
