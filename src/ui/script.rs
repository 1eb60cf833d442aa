//! The script as a list of steps and as text. Both change the same scenario; wrong text keeps the last good run.

use leptos::prelude::*;

use super::context::{Lab, Same};
use super::icons;
use crate::browser::dom;
use crate::say;
use crate::session::Command;
use crate::session::look;
use crate::session::model::{ScriptError, When, time};
use crate::session::state::{Refusal, Session};
use crate::text::mistake::mistake;

/// Both, side by side.
pub fn panel(lab: Lab) -> impl IntoView {
    let text = lab.text();
    view! {
        <section class="script" id="script" aria-label=say!(text, Script)>
            {list(lab)}
            {editor(lab)}
        </section>
    }
}

/// What a row of the list shows.
#[derive(Clone, PartialEq, Eq)]
struct Row {
    at: String,
    /// Whether the time is its own, or follows from the step before.
    tied: bool,
    action: String,
}

fn rows(session: &Session) -> Vec<Row> {
    let actions = look::actions(session);
    let steps = &session.scenario().steps;
    steps
        .iter()
        .zip(actions)
        .zip(&session.ran().times)
        .map(|((step, action), at)| Row {
            at: time::print(*at),
            tied: !matches!(step.when, When::At(_)),
            action,
        })
        .collect()
}

fn list(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let all = lab.memo(rows);
    let here = lab.memo(look::step_at);
    let wrong = lab.memo(|session| !session.errors().is_empty());
    let items = {
        let text = text.clone();
        move || {
            let rows = all.get();
            if rows.is_empty() {
                return view! { <li class="quiet">{say!(text, ScriptEmpty)}</li> }.into_any();
            }
            rows.into_iter()
                .enumerate()
                .map(|(index, row)| step_row(lab, index, row, here, wrong))
                .collect_view()
                .into_any()
        }
    };
    let locked = move || {
        wrong
            .get()
            .then(|| view! { <p class="stale">{say!(lab.text(), ScriptListLocked)}</p> })
    };
    view! {
        <div>
            <h2 class="h">{say!(text, ScriptSteps)}</h2>
            {locked}
            <ol class="steps">{items}</ol>
        </div>
    }
}

fn step_row(
    lab: Lab,
    index: usize,
    row: Row,
    here: Memo<Option<usize>>,
    wrong: Memo<bool>,
) -> impl IntoView {
    let text = lab.text();
    let number = index.saturating_add(1);
    let was = row.at.clone();
    let retime = move |event: leptos::ev::Event| {
        let written = event_target_value(&event);
        match time::read(written.trim()) {
            Some(at) => {
                lab.send(Command::MoveStep { step: index, at });
                lab.send(Command::DropStep);
            }
            None => dom::set_value(&event, &was),
        }
    };
    let rewrite = move |event: leptos::ev::Event| {
        lab.send(Command::EditStep {
            step: index,
            action: event_target_value(&event),
        });
    };
    let refusal = move || {
        let text = lab.text();
        lab.with(|session| match session.refusal() {
            Some(Refusal::Step { step, error, .. }) if *step == index => {
                Some(view! { <p class="wrong" role="alert">{mistake(&text, error)}</p> })
            }
            _ => None,
        })
    };
    view! {
        <li class:at-playhead=move || here.get() == Some(index)>
            <input
                class="field time"
                class:tied=row.tied
                aria-label=say!(text, StepTime, n = number)
                autocomplete="off"
                prop:value=row.at
                disabled=move || wrong.get()
                on:change=retime
            />
            <input
                class="field line"
                id=format!("step-action-{index}")
                aria-label=say!(text, StepAction, n = number)
                autocomplete="off"
                spellcheck="false"
                prop:value=row.action
                disabled=move || wrong.get()
                on:change=rewrite
            />
            <button
                type="button"
                class="btn plain"
                aria-label=say!(text, StepRemove, n = number)
                title=say!(text, StepRemove, n = number)
                disabled=move || wrong.get()
                on:click=move |_| lab.send(Command::RemoveStep(index))
            >
                {icons::remove()}
            </button>
            {refusal}
        </li>
    }
}

