//! The numbered chain: the moments that prove the headline, each a badge where it happens.

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{BrokerId, Offset};

use super::TargetArea;
use super::acks;
use super::class::Look;
use super::shape::{Form, Glyph, Point, Shape, Subject, Tenths, at, glyph, px};
use super::sheet::{Scene, Sheet, id};
use super::strip;
use super::view::{Mode, Panel, Target};

/// Half the width of a badge.
const RADIUS: Tenths = 85;

/// The badges. They take their places before any words do, and are painted last.
pub fn badges(scene: &Scene<'_>, sheet: &mut Sheet) -> Vec<Shape> {
    let mut list: Vec<Shape> = Vec::new();
    for (nth, event) in scene.verdict.chain.iter().enumerate() {
        let found = usize::try_from(event.0)
            .ok()
            .and_then(|e| scene.run.events.get(e));
        let Some(event) = found.filter(|e| scene.shown(e.at)) else {
            continue;
        };
        let number = u8::try_from(nth + 1).unwrap_or(u8::MAX);
        let spot = free(&list, place(scene, event));
        let subject = Subject {
            event: Some(event.id),
            ..Subject::default()
        };
        let badge = glyph(
            id("badge", nth as u64, 0),
            Look::Badge,
            Glyph::Badge(number),
            spot,
            RADIUS,
        );
        sheet.taken.add(badge.form.bounds());
        sheet.targets.push(TargetArea {
            target: Target::Event(event.id),
            area: badge.form.bounds(),
            subject,
            label: number.to_string(),
        });
        list.push(badge.of(subject));
    }
    list
}

/// Two moments at one place stand side by side, or one under the other.
fn free(list: &[Shape], spot: Point) -> Point {
    let step = 2 * RADIUS + px(1);
    let tries =
        (0..8).flat_map(|down| [0, -1].map(|left| at(spot.x + left * step, spot.y + down * step)));
    let mut tries = tries.filter(|p| !list.iter().any(|b| meets(b, *p)));
    tries.next().unwrap_or(spot)
}

fn meets(badge: &Shape, spot: Point) -> bool {
    match &badge.form {
        Form::Glyph { middle, .. } => {
            (middle.x - spot.x).abs() < 2 * RADIUS && (middle.y - spot.y).abs() < 2 * RADIUS
        }
        _ => false,
    }
}

/// Where an event happens on the picture.
pub fn place(scene: &Scene<'_>, event: &Event) -> Point {
    let y = scene.y(event.at);
    let x = match &event.kind {
        EventKind::ProduceCalled { send, .. }
        | EventKind::ProduceSent { send, .. }
        | EventKind::ProduceAnswered { send, .. }
        | EventKind::ProduceCompleted { send, .. }
        | EventKind::DeliveryTimedOut { send }
        | EventKind::AppendRefused { send, .. }
        | EventKind::ProduceParked { send, .. } => {
            let send = scene.history.sends.iter().find(|s| s.id == *send);
            let middle = send.and_then(|s| acks::middle_of(scene, s));
            middle.map_or(scene.panel(Panel::Acks).left(), |x| x - px(24))
        }
        EventKind::Appended { batch, .. } => lag(scene, batch.base),
        EventKind::Truncated { to, .. } => lag(scene, *to),
        EventKind::Diverged { cut, .. } => lag(scene, *cut),
        EventKind::HwChanged { to, .. } => lag(scene, Offset(to.0.saturating_sub(1))),
        EventKind::HwHeld { at, .. } => lag(scene, *at),
        EventKind::Consumed { from, .. } => column(scene, Panel::Visibility, *from) - px(13),
        EventKind::BrokerStopped { broker, .. }
        | EventKind::BrokerStarted { broker, .. }
        | EventKind::BrokerExited { broker, .. }
        | EventKind::BrokerFenced { broker, .. }
        | EventKind::BrokerUnfenced { broker, .. } => beside(scene, *broker),
        EventKind::PartitionChanged { after, .. } => match after.leader {
            Some(leader) => lane(scene, leader),
            None => scene.frame.strip - px(4),
        },
        EventKind::BecameLeader { broker, .. } => lane(scene, *broker),
        EventKind::IsrProposed { leader, .. } | EventKind::IsrAnswered { leader, .. } => {
            lane(scene, *leader)
        }
        _ => scene.frame.ruler,
    };
    // What belongs to a panel stands at the clock while there are no panels.
    let x = match scene.view.mode {
        Mode::Messages if x > scene.frame.strip_words => scene.frame.ruler,
        _ => x,
    };
    at(x.max(RADIUS), y)
}

fn column(scene: &Scene<'_>, panel: Panel, offset: Offset) -> Tenths {
    let frame = scene.panel(panel);
    let place = scene.columns.of(offset).and_then(|c| frame.column(c));
    place.map_or(frame.offsets_right(), |(left, _)| left)
}

fn lag(scene: &Scene<'_>, offset: Offset) -> Tenths {
    column(scene, Panel::Lag, offset) - px(13)
}

fn lane(scene: &Scene<'_>, broker: BrokerId) -> Tenths {
    let place = scene
        .history
        .replicas
        .iter()
        .position(|r| r.broker == broker);
    strip::middle(scene, place.unwrap_or(0))
}

/// Left of the broker's cross on the strip.
fn beside(scene: &Scene<'_>, broker: BrokerId) -> Tenths {
    lane(scene, broker) - (scene.frame.lane * 7 / 10).max(px(14))
}
