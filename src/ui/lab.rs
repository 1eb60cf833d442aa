//! The one handle on the state.

use leptos::prelude::*;

use super::address;
use super::state::State;
use crate::browser::{frame, media};
use crate::session::{Command, Session};

/// The handle. Copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Lab {
    state: RwSignal<State>,
    /// Whether a frame loop runs: there is never more than one.
    looping: StoredValue<bool>,
}

impl Lab {
    /// A handle on a new state.
    pub fn new(state: State) -> Lab {
        Lab {
            state: RwSignal::new(state),
            looping: StoredValue::new(false),
        }
    }

    /// Reads the state and follows it.
    pub fn with<R>(self, read: impl FnOnce(&State) -> R) -> R {
        self.state.with(read)
    }

    /// Reads the state as it is now.
    pub fn peek<R>(self, read: impl FnOnce(&State) -> R) -> R {
        self.state.with_untracked(read)
    }

    /// Changes what belongs to the page alone.
    pub fn change(self, change: impl FnOnce(&mut State)) {
        self.state.update(|state| {
            change(state);
            state.changes = state.changes.wrapping_add(1);
            state.refresh();
        });
        address::watch(self);
    }

    /// Does what the reader wants done.
    pub fn send(self, command: Command) {
        self.change(|state| state.session.apply(command));
        if self.peek(|state| state.session.playing()) && !self.looping.get_value() {
            self.play();
        }
    }

    /// The same for what happens many times a second and changes no region but the picture's.
    pub fn glance(self, command: Command) {
        self.state.update(|state| {
            state.session.apply(command);
            state.refresh();
        });
        address::watch(self);
    }

    fn play(self) {
        self.looping.set_value(true);
        self.glance(Command::StepwisePlay(media::matches(media::REDUCED_MOTION)));
        frame::each(move |passed| {
            self.glance(Command::Tick(passed));
            let goes_on = self.peek(|state| Session::playing(&state.session));
            if !goes_on {
                self.looping.set_value(false);
            }
            goes_on
        });
    }
}
