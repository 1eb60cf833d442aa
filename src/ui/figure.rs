//! The picture: shapes written as SVG markup in layers, so that the pointer and the playhead redraw only their own.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;

use super::context::{Lab, Same};
use super::handles;
use crate::browser::{dom, resize};
use crate::picture::shape::{Point, Tenths};
use crate::picture::view::{Mode, Panel, Target, View};
use crate::picture::{Picture, overlay, svg};
use crate::say;
use crate::session::Command;
use crate::session::look;
use crate::session::state::Session;
use crate::text::headline::headline;

/// Past so many records the columns may be so narrow that a lens follows the selection.
const LENS_FROM: usize = 20;
/// A touch that goes so far sideways opens the next panel, in px.
const SWIPE: f64 = 48.0;

/// What the static layers depend on.
fn view_of(session: &Session) -> View {
    let width = session.width();
    let many = session.ran().verdict.records.len() > LENS_FROM;
    View {
        width,
        mode: Mode::for_width(width, session.panel()),
        unfolded: session.unfolded().clone(),
        selected: session.selected().filter(|_| many),
        ..View::default()
    }
}

/// The same with all that moves.
fn view_now(session: &Session) -> View {
    View {
        playhead: Some(session.playhead()),
        selected: session.selected(),
        hovered: session.hovered(),
        focused: session.focused(),
        ..view_of(session)
    }
}

fn px(tenths: Tenths) -> String {
    format!("{}", f64::from(tenths) / 10.0)
}

/// What a pointer is doing.
#[derive(Clone, Copy)]
enum Grip {
    /// It drags the playhead.
    Playhead,
    /// It went down there and may turn out to be a swipe or a click.
    Down(f64, f64),
}

/// The figure.
pub fn figure(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let place = NodeRef::<html::Div>::new();
    place.on_load(move |element| {
        resize::watch_width(&element, move |width| {
            // Between 0 and the widest screen.
            let width = width.clamp(0.0, 20_000.0) as u32;
            if lab.peek(Session::width) != width {
                lab.send(Command::Resize(width));
            }
        });
    });
    let key = lab.memo(|session| (Same(session.ran().clone()), view_of(session)));
    let picture: Memo<Same<Picture>> = Memo::new({
        let text = text.clone();
        move |_| {
            key.with(|(ran, view)| {
                let drawn = match view.width {
                    0 => Picture::default(),
                    _ => Picture::new(&ran.run, &ran.verdict, &*text, view),
                };
                Same(Arc::new(drawn))
            })
        }
    });
    let now = lab.memo(view_now);
    view! {
        <div class="figure" id="picture" node_ref=place tabindex="-1">
            {drawing(lab, picture, now)}
            {handles::handles(lab, picture, place)}
            {words(lab)}
        </div>
    }
}

