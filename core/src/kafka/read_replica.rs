//! Which replica a consumer is told to read from (KIP-392, rules 7).

use super::broker::Broker;
use super::context::Context;
use super::ids::{BrokerId, Millis, Offset};

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

impl Broker {
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
