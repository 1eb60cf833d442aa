//! The links between nodes: latency, cuts, holds, losses, and the gate before each follower's fetch requests.

use crate::kafka::ids::{BrokerId, MessageId, Millis, SendId};
use crate::kafka::map::{Map, Set};
use crate::kafka::message::{Body, Message, Node};
use crate::kafka::settings::{Acks, FetchMode, Settings};
use std::collections::VecDeque;
use std::sync::Arc;

/// A message that waits on a link.
pub type Waiting = (MessageId, Arc<Message>);

/// The gate before a follower's fetch requests.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    /// Whether requests are held.
    pub held: bool,
    /// Rounds that may still pass while it is held.
    pub rounds: u32,
    /// The answers of those rounds are lost.
    pub lose_responses: bool,
    /// The request of the round that is under way.
    pub in_round: Option<MessageId>,
    /// The request that waits.
    pub waiting: Option<Waiting>,
}

/// What becomes of a message that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives at this instant.
    Arrives(Millis),
    /// It is lost, by the script.
    Dropped,
    /// The link is cut.
    Cut,
    /// It waits.
    Held,
}

/// The links.
#[derive(Clone, Debug, Default)]
pub struct Network {
    latency: Map<(Node, Node), Millis>,
    cut: Set<(Node, Node)>,
    held: Map<(Node, Node), VecDeque<Waiting>>,
    lose_next: Map<(Node, Node), u32>,
    last_arrival: Map<(Node, Node), Millis>,
    /// The gates of followers.
    pub gates: Map<BrokerId, Gate>,
    alter_partition_held: Map<BrokerId, VecDeque<Waiting>>,
    alter_partition_response_lost: Set<BrokerId>,
    metadata_held: Map<BrokerId, VecDeque<Waiting>>,
    /// Requests that have no answer yet: who asked whom.
    outstanding: Map<MessageId, (Node, Node)>,
    lose_request_of: Set<SendId>,
    lose_response_of: Set<SendId>,
}

impl Network {
    /// The links at the start of a run.
    pub fn new(settings: &Settings) -> Network {
        let mut network = Network::default();
        for &broker in &settings.brokers {
            let held = settings.fetch_mode == FetchMode::Manual;
            network.gates.insert(
                broker,
                Gate {
                    held,
                    ..Gate::default()
                },
            );
        }
        network
    }

    /// Decides what becomes of a message that is sent at `now`; a message that waits is kept here.
    pub fn send(
        &mut self,
        settings: &Settings,
        now: Millis,
        id: MessageId,
        message: &Arc<Message>,
    ) -> Fate {
        match message.reply_to {
            Some(request) => {
                self.outstanding.remove(&request);
            }
            None if expects_answer(&message.body) => {
                self.outstanding.insert(id, (message.from, message.to));
            }
            None => {}
        }
        let link = (message.from, message.to);
        if self.is_dropped(message) {
            return Fate::Dropped;
        }
        if self.cut.contains(&link) {
            return Fate::Cut;
        }
        if self.hold(id, message) {
            return Fate::Held;
        }
        Fate::Arrives(self.arrival(settings, now, message))
    }

    fn is_dropped(&mut self, message: &Message) -> bool {
        let link = (message.from, message.to);
        if let Some(left) = self.lose_next.get_mut(&link) {
            *left -= 1;
            if *left == 0 {
                self.lose_next.remove(&link);
            }
            return true;
        }
        match &message.body {
            Body::ProduceRequest(request) => {
                request.attempt == 1 && self.lose_request_of.remove(&request.send)
            }
            Body::ProduceResponse(response) => self.lose_response_of.remove(&response.send),
            Body::AlterPartitionResponse(_) => {
                matches!(message.to, Node::Broker(b) if self.alter_partition_response_lost.contains(&b))
            }
            Body::FetchResponse(_) => {
                let Node::Broker(follower) = message.to else {
                    return false;
                };
                self.gates.get(&follower).is_some_and(|gate| {
                    gate.lose_responses
                        && gate.in_round.is_some()
                        && gate.in_round == message.reply_to
                })
            }
            _ => false,
        }
    }

