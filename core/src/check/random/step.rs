//! Random steps: everything that can happen from outside, weighted towards what leads somewhere.

use super::Draft;
use super::network_step::{control, link};
use crate::kafka::ids::{BrokerId, LeaderEpoch};
use crate::kafka::settings::{Acks, Isolation};
use crate::scenario::{Action, ConfigChange, ElectionKind, Produce};

/// One or several actions that belong together.
pub(super) fn actions(draft: &mut Draft) -> Vec<Action> {
    match draft.random.below(100) {
        0..=29 => vec![Action::Produce(produce(draft))],
        30..=52 => vec![process(draft)],
        53..=64 => vec![fetching(draft)],
        65..=74 => vec![link(draft)],
        75..=84 => vec![control(draft)],
        85..=89 => vec![admin(draft)],
        90..=92 => transaction(draft),
        93..=95 => vec![question(draft)],
        _ => vec![wait(draft)],
    }
}

fn produce(draft: &mut Draft) -> Produce {
    let broker = draft.broker();
    let time = draft.time();
    let random = &mut draft.random;
    let most = random.one_of(&[1, 1, 1, 3, 12]);
    let mut call = Produce {
        records: 1 + random.below(most),
        acks: random
            .maybe(8, |r| r.pick(&[Acks::All, Acks::Leader, Acks::None]))
            .flatten(),
        to: random.maybe(12, |_| broker),
        timeout: random.maybe(12, |_| time),
        lose_request: random.once_in(20),
        lose_response: random.once_in(12),
        transactional: draft.transaction && !random.once_in(4),
        producer: random
            .maybe(10, |r| r.pick(&["x", "y"]))
            .flatten()
            .map(str::to_owned),
        sequence: random.maybe(20, |r| {
            u32::try_from(match r.below(3) {
                0 => 2_147_483_647 - r.below(4),
                _ => r.below(9),
            })
            .unwrap_or(0)
        }),
        ..Produce::default()
    };
    if random.once_in(12)
        && let Some((name, records)) = draft.named.last()
    {
        call.retry_of = Some(name.clone());
        call.records = *records;
    }
    if random.once_in(3) {
        let name = format!("p{}", draft.named.len() + 1);
        draft.named.push((name.clone(), call.records));
        call.id = Some(name);
    }
    draft.sent += call.records;
    draft.longest += call.records;
    call
}

fn process(draft: &mut Draft) -> Action {
    if !draft.down.is_empty() && draft.random.once_in(2) {
        let down: Vec<BrokerId> = draft.down.iter().collect();
        let broker = draft.random.one_of(&down);
        draft.down.remove(broker);
        return Action::Start {
            broker,
            clean: draft.random.maybe(12, |r| r.once_in(2)),
            wait: draft.random.once_in(2),
        };
    }
    let broker = if draft.random.once_in(15) {
        draft.broker()
    } else {
        draft.running()
    };
    let keep = draft.offset();
    match draft.random.below(16) {
        0..=3 => {
            draft.down.insert(broker);
            Action::Stop(broker)
        }
        4..=8 => {
            draft.down.insert(broker);
            Action::Kill(broker)
        }
        9..=11 => {
            draft.down.insert(broker);
            Action::PowerLoss { broker, keep }
        }
        12 => Action::Bounce {
            broker,
            keep: draft.random.maybe(2, |_| keep),
        },
        13 => Action::Start {
            broker,
            clean: None,
            wait: draft.random.once_in(2),
        },
        14 => Action::KillController,
        _ => Action::StartController,
    }
}

fn fetching(draft: &mut Draft) -> Action {
    let broker = draft.broker();
    let delay = draft.time();
    let random = &mut draft.random;
    match random.below(10) {
        0..=2 => Action::Fetch {
            broker,
            rounds: 1 + u32::try_from(random.below(4)).unwrap_or(0),
            lose_response: random.once_in(4),
        },
        3 | 4 => Action::PauseFetch(broker),
        5 => Action::ResumeFetch(broker),
        6 => Action::SlowFetch { broker, delay },
        7 => Action::LimitFetch {
            broker,
            records: random.maybe(2, |r| 1 + r.below(5)),
        },
        8 => Action::CatchUp(broker),
        _ => Action::IsrCheck(broker),
    }
}

fn admin(draft: &mut Draft) -> Action {
    let named = ElectionKind::Named(draft.broker());
    let isr = draft.replicas();
    let random = &mut draft.random;
    match random.below(8) {
        0 | 1 => Action::Elect(named),
        2 => Action::Elect(ElectionKind::Preferred),
        3 => Action::Elect(ElectionKind::Unclean),
        4 | 5 => {
            let min = 1 + u32::try_from(random.below(4)).unwrap_or(0);
            Action::SetConfig(ConfigChange::MinInsyncReplicas(min))
        }
        6 => Action::SetConfig(ConfigChange::UncleanLeaderElection(random.once_in(2))),
        _ => Action::ProposeIsr(isr),
    }
}

fn transaction(draft: &mut Draft) -> Vec<Action> {
    if draft.transaction {
        draft.transaction = false;
        draft.longest += 1;
        let commit = draft.random.once_in(2);
        return vec![Action::TransactionEnd { commit }];
    }
    draft.transaction = true;
    let mut call = produce(draft);
    call.transactional = true;
    vec![Action::TransactionBegin, Action::Produce(call)]
}

fn question(draft: &mut Draft) -> Action {
    let broker = draft.broker();
    let offset = draft.offset();
    let random = &mut draft.random;
    let isolation = random
        .pick(&[Isolation::ReadUncommitted, Isolation::ReadCommitted])
        .unwrap_or(Isolation::ReadUncommitted);
    let epoch = LeaderEpoch(u32::try_from(random.below(6)).unwrap_or(0));
    match random.below(3) {
        0 => Action::Consume {
            offset,
            from: random.maybe(2, |_| broker),
            leader_epoch: random.maybe(3, |_| epoch),
            isolation,
        },
        1 => Action::ListOffset { isolation },
        _ => Action::EpochEnd {
            epoch,
            broker: random.maybe(2, |_| broker),
        },
    }
}

fn wait(draft: &mut Draft) -> Action {
    let broker = draft.broker();
    let isr = draft.replicas();
    let time = draft.time();
    match draft.random.below(10) {
        0 => Action::AwaitFenced(broker),
        1 => Action::AwaitUnfenced(broker),
        2 => Action::AwaitIsr(isr),
        3 => match draft.named.last() {
            Some((name, _)) => Action::AwaitAck(name.clone()),
            None => Action::Check,
        },
        4..=8 => Action::Wait(time),
        _ => Action::Check,
    }
}
