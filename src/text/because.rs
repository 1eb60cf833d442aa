//! The sentence behind an event: what happened and why, with the numbers of its cause and the rule's source.
//!
//! Nothing is computed again here: every number comes from the event, its cause, or the message it names.

mod cluster;
mod leader;
mod links;
mod message;
mod numbers;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
mod what;
mod why;

pub use links::Link;
pub use numbers::{NumberLine, label, value};

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{MessageId, SendId};
use highwater_core::kafka::message::{Body, Message};
use highwater_core::sim::Run;

use super::{Arg, Text};
use crate::say;

/// What is said about an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// One sentence, at most two.
    pub text: String,
    /// Where the rule stands: Kafka's method and the KIP.
    pub links: Vec<Link>,
}

/// Says one event. For many events of a run make one [`Narrator`].
pub fn because(text: &Text, run: &Run, event: &Event) -> Sentence {
    Narrator::new(text, run).because(event)
}

/// A produce call as the script made it.
#[derive(Clone, Copy, Debug)]
struct Call {
    first: u64,
    count: u64,
}

/// Says the events of one run; knows which records each produce call has.
#[derive(Debug)]
pub struct Narrator<'a> {
    text: &'a Text,
    run: &'a Run,
    /// By [`SendId`].
    calls: Vec<Option<Call>>,
}

impl<'a> Narrator<'a> {
    /// Reads the produce calls of a run.
    pub fn new(text: &'a Text, run: &'a Run) -> Narrator<'a> {
        let mut calls: Vec<Option<Call>> = Vec::new();
        for event in &run.events {
            if let EventKind::ProduceCalled {
                send,
                first_record,
                count,
                ..
            } = event.kind
            {
                let place = send.0 as usize;
                // Calls are numbered in the order in which they are made; a gap would be a fault of the run.
                if place >= calls.len() && place <= run.events.len() {
                    calls.resize(place + 1, None);
                }
                if let Some(slot) = calls.get_mut(place) {
                    *slot = Some(Call {
                        first: first_record,
                        count,
                    });
                }
            }
        }
        Narrator { text, run, calls }
    }

    /// The language it speaks.
    pub fn text(&self) -> &'a Text {
        self.text
    }

    /// What happened, without why: a caption.
    pub fn caption(&self, event: &Event) -> String {
        self.what(event)
    }

    /// What happened and why.
    pub fn because(&self, event: &Event) -> Sentence {
        let what = self.what(event);
        let text = match self.why(event) {
            Some(why) => say!(self.text, Sentences, a = what, b = why),
            None => what,
        };
        Sentence {
            text,
            links: links::of(event.cause.rule),
        }
    }

    /// The records of a produce call.
    fn records(&self, send: SendId) -> Arg<'static> {
        match self.call(send) {
            Some(call) => Arg::Records {
                first: call.first,
                count: call.count,
            },
            None => Arg::Unnamed(u64::from(send.0)),
        }
    }

    fn call(&self, send: SendId) -> Option<Call> {
        self.calls.get(send.0 as usize).copied().flatten()
    }

    fn message(&self, id: MessageId) -> Option<&'a Message> {
        self.run
            .messages
            .get(id.0 as usize)
            .map(|record| record.message.as_ref())
    }

    fn body(&self, id: MessageId) -> Option<&'a Body> {
        self.message(id).map(|message| &message.body)
    }
}
