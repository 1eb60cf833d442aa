//! For a recording: what the cluster showed beside what the model shows, after each step.

use leptos::prelude::*;

use super::context::{Lab, Same};
use crate::say;
use crate::session::against::{Row, compare};
use crate::text::describe;

/// The table; nothing while the open scenario is no recording, or was changed.
pub fn against(lab: Lab) -> impl IntoView {
    let shown = lab.memo(|session| {
        let recorded = session.recording()?.clone();
        Some((Same(recorded), Same(session.ran().clone())))
    });
    let only = RwSignal::new(false);
    move || {
        let (recorded, ran) = shown.get()?;
        let text = lab.text();
        let rows = compare(&recorded, &ran);
        let steps = describe::steps(&text, &ran.run.scenario);
        let differ = rows.iter().filter(|row| !row.same()).count();
        let verdict = if differ == 0 {
            say!(text, AgainstSame, n = rows.len())
        } else {
            say!(text, AgainstDiffers, differ = differ, n = rows.len())
        };
        let times = say!(text, AgainstTimes, n = recorded.times);
        let filter = (differ > 0).then(|| {
            view! {
                <label class="quiet">
                    <input
                        type="checkbox"
                        prop:checked=move || only.get()
                        on:change=move |event| only.set(event_target_checked(&event))
                    />
                    " "{say!(text, AgainstOnly)}
                </label>
            }
        });
        let columns = [
            say!(text, AgainstStep),
            say!(text, AgainstWhat),
            say!(text, AgainstRecorded),
            say!(text, AgainstModel),
        ];
        let head = columns
            .map(|name| view! { <th scope="col">{name}</th> })
            .collect_view();
        let mut before = None;
        let lines = rows
            .into_iter()
            .filter(|row| !only.get() || !row.same())
            .map(|row| {
                let first = before != Some(row.step);
                before = Some(row.step);
                let step = steps.get(row.step).filter(|_| first).cloned();
                line(row, step.unwrap_or_default())
            })
            .collect_view();
        Some(view! {
            <section class="against">
                <h2 class="h" id="against-title">{say!(text, AgainstTitle, version = recorded.kafka.clone())}</h2>
                <p class="note"><b>{verdict}</b>" "{times}</p>
                {filter}
                <div class="scroll" tabindex="0" role="region" aria-labelledby="against-title">
                    <table class="v">
                        <thead><tr>{head}</tr></thead>
                        <tbody>{lines}</tbody>
                    </table>
                </div>
            </section>
        })
    }
}

fn line(row: Row, step: String) -> impl IntoView {
    let same = row.same();
    let (mark, class) = if same {
        ("✓", "good")
    } else {
        ("≠", "bad")
    };
    view! {
        <tr>
            <td class="wrap">{step}</td>
            <td translate="no"><code>{row.what}</code></td>
            <td class="wrap" translate="no"><code>{row.recorded}</code></td>
            <td class="wrap" translate="no"><span class=class>{mark}" "</span><code>{row.model}</code></td>
        </tr>
    }
}
