//! The names over the lanes. Where they have no room beside each other they stand in two rows.

use highwater_core::kafka::message::Node;

use super::super::class::{Class, Look};
use super::super::measure;
use super::super::shape::{Anchor, Form, Shape, at, px};
use super::super::sheet::id;
use super::lanes::Lanes;
use super::{Names, Room};

/// The names.
pub fn over(lanes: &Lanes, room: &Room, names: &Names) -> Vec<Shape> {
    let list: Vec<(Class, String)> = lanes
        .list
        .iter()
        .map(|lane| match lane.node {
            Node::Broker(broker) => (Class::hued(Look::LaneNumber, lane.hue), broker.to_string()),
            Node::Producer => (Look::Key.into(), names.producer.clone()),
            Node::Consumer => (Look::Key.into(), names.consumer.clone()),
            Node::Controller => (Look::Key.into(), names.controller.clone()),
        })
        .collect();
    let crowded = list
        .iter()
        .any(|(class, name)| measure::width(class.look, name) + px(4) > lanes.width);
    let mut shapes = Vec::new();
    for (place, ((class, name), lane)) in list.into_iter().zip(&lanes.list).enumerate() {
        let up = crowded && !matches!(lane.node, Node::Broker(_)) && place % 2 == 0;
        let width = measure::width(class.look, &name);
        // A name at the edge stays inside.
        let half = width / 2;
        let x = lane.x.max(room.left + half).min(room.right - half);
        let form = Form::Text {
            at: at(x, room.top - px(if up { 27 } else { 14 })),
            anchor: Anchor::Middle,
            strong: String::new(),
            words: name,
            width,
        };
        shapes.push(Shape::new(id("lane", place as u64, 0), class, form));
    }
    shapes
}
