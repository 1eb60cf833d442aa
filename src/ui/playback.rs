//! The bar under the picture: steps, play, the scrubber, what happens now, adding, undoing.

use leptos::prelude::*;

use super::context::{Lab, Open};
use super::{add_step, icons, notes, parts, scrub};
use crate::picture::view::Panel;
use crate::say;
use crate::session::Command;
use crate::session::state::Session;
use crate::text::arg::millis;

/// The bar.
pub fn bar(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let playing = lab.memo(Session::playing);
    let step = move |command: Command| {
        lab.send(command);
        lab.said.set(now_in_words(lab));
    };
    let play_words = {
        let (play, pause) = (say!(text, Play), say!(text, Pause));
        move || {
            if playing.get() {
                (icons::pause().into_any(), pause.clone())
            } else {
                (icons::play().into_any(), play.clone())
            }
        }
    };
    view! {
        <div class="bar">
        <div class="playback" role="group" aria-label=say!(text, Playback)>
            {caption(lab)}
            {panel_choice(lab)}
            <button type="button" class="btn" aria-label=say!(text, PreviousEvent)
                on:click=move |_| step(Command::PreviousEvent)>{icons::previous()}</button>
            <button type="button" class="btn main" on:click=move |_| lab.send(Command::PlayPause)>
                {play_words}
            </button>
            <button type="button" class="btn" aria-label=say!(text, NextEvent)
                on:click=move |_| step(Command::NextEvent)>{icons::next()}</button>
            {scrub::scrubber(lab)}
            {now(lab)}
        </div>
        {tools(lab)}
        </div>
    }
}

/// The instant and the event in few words.
fn now(lab: Lab) -> impl IntoView {
    let at = lab.memo(|session| millis(session.playhead().at));
    let words = lab.memo({
        let text = lab.text();
        move |session| notes::event_short(&text, session)
    });
    view! {
        <p class="now"><b>{move || at.get()}</b>" · "{move || words.get()}</p>
    }
}

/// The instant and the event in a whole sentence.
pub fn now_in_words(lab: Lab) -> String {
    let text = lab.text();
    lab.peek(|session| {
        let at = millis(session.playhead().at);
        format!("{at}: {}", notes::event_sentence(&text, session))
    })
}

/// On a phone the sentence stands over the controls.
fn caption(lab: Lab) -> impl IntoView {
    let words = lab.memo({
        let text = lab.text();
        move |session| {
            let at = millis(session.playhead().at);
            (at, notes::event_sentence(&text, session))
        }
    });
    view! {
        <p class="caption">
            <b>{move || words.get().0}</b>" "{move || words.get().1}
        </p>
    }
}

/// On a phone: which of the three is wide.
fn panel_choice(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let name = |panel: Panel| match panel {
        Panel::Acks => "acks",
        Panel::Lag => "lag",
        Panel::Visibility => "visibility",
    };
    let chosen = lab.memo(move |session| name(session.panel()).to_owned());
    let options = vec![
        (name(Panel::Acks).to_owned(), say!(text, TabAcks)),
        (name(Panel::Lag).to_owned(), say!(text, TabLag)),
        (
            name(Panel::Visibility).to_owned(),
            say!(text, TabVisibility),
        ),
    ];
    let choose = move |value: String| {
        let panel = Panel::ALL.into_iter().find(|panel| name(*panel) == value);
        lab.send(Command::OpenPanel(panel.unwrap_or_default()));
    };
    let legend = view! { <span class="unseen">{say!(text, TabsLabel)}</span> }.into_any();
    view! {
        <div class="panel-choice">{parts::choice("panel", legend, options, chosen, choose)}</div>
    }
}

/// Adding, undoing, the script.
fn tools(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let can_undo = lab.memo(Session::can_undo);
    let can_redo = lab.memo(Session::can_redo);
    let wrong = lab.memo(|session| !session.errors().is_empty());
    let script = {
        let (plain, wrong_words) = (say!(text, ScriptAsText), say!(text, ScriptOpenWrong));
        move || {
            if wrong.get() {
                wrong_words.clone()
            } else {
                plain.clone()
            }
        }
    };
    view! {
        <div class="tools">
            {add_step::adder(lab)}
            <button type="button" class="btn plain" disabled=move || !can_undo.get()
                on:click=move |_| lab.send(Command::Undo)>{say!(text, Undo)}</button>
            <button type="button" class="btn plain" disabled=move || !can_redo.get()
                on:click=move |_| lab.send(Command::Redo)>{say!(text, Redo)}</button>
            {parts::opener(lab, Open::Script, "script", "btn plain", script)}
        </div>
    }
}
