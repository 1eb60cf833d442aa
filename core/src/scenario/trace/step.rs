//! The steps of a recording as actions.

use crate::kafka::ids::{BrokerId, LeaderEpoch, Millis, Offset};
use crate::kafka::settings::{Acks, Isolation};

use super::super::error::Expected;
use super::super::form::{Kind, OFFSET_MAX, Value};
use super::super::json_item::{Item, Read, Wrong};
use super::super::names::{INT_MAX, find as find_setting};
use super::super::time;
use super::super::value::{Action, ConfigChange, ElectionKind, Produce};
use super::super::verbs::{MAX_RECORDS, MAX_ROUNDS};
use super::super::words::nearest;
use super::read::{broker, broker_set, entries, error_name, observation, offset};
use super::{StepResult, TraceStep};

/// A step's word and its keys beside those that every step has.
struct Shape {
    word: &'static str,
    keys: &'static [&'static str],
}

macro_rules! shapes {
    ($($word:literal: $($key:literal)*;)*) => {
        &[$(Shape { word: $word, keys: &[$($key),*] },)*]
    };
}

static SHAPES: &[Shape] = shapes! {
    "produce": "n" "acks" "id" "to_broker" "timeout_ms" "producer" "seq" "retry_of" "drop_response" "drop_request";
    "follower_fetch": "broker" "times" "deliver_response" "times_possible";
    "pause_fetch": "broker";
    "resume_fetch": "broker";
    "catch_up": "broker";
    "stop_clean": "broker";
    "kill": "broker";
    "power_loss": "broker" "keep_leo";
    "fence": "broker";
    "start": "broker" "wait";
    "isolate": "broker";
    "heal": "broker";
    "cut_controller": "broker";
    "heal_controller": "broker";
    "kill_controller":;
    "start_controller":;
    "delay_alter_partition": "broker";
    "release_alter_partition": "broker";
    "isr_shrink": "to";
    "await_isr": "to";
    "await_ack": "id";
    "await_unfenced": "broker";
    "elect": "type" "winner";
    "set_config": "set";
    "wait": "ms";
    "check":;
    "consume": "offset" "from_broker" "leader_epoch" "read_committed";
    "list_offset_latest": "read_committed";
    "end_offset_for_epoch": "epoch" "broker";
    "txn_begin": "txn";
    "txn_produce": "n" "txn";
    "txn_end": "commit" "txn";
};

const EVERY_STEP: &[&str] = &["step", "do", "t_ms", "observed", "varies", "result"];

/// Reads one step.
pub(super) fn read_step(item: &Item<'_>) -> Read<TraceStep> {
    let what = item.need("do")?;
    let word = what.text()?;
    let words = || SHAPES.iter().map(|s| s.word);
    let shape = SHAPES
        .iter()
        .find(|s| s.word == word)
        .ok_or_else(|| Wrong {
            instead: nearest(word, words()).map(str::to_owned),
            ..what.wrong(Expected::Words(words().collect()))
        })?;
    item.only(&[EVERY_STEP, shape.keys].concat())?;
    let mut varies: Vec<String> = match item.maybe("varies") {
        Some(list) => {
            let text = |item: &Item<'_>| item.text().map(str::to_owned);
            list.list()?.iter().map(text).collect::<Read<_>>()?
        }
        None => Vec::new(),
    };
    if let Some(observed) = item.maybe("observed") {
        varies.extend(not_recorded(&observed)?);
    }
    Ok(TraceStep {
        index: item.need("step")?.number(INT_MAX)?,
        word: word.to_owned(),
        actions: actions(item, word)?,
        at: match item.maybe("t_ms") {
            Some(at) => Millis(at.number(OFFSET_MAX)?),
            None => Millis(0),
        },
        observed: match item.maybe("observed") {
            Some(observed) => observation(&observed)?,
            None => super::Observation::default(),
        },
        varies,
        result: item.maybe("result").map(|r| result(&r, word)).transpose()?,
        rounds_possible: match item.maybe("times_possible") {
            Some(rounds) => Some(narrow(rounds.number(MAX_ROUNDS)?)),
            None => None,
        },
    })
}

