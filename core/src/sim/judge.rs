//! The judge: reads a run's events once and says what became of each record.

use super::run::Run;
use super::verdict::{AppendFact, RecordVerdict, Since, Unavailable, Verdict};
use crate::kafka::broker::Broker;
use crate::kafka::cluster::Cluster;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Event, EventKind, Outcome, Stop};
use crate::kafka::ids::{BrokerId, BrokerSet, Offset, ProducerId, SendId};
use crate::kafka::map::{Map, Set};
use crate::kafka::record::{Batch, Payload};
use crate::kafka::settings::{Acks, Isolation};
use crate::kafka::topic::TopicConfig;

/// Judges a run at its end.
pub fn verdict(run: &Run) -> Verdict {
    let mut judge = Judge::new(run);
    for event in &run.events {
        judge.take(event);
    }
    judge.finish(run)
}

/// What the judge keeps while it reads.
struct Judge<'a> {
    run: &'a Run,
    records: Vec<RecordVerdict>,
    acks: Map<SendId, (u64, u64, Acks)>,
    /// Per broker what its log holds of the script's records.
    logs: Map<BrokerId, Vec<Batch>>,
    /// The broker whose log counts: the last that became leader.
    leader: Option<BrokerId>,
    /// Records of the transaction that each producer has open, to know what a marker aborts.
    open: Map<ProducerId, Vec<u64>>,
    aborted: Set<u64>,
    /// Attempts that may have appended: per call whether any was ambiguous.
    ambiguous: Set<SendId>,
    /// When the log that counts lost a record, per record; taken back when it has it again.
    left: Map<u64, Since>,
}

