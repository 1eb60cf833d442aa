//! The picture's words in the languages of `text/`.

use highwater_core::kafka::event::Outcome;
use highwater_core::kafka::ids::{BrokerId, BrokerSet};

use super::words::{FoldReason, Word, Words};
use crate::say;
use crate::text::arg::{millis, record_range};
use crate::text::describe::{step_parts, step_short};
use crate::text::{Arg, Text};

impl Words for Text {
    fn say(&self, word: Word<'_>) -> String {
        match word {
            Word::Script
            | Word::ScriptAbout
            | Word::Partition
            | Word::PartitionAbout
            | Word::Acks
            | Word::AcksShort
            | Word::AcksAbout
            | Word::Lag
            | Word::LagShort
            | Word::LagAbout
            | Word::Visibility
            | Word::VisibilityShort
            | Word::VisibilityAbout
            | Word::KeyOpen
            | Word::KeyGap
            | Word::KeyKnown
            | Word::KeyTail
            | Word::KeyRead
            | Word::OffsetAxis
            | Word::NoOffset => head(self, &word),
            Word::Instant(time) | Word::Duration(time) => millis(time),
            Word::Fold(reason) => fold(self, reason),
            Word::FoldedFor(wait, reason) => {
                say!(self, FoldedFor, wait = wait, reason = fold(self, reason))
            }
            Word::StepVerb(action) => step_parts(self, action, None).0,
            Word::StepObject(action, records) => step_parts(self, action, records).1,
            Word::StepShort(action, records) => step_short(self, action, records),
            Word::LeaderIs(..)
            | Word::NoLeader
            | Word::EpochShort(_)
            | Word::Isr(_)
            | Word::Elr(_)
            | Word::LastKnownLeader(_)
            | Word::LastKnownLetter
            | Word::IsDown(_)
            | Word::IsBack(_)
            | Word::DownAt(..) => strip(self, &word),
            Word::Record(number) => record_range(number, 1),
            Word::Records(first, last) => {
                record_range(first, last.saturating_sub(first).saturating_add(1))
            }
            Word::Outcome(outcome) => outcome_word(self, outcome),
            Word::DeliveryTimedOut => say!(self, MarkTimeout),
            Word::Try(attempt) => say!(self, MarkAttempt, n = attempt),
            Word::Again(number) => say!(self, MarkAgain, records = record(number)),
            Word::Kept => say!(self, MarkKept),
            Word::Lost => say!(self, MarkLost),
            Word::AnsweredAt(number, outcome, at) => {
                say!(
                    self,
                    AltAnswered,
                    records = record(number),
                    outcome = outcome_word(self, outcome),
                    at = at
                )
            }
            Word::LostAt(number, at) => say!(self, AltLost, records = record(number), at = at),
            Word::Leo(_)
            | Word::Hw(_)
            | Word::HwName
            | Word::LsoName
            | Word::Lso(_)
            | Word::Reads(_)
            | Word::OnlyHas(..)
            | Word::NotOn(_)
            | Word::Truncates(..)
            | Word::NeverReadable(_)
            | Word::LearnHw(..)
            | Word::FetchLater(_) => water(self, &word),
        }
    }
}

/// Titles, what is under them, and the keys.
fn head(text: &Text, word: &Word<'_>) -> String {
    match word {
        Word::Script => say!(text, PanelScript),
        Word::ScriptAbout => say!(text, PanelScriptSub),
        Word::Partition => say!(text, PanelPartition),
        Word::PartitionAbout => say!(text, PanelPartitionSub),
        Word::Acks => say!(text, PanelAcks),
        Word::AcksShort => say!(text, TabAcks),
        Word::AcksAbout => say!(text, PanelAcksSub),
        Word::Lag => say!(text, PanelLag),
        Word::LagShort => say!(text, TabLag),
        Word::LagAbout => say!(text, PanelLagSub),
        Word::Visibility => say!(text, PanelVisibility),
        Word::VisibilityShort => say!(text, TabVisibility),
        Word::VisibilityAbout => say!(text, PanelVisibilitySub),
        Word::KeyOpen => say!(text, LegendInLog),
        Word::KeyGap => say!(text, LegendGap),
        Word::KeyKnown => say!(text, LegendKnows),
        Word::KeyTail => say!(text, LegendHidden),
        Word::KeyRead => say!(text, LegendRead),
        Word::OffsetAxis => say!(text, AxisOffset),
        Word::NoOffset => say!(text, NoOffset),
        _ => String::new(),
    }
}

