//! Reads the file of a recording.

use std::collections::BTreeMap;

use crate::kafka::error::KafkaError;
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset, PartitionEpoch};
use crate::kafka::partition::Recovery;
use crate::kafka::settings::{FetchMode, ProducerMetadata, Settings};

use super::super::check::{Place, check};
use super::super::error::{Expected, ScriptError};
use super::super::form::{Kind, OFFSET_MAX};
use super::super::json_item::{Item, Read, Segment, Wrong, as_text, document};
use super::super::lists::{read_broker, read_number};
use super::super::names::{self, INT_MAX};
use super::super::parser::MAX_ERRORS;
use super::step::read_step;
use super::{Ack, End, LogEntry, Observation, PartitionRecord, Trace};

/// The longest file that is read, in bytes.
pub const MAX_BYTES: usize = 10_000_000;

/// Reads the file of a recording and converts every step. An unknown key, step or value is an error with its place.
pub fn read(text: &str) -> Result<Trace, Vec<ScriptError>> {
    document(text, MAX_BYTES, |root| {
        let trace = read_trace(root).map_err(|wrong| vec![wrong])?;
        let list = check(&trace.scenario());
        if list.is_empty() {
            return Ok(trace);
        }
        let wrong = |fault: super::super::check::Fault| Wrong {
            path: path_of(&trace, fault.place),
            found: fault.found,
            expected: fault.expected,
            instead: None,
        };
        Err(list.into_iter().take(MAX_ERRORS).map(wrong).collect())
    })
}

/// Where in the file a fault of the converted scenario has its cause.
fn path_of(trace: &Trace, place: Place) -> Vec<Segment> {
    let key = |name: &str| Segment::Key(name.to_owned());
    match place {
        Place::Title => vec![key("title")],
        Place::Start(_) | Place::Replica(..) => vec![key("start")],
        Place::Step(index, _) => {
            let ends = trace.last_scenario_steps();
            let step = ends
                .iter()
                .position(|end| end.is_some_and(|end| end >= index));
            vec![key("steps"), Segment::Index(step.unwrap_or(0))]
        }
    }
}

fn read_trace(root: &Item<'_>) -> Read<Trace> {
    root.only(&[
        "id",
        "title",
        "kafka",
        "recorded",
        "config",
        "start",
        "partition_history",
        "steps",
        "hw_not_recorded",
    ])?;
    let list = |name: &str| -> Read<Vec<Item<'_>>> {
        let items = root.maybe(name).map(|item| item.list()).transpose()?;
        Ok(items.unwrap_or_default())
    };
    let kafka = root.need("kafka")?;
    let start = observation(&root.need("start")?)?;
    let settings = read_settings(root, &kafka, &start)?;
    let history = list("partition_history")?;
    let steps = root.need("steps")?.list()?;
    Ok(Trace {
        id: root.need("id")?.text()?.to_owned(),
        title: match root.maybe("title") {
            Some(title) => title.text()?.trim().to_owned(),
            None => String::new(),
        },
        kafka: kafka.text()?.to_owned(),
        recorded: match root.maybe("recorded") {
            Some(count) => count.number(INT_MAX)?,
            None => 1,
        },
        settings,
        start,
        partition_history: history.iter().map(record).collect::<Read<_>>()?,
        steps: steps.iter().map(read_step).collect::<Read<_>>()?,
        hw_not_recorded: list("hw_not_recorded")?
            .iter()
            .map(broker)
            .collect::<Read<_>>()?,
    })
}

/// The settings that all recordings have in common, and those of this one.
fn read_settings(root: &Item<'_>, kafka: &Item<'_>, start: &Observation) -> Read<Settings> {
    let mut settings = Settings {
        heartbeat_interval: Millis(500),
        replica_fetch_wait_max: Millis(500),
        replica_fetch_backoff: Millis(200),
        hw_checkpoint_interval: Millis(50),
        request_timeout: Millis(60_000),
        auto_leader_rebalance: false,
        producer_metadata: ProducerMetadata::Fresh,
        retries: 0,
        idempotence: false,
        ..Settings::default()
    };
    let version = kafka.text()?;
    names::set(&mut settings, "kafka.version", version)
        .map_err(|error| kafka.wrong(error.expected))?;
    const NAMES: &[(&str, &str)] = &[
        ("replicas", "replicas"),
        ("min_insync_replicas", "min.insync.replicas"),
        (
            "unclean_leader_election_enable",
            "unclean.leader.election.enable",
        ),
        ("elr", "eligible.leader.replicas"),
        ("replica_lag_time_max_ms", "replica.lag.time.max.ms"),
        ("broker_session_timeout_ms", "broker.session.timeout.ms"),
        ("fetch", "fetch"),
    ];
    let config = root.need("config")?;
    let known: Vec<&'static str> = NAMES.iter().map(|(key, _)| *key).collect();
    config.only(&known)?;
    config.need("replicas")?;
    for (key, name) in NAMES {
        if let Some(item) = config.maybe(key) {
            let text = as_text(item.value, ':').unwrap_or_default();
            names::set(&mut settings, name, &text).map_err(|error| item.wrong(error.expected))?;
        }
    }
    settings.settle = match settings.fetch_mode {
        FetchMode::Auto => Millis(800),
        FetchMode::Manual => Millis(300),
    };
    // The recorder's clusters have three brokers, whatever the replicas are.
    let three: BrokerSet = (1..=3).map(BrokerId).collect();
    let others = start.running.clone().unwrap_or(three);
    let fenced = start.fenced.clone().unwrap_or_default();
    let brokers = settings.replicas.iter().copied().collect::<BrokerSet>();
    let brokers: Vec<BrokerId> = brokers.union(&others).union(&fenced).iter().collect();
    if brokers.len() > names::MAX_BROKERS {
        let expected = Kind::Brokers.expected();
        return Err(root.need("start")?.wrong(expected));
    }
    settings.brokers = brokers;
    Ok(settings)
}

