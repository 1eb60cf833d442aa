//! What a history tells, found by rules that know no recording: records that were lost, logs that were cut, records that
//! differ at one offset, refusals after an append, an ELR that was emptied.

use std::collections::{BTreeMap, BTreeSet};

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::{BrokerId, Offset};
use highwater_core::kafka::settings::Acks;
use highwater_core::scenario::trace::{Ack, LogEntry, Observation};
use highwater_core::scenario::value::{Action, ElectionKind};

use crate::history::History;

/// A follower's log became shorter although its disk lost nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The follower.
    pub broker: BrokerId,
    /// Its LEO before.
    pub from: Offset,
    /// Its LEO after.
    pub to: Offset,
    /// The HW that it had before; none where it is unknown.
    pub hw: Option<Offset>,
    /// The records that were cut.
    pub records: BTreeSet<u64>,
    /// It led the partition afterwards.
    pub led_later: bool,
}

/// A replica holds another record than before at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The replica.
    pub broker: BrokerId,
    /// Where.
    pub offset: Offset,
    /// The record before.
    pub was: u64,
    /// The record after.
    pub is: u64,
}

/// A batch that the leader had appended, and whose producer was answered with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedAfterAppend {
    /// The first record.
    pub first: u64,
    /// The answer.
    pub error: KafkaError,
    /// The record is in the leader's log at the end.
    pub kept: bool,
    /// The ISR was below min.insync.replicas when the answer was seen, or had been since the call.
    pub isr_fell: bool,
}

/// The ELR was emptied by a change of configuration while nobody led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emptied {
    /// Who was in it.
    pub members: BTreeSet<BrokerId>,
    /// Members that came back after that, and were not elected.
    pub back_in_vain: BTreeSet<BrokerId>,
    /// Somebody was elected uncleanly in the end.
    pub ended_uncleanly: bool,
}

/// All facts of a history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Records whose producer was answered with success.
    pub acknowledged: BTreeSet<u64>,
    /// Of those, who was sent with acks=all.
    pub by_all: BTreeSet<u64>,
    /// Acknowledged records that are not in the log that counts at the end.
    pub lost: BTreeSet<u64>,
    /// Logs that were cut.
    pub cuts: Vec<Cut>,
    /// Records that took the place of others between two states.
    pub replaced: Vec<Replaced>,
    /// An offset at which two in-sync, running replicas hold different records at the end.
    pub different: Option<(Offset, BTreeMap<BrokerId, u64>)>,
    /// Refusals after an append.
    pub refused_after_append: Vec<RefusedAfterAppend>,
    /// An ELR that was emptied.
    pub emptied: Option<Emptied>,
}

impl Facts {
    /// The facts of a history; `min_isr` is min.insync.replicas at its start.
    pub fn of(history: &History, min_isr: u32) -> Facts {
        let mut facts = Facts::default();
        let Some(last) = history.moments.last().map(|moment| &moment.state) else {
            return facts;
        };
        for (id, sent) in &history.sent {
            if !matches!(last.acks.get(id), Some(Ack::Success(_))) {
                continue;
            }
            let records = sent.first..sent.first + sent.records;
            facts.acknowledged.extend(records.clone());
            if sent.acks == Acks::All {
                facts.by_all.extend(records);
            }
        }
        let kept = kept(last);
        facts.lost = facts.acknowledged.difference(&kept).copied().collect();
        facts.cuts = cuts(history);
        facts.replaced = replaced(history);
        facts.different = different(last);
        facts.refused_after_append = refused_after_append(history, min_isr);
        facts.emptied = emptied(history);
        facts
    }

    /// Whether all that was lost had been acknowledged with acks=all.
    pub fn lost_by_all(&self) -> bool {
        self.lost.is_subset(&self.by_all)
    }
}

fn records(log: &[LogEntry]) -> BTreeSet<u64> {
    log.iter().filter_map(|entry| entry.record).collect()
}

/// What a consumer could still get: the leader's log; without a leader, the logs of all who may be elected, or of all
/// replicas where the recording does not say who may.
fn kept(state: &Observation) -> BTreeSet<u64> {
    if let Some(leader) = state.leader.flatten() {
        return state
            .logs
            .get(&leader)
            .map(|log| records(log))
            .unwrap_or_default();
    }
    let eligible = |broker: &BrokerId| {
        let listed = [&state.isr, &state.elr].into_iter().flatten();
        let mut listed = listed.peekable();
        listed.peek().is_none() || listed.any(|set| set.contains(*broker))
    };
    let logs = state.logs.iter().filter(|(broker, _)| eligible(broker));
    logs.flat_map(|(_, log)| records(log)).collect()
}

