//! Everything that a reader does: heard at the root, read from the element's `data-do`, turned into commands.

use std::sync::Arc;

use leptos::task::spawn_local;

use super::address;
use super::copy;
use super::file;
use super::lab::Lab;
use super::lane;
use super::language;
use super::swipe;
use super::tour;
use crate::browser::dom::{self, Element, Happening};
use crate::browser::load;
use crate::picture::shape::Tenths;
use crate::picture::view::Target;
use crate::say;
use crate::session::Command;
use crate::session::act;
use crate::session::model::{BrokerId, Millis};
use crate::session::recorded;
use crate::view::address::Linked;
use crate::view::figure::point;
use crate::view::playback::{LENGTH, step_in_words};
use crate::view::script::utf16_range;
use crate::view::state::{Drag, Hand, Open, Shelf, State};

/// A touch that goes so far sideways opens the next panel, in px.
const SWIPE: f64 = 48.0;

/// Hears everything.
pub fn hear(lab: Lab, root: &Element) {
    dom::hear(root, "click", move |event| {
        if let Some(act) = event.data("data-do")
            && !event.is_field()
        {
            event.prevent_default();
            perform(lab, &act, "");
        }
    });
    dom::hear(root, "change", move |event| {
        if let Some(given) = event.file() {
            file::open(lab, &given);
            // The same file may be chosen again.
            dom::set("file", "value", None);
            return;
        }
        let Some(act) = event.data("data-do") else {
            return;
        };
        let value = event.value();
        // A field changes while the focus leaves it: what is drawn anew must not take the next field away.
        dom::later(move || perform(lab, &act, &value));
    });
    dom::hear(root, "input", move |event| input(lab, &event));
    if lab.peek(|state| state.widget.is_none()) {
        file::hear(lab, root);
    }
    dom::hear(root, "submit", |event| event.prevent_default());
    dom::hear(root, "keydown", move |event| keys(lab, &event));
    dom::hear(root, "focusin", move |event| focus(lab, target_of(&event)));
    dom::hear(root, "focusout", move |_| focus(lab, None));
    dom::hear(root, "pointerdown", move |event| down(lab, &event));
    dom::hear(root, "pointermove", move |event| moved(lab, &event));
    dom::hear(root, "pointerup", move |event| up(lab, &event));
    dom::hear(root, "pointercancel", move |_| let_go(lab));
}

/// What a reader wants done.
fn perform(lab: Lab, act: &str, value: &str) {
    let (name, of) = act.split_once(':').unwrap_or((act, ""));
    match name {
        "open" => open(lab, of),
        "tour" => tour::perform(lab, of),
        "theme" => language::choose_theme(lab, value),
        "language" => language::choose(lab, value),
        "copy" => copy::script(lab),
        "copy-transcript" => copy::transcript(lab),
        "save" => file::save(lab),
        "picture" => file::picture(lab, of),
        "choose" => dom::choose("file"),
        "link" => address::hand_on(lab, false),
        "share" => address::hand_on(lab, true),
        "embed" => address::offer(lab),
        // What was chosen just before is taken first.
        "answer" => dom::later(move || {
            lab.send(Command::Answer);
            dom::focus_later("judged");
        }),
        "copy-original" => address::copy_original(lab),
        "only" => lab.change(|state| state.only_differences = !state.only_differences),
        "more-lines" => lab.change(|state| state.lines = state.lines.saturating_add(200)),
        "more-rows" => lab.change(|state| state.rows = state.rows.saturating_add(100)),
        "fetch" => fetch(lab, of.to_owned()),
        "view" => show(lab, value),
        "error" => show_error(lab, of),
        "edit" => edit_step(lab, of),
        _ => {
            let Some(command) = lab.peek(|state| act::command(act, value, &state.session)) else {
                // What cannot be read is put back as it was.
                lab.change(|_| {});
                return;
            };
            let steps = matches!(command, Command::NextEvent | Command::PreviousEvent);
            lab.send(command);
            match name {
                "load" => close_menu(lab),
                "b" if value.is_empty() => dom::focus_later("difference"),
                "close-b" => dom::focus_first_later("r-toggles"),
                "add" => {
                    lab.change(|state| state.open = None);
                    dom::focus_later("add-button");
                }
                "step-time" => lab.send(Command::DropStep),
                _ if steps => lab.change(|state| state.said = step_in_words(state)),
                _ => {}
            }
        }
    }
}

