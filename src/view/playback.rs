//! The bar under the picture: what happens now, the scrubber's line, steps to add.

use super::html::Html;
use super::icons;
use super::settings::Choice;
use super::side::event_words;
use super::state::{Open, State};
use crate::picture::shape::Tenths;
use crate::say;
use crate::session::act::panel_name;
use crate::session::look;
use crate::session::model::Millis;
use crate::text::Key;
use crate::text::arg::millis;

/// Steps of the range control: finer than a pixel of any screen.
pub const LENGTH: Tenths = 10_000;

/// The play button.
pub fn play(state: &State, html: &mut Html) {
    if state.session.playing() {
        html.raw(icons::PAUSE).text(&say!(&state.text, Pause));
    } else {
        html.raw(icons::PLAY).text(&say!(&state.text, Play));
    }
}

/// The instant and the event in few words.
pub fn now(state: &State, html: &mut Html) {
    html.element("b", &millis(state.session.playhead().at))
        .raw(" · ");
    html.text(&event_words(state, false));
}

/// The same in a whole sentence: on a phone it stands over the controls.
pub fn caption(state: &State, html: &mut Html) {
    html.element("b", &millis(state.session.playhead().at))
        .raw(" ");
    html.text(&event_words(state, true));
}

/// The same for a screen reader.
pub fn value_text(state: &State) -> String {
    format!(
        "{}, {}",
        millis(state.session.playhead().at),
        event_words(state, true)
    )
}

/// What is said after a step.
pub fn step_in_words(state: &State) -> String {
    format!(
        "{}: {}",
        millis(state.session.playhead().at),
        event_words(state, true)
    )
}

/// Where the scrubber stands.
pub fn place(state: &State) -> String {
    let session = &state.session;
    session.scrub(session.playhead().at, LENGTH).to_string()
}

/// Where one timeline is open: which of the three, or the messages.
pub fn panels(state: &State, html: &mut Html) {
    if state.narrow() {
        let text = &*state.text;
        let words = [
            say!(text, TabAcks),
            say!(text, TabLag),
            say!(text, TabVisibility),
            say!(text, TabMessages),
        ];
        choice(
            state,
            html,
            "panel",
            panel_name(state.session.panel()),
            &words,
        );
    }
}

/// Where all three are open: they, or the messages.
pub fn views(state: &State, html: &mut Html) {
    if !state.narrow() {
        let text = &*state.text;
        let words = [say!(text, TabTimelines), say!(text, TabMessages)];
        choice(state, html, "shows", "timelines", &words);
    }
}

/// The last of the words is the messages'.
fn choice(state: &State, html: &mut Html, name: &str, timeline: &str, words: &[String]) {
    let names: &[&str] = match words.len() {
        2 => &["timelines", "messages"],
        _ => &["acks", "lag", "visibility", "messages"],
    };
    let mut options: Vec<(&str, &str)> = names
        .iter()
        .copied()
        .zip(words.iter().map(String::as_str))
        .collect();
    if let Some(widget) = &state.widget {
        // A widget has what its author shows, and no messages.
        let mut shown = widget.show.iter();
        options.retain(|_| shown.next() == Some(&true));
    }
    if options.len() < 2 {
        return;
    }
    let choice = Choice {
        name,
        act: "view",
        chosen: if state.messages() {
            "messages"
        } else {
            timeline
        },
    };
    let legend = say!(&state.text, TabsLabel);
    choice.draw(
        html,
        |html| {
            html.element("span class=\"unseen\"", &legend);
        },
        &options,
    );
}

