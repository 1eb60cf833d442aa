//! Where two runs part, in one sentence.

use highwater_core::kafka::event::{EventKind, Outcome};
use highwater_core::kafka::ids::SendId;
use highwater_core::sim::Run;
use highwater_core::sim::compare::{Answer, Difference, Moment, Subject, Told};

use super::Text;
use super::arg::{Arg, millis, set};
use crate::say;

/// The records that a difference is about: the first and how many; none when it is about the partition.
pub fn records(subject: Subject, run: &Run) -> Option<(u64, u64)> {
    match subject {
        Subject::Answer { send, .. } => records_of(run, send),
        Subject::Committed(record)
        | Subject::Visible(record)
        | Subject::Lost(record)
        | Subject::Duplicated(record) => Some((record, 1)),
        _ => None,
    }
}

fn records_of(run: &Run, of: SendId) -> Option<(u64, u64)> {
    run.events.iter().find_map(|event| match event.kind {
        EventKind::ProduceCalled {
            send,
            first_record,
            count,
            ..
        } if send == of => Some((first_record, count)),
        _ => None,
    })
}

/// A difference in one sentence; `run` is either of the two, which send the same records.
pub fn sentence(text: &Text, difference: &Difference, run: &Run) -> String {
    let subject = difference.subject;
    let (first, count) = records(subject, run).unwrap_or_default();
    let records = Arg::Records { first, count };
    let said = match subject {
        Subject::Answer { .. } => say!(text, DifferenceAnswer, records = records),
        Subject::Leader => say!(text, DifferenceLeader),
        Subject::Isr => "ISR".to_owned(),
        Subject::Elr => "ELR".to_owned(),
        Subject::Committed(_) => say!(text, DifferenceCommitted, records = records),
        Subject::Visible(_) => say!(text, DifferenceVisible, records = records),
        Subject::Lost(_) => say!(text, DifferenceLost, records = records),
        Subject::Duplicated(_) => say!(text, DifferenceDuplicated, records = records),
        Subject::Unavailable => say!(text, DifferenceUnavailable),
    };
    let value = |moment: &Option<Moment>| match moment {
        Some(moment) => told(text, moment),
        None if matches!(subject, Subject::Leader | Subject::Isr | Subject::Elr) => {
            say!(text, DifferenceUnchanged)
        }
        None => say!(text, CellNever),
    };
    say!(
        text,
        DifferenceOf,
        subject = said,
        a = value(&difference.a),
        b = value(&difference.b)
    )
}

fn told(text: &Text, moment: &Moment) -> String {
    let value = match &moment.value {
        Told::So => return millis(moment.at),
        Told::Unavailable(_) => return say!(text, CellYes),
        Told::Answer(Answer::Ok) => say!(text, CellOk),
        Told::Answer(Answer::Other(outcome)) => outcome_words(text, *outcome),
        Told::Leader(Some(broker)) => say!(text, NodeBroker, broker = *broker),
        Told::Leader(None) => say!(text, ValueNone),
        Told::Brokers(brokers) => set(brokers),
    };
    say!(text, ToldAt, value = value, time = moment.at)
}

/// What the producer saw, in few words.
pub fn outcome_words(text: &Text, outcome: Outcome) -> String {
    match outcome {
        Outcome::Ok(_) => say!(text, CellOk),
        Outcome::Refused(error) => error.name().to_owned(),
        Outcome::NoAnswer => say!(text, MarkNoAnswer),
        Outcome::NoAnswerExpected => say!(text, CellNoPromise),
        Outcome::ConnectionClosed => say!(text, CellClosed),
        Outcome::ResponseLost => say!(text, CellAnswerLost),
        Outcome::LeaderDown => say!(text, CellLeaderDown),
        Outcome::NoLeader => say!(text, CellNoLeader),
    }
}
