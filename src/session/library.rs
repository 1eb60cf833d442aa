//! The scenarios that come with the page. Their texts are files of the script language in `scenarios/`.

use crate::text::Key;

/// A scenario of the library.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name in addresses and tests; never changed once published.
    pub id: &'static str,
    /// The script.
    pub text: &'static str,
    /// Its title.
    pub name: Key,
    /// What there is to see, in one line.
    pub about: Key,
}

impl Entry {
    /// The title in its script.
    pub fn title(&self) -> &'static str {
        let mut lines = self.text.lines();
        let title = lines.find_map(|line| line.strip_prefix("title "));
        title.unwrap_or_default().trim()
    }
}

/// Scenarios under one heading.
#[derive(Clone, Copy, Debug)]
pub struct Shelf {
    /// The heading.
    pub name: Key,
    /// What stands under it.
    pub entries: &'static [Entry],
}

/// The one that the page opens with.
pub const FIRST: &str = "acknowledged-by-one";

macro_rules! entry {
    ($id:literal, $name:ident, $about:ident) => {
        Entry {
            id: $id,
            text: include_str!(concat!("../../scenarios/", $id, ".hw")),
            name: Key::$name,
            about: Key::$about,
        }
    };
}

const ACKNOWLEDGED: Entry = entry!("acknowledged-by-one", ScenarioOne, ScenarioOneAbout);

/// All of them, in the order of the menu.
pub static SHELVES: &[Shelf] = &[
    Shelf {
        name: Key::ShelfStart,
        entries: &[
            ACKNOWLEDGED,
            entry!("hw-6-4-5", Scenario645, Scenario645About),
        ],
    },
    Shelf {
        name: Key::ShelfStates,
        entries: &[
            entry!("state-a", ScenarioA, ScenarioAAbout),
            entry!("state-b", ScenarioB, ScenarioBAbout),
            entry!("state-c", ScenarioC, ScenarioCAbout),
            entry!("state-d", ScenarioD, ScenarioDAbout),
            entry!("state-e", ScenarioE, ScenarioEAbout),
        ],
    },
    Shelf {
        name: Key::ShelfInputs,
        entries: &[
            entry!("input-late-follower", ScenarioLate, ScenarioLateAbout),
            entry!("input-isr-two", ScenarioTwo, ScenarioTwoAbout),
            entry!("input-isr-one", ScenarioAlone, ScenarioAloneAbout),
            entry!("input-leader-crash", ScenarioCrash, ScenarioCrashAbout),
            entry!("input-unclean", ScenarioUnclean, ScenarioUncleanAbout),
            entry!("input-elr", ScenarioElr, ScenarioElrAbout),
            entry!(
                "input-lost-response",
                ScenarioLostAnswer,
                ScenarioLostAnswerAbout
            ),
        ],
    },
];

/// All entries, in the order of the menu.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    SHELVES.iter().flat_map(|shelf| shelf.entries)
}

/// The entry of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.id == id)
}

/// The entry that the page opens with.
pub fn first() -> &'static Entry {
    &ACKNOWLEDGED
}