/// A place of the scrubber as a percentage with two decimals.
fn percent(place: Tenths) -> String {
    let hundredths = place.clamp(0, LENGTH);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// The line under the scrubber: steps of the script, folded pauses, losses.
pub fn line(state: &State, html: &mut Html) {
    let session = &state.session;
    let (clock, ran) = (session.clock(), session.ran());
    let place = |at| session.scrub(at, LENGTH);
    let (from, to) = session.shown().unwrap_or((Millis(0), ran.end().at));
    let shown = |at: &Millis| (from..=to).contains(at);
    html.raw("<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"16\" y2=\"16\"/>");
    for fold in clock.folds() {
        let (from, to) = (place(fold.from).max(0), place(fold.to).min(LENGTH));
        if from >= to {
            continue;
        }
        html.raw("<rect class=\"fold\" y=\"9\" height=\"14\"")
            .attr("x", &percent(from));
        html.attr("width", &percent(to.saturating_sub(from)))
            .raw("/>");
    }
    let mut last = None;
    for at in ran.times.iter().filter(|at| shown(at)) {
        let here = percent(place(*at));
        if last.as_ref() != Some(&here) {
            html.raw("<line class=\"mark\" y1=\"10\" y2=\"22\"")
                .attr("x1", &here)
                .attr("x2", &here)
                .raw("/>");
        }
        last = Some(here);
    }
    let mut last = None;
    let lost = ran.verdict.lost().filter_map(|record| record.lost);
    for at in lost.map(|since| since.at).filter(shown) {
        let here = percent(place(at));
        if last.as_ref() != Some(&here) {
            html.raw("<svg overflow=\"visible\"").attr("x", &here);
            html.raw("><path class=\"cross\" d=\"M-4 12l8 8M4 12l-8 8\"/></svg>");
        }
        last = Some(here);
    }
}

/// What the button for adding says.
pub fn add_label(state: &State, html: &mut Html) {
    html.text(&say!(
        &state.text,
        AddStep,
        time = state.session.playhead().at
    ));
}

/// Actions on one broker: name and word of the script.
const ON_BROKER: &[(Key, &str)] = &[
    (Key::AddKill, "kill"),
    (Key::AddStop, "stop"),
    (Key::AddStart, "start"),
    (Key::AddPauseFetch, "pause-fetch"),
    (Key::AddResumeFetch, "resume-fetch"),
    (Key::AddIsolate, "isolate"),
    (Key::AddHeal, "heal"),
    (Key::AddCutController, "cut-controller"),
    (Key::AddHealController, "heal-controller"),
];

/// Actions that need no broker.
const PLAIN: &[(Key, &str)] = &[
    (Key::AddUnclean, "elect unclean"),
    (Key::AddPreferred, "elect preferred"),
    (Key::AddKillController, "kill-controller"),
    (Key::AddStartController, "start-controller"),
    (Key::AddBegin, "begin-transaction"),
    (Key::AddCommit, "commit-transaction"),
    (Key::AddAbort, "abort-transaction"),
];

/// What can be added at the playhead.
pub fn add_list(state: &State, html: &mut Html) {
    if state.open != Some(Open::Add) {
        return;
    }
    let (text, session) = (&*state.text, &state.session);
    html.raw("<ul class=\"add-list\" id=\"add-list\"");
    html.attr(
        "aria-label",
        &say!(text, AddStepTitle, time = session.playhead().at),
    )
    .raw(">");
    item(html, "produce", &say!(text, AddProduce));
    if let Some(leader) = look::leader(session) {
        item(
            html,
            &format!("kill {leader}"),
            &say!(text, AddKillLeader, broker = leader),
        );
    }
    for (key, word) in ON_BROKER {
        let name = text.fill(*key, &[]);
        html.raw("<li class=\"of-broker\">")
            .element("span aria-hidden=\"true\"", &name);
        for broker in &session.scenario().settings.brokers {
            html.raw("<button type=\"button\" class=\"chip\"")
                .act("add", &format!("{word} {broker}"));
            html.attr("aria-label", &format!("{name} {broker}"))
                .raw(">");
            html.text(&broker.to_string()).raw("</button>");
        }
        html.raw("</li>");
    }
    for (key, words) in PLAIN {
        item(html, words, &text.fill(*key, &[]));
    }
    html.raw("</ul>");
}

fn item(html: &mut Html, action: &str, words: &str) {
    html.raw("<li><button type=\"button\"")
        .act("add", action)
        .raw(">")
        .text(words)
        .raw("</button></li>");
}
