//! A broker by its lane in the partition strip: a click kills or starts it, dragging down it pauses its fetching, and
//! the keyboard does the same on the broker's number.

use std::sync::Arc;

use super::lab::Lab;
use crate::browser::dom::{self, Happening};
use crate::picture::clock::Clock;
use crate::picture::view::Target;
use crate::say;
use crate::session::Command;
use crate::session::model::{BrokerId, Millis};
use crate::view::figure::point;
use crate::view::lane::{Held, lanes};
use crate::view::state::{Drag, Hand};

/// A pointer that moves less is a click, in px.
const STILL: f64 = 6.0;
/// A pause that the keyboard makes is so long at first.
const PAUSE: Millis = Millis(10);

/// Takes the lane that the pointer went down on. A finger scrolls there instead, and the list of steps is at hand.
pub fn take(lab: Lab, event: &Happening, on: &str, (x, y): (f64, f64)) -> bool {
    let target = lab.peek(|state| super::events::hit(state, on, x, y));
    let Some(Target::Lane(broker)) = target else {
        return false;
    };
    // In a widget the script stays as it is.
    let fixed = lab.peek(|state| state.widget.is_some());
    if fixed || event.is_touch() || !event.main_button() {
        return false;
    }
    // The picture takes the focus as it does anywhere, so that Esc is heard.
    event.capture(on);
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

/// A key on the strip: left and right choose a broker, arrow down pauses its fetching. Enter is a click.
pub fn key(lab: Lab, event: &Happening, broker: BrokerId) {
    match event.key().as_str() {
        "ArrowLeft" => choose(lab, usize::checked_sub),
        "ArrowRight" => choose(lab, usize::checked_add),
        "ArrowDown" => pause(lab, broker),
        _ => return,
    }
    event.prevent_default();
}

fn choose(lab: Lab, step: fn(usize, usize) -> Option<usize>) {
    lab.change(|state| {
        let brokers = lanes(state).count();
        let next = step(state.lane, 1).filter(|place| *place < brokers);
        state.lane = next.unwrap_or(state.lane);
        let chosen = lanes(state).nth(state.lane);
        if let Some((broker, _)) = chosen {
            state.said = say!(&state.text, LaneHandle, broker = broker);
        }
    });
}

fn pause(lab: Lab, broker: BrokerId) {
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
