//! A counterexample as a scenario that anybody can open in the lab: each event at its own instant, with the waits that the
//! conventions name between them.
//!
//! Followers fetch and leaders propose only when a step says so, metadata is held before every broker and delivered step by
//! step, and between two events more than the lag time, the session timeout and the checkpoint interval pass.

use super::agree::Difference;
use super::event::{Asked, CheckEvent, StopKind};
use super::question::Question;
use super::trace::{Counterexample, Snapshot};
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Millis, Offset};
use crate::kafka::partition::PartitionState;
use crate::kafka::settings::{FetchMode, IsrMode, Settings};
use crate::scenario::value::{Action, ElectionKind, Produce, Scenario, Step, When};
use crate::sim::run;

/// The lag time of an exported scenario: the waits between its steps are longer.
const LAG_TIME: Millis = Millis(1_000);
/// The latency of every link of an exported scenario.
const LATENCY: Millis = Millis(1);
/// How long a produce request may wait: longer than any exported scenario lasts.
const PATIENCE: Millis = Millis(86_400_000);

impl Counterexample {
    /// The scenario that replays it in the lab, with the order of replicas in which its elections have these winners. Every
    /// order is tried; the lab's state after every event was compared with the search's.
    ///
    /// # Errors
    /// The difference of the order that came furthest, when none replays it.
    pub fn scenario(&self, question: &Question) -> Result<Scenario, Difference> {
        let mut furthest = Difference {
            events: 0,
            what: "no order of replicas begins with the first leader".to_owned(),
        };
        let first = self.snapshots.first().and_then(|s| s.partition.leader);
        for order in orders(&question.settings.replicas) {
            if order.first().copied() != first {
                continue;
            }
            let scenario = self.with_order(question, order);
            match self.difference(&scenario, &run(&scenario)) {
                None => return Ok(scenario),
                Some(found) if found.events >= furthest.events => furthest = found,
                Some(_) => {}
            }
        }
        Err(furthest)
    }

    fn with_order(&self, question: &Question, order: Vec<BrokerId>) -> Scenario {
        let settings = settings(question, order);
        let mut writer = Writer {
            period: period(&settings),
            steps: Vec::new(),
            waiting: Vec::new(),
            clean: BrokerSet::new(),
            attempts: 0,
        };
        for &broker in &settings.brokers {
            writer.waiting.push((broker, Vec::new()));
            writer.step(Millis(0), Action::HoldMetadata(broker));
        }
        for (place, event) in self.events.iter().enumerate() {
            let at = Millis(writer.period.0.saturating_mul(place as u64 + 1));
            if let (Some(before), Some(after)) =
                (self.snapshots.get(place), self.snapshots.get(place + 1))
            {
                writer.event(at, event, before, after);
            }
        }
        let end = writer.period.0.saturating_mul(self.events.len() as u64 + 1);
        writer.step(Millis(end), Action::Check);
        Scenario {
            title: format!(
                "{} is violated after {} events",
                self.property,
                self.events.len()
            ),
            settings,
            start: None,
            steps: writer.steps,
        }
    }
}

/// The settings of the question with the conventions of the search.
fn settings(question: &Question, order: Vec<BrokerId>) -> Settings {
    let asked = &question.settings;
    let stamped = asked.idempotence && question.faults.allows(super::question::Fault::Retry);
    let mut brokers = order.clone();
    brokers.sort_unstable();
    Settings {
        brokers,
        replicas: order,
        fetch_mode: FetchMode::Manual,
        isr_mode: IsrMode::Manual,
        idempotence: stamped,
        retries: u32::from(stamped),
        request_timeout: PATIENCE,
        delivery_timeout: PATIENCE,
        replica_lag_time_max: LAG_TIME,
        link_latency: LATENCY,
        metadata_latency: LATENCY,
        replica_fetch_wait_max: Millis(0),
        auto_leader_rebalance: false,
        consumer_reads_from: None,
        client_rack: String::new(),
        ..asked.clone()
    }
}

/// From one event to the next: longer than anything that has to pass in between.
pub(super) fn period(settings: &Settings) -> Millis {
    let session = settings.session_timeout.0 + settings.session_timeout.0 / 8;
    let longest = session
        .max(settings.replica_lag_time_max.0)
        .max(settings.hw_checkpoint_interval.0)
        .max(settings.heartbeat_interval.0);
    Millis((longest / 1_000 + 2) * 1_000)
}

