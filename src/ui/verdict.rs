//! The verdict, record by record: separate facts, never one "success".

use leptos::prelude::*;

use super::context::{Lab, Same};
use super::icons::{self, Mark};
use super::notes;
use crate::picture::view::Target;
use crate::say;
use crate::session::Command;
use crate::session::model::{Millis, Outcome, RecordVerdict, Since};
use crate::session::state::Session;
use crate::text::Text;
use crate::text::arg::millis;

/// Rows that are shown at first, and how many more each time.
const ROWS: usize = 100;

/// The table.
pub fn table(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let ran = lab.memo(|session| Same(session.ran().clone()));
    let shown = RwSignal::new(ROWS);
    let selected = lab.memo(Session::selected);
    let lit = lab.memo(|session| {
        let record = |target| match target {
            Some(Target::Record(record)) => Some(record),
            _ => None,
        };
        record(session.hovered()).or(record(session.focused()))
    });
    let rows = {
        let text = text.clone();
        move || {
            let ran = ran.get();
            ran.verdict
                .records
                .iter()
                .take(shown.get())
                .map(|record| row(lab, &text, record, selected, lit))
                .collect_view()
        }
    };
    let more = {
        let text = text.clone();
        move || {
            let left = ran
                .with(|ran| ran.verdict.records.len())
                .saturating_sub(shown.get());
            (left > 0).then(|| {
                view! {
                    <button type="button" class="btn" on:click=move |_| shown.update(|n| *n += ROWS)>
                        {say!(text, VerdictMore, n = left)}
                    </button>
                }
            })
        }
    };
    let columns = [
        say!(text, ColumnRecord),
        say!(text, ColumnSent),
        say!(text, ColumnAppended),
        say!(text, ColumnAcknowledged),
        say!(text, ColumnCommitted),
        say!(text, ColumnVisible),
        say!(text, ColumnLost),
        say!(text, ColumnDuplicated),
        say!(text, ColumnUnknown),
    ];
    let head = columns
        .map(|name| view! { <th scope="col">{name}</th> })
        .collect_view();
    view! {
        <section class="verdict">
            <h2 class="h" id="verdict-title">{say!(text, Verdict)}</h2>
            <div class="scroll" tabindex="0" role="region" aria-labelledby="verdict-title">
                <table class="v">
                    <thead><tr>{head}</tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {more}
        </section>
    }
}

fn row(
    lab: Lab,
    text: &Text,
    record: &RecordVerdict,
    selected: Memo<Option<u64>>,
    lit: Memo<Option<u64>>,
) -> impl IntoView + use<> {
    let number = record.record;
    let target = Some(Target::Record(number));
    let choose = move |_| {
        let now = lab.peek(Session::selected);
        lab.send(Command::Select((now != Some(number)).then_some(number)));
    };
    view! {
        <tr
            class:sel=move || selected.get() == Some(number)
            class:lit=move || lit.get() == Some(number)
            on:pointerenter=move |_| lab.send(Command::Hover(target))
            on:pointerleave=move |_| lab.send(Command::Hover(None))
        >
            <th scope="row">
                <button
                    type="button"
                    aria-pressed=move || (selected.get() == Some(number)).to_string()
                    on:click=choose
                    on:focus=move |_| lab.send(Command::Focus(target))
                    on:blur=move |_| lab.send(Command::Focus(None))
                >
                    {format!("m{number}")}
                </button>
            </th>
            <td>{millis(record.sent.at)}</td>
            <td>{appended(text, record)}</td>
            <td>{acknowledged(text, record)}</td>
            <td>{since(text, record.committed)}</td>
            <td>{visible(text, record)}</td>
            <td>{lost(text, record)}</td>
            <td>{flag(text, record.duplicated, "dup")}</td>
            <td>{flag(text, record.unknown, "unk")}</td>
        </tr>
    }
}

fn no(text: &Text) -> AnyView {
    view! { <span class="no">{say!(text, CellNo)}</span> }.into_any()
}

fn appended(text: &Text, record: &RecordVerdict) -> AnyView {
    if record.appended.is_empty() {
        return no(text);
    }
    record
        .appended
        .iter()
        .map(|fact| {
            view! {
                <div>
                    {say!(text, CellPlace, offset = fact.offset)}" "
                    <small>{say!(text, CellEpoch, epoch = fact.epoch)}</small>
                </div>
            }
        })
        .collect_view()
        .into_any()
}

/// What the producer was told, with how long it waited.
fn acknowledged(text: &Text, record: &RecordVerdict) -> AnyView {
    let after = |at: Millis| say!(text, CellAfter, wait = at.since(record.sent.at));
    if let Some(ok) = record.acknowledged {
        let wait = after(ok.at);
        return view! { {icons::mark(Mark::Ok)}{say!(text, CellOk)}" "<small>{wait}</small> }
            .into_any();
    }
    if let Some((error, since)) = record.refused {
        let (mark, class) = if error.excludes_append() {
            (Mark::Refused, "ref")
        } else {
            (Mark::Unknown, "unk")
        };
        let wait = after(since.at);
        return view! {
            {icons::mark(mark)}<span class=class translate="no">{error.name()}</span>" "<small>{wait}</small>
        }
        .into_any();
    }
    match record.last_outcome {
        Some((Outcome::NoAnswerExpected, _)) => {
            view! { <span class="no">{say!(text, CellNoPromise)}</span> }.into_any()
        }
        Some((outcome, since)) => {
            let words = notes::outcome(text, outcome);
            let wait = after(since.at);
            view! { {icons::mark(Mark::Unknown)}<span class="unk">{words}</span>" "<small>{wait}</small> }.into_any()
        }
        None => {
            view! { {icons::mark(Mark::Unknown)}<span class="unk">{say!(text, CellWaiting)}</span> }
                .into_any()
        }
    }
}

fn since(text: &Text, fact: Option<Since>) -> AnyView {
    match fact {
        Some(since) => {
            view! { {say!(text, CellYes)}" "<small>{millis(since.at)}</small> }.into_any()
        }
        None => no(text),
    }
}

fn visible(text: &Text, record: &RecordVerdict) -> AnyView {
    match record.visible {
        Some(_) => since(text, record.visible),
        None => view! { <span class="no">{say!(text, CellNever)}</span> }.into_any(),
    }
}

fn lost(text: &Text, record: &RecordVerdict) -> AnyView {
    match record.lost {
        Some(since) => view! {
            {icons::mark(Mark::Lost)}<span class="bad">{say!(text, CellLost)}</span>" "<small>{millis(since.at)}</small>
        }
        .into_any(),
        None => no(text),
    }
}

fn flag(text: &Text, is_so: bool, class: &'static str) -> AnyView {
    if is_so {
        view! { <span class=class>{say!(text, CellYes)}</span> }.into_any()
    } else {
        no(text)
    }
}
