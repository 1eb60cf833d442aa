//! What must be true of a scenario as a whole, whatever form it was written in.

use crate::kafka::map::Map;
use crate::kafka::sort;

use crate::kafka::ids::{BrokerId, BrokerSet, Millis};
use crate::kafka::message::Node;
use crate::kafka::settings::Settings;

use super::convert::{form_of, form_of_replica, form_of_start};
use super::error::{Counted, Expected, shorten};
use super::form::{Form, MAX_RANGES, OFFSET_MAX, Value, valid_name, valid_pairs};
use super::time;
use super::value::{Action, ElectionKind, Produce, Scenario, Start, StartReplica, When};
use super::verbs::{self, BROKER_LINE, MAX_RECORDS, START, Verb};

/// The most steps of a script.
pub const MAX_STEPS: usize = 5_000;
/// The longest title, in characters.
pub const MAX_TITLE: usize = 500;

/// Where in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The title.
    Title,
    /// An argument of the `start` line.
    Start(&'static str),
    /// An argument of a `broker` line of the start section, counted from 0.
    Replica(usize, &'static str),
    /// An argument of a step, counted from 0; `when` is its time, `do` its action.
    Step(usize, &'static str),
}

/// Something that is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: Expected,
}

struct Checker<'a> {
    settings: &'a Settings,
    faults: Vec<Fault>,
}

/// Everything that is wrong with a scenario; empty = it is valid.
pub fn check(scenario: &Scenario) -> Vec<Fault> {
    let mut checker = Checker {
        settings: &scenario.settings,
        faults: Vec::new(),
    };
    if !valid_title(&scenario.title) {
        checker.fault(Place::Title, &scenario.title, Expected::Title);
    }
    if let Some(start) = &scenario.start {
        checker.start(start);
    }
    if scenario.steps.len() > MAX_STEPS {
        let expected = Expected::AtMost {
            what: Counted::Steps,
            max: MAX_STEPS as u64,
        };
        let found = scenario.steps.len().to_string();
        checker.fault(Place::Step(MAX_STEPS, "when"), &found, expected);
        return checker.faults;
    }
    checker.times(scenario);
    checker.calls(scenario);
    for (index, step) in scenario.steps.iter().enumerate() {
        checker.step(index, &step.action);
    }
    sort::insertion(&mut checker.faults, |a, b| a.place < b.place);
    checker.faults
}

/// Whether a title is one line without spaces at its ends.
pub(crate) fn valid_title(title: &str) -> bool {
    title.trim() == title
        && title.chars().take(MAX_TITLE + 1).count() <= MAX_TITLE
        && !title.chars().any(char::is_control)
}

