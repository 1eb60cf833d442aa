//! The messages as a list: the text alternative of the diagram, and the way to any of them without it.

use highwater_core::kafka::event::Loss;
use highwater_core::sim::{MessageRecord, Run};

use super::Known;
use super::asked::Asked;
use super::fields::name;
use super::html::{button, element};
use super::messages::node;
use super::words::tell;
use crate::picture::messages::idle::loss;
use crate::picture::messages::says::says;
use crate::text::Text;

/// So many messages stand in the list at once.
const PAGE: usize = 40;

/// The markup: the messages from the playhead on, or so many pages before or after.
pub fn view(text: &Text, known: &Known, asked: &Asked) -> String {
    let shown: Vec<&MessageRecord> = known
        .run
        .messages
        .iter()
        .filter(|m| asked.room.idle || !known.reading.is_idle(m.id))
        .collect();
    let here = shown.partition_point(|m| m.sent_at < asked.instant.at);
    // The last page is a full one.
    let here = here.min(shown.len().saturating_sub(PAGE));
    let moved = asked.page.saturating_mul(i64::try_from(PAGE).unwrap_or(40));
    let first = i64::try_from(here)
        .unwrap_or(0)
        .saturating_add(moved)
        .max(0);
    let first = usize::try_from(first)
        .unwrap_or(0)
        .min(shown.len().saturating_sub(1));
    let page: Vec<&&MessageRecord> = shown.iter().skip(first).take(PAGE).collect();
    let open = if asked.step == "open" { " open" } else { "" };
    let mut out = format!("<details{open}>");
    element(&mut out, "summary", &tell!(text, ListTitle));
    let from = page.first().map(|m| m.sent_at).unwrap_or_default();
    let count = tell!(
        text,
        ListFrom,
        n = page.len(),
        total = shown.len(),
        at = from
    );
    element(&mut out, "p class=\"note\"", &count);
    out.push_str("<ol class=\"lines message-list\">");
    for message in page {
        line(&mut out, text, &known.run, message, asked);
    }
    out.push_str("</ol><p class=\"pages\">");
    if first > 0 {
        let page = (asked.page - 1).to_string();
        button(
            &mut out,
            "btn",
            &[("data-page", &page)],
            &tell!(text, ListEarlier),
        );
    }
    if first + PAGE < shown.len() {
        let page = (asked.page + 1).to_string();
        button(
            &mut out,
            "btn",
            &[("data-page", &page)],
            &tell!(text, ListLater),
        );
    }
    out.push_str("</p></details>");
    out
}

fn line(out: &mut String, text: &Text, run: &Run, message: &MessageRecord, asked: &Asked) {
    let chosen = asked.message == Some(message.id);
    out.push_str(if chosen {
        "<li class=\"here\">"
    } else {
        "<li>"
    });
    let id = message.id.0.to_string();
    let event = message.end_event.unwrap_or(message.sent_event).0;
    let seek = format!("seek:{event}");
    let time = crate::text::arg::millis(message.sent_at);
    let attributes = [("data-message", id.as_str()), ("data-do", seek.as_str())];
    button(out, "link", &attributes, &time);
    element(out, "span", &sentence(text, run, message));
    out.push_str("</li>");
}

/// A message in a line: who to whom, what, and what became of it.
pub fn sentence(text: &Text, run: &Run, message: &MessageRecord) -> String {
    let (long, _) = says(&message.message.body);
    let name = name(&message.message.body);
    let what = if name.starts_with(&long) || long.starts_with(name) {
        name.to_owned()
    } else {
        format!("{name} ({long})")
    };
    format!(
        "{}: {what}; {}",
        way(text, message),
        fate(text, run, message)
    )
}

/// From whom to whom.
pub fn way(text: &Text, message: &MessageRecord) -> String {
    let (from, to) = (
        node(text, message.message.from),
        node(text, message.message.to),
    );
    tell!(text, Way, from = from, to = to)
}

/// When it left, and when it arrived or why it did not.
pub fn fate(text: &Text, run: &Run, message: &MessageRecord) -> String {
    let sent = message.sent_at;
    match (message.arrived_at, loss(run, message)) {
        (Some(at), _) => tell!(text, Arrived, sent = sent, at = at),
        (None, None) => tell!(text, StillOnItsWay, sent = sent),
        (None, Some(Loss::Dropped)) => tell!(text, LostDropped, sent = sent),
        (None, Some(Loss::LinkCut)) => tell!(text, LostCut, sent = sent),
        (None, Some(Loss::ReceiverDown)) => tell!(text, LostDown, sent = sent),
        (None, Some(Loss::ConnectionClosed)) => tell!(text, LostClosed, sent = sent),
    }
}
