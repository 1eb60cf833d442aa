//! The script's steps that clients take: produce calls and transactions.

use super::recorder::Recorder;
use super::simulation::Simulation;
use crate::kafka::cause::Rule;
use crate::kafka::context::Context;
use crate::kafka::event::{EventKind, TransactionState};
use crate::kafka::ids::{EventId, SendId};
use crate::kafka::producer::CallSpec;
use crate::kafka::record::{Payload, ProducerStamp};
use crate::kafka::settings::Acks;
use crate::scenario::value::{Action, Produce, StepOutcome};

impl Simulation {
    pub(super) fn perform_produce(
        &mut self,
        produce: &Produce,
        event: EventId,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        let settings = &self.cluster.settings;
        let acks = produce.acks.unwrap_or(settings.acks);
        let timeout = produce.timeout.unwrap_or(settings.request_timeout);
        let in_force = settings.idempotence_in_force() && acks == Acks::All;
        let again = produce
            .retry_of
            .as_ref()
            .and_then(|id| self.progress.named.get(id))
            .copied();
        let spec = match again.and_then(|send| self.cluster.producer.calls.get(send.0 as usize)) {
            Some(first) => {
                let Payload::Records { first: record } = first.batch.payload else {
                    return StepOutcome::Done;
                };
                let (count, stamp) = (first.batch.count, first.batch.producer);
                CallSpec {
                    first_record: record,
                    count,
                    acks: produce.acks.unwrap_or(first.acks),
                    timeout,
                    to: produce.to,
                    stamp,
                }
            }
            None => {
                let first_record = self.progress.next_record;
                self.progress.next_record = first_record.saturating_add(produce.records);
                let stamp = self.stamp(produce, in_force);
                CallSpec {
                    first_record,
                    count: produce.records,
                    acks,
                    timeout,
                    to: produce.to,
                    stamp,
                }
            }
        };
        let now = self.now;
        let send = SendId(u32::try_from(self.cluster.producer.calls.len()).unwrap_or(u32::MAX));
        if produce.lose_request {
            self.network.lose_request_of(send);
        }
        if produce.lose_response {
            self.network.lose_response_of(send);
        }
        if let Some(id) = &produce.id {
            self.progress.named.insert(id.clone(), send);
        }
        self.with_outputs(recorder, Some(event), |simulation, outputs| {
            let lookup = simulation.cluster.producer_lookup();
            let context = Context {
                settings: &simulation.cluster.settings,
                now,
            };
            simulation
                .cluster
                .producer
                .call(&context, spec, lookup, outputs);
        });
        StepOutcome::Done
    }

    /// The stamp of a batch: of a named producer, of the open transaction, or of the default idempotent producer.
    fn stamp(&mut self, produce: &Produce, idempotent: bool) -> Option<ProducerStamp> {
        let transactional = produce.transactional && self.progress.transaction.is_some();
        let place = match (&produce.producer, self.progress.transaction) {
            (_, Some(place)) if transactional => place,
            (Some(name), _) => self.progress.producer_place(name.clone()),
            (None, _) if idempotent => 0,
            _ => return None,
        };
        let count = produce.records;
        let identity = self.cluster.producer.identity(place);
        let first_sequence = produce.sequence.unwrap_or(identity.next_sequence);
        let next = (u64::from(first_sequence) + count) % (1 << 31);
        identity.next_sequence = u32::try_from(next).unwrap_or(0);
        Some(ProducerStamp {
            id: identity.id,
            epoch: identity.epoch,
            first_sequence,
            transactional,
        })
    }

    pub(super) fn perform_transaction(
        &mut self,
        action: &Action,
        event: EventId,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        if *action == Action::TransactionBegin {
            self.progress.begin_transaction();
            let kind = EventKind::TransactionChanged {
                transaction: self.progress.transactions,
                state: TransactionState::Began,
            };
            self.tell(recorder, kind, Rule::Transaction);
            return StepOutcome::Done;
        }
        let Action::TransactionEnd { commit } = *action else {
            return StepOutcome::Done;
        };
        let Some(place) = self.progress.transaction.take() else {
            return StepOutcome::Impossible("no transaction is open");
        };
        let state = if commit {
            TransactionState::Committed
        } else {
            TransactionState::Aborted
        };
        self.tell(
            recorder,
            EventKind::TransactionChanged {
                transaction: self.progress.transactions,
                state,
            },
            Rule::Transaction,
        );
        let Some(leader) = self.cluster.acting_leader().map(|b| b.id) else {
            return StepOutcome::Impossible("there is no leader");
        };
        let now = self.now;
        let identity = *self.cluster.producer.identity(place);
        let stamp = ProducerStamp {
            id: identity.id,
            epoch: identity.epoch,
            first_sequence: 0,
            transactional: true,
        };
        self.with_outputs(recorder, Some(event), |simulation, outputs| {
            simulation.cluster.with_broker(now, leader, |b, context| {
                b.write_marker(context, stamp, commit, outputs)
            });
        });
        StepOutcome::Done
    }
}
