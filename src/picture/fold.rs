//! Why nothing happens for a while: read off the event that ends the pause.

use highwater_core::kafka::cause::Rule;
use highwater_core::kafka::event::{ChangeReason, Event, EventKind};
use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::sim::Run;

use super::clock::significant;
use super::words::FoldReason;

/// The reason of the pause between the events of `from` and those of `to`.
pub fn reason(runs: &[&Run], from: Millis, to: Millis) -> FoldReason {
    let ending = runs
        .iter()
        .flat_map(|run| events_at(run, to).map(move |e| (run, e)))
        .filter(|(_, e)| significant(e))
        .find_map(|(run, event)| Some((run, reason_of(run, event)?)));
    match ending {
        Some((_, reason)) => reason,
        None => runs
            .first()
            .and_then(|run| silent_broker(run, from))
            .map_or(FoldReason::Quiet, FoldReason::BrokerDown),
    }
}

fn events_at(run: &Run, at: Millis) -> impl Iterator<Item = &Event> {
    let start = run.events.partition_point(|e| e.at < at);
    run.events
        .iter()
        .skip(start)
        .take_while(move |e| e.at == at)
}

/// What was waited for until this event, looking back along its triggers for a timer that ran out.
fn reason_of(run: &Run, event: &Event) -> Option<FoldReason> {
    let mut event = event;
    for _ in 0..8 {
        if let Some(reason) = own_reason(event) {
            return Some(reason);
        }
        let trigger = event.cause.trigger?;
        event = run.events.get(usize::try_from(trigger.0).ok()?)?;
    }
    None
}

fn own_reason(event: &Event) -> Option<FoldReason> {
    match (&event.kind, event.cause.rule) {
        (
            EventKind::BrokerFenced {
                broker,
                session_expired: true,
            },
            _,
        )
        | (
            EventKind::PartitionChanged {
                reason: ChangeReason::SessionExpired(broker),
                ..
            },
            _,
        ) => Some(FoldReason::BrokerSilent(*broker)),
        (EventKind::IsrProposed { .. }, Rule::IsrShrink) => Some(FoldReason::FollowerLags),
        (_, Rule::DelayedFetchExpired | Rule::DelayedFetch) => Some(FoldReason::FetchesParked),
        (_, Rule::DelayedProduceExpired) => Some(FoldReason::ProduceParked),
        (_, Rule::ProducerRequestTimeout | Rule::ProducerDeliveryTimeout) => {
            Some(FoldReason::ProducerWaits)
        }
        (EventKind::ProduceSent { attempt, .. }, _) if *attempt > 1 => {
            Some(FoldReason::RetryBackoff)
        }
        (EventKind::FetchServed { .. }, _) => Some(FoldReason::FetchesParked),
        (EventKind::FetchBackedOff { .. }, _) | (_, Rule::FetchBackoff) => {
            Some(FoldReason::FetchBackoff)
        }
        (EventKind::Step { .. }, _) => Some(FoldReason::Quiet),
        _ => None,
    }
}

/// The broker that went down last and is still down at the instant.
fn silent_broker(run: &Run, at: Millis) -> Option<BrokerId> {
    let mut down: Vec<BrokerId> = Vec::new();
    for event in run.events.iter().take_while(|e| e.at <= at) {
        match &event.kind {
            EventKind::BrokerStopped { broker, .. } | EventKind::BrokerExited { broker, .. } => {
                down.push(*broker);
            }
            EventKind::BrokerStarted { broker, .. } => down.retain(|b| b != broker),
            _ => {}
        }
    }
    down.last().copied()
}