/// The names whose value is `null`: not recorded from here on (before 3.0 the ISR while nobody leads).
fn not_recorded(observed: &Item<'_>) -> Read<Vec<String>> {
    let entries = observed.entries()?.into_iter();
    let names = entries.filter(|(_, item)| item.value.is_null());
    Ok(names.map(|(name, _)| name.to_owned()).collect())
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn flag(item: &Item<'_>, name: &str, missing: bool) -> Read<bool> {
    match item.maybe(name) {
        Some(item) => item.truth(),
        None => Ok(missing),
    }
}

fn millis(item: &Item<'_>) -> Read<Millis> {
    item.number(time::LONGEST.0).map(Millis)
}

fn isolation(item: &Item<'_>) -> Read<Isolation> {
    Ok(match flag(item, "read_committed", false)? {
        true => Isolation::ReadCommitted,
        false => Isolation::ReadUncommitted,
    })
}

fn maybe_broker(item: &Item<'_>, name: &str) -> Read<Option<BrokerId>> {
    item.maybe(name).map(|item| broker(&item)).transpose()
}

fn actions(item: &Item<'_>, word: &str) -> Read<Vec<Action>> {
    if word == "set_config" {
        return config_changes(&item.need("set")?);
    }
    action(item, word).map(|action| vec![action])
}

fn action(item: &Item<'_>, word: &str) -> Read<Action> {
    let broker = || broker(&item.need("broker")?);
    Ok(match word {
        "produce" => Action::Produce(produce(item)?),
        "txn_produce" => Action::Produce(Produce {
            records: records(item)?,
            acks: Some(Acks::All),
            transactional: true,
            ..Produce::default()
        }),
        "follower_fetch" => Action::Fetch {
            broker: broker()?,
            rounds: match item.maybe("times") {
                Some(times) => narrow(times.number(MAX_ROUNDS)?),
                None => 1,
            },
            lose_response: !flag(item, "deliver_response", true)?,
        },
        "pause_fetch" => Action::PauseFetch(broker()?),
        "resume_fetch" => Action::ResumeFetch(broker()?),
        "catch_up" => Action::CatchUp(broker()?),
        "stop_clean" => Action::Stop(broker()?),
        "kill" => Action::Kill(broker()?),
        "power_loss" => Action::PowerLoss {
            broker: broker()?,
            keep: offset(&item.need("keep_leo")?)?,
        },
        // Nothing is done: the recorder waited until the session had ended.
        "fence" => Action::AwaitFenced(broker()?),
        "start" => Action::Start {
            broker: broker()?,
            clean: None,
            wait: flag(item, "wait", true)?,
        },
        "isolate" => Action::Isolate(broker()?),
        "heal" => Action::Heal(broker()?),
        "cut_controller" => Action::CutController(broker()?),
        "heal_controller" => Action::HealController(broker()?),
        "kill_controller" => Action::KillController,
        "start_controller" => Action::StartController,
        "delay_alter_partition" => Action::HoldAlterPartition(broker()?),
        "release_alter_partition" => Action::ReleaseAlterPartition(broker()?),
        "isr_shrink" | "await_isr" => Action::AwaitIsr(broker_set(&item.need("to")?)?),
        "await_ack" => Action::AwaitAck(item.need("id")?.text()?.to_owned()),
        "await_unfenced" => Action::AwaitUnfenced(broker()?),
        "elect" => Action::Elect(election(item)?),
        "wait" => Action::Wait(millis(&item.need("ms")?)?),
        "consume" => Action::Consume {
            offset: offset(&item.need("offset")?)?,
            from: maybe_broker(item, "from_broker")?,
            leader_epoch: match item.maybe("leader_epoch") {
                Some(epoch) => Some(LeaderEpoch(narrow(epoch.number(INT_MAX)?))),
                None => None,
            },
            isolation: isolation(item)?,
        },
        "list_offset_latest" => Action::ListOffset {
            isolation: isolation(item)?,
        },
        "end_offset_for_epoch" => Action::EpochEnd {
            epoch: LeaderEpoch(narrow(item.need("epoch")?.number(INT_MAX)?)),
            broker: maybe_broker(item, "broker")?,
        },
        "txn_begin" => Action::TransactionBegin,
        "txn_end" => Action::TransactionEnd {
            commit: item.need("commit")?.truth()?,
        },
        // The word is one of SHAPES; what is left is `check`.
        _ => Action::Check,
    })
}

fn records(item: &Item<'_>) -> Read<u64> {
    match item.maybe("n") {
        Some(count) => match count.value(Kind::Number(1, MAX_RECORDS))? {
            Value::Number(count) => Ok(count),
            _ => Ok(1),
        },
        None => Ok(1),
    }
}

fn produce(item: &Item<'_>) -> Read<Produce> {
    let name = |key: &str| -> Read<Option<String>> {
        let item = item.maybe(key);
        item.map(|item| item.text().map(str::to_owned)).transpose()
    };
    let acks = match item.maybe("acks") {
        Some(acks) => match acks.value(Kind::Acks)? {
            Value::Word("1") => Some(Acks::Leader),
            Value::Word("0") => Some(Acks::None),
            _ => Some(Acks::All),
        },
        None => None,
    };
    Ok(Produce {
        records: records(item)?,
        acks,
        to: maybe_broker(item, "to_broker")?,
        timeout: item.maybe("timeout_ms").map(|ms| millis(&ms)).transpose()?,
        id: name("id")?,
        producer: name("producer")?,
        sequence: match item.maybe("seq") {
            Some(sequence) => Some(narrow(sequence.number(INT_MAX)?)),
            None => None,
        },
        retry_of: name("retry_of")?,
        lose_request: flag(item, "drop_request", false)?,
        lose_response: flag(item, "drop_response", false)?,
        transactional: false,
    })
}

fn election(item: &Item<'_>) -> Read<ElectionKind> {
    if let Some(winner) = maybe_broker(item, "winner")? {
        return Ok(ElectionKind::Named(winner));
    }
    let kind = item.need("type")?;
    match kind.text()? {
        "preferred" => Ok(ElectionKind::Preferred),
        "unclean" => Ok(ElectionKind::Unclean),
        _ => Err(kind.wrong(Expected::OneOf(&["preferred", "unclean"]))),
    }
}

fn config_changes(item: &Item<'_>) -> Read<Vec<Action>> {
    let mut changes = Vec::new();
    for (name, value) in item.entries()? {
        let change = match find_setting(name).map(|setting| setting.name) {
            Some("min.insync.replicas") => match value.value(Kind::Number(1, INT_MAX))? {
                Value::Number(min) => ConfigChange::MinInsyncReplicas(narrow(min)),
                _ => continue,
            },
            Some("unclean.leader.election.enable") => match value.value(Kind::Truth)? {
                Value::Truth(on) => ConfigChange::UncleanLeaderElection(on),
                _ => continue,
            },
            _ => {
                let known = &["min.insync.replicas", "unclean.leader.election.enable"];
                return Err(Wrong {
                    found: name.to_owned(),
                    ..value.wrong(Expected::OneOf(known))
                });
            }
        };
        changes.push(Action::SetConfig(change));
    }
    if changes.is_empty() {
        return Err(item.wrong(Expected::Json("an object with the config that changes")));
    }
    Ok(changes)
}

/// A number, or none for -1.
fn known(item: Option<Item<'_>>) -> Read<Option<u64>> {
    match item {
        Some(item) if item.value.as_i64() == Some(-1) => Ok(None),
        Some(item) => item.number(OFFSET_MAX).map(Some),
        None => Ok(None),
    }
}

fn result(item: &Item<'_>, word: &str) -> Read<StepResult> {
    if item.value.as_str() == Some("no broker") {
        return Ok(StepResult::NoBroker);
    }
    if item.value.is_string() {
        return error_name(item).map(StepResult::Done);
    }
    let error = error_name(&item.need("error")?)?;
    let epoch = |item: &Item<'_>| -> Read<Option<LeaderEpoch>> {
        Ok(known(item.maybe("epoch"))?.map(|epoch| LeaderEpoch(narrow(epoch))))
    };
    let offset = |name: &str| -> Read<Option<Offset>> { Ok(known(item.maybe(name))?.map(Offset)) };
    match word {
        "txn_produce" => {
            item.only(&["error", "base_offset"])?;
            Ok(StepResult::Produced {
                error,
                base_offset: offset("base_offset")?,
            })
        }
        "consume" => {
            item.only(&["error", "hw", "lso", "aborted", "values"])?;
            Ok(StepResult::Consumed {
                error,
                hw: offset("hw")?,
                lso: offset("lso")?,
                aborted: known(item.maybe("aborted"))?.unwrap_or(0),
                values: match item.maybe("values") {
                    Some(values) => entries(&values)?,
                    None => Vec::new(),
                },
            })
        }
        "list_offset_latest" => {
            item.only(&["error", "offset", "epoch"])?;
            Ok(StepResult::Listed {
                error,
                offset: offset("offset")?,
                epoch: epoch(item)?,
            })
        }
        "end_offset_for_epoch" => {
            item.only(&["error", "epoch", "end_offset"])?;
            let end_offset = offset("end_offset")?;
            Ok(StepResult::EpochEnd {
                error,
                epoch: epoch(item)?,
                end_offset,
            })
        }
        _ => Err(item.wrong(Expected::Json("the name of a Kafka error"))),
    }
}
