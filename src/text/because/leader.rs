//! What happened at a leader (answers, fetches, ISR proposals), in one sentence.

use highwater_core::kafka::cause::Rule;
use highwater_core::kafka::event::{Event, EventKind, IsrChange};

use super::Narrator;
use crate::say;
use crate::text::Arg;

impl Narrator<'_> {
    pub(super) fn leader_produce(&self, event: &Event) -> String {
        let text = self.text;
        match &event.kind {
            EventKind::AppendRefused {
                broker,
                send,
                error,
            } => say!(
                text,
                AppendRefused,
                broker = *broker,
                records = self.records(*send),
                error = *error,
            ),
            EventKind::DuplicateRecognised {
                broker,
                send,
                base,
                end,
            } => {
                let offsets = Arg::Offsets {
                    from: *base,
                    end: *end,
                };
                say!(
                    text,
                    DuplicateRecognised,
                    broker = *broker,
                    records = self.records(*send),
                    offsets = offsets
                )
            }
            EventKind::ProduceParked {
                broker,
                send,
                required,
                until,
            } => say!(
                text,
                ProduceParked,
                records = self.records(*send),
                broker = *broker,
                required = *required,
                until = *until,
            ),
            EventKind::ProduceCompleted {
                broker,
                send,
                result,
                ..
            } => {
                let records = self.records(*send);
                match result {
                    Ok(_) if event.cause.rule == Rule::AcksNone => {
                        say!(text, CompletedSilently, broker = *broker, records = records)
                    }
                    Ok(_) => say!(text, CompletedOk, broker = *broker, records = records),
                    Err(error) => say!(
                        text,
                        CompletedError,
                        broker = *broker,
                        error = *error,
                        records = records
                    ),
                }
            }
            _ => String::new(),
        }
    }

    pub(super) fn leader_fetch(&self, kind: &EventKind) -> String {
        let text = self.text;
        match kind {
            EventKind::FetchParked {
                broker,
                by,
                offset,
                until,
            } => say!(
                text,
                FetchParked,
                by = *by,
                offset = *offset,
                broker = *broker,
                until = *until
            ),
            EventKind::FetchServed {
                broker,
                by,
                offset,
                end,
                hw,
                error,
                diverging,
            } => {
                if let Some(error) = error {
                    say!(
                        text,
                        FetchError,
                        broker = *broker,
                        by = *by,
                        offset = *offset,
                        error = *error
                    )
                } else if *diverging {
                    say!(
                        text,
                        FetchDiverging,
                        broker = *broker,
                        by = *by,
                        offset = *offset
                    )
                } else if end > offset {
                    let offsets = Arg::Offsets {
                        from: *offset,
                        end: *end,
                    };
                    say!(
                        text,
                        FetchData,
                        broker = *broker,
                        by = *by,
                        offsets = offsets,
                        hw = *hw
                    )
                } else {
                    say!(
                        text,
                        FetchEmpty,
                        broker = *broker,
                        by = *by,
                        offset = *offset,
                        hw = *hw
                    )
                }
            }
            EventKind::FollowerStateUpdated {
                leader,
                follower,
                leo,
                last_caught_up,
            } => match last_caught_up {
                Some(at) => {
                    say!(
                        text,
                        FollowerState,
                        leader = *leader,
                        follower = *follower,
                        leo = *leo,
                        caught_up = *at
                    )
                }
                None => say!(
                    text,
                    FollowerStateNever,
                    leader = *leader,
                    follower = *follower,
                    leo = *leo
                ),
            },
            EventKind::IsrProposed {
                leader,
                isr,
                change,
                members,
            } => {
                let members: Vec<_> = members.iter().collect();
                match change {
                    IsrChange::Shrink => {
                        say!(
                            text,
                            IsrShrinkProposed,
                            leader = *leader,
                            isr = isr,
                            members = members
                        )
                    }
                    IsrChange::Expand => {
                        say!(
                            text,
                            IsrExpandProposed,
                            leader = *leader,
                            isr = isr,
                            members = members
                        )
                    }
                }
            }
            EventKind::IsrAnswered { leader, result } => match result {
                Ok(isr) => say!(text, IsrAccepted, leader = *leader, isr = isr),
                Err(error) => say!(text, IsrRefused, leader = *leader, error = *error),
            },
            _ => String::new(),
        }
    }
}
