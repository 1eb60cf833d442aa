//! What is remembered along a run besides its state: what was acknowledged, what was ever visible, and what went wrong
//! once and so stays wrong.

use super::intervals::Intervals;
use crate::kafka::broker::{Broker, Role};
use crate::kafka::cluster::Cluster;
use crate::kafka::event::{Event, EventKind, Outcome};
use crate::kafka::ids::{BrokerId, LeaderEpoch};
use crate::kafka::log::Log;
use crate::kafka::settings::Acks;
use std::collections::BTreeMap;

/// The ghosts of a run.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// The records whose producer was told "success" (never those of acks=0, which is told nothing).
    pub acked: Intervals,
    /// Some of them with acks=1.
    pub acked_by_leader_alone: bool,
    /// The longest sequence of records that leaders exposed below their HWs. A leader is whoever believes to be one:
    /// a leader that was replaced and has not heard of it is read, too.
    pub visible: Log,
    /// Another record was exposed at an offset that was visible before.
    pub conflict: bool,
    /// A record was visible at two offsets.
    pub duplicate: bool,
    /// Two brokers led in one leader epoch.
    pub two_leaders: bool,
    /// A running broker's leader epoch went back.
    pub epoch_went_back: bool,
    /// The numbers of the visible records.
    seen: Intervals,
    led: BTreeMap<LeaderEpoch, BrokerId>,
    epochs: BTreeMap<BrokerId, (u32, LeaderEpoch)>,
}

impl Ghosts {
    /// The ghosts of a run that begins in this state: what its leader exposes then was visible.
    pub fn new(cluster: &Cluster) -> Ghosts {
        let mut ghosts = Ghosts::default();
        ghosts.look(cluster);
        ghosts
    }

    /// Notes what the producer was told.
    pub fn hear(&mut self, cluster: &Cluster, event: &Event) {
        let EventKind::ProduceAnswered {
            send,
            outcome: Outcome::Ok(_),
            ..
        } = event.kind
        else {
            return;
        };
        let Some(call) = cluster.producer.calls.get(send.0 as usize) else {
            return;
        };
        if call.acks == Acks::None {
            return;
        }
        if let Some((first, end)) = Intervals::of_batch(&call.batch) {
            self.acked.insert(first, end);
            self.acked_by_leader_alone |= call.acks == Acks::Leader;
        }
    }

    /// Notes what the state shows.
    pub fn look(&mut self, cluster: &Cluster) {
        for broker in &cluster.brokers {
            if !broker.is_up() {
                continue;
            }
            if let Role::Leader(leader) = &broker.role {
                let first = *self.led.entry(leader.epoch).or_insert(broker.id);
                self.two_leaders |= first != broker.id;
                self.expose(&broker.log);
            }
            self.note_epoch(broker);
        }
    }

    fn note_epoch(&mut self, broker: &Broker) {
        let epoch = match &broker.role {
            Role::Leader(leader) => leader.epoch,
            Role::Follower(follower) => follower.epoch,
            Role::None => return,
        };
        let known = self
            .epochs
            .entry(broker.id)
            .or_insert((broker.incarnation, epoch));
        self.epoch_went_back |= known.0 == broker.incarnation && epoch < known.1;
        *known = (broker.incarnation, epoch);
    }

    /// A leader shows its log up to its HW.
    fn expose(&mut self, log: &Log) {
        if self.visible.batches().is_empty() && self.visible.leo() < log.log_start() {
            self.visible = Log::new(log.log_start());
        }
        let (hw, end) = (log.hw(), self.visible.leo());
        self.conflict |= log
            .first_difference(&self.visible)
            .is_some_and(|at| at < hw.min(end));
        if hw <= end {
            return;
        }
        for batch in log.read(end, hw, u64::MAX, 1) {
            if let Some((first, end)) = Intervals::of_batch(&batch) {
                self.duplicate |= !self.seen.insert(first, end);
            }
            self.visible.append_follower(batch);
        }
    }
}
