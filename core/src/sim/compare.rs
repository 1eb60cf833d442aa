//! Two runs of one script, side by side: what came out differently, and what merely came later.
//!
//! Moments are aligned by cause, not by time: an answer by call and attempt, a fact by record, an election or an ISR by
//! its place in the order of such changes (longest common subsequence, so that one change more does not shift all that
//! follows). Idle polling and heartbeats have no identity.

use super::align::common;
use super::run::Run;
use super::verdict::{RecordVerdict, Since, Unavailable, Verdict};
use crate::kafka::event::{Event, EventKind, Outcome};
use crate::kafka::ids::{BrokerId, BrokerSet, EventId, Millis, SendId};
use crate::kafka::map::Map;
use crate::kafka::sort;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// What the producer was told of an attempt.
    Answer {
        /// The call.
        send: SendId,
        /// From 1.
        attempt: u32,
    },
    /// Who leads.
    Leader,
    /// The controller's ISR.
    Isr,
    /// The controller's ELR.
    Elr,
    /// A record was committed.
    Committed(u64),
    /// A record became visible.
    Visible(u64),
    /// A record was lost.
    Lost(u64),
    /// A record is in the final log more than once.
    Duplicated(u64),
    /// The partition is unavailable at the end.
    Unavailable,
}

/// A value at a moment of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub at: Millis,
    /// The event, where there is one.
    pub event: Option<EventId>,
    /// What came out.
    pub value: Told,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Told {
    /// An answer. The base offset of a success is not part of it.
    Answer(Answer),
    /// A leader, or none.
    Leader(Option<BrokerId>),
    /// An ISR or ELR.
    Brokers(BrokerSet),
    /// A fact that is so.
    So,
    /// Why the partition is unavailable.
    Unavailable(String),
}

/// An answer without its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// Success.
    Ok,
    /// Anything else, as the producer saw it.
    Other(Outcome),
}

/// How two runs differ in a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The outcome differs, or only one run has it.
    Outcome,
    /// The same came this much later in B (negative: earlier), in ms.
    Timing(i64),
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// In what.
    pub subject: Subject,
    /// How.
    pub kind: Kind,
    /// In A; none = it did not happen there.
    pub a: Option<Moment>,
    /// In B.
    pub b: Option<Moment>,
}

impl Difference {
    /// The instant of the difference: the earlier of the two moments.
    pub fn at(&self) -> Millis {
        let times = [&self.a, &self.b].into_iter().flatten().map(|m| m.at);
        times.min().unwrap_or_default()
    }
}

/// Two runs, compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Every difference, by its instant; outcomes before timings of the same instant.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// The first difference in outcome; a run that is merely late has none.
    pub fn first(&self) -> Option<&Difference> {
        self.differences.iter().find(|d| d.kind == Kind::Outcome)
    }
}

/// Compares two runs of one script under two settings.
pub fn compare(a: (&Run, &Verdict), b: (&Run, &Verdict)) -> Comparison {
    let mut differences = Vec::new();
    single(&answers(a.0), &answers(b.0), &mut differences);
    single(&facts(a.1), &facts(b.1), &mut differences);
    single(&ends(a), &ends(b), &mut differences);
    for subject in [Subject::Leader, Subject::Isr, Subject::Elr] {
        sequence(
            subject,
            &changes(a.0, subject),
            &changes(b.0, subject),
            &mut differences,
        );
    }
    let key = |d: &Difference| (d.at(), d.kind != Kind::Outcome, d.subject);
    sort::heap(&mut differences, |x, y| key(x) < key(y));
    Comparison { differences }
}

type Moments = Map<Subject, Moment>;

/// Subjects that each run has at most once.
fn single(a: &Moments, b: &Moments, differences: &mut Vec<Difference>) {
    let mut subjects: Vec<Subject> = a.keys().chain(b.keys()).copied().collect();
    sort::heap(&mut subjects, |x, y| x < y);
    subjects.dedup();
    for subject in subjects {
        differences.extend(difference(subject, a.get(&subject), b.get(&subject)));
    }
}

/// Subjects that change again and again: aligned by their values.
fn sequence(subject: Subject, a: &[Moment], b: &[Moment], differences: &mut Vec<Difference>) {
    let same = common(a, b, |x, y| x.value == y.value);
    let (mut next_a, mut next_b) = (0, 0);
    for (in_a, in_b) in same.into_iter().chain([(a.len(), b.len())]) {
        // What lies between two common moments stands against each other, in order.
        while next_a < in_a || next_b < in_b {
            let of_a = a.get(next_a).filter(|_| next_a < in_a);
            let of_b = b.get(next_b).filter(|_| next_b < in_b);
            differences.push(Difference {
                subject,
                kind: Kind::Outcome,
                a: of_a.cloned(),
                b: of_b.cloned(),
            });
            next_a += usize::from(of_a.is_some());
            next_b += usize::from(of_b.is_some());
        }
        differences.extend(difference(subject, a.get(in_a), b.get(in_b)));
        (next_a, next_b) = (in_a + 1, in_b + 1);
    }
}

fn difference(subject: Subject, a: Option<&Moment>, b: Option<&Moment>) -> Option<Difference> {
    let kind = match (a, b) {
        (None, None) => return None,
        (Some(a), Some(b)) if a.value == b.value => {
            let late = i64::try_from(b.at.0)
                .unwrap_or(i64::MAX)
                .saturating_sub(i64::try_from(a.at.0).unwrap_or(i64::MAX));
            if late == 0 {
                return None;
            }
            Kind::Timing(late)
        }
        _ => Kind::Outcome,
    };
    Some(Difference {
        subject,
        kind,
        a: a.cloned(),
        b: b.cloned(),
    })
}

