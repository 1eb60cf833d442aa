//! The scrubber: a range control over a line with the script's steps, the folded pauses and the losses.

use leptos::prelude::*;

use super::context::Lab;
use super::notes;
use crate::picture::shape::Tenths;
use crate::say;
use crate::session::state::Session;
use crate::session::{Command, Ran};
use crate::text::arg::millis;

/// Steps of the range control: finer than a pixel of any screen.
const LENGTH: Tenths = 10_000;

fn percent(place: Tenths) -> String {
    format!("{}%", f64::from(place) * 100.0 / f64::from(LENGTH))
}

/// What the line shows.
#[derive(Clone, PartialEq)]
struct Line {
    steps: Vec<Tenths>,
    folds: Vec<(Tenths, Tenths)>,
    losses: Vec<Tenths>,
}

fn line(session: &Session) -> Line {
    let clock = session.clock();
    let ran: &Ran = session.ran();
    let place = |at| clock.scrub(at, LENGTH);
    let mut losses: Vec<Tenths> = ran
        .verdict
        .lost()
        .filter_map(|record| record.lost)
        .map(|since| place(since.at))
        .collect();
    losses.dedup();
    let mut steps: Vec<Tenths> = ran.times.iter().map(|at| place(*at)).collect();
    steps.dedup();
    Line {
        steps,
        folds: clock
            .folds()
            .map(|fold| (place(fold.from), place(fold.to)))
            .collect(),
        losses,
    }
}

/// The scrubber.
pub fn scrubber(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let drawn = lab.memo(line);
    let place = lab.memo(|session| {
        session
            .clock()
            .scrub(session.playhead().at, LENGTH)
            .to_string()
    });
    let words = lab.memo({
        let text = lab.text();
        move |session| {
            let at = millis(session.playhead().at);
            format!("{at}, {}", notes::event_sentence(&text, session))
        }
    });
    let seek = move |value: String| {
        let Ok(place) = value.parse::<Tenths>() else {
            return;
        };
        let instant = lab.peek(|session| session.clock().unscrub(place, LENGTH));
        lab.send(Command::Seek(instant));
    };
    let keys = move |event: leptos::ev::KeyboardEvent| {
        let command = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => Command::NextEvent,
            "ArrowLeft" | "ArrowUp" => Command::PreviousEvent,
            "Home" => Command::First,
            "End" => Command::Last,
            " " => Command::PlayPause,
            _ => return,
        };
        event.prevent_default();
        lab.send(command);
    };
    let marks = move || {
        let line = drawn.get();
        let folds = line.folds.into_iter().map(|(from, to)| {
            view! { <rect class="fold" x=percent(from) width=percent(to - from) y="9" height="14"/> }
        });
        let steps = line.steps.into_iter().map(|at| {
            view! { <line class="mark" x1=percent(at) x2=percent(at) y1="10" y2="22"/> }
        });
        let losses = line.losses.into_iter().map(|at| {
            view! { <svg x=percent(at) overflow="visible"><path class="cross" d="M-4 12l8 8M4 12l-8 8"/></svg> }
        });
        (
            folds.collect_view(),
            steps.collect_view(),
            losses.collect_view(),
        )
    };
    view! {
        <div class="scrub">
            <svg aria-hidden="true"><line class="axis" x1="0" x2="100%" y1="16" y2="16"/>{marks}</svg>
            <input
                type="range"
                id="scrubber"
                min="0"
                max=LENGTH.to_string()
                step="1"
                aria-label=say!(text, Playhead)
                aria-valuetext=move || words.get()
                prop:value=move || place.get()
                on:input=move |event| seek(event_target_value(&event))
                on:keydown=keys
            />
        </div>
    }
}
