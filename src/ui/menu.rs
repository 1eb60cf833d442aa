//! The menu of scenarios: the library, and the recordings of real clusters, whose list is fetched when it is opened.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::context::{Lab, Open};
use super::parts;
use crate::browser::{dom, load};
use crate::say;
use crate::session::recorded::{self, Listed};
use crate::session::state::Origin;
use crate::session::{Command, library};

/// The button under the title.
pub fn button(lab: Lab) -> impl IntoView {
    let text = lab.text();
    parts::opener(lab, Open::Menu, "menu", "link tall", say!(text, Scenarios))
}

/// What is known of the recordings.
#[derive(Clone, PartialEq)]
enum Shelf {
    Asked,
    Here(Vec<Listed>),
    Failed(String),
}

/// The menu.
pub fn menu(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let open_id = lab.memo(|session| match session.origin() {
        Origin::Library(id) => (*id).to_owned(),
        Origin::Recording(recorded) => recorded.id.clone(),
    });
    let shelf = RwSignal::new(Shelf::Asked);
    spawn_local(async move {
        shelf.set(match load::text(recorded::INDEX).await {
            Ok(file) => Shelf::Here(recorded::read_index(&file)),
            Err(reason) => Shelf::Failed(reason),
        });
    });
    let library = library::SHELVES
        .iter()
        .map(|shelf| {
            let entries = shelf
                .entries
                .iter()
                .map(|entry| {
                    let take = move |_| {
                        lab.send(Command::LoadScenario(entry.id.to_owned()));
                        close(lab);
                    };
                    view! {
                        <li>
                            <button
                                type="button"
                                aria-current=move || (open_id.get() == entry.id).then_some("true")
                                on:click=take
                            >
                                {text.fill(entry.name, &[])}
                                <small>{text.fill(entry.about, &[])}</small>
                            </button>
                        </li>
                    }
                })
                .collect_view();
            view! {
                <section>
                    <h2>{text.fill(shelf.name, &[])}</h2>
                    <ul>{entries}</ul>
                </section>
            }
        })
        .collect_view();
    let recordings = move || match shelf.get() {
        Shelf::Asked => {
            view! { <p class="note" role="status">{say!(lab.text(), MenuLoading)}</p> }.into_any()
        }
        Shelf::Failed(reason) => {
            let sentence = say!(lab.text(), MenuFailed, reason = reason);
            view! { <p class="note" role="alert">{sentence}</p> }.into_any()
        }
        Shelf::Here(list) => recorded_sections(lab, list, open_id).into_any(),
    };
    view! {
        <nav class="menu" id="menu" aria-label=say!(text, Scenarios)>
            {library}
            {recordings}
        </nav>
    }
}

fn recorded_sections(lab: Lab, list: Vec<Listed>, open_id: Memo<String>) -> impl IntoView {
    let text = lab.text();
    let mut groups: Vec<((bool, String), Vec<Listed>)> = Vec::new();
    for listed in list {
        let key = (listed.id.starts_with("random-"), listed.kafka.clone());
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(listed),
            None => groups.push((key, vec![listed])),
        }
    }
    // Newest version first, random walks last.
    groups.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    groups
        .into_iter()
        .map(|((random, version), group)| {
            let heading = if random {
                say!(text, ShelfRandom, version = version)
            } else {
                say!(text, Recorded, version = version)
            };
            let entries = group
                .into_iter()
                .map(|listed| {
                    let id = listed.id.clone();
                    let is_open = listed.id.clone();
                    view! {
                        <li>
                            <button
                                type="button"
                                aria-current=move || (open_id.get() == is_open).then_some("true")
                                on:click=move |_| fetch(lab, id.clone())
                            >
                                {listed.title}
                                <small translate="no">{listed.id}</small>
                            </button>
                        </li>
                    }
                })
                .collect_view();
            view! {
                <section class="long">
                    <h2>{heading}</h2>
                    <ul>{entries}</ul>
                </section>
            }
        })
        .collect_view()
}

fn fetch(lab: Lab, id: String) {
    spawn_local(async move {
        match load::text(&recorded::address(&id)).await {
            Ok(file) => {
                lab.send(Command::LoadTrace { id, file });
                close(lab);
            }
            Err(reason) => lab.said.set(say!(lab.text(), MenuFailed, reason = reason)),
        }
    });
}

fn close(lab: Lab) {
    lab.open.set(None);
    dom::focus_later("title");
}