fn answers(run: &Run) -> Moments {
    let mut moments = Moments::new();
    for event in &run.events {
        if let EventKind::ProduceAnswered {
            send,
            attempt,
            outcome,
            ..
        } = event.kind
        {
            let answer = match outcome {
                Outcome::Ok(_) => Answer::Ok,
                other => Answer::Other(other),
            };
            moments.insert(
                Subject::Answer { send, attempt },
                moment(event, Told::Answer(answer)),
            );
        }
    }
    moments
}

fn facts(verdict: &Verdict) -> Moments {
    let mut moments = Moments::new();
    let mut tell = |subject, since: Option<Since>| {
        if let Some(since) = since {
            moments.insert(
                subject,
                Moment {
                    at: since.at,
                    event: Some(since.event),
                    value: Told::So,
                },
            );
        }
    };
    for record in &verdict.records {
        tell(Subject::Committed(record.record), record.committed);
        tell(Subject::Visible(record.record), record.visible);
        tell(Subject::Lost(record.record), record.lost);
        tell(Subject::Duplicated(record.record), duplicate(record));
    }
    moments
}

/// The append that made a record a duplicate.
fn duplicate(record: &RecordVerdict) -> Option<Since> {
    record
        .appended
        .last()
        .filter(|_| record.duplicated)
        .map(|append| append.since)
}

fn ends((run, verdict): (&Run, &Verdict)) -> Moments {
    let word = match &verdict.unavailable {
        None => return Moments::new(),
        Some(Unavailable::NoLeader { .. }) => "no leader",
        Some(Unavailable::LeaderDown(_)) => "leader down",
        Some(Unavailable::BelowMinIsr { .. }) => "below min ISR",
    };
    let value = Told::Unavailable(word.to_owned());
    let moment = Moment {
        at: run.end,
        event: None,
        value,
    };
    [(Subject::Unavailable, moment)].into_iter().collect()
}

/// The values that a subject takes one after the other, each once it changes.
fn changes(run: &Run, subject: Subject) -> Vec<Moment> {
    run.events
        .iter()
        .filter_map(|event| {
            let EventKind::PartitionChanged { before, after, .. } = &event.kind else {
                return None;
            };
            let value = match subject {
                Subject::Leader if before.leader != after.leader => Told::Leader(after.leader),
                Subject::Isr if before.isr != after.isr => Told::Brokers(after.isr.clone()),
                Subject::Elr if before.elr != after.elr => Told::Brokers(after.elr.clone()),
                _ => return None,
            };
            Some(moment(event, value))
        })
        .collect()
}

fn moment(event: &Event, value: Told) -> Moment {
    Moment {
        at: event.at,
        event: Some(event.id),
        value,
    }
}

/// The identity of an event: a word, and two numbers. Idle ones have none, and messages stand for nothing themselves.
type Identity = (&'static str, u64, u64);

fn identity(kind: &EventKind) -> Option<Identity> {
    let of = |broker: &BrokerId| u64::from(broker.0);
    Some(match kind {
        EventKind::Step { step } => ("step", u64::from(*step), 0),
        EventKind::BrokerStopped { broker, .. } => ("stopped", of(broker), 0),
        EventKind::BrokerStarted { broker, .. } => ("started", of(broker), 0),
        EventKind::BrokerFenced { broker, .. } => ("fenced", of(broker), 0),
        EventKind::BrokerUnfenced { broker } => ("unfenced", of(broker), 0),
        EventKind::BrokerRegistered { broker, .. } => ("registered", of(broker), 0),
        EventKind::ProduceCalled { send, .. } => ("called", u64::from(send.0), 0),
        EventKind::ProduceSent { send, attempt, .. } => {
            ("sent", u64::from(send.0), u64::from(*attempt))
        }
        EventKind::ProduceAnswered { send, attempt, .. } => {
            ("answered", u64::from(send.0), u64::from(*attempt))
        }
        EventKind::Appended { broker, batch, .. } => ("appended", of(broker), batch.base.0),
        EventKind::Truncated { broker, to, .. } => ("truncated", of(broker), to.0),
        EventKind::HwChanged { broker, to, .. } => ("hw", of(broker), to.0),
        EventKind::AppendRefused { send, .. } => ("refused", u64::from(send.0), 0),
        EventKind::BecameLeader { broker, epoch, .. } => ("leader", of(broker), u64::from(epoch.0)),
        EventKind::BecameFollower { broker, epoch, .. } => {
            ("follower", of(broker), u64::from(epoch.0))
        }
        EventKind::PartitionChanged { after, .. } => {
            ("partition", u64::from(after.partition_epoch.0), 0)
        }
        EventKind::Consumed { from, .. } => ("consumed", from.0, 0),
        _ => return None,
    })
}

/// Pairs of events that are the same event, as (A, B), ascending in A. Events with equal identity are; the second of a
/// kind is the second.
pub fn pairs(a: &Run, b: &Run) -> Vec<(EventId, EventId)> {
    let keyed = |run: &Run| {
        let mut seen: Map<Identity, u32> = Map::new();
        let mut keys = Map::new();
        for event in run.events.iter().filter(|e| !e.idle) {
            if let Some(identity) = identity(&event.kind) {
                let ordinal = seen.entry(identity).or_default();
                keys.insert((identity, *ordinal), event.id);
                *ordinal += 1;
            }
        }
        keys
    };
    let in_b = keyed(b);
    let mut pairs: Vec<_> = keyed(a)
        .into_iter()
        .filter_map(|(key, id)| Some((id, *in_b.get(&key)?)))
        .collect();
    sort::heap(&mut pairs, |x, y| x < y);
    pairs
}
