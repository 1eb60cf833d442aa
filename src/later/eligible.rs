//! Whether a follower may join the ISR, and if not, what stands against it (`Partition.isReplicaIsrEligible`, KIP-841).

use highwater_core::kafka::broker::Broker;
use highwater_core::kafka::context::Context;
use highwater_core::kafka::ids::BrokerId;
use highwater_core::kafka::leader::{FollowerState, Leader};

use super::fields::or_minus_one;
use super::words::tell;
use crate::text::Text;

/// The sentence.
pub fn eligible(
    text: &Text,
    broker: &Broker,
    leader: &Leader,
    (follower, state): (BrokerId, &FollowerState),
    context: &Context<'_>,
) -> String {
    if leader.is_eligible(follower, &broker.metadata, context) {
        let hw = broker.hw();
        let start = leader.epoch_start;
        return match state.leo {
            _ if leader.committed_isr.contains(follower) => tell!(text, EligibleMember),
            leo if context.rules().epoch_start_rule && leo < Some(start) => {
                tell!(text, EligibleEarly, offset = start)
            }
            Some(leo) if leo >= hw => tell!(text, EligibleYes),
            leo => tell!(
                text,
                EligibleLate,
                leo = or_minus_one(leo).as_str(),
                end = hw
            ),
        };
    }
    match broker.metadata.broker(follower) {
        None => tell!(text, NotRegistered),
        Some(image) if image.fenced => tell!(text, NotFenced),
        Some(image) if image.in_controlled_shutdown => tell!(text, NotShutdown),
        Some(image) => tell!(
            text,
            NotEpoch,
            found = or_minus_one(state.broker_epoch).as_str(),
            registered = image.epoch
        ),
    }
}
