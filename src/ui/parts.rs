//! Controls that are used more than once.

use leptos::prelude::*;

use super::context::{Lab, Open};

/// One of several: radio buttons drawn as one bar.
pub fn choice(
    group: &'static str,
    legend: AnyView,
    options: Vec<(String, String)>,
    chosen: Memo<String>,
    choose: impl Fn(String) + Copy + 'static,
) -> impl IntoView {
    let radios = options
        .into_iter()
        .map(|(value, label)| {
            let is_chosen = value.clone();
            let taken = value.clone();
            view! {
                <label>
                    <input
                        type="radio"
                        name=group
                        value=value
                        prop:checked=move || chosen.get() == is_chosen
                        on:change=move |_| choose(taken.clone())
                    />
                    {label}
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="choice">
            <legend>{legend}</legend>
            <div class="seg">{radios}</div>
        </fieldset>
    }
}

/// A button that opens and closes a part of the page.
pub fn opener(
    lab: Lab,
    what: Open,
    controls: &'static str,
    class: &'static str,
    content: impl IntoView + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class=class
            aria-expanded=move || lab.is_open(what).to_string()
            aria-controls=controls
            on:click=move |_| lab.toggle(what)
        >
            {content}
        </button>
    }
}
