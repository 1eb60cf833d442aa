//! The words of the actions with their arguments, in the order in which the reference lists them.

use super::form::{Kind, OFFSET_MAX, Param, Place};
use super::names::INT_MAX;

/// The word of an action (or of a line of the start section) and its arguments.
#[derive(Debug)]
pub(crate) struct Verb {
    pub word: &'static str,
    pub params: &'static [Param],
}

/// The most records of one produce call, and of a whole script.
pub const MAX_RECORDS: u64 = 100_000;
/// The most fetch rounds, messages or metadata changes of one step.
pub const MAX_ROUNDS: u64 = 1_000;

const LOSE: Kind = Kind::Word(&["request", "response", "both"]);
const ISOLATION: Kind = Kind::Word(&["read_uncommitted", "read_committed"]);
const REGISTRATION: Kind = Kind::Word(&["clean", "unclean"]);
const OFFSET: Kind = Kind::Number(0, OFFSET_MAX);
const EPOCH: Kind = Kind::Number(0, INT_MAX);
const ROUNDS: Kind = Kind::Number(1, MAX_ROUNDS);
const RECORDS: Kind = Kind::Number(1, MAX_RECORDS);

const fn needed(name: &'static str, kind: Kind) -> Param {
    Param {
        name,
        kind,
        place: Place::Needed,
    }
}

const fn maybe(name: &'static str, kind: Kind) -> Param {
    Param {
        name,
        kind,
        place: Place::Maybe,
    }
}

const fn option(name: &'static str, kind: Kind) -> Param {
    Param {
        name,
        kind,
        place: Place::Option,
    }
}

const fn needed_option(name: &'static str, kind: Kind) -> Param {
    Param {
        name,
        kind,
        place: Place::NeededOption,
    }
}

const BROKER: Param = needed("broker", Kind::Broker);
const FROM: Param = needed("from", Kind::Node);
const TO: Param = needed("to", Kind::Node);

macro_rules! verbs {
    ($($word:literal: $($param:expr),*;)*) => {
        &[$(Verb { word: $word, params: &[$($param),*] },)*]
    };
}

/// Every action.
pub(crate) static VERBS: &[Verb] = verbs! {
    "produce": maybe("records", RECORDS), option("acks", Kind::Acks), option("to", Kind::Broker),
        option("timeout", Kind::Time(0)), option("id", Kind::Name), option("producer", Kind::Name),
        option("seq", Kind::Number(0, INT_MAX)), option("retry-of", Kind::Name), option("lose", LOSE),
        option("transactional", Kind::Flag);
    "fetch": BROKER, option("rounds", ROUNDS), option("lose", Kind::Word(&["response"]));
    "pause-fetch": BROKER;
    "resume-fetch": BROKER;
    "slow-fetch": BROKER, needed("delay", Kind::Time(0));
    "limit-fetch": BROKER, maybe("records", RECORDS);
    "catch-up": BROKER;
    "stop": BROKER;
    "kill": BROKER;
    "power-loss": BROKER, needed_option("keep", OFFSET);
    "start": BROKER, option("registration", REGISTRATION), option("no-wait", Kind::Flag);
    "bounce": BROKER, option("keep", OFFSET);
    "isolate": BROKER;
    "heal": BROKER;
    "heal-all": ;
    "cut-controller": BROKER;
    "heal-controller": BROKER;
    "cut": FROM, TO;
    "heal-link": FROM, TO;
    "slow": FROM, TO, needed("latency", Kind::Time(1));
    "hold": FROM, TO;
    "release": FROM, TO, option("count", ROUNDS);
    "lose-next": FROM, TO;
    "kill-controller": ;
    "start-controller": ;
    "hold-alter-partition": BROKER;
    "release-alter-partition": BROKER;
    "lose-alter-partition": BROKER;
    "fence": BROKER;
    "unfence": BROKER;
    "hold-metadata": BROKER;
    "deliver-metadata": BROKER, option("count", ROUNDS);
    "elect": needed("winner", Kind::Winner);
    "config": option("min.insync.replicas", Kind::Number(1, INT_MAX)),
        option("unclean.leader.election.enable", Kind::Truth);
    "propose-isr": needed("isr", Kind::Brokers);
    "isr-check": BROKER;
    "consume": needed("offset", OFFSET), option("from", Kind::Broker), option("epoch", EPOCH),
        option("isolation", ISOLATION);
    "list-offset": option("isolation", ISOLATION);
    "epoch-end": needed("epoch", EPOCH), option("from", Kind::Broker);
    "begin-transaction": ;
    "commit-transaction": ;
    "abort-transaction": ;
    "await-fenced": BROKER;
    "await-unfenced": BROKER;
    "await-isr": needed("isr", Kind::Brokers);
    "await-ack": needed("id", Kind::Name);
    "wait": needed("time", Kind::Time(0));
    "check": ;
};

/// The line `start` of the start section.
pub(crate) static START: Verb = Verb {
    word: "start",
    params: &[
        option("leader", Kind::Leader),
        option("epoch", EPOCH),
        option("partition-epoch", EPOCH),
        option("isr", Kind::Brokers),
        option("elr", Kind::Brokers),
        option("last-known-elr", Kind::Brokers),
        option("open-transaction", OFFSET),
        option("recovering", Kind::Flag),
    ],
};

/// The line `broker` of the start section.
pub(crate) static BROKER_LINE: Verb = Verb {
    word: "broker",
    params: &[
        BROKER,
        option("log", Kind::Ranges),
        option("log-start", OFFSET),
        option("epochs", Kind::Starts),
        option("hw", OFFSET),
        option("down", Kind::Flag),
        option("clean", Kind::Flag),
    ],
};

/// The action of that word.
pub(crate) fn find(word: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.word == word)
}