fn open(lab: Lab, what: &str) {
    let what = match what {
        "menu" => Open::Menu,
        "more" => Open::More,
        "sheet" => Open::Sheet,
        "add" => Open::Add,
        "script" => {
            lab.change(|state| state.script = !state.script);
            return;
        }
        "transcript" => {
            lab.change(|state| state.transcript = !state.transcript);
            return;
        }
        _ => return,
    };
    lab.change(|state| {
        state.open = if state.open == Some(what) {
            None
        } else {
            Some(what)
        }
    });
    if lab.peek(|state| state.open == Some(Open::Add)) {
        dom::focus_first_later("add-list");
    }
    if lab.peek(|state| state.open == Some(Open::Menu)) {
        ask_for_recordings(lab);
    }
}

/// Shows the messages, or the timelines; on a phone one of them.
fn show(lab: Lab, what: &str) {
    lab.change(|state| state.session.messages = what == "messages");
    if let Some(command) = lab.peek(|state| act::command("panel", what, &state.session)) {
        lab.send(command);
    }
}

fn ask_for_recordings(lab: Lab) {
    if !lab.peek(|state| matches!(state.shelf, Shelf::Unknown | Shelf::Failed(_))) {
        return;
    }
    lab.change(|state| state.shelf = Shelf::Asked);
    spawn_local(async move {
        let shelf = match load::text(recorded::INDEX).await {
            Ok(file) => Shelf::Here(recorded::read_index(&file)),
            Err(reason) => Shelf::Failed(reason),
        };
        lab.change(|state| state.shelf = shelf);
    });
}

pub fn fetch(lab: Lab, id: String) {
    spawn_local(async move {
        match load::text(&recorded::address(&id)).await {
            Ok(file) => {
                lab.send(Command::LoadTrace { id, file });
                lab.change(State::finish_widget);
                close_menu(lab);
            }
            Err(reason) => lab.change(|state| {
                let id = format!("`{id}`");
                let told = say!(&state.text, RecordingFailed, id = id, reason = reason);
                state.linked = Some(Linked::Said(told));
            }),
        }
    });
}

fn close_menu(lab: Lab) {
    lab.change(|state| {
        state.open = None;
        state.linked = None;
    });
    dom::focus_later("title");
}

fn show_error(lab: Lab, place: &str) {
    let range = lab.peek(|state| {
        let error = state.session.errors().get(place.parse::<usize>().ok()?)?;
        Some(utf16_range(state.session.text(), error))
    });
    if let Some((start, end)) = range {
        dom::select_text("script-text", start, end);
    }
}

/// Opens the script with the keyboard in that step.
fn edit_step(lab: Lab, step: &str) {
    lab.change(|state| state.script = true);
    dom::focus_later(&format!("step-action-{step}"));
}

fn input(lab: Lab, event: &Happening) {
    match event.id().as_str() {
        "script-text" => lab.send(Command::EditText(event.value())),
        "scrubber" => {
            let Ok(place) = event.value().parse::<Tenths>() else {
                return;
            };
            let instant = lab.peek(|state| state.session.unscrub(place, LENGTH));
            lab.glance(Command::Seek(instant));
        }
        _ => {}
    }
}

fn keys(lab: Lab, event: &Happening) {
    let key = event.key();
    let in_step = || {
        event.is_field()
            && event
                .data("data-do")
                .is_some_and(|act| act.starts_with("step-"))
    };
    if key == "Escape" && in_step() {
        event.put_back();
    } else if key == "Escape" {
        escape(lab);
    } else if event.id() == "scrubber" {
        let command = match key.as_str() {
            "ArrowRight" | "ArrowDown" => Command::NextEvent,
            "ArrowLeft" | "ArrowUp" => Command::PreviousEvent,
            "Home" => Command::First,
            "End" => Command::Last,
            " " => Command::PlayPause,
            _ => return,
        };
        event.prevent_default();
        lab.send(command);
    } else if let Some(step) = event.data("data-step").and_then(|step| step.parse().ok()) {
        step_keys(lab, event, &key, step);
    } else if let Some(broker) = event.data("data-lane").and_then(|of| of.parse().ok()) {
        lane::key(lab, event, BrokerId(broker));
    }
}

