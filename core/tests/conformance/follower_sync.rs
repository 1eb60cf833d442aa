//! Kind `follower_sync`: a leader and a follower that makes its log agree, round by round.

mod rounds;

use highwater_core::kafka::broker::{Broker, Role};
use highwater_core::kafka::cluster::Cluster;
use highwater_core::kafka::epoch_cache::EpochCache;
use highwater_core::kafka::follower::Phase;
use highwater_core::kafka::ids::{
    BrokerEpoch, BrokerId, BrokerSet, LeaderEpoch, Millis, Offset, PartitionEpoch,
};
use highwater_core::kafka::leader::{FollowerState, Leader};
use highwater_core::kafka::log::Log;
use highwater_core::kafka::partition::{PartitionState, Recovery};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::settings::Settings;
use serde_json::{Map, Value, json};

use crate::case::{Fields, or_minus_one};
use crate::outbox::Outbox;
use crate::properties;
use crate::{Answer, Machine};

const LEADER: BrokerId = BrokerId(1);
const FOLLOWER: BrokerId = BrokerId(2);

/// The two brokers and what the follower did so far.
pub struct Runner {
    settings: Settings,
    now: Millis,
    leader: Broker,
    follower: Broker,
    outbox: Outbox,
    batches_per_fetch: usize,
    /// The fetch offset that the case gives the follower at first, when it is not its LEO.
    fetch_offset: Option<Offset>,
    truncations: Vec<Offset>,
    append_count: u64,
}

/// A batch with the offsets from its base to its last.
fn batch(value: &Value) -> Result<Batch, String> {
    let fields = Fields::of(value)?;
    fields.only(&["base", "last", "epoch"])?;
    let base = fields.number("base")?;
    let last = fields.number_or("last", base)?;
    Ok(Batch {
        base: Offset(base),
        count: last.saturating_sub(base) + 1,
        epoch: LeaderEpoch(fields.small("epoch")?),
        producer: None,
        payload: Payload::Records { first: base + 1 },
    })
}

fn batches(fields: &Fields) -> Result<Vec<Batch>, String> {
    match fields.get("batches") {
        None => Ok(Vec::new()),
        Some(Value::Array(list)) => list.iter().map(batch).collect(),
        Some(other) => Err(format!("batches is {other}")),
    }
}

/// A log of the given batches; its epoch cache is theirs.
fn log(fields: &Fields) -> Result<Log, String> {
    let batches = batches(fields)?;
    let count = batches.len();
    let epochs = EpochCache::from_entries(batches.iter().map(|b| (b.epoch, b.base)));
    let log = Log::load(batches, epochs, Offset(fields.number_or("hw", 0)?));
    if log.batches().len() != count {
        return Err("the batches overlap".to_string());
    }
    Ok(log)
}

fn partition(epoch: LeaderEpoch, partition_epoch: u32) -> PartitionState {
    PartitionState {
        replicas: vec![LEADER, FOLLOWER],
        isr: [LEADER].into_iter().collect(),
        leader: Some(LEADER),
        leader_epoch: epoch,
        partition_epoch: PartitionEpoch(partition_epoch),
        ..PartitionState::default()
    }
}

/// Leads without an election, which would note its epoch: the case gives the whole cache. Its ISR is below min ISR, so
/// that its HW stays as given.
fn leading(epoch: LeaderEpoch) -> Role {
    Role::Leader(Box::new(Leader {
        epoch,
        epoch_start: Offset(0),
        partition_epoch: PartitionEpoch(0),
        replicas: vec![LEADER, FOLLOWER],
        committed_isr: BrokerSet::from_iter([LEADER]),
        pending: None,
        recovery: Recovery::Recovered,
        followers: [(FOLLOWER, FollowerState::default())].into_iter().collect(),
        parked: Vec::new(),
    }))
}

