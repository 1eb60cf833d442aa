//! Why nothing happens for a while: read off the event that ends the pause.

use highwater_core::kafka::cause::Rule;
use highwater_core::kafka::event::{ChangeReason, Event, EventKind};
use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::sim::Run;

use super::clock::significant;
use super::words::FoldReason;

/// Finds the reasons of the pauses of runs.
pub struct Reasons<'a> {
    runs: &'a [&'a Run],
    /// When a broker of the first run went down (true) or came up.
    downs: Vec<(Millis, BrokerId, bool)>,
}

impl<'a> Reasons<'a> {
    /// Of these runs.
    pub fn new(runs: &'a [&'a Run]) -> Reasons<'a> {
        let events = runs.first().into_iter().flat_map(|run| &run.events);
        let downs = events.filter_map(|event| match &event.kind {
            EventKind::BrokerStopped { broker, .. } | EventKind::BrokerExited { broker, .. } => {
                Some((event.at, *broker, true))
            }
            EventKind::BrokerStarted { broker, .. } => Some((event.at, *broker, false)),
            _ => None,
        });
        Reasons {
            runs,
            downs: downs.collect(),
        }
    }

    /// The reason of the pause between the events of `from` and those of `to`.
    pub fn of(&self, from: Millis, to: Millis) -> FoldReason {
        let ending = self
            .runs
            .iter()
            .flat_map(|run| events_at(run, to).map(move |e| (run, e)))
            .filter(|(_, e)| significant(e))
            .find_map(|(run, event)| reason_of(run, event));
        let silent = || {
            let broker = self.silent_broker(from);
            broker.map_or(FoldReason::Quiet, FoldReason::BrokerDown)
        };
        ending.unwrap_or_else(silent)
    }

    /// The broker that went down last and is still down at the instant.
    fn silent_broker(&self, at: Millis) -> Option<BrokerId> {
        let mut down: Vec<BrokerId> = Vec::new();
        for (_, broker, stops) in self.downs.iter().take_while(|(when, ..)| *when <= at) {
            match stops {
                true => down.push(*broker),
                false => down.retain(|b| b != broker),
            }
        }
        down.last().copied()
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
