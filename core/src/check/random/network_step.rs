//! Random steps on links, and on what passes between controller and brokers.

use super::Draft;
use crate::kafka::ids::Millis;
use crate::kafka::message::Node;
use crate::scenario::Action;

/// Two different nodes, mostly both of them brokers.
fn ends(draft: &mut Draft) -> (Node, Node) {
    let from = Node::Broker(draft.broker());
    let mut to = Node::Broker(draft.broker());
    if draft.random.once_in(3) || from == to {
        to = draft
            .random
            .pick(&[Node::Controller, Node::Producer, Node::Consumer])
            .unwrap_or(Node::Controller);
    }
    if draft.random.once_in(2) {
        (from, to)
    } else {
        (to, from)
    }
}

/// A link is cut, healed, slowed, held or loses something.
pub(super) fn link(draft: &mut Draft) -> Action {
    let broker = draft.broker();
    let (from, to) = ends(draft);
    let random = &mut draft.random;
    match random.below(14) {
        0 | 1 => Action::Isolate(broker),
        2 => Action::Heal(broker),
        3 | 4 => Action::HealAll,
        5 => Action::CutController(broker),
        6 => Action::HealController(broker),
        7 => Action::Cut(from, to),
        8 => Action::HealLink(from, to),
        9 => Action::Slow {
            from,
            to,
            latency: Millis(1 + random.below(700)),
        },
        10 => Action::Hold { from, to },
        11 | 12 => Action::Release {
            from,
            to,
            count: random.maybe(3, |r| 1 + u32::try_from(r.below(3)).unwrap_or(0)),
        },
        _ => Action::LoseNext { from, to },
    }
}

/// Sessions, proposals and metadata are ended, held or delivered.
pub(super) fn control(draft: &mut Draft) -> Action {
    let broker = draft.broker();
    let random = &mut draft.random;
    match random.below(9) {
        0 | 1 => Action::Fence(broker),
        2 | 3 => Action::Unfence(broker),
        4 => Action::HoldAlterPartition(broker),
        5 => Action::ReleaseAlterPartition(broker),
        6 => Action::LoseAlterPartitionResponse(broker),
        7 => Action::HoldMetadata(broker),
        _ => Action::DeliverMetadata {
            broker,
            count: random.maybe(2, |r| 1 + u32::try_from(r.below(3)).unwrap_or(0)),
        },
    }
}
