//! The lanes: producer, brokers in the order of the replica list, consumer, controller. A broker's lane is in its hue, thick
//! ink while it leads, dots while it is down.

use highwater_core::kafka::ids::Millis;
use highwater_core::kafka::message::Node;
use highwater_core::sim::Run;
use std::collections::BTreeSet;

use super::super::class::Hue;
use super::super::history::History;
use super::super::series::Interval;
use super::super::shape::Tenths;
use super::super::sheet::replica_hue;
use super::Room;

/// One lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Who.
    pub node: Node,
    /// Its middle.
    pub x: Tenths,
    /// Whose hue.
    pub hue: Hue,
    /// While its process runs.
    pub alive: Vec<(Millis, Millis)>,
    /// While it leads.
    pub leads: Vec<(Millis, Millis)>,
}

/// All lanes, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// The lanes.
    pub list: Vec<Lane>,
    /// How wide each is.
    pub width: Tenths,
}

impl Lanes {
    /// The lanes of everybody who sends or receives anything in the run, and of every replica.
    pub fn new(run: &Run, history: &History, room: &Room) -> Lanes {
        let ends = run
            .messages
            .iter()
            .flat_map(|m| [m.message.from, m.message.to]);
        let speaks: BTreeSet<Node> = ends.collect();
        let mut list: Vec<Lane> = Vec::new();
        let whole = vec![(Millis(0), history.end)];
        let plain = |node| Lane {
            node,
            x: 0,
            hue: Hue::Plain,
            alive: whole.clone(),
            leads: Vec::new(),
        };
        if speaks.contains(&Node::Producer) {
            list.push(plain(Node::Producer));
        }
        let pairs = |spans: &[Interval]| spans.iter().map(|i| (i.from, i.to)).collect();
        for replica in &history.replicas {
            let leads: Vec<Interval> = replica.leads.iter().map(|(span, _)| *span).collect();
            list.push(Lane {
                hue: replica_hue(replica.place),
                alive: pairs(&replica.alive),
                leads: pairs(&leads),
                ..plain(Node::Broker(replica.broker))
            });
        }
        for node in &speaks {
            let known = list.iter().any(|lane| lane.node == *node);
            if matches!(node, Node::Broker(_)) && !known {
                list.push(plain(*node));
            }
        }
        for node in [Node::Consumer, Node::Controller] {
            if speaks.contains(&node) {
                list.push(plain(node));
            }
        }
        let count = i32::try_from(list.len()).unwrap_or(1).max(1);
        let width = room.right.saturating_sub(room.left) / count;
        for (lane, place) in list.iter_mut().zip(0_i32..) {
            lane.x = room.left + width * place + width / 2;
        }
        Lanes { list, width }
    }

    /// The middle of somebody's lane.
    pub fn x(&self, node: Node) -> Option<Tenths> {
        self.lane(node).map(|lane| lane.x)
    }

    /// Somebody's lane.
    pub fn lane(&self, node: Node) -> Option<&Lane> {
        self.list.iter().find(|lane| lane.node == node)
    }
}
