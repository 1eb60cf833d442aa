//! A broker by its lane in the partition strip: a click kills or starts it, dragging down it pauses its fetching, and
//! the keyboard does the same on the broker's number.

use std::sync::Arc;

use super::figure::{place_of, point};
use super::html::Html;
use super::lab::Lab;
use super::state::{Drag, Hand, State};
use crate::browser::dom::{self, Happening};
use crate::picture::clock::Clock;
use crate::picture::view::Target;
use crate::say;
use crate::session::Command;
use crate::session::model::{BrokerId, Millis};

/// A pointer that moves less is a click, in px.
const STILL: f64 = 6.0;
/// A pause that the keyboard makes is so long at first.
const PAUSE: Millis = Millis(10);

/// A lane under the hand.
#[derive(Clone, Debug)]
pub struct Held {
    broker: BrokerId,
    clock: Arc<Clock>,
    from: f64,
}

/// Takes the lane that the pointer went down on. A finger scrolls there instead, and the list of steps is at hand.
pub fn take(lab: Lab, event: &Happening, on: &str, (x, y): (f64, f64)) -> bool {
    let target = lab.peek(|state| super::events::hit(state, on, x, y));
    let Some(Target::Lane(broker)) = target else {
        return false;
    };
    if event.is_touch() || !event.main_button() {
        return false;
    }
    event.capture(on);
    event.prevent_default();
    lab.change(|state| {
        state.hand = Hand::Lane(Held {
            broker,
            clock: Arc::new(state.picture.clock.clone()),
            from: y,
        });
    });
    true
}

fn time(clock: &Clock, y: f64) -> Millis {
    clock.instant(point(0.0, y.max(0.0)).y).at
}

/// The pointer is there: far enough down, a pause begins, and its end is what is dragged from then on.
pub fn drag(lab: Lab, held: &Held, y: f64) {
    if y - held.from < STILL {
        return;
    }
    let from = time(&held.clock, held.from);
    lab.send(Command::PauseFetch {
        broker: held.broker,
        from,
        to: time(&held.clock, y),
    });
    let touched = lab.peek(|state| state.session.touched());
    lab.change(|state| {
        state.hand = match touched {
            Some(step) => Hand::Step(Drag {
                step,
                clock: Arc::clone(&held.clock),
                moved: true,
                from,
            }),
            // A leader, or a text with a mistake.
            None => Hand::Free,
        };
    });
}

/// The pointer went up where it went down: the playhead goes there, and the broker dies or comes back.
pub fn click(lab: Lab, held: &Held) {
    let instant = held.clock.instant(point(0.0, held.from).y);
    lab.send(Command::Seek(instant));
    lab.send(Command::KillOrStart(held.broker));
}

/// A key on a broker's number.
pub fn key(lab: Lab, event: &Happening, broker: BrokerId) {
    if event.key() != "ArrowDown" {
        return;
    }
    event.prevent_default();
    let from = lab.peek(|state| state.session.playhead().at);
    lab.send(Command::PauseFetch {
        broker,
        from,
        to: from.plus(PAUSE),
    });
    lab.send(Command::DropStep);
    // The end of the pause has a handle of its own, which the arrow keys move.
    if let Some(step) = lab.peek(|state| state.session.touched()) {
        dom::focus_later(&format!("step-{step}"));
    }
}

/// The brokers' numbers over the strip, as buttons.
pub fn handles(state: &State, html: &mut Html) {
    for target in &state.picture.targets {
        let Target::Lane(broker) = target.target else {
            continue;
        };
        let said = say!(&state.text, LaneHandle, broker = broker);
        html.raw("<button type=\"button\" class=\"lane-handle\"")
            .act("lane", &broker.to_string());
        html.attr("id", &format!("lane-{broker}"))
            .attr("data-lane", &broker.to_string());
        html.attr("style", &place_of(state.picture.lane_number(target.area)))
            .attr("title", &said)
            .attr("aria-label", &said)
            .raw("></button>");
    }
}
