//! Identifiers, offsets, epochs and milliseconds: each its own type, so that one is never taken for another.

use core::fmt;

use smallvec::SmallVec;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// A broker's `node.id`.
    BrokerId(u32)
}
number! {
    /// A position in the log. An end offset is exclusive: the offset of the next record.
    /// Kafka's "-1 = unknown" is `Option::None`.
    Offset(u64)
}
number! {
    /// The partition's leader epoch: +1 whenever a change record sets the leader field.
    LeaderEpoch(u32)
}
number! {
    /// The partition's version at the controller: +1 for every change record.
    PartitionEpoch(u32)
}
number! {
    /// A broker's registration epoch (KIP-903 compares it when a replica joins the ISR).
    BrokerEpoch(u64)
}
number! {
    /// Milliseconds: an instant since the start of the run, or a duration.
    Millis(u64)
}
number! {
    /// An idempotent producer's id.
    ProducerId(u64)
}
number! {
    /// A produce call of the script, counted from 0 in the order in which they are made.
    SendId(u32)
}
number! {
    /// A message between two nodes, counted from 0 in the order in which they are sent.
    MessageId(u32)
}
number! {
    /// An event of a run, counted from 0: its place in `Run::events`.
    EventId(u32)
}
number! {
    /// The position of the controller's metadata log that an image was taken at.
    MetadataOffset(u64)
}

impl Offset {
    /// The offset `count` records further on; saturates instead of overflowing.
    pub fn plus(self, count: u64) -> Offset {
        Offset(self.0.saturating_add(count))
    }

    /// How many records lie between `earlier` and here; 0 when `earlier` is not earlier.
    pub fn since(self, earlier: Offset) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Millis {
    /// This instant plus a duration; saturates instead of overflowing.
    pub fn plus(self, duration: Millis) -> Millis {
        Millis(self.0.saturating_add(duration.0))
    }

    /// The duration since `earlier`; 0 when `earlier` is not earlier.
    pub fn since(self, earlier: Millis) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl LeaderEpoch {
    /// The next leader epoch; saturates.
    pub fn next(self) -> LeaderEpoch {
        LeaderEpoch(self.0.saturating_add(1))
    }
}

impl PartitionEpoch {
    /// The next partition epoch; saturates.
    pub fn next(self) -> PartitionEpoch {
        PartitionEpoch(self.0.saturating_add(1))
    }
}

/// A set of brokers, kept in ascending order (ISR and ELR order means nothing in Kafka).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrokerSet(SmallVec<[BrokerId; 4]>);

impl BrokerSet {
    /// The empty set.
    pub const fn new() -> BrokerSet {
        BrokerSet(SmallVec::new_const())
    }

    /// Whether `broker` is a member.
    pub fn contains(&self, broker: BrokerId) -> bool {
        self.0.contains(&broker)
    }

    /// Adds `broker`; false when it was a member already.
    pub fn insert(&mut self, broker: BrokerId) -> bool {
        match self.0.binary_search(&broker) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, broker);
                true
            }
        }
    }

    /// Removes `broker`; false when it was not a member.
    pub fn remove(&mut self, broker: BrokerId) -> bool {
        match self.0.binary_search(&broker) {
            Ok(place) => {
                self.0.remove(place);
                true
            }
            Err(_) => false,
        }
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = BrokerId> + '_ {
        self.0.iter().copied()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members of either set.
    pub fn union(&self, other: &BrokerSet) -> BrokerSet {
        self.iter().chain(other.iter()).collect()
    }

    /// The members that are not in `other`.
    pub fn minus(&self, other: &BrokerSet) -> BrokerSet {
        self.iter().filter(|b| !other.contains(*b)).collect()
    }

    /// The set without `broker`.
    pub fn without(&self, broker: BrokerId) -> BrokerSet {
        self.iter().filter(|b| *b != broker).collect()
    }
}

impl FromIterator<BrokerId> for BrokerSet {
    fn from_iter<I: IntoIterator<Item = BrokerId>>(brokers: I) -> BrokerSet {
        let mut set = BrokerSet::new();
        for broker in brokers {
            set.insert(broker);
        }
        set
    }
}

impl fmt::Display for BrokerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, broker) in self.iter().enumerate() {
            if place > 0 {
                f.write_str(",")?;
            }
            write!(f, "{broker}")?;
        }
        Ok(())
    }
}