/// A leader and a follower with their logs.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["leader", "follower", "batches_per_fetch"])?;
    let (of_leader, of_follower) = (given.object("leader")?, given.object("follower")?);
    of_leader.only(&["batches", "leader_epoch", "hw"])?;
    of_follower.only(&[
        "batches",
        "leader_epoch",
        "hw",
        "fetch_offset",
        "has_epoch_cache",
    ])?;
    let settings = Settings {
        replicas: vec![LEADER, FOLLOWER],
        replica_fetch_wait_max: Millis(0),
        replica_fetch_backoff: Millis(0),
        replica_fetch_max_bytes: u64::MAX,
        ..Settings::default()
    };
    let mut leader = Broker::new(LEADER, BrokerEpoch(1));
    leader.metadata.min_insync_replicas = 2;
    leader.log = log(&of_leader)?;
    leader.role = leading(LeaderEpoch(of_leader.small("leader_epoch")?));
    let mut follower = Broker::new(FOLLOWER, BrokerEpoch(2));
    follower.log = log(&of_follower)?;
    if !of_follower.flag_or("has_epoch_cache", true)? {
        follower.log.clear_epochs();
    }
    let epoch = match of_follower.get("leader_epoch") {
        Some(_) => LeaderEpoch(of_follower.small("leader_epoch")?),
        None => LeaderEpoch(of_leader.small("leader_epoch")?),
    };
    follower.follow(&partition(epoch, 0), &settings.rules);
    Ok(Box::new(Runner {
        settings,
        now: Millis(1_000_000),
        leader,
        follower,
        outbox: Outbox::default(),
        batches_per_fetch: usize::try_from(given.number_or("batches_per_fetch", 1)?)
            .map_err(|e| e.to_string())?,
        fetch_offset: of_follower.maybe_number("fetch_offset")?.map(Offset),
        truncations: Vec::new(),
        append_count: 0,
    }))
}

impl Machine for Runner {
    fn cluster(&self) -> Option<Cluster> {
        let partition = partition(self.leader.metadata.partition.leader_epoch, 0);
        let brokers = vec![self.leader.clone(), self.follower.clone()];
        Some(properties::cluster(&self.settings, partition, brokers))
    }

    fn apply(&mut self, op: &Fields) -> Answer {
        match op.op() {
            "round" => {
                op.only(&["op", "count"])?;
                for _ in 0..op.number_or("count", 1)? {
                    self.round();
                }
            }
            "until_in_sync" => self.until_in_sync()?,
            "truncate_phase" => {
                self.truncate_phase();
            }
            "leader_epoch" => {
                op.only(&["op", "epoch"])?;
                let epoch = LeaderEpoch(op.small("epoch")?);
                let leader = self.leader.leader_mut().ok_or("it does not lead")?;
                leader.epoch = epoch;
            }
            "leader_reset" => self.leader.log.truncate_fully(Offset(0)),
            "add_partition" => {
                op.only(&["op", "leader_epoch", "initial_offset"])?;
                self.add_partition(LeaderEpoch(op.small("leader_epoch")?));
            }
            "late_response" => self.late_response(op)?,
            "diverging_response" => self.diverging_response(op)?,
            other => return Err(format!("no such operation: {other}")),
        }
        Ok(self.tell())
    }
}

impl Runner {
    fn in_sync(&self) -> bool {
        let (leader, follower) = (&self.leader.log, &self.follower.log);
        leader.leo() == follower.leo()
            && leader.log_start() == follower.log_start()
            && leader.first_difference(follower).is_none()
    }

    fn tell(&self) -> Map<String, Value> {
        let log = &self.follower.log;
        let state = self.follower.follower();
        let status = state.and_then(|state| match state.phase {
            Phase::Idle => None,
            Phase::Truncating => Some("TRUNCATING"),
            Phase::Fetching | Phase::OutOfRange => Some("FETCHING"),
            Phase::Failed => Some("FAILED"),
        });
        let next = self.fetch_offset.unwrap_or(log.leo());
        let batches: Vec<Value> = log
            .batches()
            .iter()
            .map(|b| json!([b.base.0, b.end().0 - 1, b.epoch.0]))
            .collect();
        let truncations: Vec<u64> = self.truncations.iter().map(|to| to.0).collect();
        let told = json!({
            "status": status,
            "leo": log.leo().0,
            "hw": log.hw().0,
            "log_start": log.log_start().0,
            "fetch_offset": next.0,
            "last_fetched_epoch": or_minus_one(log.epochs().latest().map(|e| e.0.into())),
            "batches": batches,
            "truncation_count": truncations.len(),
            "truncations": truncations,
            "append_count": self.append_count,
            "in_sync": self.in_sync(),
        });
        told.as_object().cloned().unwrap_or_default()
    }
}