impl Checker<'_> {
    fn fault(&mut self, place: Place, found: &str, expected: Expected) {
        self.faults.push(Fault {
            place,
            found: shorten(found),
            expected,
        });
    }

    /// Every argument is one that the text can say: in its range and well formed.
    fn form(&mut self, verb: &Verb, form: &Form, place: impl Fn(&'static str) -> Place) {
        for (name, value) in &form.0 {
            let Some(param) = verb.params.iter().find(|p| p.name == *name) else {
                continue;
            };
            let fits = match value {
                Value::Name(name) => valid_name(name),
                Value::Ranges(pairs) => valid_pairs(pairs, false),
                Value::Starts(pairs) => valid_pairs(pairs, true),
                Value::Truth(_) => true,
                other => param.kind.read(&other.print()).is_ok(),
            };
            if !fits {
                self.fault(place(name), &value.print(), param.kind.expected());
            }
        }
    }

    fn replicas(&mut self, place: Place, brokers: &BrokerSet) {
        for broker in brokers.iter() {
            self.replica(place, broker);
        }
    }

    fn replica(&mut self, place: Place, broker: BrokerId) {
        if !self.settings.replicas.contains(&broker) {
            let replicas = self.settings.replicas.clone();
            self.fault(place, &broker.to_string(), Expected::ReplicaOf(replicas));
        }
    }

    fn broker(&mut self, place: Place, broker: BrokerId) {
        if !self.settings.brokers.contains(&broker) {
            let brokers = self.settings.brokers.clone();
            self.fault(place, &broker.to_string(), Expected::BrokerOf(brokers));
        }
    }

    fn start(&mut self, start: &Start) {
        self.form(&START, &form_of_start(start), Place::Start);
        self.replicas(Place::Start("isr"), &start.isr);
        self.replicas(Place::Start("elr"), &start.elr);
        self.replicas(
            Place::Start("last-known-elr"),
            &start.last_known_elr.iter().copied().collect(),
        );
        if let Some(both) = start.elr.iter().find(|b| start.isr.contains(*b)) {
            self.fault(Place::Start("elr"), &both.to_string(), Expected::NotInIsr);
        }
        if let Some(leader) = start.leader {
            self.replica(Place::Start("leader"), leader);
            if !start.isr.contains(leader) {
                let place = Place::Start("leader");
                self.fault(place, &leader.to_string(), Expected::LeaderInIsr);
            }
        }
        for (index, replica) in start.replicas.iter().enumerate() {
            let earlier = start.replicas.iter().take(index);
            if earlier.into_iter().any(|r| r.broker == replica.broker) {
                let found = replica.broker.to_string();
                self.fault(Place::Replica(index, "broker"), &found, Expected::Once);
            }
            self.start_replica(start, index, replica);
        }
        if let Some(offset) = start.open_transaction {
            let longest = longest_log(start);
            if offset.0 > longest {
                let place = Place::Start("open-transaction");
                self.fault(place, &offset.to_string(), Expected::OffsetUpTo(longest));
            }
        }
    }

    fn start_replica(&mut self, start: &Start, index: usize, replica: &StartReplica) {
        let place = move |name| Place::Replica(index, name);
        self.form(&BROKER_LINE, &form_of_replica(replica), place);
        self.broker(place("broker"), replica.broker);
        let bare = replica.log.is_empty() && replica.hw.0 == 0 && replica.log_start.0 == 0;
        if !bare || replica.epochs.is_some() {
            self.replica(place("broker"), replica.broker);
        }
        let end = log_end(replica);
        if end > OFFSET_MAX {
            let found = end.to_string();
            self.fault(place("log"), &found, Expected::OffsetUpTo(OFFSET_MAX));
        }
        if replica.hw.0 > end {
            let found = replica.hw.to_string();
            self.fault(place("hw"), &found, Expected::OffsetUpTo(end));
        }
        let epochs = replica.epochs.iter().flatten();
        if let Some((_, offset)) = epochs.clone().find(|(_, offset)| offset.0 > end) {
            let found = offset.to_string();
            self.fault(place("epochs"), &found, Expected::OffsetUpTo(end));
        }
        let known = replica.log.iter().map(|(epoch, _)| ("log", *epoch));
        let known = known.chain(epochs.map(|(epoch, _)| ("epochs", *epoch)));
        if let Some((name, epoch)) = known.into_iter().find(|(_, e)| *e > start.leader_epoch) {
            let expected = Expected::EpochUpTo(start.leader_epoch.0);
            self.fault(place(name), &epoch.to_string(), expected);
        }
        if replica.clean && !replica.down {
            self.fault(place("clean"), "clean", Expected::Down);
        }
    }

    /// No step is set to a time before the step before it, and the whole is not longer than a day.
    fn times(&mut self, scenario: &Scenario) {
        let (mut earliest, mut total) = (Millis(0), Millis(0));
        for (index, step) in scenario.steps.iter().enumerate() {
            let place = Place::Step(index, "when");
            let time = match step.when {
                When::At(time) | When::After(time) => time,
                When::Settled => Millis(0),
            };
            if time > time::LONGEST {
                let expected = Expected::Time {
                    min: Millis(0),
                    max: time::LONGEST,
                };
                self.fault(place, &time::print(time), expected);
            }
            match step.when {
                When::At(time) if time < earliest => {
                    self.fault(place, &time::print(time), Expected::NotBefore(earliest));
                }
                When::At(time) => {
                    earliest = time;
                    total = Millis(total.0.max(time.0));
                }
                When::After(time) => {
                    earliest = earliest.plus(time);
                    total = total.plus(time);
                }
                When::Settled => {}
            }
            if let Action::Wait(time) = step.action {
                total = total.plus(time);
            }
            if total > time::LONGEST && time <= time::LONGEST {
                let expected = Expected::AtMost {
                    what: Counted::Duration,
                    max: time::LONGEST.0,
                };
                self.fault(place, &time::print(total), expected);
                return;
            }
        }
    }

    /// Names of produce calls are given once and used after that; lost tails are not longer than any log.
    fn calls(&mut self, scenario: &Scenario) {
        let mut names: Map<&str, u64> = Map::new();
        let mut sent = 0u64;
        // An automatic retry may append again, so that no length of a log can be told from the script.
        let known = scenario.settings.retries == 0;
        let mut longest = scenario.start.as_ref().map_or(0, longest_log);
        for (index, step) in scenario.steps.iter().enumerate() {
            match &step.action {
                Action::Produce(call) => {
                    self.call(index, call, &names);
                    sent = sent.saturating_add(call.records);
                    longest = longest.saturating_add(call.records);
                    if sent > MAX_RECORDS && sent - call.records <= MAX_RECORDS {
                        let expected = Expected::AtMost {
                            what: Counted::Records,
                            max: MAX_RECORDS,
                        };
                        let place = Place::Step(index, "records");
                        self.fault(place, &sent.to_string(), expected);
                    }
                    if let Some(id) = &call.id {
                        names.insert(id, call.records);
                    }
                }
                Action::TransactionEnd { .. } => longest = longest.saturating_add(1),
                Action::AwaitAck(name) => self.known_call(Place::Step(index, "id"), name, &names),
                Action::PowerLoss { keep, .. }
                | Action::Bounce {
                    keep: Some(keep), ..
                } if known && keep.0 > longest => {
                    let place = Place::Step(index, "keep");
                    self.fault(place, &keep.to_string(), Expected::OffsetUpTo(longest));
                }
                _ => {}
            }
        }
    }

    fn known_call(&mut self, place: Place, name: &str, names: &Map<&str, u64>) {
        if !names.contains_key(name) {
            let known = names.keys().take(8).map(|n| (*n).to_owned()).collect();
            self.fault(place, name, Expected::EarlierCall(known));
        }
    }

    fn call(&mut self, index: usize, call: &Produce, names: &Map<&str, u64>) {
        if let Some(id) = &call.id
            && names.contains_key(id.as_str())
        {
            self.fault(Place::Step(index, "id"), id, Expected::UnusedName);
        }
        // A form leaves the number of a retry out, so its range is checked here.
        if !(1..=MAX_RECORDS).contains(&call.records) {
            let expected = Expected::Number {
                min: 1,
                max: MAX_RECORDS,
            };
            let place = Place::Step(index, "records");
            self.fault(place, &call.records.to_string(), expected);
        }
        let Some(retried) = &call.retry_of else {
            return;
        };
        self.known_call(Place::Step(index, "retry-of"), retried, names);
        if let Some(records) = names.get(retried.as_str())
            && *records != call.records
        {
            let place = Place::Step(index, "records");
            let expected = Expected::SameRecords(*records);
            self.fault(place, &call.records.to_string(), expected);
        }
    }

    fn step(&mut self, index: usize, action: &Action) {
        let place = move |name| Place::Step(index, name);
        let (word, form) = form_of(action);
        if let Some(verb) = verbs::find(word) {
            self.form(verb, &form, place);
        }
        for name in ["broker", "to", "from"] {
            match form.get(name) {
                Some(Value::Number(_)) => {
                    if let Some(broker) = form.maybe_broker(name) {
                        self.broker(place(name), broker);
                    }
                }
                Some(Value::Node(Node::Broker(broker))) => self.broker(place(name), *broker),
                _ => {}
            }
        }
        match action {
            Action::Elect(ElectionKind::Named(broker)) => self.replica(place("winner"), *broker),
            Action::ProposeIsr(set) | Action::AwaitIsr(set) => self.replicas(place("isr"), set),
            Action::Cut(a, b)
            | Action::HealLink(a, b)
            | Action::Slow { from: a, to: b, .. }
            | Action::Hold { from: a, to: b }
            | Action::Release { from: a, to: b, .. }
            | Action::LoseNext { from: a, to: b }
                if a == b =>
            {
                let found = form.get("to").map(Value::print).unwrap_or_default();
                self.fault(place("to"), &found, Expected::TwoNodes);
            }
            _ => {}
        }
    }
}

/// The LEO of a replica at the start; saturates.
fn log_end(replica: &StartReplica) -> u64 {
    let counts = replica.log.iter().take(MAX_RANGES).map(|(_, count)| *count);
    counts.fold(replica.log_start.0, u64::saturating_add)
}

fn longest_log(start: &Start) -> u64 {
    start.replicas.iter().map(log_end).max().unwrap_or(0)
}

/// The words of all actions, in the order of the reference.
pub fn action_words() -> impl Iterator<Item = &'static str> {
    verbs::VERBS.iter().map(|verb| verb.word)
}
