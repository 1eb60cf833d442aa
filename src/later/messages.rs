//! The messages view: the stretch of the diagram that is visible, and what stands over it.

use std::sync::Arc;

use highwater_core::kafka::ids::MessageId;
use highwater_core::kafka::message::Node;

use super::asked::Asked;
use super::html::{button, element};
use super::words::tell;
use super::{Desk, Known};
use crate::picture::messages::{Diagram, Marks, Names};
use crate::text::{Arg, Text};

/// The names over the lanes.
fn names(text: &Text) -> Names {
    Names {
        producer: tell!(text, NameProducer),
        consumer: tell!(text, NameConsumer),
        controller: tell!(text, NameController),
    }
}

/// The diagram that is asked for; the last two are kept, those of A and B.
pub fn diagram(desk: &mut Desk, known: &Known, asked: &Asked) -> Result<Arc<Diagram>, String> {
    let question = format!("{}\u{1f}{}", known.scenario, asked.layout);
    if let Some((_, diagram)) = desk.drawn.iter().find(|(of, _)| *of == question) {
        return Ok(Arc::clone(diagram));
    }
    let beside = match asked.beside.as_str() {
        "" => None,
        scenario => Some(desk.known(scenario)?),
    };
    let mut runs = vec![&known.run];
    runs.extend(beside.as_ref().map(|other| &other.run));
    let diagram = Diagram::new(&runs, &known.reading, &asked.room, &names(&desk.text));
    let diagram = Arc::new(diagram);
    desk.drawn.insert(0, (question, Arc::clone(&diagram)));
    desk.drawn.truncate(super::KEPT);
    Ok(diagram)
}

/// The visible stretch as markup for inside of an `<svg>`.
pub fn stretch(desk: &mut Desk, known: &Known, asked: &Asked) -> Result<String, String> {
    let diagram = diagram(desk, known, asked)?;
    let text = &desk.text;
    let holds = |n: usize| tell!(text, FoldHolds, n = n);
    let marks = Marks {
        selected: asked.message,
        partner: asked.message.and_then(|id| partner(known, id)),
        holds: Some(&holds),
    };
    let (top, bottom) = asked.window;
    let (mut markup, left_out) = diagram.markup(top, bottom, &marks);
    if left_out > 0 {
        let words = tell!(text, NotDrawn, n = left_out);
        let (x, y) = (asked.room.left / 10, top.max(asked.room.top) / 10 + 14);
        markup.push_str(&format!("<text class=\"notelost\" x=\"{x}\" y=\"{y}\">"));
        super::html::escape(&mut markup, &words);
        markup.push_str("</text>");
    }
    Ok(markup)
}

/// The other half of an exchange.
pub fn partner(known: &Known, id: MessageId) -> Option<MessageId> {
    let message = known.run.messages.get(id.0 as usize)?;
    message
        .message
        .reply_to
        .or_else(|| known.reading.answer(id))
}

/// The accessible name of the diagram.
pub fn label(desk: &mut Desk, known: &Known, asked: &Asked) -> Result<String, String> {
    let diagram = diagram(desk, known, asked)?;
    let text = &desk.text;
    let lanes: Vec<String> = diagram
        .lanes
        .list
        .iter()
        .map(|lane| node(text, lane.node))
        .collect();
    let lanes = crate::text::arg::list(text, lanes);
    Ok(tell!(
        text,
        MessagesLabel,
        n = diagram.arrows.len(),
        lanes = lanes
    ))
}

/// A place in the reader's words.
pub fn node(text: &Text, node: Node) -> String {
    Arg::from(&node).write(text)
}

/// What stands over the lanes: the view's name, and whether idle polling is shown.
pub fn tools(text: &Text, known: &Known, asked: &Asked) -> String {
    let mut out = String::new();
    out.push_str("<p class=\"messages-title\"><b>");
    super::html::escape(&mut out, &tell!(text, MessagesTitle));
    out.push_str("</b> ");
    element(&mut out, "span", &tell!(text, MessagesAbout));
    out.push_str("</p>");
    let words = match asked.room.idle {
        true => tell!(text, IdleHide),
        false => tell!(text, IdleShow, n = known.reading.idle()),
    };
    let pressed = asked.room.idle.to_string();
    button(
        &mut out,
        "link",
        &[("data-idle", ""), ("aria-pressed", &pressed)],
        &words,
    );
    out
}