/// Esc puts a dragged step back where it was, or closes what is open.
fn escape(lab: Lab) {
    if lab.peek(|state| matches!(&state.hand, Hand::Step(drag) if drag.moved)) {
        lab.change(|state| {
            state.hand = Hand::Free;
            state.session.apply(Command::Undo);
        });
        return;
    }
    let button = lab.peek(|state| match state.open? {
        Open::Add => Some("add-button"),
        Open::Menu => Some("menu-button"),
        Open::More => Some("more-button"),
        Open::Sheet => Some("settings-line"),
    });
    if let Some(button) = button {
        lab.change(|state| state.open = None);
        dom::focus_later(button);
    }
}

fn step_keys(lab: Lab, event: &Happening, key: &str, step: usize) {
    let by = Millis(if event.shift() { 10 } else { 1 });
    let at = lab.peek(|state| {
        state
            .session
            .ran()
            .times
            .get(step)
            .copied()
            .unwrap_or_default()
    });
    let to = match key {
        "ArrowDown" => at.plus(by),
        "ArrowUp" => Millis(at.0.saturating_sub(by.0)),
        "Delete" => {
            event.prevent_default();
            lab.send(Command::RemoveStep(step));
            return;
        }
        _ => return,
    };
    event.prevent_default();
    lab.send(Command::MoveStep { step, at: to });
    let step = lab.peek(|state| state.session.touched().unwrap_or(step));
    dom::focus_later(&format!("step-{step}"));
}

/// What an element is about: a record, a step, a pause.
fn target_of(event: &Happening) -> Option<Target> {
    let number = |name| event.data(name).and_then(|of| of.parse::<u64>().ok());
    if let Some(record) = number("data-record") {
        return Some(Target::Record(record));
    }
    if let Some(step) = number("data-step") {
        return u32::try_from(step).ok().map(Target::Step);
    }
    number("data-fold").map(|at| Target::Fold(Millis(at)))
}

fn focus(lab: Lab, target: Option<Target>) {
    if lab.peek(|state| state.session.focused()) != target {
        lab.glance(Command::Focus(target));
    }
    let dragging = lab.peek(|state| matches!(state.hand, Hand::Step(_)));
    if !dragging && !matches!(target, Some(Target::Step(_))) {
        // Moving by keys ends with the focus; a step that was moved is one edit.
        lab.glance(Command::DropStep);
    }
}

/// The drawing under the pointer; beside both it is A's.
fn drawing(event: &Happening) -> &'static str {
    if event.inside("drawing-b") {
        "drawing-b"
    } else {
        "drawing"
    }
}

/// Where the pointer is in the drawing of that id, in the picture's own px.
fn place(lab: Lab, event: &Happening, on: &str) -> Option<(f64, f64)> {
    let (x, y) = event.place_in(on)?;
    let (moved, _) = lab.peek(State::crop).unwrap_or_default();
    // The heads of a cropped picture cover what is moved up under them.
    let head = lab.peek(|state| state.picture.head);
    let covered = moved > 0 && y < f64::from(head) / 10.0;
    (!covered).then_some((x, y + f64::from(moved) / 10.0))
}

fn down(lab: Lab, event: &Happening) {
    let Some((x, y)) = place(lab, event, drawing(event)) else {
        return;
    };
    if let Some(step) = event.data("data-step").and_then(|step| step.parse().ok()) {
        take_step(lab, event, step);
    } else if event.inside(drawing(event)) && lane::take(lab, event, drawing(event), (x, y)) {
    } else if event.inside("drawing") {
        let on_playhead = lab.peek(|state| {
            let line = f64::from(state.picture.clock.y(state.session.playhead().at)) / 10.0;
            (y - line).abs() < 14.0 && x < f64::from(state.picture.ruler) / 10.0 + 10.0
        });
        if on_playhead {
            event.capture("drawing");
            event.prevent_default();
        }
        let hand = if on_playhead {
            Hand::Playhead
        } else {
            Hand::Down(x, y)
        };
        lab.change(|state| state.hand = hand);
    } else if event.inside("drawing-b") {
        lab.change(|state| state.hand = Hand::Down(x, y));
    }
}

