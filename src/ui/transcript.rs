//! Everything that the picture shows, as text: one line an event, each a way to its instant.

use leptos::prelude::*;

use super::context::{Lab, Same};
use crate::say;
use crate::session::Command;
use crate::session::state::Session;
use crate::text::arg::millis;
use crate::text::because::Narrator;

/// Lines that are shown at first, and how many more each time.
const LINES: usize = 200;

/// The transcript, folded at first.
pub fn transcript(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let ran = lab.memo(|session| Same(session.ran().clone()));
    let here = lab.memo(Session::event_id);
    let opened = RwSignal::new(false);
    let shown = RwSignal::new(LINES);
    let lines = move || {
        if !opened.get() {
            return None;
        }
        let text = lab.text();
        let ran = ran.get();
        let narrator = Narrator::new(&text, &ran.run);
        let items = ran
            .moments
            .iter()
            .take(shown.get())
            .filter_map(|(_, id)| ran.event(id))
            .map(|event| {
                let id = event.id;
                view! {
                    <li class:here=move || here.get() == Some(id)>
                        <button type="button" class="link" on:click=move |_| lab.send(Command::SeekEvent(id))>
                            {millis(event.at)}
                        </button>
                        <span>{narrator.because(event).text}</span>
                    </li>
                }
            })
            .collect_view();
        let left = ran.moments.len().saturating_sub(shown.get());
        let more = (left > 0).then(|| {
            view! {
                <button type="button" class="btn" on:click=move |_| shown.update(|n| *n += LINES)>
                    {say!(text, TranscriptMore, n = left)}
                </button>
            }
        });
        Some(view! { <ol class="lines">{items}</ol>{more} })
    };
    view! {
        <details class="transcript fold-open" on:toggle=move |event| opened.set(crate::browser::dom::is_open(&event))>
            <summary><h2 class="h">{say!(text, Transcript)}</h2></summary>
            {lines}
        </details>
    }
}
