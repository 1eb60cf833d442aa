//! Which messages matter: idle polling and heartbeats are hundreds, and tell nothing.
//!
//! A message matters when something came of its arrival, when it is the other half of an exchange that matters, or when it
//! is a request of a kind that is only sent for a reason. A message that is lost matters, but not each time anew: of a
//! request that is tried again and again against the same wall only the first is kept.

use highwater_core::kafka::event::{Event, EventKind, Loss};
use highwater_core::kafka::ids::MessageId;
use highwater_core::kafka::map::Map;
use highwater_core::kafka::message::{Body, Message, Node};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::sim::{MessageRecord, Run};

use super::super::clock::significant;

/// A run's messages, read once.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// By message: whether it matters.
    matters: Vec<bool>,
    /// By message: its answer, if one was sent.
    answers: Vec<Option<MessageId>>,
    /// By message: the first record that it carries, and how many.
    carried: Vec<Vec<(u64, u64)>>,
}

impl Reading {
    /// Reads a run.
    pub fn new(run: &Run) -> Reading {
        let count = run.messages.len();
        let mut reading = Reading {
            matters: run
                .messages
                .iter()
                .map(|m| has_a_reason(&m.message.body))
                .collect(),
            answers: vec![None; count],
            carried: run
                .messages
                .iter()
                .map(|m| records(run, &m.message))
                .collect(),
        };
        reading.find_answers(run);
        reading.find_effects(run);
        reading.find_losses(run);
        reading.pair_up(run);
        reading
    }

    /// Whether the message is idle polling or a heartbeat.
    pub fn is_idle(&self, id: MessageId) -> bool {
        self.matters.get(id.0 as usize) == Some(&false)
    }

    /// How many are.
    pub fn idle(&self) -> usize {
        self.matters.iter().filter(|matters| !**matters).count()
    }

    /// The answer to a request.
    pub fn answer(&self, id: MessageId) -> Option<MessageId> {
        self.answers.get(id.0 as usize).copied().flatten()
    }

    /// Whether the message carries the record, or answers the request that did.
    pub fn carries(&self, id: MessageId, record: u64) -> bool {
        let batches = self.carried.get(id.0 as usize);
        let holds =
            |(first, count): &(u64, u64)| *first <= record && record < first.saturating_add(*count);
        batches.is_some_and(|list| list.iter().any(holds))
    }

    fn find_answers(&mut self, run: &Run) {
        for message in &run.messages {
            let asked = message.message.reply_to.map(|id| id.0 as usize);
            if let Some(slot) = asked.and_then(|place| self.answers.get_mut(place)) {
                *slot = Some(message.id);
            }
        }
    }

    /// Every significant event makes the arrival that it follows from matter. An event's trigger lies before it, so one pass
    /// finds for each event the arrival at the root of its chain.
    fn find_effects(&mut self, run: &Run) {
        let mut roots: Vec<Option<MessageId>> = Vec::with_capacity(run.events.len());
        let mut followers: Map<_, _> = Map::default();
        for event in &run.events {
            let trigger = event.cause.trigger.map(|id| id.0 as usize);
            let root = match &event.kind {
                EventKind::MessageArrived { message } => Some(*message),
                EventKind::MessageSent { .. } => None,
                _ => trigger.and_then(|place| roots.get(place).copied().flatten()),
            };
            roots.push(root);
            let counts = match &event.kind {
                // A position that is noted again is idle polling; one that moves is what the HW waits for.
                EventKind::FollowerStateUpdated {
                    leader,
                    follower,
                    leo,
                    ..
                } => followers.insert((*leader, *follower), *leo) != Some(*leo),
                _ => significant(event) || opens(event),
            };
            if let Some(slot) = root
                .filter(|_| counts)
                .and_then(|id| self.matters.get_mut(id.0 as usize))
            {
                *slot = true;
            }
        }
    }

    /// Of losses in a row on one way only the first matters, and every one that the script asked for.
    fn find_losses(&mut self, run: &Run) {
        let mut last: Map<(Node, Node, &'static str), Option<Loss>> = Map::default();
        for message in &run.messages {
            let loss = loss(run, message);
            let way = (
                message.message.from,
                message.message.to,
                kind(&message.message.body),
            );
            let again = loss.is_some() && last.get(&way) == Some(&loss);
            last.insert(way, loss);
            let Some(slot) = self.matters.get_mut(message.id.0 as usize) else {
                continue;
            };
            match loss {
                Some(Loss::Dropped) => *slot = true,
                Some(_) => *slot = !again && kind(&message.message.body) != "heartbeat",
                None => {}
            }
        }
    }

    fn pair_up(&mut self, run: &Run) {
        for message in &run.messages {
            let Some(asked) = message.message.reply_to.map(|id| id.0 as usize) else {
                continue;
            };
            let own = message.id.0 as usize;
            let both = [asked, own].map(|place| self.matters.get(place).copied().unwrap_or(false));
            if both.contains(&true) && loss(run, message).is_none() {
                for place in [asked, own] {
                    if let Some(slot) = self.matters.get_mut(place) {
                        *slot = true;
                    }
                }
            }
        }
    }
}

/// Events that the timelines do not draw and that still tell what a message did.
fn opens(event: &Event) -> bool {
    matches!(event.kind, EventKind::FetchServed { error: Some(_), .. })
        || matches!(
            event.kind,
            EventKind::FetchServed {
                diverging: true,
                ..
            }
        )
}

/// Whether a message of this kind is only sent for a reason.
fn has_a_reason(body: &Body) -> bool {
    !matches!(
        body,
        Body::FetchRequest(_)
            | Body::FetchResponse(_)
            | Body::HeartbeatRequest(_)
            | Body::HeartbeatResponse(_)
            | Body::Metadata(_)
            | Body::Disconnected
    )
}

/// Kinds that are tried again and again.
fn kind(body: &Body) -> &'static str {
    match body {
        Body::FetchRequest(_) | Body::FetchResponse(_) => "fetch",
        Body::HeartbeatRequest(_) | Body::HeartbeatResponse(_) => "heartbeat",
        Body::Metadata(_) => "metadata",
        Body::AlterPartitionRequest(_) | Body::AlterPartitionResponse(_) => "alter",
        Body::RegistrationRequest(_) | Body::RegistrationResponse(_) => "registration",
        Body::Disconnected => "disconnected",
        _ => "other",
    }
}

/// Why a message did not arrive, if it did not.
pub fn loss(run: &Run, message: &MessageRecord) -> Option<Loss> {
    let event = run.events.get(message.end_event?.0 as usize)?;
    match event.kind {
        EventKind::MessageLost { why, .. } => Some(why),
        _ => None,
    }
}

fn records(run: &Run, message: &Message) -> Vec<(u64, u64)> {
    let of = |batch: &Batch| match batch.payload {
        Payload::Records { first } => Some((first, batch.count)),
        _ => None,
    };
    match &message.body {
        Body::ProduceRequest(request) => of(&request.batch).into_iter().collect(),
        Body::ProduceResponse(_) => message
            .reply_to
            .and_then(|id| run.messages.get(id.0 as usize))
            .map(|asked| records(run, &asked.message))
            .unwrap_or_default(),
        Body::FetchResponse(response) => response.batches.iter().filter_map(of).collect(),
        _ => Vec::new(),
    }
}