/// Every order of a list.
fn orders(list: &[BrokerId]) -> Vec<Vec<BrokerId>> {
    let mut found = vec![Vec::new()];
    for _ in 0..list.len() {
        found = found
            .iter()
            .flat_map(|order: &Vec<BrokerId>| {
                let left = list.iter().filter(|id| !order.contains(id));
                left.map(|id| [order.as_slice(), &[*id]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    found
}

/// What brokers know of a metadata image that waits for them.
type Waiting = (LeaderEpoch, BrokerSet);

struct Writer {
    period: Millis,
    steps: Vec<Step>,
    /// The images that are held before each broker.
    waiting: Vec<(BrokerId, Vec<Waiting>)>,
    /// Brokers whose next registration is a clean one.
    clean: BrokerSet,
    attempts: u32,
}

impl Writer {
    fn step(&mut self, at: Millis, action: Action) {
        self.steps.push(Step {
            when: When::At(at),
            action,
        });
    }

    /// The controller publishes its state so many times.
    fn published(&mut self, times: usize, partition: &PartitionState) {
        for (_, waiting) in &mut self.waiting {
            for _ in 0..times {
                waiting.push((partition.leader_epoch, partition.isr.clone()));
            }
        }
    }

    fn event(&mut self, at: Millis, event: &CheckEvent, before: &Snapshot, after: &Snapshot) {
        let partition = &after.partition;
        match *event {
            CheckEvent::Produce { broker, record } => self.produce(at, broker, record, false),
            CheckEvent::Retry { broker, record } => self.produce(at, broker, record, true),
            CheckEvent::Fetch {
                broker,
                lost,
                ref asked,
                ..
            } => self.fetch(at, broker, lost, asked),
            CheckEvent::ChangeIsr { leader, lost, .. } => {
                // What the controller wrote about brokers alone reaches the leader first: it knows every partition record.
                self.deliver_all(Millis(at.0 - 20), leader);
                if lost {
                    self.step(at, Action::LoseAlterPartitionResponse(leader));
                }
                self.step(at, Action::ProposeIsr(partition.isr.clone()));
                if lost {
                    // The next attempt is answered: the proposal is stale, and waits for metadata.
                    let later = Millis(at.0 + 20);
                    self.step(later, Action::ReleaseAlterPartition(leader));
                }
                self.published(1, partition);
            }
            CheckEvent::Learn {
                broker,
                leader,
                epoch,
            } => self.learn(
                at,
                broker,
                leader,
                LeaderEpoch(u32::from(epoch)),
                before,
                after,
            ),
            CheckEvent::Stop { broker, how } => self.stop(at, broker, how, before, after),
            CheckEvent::Restart { broker } => self.restart(at, broker, partition),
            CheckEvent::Fence { broker } => {
                self.step(at, Action::Fence(broker));
                self.published(1, partition);
            }
            CheckEvent::Unfence { broker } => {
                self.step(at, Action::Unfence(broker));
                self.published(1, partition);
            }
            CheckEvent::Move { broker } => {
                self.step(at, Action::Elect(ElectionKind::Named(broker)));
                self.published(1, partition);
            }
            CheckEvent::Bounce { broker, keep } => {
                let keep = keep.map(|keep| Offset(u64::from(keep)));
                self.step(at, Action::Bounce { broker, keep });
            }
        }
    }

    fn produce(&mut self, at: Millis, broker: BrokerId, record: u8, again: bool) {
        self.attempts += 1;
        let first = format!("m{record}");
        let produce = Produce {
            records: 1,
            to: Some(broker),
            id: Some(if again {
                format!("m{record}-again-{}", self.attempts)
            } else {
                first.clone()
            }),
            retry_of: again.then_some(first),
            ..Produce::default()
        };
        self.step(at, Action::Produce(produce));
    }

    /// A round lets through what comes before a fetch, then the fetch. What comes after the last fetch, to cut the log, is
    /// stopped before the next fetch, which is an event of its own.
    fn fetch(&mut self, at: Millis, broker: BrokerId, lost: bool, asked: &[Asked]) {
        let rounds = asked.split_inclusive(|request| *request == Asked::Fetch);
        for (place, round) in rounds.enumerate() {
            let begin = at.0 + 10 * place as u64;
            let fetch = Action::Fetch {
                broker,
                rounds: 1,
                lose_response: lost,
            };
            self.step(Millis(begin), fetch);
            if round.last() != Some(&Asked::Fetch) {
                let answered = 2 * LATENCY.0 * round.len() as u64;
                self.step(Millis(begin + answered - 1), Action::Check);
            }
        }
    }

    fn learn(
        &mut self,
        at: Millis,
        broker: BrokerId,
        leader: Option<BrokerId>,
        epoch: LeaderEpoch,
        before: &Snapshot,
        after: &Snapshot,
    ) {
        let Some((_, waiting)) = self.waiting.iter_mut().find(|(id, _)| *id == broker) else {
            return;
        };
        let leads = leader == Some(broker);
        let find = |snapshot: &Snapshot| snapshot.brokers.iter().find(|b| b.id == broker).cloned();
        let isr = find(after).map(|b| b.committed_isr()).unwrap_or_default();
        let wanted = |image: &Waiting| image.0 == epoch && (!leads || image.1 == isr);
        let count = waiting
            .iter()
            .rposition(wanted)
            .map_or(0, |place| place + 1);
        // A leader that missed its dismissal hears of it first.
        let led = find(before).and_then(|b| b.leader().map(|leader| leader.epoch));
        let dismissed = match led {
            Some(old) if leads && old < epoch => {
                let taken = waiting.get(..count).unwrap_or_default();
                taken.iter().take_while(|image| image.0 < epoch).count()
            }
            _ => 0,
        };
        waiting.drain(..count.min(waiting.len()));
        for (later, images) in [(0, dismissed), (10, count.saturating_sub(dismissed))] {
            if images > 0 {
                self.step(
                    Millis(at.0 + later),
                    Action::DeliverMetadata {
                        broker,
                        count: Some(u32::try_from(images).unwrap_or(u32::MAX)),
                    },
                );
            }
        }
    }

    fn deliver_all(&mut self, at: Millis, broker: BrokerId) {
        let Some((_, waiting)) = self.waiting.iter_mut().find(|(id, _)| *id == broker) else {
            return;
        };
        let count = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
        waiting.clear();
        if count > 0 {
            let count = Some(count);
            self.step(at, Action::DeliverMetadata { broker, count });
        }
    }

    fn stop(
        &mut self,
        at: Millis,
        broker: BrokerId,
        how: StopKind,
        before: &Snapshot,
        after: &Snapshot,
    ) {
        let was_fenced = before.fenced.contains(broker);
        let leads = before.partition.leader == Some(broker);
        let action = match how {
            StopKind::PowerLoss(keep) => Action::PowerLoss {
                broker,
                keep: Offset(u64::from(keep)),
            },
            StopKind::Crash => Action::Kill(broker),
            StopKind::Clean if !leads => Action::Stop(broker),
            // A leader's controlled shutdown waits until every live broker has read who leads now, and metadata is held: it
            // is killed, and its next registration is a clean one.
            StopKind::Clean => {
                self.clean.insert(broker);
                Action::Kill(broker)
            }
        };
        if how != StopKind::Clean {
            self.clean.remove(broker);
        }
        self.step(at, action);
        if let Some((_, waiting)) = self.waiting.iter_mut().find(|(id, _)| *id == broker) {
            waiting.clear();
        }
        self.published(usize::from(!was_fenced), &after.partition);
    }

    fn restart(&mut self, at: Millis, broker: BrokerId, partition: &PartitionState) {
        let clean = self.clean.remove(broker).then_some(true);
        self.step(
            at,
            Action::DeliverMetadata {
                broker,
                count: None,
            },
        );
        self.step(
            Millis(at.0 + 10),
            Action::Start {
                broker,
                clean,
                wait: true,
            },
        );
        let later = Millis(at.0 + self.period.0 / 2);
        self.step(later, Action::HoldMetadata(broker));
        // It registers, and it is unfenced.
        self.published(2, partition);
        if let Some((_, waiting)) = self.waiting.iter_mut().find(|(id, _)| *id == broker) {
            waiting.clear();
        }
    }
}
