//! Random start sections: any logs, agreeing or not.

use super::Draft;
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch, Offset, PartitionEpoch};
use crate::kafka::partition::Recovery;
use crate::scenario::{Start, StartReplica};

pub(super) fn start(draft: &mut Draft) -> Start {
    let isr: BrokerSet = draft.replicas();
    let elr = draft.replicas().minus(&isr);
    let members: Vec<BrokerId> = isr.iter().collect();
    let leader = if draft.random.once_in(5) {
        None
    } else {
        draft.random.pick(&members)
    };
    let leader_epoch = LeaderEpoch(u32::try_from(draft.random.below(7)).unwrap_or(0));
    let alike = draft.random.once_in(2).then(|| log(draft, leader_epoch));
    let mut replicas = Vec::new();
    for broker in draft.settings.replicas.clone() {
        if draft.random.once_in(5) {
            continue;
        }
        let replica = match &alike {
            Some(alike) => alike.clone(),
            None => log(draft, leader_epoch),
        };
        let end = replica.log.iter().map(|range| range.1).sum::<u64>() + replica.log_start.0;
        draft.longest = draft.longest.max(end);
        let down = leader != Some(broker) && draft.random.once_in(6);
        if down {
            draft.down.insert(broker);
        }
        replicas.push(StartReplica {
            broker,
            down,
            clean: down && draft.random.once_in(2),
            ..replica
        });
    }
    let longest = draft.longest;
    Start {
        leader,
        leader_epoch,
        partition_epoch: PartitionEpoch(leader_epoch.0.saturating_add(3)),
        isr,
        elr,
        last_known_elr: draft
            .random
            .maybe(4, |r| r.pick(&members))
            .flatten()
            .into_iter()
            .collect(),
        recovery: if draft.random.once_in(5) {
            Recovery::Recovering
        } else {
            Recovery::Recovered
        },
        replicas,
        open_transaction: draft.random.maybe(8, |r| Offset(r.below(longest + 1))),
    }
}

/// A log of a few epochs, with some HW; the ranges may be huge, which must cost nothing.
fn log(draft: &mut Draft, newest: LeaderEpoch) -> StartReplica {
    let random = &mut draft.random;
    let log_start = random.maybe(4, |r| r.below(40)).unwrap_or(0);
    let most = random.one_of(&[3, 8, 1_239_742_830]);
    let mut log = Vec::new();
    let mut end = log_start;
    for epoch in 0..=newest.0 {
        if random.once_in(2) {
            let count = 1 + random.below(most);
            log.push((LeaderEpoch(epoch), count));
            end += count;
        }
    }
    let hw = Offset(match random.below(3) {
        0 => random.below(end + 1),
        1 => end.saturating_sub(1),
        _ => end,
    });
    let epochs = random.maybe(8, |r| vec![(LeaderEpoch(0), Offset(r.below(end + 1)))]);
    StartReplica {
        log,
        log_start: Offset(log_start),
        epochs,
        hw,
        ..StartReplica::default()
    }
}
