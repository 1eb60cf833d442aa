//! The named properties: what each says, in one place for the simulator's observer and for the exhaustive checker.

use core::fmt;

macro_rules! properties {
    ($($(#[$doc:meta])* $variant:ident = $name:literal $meaning:literal;)*) => {
        /// A property of a state, or of the way to it, that a run is held against.
        ///
        /// The *acting leader* is the broker that the newest partition record names, whose process runs and which is in
        /// that record's leader epoch already.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Property { $($(#[$doc])* $variant,)* }

        impl Property {
            /// Every property, in the order of the reference.
            pub const ALL: [Property; [$(Property::$variant),*].len()] = [$(Property::$variant,)*];

            /// The name that reports, goldens and links write.
            pub fn name(self) -> &'static str {
                match self { $(Property::$variant => $name,)* }
            }

            /// What it says, in one line.
            pub fn meaning(self) -> &'static str {
                match self { $(Property::$variant => $meaning,)* }
            }
        }
    };
}

properties! {
    /// The headline: what a producer was told is there is there, at whoever leads.
    AckedDurable = "AckedDurable"
        "There is no acting leader, or every acknowledged record is in its log.";
    /// False means that the record cannot be brought back, not even by hand.
    AckedSomewhere = "AckedSomewhere"
        "Every acknowledged record is in the log of some replica, running or not.";
    /// An early warning: it breaks an event or two before [`Property::AckedDurable`].
    CandidatesComplete = "CandidatesComplete"
        "Every live member of the controller's ISR and ELR has every acknowledged record.";
    /// Covers the readers of records that were acknowledged by the leader alone, too.
    VisibleSurvives = "VisibleSurvives"
        "There is no acting leader, or its log begins with everything that was ever visible.";
    /// Once broken it stays broken: a reader has seen two different records at one offset.
    ReadStable = "ReadStable"
        "No leader ever exposed another record at an offset that was visible before.";
    /// False means that the logs diverge where nobody will ever look again.
    LogsAgreeBelowHw = "LogsAgreeBelowHW"
        "Any two replicas hold the same records below both of their HWs.";
    /// The record batches of a log never go back to an older leader epoch.
    LogEpochsMonotone = "LogEpochsMonotone"
        "Leader epochs never decrease along a log.";
    /// The honest form of "what was visible stays visible".
    AppliedHwMonotone = "AppliedHwMonotone"
        "There is no acting leader, or its HW is below its epoch's start, or it covers everything that was ever visible.";
    /// Expected to fail at any hand-over to a follower that had not heard of the last HW: temporary, not a loss.
    NaiveHwMonotone = "NaiveHwMonotone"
        "There is no acting leader, or its HW covers everything that was ever visible.";
    /// What makes an advancing HW safe: nobody who may be elected is left out of the count.
    EffIsrSuperset = "EffIsrSuperset"
        "The acting leader's ISR is below the min ISR, or its maximal ISR contains the controller's ISR and ELR.";
    /// The controller never names a leader that it does not count as in sync.
    LeaderInIsr = "LeaderInIsr"
        "The controller names no leader, or one that is in its ISR.";
    /// Once broken it stays broken: a reader has seen one send twice.
    NoDupVisible = "NoDupVisible"
        "No record was ever visible at two offsets.";
    /// By the controller's own epochs; once broken it stays broken.
    OneLeaderPerEpoch = "OneLeaderPerEpoch"
        "No two brokers ever led in the same leader epoch.";
    /// Per broker, while its process runs; once broken it stays broken.
    EpochMonotone = "EpochMonotone"
        "The leader epoch that a running broker knows never goes back.";
}

impl Property {
    /// The property of that name; capitals do not matter.
    pub fn from_name(name: &str) -> Option<Property> {
        Property::ALL
            .into_iter()
            .find(|property| property.name().eq_ignore_ascii_case(name))
    }

    fn bit(self) -> u16 {
        1 << (self as u16)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of properties.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertySet(u16);

impl PropertySet {
    /// None of them.
    pub const EMPTY: PropertySet = PropertySet(0);

    /// All of them.
    pub fn all() -> PropertySet {
        Property::ALL.into_iter().collect()
    }

    /// Whether `property` is a member.
    pub fn contains(self, property: Property) -> bool {
        self.0 & property.bit() != 0
    }

    /// Whether there is no member.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds `property`.
    pub fn insert(&mut self, property: Property) {
        self.0 |= property.bit();
    }

    /// Removes `property`.
    pub fn remove(&mut self, property: Property) {
        self.0 &= !property.bit();
    }

    /// The members of either.
    pub fn union(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 | other.0)
    }

    /// The members of both.
    pub fn intersection(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 & other.0)
    }

    /// The members that are not in `other`.
    pub fn minus(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 & !other.0)
    }

    /// The members in the order of the reference.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL
            .into_iter()
            .filter(move |property| self.contains(*property))
    }
}

impl FromIterator<Property> for PropertySet {
    fn from_iter<I: IntoIterator<Item = Property>>(properties: I) -> PropertySet {
        let mut set = PropertySet::EMPTY;
        for property in properties {
            set.insert(property);
        }
        set
    }
}

impl fmt::Debug for PropertySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_and_are_distinct() {
        for (place, property) in Property::ALL.into_iter().enumerate() {
            assert_eq!(property as usize, place);
            assert_eq!(Property::from_name(property.name()), Some(property));
        }
        assert_eq!(
            Property::from_name("LogsAgreeBelowHw"),
            Some(Property::LogsAgreeBelowHw)
        );
        assert_eq!(Property::from_name("Acked"), None);
    }

    #[test]
    fn a_set_has_what_was_put_into_it() {
        let mut set = PropertySet::EMPTY;
        set.insert(Property::ReadStable);
        set.insert(Property::AckedDurable);
        assert!(set.contains(Property::ReadStable) && !set.contains(Property::LeaderInIsr));
        let members: Vec<Property> = set.iter().collect();
        assert_eq!(members, [Property::AckedDurable, Property::ReadStable]);
        assert_eq!(set.union(PropertySet::all()), PropertySet::all());
        assert_eq!(set.minus(set), PropertySet::EMPTY);
        set.remove(Property::ReadStable);
        assert_eq!(set, [Property::AckedDurable].into_iter().collect());
    }
}
