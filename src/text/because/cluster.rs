//! What happened to roles, at the controller and at the consumer, in one sentence.

use highwater_core::kafka::cause::{Quantity, Rule, Value};
use highwater_core::kafka::event::{
    ChangeReason, Election, Event, EventKind, QueryAnswer, TransactionState,
};
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::record::Payload;

use super::Narrator;
use crate::say;
use crate::text::Arg;

impl Narrator<'_> {
    pub(super) fn roles(&self, kind: &EventKind) -> String {
        let text = self.text;
        match kind {
            EventKind::BecameLeader {
                broker,
                epoch,
                epoch_start,
                hw,
                isr,
                ..
            } => say!(
                text,
                BecameLeader,
                broker = *broker,
                epoch = *epoch,
                start = *epoch_start,
                hw = *hw,
                isr = isr,
            ),
            EventKind::IsrLearned { leader, isr, .. } => {
                say!(text, IsrLearned, leader = *leader, isr = isr)
            }
            EventKind::BecameFollower {
                broker,
                leader: Some(leader),
                epoch,
                ..
            } => say!(
                text,
                BecameFollower,
                broker = *broker,
                leader = *leader,
                epoch = *epoch
            ),
            EventKind::BecameFollower { broker, epoch, .. } => {
                say!(text, BecameLeaderless, broker = *broker, epoch = *epoch)
            }
            EventKind::MetadataApplied { broker, offset } => {
                say!(text, MetadataApplied, broker = *broker, offset = *offset)
            }
            EventKind::Diverged {
                broker,
                epoch,
                end,
                cut,
            } => match (epoch, end) {
                (Some(epoch), Some(end)) => {
                    say!(
                        text,
                        Diverged,
                        broker = *broker,
                        cut = *cut,
                        epoch = *epoch,
                        end = *end
                    )
                }
                _ => say!(text, DivergedUnknown, broker = *broker, cut = *cut),
            },
            EventKind::FetchBackedOff {
                broker,
                error,
                until,
            } => match error {
                Some(error) => say!(
                    text,
                    BackedOffError,
                    broker = *broker,
                    error = *error,
                    until = *until
                ),
                None => say!(text, BackedOffBroken, broker = *broker, until = *until),
            },
            EventKind::FetchFailed { broker, error } => {
                say!(text, FetchFailed, broker = *broker, error = *error)
            }
            _ => String::new(),
        }
    }

    pub(super) fn controller(&self, event: &Event) -> String {
        let text = self.text;
        match &event.kind {
            EventKind::PartitionChanged {
                before,
                after,
                reason,
                election,
            } => {
                let change = self.change(before, after, *election);
                let reason = self.reason(event, *reason);
                say!(text, ReasonAndText, text = change, reason = reason)
            }
            EventKind::AlterPartitionRefused { broker, error } => {
                say!(text, AlterRefused, broker = *broker, error = *error)
            }
            EventKind::BrokerRegistered {
                broker,
                epoch,
                clean: true,
            } => say!(text, RegisteredClean, broker = *broker, epoch = *epoch),
            EventKind::BrokerRegistered { broker, epoch, .. } => {
                say!(text, RegisteredUnclean, broker = *broker, epoch = *epoch)
            }
            EventKind::RegistrationRefused { broker, error } => {
                say!(text, RegistrationRefused, broker = *broker, error = *error)
            }
            EventKind::BrokerFenced {
                broker,
                session_expired: true,
            } if event.cause.rule != Rule::Script => say!(text, FencedExpired, broker = *broker),
            EventKind::BrokerFenced { broker, .. } => say!(text, Fenced, broker = *broker),
            EventKind::BrokerUnfenced { broker } => say!(text, Unfenced, broker = *broker),
            EventKind::ControlledShutdownBegan { broker } => {
                say!(text, ShutdownBegan, broker = *broker)
            }
            _ => String::new(),
        }
    }

    /// What a change record did, without a full stop: the reason follows.
    fn change(
        &self,
        before: &PartitionState,
        after: &PartitionState,
        election: Election,
    ) -> String {
        let text = self.text;
        let moved = before.leader_epoch != after.leader_epoch || before.leader != after.leader;
        match after.leader {
            Some(leader)
                if moved && before.leader == Some(leader) && election == Election::None =>
            {
                say!(
                    text,
                    ChangeEpoch,
                    leader = leader,
                    epoch = after.leader_epoch
                )
            }
            Some(leader) if moved => {
                say!(
                    text,
                    ChangeElected,
                    leader = leader,
                    epoch = after.leader_epoch,
                    isr = &after.isr
                )
            }
            None if moved => {
                say!(
                    text,
                    ChangeLeaderless,
                    epoch = after.leader_epoch,
                    isr = &after.isr,
                    elr = &after.elr
                )
            }
            _ => match (before.isr != after.isr, before.elr != after.elr) {
                (true, true) => say!(text, ChangeIsrElr, isr = &after.isr, elr = &after.elr),
                (true, false) => say!(text, ChangeIsr, isr = &after.isr),
                (false, true) => say!(text, ChangeElr, elr = &after.elr),
                (false, false) => say!(text, ChangeOther, epoch = after.partition_epoch),
            },
        }
    }

    fn reason(&self, event: &Event, reason: ChangeReason) -> String {
        let text = self.text;
        match reason {
            ChangeReason::Created => say!(text, ReasonCreated),
            ChangeReason::SessionExpired(broker) => {
                // The fencing that triggered the change knows how long the broker was silent.
                let fenced = event
                    .cause
                    .trigger
                    .and_then(|id| self.run.events.get(id.0 as usize));
                let causes = [Some(&event.cause), fenced.map(|e| &e.cause)];
                let mut found = causes
                    .into_iter()
                    .flatten()
                    .filter_map(|c| c.value(Quantity::Waited));
                match found.next() {
                    Some(Value::Millis(Some(waited))) => {
                        say!(
                            text,
                            ReasonSessionExpiredAfter,
                            broker = broker,
                            waited = *waited
                        )
                    }
                    _ => say!(text, ReasonSessionExpired, broker = broker),
                }
            }
            ChangeReason::ControlledShutdown(broker) => {
                say!(text, ReasonControlledShutdown, broker = broker)
            }
            ChangeReason::Registered {
                broker,
                clean: true,
            } => {
                say!(text, ReasonRegisteredClean, broker = broker)
            }
            ChangeReason::Registered { broker, .. } => {
                say!(text, ReasonRegisteredUnclean, broker = broker)
            }
            ChangeReason::Unfenced(broker) => say!(text, ReasonUnfenced, broker = broker),
            ChangeReason::Unregistered(broker) => say!(text, ReasonUnregistered, broker = broker),
            ChangeReason::AlterPartition(broker) => {
                say!(text, ReasonAlterPartition, broker = broker)
            }
            ChangeReason::PreferredElection => say!(text, ReasonPreferred),
            ChangeReason::UncleanElection => say!(text, ReasonUnclean),
            ChangeReason::UncleanElectionTimer => say!(text, ReasonUncleanTimer),
            ChangeReason::LeaderRebalance => say!(text, ReasonRebalance),
            ChangeReason::ElrCleared => say!(text, ReasonElrCleared),
            ChangeReason::NamedElection(broker) => say!(text, ReasonNamed, broker = broker),
        }
    }

    pub(super) fn consumer(&self, kind: &EventKind) -> String {
        let text = self.text;
        match kind {
            EventKind::Consumed {
                from,
                to,
                broker,
                skipped,
            } => {
                let offsets = Arg::Offsets {
                    from: *from,
                    end: *to,
                };
                if *skipped == 0 {
                    say!(text, Consumed, offsets = offsets, broker = *broker)
                } else {
                    say!(
                        text,
                        ConsumedSkipping,
                        offsets = offsets,
                        broker = *broker,
                        n = *skipped
                    )
                }
            }
            EventKind::ConsumerFailed { error, position } => {
                say!(text, ConsumerFailed, error = *error, position = *position)
            }
            EventKind::ConsumerSentTo { broker, by, .. } => {
                say!(text, ConsumerSentTo, broker = *broker, leader = *by)
            }
            EventKind::QueryAnswered { answer, .. } => self.answer(answer),
            EventKind::TransactionChanged { transaction, state } => match state {
                TransactionState::Began => say!(text, TransactionBegan, transaction = *transaction),
                TransactionState::Committed => {
                    say!(text, TransactionCommitted, transaction = *transaction)
                }
                TransactionState::Aborted => {
                    say!(text, TransactionAborted, transaction = *transaction)
                }
            },
            _ => String::new(),
        }
    }

    fn answer(&self, answer: &QueryAnswer) -> String {
        let text = self.text;
        match answer {
            QueryAnswer::Fetch {
                error: Some(error), ..
            }
            | QueryAnswer::EpochEnd {
                error: Some(error), ..
            }
            | QueryAnswer::Latest(Err(error)) => say!(text, QueryError, error = *error),
            QueryAnswer::Fetch {
                hw,
                lso,
                aborted,
                batches,
                ..
            } => {
                let n = batches
                    .iter()
                    .filter(|batch| !matches!(batch.payload, Payload::Marker { .. }))
                    .fold(0_u64, |sum, batch| sum.saturating_add(batch.count));
                if *aborted == 0 {
                    say!(text, QueryFetch, n = n, hw = *hw, lso = *lso)
                } else {
                    say!(
                        text,
                        QueryFetchAborted,
                        n = n,
                        hw = *hw,
                        lso = *lso,
                        aborted = *aborted
                    )
                }
            }
            QueryAnswer::Latest(Ok(offset)) => say!(text, QueryLatest, offset = *offset),
            QueryAnswer::EpochEnd {
                epoch: Some(epoch),
                end: Some(end),
                ..
            } => say!(text, QueryEpoch, epoch = *epoch, end = *end),
            QueryAnswer::EpochEnd { .. } => say!(text, QueryEpochUnknown),
            QueryAnswer::NoLeader => say!(text, QueryNoLeader),
        }
    }
}
