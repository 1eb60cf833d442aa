//! Why not: what a record still waits for at an instant, in one sentence for each fact that it lacks.

use highwater_core::kafka::ids::{BrokerId, BrokerSet};
use highwater_core::sim::waits::{Fact, Wait, waits};
use highwater_core::sim::{Instant, RecordVerdict, Run};

use super::Text;
use super::arg::record_range;
use crate::say;

/// The sentences: one for each fact that the record lacks, or that it lacks nothing, and whether it is lost by then.
pub fn why_not(text: &Text, run: &Run, record: &RecordVerdict, instant: Instant) -> Vec<String> {
    let mut said: Vec<String> = waits(run, record, instant)
        .iter()
        .map(|(fact, wait)| sentence(text, record.record, *fact, wait))
        .collect();
    let name = record_range(record.record, 1);
    let lost = record
        .lost
        .filter(|since| (since.event.0 as usize) < run.events_before(instant));
    if let Some(since) = lost {
        let lost = say!(text, FactLost, at = since.at);
        said.push(say!(text, RecordLine, records = name, facts = lost) + ".");
    } else if said.is_empty() {
        said.push(say!(text, WaitNothing, record = name));
    }
    said
}

/// One sentence.
pub fn sentence(text: &Text, record: u64, fact: Fact, wait: &Wait) -> String {
    let record = record_range(record, 1);
    if let Wait::NotProduced(at) = wait {
        return say!(text, WaitNotProduced, record = record, at = *at);
    }
    let why = of_producer(text, wait)
        .or_else(|| of_leader(text, wait))
        .unwrap_or_else(|| of_consumer(text, wait));
    match fact {
        Fact::Acknowledged => say!(text, WaitAcknowledged, record = record, why = why),
        Fact::Committed => say!(text, WaitCommitted, record = record, why = why),
        Fact::Visible => say!(text, WaitVisible, record = record, why = why),
    }
}

fn of_producer(text: &Text, wait: &Wait) -> Option<String> {
    Some(match wait {
        Wait::NoPromise => say!(text, WaitNoPromise),
        Wait::NothingToAsk => say!(text, WaitNothingToAsk),
        Wait::Backoff(at) => say!(text, WaitBackoff, at = *at),
        Wait::RequestOnItsWay(broker) => say!(text, WaitRequestOnItsWay, broker = *broker),
        Wait::AnswerOnItsWay => say!(text, WaitAnswerOnItsWay),
        Wait::Refused(error) => say!(text, WaitRefused, error = *error),
        Wait::NothingSent => say!(text, WaitNothingSent),
        Wait::NoAnswer => say!(text, WaitNoAnswer),
        _ => return None,
    })
}

fn of_leader(text: &Text, wait: &Wait) -> Option<String> {
    Some(match wait {
        Wait::InNoLog => say!(text, WaitInNoLog),
        Wait::NoLeader { isr, elr } => say!(text, WaitNoLeader, isr = isr, elr = elr),
        Wait::LeaderDown(broker) => say!(text, WaitLeaderDown, broker = *broker),
        Wait::LeaderNotReady(broker) => say!(text, WaitLeaderNotReady, broker = *broker),
        Wait::NotInLeadersLog { leader, has } if has.is_empty() => {
            say!(text, WaitInNobodysLog, leader = *leader)
        }
        Wait::NotInLeadersLog { leader, has } => {
            say!(
                text,
                WaitNotInLeadersLog,
                leader = *leader,
                has = named(has)
            )
        }
        Wait::BelowMinIsr { isr, min, hw } => {
            say!(text, WaitBelowMinIsr, isr = isr, min = *min, hw = *hw)
        }
        Wait::BeforeEpochStart {
            isr,
            min,
            follower,
            epoch,
            start,
        } => say!(
            text,
            WaitBeforeEpochStart,
            isr = isr,
            min = *min,
            follower = *follower,
            epoch = *epoch,
            start = *start
        ),
        Wait::PositionsUnknown {
            leader,
            epoch,
            start,
            brokers,
        } => say!(
            text,
            WaitPositionsUnknown,
            leader = *leader,
            epoch = *epoch,
            start = *start,
            brokers = named(brokers)
        ),
        Wait::Lacking {
            brokers,
            isr,
            hw,
            required,
        } => say!(
            text,
            WaitLacking,
            brokers = named(brokers),
            isr = isr,
            hw = *hw,
            required = *required
        ),
        Wait::NotTold(brokers) => say!(text, WaitNotTold, brokers = named(brokers)),
        Wait::NextLook => say!(text, WaitNextLook),
        _ => return None,
    })
}

fn of_consumer(text: &Text, wait: &Wait) -> String {
    match wait {
        Wait::OpenTransaction { first, lso } => {
            say!(text, WaitOpenTransaction, first = *first, lso = *lso)
        }
        Wait::Aborted => say!(text, WaitAborted),
        Wait::FollowersHw { broker, hw } => {
            say!(text, WaitFollowersHw, broker = *broker, hw = *hw)
        }
        _ => say!(text, WaitNotCommitted),
    }
}

fn named(brokers: &BrokerSet) -> Vec<BrokerId> {
    brokers.iter().collect()
}

#[cfg(test)]
mod tests;