impl<'a> Judge<'a> {
    fn new(run: &'a Run) -> Judge<'a> {
        Judge {
            run,
            records: Vec::new(),
            acks: Map::new(),
            logs: Map::new(),
            leader: None,
            open: Map::new(),
            aborted: Set::new(),
            ambiguous: Set::new(),
            left: Map::new(),
        }
    }

    fn record(&mut self, number: u64) -> Option<&mut RecordVerdict> {
        let place = self
            .records
            .binary_search_by_key(&number, |r| r.record)
            .ok()?;
        self.records.get_mut(place)
    }

    fn of_send(&mut self, send: SendId) -> impl Iterator<Item = &mut RecordVerdict> {
        let (first, count) = self
            .acks
            .get(&send)
            .map_or((0, 0), |(first, count, _)| (*first, *count));
        self.records
            .iter_mut()
            .filter(move |r| r.record >= first && r.record - first < count)
    }

    fn take(&mut self, event: &Event) {
        let since = Since {
            at: event.at,
            event: event.id,
        };
        match &event.kind {
            EventKind::ProduceCalled {
                send,
                first_record,
                count,
                acks,
            } => {
                self.called(*send, *first_record, *count, *acks, since);
            }
            EventKind::ProduceAnswered { send, outcome, .. } => {
                self.answered(*send, *outcome, since)
            }
            EventKind::DeliveryTimedOut { send } => {
                self.ambiguous.insert(*send);
            }
            EventKind::Appended {
                broker,
                batch,
                send,
                ..
            } => self.appended(*broker, *batch, *send, since),
            EventKind::Truncated { broker, to, .. } => self.cut(*broker, *to, since),
            EventKind::BrokerStopped {
                broker,
                how: Stop::PowerLoss(_),
                leo,
                ..
            } => self.cut(*broker, *leo, since),
            EventKind::HwChanged {
                broker,
                from,
                to,
                leads: true,
            } => self.passed(*broker, *from, *to, since),
            EventKind::LsoChanged { broker, from, to } => self.stable(*broker, *from, *to, since),
            EventKind::BecameLeader { broker, .. } => {
                self.leader = Some(*broker);
                self.look(since);
            }
            _ => {}
        }
    }

    fn called(&mut self, send: SendId, first: u64, count: u64, acks: Acks, since: Since) {
        self.acks.insert(send, (first, count, acks));
        for number in first..first.saturating_add(count) {
            if self.record(number).is_some() {
                // The same batch sent again by the script.
                continue;
            }
            self.records.push(RecordVerdict {
                record: number,
                send,
                sent: since,
                appended: Vec::new(),
                acknowledged: None,
                refused: None,
                last_outcome: None,
                committed: None,
                visible: None,
                lost: None,
                duplicated: false,
                unknown: false,
                in_final_log: false,
            });
        }
    }

    fn answered(&mut self, send: SendId, outcome: Outcome, since: Since) {
        let excludes_append = match outcome {
            Outcome::Ok(_) | Outcome::NoLeader | Outcome::LeaderDown => true,
            Outcome::Refused(error) => error.excludes_append(),
            _ => false,
        };
        if !excludes_append {
            self.ambiguous.insert(send);
        }
        for record in self.of_send(send) {
            record.last_outcome = Some((outcome, since));
            match outcome {
                Outcome::Ok(_) => {
                    record.acknowledged = record.acknowledged.or(Some(since));
                    record.refused = None;
                }
                Outcome::Refused(error) if record.acknowledged.is_none() => {
                    record.refused = Some((error, since))
                }
                _ => {}
            }
        }
    }

    fn appended(&mut self, broker: BrokerId, batch: Batch, send: Option<SendId>, since: Since) {
        self.logs.entry(broker).or_default().push(batch);
        if let Payload::Marker { commit } = batch.payload
            && let Some(stamp) = batch.producer
        {
            let records = self.open.remove(&stamp.id).unwrap_or_default();
            if !commit {
                self.aborted.extend(records);
            }
        }
        let Payload::Records { first } = batch.payload else {
            return;
        };
        if send.is_some() {
            for place in 0..batch.count {
                let fact = AppendFact {
                    broker,
                    offset: batch.base.plus(place),
                    epoch: batch.epoch,
                    since,
                };
                if let Some(record) = self.record(first.saturating_add(place)) {
                    record.appended.push(fact);
                }
            }
            if let Some(stamp) = batch.producer.filter(|stamp| stamp.transactional) {
                self.open
                    .entry(stamp.id)
                    .or_default()
                    .extend(first..first.saturating_add(batch.count));
            }
        }
        if self.leader == Some(broker) {
            for number in first..first.saturating_add(batch.count) {
                self.left.remove(&number);
            }
        }
    }

    fn cut(&mut self, broker: BrokerId, to: Offset, since: Since) {
        if let Some(log) = self.logs.get_mut(&broker) {
            let kept: Vec<Batch> = log.iter().filter_map(|batch| batch.up_to(to)).collect();
            *log = kept;
        }
        if self.leader == Some(broker) {
            self.look(since);
        }
    }

    /// Notes which records the log that counts does not have (any more).
    fn look(&mut self, since: Since) {
        let Some(log) = self.leader.and_then(|id| self.logs.get(&id)) else {
            for record in self.records.iter().filter(|r| !r.appended.is_empty()) {
                self.left.entry(record.record).or_insert(since);
            }
            return;
        };
        for record in self.records.iter().filter(|r| !r.appended.is_empty()) {
            if holds(log, record.record) > 0 {
                self.left.remove(&record.record);
            } else {
                self.left.entry(record.record).or_insert(since);
            }
        }
    }

    /// The numbers of the script's records between two offsets of a broker's log.
    fn numbers(&self, broker: BrokerId, from: Offset, to: Offset) -> Vec<u64> {
        let batches = self
            .logs
            .get(&broker)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let first = batches.partition_point(|batch| batch.end() <= from);
        let mut numbers = Vec::new();
        for batch in batches[first..].iter().take_while(|batch| batch.base < to) {
            let Payload::Records { first } = batch.payload else {
                continue;
            };
            let skip = from.since(batch.base);
            let end = to.since(batch.base).min(batch.count);
            numbers.extend((skip..end).map(|place| first.saturating_add(place)));
        }
        numbers
    }

    fn passed(&mut self, broker: BrokerId, from: Offset, to: Offset, since: Since) {
        let visible = self.run.scenario.settings.isolation == Isolation::ReadUncommitted;
        for number in self.numbers(broker, from, to) {
            if let Some(record) = self.record(number) {
                record.committed = record.committed.or(Some(since));
                if visible {
                    record.visible = record.visible.or(Some(since));
                }
            }
        }
    }

    fn stable(&mut self, broker: BrokerId, from: Offset, to: Offset, since: Since) {
        if self.run.scenario.settings.isolation == Isolation::ReadUncommitted {
            return;
        }
        for number in self.numbers(broker, from, to) {
            if self.aborted.contains(&number) {
                continue;
            }
            if let Some(record) = self.record(number) {
                record.visible = record.visible.or(Some(since));
            }
        }
    }

    fn finish(mut self, run: &Run) -> Verdict {
        let cluster = run.last().cluster();
        let electable = electable(cluster);
        let acting = cluster.acting_leader().map(|b| b.id);
        let ids: Vec<BrokerId> =
            acting.map_or_else(|| electable.iter().collect(), |leader| vec![leader]);
        let logs: Vec<&Broker> = ids.iter().filter_map(|id| cluster.broker(*id)).collect();
        let end = run.events.last().map(|e| Since {
            at: e.at,
            event: e.id,
        });
        for record in &mut self.records {
            let copies = logs
                .iter()
                .map(|b| b.log.offsets_of_record(record.record).count());
            let most = copies.max().unwrap_or(0);
            record.in_final_log = most > 0;
            record.duplicated = most > 1;
            let promised = record.acknowledged.is_some() || record.visible.is_some();
            if promised && !record.in_final_log {
                record.lost = self.left.get(&record.record).copied().or(end);
            }
            record.unknown = record.acknowledged.is_none()
                && !matches!(
                    record.last_outcome,
                    Some((Outcome::NoLeader | Outcome::LeaderDown, _))
                )
                && (self.ambiguous.contains(&record.send) || record.last_outcome.is_none());
        }
        let unavailable = unavailable(cluster);
        let chain = super::chain::chain(run, &self.records, unavailable.as_ref());
        Verdict {
            records: self.records,
            unavailable,
            chain,
        }
    }
}

/// How often a log holds a record.
fn holds(log: &[Batch], number: u64) -> usize {
    log.iter()
        .filter(|batch| matches!(batch.payload, Payload::Records { first } if number >= first && number - first < batch.count))
        .count()
}

/// The replicas that may still be elected when there is no leader.
fn electable(cluster: &Cluster) -> BrokerSet {
    let partition = &cluster.controller.partition;
    let TopicConfig {
        unclean_leader_election,
        ..
    } = cluster.controller.config;
    if unclean_leader_election {
        return partition.replicas.iter().copied().collect();
    }
    let clean = partition.isr.union(&partition.elr);
    if clean.is_empty() {
        partition.last_known_elr.iter().copied().collect()
    } else {
        clean
    }
}

/// Why the partition takes no writes, or no acks=all writes, at the end.
fn unavailable(cluster: &Cluster) -> Option<Unavailable> {
    let partition = &cluster.controller.partition;
    let Some(leader) = partition.leader else {
        return Some(Unavailable::NoLeader {
            isr: partition.isr.clone(),
            elr: partition.elr.clone(),
        });
    };
    let Some(broker) = cluster.acting_leader() else {
        return Some(Unavailable::LeaderDown(leader));
    };
    let size = u32::try_from(broker.committed_isr().len()).unwrap_or(u32::MAX);
    let min = cluster
        .settings
        .effective_min_isr(cluster.controller.config.min_insync_replicas);
    (size < min && cluster.settings.acks == Acks::All)
        .then_some(Unavailable::BelowMinIsr { isr: size, min })
}

/// Whether the error is the one that a too small ISR gives.
pub(super) fn is_refusal(error: KafkaError) -> bool {
    matches!(
        error,
        KafkaError::NotEnoughReplicas | KafkaError::NotEnoughReplicasAfterAppend
    )
}