    /// Keeps a message that must wait; true when it does.
    fn hold(&mut self, id: MessageId, message: &Arc<Message>) -> bool {
        let waiting = (id, Arc::clone(message));
        match (&message.body, message.from, message.to) {
            // Epoch and offset queries of a fetcher go over the same connection: seen on 0.11.0.3, where a paused
            // follower did not truncate before it was let go.
            (
                Body::FetchRequest(_)
                | Body::OffsetsForLeaderEpochRequest(_)
                | Body::ListOffsetsRequest(_),
                Node::Broker(follower),
                _,
            ) => {
                let gate = self.gates.entry(follower).or_default();
                if gate.held {
                    // A fetcher has one request at a time: an older one that still waits belongs to a fetcher that is gone.
                    gate.waiting = Some(waiting);
                    return true;
                }
                if gate.rounds > 0
                    && gate.in_round.is_none()
                    && matches!(message.body, Body::FetchRequest(_))
                {
                    // A follower that fetches by itself: the step waits for its next rounds.
                    gate.in_round = Some(id);
                }
            }
            (Body::AlterPartitionRequest(_), Node::Broker(broker), _) => {
                if let Some(queue) = self.alter_partition_held.get_mut(&broker) {
                    queue.push_back(waiting);
                    return true;
                }
            }
            (Body::Metadata(_), _, Node::Broker(broker)) => {
                if let Some(queue) = self.metadata_held.get_mut(&broker) {
                    queue.push_back(waiting);
                    return true;
                }
            }
            _ => {}
        }
        if let Some(queue) = self.held.get_mut(&(message.from, message.to)) {
            queue.push_back((id, Arc::clone(message)));
            return true;
        }
        false
    }

    /// When a message that leaves now arrives: in order on each link.
    pub fn arrival(&mut self, settings: &Settings, now: Millis, message: &Message) -> Millis {
        let link = (message.from, message.to);
        let usual = match message.body {
            Body::Metadata(_) => settings.metadata_latency,
            _ => settings.link_latency,
        };
        let latency = self.latency.get(&link).copied().unwrap_or(usual);
        let last = self.last_arrival.entry(link).or_default();
        *last = now.plus(latency).max(*last);
        *last
    }

    /// Whether a message that is on its way may still arrive.
    pub fn is_cut(&self, from: Node, to: Node) -> bool {
        self.cut.contains(&(from, to))
    }

    /// Whether a request still waits for its answer.
    pub fn is_outstanding(&self, request: MessageId) -> bool {
        self.outstanding.contains_key(&request)
    }

    /// Forgets a request whose connection broke; who asked whom.
    pub fn forget(&mut self, request: MessageId) -> Option<(Node, Node)> {
        self.outstanding.remove(&request)
    }

    /// A node's process ended: requests to it break (request, asker, asked), its own are gone.
    pub fn node_died(&mut self, node: Node) -> Vec<(MessageId, Node, Node)> {
        let broken = self.broken_where(|from, to| to == node && from != node);
        self.outstanding.retain(|_, (from, _)| *from != node);
        if let Node::Broker(broker) = node {
            if let Some(gate) = self.gates.get_mut(&broker) {
                gate.waiting = None;
                gate.in_round = None;
            }
            for queue in [
                self.alter_partition_held.get_mut(&broker),
                self.metadata_held.get_mut(&broker),
            ]
            .into_iter()
            .flatten()
            {
                queue.clear();
            }
        }
        for (link, queue) in &mut self.held {
            if link.0 == node || link.1 == node {
                queue.clear();
            }
        }
        broken
    }

    fn broken_where(
        &mut self,
        breaks: impl Fn(Node, Node) -> bool,
    ) -> Vec<(MessageId, Node, Node)> {
        let broken: Vec<_> = self
            .outstanding
            .iter()
            .filter(|(_, (from, to))| breaks(*from, *to))
            .map(|(id, (f, t))| (*id, *f, *t))
            .collect();
        for (id, ..) in &broken {
            self.outstanding.remove(id);
        }
        broken
    }