/// Leader, ISR, ELR and who is down.
fn strip(text: &Text, word: &Word<'_>) -> String {
    match word {
        Word::LeaderIs(leader, epoch) => say!(text, StripLeader, leader = *leader, epoch = *epoch),
        Word::NoLeader => say!(text, StripNoLeader),
        Word::EpochShort(epoch) => format!("e{epoch}"),
        Word::Isr(isr) if isr.is_empty() => say!(text, StripIsrEmpty),
        Word::Isr(isr) => say!(text, StripIsr, isr = spaced(isr)),
        Word::Elr(elr) if elr.is_empty() => say!(text, StripElrEmpty),
        Word::Elr(elr) => say!(text, StripElr, elr = spaced(elr)),
        Word::LastKnownLeader(leader) => say!(text, StripLastKnown, leader = *leader),
        Word::LastKnownLetter => say!(text, MarkLastKnown),
        Word::IsDown(broker) => say!(text, StripDown, broker = *broker),
        Word::IsBack(broker) => say!(text, StripBack, broker = *broker),
        Word::DownAt(broker, at) => say!(text, AltDown, broker = *broker, at = *at),
        _ => String::new(),
    }
}

/// Positions in the log and who has what.
fn water(text: &Text, word: &Word<'_>) -> String {
    match word {
        Word::Leo(leo) => say!(text, MarkLeo, leo = *leo),
        Word::Hw(hw) => say!(text, MarkHw, hw = *hw),
        Word::HwName => "HW".to_owned(),
        Word::LsoName => "LSO".to_owned(),
        Word::Lso(lso) => say!(text, MarkLso, lso = *lso),
        Word::Reads(number) => say!(text, MarkReads, records = record(*number)),
        Word::OnlyHas(broker, number) => {
            say!(
                text,
                MarkOnlyOn,
                brokers = vec![*broker],
                records = record(*number)
            )
        }
        Word::NotOn(brokers) => say!(text, MarkNotOn, brokers = either(text, brokers)),
        Word::Truncates(broker, first, last) => {
            let count = last.saturating_sub(*first).saturating_add(1);
            let records = Arg::Records {
                first: *first,
                count,
            };
            say!(text, MarkTruncates, broker = *broker, records = records)
        }
        Word::NeverReadable(number) => say!(
            text,
            MarkNeverReadable,
            n = 1_u64,
            records = record(*number)
        ),
        Word::LearnHw(brokers, hw) => {
            let brokers: Vec<BrokerId> = brokers.iter().collect();
            say!(text, MarkLearn, brokers = brokers, hw = *hw)
        }
        Word::FetchLater(wait) => say!(text, MarkFetchLater, wait = *wait),
        _ => String::new(),
    }
}

fn fold(text: &Text, reason: FoldReason) -> String {
    match reason {
        FoldReason::FetchesParked => say!(text, FoldFetches),
        FoldReason::BrokerSilent(broker) => say!(text, FoldSilent, broker = broker),
        FoldReason::BrokerDown(broker) => say!(text, FoldDown, broker = broker),
        FoldReason::ProduceParked => say!(text, FoldParked),
        FoldReason::ProducerWaits => say!(text, FoldProducer),
        FoldReason::RetryBackoff => say!(text, FoldRetry),
        FoldReason::FollowerLags => say!(text, FoldLags),
        FoldReason::FetchBackoff => say!(text, FoldBackoff),
        FoldReason::Quiet => say!(text, FoldQuiet),
    }
}

