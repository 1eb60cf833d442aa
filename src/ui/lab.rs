//! The one handle on the state.

use leptos::prelude::*;

use super::{address, behind, near};
use crate::browser::{frame, media, sight};
use crate::session::{Command, Session};
use crate::view::state::State;

/// The handle. Copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Lab {
    state: RwSignal<State>,
    /// Whether a frame loop runs: there is never more than one.
    looping: StoredValue<bool>,
    /// Whether the matrix is being computed, a slice at a time.
    computing: StoredValue<bool>,
}

/// So long the matrix is computed before the page is given back, in ms.
const SLICE: f64 = 6.0;

impl Lab {
    /// A handle on a new state.
    pub fn new(state: State) -> Lab {
        Lab {
            state: RwSignal::new(state),
            looping: StoredValue::new(false),
            computing: StoredValue::new(false),
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
        let mut change = Some(change);
        self.renew(&mut |state| {
            if let Some(change) = change.take() {
                change(state);
            }
            state.changes = state.changes.wrapping_add(1);
        });
    }

    /// Not generic, as it would come with the module once for each change that there is.
    fn renew(self, change: &mut dyn FnMut(&mut State)) {
        let eye = near::eye();
        let old = self.peek(State::made);
        self.state.update(|state| {
            state.eye = eye;
            change(state);
            state.refresh();
        });
        address::watch(self);
        if self.peek(|state| state.made() == old) {
            return;
        }
        if self.peek(|state| state.first.is_some()) {
            behind::complete(self);
        }
        // Thousands of events and shapes: nobody waits until they are given back.
        sight::when_idle(move || drop(old));
    }

    /// Does what the reader wants done.
    pub fn send(self, command: Command) {
        self.change(|state| {
            state.tour_goes_on(&command);
            // What was said of another instant, or of another run, is over.
            state.said.clear();
            state.session.apply(command);
        });
        if self.peek(|state| state.session.playing()) && !self.looping.get_value() {
            self.play();
        }
        if !self.computing.get_value() {
            self.compute();
        }
    }

    /// Computes cells of the matrix until the slice is over, then gives the page back and goes on later. What is computed
    /// belongs to the script as it is at that moment: an edit begins the matrix anew, and this goes on with that one.
    fn compute(self) {
        let open = self.peek(|state| state.session.matrix().is_some_and(|m| !m.finished()));
        self.computing.set_value(open);
        if !open {
            return;
        }
        frame::soon(move || {
            let began = frame::now();
            self.state.update(|state| {
                while frame::now() - began < SLICE
                    && state.session.matrix().is_some_and(|m| !m.finished())
                {
                    state.session.apply(Command::MatrixStep);
                }
            });
            self.compute();
        });
    }

    /// The same for what happens many times a second and changes no region but the picture's.
    pub fn glance(self, command: Command) {
        let mut command = Some(command);
        self.renew(&mut |state| {
            let Some(command) = command.take() else {
                return;
            };
            if state.tour_goes_on(&command) {
                state.changes = state.changes.wrapping_add(1);
            }
            state.session.apply(command);
        });
    }

    /// The window's place in the picture is another.
    pub fn see(self, window: Option<i32>) {
        self.state.update(|state| {
            state.window = window;
            state.first = None;
        });
    }

    /// The window shows that of the picture. Nothing is drawn for it.
    pub fn look(self, eye: Option<(i32, i32)>) {
        self.state.update_untracked(|state| state.eye = eye);
    }

    /// All of a new picture is drawn.
    pub fn see_all(self) {
        if self.peek(|state| state.first.is_some()) {
            self.state.update(|state| state.first = None);
        }
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
