//! Everything a reader can do.

use highwater_core::kafka::map::Set;

use highwater_core::kafka::ids::{BrokerId, EventId, Millis};
use highwater_core::scenario::value::Action;
use highwater_core::sim::Instant;

use crate::picture::view::{Panel, Target};

/// One thing that a reader does.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    // --- what is run ---
    /// Opens a link or its query: what can be read of it; see [`super::link`].
    OpenLink(String),
    /// Opens a script: the playhead goes to its answer.
    OpenText(String),
    /// What is wrong with the link was read.
    CloseLink,
    /// Opens a scenario of the library by its id; an unknown id is ignored.
    LoadScenario(String),
    /// Opens a recorded trace: its id, and the text that was fetched (see [`super::recorded`]).
    LoadTrace {
        /// Its id.
        id: String,
        /// The file.
        file: String,
    },
    /// Sets a setting by its name in scripts.
    SetSetting {
        /// The name.
        name: String,
        /// The value as a script writes it.
        value: String,
    },
    /// The text is this now; the last good run stays while it is wrong.
    EditText(String),
    /// Adds a step at the playhead.
    AddStep(Action),
    /// Kills a broker at the playhead when its process runs, and starts it when it does not.
    KillOrStart(BrokerId),
    /// Pauses a follower's fetching from an instant to another: two steps, undone together. The second one is the one
    /// that was touched. A leader fetches nothing: nothing is done.
    PauseFetch {
        /// The follower.
        broker: BrokerId,
        /// From then on,
        from: Millis,
        /// until then.
        to: Millis,
    },
    /// Moves a step to an instant; while a step is dragged these are undone together.
    MoveStep {
        /// Its index.
        step: usize,
        /// To there.
        at: Millis,
    },
    /// Lets go of a dragged step.
    DropStep,
    /// Replaces what a step does by an action as a script writes it.
    EditStep {
        /// Its index.
        step: usize,
        /// For example `kill 1`.
        action: String,
    },
    /// Removes a step.
    RemoveStep(usize),
    /// Takes back the last edit.
    Undo,
    /// Does it again.
    Redo,

    // --- beside it ---
    /// Runs B under A's settings with these changed; when B is there already, they change in B.
    Compare(Vec<(String, String)>),
    /// B becomes a copy of A.
    CopyToB,
    /// A becomes a copy of B.
    CopyToA,
    /// A and B change places.
    Swap,
    /// B goes.
    CloseB,
    /// Puts the playhead on the first difference in outcome.
    FirstDifference,
    /// On the next one, and after the last on the first.
    NextDifference,

    /// Begins the outcome matrix, or lets go of it.
    ShowMatrix(bool),
    /// Computes its next cell.
    MatrixStep,

    // --- the question of a widget ---
    /// Chooses what stands at that place, or takes it back.
    Choose(usize),
    /// What is chosen is the answer: the outcome is shown.
    Answer,

    // --- time ---
    /// Puts the playhead there.
    Seek(Instant),
    /// Puts the playhead just after an event.
    SeekEvent(EventId),
    /// To the next event that matters.
    NextEvent,
    /// To the one before.
    PreviousEvent,
    /// To the beginning.
    First,
    /// To the end.
    Last,
    /// Starts or stops playing; from the end it starts over.
    PlayPause,
    /// So many milliseconds of the reader's time passed while playing.
    Tick(f64),
    /// Reduced motion: playing goes event by event, once a second.
    StepwisePlay(bool),

    // --- looking ---
    /// Selects a record, or none.
    Select(Option<u64>),
    /// The pointer is over something.
    Hover(Option<Target>),
    /// The focus is on something.
    Focus(Option<Target>),
    /// Opens or folds a pause.
    ToggleFold(Millis),
    /// Opens a panel (phone).
    OpenPanel(Panel),
    /// The picture has this much room, in px.
    Resize(u32),
    /// Replaces the set of open pauses.
    Unfold(Set<Millis>),
}
