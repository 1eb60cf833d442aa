//! Adding a step at the playhead: what can happen next, by name.

use leptos::prelude::*;

use super::context::{Lab, Open};
use super::icons;
use crate::browser::dom;
use crate::say;
use crate::session::Command;
use crate::session::look;
use crate::session::model::{Action, BrokerId, ElectionKind, Produce};
use crate::text::Key;
use crate::text::arg::millis;

type OnBroker = fn(BrokerId) -> Action;

/// Actions on one broker, in the order of the list.
const ON_BROKER: &[(Key, OnBroker)] = &[
    (Key::AddKill, Action::Kill),
    (Key::AddStop, Action::Stop),
    (Key::AddStart, |broker| Action::Start {
        broker,
        clean: None,
        wait: true,
    }),
    (Key::AddPauseFetch, Action::PauseFetch),
    (Key::AddResumeFetch, Action::ResumeFetch),
    (Key::AddIsolate, Action::Isolate),
    (Key::AddHeal, Action::Heal),
    (Key::AddCutController, Action::CutController),
    (Key::AddHealController, Action::HealController),
];

/// Actions that need no broker.
fn plain() -> Vec<(Key, Action)> {
    vec![
        (Key::AddUnclean, Action::Elect(ElectionKind::Unclean)),
        (Key::AddPreferred, Action::Elect(ElectionKind::Preferred)),
        (Key::AddKillController, Action::KillController),
        (Key::AddStartController, Action::StartController),
        (Key::AddBegin, Action::TransactionBegin),
        (Key::AddCommit, Action::TransactionEnd { commit: true }),
        (Key::AddAbort, Action::TransactionEnd { commit: false }),
    ]
}

fn produce() -> Action {
    Action::Produce(Produce {
        records: 1,
        ..Produce::default()
    })
}

/// The button and its list.
pub fn adder(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let at = lab.memo(|session| millis(session.playhead().at));
    let label = {
        let text = text.clone();
        move || say!(text, AddStep, time = at.get())
    };
    let list = move || lab.is_open(Open::Add).then(|| list(lab));
    let leave = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" && lab.open.get_untracked() == Some(Open::Add) {
            lab.open.set(None);
            dom::focus_later("add-button");
        }
    };
    view! {
        <div class="add" on:keydown=leave>
            <button
                type="button"
                id="add-button"
                class="btn"
                aria-expanded=move || lab.is_open(Open::Add).to_string()
                aria-controls="add-list"
                on:click=move |_| lab.toggle(Open::Add)
            >
                {icons::plus()}
                {label}
            </button>
            {list}
        </div>
    }
}

fn list(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let at = lab.peek(|session| session.playhead().at);
    let (leader, brokers) = lab.peek(|session| {
        (
            look::leader(session),
            session.scenario().settings.brokers.clone(),
        )
    });
    let add = move |action: Action| {
        lab.send(Command::AddStep(action));
        lab.open.set(None);
        dom::focus_later("add-button");
    };
    let item = move |words: String, action: Action| {
        view! { <li><button type="button" on:click=move |_| add(action.clone())>{words}</button></li> }
    };
    let kill_leader = leader.map(|leader| {
        item(
            say!(text, AddKillLeader, broker = leader),
            Action::Kill(leader),
        )
    });
    let on_brokers = ON_BROKER
        .iter()
        .map(|(key, action)| {
            let name = text.fill(*key, &[]);
            let chips = brokers
                .iter()
                .map(|broker| {
                    let action = action(*broker);
                    let label = format!("{name} {broker}");
                    view! {
                        <button type="button" class="chip" aria-label=label on:click=move |_| add(action.clone())>
                            {broker.to_string()}
                        </button>
                    }
                })
                .collect_view();
            view! { <li class="of-broker"><span aria-hidden="true">{name.clone()}</span>{chips}</li> }
        })
        .collect_view();
    let others = plain()
        .into_iter()
        .map(|(key, action)| item(text.fill(key, &[]), action))
        .collect_view();
    dom::focus_first_later("add-list");
    view! {
        <ul class="add-list" id="add-list" aria-label=say!(text, AddStepTitle, time = at)>
            {item(say!(text, AddProduce), produce())}
            {kill_leader}
            {on_brokers}
            {others}
        </ul>
    }
}