/// A broker id as a number.
pub(super) fn broker(item: &Item<'_>) -> Read<BrokerId> {
    let id = item.number(INT_MAX)?;
    Ok(BrokerId(u32::try_from(id).unwrap_or_default()))
}

/// A broker id, or none for -1.
fn leader(item: &Item<'_>) -> Read<Option<BrokerId>> {
    if item.value.as_i64() == Some(-1) {
        return Ok(None);
    }
    broker(item).map(Some)
}

/// A list of broker ids in its order, each once.
pub(super) fn brokers(item: &Item<'_>) -> Read<Vec<BrokerId>> {
    let mut list = Vec::new();
    for member in item.list()? {
        let id = broker(&member)?;
        if list.contains(&id) {
            return Err(member.wrong(Expected::Once));
        }
        list.push(id);
    }
    Ok(list)
}

pub(super) fn broker_set(item: &Item<'_>) -> Read<BrokerSet> {
    Ok(brokers(item)?.into_iter().collect())
}

fn small(item: &Item<'_>) -> Read<u32> {
    Ok(u32::try_from(item.number(INT_MAX)?).unwrap_or_default())
}

pub(super) fn offset(item: &Item<'_>) -> Read<Offset> {
    item.number(OFFSET_MAX).map(Offset)
}

/// The error of that name; none for `NONE`.
pub(super) fn error_name(item: &Item<'_>) -> Read<Option<KafkaError>> {
    match item.text()? {
        "NONE" => Ok(None),
        name => match KafkaError::from_name(name) {
            Some(error) => Ok(Some(error)),
            None => Err(item.wrong(Expected::Json("the name of a Kafka error"))),
        },
    }
}

fn recovery(item: &Item<'_>) -> Read<Recovery> {
    match item.text()? {
        "RECOVERED" => Ok(Recovery::Recovered),
        "RECOVERING" => Ok(Recovery::Recovering),
        _ => Err(item.wrong(Expected::OneOf(&["RECOVERED", "RECOVERING"]))),
    }
}

fn record(item: &Item<'_>) -> Read<PartitionRecord> {
    item.only(&[
        "record",
        "leader",
        "leader_epoch",
        "partition_epoch",
        "isr",
        "elr",
        "last_known_elr",
        "recovery",
    ])?;
    Ok(PartitionRecord {
        kind: item.need("record")?.text()?.to_owned(),
        leader: leader(&item.need("leader")?)?,
        leader_epoch: LeaderEpoch(small(&item.need("leader_epoch")?)?),
        partition_epoch: PartitionEpoch(small(&item.need("partition_epoch")?)?),
        isr: broker_set(&item.need("isr")?)?,
        elr: broker_set(&item.need("elr")?)?,
        last_known_elr: brokers(&item.need("last_known_elr")?)?,
        recovery: recovery(&item.need("recovery")?)?,
    })
}

