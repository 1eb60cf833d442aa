//! The verdict as a plain answer: a headline and a line under it.

use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::sort;
use highwater_core::sim::verdict::Unavailable;
use highwater_core::sim::{RecordVerdict, Verdict};

use super::Text;
use super::arg::{list, record_range};
use crate::say;

/// The worst that happened, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Worst {
    /// Records that were acknowledged, or could be read, are gone.
    Lost,
    /// Records are in the log twice.
    Duplicated,
    /// The partition takes no writes at the end.
    Unavailable,
    /// Records were refused.
    Refused,
    /// The producer does not know what became of records.
    Unknown,
    /// Nothing was promised (acks=0).
    NoPromise,
    /// Every acknowledged record survived.
    Safe,
    /// Nothing was sent.
    Nothing,
}

/// The plain answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// What it is about.
    pub worst: Worst,
    /// The answer in one sentence.
    pub title: String,
    /// One more line that says why, or what it means.
    pub line: String,
    /// What else happened, a sentence each.
    pub also: Vec<String>,
}

/// Whether the producer awaited no answer (acks=0).
pub fn promised_nothing(record: &RecordVerdict) -> bool {
    matches!(record.last_outcome, Some((Outcome::NoAnswerExpected, _)))
}

/// The records of each kind, in the order of the headline.
struct Kinds<'a> {
    acknowledged_lost: Vec<&'a RecordVerdict>,
    visible_lost: Vec<&'a RecordVerdict>,
    duplicated: Vec<&'a RecordVerdict>,
    refused: Vec<&'a RecordVerdict>,
    unknown: Vec<&'a RecordVerdict>,
    unpromised: Vec<&'a RecordVerdict>,
    acknowledged: u64,
}

impl Kinds<'_> {
    fn of(verdict: &Verdict) -> Kinds<'_> {
        let those =
            |fits: fn(&RecordVerdict) -> bool| verdict.records.iter().filter(|r| fits(r)).collect();
        Kinds {
            acknowledged_lost: those(|r| r.lost.is_some() && r.acknowledged.is_some()),
            visible_lost: those(|r| r.lost.is_some() && r.acknowledged.is_none()),
            duplicated: those(|r| r.duplicated),
            // An error that does not exclude an append leaves the outcome unknown: it is told there.
            refused: those(|r| r.refused.is_some() && r.acknowledged.is_none() && !r.unknown),
            unknown: those(|r| r.unknown && !promised_nothing(r)),
            unpromised: those(promised_nothing),
            acknowledged: verdict
                .records
                .iter()
                .filter(|r| r.acknowledged.is_some())
                .count() as u64,
        }
    }
}

/// The plain answer to a verdict, in the order lost, duplicated, unavailable, refused, unknown, safe.
pub fn headline(text: &Text, verdict: &Verdict) -> Headline {
    let kinds = Kinds::of(verdict);
    let (worst, title, line) = lost(text, &kinds)
        .or_else(|| duplicated(text, &kinds))
        .or_else(|| {
            verdict
                .unavailable
                .as_ref()
                .map(|why| unavailable(text, why))
        })
        .or_else(|| refused(text, &kinds))
        .or_else(|| unknown(text, &kinds))
        .unwrap_or_else(|| safe(text, &kinds, verdict.records.is_empty()));
    let also = also(text, &kinds, verdict, worst);
    Headline {
        worst,
        title,
        line,
        also,
    }
}

type Answer = (Worst, String, String);

fn lost(text: &Text, kinds: &Kinds<'_>) -> Option<Answer> {
    let (acknowledged, visible) = (&kinds.acknowledged_lost, &kinds.visible_lost);
    if !acknowledged.is_empty() {
        let n = acknowledged.len();
        return Some((
            Worst::Lost,
            say!(text, Lost, n = n, records = names(text, acknowledged)),
            say!(text, LostWhy, n = n),
        ));
    }
    if visible.is_empty() {
        return None;
    }
    let n = visible.len();
    Some((
        Worst::Lost,
        say!(text, LostVisible, n = n, records = names(text, visible)),
        say!(text, LostVisibleWhy, n = n),
    ))
}

fn duplicated(text: &Text, kinds: &Kinds<'_>) -> Option<Answer> {
    let twice = &kinds.duplicated;
    (!twice.is_empty()).then(|| {
        (
            Worst::Duplicated,
            say!(
                text,
                Duplicated,
                n = twice.len(),
                records = names(text, twice)
            ),
            say!(text, DuplicatedWhy),
        )
    })
}

fn unavailable(text: &Text, why: &Unavailable) -> Answer {
    let (title, line) = match why {
        Unavailable::NoLeader { isr, elr } => (
            say!(text, UnavailableNoLeader),
            say!(text, UnavailableNoLeaderWhy, isr = isr, elr = elr),
        ),
        Unavailable::LeaderDown(leader) => (
            say!(text, UnavailableLeaderDown, leader = *leader),
            say!(text, UnavailableLeaderDownWhy),
        ),
        Unavailable::BelowMinIsr { isr, min } => (
            say!(text, UnavailableBelowMin),
            say!(text, UnavailableBelowMinWhy, isr = *isr, min = *min),
        ),
    };
    (Worst::Unavailable, title, line)
}