fn editor(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let written = lab.memo(|session| session.text().clone());
    let wrong = lab.memo(|session| !session.errors().is_empty());
    let area = NodeRef::<leptos::html::Textarea>::new();
    // What was typed is in the area already: putting ten megabytes back would cost seconds and move the cursor.
    let typed = StoredValue::new(String::new());
    Effect::new(move |_| {
        let text = written.get();
        if let Some(area) = area.get()
            && typed.with_value(|typed| **typed != *text)
        {
            area.set_value(&text);
            typed.set_value(text.to_string());
        }
    });
    let copied = RwSignal::new(None::<bool>);
    let copy = move |_| {
        let words = lab.peek(|session| session.text().to_string());
        leptos::task::spawn_local(async move {
            copied.set(Some(crate::browser::clipboard::write(&words).await));
        });
    };
    let copy_words = {
        let text = text.clone();
        move || match copied.get() {
            None => say!(text, Copy),
            Some(true) => say!(text, Copied),
            Some(false) => say!(text, CopyFailed),
        }
    };
    view! {
        <div class="editor">
            <div class="editor-head">
                <h2 class="h"><label for="script-text">{say!(text, ScriptAsText)}</label></h2>
                <button type="button" class="link tall" aria-live="polite" on:click=copy>{copy_words}</button>
            </div>
            <textarea
                id="script-text"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                aria-invalid=move || wrong.get().to_string()
                aria-describedby="script-errors"
                node_ref=area
                on:input=move |event| {
                    let text = event_target_value(&event);
                    typed.set_value(text.clone());
                    lab.send(Command::EditText(text));
                }
            ></textarea>
            {errors(lab)}
        </div>
    }
}

/// Most mistakes that are listed.
const MOST: usize = 20;

/// The mistakes, each with a way to its place.
fn errors(lab: Lab) -> impl IntoView {
    let wrong = lab.memo(|session| Same(session.errors().clone()));
    let list = move || {
        let text = lab.text();
        let errors = wrong.get();
        if errors.is_empty() {
            return None;
        }
        let items = errors
            .iter()
            .take(MOST)
            .map(|error| {
                let error_at = error.clone();
                let (before, marked, after) = lab.peek(|session| around(session.text(), error));
                view! {
                    <li>
                        <button type="button" class="link tall" on:click=move |_| show(lab, &error_at)>
                            {mistake(&text, error)}
                        </button>
                        <pre translate="no">{before}<u>{marked}</u>{after}</pre>
                    </li>
                }
            })
            .collect_view();
        let more = errors.len().saturating_sub(MOST);
        let more = (more > 0).then(|| view! { <li>{say!(text, ErrorsMore, n = more)}</li> });
        Some(view! {
            <p class="stale">{say!(text, ScriptKept)}</p>
            <ul class="errors">{items}{more}</ul>
        })
    };
    view! { <div id="script-errors" role="alert">{list}</div> }
}

/// The line of a mistake in three parts: before, what is meant, after.
fn around(text: &str, error: &ScriptError) -> (String, String, String) {
    let line = usize::try_from(error.line.saturating_sub(1))
        .ok()
        .and_then(|place| text.lines().nth(place))
        .unwrap_or_default();
    let start = error.column.saturating_sub(1) as usize;
    let length = (error.length as usize).max(1);
    let mut chars = line.chars();
    let before: String = chars.by_ref().take(start.min(200)).collect();
    let marked: String = chars.by_ref().take(length.min(80)).collect();
    let after: String = chars.take(80).collect();
    let marked = if marked.is_empty() {
        " ".to_owned()
    } else {
        marked
    };
    (before, marked, after)
}

/// Selects the place of a mistake in the text; the text area counts in UTF-16.
fn show(lab: Lab, error: &ScriptError) {
    let (start, end) = lab.peek(|session| utf16_range(session.text(), error));
    dom::select_text("script-text", start, end);
}

fn utf16_range(text: &str, error: &ScriptError) -> (u32, u32) {
    let mut at: u32 = 0;
    let mut lines = text.split_inclusive('\n');
    for line in lines.by_ref().take(error.line.saturating_sub(1) as usize) {
        at = at.saturating_add(units(line.chars()));
    }
    let line = lines
        .next()
        .unwrap_or_default()
        .trim_end_matches(['\n', '\r']);
    let column = error.column.saturating_sub(1) as usize;
    let start = at.saturating_add(units(line.chars().take(column)));
    let end = start.saturating_add(units(line.chars().skip(column).take(error.length as usize)));
    (start, end)
}

fn units(chars: impl Iterator<Item = char>) -> u32 {
    chars
        .map(|c| c.len_utf16() as u32)
        .fold(0, u32::saturating_add)
}