/// A state or a difference. A value that is `null` is as one that is not there.
pub(super) fn observation(item: &Item<'_>) -> Read<Observation> {
    item.only(&[
        "leader",
        "leader_epoch",
        "partition_epoch",
        "isr",
        "elr",
        "last_known_elr",
        "recovery",
        "leo",
        "hw",
        "epochs",
        "logs",
        "fenced",
        "running",
        "consumer_end",
        "read_committed_end",
        "acks",
    ])?;
    fn maybe<T>(
        item: &Item<'_>,
        name: &str,
        read: impl FnOnce(&Item<'_>) -> Read<T>,
    ) -> Read<Option<T>> {
        let given = item.maybe(name).filter(|item| !item.value.is_null());
        given.map(|item| read(&item)).transpose()
    }
    Ok(Observation {
        leader: maybe(item, "leader", leader)?,
        leader_epoch: maybe(item, "leader_epoch", small)?.map(LeaderEpoch),
        partition_epoch: maybe(item, "partition_epoch", small)?.map(PartitionEpoch),
        isr: maybe(item, "isr", broker_set)?,
        elr: maybe(item, "elr", broker_set)?,
        last_known_elr: maybe(item, "last_known_elr", brokers)?,
        recovery: maybe(item, "recovery", recovery)?,
        leo: by_broker(item, "leo", offset)?,
        hw: by_broker(item, "hw", offset)?,
        epochs: by_broker(item, "epochs", epochs)?,
        logs: by_broker(item, "logs", entries)?,
        fenced: maybe(item, "fenced", broker_set)?,
        running: maybe(item, "running", broker_set)?,
        consumer_end: maybe(item, "consumer_end", end)?,
        read_committed_end: maybe(item, "read_committed_end", end)?,
        acks: match item.maybe("acks") {
            Some(acks) => acks
                .entries()?
                .iter()
                .map(|(name, answer)| Ok(((*name).to_owned(), ack(answer)?)))
                .collect::<Read<_>>()?,
            None => BTreeMap::new(),
        },
    })
}

fn by_broker<T>(
    item: &Item<'_>,
    name: &str,
    read: impl Fn(&Item<'_>) -> Read<T>,
) -> Read<BTreeMap<BrokerId, T>> {
    let Some(item) = item.maybe(name) else {
        return Ok(BTreeMap::new());
    };
    let mut map = BTreeMap::new();
    for (key, value) in item.entries()? {
        let broker = read_broker(key).ok_or_else(|| Wrong {
            found: key.to_owned(),
            ..value.wrong(Expected::BrokerId)
        })?;
        map.insert(broker, read(&value)?);
    }
    Ok(map)
}

fn epochs(item: &Item<'_>) -> Read<Vec<(LeaderEpoch, Offset)>> {
    let entry = |item: &Item<'_>| match item.list()?.as_slice() {
        [epoch, start] => Ok((LeaderEpoch(small(epoch)?), offset(start)?)),
        _ => Err(item.wrong(Expected::Json("a pair of epoch and start offset"))),
    };
    item.list()?.iter().map(entry).collect()
}

/// Records as `m1@0`, `m1`, `marker@0` or `marker`.
pub(super) fn entries(item: &Item<'_>) -> Read<Vec<LogEntry>> {
    item.list()?.iter().map(entry).collect()
}

fn entry(item: &Item<'_>) -> Read<LogEntry> {
    let text = item.text()?;
    let wrong = || item.wrong(Expected::Json("a record such as m1@0 or marker@0"));
    let (value, epoch) = match text.split_once('@') {
        Some((value, epoch)) => (value, Some(epoch)),
        None => (text, None),
    };
    let epoch = match epoch {
        Some(epoch) => {
            let number = read_number(epoch).filter(|n| *n <= INT_MAX);
            let number = number.and_then(|n| u32::try_from(n).ok());
            Some(LeaderEpoch(number.ok_or_else(wrong)?))
        }
        None => None,
    };
    let record = match value {
        "marker" => None,
        value => Some(
            value
                .strip_prefix('m')
                .and_then(read_number)
                .ok_or_else(wrong)?,
        ),
    };
    Ok(LogEntry { record, epoch })
}

fn end(item: &Item<'_>) -> Read<End> {
    match item.value.as_str() {
        None => offset(item).map(End::At),
        Some("no leader") => Ok(End::NoLeader),
        Some("no answer") => Ok(End::NoAnswer),
        Some(_) => match error_name(item)? {
            Some(error) => Ok(End::Error(error)),
            None => Err(item.wrong(Expected::Json(
                "an offset, an error, `no leader` or `no answer`",
            ))),
        },
    }
}

fn ack(item: &Item<'_>) -> Read<Ack> {
    let text = item.text()?;
    if let Some(base) = text.strip_prefix("NONE@") {
        let base = read_number(base).filter(|n| *n <= OFFSET_MAX);
        let expected = Expected::Json("a base offset after NONE@");
        return base
            .map(|n| Ack::Success(Offset(n)))
            .ok_or_else(|| item.wrong(expected));
    }
    Ok(match text {
        "pending" => Ack::Pending,
        "no answer expected" => Ack::NoneExpected,
        "connection closed" => Ack::ConnectionClosed,
        "no answer" => Ack::NoAnswer,
        "no leader" => Ack::NoLeader,
        _ => match error_name(item)? {
            Some(error) => Ack::Error(error),
            None => return Err(item.wrong(Expected::Json("NONE@ with the base offset"))),
        },
    })
}