    /// Cuts the link between two nodes, both ways; the requests that break (request, asker, asked).
    pub fn cut_link(&mut self, a: Node, b: Node) -> Vec<(MessageId, Node, Node)> {
        self.cut.insert((a, b));
        self.cut.insert((b, a));
        self.broken_where(|from, to| (from, to) == (a, b) || (from, to) == (b, a))
    }

    /// Heals it; false when it was not cut.
    pub fn heal_link(&mut self, a: Node, b: Node) -> bool {
        let one = self.cut.remove(&(a, b));
        self.cut.remove(&(b, a)) || one
    }

    /// Every cut link.
    pub fn cuts(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        self.cut.iter().copied()
    }

    /// Sets the latency one way.
    pub fn slow(&mut self, from: Node, to: Node, latency: Millis) {
        self.latency.insert((from, to), latency);
    }

    /// Holds every message from one node to another.
    pub fn hold_link(&mut self, from: Node, to: Node) {
        self.held.entry((from, to)).or_default();
    }

    /// Lets held messages go; without a count all of them, and the hold ends.
    pub fn release_link(&mut self, from: Node, to: Node, count: Option<u32>) -> Vec<Waiting> {
        release(&mut self.held, (from, to), count)
    }

    /// Loses the next message.
    pub fn lose_next(&mut self, from: Node, to: Node) {
        *self.lose_next.entry((from, to)).or_default() += 1;
    }

    /// Holds a broker's AlterPartition requests.
    pub fn hold_alter_partition(&mut self, broker: BrokerId) {
        self.alter_partition_held.entry(broker).or_default();
    }

    /// Lets them through, and from now on freely; also ends the loss of answers.
    pub fn release_alter_partition(&mut self, broker: BrokerId) -> Vec<Waiting> {
        self.alter_partition_response_lost.remove(&broker);
        release(&mut self.alter_partition_held, broker, None)
    }

    /// Whether a broker's AlterPartition requests are held.
    pub fn holds_alter_partition(&self, broker: BrokerId) -> bool {
        self.alter_partition_held.contains_key(&broker)
    }

    /// Loses the answers to a broker's AlterPartition requests.
    pub fn lose_alter_partition_response(&mut self, broker: BrokerId) {
        self.alter_partition_response_lost.insert(broker);
    }

    /// Holds metadata to a broker.
    pub fn hold_metadata(&mut self, broker: BrokerId) {
        self.metadata_held.entry(broker).or_default();
    }

    /// Delivers held metadata; without a count all of it, and the hold ends. A broker that lies behind takes all changes that
    /// reach it as one (`MetadataLoader.handleCommit` publishes once for what was read), so only the last image arrives: it
    /// never plays the roles in between.
    pub fn release_metadata(&mut self, broker: BrokerId, count: Option<u32>) -> Option<Waiting> {
        release(&mut self.metadata_held, broker, count).pop()
    }

    /// Loses the first request of a produce call.
    pub fn lose_request_of(&mut self, send: SendId) {
        self.lose_request_of.insert(send);
    }

    /// Loses the first answer to a produce call.
    pub fn lose_response_of(&mut self, send: SendId) {
        self.lose_response_of.insert(send);
    }
}

fn release<K: Ord + Copy>(
    held: &mut Map<K, VecDeque<Waiting>>,
    key: K,
    count: Option<u32>,
) -> Vec<Waiting> {
    match count {
        None => held.remove(&key).map(Vec::from).unwrap_or_default(),
        Some(count) => {
            let Some(queue) = held.get_mut(&key) else {
                return Vec::new();
            };
            let most = (count as usize).min(queue.len());
            queue.drain(..most).collect()
        }
    }
}

/// Whether a request is answered at all.
fn expects_answer(body: &Body) -> bool {
    match body {
        Body::ProduceRequest(request) => request.acks != Acks::None,
        Body::FetchRequest(_)
        | Body::OffsetsForLeaderEpochRequest(_)
        | Body::ListOffsetsRequest(_)
        | Body::AlterPartitionRequest(_)
        | Body::RegistrationRequest(_)
        | Body::HeartbeatRequest(_) => true,
        _ => false,
    }
}

/// Whether a message is a request that must still be outstanding when it arrives.
pub fn is_request(body: &Body) -> bool {
    expects_answer(body)
}