fn refused(text: &Text, kinds: &Kinds<'_>) -> Option<Answer> {
    let records = &kinds.refused;
    let (error, _) = records.first()?.refused?;
    let same = records
        .iter()
        .all(|r| r.refused.is_some_and(|(other, _)| other == error));
    let line = if same {
        say!(text, RefusedWhy, error = error)
    } else {
        say!(text, RefusedWhySeveral)
    };
    let title = say!(
        text,
        Refused,
        n = records.len(),
        records = names(text, records)
    );
    Some((Worst::Refused, title, line))
}

fn unknown(text: &Text, kinds: &Kinds<'_>) -> Option<Answer> {
    let records = &kinds.unknown;
    if records.is_empty() {
        return None;
    }
    let n = records.len();
    let there = records.iter().filter(|r| r.in_final_log).count();
    let line = if there == n {
        say!(text, UnknownInLog, n = n)
    } else if there == 0 {
        say!(text, UnknownNotInLog, n = n)
    } else {
        say!(text, UnknownMixed)
    };
    let title = say!(text, Unknown, n = n, records = names(text, records));
    Some((Worst::Unknown, title, line))
}

fn safe(text: &Text, kinds: &Kinds<'_>, nothing_sent: bool) -> Answer {
    if nothing_sent {
        return (Worst::Nothing, say!(text, Nothing), say!(text, NothingWhy));
    }
    if kinds.acknowledged > 0 || kinds.unpromised.is_empty() {
        let title = if kinds.acknowledged == 1 {
            say!(text, SafeOne)
        } else {
            say!(text, Safe, n = kinds.acknowledged)
        };
        return (Worst::Safe, title, say!(text, SafeWhy));
    }
    let total = kinds.unpromised.len();
    let gone: Vec<&RecordVerdict> = kinds
        .unpromised
        .iter()
        .copied()
        .filter(|r| !r.in_final_log)
        .collect();
    let line = match (gone.len(), total) {
        (0, 1) => say!(text, NoPromiseOne),
        (0, _) => say!(text, NoPromiseAll, n = total),
        (n, _) => say!(
            text,
            NoPromiseGone,
            n = n,
            total = total,
            records = names(text, &gone)
        ),
    };
    (Worst::NoPromise, say!(text, NoPromise), line)
}

/// What happened besides what the headline says.
fn also(text: &Text, kinds: &Kinds<'_>, verdict: &Verdict, worst: Worst) -> Vec<String> {
    let mut also = Vec::new();
    if !kinds.acknowledged_lost.is_empty() && !kinds.visible_lost.is_empty() {
        also.push(say!(
            text,
            AlsoLost,
            records = names(text, &kinds.visible_lost)
        ));
    }
    if worst < Worst::Duplicated && !kinds.duplicated.is_empty() {
        let n = kinds.duplicated.len();
        also.push(say!(
            text,
            AlsoDuplicated,
            records = names(text, &kinds.duplicated),
            n = n
        ));
    }
    if worst < Worst::Unavailable
        && let Some(why) = &verdict.unavailable
    {
        also.push(match why {
            // A leader is there, and other writes go on.
            Unavailable::BelowMinIsr { .. } => say!(text, UnavailableBelowMin),
            _ => say!(text, AlsoUnavailable),
        });
    }
    if worst < Worst::Refused && !kinds.refused.is_empty() {
        let n = kinds.refused.len();
        also.push(say!(
            text,
            Refused,
            n = n,
            records = names(text, &kinds.refused)
        ));
    }
    if worst < Worst::Unknown && !kinds.unknown.is_empty() {
        also.push(say!(
            text,
            AlsoUnknown,
            records = names(text, &kinds.unknown)
        ));
    }
    also
}

fn names(text: &Text, records: &[&RecordVerdict]) -> String {
    let mut numbers: Vec<u64> = records.iter().map(|r| r.record).collect();
    sort::heap(&mut numbers, |a, b| a < b);
    record_names(text, &numbers)
}

/// Records by name, ascending, shortened: runs of three and more become a range, after three pieces the rest is
/// counted: `m3, m4 and 5 more`.
pub fn record_names(text: &Text, numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((first, count)) if first.saturating_add(*count) == *number => *count += 1,
            _ => runs.push((*number, 1)),
        }
    }
    let mut pieces: Vec<(String, u64)> = Vec::new();
    for (first, count) in runs {
        if count == 2 {
            pieces.push((record_range(first, 1), 1));
            pieces.push((record_range(first.saturating_add(1), 1), 1));
        } else {
            pieces.push((record_range(first, count), count));
        }
    }
    if pieces.len() <= 3 {
        return list(text, pieces.into_iter().map(|(name, _)| name).collect());
    }
    let rest: u64 = pieces.iter().skip(2).map(|(_, count)| count).sum();
    let mut front = pieces.into_iter().take(2).map(|(name, _)| name);
    let (a, b) = (
        front.next().unwrap_or_default(),
        front.next().unwrap_or_default(),
    );
    say!(
        text,
        ListOthers,
        list = say!(text, ListMore, a = a, b = b),
        n = rest
    )
}

#[cfg(test)]
mod tests;