fn drawing(lab: Lab, picture: Memo<Same<Picture>>, now: Memo<View>) -> impl IntoView {
    let text = lab.text();
    let surface = NodeRef::<leptos::svg::Svg>::new();
    let grip = StoredValue::new(None::<Grip>);
    let label = lab.memo({
        let text = text.clone();
        move |session| {
            let said = headline(&text, &session.ran().verdict);
            say!(text, PictureLabel, headline = said.title)
        }
    });
    let at = move |event: &leptos::ev::PointerEvent| {
        surface
            .get_untracked()
            .map(|element| dom::place_in(&element, event))
    };
    let down = move |event: leptos::ev::PointerEvent| {
        let Some((x, y)) = at(&event) else { return };
        let on_playhead = picture.with_untracked(|picture| {
            let line = f64::from(picture.clock.y(lab.peek(Session::playhead).at)) / 10.0;
            (y - line).abs() < 14.0 && x < f64::from(picture.ruler) / 10.0 + 10.0
        });
        grip.set_value(Some(if on_playhead {
            Grip::Playhead
        } else {
            Grip::Down(x, y)
        }));
        if on_playhead && let Some(element) = surface.get_untracked() {
            dom::capture(&element, event.pointer_id());
            event.prevent_default();
        }
    };
    let moved = move |event: leptos::ev::PointerEvent| {
        let Some((x, y)) = at(&event) else { return };
        if matches!(grip.get_value(), Some(Grip::Playhead)) {
            seek(lab, picture, y);
            return;
        }
        let target = picture.with_untracked(|picture| picture.hit(point(x, y)).map(|t| t.target));
        if target != lab.peek(Session::hovered) {
            lab.send(Command::Hover(target));
        }
    };
    let up = move |event: leptos::ev::PointerEvent| {
        let was = grip.get_value();
        grip.set_value(None);
        let (Some(Grip::Down(from_x, from_y)), Some((x, y))) = (was, at(&event)) else {
            return;
        };
        if (x - from_x).abs() > SWIPE && (x - from_x).abs() > (y - from_y).abs() {
            swipe(lab, x < from_x);
        } else if (x - from_x).abs() < 6.0 && (y - from_y).abs() < 6.0 {
            click(lab, picture, x, y);
        }
    };
    let under = move || now.with(|view| picture.with(|p| svg::markup(&overlay::under(p, view))));
    let over = {
        let text = text.clone();
        move || now.with(|view| picture.with(|p| svg::markup(&overlay::over(p, view, &*text))))
    };
    let size = move |of: fn(&Picture) -> Tenths| move || picture.with(|p| px(of(p)));
    let view_box = move || picture.with(|p| format!("0 0 {} {}", px(p.width), px(p.height)));
    view! {
        <svg
            class="pic"
            node_ref=surface
            role="img"
            aria-label=move || label.get()
            aria-describedby="picture-words"
            width=size(|p| p.width)
            height=size(|p| p.height)
            viewBox=view_box
            on:pointerdown=down
            on:pointermove=moved
            on:pointerup=up
            on:pointercancel=move |_| grip.set_value(None)
            on:pointerleave=move |_| lab.send(Command::Hover(None))
        >
            <g inner_html=svg::patterns()></g>
            <g inner_html=move || picture.with(|p| svg::markup(&p.grounds))></g>
            <g inner_html=under></g>
            <g inner_html=move || picture.with(|p| svg::markup(p.heads.iter().chain(&p.shapes)))></g>
            <g class="overlay" inner_html=over></g>
        </svg>
    }
}

/// Tenths of a px from px that a pointer event gave.
fn point(x: f64, y: f64) -> Point {
    let tenths = |v: f64| (v * 10.0).clamp(-1e9, 1e9) as Tenths;
    Point {
        x: tenths(x),
        y: tenths(y),
    }
}

fn seek(lab: Lab, picture: Memo<Same<Picture>>, y: f64) {
    let instant = picture.with_untracked(|picture| picture.clock.instant(point(0.0, y).y));
    lab.send(Command::Seek(instant));
}

fn click(lab: Lab, picture: Memo<Same<Picture>>, x: f64, y: f64) {
    let (target, head) = picture.with_untracked(|picture| {
        let target = picture.hit(point(x, y)).map(|t| t.target);
        (target, f64::from(picture.head) / 10.0)
    });
    match target {
        Some(Target::Record(record)) => {
            let now = lab.peek(Session::selected);
            lab.send(Command::Select((now != Some(record)).then_some(record)));
        }
        Some(Target::Fold(at)) => lab.send(Command::ToggleFold(at)),
        Some(Target::Event(event)) => lab.send(Command::SeekEvent(event)),
        Some(Target::Step(step)) => edit_step(lab, step as usize),
        None if y > head => seek(lab, picture, y),
        None => {}
    }
}

/// Opens the script with the keyboard in that step.
pub fn edit_step(lab: Lab, step: usize) {
    lab.show_script();
    dom::focus_later(&format!("step-action-{step}"));
}

fn swipe(lab: Lab, to_the_left: bool) {
    let (panel, narrow) = lab.peek(|session| {
        let narrow = Mode::for_width(session.width(), session.panel()) != Mode::Wide;
        (session.panel(), narrow)
    });
    let place = match to_the_left {
        true => panel.place().saturating_add(1),
        false => panel.place().saturating_sub(1),
    };
    if let Some(next) = Panel::ALL.get(place).filter(|_| narrow) {
        lab.send(Command::OpenPanel(*next));
    }
}

/// What the picture says, for those who cannot see it: the answer, the leader, and one line a record.
fn words(lab: Lab) -> impl IntoView {
    let lines = lab.memo({
        let text = lab.text();
        move |session| look::in_words(&text, session)
    });
    view! { <p class="unseen" id="picture-words">{move || lines.get()}</p> }
}
