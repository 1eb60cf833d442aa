//! Which replica a consumer is told to read from (KIP-392, rules 7).

use super::broker::Broker;
use super::context::Context;
use super::ids::{BrokerId, MessageId, Millis, Offset};
use super::message::{Body, FetchRequest, FetchResponse, Node};
use super::settings::Settings;
use super::sink::Sink;

/// A replica as the leader offers it to the selector (`ReplicaView`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaView {
    /// The broker.
    pub id: BrokerId,
    /// Its `broker.rack`.
    pub rack: Option<String>,
    /// Its LEO, as the leader knows it.
    pub leo: Offset,
    /// How long ago it was caught up; 0 for the leader.
    pub since_caught_up: Millis,
}

/// The replica that a consumer in `client_rack` reads from (`RackAwareReplicaSelector.select`): the leader if it is in that
/// rack or nobody is, or the consumer names none; else the most caught-up replica of the rack, which is the one with the
/// highest LEO, then the one that was caught up last, then the one with the highest id.
pub fn rack_aware(
    leader: BrokerId,
    replicas: &[ReplicaView],
    client_rack: Option<&str>,
) -> BrokerId {
    let Some(rack) = client_rack.filter(|rack| !rack.is_empty()) else {
        return leader;
    };
    let same_rack = || {
        replicas
            .iter()
            .filter(|view| view.rack.as_deref() == Some(rack))
    };
    if same_rack().any(|view| view.id == leader) {
        return leader;
    }
    same_rack()
        .max_by_key(|view| (view.leo, std::cmp::Reverse(view.since_caught_up), view.id))
        .map_or(leader, |view| view.id)
}

impl Settings {
    /// The `broker.rack` of a broker.
    pub fn rack_of(&self, broker: BrokerId) -> Option<&str> {
        self.broker_racks
            .iter()
            .find(|(id, _)| *id == broker)
            .map(|(_, rack)| rack.as_str())
    }
}

impl Broker {
    /// Where a consumer's fetch is sent instead of being read here: the selected replica, unless that is the leader itself
    /// (`ReplicaManager.findPreferredReadReplica`). Only a leader sends anybody elsewhere, only to a live member of the ISR.
    pub(super) fn preferred_read_replica(
        &self,
        fetch: &FetchRequest,
        context: &Context<'_>,
    ) -> Option<BrokerId> {
        let settings = context.settings;
        let selects = context.rules().preferred_read_replica && !settings.broker_racks.is_empty();
        if !selects || !fetch.client_metadata || fetch.replica.is_some() {
            return None;
        }
        let rack_of = |id| settings.rack_of(id).map(str::to_owned);
        let mut views = self.read_replicas(fetch.fetch_offset, rack_of, context);
        views.retain(|view| {
            let image = self.metadata.broker(view.id);
            view.id == self.id || image.is_some_and(|image| !image.fenced)
        });
        views.first()?;
        let selected = rack_aware(self.id, &views, Some(&settings.client_rack));
        (selected != self.id).then_some(selected)
    }

    /// Answers without reading: the consumer shall ask `replica`.
    pub(super) fn send_elsewhere<S: Sink>(
        &self,
        request: MessageId,
        from: Node,
        fetch: &FetchRequest,
        replica: BrokerId,
        sink: &mut S,
    ) {
        let response = FetchResponse {
            error: None,
            fetch_offset: fetch.fetch_offset,
            request_leader_epoch: fetch.current_leader_epoch,
            high_watermark: self.log.hw(),
            last_stable_offset: self.log.lso(),
            log_start: self.log.log_start(),
            diverging: None,
            batches: Vec::new(),
            aborted: Vec::new(),
            preferred_read_replica: Some(replica),
            parked: Millis(0),
        };
        let answer = Body::FetchResponse(response);
        sink.reply(Node::Broker(self.id), from, request, answer);
    }

    /// What the leader offers the selector for a fetch from `offset`: itself, and the ISR members that have that offset
    /// (`ReplicaManager.findPreferredReadReplica`). Empty when it does not lead.
    pub fn read_replicas(
        &self,
        offset: Offset,
        rack_of: impl Fn(BrokerId) -> Option<String>,
        context: &Context<'_>,
    ) -> Vec<ReplicaView> {
        let Some(leader) = self.leader() else {
            return Vec::new();
        };
        let own = ReplicaView {
            id: self.id,
            rack: rack_of(self.id),
            leo: self.log.leo(),
            since_caught_up: Millis(0),
        };
        let others = leader.followers.iter().filter_map(|(&id, state)| {
            let (leo, log_start) = (state.leo?, state.log_start?);
            let has_it = log_start <= offset && offset <= leo;
            (has_it && leader.committed_isr.contains(id)).then(|| ReplicaView {
                id,
                rack: rack_of(id),
                leo,
                since_caught_up: context.now.since(state.last_caught_up.unwrap_or_default()),
            })
        });
        std::iter::once(own).chain(others).collect()
    }
}
