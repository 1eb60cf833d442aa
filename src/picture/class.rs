//! What a shape means. `style/picture.css` gives each class its look from the tokens; there is no colour here.

/// Whose hue a shape has. Hue belongs to a broker for the whole run, ink to leadership.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hue {
    /// The class has a look of its own.
    #[default]
    Plain,
    /// The leader: ink.
    Leader,
    /// The replica at this place of the replica list, from 1; beyond 5 they share the fifth hue.
    Replica(u8),
}

impl Hue {
    /// The style sheet's name; empty for plain.
    pub fn css(self) -> &'static str {
        match self {
            Hue::Plain => "",
            Hue::Leader => "lead",
            Hue::Replica(1) => "r1",
            Hue::Replica(2) => "r2",
            Hue::Replica(3) => "r3",
            Hue::Replica(4) => "r4",
            Hue::Replica(_) => "r5",
        }
    }
}

macro_rules! looks {
    ($($(#[$doc:meta])* $variant:ident = $css:literal;)*) => {
        /// The role of a shape.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Look { $($(#[$doc])* $variant,)* }

        impl Look {
            /// Every look; the style sheet has a rule for each.
            pub const ALL: &'static [Look] = &[$(Look::$variant,)*];

            /// The style sheet's name.
            pub fn css(self) -> &'static str {
                match self { $(Look::$variant => $css,)* }
            }
        }
    };
}

looks! {
    // --- frame ---
    /// Border of a column.
    Guide = "guide";
    /// The dotted line of a step through all panels.
    Hair = "hair";
    /// The ruler.
    Tick = "tk";
    /// Handle of a step.
    Grip = "grip";
    /// Ground of folded time.
    FoldGround = "foldground";
    /// Its zigzag edges.
    FoldEdge = "foldedge";
    /// Rule under the name of the open panel.
    HeadRule = "headrule";
    // --- partition strip ---
    /// Leads.
    LeaderBar = "leadbar";
    /// In the ISR.
    Isr = "isr";
    /// In the ELR.
    Elr = "elr";
    /// Last known leader.
    LastKnown = "lastknown";
    /// Alive, in neither.
    Outside = "out";
    /// Down.
    Down = "down";
    /// The process ended.
    Dead = "dead";
    // --- producer acks ---
    /// Sent.
    Sent = "sent";
    /// Given to the producer, and not sent yet: there is nobody to send to.
    Unsent = "unsent";
    /// From sent to answer.
    Wait = "wait";
    /// The same while there is no answer: open below.
    WaitOpen = "waitopen";
    /// The same, narrow: answered ok.
    SlimOk = "slimok";
    /// The same, narrow: any other.
    SlimWait = "slimwait";
    /// What the producer believes after an ok.
    Promise = "promise";
    /// Answered ok.
    AckOk = "ackok";
    /// Refused.
    AckRefused = "ackrefused";
    /// Outcome unknown.
    AckUnknown = "ackunknown";
    /// Lost.
    Lost = "lostmark";
    /// The line back from a second copy, and its mark.
    Duplicate = "dup";
    // --- follower HW lag ---
    /// Left of the leader's HW.
    Water = "water";
    /// The leader's LEO.
    LeoStair = "leostair";
    /// The leader's HW.
    HwStair = "hwstair";
    /// In its log.
    LaneOpen = "laneopen";
    /// Committed, not told yet.
    LaneGap = "lanegap";
    /// Knows.
    LaneKnown = "laneknown";
    /// On the disk of a broker that is down.
    LaneDisk = "lanedisk";
    /// Diverged from the leader's log.
    LaneDiverged = "lanediverged";
    /// A broker's own LEO stair.
    TreadLeo = "treadleo";
    /// A broker's own HW stair.
    TreadHw = "treadhw";
    /// Folded lanes: from the slowest live follower's HW to the leader's.
    FoldedGap = "foldedgap";
    /// From a mark to its words, in red.
    LostLead = "lostlead";
    /// A bracket along a span of time.
    Bracket = "bracket";
    // --- consumer visibility ---
    /// In the log, hidden.
    Tail = "tail";
    /// Readable.
    Visible = "vis";
    /// The bound: HW or LSO.
    Bound = "bound";
    /// The bound without a live leader.
    BoundOff = "boundoff";
    /// In the log while nobody leads.
    Ghost = "ghost";
    /// The consumer reads.
    Read = "read";
    // --- words ---
    /// Name of a panel.
    Title = "ti";
    /// What a panel tells.
    Subtitle = "sub";
    /// Name of a panel that is not open, or of a key.
    Key = "mks";
    /// Number of an offset.
    Axis = "ax";
    /// The same, selected.
    AxisChosen = "axsel";
    /// Number of a broker over a lane.
    LaneNumber = "lane";
    /// A time.
    Time = "tm";
    /// Words of a step.
    StepWords = "mk2";
    /// True duration of folded time.
    FoldDuration = "folddur";
    /// A quiet note.
    Note = "note";
    /// A quiet note that is said first.
    NoteStrong = "notestrong";
    /// A note in red.
    NoteLost = "notelost";
    /// A note inside of a column, without a halo.
    Aside = "aside";
    /// The same in red.
    AsideLost = "asidelost";
    /// Name of a record.
    RecordName = "rec";
    /// "ok", "kept".
    WordOk = "wordok";
    /// "no answer".
    WordUnknown = "wordunk";
    /// Name of an error that refused.
    WordRefused = "wordref";
    /// "lost".
    WordLost = "wordlost";
    /// "LEO n".
    WordLeo = "wordleo";
    /// "HW n", "LSO n".
    WordHw = "wordhw";
    /// "reads m1".
    WordRead = "wordread";
    /// "m1 again".
    WordDuplicate = "worddup";
    // --- overlays ---
    /// Number of the proving chain.
    Badge = "badge";
    /// Ground of the selected record.
    SelectGround = "selground";
    /// Its edge.
    SelectEdge = "seledge";
    /// Its tab.
    SelectTab = "seltab";
    /// The name in the tab.
    SelectName = "selname";
    /// Edge under the pointer.
    HoverEdge = "hoveredge";
    /// Ring of the focus.
    FocusRing = "focusring";
    /// The playhead.
    Play = "play";
    /// Where two runs differ.
    Differs = "differs";
    /// Ground of what is said of it.
    DiffersTag = "differstag";
    /// Ground of its time.
    PlayTag = "playtag";
    /// Its time.
    PlayTime = "playtime";
    /// Paper over a label that the playhead pushed aside.
    Cover = "cover";
}

/// A look and whose hue it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The role.
    pub look: Look,
    /// Whose hue.
    pub hue: Hue,
}

impl Class {
    /// The look in the hue of a replica or of the leader.
    pub fn hued(look: Look, hue: Hue) -> Class {
        Class { look, hue }
    }
}

impl From<Look> for Class {
    fn from(look: Look) -> Class {
        Class {
            look,
            hue: Hue::Plain,
        }
    }
}