fn take_step(lab: Lab, event: &Happening, step: usize) {
    let free = lab.peek(|state| state.session.errors().is_empty());
    if !free || !event.main_button() {
        return;
    }
    event.capture("handles");
    lab.change(|state| {
        let from = state
            .session
            .ran()
            .times
            .get(step)
            .copied()
            .unwrap_or_default();
        state.hand = Hand::Step(Drag {
            step,
            clock: Arc::new(state.picture.clock.clone()),
            moved: false,
            from,
        });
    });
}

fn moved(lab: Lab, event: &Happening) {
    let on = drawing(event);
    let Some((x, y)) = place(lab, event, on) else {
        return;
    };
    let held = lab.peek(|state| state.hand.clone());
    match held {
        Hand::Playhead => seek(lab, y),
        Hand::Step(drag) => drag_step(lab, drag, y),
        Hand::Lane(held) => lane::drag(lab, &held, y),
        Hand::Free | Hand::Down(..) => {
            let target = match event.inside(on) {
                true => lab.peek(|state| hit(state, on, x, y)),
                false => target_of(event),
            };
            if target != lab.peek(|state| state.session.hovered()) {
                lab.glance(Command::Hover(target));
            }
        }
    }
}

fn drag_step(lab: Lab, drag: Drag, y: f64) {
    let at = drag.clock.instant(point(0.0, y.max(0.0)).y).at;
    if at == drag.from && !drag.moved {
        return;
    }
    lab.change(|state| {
        state.session.apply(Command::MoveStep {
            step: drag.step,
            at,
        });
        let step = state.session.touched().unwrap_or(drag.step);
        state.hand = Hand::Step(Drag {
            step,
            moved: true,
            ..drag
        });
    });
}

fn up(lab: Lab, event: &Happening) {
    let held = lab.peek(|state| state.hand.clone());
    let on = drawing(event);
    let place = place(lab, event, on);
    let_go(lab);
    if let Hand::Lane(held) = &held {
        lane::click(lab, held);
    }
    let (Hand::Down(from_x, from_y), Some((x, y))) = (held, place) else {
        return;
    };
    let (dx, dy) = ((x - from_x).abs(), (y - from_y).abs());
    if dx > SWIPE && dx > dy {
        swipe::perform(lab, x < from_x);
    } else if dx < 6.0 && dy < 6.0 {
        click(lab, on, x, y);
    }
}

/// The hand is free; a step that was dragged is one edit.
fn let_go(lab: Lab) {
    if lab.peek(|state| matches!(state.hand, Hand::Free)) {
        return;
    }
    lab.change(|state| {
        state.hand = Hand::Free;
        state.session.apply(Command::DropStep);
    });
}

fn seek(lab: Lab, y: f64) {
    let instant = lab.peek(|state| state.picture.clock.instant(point(0.0, y).y));
    lab.glance(Command::Seek(instant));
}

/// What is there on a drawing.
pub fn hit(state: &State, on: &str, x: f64, y: f64) -> Option<Target> {
    let picture = match on {
        "drawing-b" => &state.picture_b,
        _ => &state.picture,
    };
    picture.hit(point(x, y)).map(|area| area.target)
}

fn click(lab: Lab, on: &str, x: f64, y: f64) {
    let (target, head) = lab.peek(|state| {
        let head = f64::from(state.picture.head) / 10.0;
        (hit(state, on, x, y), head)
    });
    match target {
        Some(Target::Record(record)) => perform(lab, &format!("select:{record}"), ""),
        Some(Target::Fold(at)) => lab.send(Command::ToggleFold(at)),
        Some(Target::Event(event)) => lab.send(Command::SeekEvent(event)),
        Some(Target::Step(step)) => edit_step(lab, &step.to_string()),
        None | Some(Target::Lane(_)) if y > head => seek(lab, y),
        None | Some(Target::Lane(_)) => {}
    }
}
