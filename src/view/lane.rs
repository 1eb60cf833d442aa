//! A broker by its lane in the partition strip: what is under the hand, and what the keyboard takes hold of.

use std::sync::Arc;

use super::figure::place_of;
use super::html::Html;
use super::state::State;
use crate::picture::clock::Clock;
use crate::picture::shape::Bounds;
use crate::picture::view::Target;
use crate::say;
use crate::session::model::BrokerId;

/// A lane under the hand.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its broker.
    pub broker: BrokerId,
    /// The picture's clock when it was taken.
    pub clock: Arc<Clock>,
    /// Where the pointer went down, in px.
    pub from: f64,
}

/// The lanes of the strip, in its order.
pub fn lanes(state: &State) -> impl Iterator<Item = (BrokerId, Bounds)> {
    let targets = state.picture.targets.iter();
    targets.filter_map(|target| match target.target {
        Target::Lane(broker) => Some((broker, target.area)),
        _ => None,
    })
}

/// The brokers' numbers over the strip, as one target for the keyboard: by itself each would be too narrow for a thumb.
pub fn handle(state: &State, html: &mut Html) {
    let all = lanes(state).map(|(_, area)| area);
    let Some(whole) = all.reduce(|a, b| Bounds {
        left: a.left.min(b.left),
        right: a.right.max(b.right),
        ..a
    }) else {
        return;
    };
    let chosen = lanes(state).nth(state.lane).or_else(|| lanes(state).last());
    let Some((broker, own)) = chosen else { return };
    let over = |area| place_of(state.picture.over_lanes(area));
    html.raw("<button type=\"button\" class=\"lane-handle\" id=\"lanes\"")
        .act("lane", &broker.to_string())
        .attr("data-lane", &broker.to_string())
        .attr("style", &over(whole))
        .attr(
            "aria-label",
            &say!(&state.text, LaneHandle, broker = broker),
        )
        .raw("></button><span class=\"lane-chosen\"")
        .attr("style", &over(own))
        .raw("></span>");
}