fn outcome_word(text: &Text, outcome: Outcome) -> String {
    match outcome {
        Outcome::Ok(_) => say!(text, CellOk),
        Outcome::Refused(error) => error.name().to_owned(),
        Outcome::NoAnswer => say!(text, MarkNoAnswer),
        Outcome::ConnectionClosed => say!(text, MarkClosed),
        Outcome::LeaderDown => say!(text, MarkLeaderDown),
        Outcome::NoLeader => say!(text, StripNoLeader),
        Outcome::NoAnswerExpected => say!(text, CellNoPromise),
        Outcome::ResponseLost => say!(text, MarkAnswerLost),
    }
}

fn record(number: u64) -> Arg<'static> {
    Arg::Records {
        first: number,
        count: 1,
    }
}

/// Brokers with spaces between, as the strip and Kafka's tools list them.
fn spaced(brokers: &BrokerSet) -> String {
    let names: Vec<String> = brokers.iter().map(|b| b.to_string()).collect();
    names.join(" ")
}

fn either(text: &Text, brokers: &BrokerSet) -> String {
    Arg::either(text, brokers.iter().map(|b| b.to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use highwater_core::kafka::ids::{LeaderEpoch, Millis, Offset};
    use highwater_core::scenario::Action;

    fn say(word: Word<'_>) -> String {
        Words::say(&Text::english(), word)
    }

    fn set(brokers: &[u32]) -> BrokerSet {
        brokers.iter().copied().map(BrokerId).collect()
    }

    #[test]
    fn the_picture_speaks_as_drawn() {
        for (word, expect) in [
            (
                Word::LeaderIs(BrokerId(1), LeaderEpoch(0)),
                "leader 1, epoch 0",
            ),
            (Word::Isr(&set(&[1, 2, 3])), "ISR 1 2 3"),
            (Word::Elr(&set(&[])), "ELR empty"),
            (Word::NotOn(&set(&[2, 3])), "not on 2 or 3"),
            (
                Word::LearnHw(&set(&[2, 3]), Offset(2)),
                "2 and 3 learn HW 2",
            ),
            (Word::OnlyHas(BrokerId(1), 3), "only 1 has m3"),
            (Word::Truncates(BrokerId(1), 3, 3), "1 truncates m3"),
            (Word::NeverReadable(3), "m3 is never readable"),
            (
                Word::FoldedFor(Millis(5000), FoldReason::BrokerSilent(BrokerId(1))),
                "5.00 s folded: broker 1 is silent",
            ),
            (
                Word::AnsweredAt(3, Outcome::Ok(Offset(2)), Millis(524)),
                "m3: ok at 524 ms",
            ),
            (Word::Records(5, 9), "m5–m9"),
        ] {
            assert_eq!(say(word), expect);
        }
    }

    #[test]
    fn a_step_has_a_verb_and_an_object() {
        let kill = Action::Kill(BrokerId(1));
        let produce = Action::Produce(highwater_core::scenario::Produce::default());
        assert_eq!(say(Word::StepVerb(&kill)), "kill");
        assert_eq!(say(Word::StepObject(&kill, None)), "broker 1");
        assert_eq!(say(Word::StepShort(&kill, None)), "kill 1");
        assert_eq!(say(Word::StepVerb(&produce)), "produce");
        assert_eq!(say(Word::StepObject(&produce, Some((3, 3)))), "m3");
        assert_eq!(say(Word::StepShort(&produce, Some((3, 5)))), "m3–m5");
        assert_eq!(say(Word::StepObject(&Action::HealAll, None)), "all links");
        assert_eq!(
            say(Word::StepShort(&Action::HealAll, None)),
            "heal all links"
        );
    }
}
