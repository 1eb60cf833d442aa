//! One message: what it is for, every field with its meaning, its answer, and what came of it.

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{EventId, MessageId};
use highwater_core::kafka::message::Body;
use highwater_core::sim::{MessageRecord, Run};

use super::Known;
use super::asked::Asked;
use super::fields::{Field, fields, name, purpose};
use super::html::{button, element};
use super::list::{fate, sentence, way};
use super::messages::partner;
use super::words::{fill, tell};
use crate::picture::clock::significant;
use crate::text::Text;
use crate::text::arg::millis;
use crate::text::because::Narrator;

/// At most so many consequences are listed.
const MOST: usize = 8;

/// The markup; empty when no message is selected.
pub fn view(text: &Text, known: &Known, asked: &Asked) -> String {
    let found = asked
        .message
        .and_then(|id| known.run.messages.get(id.0 as usize));
    let Some(message) = found else {
        return String::new();
    };
    let body = &message.message.body;
    let mut out = String::from("<div class=\"detail-head\">");
    element(&mut out, "h2 class=\"h\" translate=\"no\"", name(body));
    button(&mut out, "link", &[("data-close", "")], &tell!(text, Close));
    out.push_str("</div>");
    element(&mut out, "p class=\"way\"", &way(text, message));
    element(
        &mut out,
        "p class=\"note\"",
        &fate(text, &known.run, message),
    );
    element(&mut out, "p", &fill(text, purpose(body), &[]));
    if let Body::FetchResponse(response) = body
        && response.parked.0 > 0
    {
        element(
            &mut out,
            "p",
            &tell!(text, WasParked, time = response.parked),
        );
    }
    let fields = fields(body);
    if !fields.is_empty() {
        element(&mut out, "h3", &tell!(text, Fields));
        list_fields(&mut out, text, &fields);
    }
    other_half(&mut out, text, known, message);
    consequences(&mut out, text, &known.run, message);
    out
}

/// Fields with their meaning under each.
fn list_fields(out: &mut String, text: &Text, fields: &[Field]) {
    out.push_str("<dl class=\"meanings\">");
    for field in fields {
        element(out, "dt translate=\"no\"", field.name);
        out.push_str("<dd>");
        let value = match field.value.as_str() {
            "" => "[]",
            value => value,
        };
        element(out, "b translate=\"no\"", value);
        element(out, "span", &fill(text, field.meaning, &[]));
        out.push_str("</dd>");
    }
    out.push_str("</dl>");
}

fn other_half(out: &mut String, text: &Text, known: &Known, message: &MessageRecord) {
    let request = message.message.reply_to.is_none();
    let other = partner(known, message.id).and_then(|id| known.run.messages.get(id.0 as usize));
    let asks = !matches!(message.message.body, Body::Metadata(_) | Body::Disconnected);
    let heading = match request {
        true => tell!(text, ItsAnswer),
        false => tell!(text, ItAnswers),
    };
    match other {
        Some(other) => {
            element(out, "h3", &heading);
            let id = other.id.0.to_string();
            let words = format!(
                "{} {}",
                millis(other.sent_at),
                sentence(text, &known.run, other)
            );
            let event = other.end_event.unwrap_or(other.sent_event);
            let seek = format!("seek:{}", event.0);
            button(
                out,
                "link",
                &[("data-message", &id), ("data-do", &seek)],
                &words,
            );
        }
        None if request && asks => {
            element(out, "h3", &heading);
            element(out, "p", &tell!(text, NoAnswerCame));
        }
        None => {}
    }
}

/// What the arrival led to, before anything else was taken in.
fn consequences(out: &mut String, text: &Text, run: &Run, message: &MessageRecord) {
    element(out, "h3", &tell!(text, CameOfIt));
    let Some(arrival) = message.end_event.filter(|_| message.arrived_at.is_some()) else {
        element(out, "p", &tell!(text, NeverArrived));
        return;
    };
    let came = after(run, arrival, message.id);
    if came.is_empty() {
        element(out, "p", &tell!(text, NothingCame));
        return;
    }
    let narrator = Narrator::new(text, run);
    out.push_str("<ul class=\"came\">");
    for event in came.into_iter().take(MOST) {
        out.push_str("<li>");
        let seek = format!("seek:{}", event.id.0);
        button(out, "link", &[("data-do", &seek)], &narrator.caption(event));
        out.push_str("</li>");
    }
    out.push_str("</ul>");
}

/// The events that follow from an arrival: those behind it, up to the next thing that was taken in, whose chain of triggers
/// leads back to it.
fn after(run: &Run, arrival: EventId, id: MessageId) -> Vec<&Event> {
    let mut chain = vec![arrival];
    let mut list = Vec::new();
    for event in run.events.iter().skip(arrival.0 as usize + 1) {
        if matches!(event.kind, EventKind::MessageArrived { message } if message != id) {
            break;
        }
        if event
            .cause
            .trigger
            .is_none_or(|trigger| !chain.contains(&trigger))
        {
            continue;
        }
        chain.push(event.id);
        let shown = significant(event)
            || matches!(
                event.kind,
                EventKind::FollowerStateUpdated { .. }
                    | EventKind::FetchParked { .. }
                    | EventKind::HwHeld { .. }
                    | EventKind::MessageIgnored { .. }
            );
        if shown {
            list.push(event);
        }
    }
    list
}
