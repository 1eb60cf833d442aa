//! Beside the picture: the proof in numbered moments, why the present event happened, and the logs.

use leptos::prelude::*;

use super::context::{Lab, Same};
use super::{logs, notes};
use crate::say;
use crate::session::Command;
use crate::session::model::EventId;
use crate::session::state::Session;
use crate::text::arg::millis;
use crate::text::because::Narrator;

/// The column.
pub fn side(lab: Lab) -> impl IntoView {
    let text = lab.text();
    view! {
        <aside class="side" aria-label=say!(text, SideLabel)>
            {chain(lab)}
            {because(lab)}
            {logs::logs_section(lab)}
        </aside>
    }
}

/// The chain of the verdict: each moment is a link to its instant.
fn chain(lab: Lab) -> impl IntoView {
    let ran = lab.memo(|session| Same(session.ran().clone()));
    move || {
        let text = lab.text();
        let ran = ran.get();
        if ran.verdict.chain.is_empty() {
            return None;
        }
        let narrator = Narrator::new(&text, &ran.run);
        let items = ran
            .verdict
            .chain
            .iter()
            .filter_map(|id| ran.event(*id))
            .enumerate()
            .map(|(place, event)| {
                let id = event.id;
                view! {
                    <li>
                        <button type="button" on:click=move |_| lab.send(Command::SeekEvent(id))>
                            <span class="number">{(place + 1).to_string()}</span>
                            <span><time>{millis(event.at)}</time>{narrator.caption(event)}</span>
                        </button>
                    </li>
                }
            })
            .collect_view();
        Some(view! {
            <section>
                <h2 class="h">{say!(text, Chain)}</h2>
                <ol class="chain">{items}</ol>
            </section>
        })
    }
}

/// What the panel of reasons shows.
#[derive(Clone, PartialEq)]
struct Reason {
    at: String,
    sentence: String,
    links: Vec<(String, String)>,
    numbers: Vec<(String, String, Option<EventId>)>,
}

fn reason(text: &crate::text::Text, session: &Session) -> Reason {
    let at = millis(session.playhead().at);
    let Some(event) = session.event() else {
        return Reason {
            at,
            sentence: say!(text, NothingYet),
            links: Vec::new(),
            numbers: Vec::new(),
        };
    };
    let said = notes::because(text, session, event);
    let narrator = Narrator::new(text, &session.ran().run);
    Reason {
        at,
        sentence: said.text,
        links: said
            .links
            .into_iter()
            .map(|link| (link.label, link.url))
            .collect(),
        numbers: narrator
            .numbers(&event.cause)
            .into_iter()
            .map(|number| (number.label, number.value, number.set_by))
            .collect(),
    }
}

/// Why the event at the playhead happened, with the rule's source and the numbers it looked at.
fn because(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let said = lab.memo({
        let text = text.clone();
        move |session| reason(&text, session)
    });
    let title = {
        let text = text.clone();
        move || say!(text, BecauseAt, time = said.get().at)
    };
    let links = move || {
        let links = said.get().links;
        (!links.is_empty()).then(|| {
            let items = links
                .into_iter()
                .map(|(label, url)| {
                    view! { <li><a href=url rel="noopener noreferrer" target="_blank" translate="no">{label}</a></li> }
                })
                .collect_view();
            view! { <ul class="sources">{items}</ul> }
        })
    };
    let numbers = move || {
        let numbers = said.get().numbers;
        (!numbers.is_empty()).then(|| {
            let rows = numbers
                .into_iter()
                .map(|(label, value, set_by)| {
                    let value = match set_by {
                        Some(id) => view! {
                            <button type="button" class="link" on:click=move |_| lab.send(Command::SeekEvent(id))>
                                {value}
                            </button>
                        }
                        .into_any(),
                        None => value.into_any(),
                    };
                    view! { <dt>{label}</dt><dd>{value}</dd> }
                })
                .collect_view();
            view! { <dl class="numbers">{rows}</dl> }
        })
    };
    view! {
        <section>
            <h2 class="h">{title}</h2>
            <p>{move || said.get().sentence}</p>
            {links}
            {numbers}
        </section>
    }
}
