//! What lies over the picture for hand and keyboard: steps that can be moved in time, pauses that can be opened.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;

use super::context::{Lab, Same};
use super::figure::edit_step;
use crate::browser::dom;
use crate::picture::Picture;
use crate::picture::clock::Clock;
use crate::picture::shape::{Bounds, Tenths};
use crate::picture::view::Target;
use crate::say;
use crate::session::Command;
use crate::session::model::Millis;
use crate::session::state::Session;
use crate::text::arg::millis;
use crate::text::describe;

/// A step under the hand. The clock is that of the beginning: the run redraws, the hand's place keeps its meaning.
#[derive(Clone)]
struct Drag {
    step: usize,
    clock: Arc<Clock>,
    moved: bool,
    from: Millis,
}

/// One of the handles.
#[derive(Clone, PartialEq)]
struct Handle {
    target: Target,
    area: Bounds,
    label: String,
}

fn list(picture: &Picture) -> Vec<Handle> {
    picture
        .targets
        .iter()
        .filter(|t| matches!(t.target, Target::Step(_) | Target::Fold(_)))
        .map(|t| Handle {
            target: t.target,
            area: t.area,
            label: t.label.clone(),
        })
        .collect()
}

fn style(area: Bounds, right: Option<Tenths>) -> String {
    let px = |v: Tenths| f64::from(v) / 10.0;
    let right = right.unwrap_or(area.right);
    format!(
        "left:{}px;top:{}px;width:{}px;height:{}px",
        px(area.left),
        px(area.top),
        px(right - area.left),
        px(area.bottom - area.top)
    )
}

/// The handles.
pub fn handles(lab: Lab, picture: Memo<Same<Picture>>, place: NodeRef<html::Div>) -> impl IntoView {
    let all = Memo::new(move |_| picture.with(|p| list(p)));
    let drag = RwSignal::new(None::<Drag>);
    let locked = lab.memo(|session| !session.errors().is_empty());
    let end = move || {
        if drag.get_untracked().is_some_and(|drag| drag.moved) {
            lab.send(Command::DropStep);
        }
        drag.set(None);
    };
    let moved = move |event: leptos::ev::PointerEvent| {
        let Some(now) = drag.get_untracked() else {
            return;
        };
        let Some(element) = place.get_untracked() else {
            return;
        };
        let (_, y) = dom::place_in(&element, &event);
        let at = now.clock.instant((y * 10.0).clamp(0.0, 1e9) as Tenths).at;
        if at != now.from || now.moved {
            lab.send(Command::MoveStep { step: now.step, at });
            let step = lab.peek(Session::touched).unwrap_or(now.step);
            drag.set(Some(Drag {
                step,
                moved: true,
                ..now
            }));
        }
    };
    let released = move |_| end();
    let keys = move |event: leptos::ev::KeyboardEvent| {
        // Esc puts a dragged step back where it was.
        if event.key() == "Escape" && drag.get_untracked().is_some_and(|drag| drag.moved) {
            drag.set(None);
            lab.send(Command::Undo);
        }
    };
    if let Some(window) = dom::window() {
        dom::listen(&window, "keydown", keys);
    }
    let buttons = move || {
        all.get()
            .into_iter()
            .map(|handle| match handle.target {
                Target::Step(step) => {
                    step_handle(lab, picture, place, drag, handle, step as usize, locked).into_any()
                }
                _ => fold_handle(lab, picture, handle).into_any(),
            })
            .collect_view()
    };
    let copy = move || {
        let now = drag.get().filter(|drag| drag.moved)?;
        let (words, at) = lab.with(|session| {
            let at = session
                .ran()
                .times
                .get(now.step)
                .copied()
                .unwrap_or_default();
            let words = describe::steps(&lab.text(), session.scenario());
            (words.get(now.step).cloned().unwrap_or_default(), at)
        });
        let top = picture.with(|p| f64::from(p.clock.y(at)) / 10.0) - 12.0;
        Some(
            view! { <div class="drag-copy" style=format!("top:{top}px")>{words}<b>{millis(at)}</b></div> },
        )
    };
    view! {
        <div
            class="handles"
            on:pointermove=moved
            on:pointerup=released
            on:pointercancel=released
        >
            {buttons}
            {copy}
        </div>
    }
}

fn step_handle(
    lab: Lab,
    picture: Memo<Same<Picture>>,
    place: NodeRef<html::Div>,
    drag: RwSignal<Option<Drag>>,
    handle: Handle,
    step: usize,
    locked: Memo<bool>,
) -> impl IntoView {
    let text = lab.text();
    let (words, at) = lab.peek(|session| {
        let at = session.ran().times.get(step).copied().unwrap_or_default();
        let words = describe::steps(&text, session.scenario());
        (words.get(step).cloned().unwrap_or_default(), at)
    });
    let grab = move |event: leptos::ev::PointerEvent| {
        if locked.get_untracked() || event.button() != 0 {
            return;
        }
        if let Some(element) = place.get_untracked() {
            dom::capture_in(&element, ".handles", event.pointer_id());
        }
        drag.set(Some(Drag {
            step,
            clock: Arc::new(picture.with_untracked(|p| p.clock.clone())),
            moved: false,
            from: at,
        }));
    };
    let keys = move |event: leptos::ev::KeyboardEvent| {
        let by = if event.shift_key() { 10 } else { 1 };
        let to = match event.key().as_str() {
            "ArrowDown" => at.plus(Millis(by)),
            "ArrowUp" => Millis(at.0.saturating_sub(by)),
            "Delete" => {
                event.prevent_default();
                lab.send(Command::RemoveStep(step));
                return;
            }
            _ => return,
        };
        event.prevent_default();
        lab.send(Command::MoveStep { step, at: to });
        let step = lab.peek(Session::touched).unwrap_or(step);
        dom::focus_later(&format!("step-{step}"));
    };
    let target = Some(Target::Step(u32::try_from(step).unwrap_or(u32::MAX)));
    view! {
        <button
            type="button"
            class="rail-step"
            id=format!("step-{step}")
            style=style(handle.area, None)
            aria-label=say!(text, StepHandle, step = words, at = at)
            on:pointerdown=grab
            on:keydown=keys
            on:keyup=|_| ()
            on:click=move |event| {
                // A click by keyboard has no place; one by hand edits only when nothing was moved.
                if event.detail() == 0 || drag.get_untracked().is_none() {
                    edit_step(lab, step);
                }
            }
            on:focus=move |_| lab.send(Command::Focus(target))
            on:blur=move |_| {
                lab.send(Command::Focus(None));
                lab.send(Command::DropStep);
            }
        ></button>
    }
}

fn fold_handle(lab: Lab, picture: Memo<Same<Picture>>, handle: Handle) -> impl IntoView {
    let Target::Fold(at) = handle.target else {
        return None;
    };
    let open = lab.memo(move |session| session.unfolded().contains(&at));
    let ruler = picture.with_untracked(|p| p.ruler);
    let target = Some(handle.target);
    Some(view! {
        <button
            type="button"
            class="fold-button"
            style=style(handle.area, Some(ruler.max(handle.area.left)))
            aria-label=handle.label
            aria-expanded=move || open.get().to_string()
            on:click=move |_| lab.send(Command::ToggleFold(at))
            on:focus=move |_| lab.send(Command::Focus(target))
            on:blur=move |_| lab.send(Command::Focus(None))
        ></button>
    })
}
