//! What is asked: settings, a budget of faults, bounds, properties.

use super::property::PropertySet;
use crate::kafka::settings::Settings;

/// A kind of fault that a search may inject; a kind without a budget does not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A process dies; what it wrote stays (page cache). The controller notices at once.
    Crash,
    /// A process dies and an unflushed suffix of its log, of any length, is gone.
    PowerLoss,
    /// A controlled shutdown.
    CleanShutdown,
    /// The controller ends the session of a live broker.
    Fence,
    /// A follower's process restarts and nobody notices.
    Bounce,
    /// The same, and an unflushed suffix of its log is gone.
    BouncePowerLoss,
    /// Leadership is moved to another ISR member without a failure.
    Move,
    /// The producer sends a record again that it has no answer for.
    Retry,
    /// The answer to a fetch is lost.
    LostFetchResponse,
    /// The answer to an AlterPartition is lost.
    LostAlterPartitionResponse,
}

impl Fault {
    /// Every kind.
    pub const ALL: [Fault; 10] = [
        Fault::Crash,
        Fault::PowerLoss,
        Fault::CleanShutdown,
        Fault::Fence,
        Fault::Bounce,
        Fault::BouncePowerLoss,
        Fault::Move,
        Fault::Retry,
        Fault::LostFetchResponse,
        Fault::LostAlterPartitionResponse,
    ];

    /// The name that questions and goldens write.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Crash => "crash",
            Fault::PowerLoss => "power_loss",
            Fault::CleanShutdown => "clean_shutdown",
            Fault::Fence => "fence",
            Fault::Bounce => "bounce",
            Fault::BouncePowerLoss => "bounce_power_loss",
            Fault::Move => "move",
            Fault::Retry => "retry",
            Fault::LostFetchResponse => "lost_fetch_response",
            Fault::LostAlterPartitionResponse => "lost_alter_partition_response",
        }
    }

    /// The kind of that name; a short one (`power`, `clean`) does as well.
    pub fn from_name(name: &str) -> Option<Fault> {
        let name = name.to_ascii_lowercase().replace('-', "_");
        let short = match name.as_str() {
            "power" => Some(Fault::PowerLoss),
            "clean" => Some(Fault::CleanShutdown),
            "bounce_power" => Some(Fault::BouncePowerLoss),
            "lost_fetch" => Some(Fault::LostFetchResponse),
            "lost_alter_partition" => Some(Fault::LostAlterPartitionResponse),
            _ => None,
        };
        short.or_else(|| Fault::ALL.into_iter().find(|fault| fault.name() == name))
    }

    pub(super) fn shift(self) -> u32 {
        self as u32 * 4
    }
}

/// What of a list of faults cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBudget {
    /// There is no such kind of fault ([`Fault::name`]).
    Kind(String),
    /// For this kind something else was found than a number from 0 to [`Budget::MOST`] or `unbounded`.
    Times(String, String),
}

/// How often each kind of fault may happen: at most [`Budget::MOST`] times, or any number of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Budget(u64);

impl Budget {
    /// The largest budget that is a number.
    pub const MOST: u8 = 14;
    const UNBOUNDED: u64 = 15;

    /// No fault at all.
    pub const NONE: Budget = Budget(0);

    /// Reads a list such as `crash=1,power=2,fence=unbounded`: a kind alone is one, and nothing is no fault.
    ///
    /// # Errors
    /// The first kind or number that cannot be read.
    pub fn read(list: &str) -> Result<Budget, NoBudget> {
        let mut faults = Budget::NONE;
        for item in list.split(',').filter(|item| !item.is_empty()) {
            let (name, times) = item.split_once('=').unwrap_or((item, "1"));
            let fault = Fault::from_name(name).ok_or_else(|| NoBudget::Kind(name.to_owned()))?;
            faults = match times.parse::<u8>() {
                Ok(times) if times <= Budget::MOST => faults.with(fault, times),
                _ if times == "unbounded" => faults.with_unbounded(fault),
                _ => return Err(NoBudget::Times(name.to_owned(), times.to_owned())),
            };
        }
        Ok(faults)
    }

    /// Sets a budget; more than [`Budget::MOST`] counts as that.
    pub fn with(self, fault: Fault, times: u8) -> Budget {
        self.put(fault, u64::from(times.min(Budget::MOST)))
    }

