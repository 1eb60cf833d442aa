//! What can be undone and done again: texts with the last scenario that ran, newest last.

use std::sync::Arc;

use highwater_core::scenario::value::Scenario;

use super::beside::Own;
use super::state::Origin;

/// What an edit changes, as it was at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The text in the editor, right or wrong.
    pub text: Arc<str>,
    /// The last scenario that could be read.
    pub scenario: Arc<Scenario>,
    /// Where it came from.
    pub origin: Origin,
    /// B's own settings, while there is a B.
    pub own: Option<Arc<Own>>,
}

/// Edits of one kind that follow one another are undone together: a drag, a line being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Typing in the text.
    Text,
    /// Dragging a step.
    Drag,
}

/// Bytes of text that are kept for undoing; the oldest go first, the newest always stays.
const MOST_BYTES: usize = 16 << 20;
/// Edits that are kept.
const MOST_EDITS: usize = 500;

/// Two stacks.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Snapshot>,
    future: Vec<Snapshot>,
    open: Option<Group>,
}

impl History {
    /// Notes how things were before an edit. Edits of the same open group are one.
    pub fn note(&mut self, before: Snapshot, group: Option<Group>) {
        self.future.clear();
        if group.is_some() && group == self.open {
            return;
        }
        self.open = group;
        self.past.push(before);
        let mut bytes: usize = self.past.iter().map(|one| one.text.len()).sum();
        while self.past.len() > MOST_EDITS || (bytes > MOST_BYTES && self.past.len() > 1) {
            bytes = bytes.saturating_sub(self.past.remove(0).text.len());
        }
    }

    /// The next edit begins anew.
    pub fn close_group(&mut self) {
        self.open = None;
    }

    /// Goes back: returns what was before, and keeps `now` for going forward.
    pub fn back(&mut self, now: Snapshot) -> Option<Snapshot> {
        self.open = None;
        let before = self.past.pop()?;
        self.future.push(now);
        Some(before)
    }

    /// Goes forward again.
    pub fn forward(&mut self, now: Snapshot) -> Option<Snapshot> {
        self.open = None;
        let after = self.future.pop()?;
        self.past.push(now);
        Some(after)
    }

    /// How many edits can be undone, and how many done again.
    pub fn edits(&self) -> (usize, usize) {
        (self.past.len(), self.future.len())
    }

    /// Whether there is anything to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is anything to do again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}
