//! The one handle that every component has: the session, the language, and what only the page itself remembers.

use std::ops::Deref;
use std::sync::Arc;

use leptos::prelude::*;

use crate::browser::{frame, media};
use crate::session::{Command, Session};
use crate::text::Text;

/// The handle. Copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Lab {
    session: RwSignal<Session>,
    text: StoredValue<Arc<Text>>,
    /// Whether a frame loop runs: there is never more than one.
    looping: StoredValue<bool>,
    /// What was said last to a screen reader.
    pub said: RwSignal<String>,
    /// Which disclosure is open.
    pub open: RwSignal<Option<Open>>,
    /// Whether the script is: it stays while others open and close.
    script: RwSignal<bool>,
}

/// What unfolds on the page; one at a time, and the script beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The menu of scenarios.
    Menu,
    /// The rest of the settings.
    More,
    /// The settings of a phone.
    Sheet,
    /// The list of steps to add.
    Add,
    /// The script as list and text.
    Script,
}

impl Lab {
    /// A handle on a new session.
    pub fn new(session: Session, text: Text) -> Lab {
        Lab {
            session: RwSignal::new(session),
            text: StoredValue::new(Arc::new(text)),
            looping: StoredValue::new(false),
            said: RwSignal::new(String::new()),
            open: RwSignal::new(None),
            script: RwSignal::new(false),
        }
    }

    /// Does what the reader wants done.
    pub fn send(self, command: Command) {
        self.session.update(|session| session.apply(command));
        if self.session.with_untracked(Session::playing) && !self.looping.get_value() {
            self.play();
        }
    }

    /// Reads the session and follows it; in a memo only.
    pub fn with<R>(self, read: impl FnOnce(&Session) -> R) -> R {
        self.session.with(read)
    }

    /// Reads the session as it is now.
    pub fn peek<R>(self, read: impl FnOnce(&Session) -> R) -> R {
        self.session.with_untracked(read)
    }

    /// A part of the session that is worked out again after a command and tells others only when it has changed.
    pub fn memo<T: PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&Session) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        Memo::new(move |_| self.session.with(&read))
    }

    /// The language.
    pub fn text(self) -> Arc<Text> {
        self.text.get_value()
    }

    /// Opens a disclosure, or closes it when it is open.
    pub fn toggle(self, what: Open) {
        if what == Open::Script {
            self.script.update(|open| *open = !*open);
            return;
        }
        self.open.update(|open| {
            *open = if *open == Some(what) {
                None
            } else {
                Some(what)
            };
        });
    }

    /// Opens the script.
    pub fn show_script(self) {
        self.script.set(true);
    }

    /// Whether a disclosure is open.
    pub fn is_open(self, what: Open) -> bool {
        match what {
            Open::Script => self.script.get(),
            _ => self.open.get() == Some(what),
        }
    }

    fn play(self) {
        self.looping.set_value(true);
        self.session.update(|session| {
            session.apply(Command::StepwisePlay(media::matches(media::REDUCED_MOTION)));
        });
        frame::each(move |passed| {
            self.session
                .update(|session| session.apply(Command::Tick(passed)));
            let goes_on = self.session.with_untracked(Session::playing);
            if !goes_on {
                self.looping.set_value(false);
            }
            goes_on
        });
    }
}

/// A shared value that counts as changed when it is another one, without being looked into.
#[derive(Clone, Debug)]
pub struct Same<T>(pub Arc<T>);

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Same<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Same<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
