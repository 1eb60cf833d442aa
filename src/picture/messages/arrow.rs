//! One arrow: from the lane of the sender at the instant of sending to the lane of the receiver at that of arrival.

use highwater_core::kafka::event::Loss;
use highwater_core::kafka::ids::{EventId, MessageId, Millis};
use highwater_core::kafka::message::Body;
use highwater_core::sim::{MessageRecord, Run};
use std::collections::BTreeMap;

use super::super::class::Hue;
use super::super::clock::Clock;
use super::super::shape::{Point, Tenths, at, px};
use super::idle::loss;
use super::lanes::Lanes;

/// How an arrow ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// It arrived.
    Arrived,
    /// It was lost.
    Lost,
    /// It is on its way when the run ends.
    Open,
}

/// One arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The message.
    pub message: MessageId,
    /// Others that take the very same way at the same time.
    pub others: Vec<MessageId>,
    /// The event to go to: its end, or its leaving when it has none.
    pub event: EventId,
    /// Where it begins.
    pub from: Point,
    /// Where it ends: at the receiver's lane, or where it was lost.
    pub to: Point,
    /// How it ends.
    pub end: End,
    /// The sender's hue.
    pub hue: Hue,
    /// Whether it answers a request.
    pub answer: bool,
    /// Whether it is idle polling or a heartbeat.
    pub idle: bool,
    /// Whether it carries the selected record.
    pub carries: bool,
}

/// Least fall of an arrow, so that it is seen to run down also where time is drawn small.
const FALL: Tenths = px(3);

impl Arrow {
    /// The arrow of a message; none when an end of it has no lane.
    pub fn new(run: &Run, message: &MessageRecord, clock: &Clock, lanes: &Lanes) -> Option<Arrow> {
        let (sent, towards) = (&message.message.from, &message.message.to);
        let (from_x, to_x) = (lanes.x(*sent)?, lanes.x(*towards)?);
        let why = loss(run, message);
        let end = match (message.arrived_at, why) {
            (Some(_), _) => End::Arrived,
            (None, Some(_)) => End::Lost,
            (None, None) => End::Open,
        };
        let until = ended(run, message);
        let from = at(from_x, clock.y(message.sent_at));
        // A receiver that is down is reached; what a link loses is lost on the way.
        let tenths = match (end, why) {
            (End::Arrived, _) | (End::Lost, Some(Loss::ReceiverDown)) => 10,
            (End::Lost, _) => 6,
            _ => 8,
        };
        let to = at(
            from_x + (to_x - from_x) / 10 * tenths,
            clock.y(until).max(from.y + FALL),
        );
        let short = if tenths == 10 { px(3) } else { 0 };
        let to = at(to.x - (to_x - from_x).signum() * short, to.y);
        let answers = message.message.reply_to.is_some()
            || matches!(message.message.body, Body::Disconnected);
        Some(Arrow {
            message: message.id,
            others: Vec::new(),
            event: message.end_event.unwrap_or(message.sent_event),
            from,
            to,
            end,
            hue: lanes.lane(*sent).map_or(Hue::Plain, |lane| lane.hue),
            answer: answers,
            idle: false,
            carries: false,
        })
    }

    /// Whether it touches the stretch from `top` to `bottom`.
    pub fn within(&self, top: Tenths, bottom: Tenths) -> bool {
        self.from.y <= bottom && self.to.y >= top
    }
}

/// When a message arrived or was lost; the end of the run when neither.
pub fn ended(run: &Run, message: &MessageRecord) -> Millis {
    let end = message
        .end_event
        .and_then(|id| run.events.get(id.0 as usize));
    let end = message.arrived_at.or(end.map(|event| event.at));
    end.unwrap_or(run.end)
}

/// Messages that take the same way at the same time are one arrow.
pub fn bundle(arrows: &mut Vec<Arrow>) {
    let mut places: BTreeMap<(Point, Point, End), usize> = BTreeMap::new();
    let mut list: Vec<Arrow> = Vec::with_capacity(arrows.len());
    for arrow in arrows.drain(..) {
        let way = (arrow.from, arrow.to, arrow.end);
        match places.get(&way).and_then(|place| list.get_mut(*place)) {
            // One that matters stands for those that are idle.
            Some(first) if first.idle && !arrow.idle => {
                let mut others = std::mem::take(&mut first.others);
                others.insert(0, first.message);
                *first = Arrow { others, ..arrow };
            }
            Some(first) => {
                first.carries |= arrow.carries;
                first.others.push(arrow.message);
            }
            None => {
                places.insert(way, list.len());
                list.push(arrow);
            }
        }
    }
    *arrows = list;
}
