//! From message to message by keys: where the next one is.

use highwater_core::kafka::ids::MessageId;

use super::asked::Asked;
use super::messages::{diagram, partner};
use super::{Desk, Known};
use crate::picture::messages::Diagram;
use crate::picture::messages::arrow::Arrow;

/// The message that a key leads to, the top and bottom of its arrow in tenths of a px, and the event to go to:
/// `id top bottom event`. Empty when there is none.
pub fn to(desk: &mut Desk, known: &Known, asked: &Asked) -> Result<String, String> {
    let diagram = diagram(desk, known, asked)?;
    let found = match (asked.step.as_str(), asked.message) {
        ("pair", Some(id)) => partner(known, id).and_then(|id| diagram.arrow(id).map(|_| id)),
        ("first", _) => diagram.arrows.first().map(|arrow| arrow.message),
        ("last", _) => diagram.arrows.last().map(last_of),
        ("here", Some(id)) => Some(id),
        (step, Some(id)) => beside(&diagram, id, step == "previous"),
        // Nothing is selected yet: the first that leaves at the playhead or after it.
        (_, None) => {
            let y = diagram.clock.y(asked.instant.at);
            let after = diagram.arrows.iter().find(|arrow| arrow.from.y >= y);
            after.or(diagram.arrows.last()).map(|arrow| arrow.message)
        }
    };
    let arrow = found.and_then(|id| Some((id, diagram.arrow(id)?)));
    Ok(arrow.map_or_else(String::new, |(id, arrow)| {
        let event = known
            .run
            .messages
            .get(id.0 as usize)
            .map_or(arrow.event, |m| m.end_event.unwrap_or(m.sent_event));
        format!("{} {} {} {}", id.0, arrow.from.y, arrow.to.y, event.0)
    }))
}

/// The last message of a bundle.
fn last_of(arrow: &Arrow) -> MessageId {
    arrow.others.last().copied().unwrap_or(arrow.message)
}

/// The next or the previous message in the order of sending; those of a bundle one after another.
fn beside(diagram: &Diagram, id: MessageId, back: bool) -> Option<MessageId> {
    let place = diagram
        .arrows
        .iter()
        .position(|arrow| arrow.message == id || arrow.others.contains(&id))?;
    let arrow = diagram.arrows.get(place)?;
    let all: Vec<MessageId> = core::iter::once(arrow.message)
        .chain(arrow.others.iter().copied())
        .collect();
    let own = all.iter().position(|of| *of == id)?;
    if back {
        if let Some(before) = own.checked_sub(1) {
            return all.get(before).copied();
        }
        let before = diagram.arrows.get(place.checked_sub(1)?)?;
        return Some(last_of(before));
    }
    match all.get(own + 1) {
        Some(next) => Some(*next),
        None => diagram.arrows.get(place + 1).map(|next| next.message),
    }
}