    /// Lets a kind happen any number of times.
    pub fn with_unbounded(self, fault: Fault) -> Budget {
        self.put(fault, Budget::UNBOUNDED)
    }

    /// The budget: none = any number of times.
    pub fn budget(self, fault: Fault) -> Option<u8> {
        let left = self.left(fault);
        (left != Budget::UNBOUNDED).then_some(left as u8)
    }

    /// Whether a fault may happen (again).
    pub(super) fn allows(self, fault: Fault) -> bool {
        self.left(fault) > 0
    }

    /// What is left after one fault of that kind.
    pub(super) fn after(self, fault: Fault) -> Budget {
        match self.left(fault) {
            0 | Budget::UNBOUNDED => self,
            left => self.put(fault, left - 1),
        }
    }

    pub(super) fn bits(self) -> u64 {
        self.0
    }

    pub(super) fn from_bits(bits: u64) -> Budget {
        Budget(bits)
    }

    fn left(self, fault: Fault) -> u64 {
        (self.0 >> fault.shift()) & 15
    }

    fn put(self, fault: Fault, value: u64) -> Budget {
        Budget((self.0 & !(15 << fault.shift())) | (value << fault.shift()))
    }
}

/// What makes the space finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bounds {
    /// How many records are produced at most.
    pub records: u8,
    /// How many leader epochs there are at most, the first one included.
    pub epochs: u8,
}

impl Bounds {
    /// The most records that a question may have.
    pub const MOST_RECORDS: u8 = 8;
    /// The most leader epochs that a question may have.
    pub const MOST_EPOCHS: u8 = 15;
}

/// A question for the checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The settings: replicas, acks, min ISR, unclean election, ELR, idempotence, rules. Times do not matter, and brokers
    /// that are no replicas do not take part.
    pub settings: Settings,
    /// How often each kind of fault may happen.
    pub faults: Budget,
    /// What makes the space finite.
    pub bounds: Bounds,
    /// The properties that are looked at; the search ends when each is violated, or the space is exhausted.
    pub properties: PropertySet,
    /// Whether states that differ only in the names of brokers count as one. Verdicts and lengths are the same.
    pub symmetry: bool,
    /// How many faults may happen altogether; none = what the budgets allow. Asked with 0, 1, 2 … it gives the fewest.
    pub most_faults: Option<u8>,
}

/// Why a question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unaskable {
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: &'static str,
}

impl core::fmt::Display for Unaskable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}; expected {}", self.found, self.expected)
    }
}

impl Question {
    /// The question with nothing but settings: one record, three epochs, no fault, every property.
    pub fn of(settings: Settings) -> Question {
        Question {
            settings,
            faults: Budget::NONE,
            bounds: Bounds {
                records: 1,
                epochs: 3,
            },
            properties: PropertySet::all(),
            symmetry: false,
            most_faults: None,
        }
    }

    /// Whether it can be asked.
    ///
    /// # Errors
    /// What was found and what was expected: 1 to 5 replicas, 1 to 8 records, 1 to 15 epochs, KRaft, logs that end.
    pub fn validate(&self) -> Result<(), Unaskable> {
        let wrong = |found: String, expected| Err(Unaskable { found, expected });
        let replicas = self.settings.replicas.len();
        let mut distinct = self.settings.replicas.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if !(1..=5).contains(&replicas) || distinct.len() != replicas {
            return wrong(format!("{replicas} replicas"), "1 to 5 different ones");
        }
        if !(1..=Bounds::MOST_RECORDS).contains(&self.bounds.records) {
            return wrong(format!("{} records", self.bounds.records), "1 to 8");
        }
        if !(1..=Bounds::MOST_EPOCHS).contains(&self.bounds.epochs) {
            return wrong(format!("{} epochs", self.bounds.epochs), "1 to 15");
        }
        if self.settings.rules.controller != crate::kafka::rules::ControllerKind::KRaft {
            return wrong(
                "rule.controller=zookeeper".to_owned(),
                "kraft: the model's events are those of KRaft, old truncation rules are set one by one",
            );
        }
        if self.faults.budget(Fault::Retry).is_none() && !self.settings.idempotence {
            return wrong(
                "retry unbounded without idempotence".to_owned(),
                "a number, or enable.idempotence=true: otherwise logs grow without end",
            );
        }
        if self.properties.is_empty() {
            return wrong("no property".to_owned(), "one at least");
        }
        Ok(())
    }
}