fn cuts(history: &History) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (place, pair) in history.moments.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        for (broker, to) in &after.state.leo {
            let Some(from) = before.state.leo.get(broker).filter(|from| *from > to) else {
                continue;
            };
            let lost_power = |action: &Action| matches!(action, Action::PowerLoss { broker: b, .. } if b == broker);
            if after.actions.iter().any(lost_power) {
                continue;
            }
            let log = |state: &Observation| state.logs.get(broker).map(|log| records(log));
            let (had, has) = (log(&before.state), log(&after.state));
            let mut later = history.moments.iter().skip(place + 1);
            cuts.push(Cut {
                broker: *broker,
                from: *from,
                to: *to,
                hw: before.state.hw.get(broker).copied(),
                records: had
                    .unwrap_or_default()
                    .difference(&has.unwrap_or_default())
                    .copied()
                    .collect(),
                led_later: later.any(|moment| moment.state.leader == Some(Some(*broker))),
            });
        }
    }
    cuts
}

fn replaced(history: &History) -> Vec<Replaced> {
    let mut list = Vec::new();
    for pair in history.moments.windows(2) {
        let [before, after] = pair else { continue };
        for (broker, log) in &after.state.logs {
            let had = before.state.logs.get(broker).map(Vec::as_slice);
            let places = had.unwrap_or_default().iter().zip(log).enumerate();
            list.extend(places.filter_map(|(place, (was, is))| {
                let (was, is) = (was.record?, is.record?);
                let offset = Offset(place as u64);
                let broker = *broker;
                (was != is).then_some(Replaced {
                    broker,
                    offset,
                    was,
                    is,
                })
            }));
        }
    }
    list
}

fn different(state: &Observation) -> Option<(Offset, BTreeMap<BrokerId, u64>)> {
    let (isr, running) = (state.isr.as_ref()?, state.running.as_ref()?);
    let in_sync = |broker: &BrokerId| isr.contains(*broker) && running.contains(*broker);
    let logs: Vec<_> = state
        .logs
        .iter()
        .filter(|(broker, _)| in_sync(broker))
        .collect();
    let longest = logs.iter().map(|(_, log)| log.len()).max()?;
    for place in 0..longest {
        let here = logs.iter().filter_map(|(broker, log)| {
            let record = log.get(place)?.record?;
            Some((**broker, record))
        });
        let here: BTreeMap<BrokerId, u64> = here.collect();
        if here.values().collect::<BTreeSet<_>>().len() > 1 {
            return Some((Offset(place as u64), here));
        }
    }
    None
}

fn refused_after_append(history: &History, min_isr: u32) -> Vec<RefusedAfterAppend> {
    let mut list = Vec::new();
    let Some(last) = history.moments.last().map(|moment| &moment.state) else {
        return list;
    };
    let at_the_end = kept(last);
    for (id, sent) in history
        .sent
        .iter()
        .filter(|(_, sent)| sent.acks == Acks::All)
    {
        let mut appended = false;
        let mut isr_fell = false;
        let mut waited = false;
        for moment in &history.moments {
            let state = &moment.state;
            match state.acks.get(id) {
                Some(Ack::Pending) => {
                    waited = true;
                    appended |= kept(state).contains(&sent.first);
                    isr_fell |= below(state, min_isr);
                }
                Some(Ack::Error(error)) if waited && appended => {
                    isr_fell |= below(state, min_isr);
                    list.push(RefusedAfterAppend {
                        first: sent.first,
                        error: *error,
                        kept: at_the_end.contains(&sent.first),
                        isr_fell,
                    });
                    break;
                }
                _ => {}
            }
        }
    }
    list
}

fn below(state: &Observation, min_isr: u32) -> bool {
    let isr = state.isr.as_ref();
    isr.is_some_and(|isr| isr.iter().count() < min_isr as usize)
}

fn emptied(history: &History) -> Option<Emptied> {
    for (place, pair) in history.moments.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        let changed = after
            .actions
            .iter()
            .any(|a| matches!(a, Action::SetConfig(_)));
        let nobody = [before, after]
            .iter()
            .all(|moment| moment.state.leader == Some(None));
        let members: BTreeSet<BrokerId> =
            before.state.elr.iter().flat_map(|elr| elr.iter()).collect();
        let left = after.state.elr.as_ref()?.iter().next();
        if !changed || !nobody || members.is_empty() || left.is_some() {
            continue;
        }
        let mut back = BTreeSet::new();
        let mut ended_uncleanly = false;
        for moment in history.moments.iter().skip(place + 2) {
            let elected = moment
                .actions
                .iter()
                .any(|action| matches!(action, Action::Elect(ElectionKind::Unclean)));
            if moment.state.leader != Some(None) {
                ended_uncleanly = elected;
                break;
            }
            let running = moment.state.running.as_ref();
            back.extend(
                members
                    .iter()
                    .filter(|b| running.is_some_and(|up| up.contains(**b))),
            );
        }
        return Some(Emptied {
            members,
            back_in_vain: back,
            ended_uncleanly,
        });
    }
    None
}
