//! Produce requests at a broker (`ReplicaManager.appendRecords`, `Partition.appendRecordsToLeader`; rules 4.1).

use super::broker::{Broker, Role};
use super::cause::{Cause, Quantity, Rule};
use super::context::Context;
use super::delayed_produce::PartitionStatus;
use super::error::KafkaError;
use super::event::EventKind;
use super::ids::{MessageId, Offset};
use super::leader::ParkedProduce;
use super::log::Appended;
use super::message::{Body, Node, ProduceRequest, ProduceResponse};
use super::record::{Payload, ProducerStamp};
use super::settings::Acks;
use super::sink::{Sink, Timer};

impl Broker {
    /// A produce request arrives.
    pub fn produce<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        produce: &ProduceRequest,
        sink: &mut S,
    ) {
        let Role::Leader(leader) = &self.role else {
            let epoch = self.metadata.partition.leader_epoch;
            let cause =
                || Cause::of(Rule::NotLeader).number(Quantity::BrokerLeaderEpoch(self.id), epoch);
            return self.refuse_produce(
                request,
                produce,
                KafkaError::NotLeaderOrFollower,
                cause,
                sink,
            );
        };
        let min = self.effective_min_isr(context);
        let size = u32::try_from(leader.committed_isr.len()).unwrap_or(u32::MAX);
        if produce.acks == Acks::All && size < min {
            let isr = leader.committed_isr.clone();
            let cause = || {
                Cause::of(Rule::MinIsrGate)
                    .number(Quantity::CommittedIsr(self.id), &isr)
                    .number(Quantity::IsrSize, size)
                    .number(Quantity::MinIsr, min)
                    .number(Quantity::Acks, produce.acks)
            };
            return self.refuse_produce(
                request,
                produce,
                KafkaError::NotEnoughReplicas,
                cause,
                sink,
            );
        }
        let epoch = leader.epoch;
        let batch = &produce.batch;
        let lso = self.log.lso();
        match self
            .log
            .append_leader(batch.count, epoch, batch.producer, batch.payload)
        {
            Err(error) => {
                let rule = match error {
                    KafkaError::InvalidProducerEpoch => Rule::ProducerEpochCheck,
                    _ => Rule::SequenceCheck,
                };
                let sequence = batch.producer.map_or(0, |stamp| stamp.first_sequence);
                let cause = || Cause::of(rule).number(Quantity::Sequence, sequence);
                self.refuse_produce(request, produce, error, cause, sink);
            }
            Ok(Appended::Duplicate { base, end }) => {
                let sequence = batch.producer.map_or(0, |stamp| stamp.first_sequence);
                sink.event(|| {
                    (
                        EventKind::DuplicateRecognised {
                            broker: self.id,
                            send: produce.send,
                            base,
                            end,
                        },
                        Cause::of(Rule::Duplicate).number(Quantity::Sequence, sequence),
                    )
                });
                self.answer_or_park(context, request, produce, base, end, sink);
            }
            Ok(Appended::Batch(batch)) => {
                self.tell_append(batch, Some(produce), sink);
                self.tell_lso(lso, sink);
                self.try_hw(context, sink);
                self.answer_or_park(context, request, produce, batch.base, batch.end(), sink);
                self.complete_parked_fetches(context, sink);
            }
        }
    }

    /// The transaction coordinator writes a marker: an ordinary append of one control record (rules 7).
    pub fn write_marker<S: Sink>(
        &mut self,
        context: &Context<'_>,
        stamp: ProducerStamp,
        commit: bool,
        sink: &mut S,
    ) {
        let Role::Leader(leader) = &self.role else {
            return;
        };
        let (epoch, lso) = (leader.epoch, self.log.lso());
        if let Ok(Appended::Batch(batch)) =
            self.log
                .append_leader(1, epoch, Some(stamp), Payload::Marker { commit })
        {
            self.tell_append(batch, None, sink);
            self.tell_lso(lso, sink);
            self.try_hw(context, sink);
            self.complete_parked_fetches(context, sink);
        }
    }

    fn tell_append<S: Sink>(
        &self,
        batch: super::record::Batch,
        produce: Option<&ProduceRequest>,
        sink: &mut S,
    ) {
        let leo = self.log.leo();
        sink.event(|| {
            let mut cause = Cause::of(Rule::LeaderAppend)
                .number(Quantity::BrokerLeaderEpoch(self.id), batch.epoch)
                .number(Quantity::Records, batch.count);
            if let Some(produce) = produce {
                cause = cause
                    .number(Quantity::Acks, produce.acks)
                    .number(Quantity::CommittedIsr(self.id), self.committed_isr());
            }
            (
                EventKind::Appended {
                    broker: self.id,
                    batch,
                    send: produce.map(|p| p.send),
                    leo,
                },
                cause,
            )
        });
    }

    fn answer_or_park<S: Sink>(
        &mut self,
        context: &Context<'_>,
        request: MessageId,
        produce: &ProduceRequest,
        base: Offset,
        required: Offset,
        sink: &mut S,
    ) {
        match produce.acks {
            Acks::None => {
                let cause = || Cause::of(Rule::AcksNone).number(Quantity::Acks, produce.acks);
                let kind = EventKind::ProduceCompleted {
                    broker: self.id,
                    send: produce.send,
                    result: Ok(base),
                    timed_out: false,
                };
                sink.event(|| (kind, cause()));
            }
            Acks::Leader => {
                let cause = || {
                    Cause::of(Rule::AcksLeader)
                        .number(Quantity::Acks, produce.acks)
                        .number(Quantity::Leo(self.id), self.log.leo())
                };
                self.answer(request, produce, Ok(base), cause, sink);
            }
            Acks::All => {
                let until = context.now.plus(produce.timeout);
                let id = self.id;
                let hw = self.log.hw();
                let min = self.effective_min_isr(context);
                let Role::Leader(leader) = &mut self.role else {
                    return;
                };
                let maximal = leader.maximal_isr(context);
                let parked = ParkedProduce {
                    request,
                    send: produce.send,
                    attempt: produce.attempt,
                    base,
                    required,
                    until,
                    status: PartitionStatus::after_append(None),
                };
                if hw < required {
                    sink.event(|| {
                        (
                            EventKind::ProduceParked {
                                broker: id,
                                send: produce.send,
                                required,
                                until,
                            },
                            Cause::of(Rule::AcksAll)
                                .number(Quantity::RequiredOffset, required)
                                .number(Quantity::Hw(id), hw)
                                .number(Quantity::MaximalIsr(id), &maximal)
                                .number(Quantity::MinIsr, min),
                        )
                    });
                    sink.timer(
                        until,
                        Timer::ProduceExpires {
                            broker: id,
                            request,
                        },
                    );
                }
                leader.parked.push(parked);
                self.complete_parked_produce(context, sink);
            }
        }
    }

    fn answer<S: Sink>(
        &self,
        request: MessageId,
        produce: &ProduceRequest,
        result: Result<Offset, KafkaError>,
        cause: impl FnOnce() -> Cause,
        sink: &mut S,
    ) {
        let kind = EventKind::ProduceCompleted {
            broker: self.id,
            send: produce.send,
            result,
            timed_out: false,
        };
        sink.event(|| (kind, cause()));
        let body = Body::ProduceResponse(ProduceResponse {
            send: produce.send,
            attempt: produce.attempt,
            result,
        });
        sink.reply(Node::Broker(self.id), Node::Producer, request, body);
    }

    /// Refuses a batch before it is appended. With acks=0 there is no answer: the broker closes the connection.
    fn refuse_produce<S: Sink>(
        &self,
        request: MessageId,
        produce: &ProduceRequest,
        error: KafkaError,
        cause: impl FnOnce() -> Cause,
        sink: &mut S,
    ) {
        sink.event(|| {
            (
                EventKind::AppendRefused {
                    broker: self.id,
                    send: produce.send,
                    error,
                },
                cause(),
            )
        });
        let body = if produce.acks == Acks::None {
            Body::Disconnected
        } else {
            Body::ProduceResponse(ProduceResponse {
                send: produce.send,
                attempt: produce.attempt,
                result: Err(error),
            })
        };
        sink.reply(Node::Broker(self.id), Node::Producer, request, body);
    }
}
