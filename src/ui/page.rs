//! The whole page, put together.

use leptos::prelude::*;

use super::context::{Lab, Open, Same};
use super::{
    answer, figure, header, menu, playback, recorded, script, settings, side, transcript, verdict,
};
use crate::browser::stop;
use crate::say;
use crate::session::Session;
use crate::session::library;
use crate::session::state::Origin;
use crate::text::Text;

/// Puts the page into the document.
pub fn mount() {
    let text = Text::english();
    stop::install(stop::Words {
        stopped: say!(text, Stopped),
        reload: say!(text, Reload),
    });
    header::restore_theme();
    mount_to_body(move || {
        let lab = Lab::new(Session::default(), text);
        page(lab)
    });
}

fn page(lab: Lab) -> impl IntoView {
    let script = move || lab.is_open(Open::Script).then(|| script::panel(lab));
    view! {
        {header::header(lab)}
        <main class="lab">
            {run(lab)}
            {answer::answer(lab)}
            <div class="grid">
                <div>
                    {figure::figure(lab)}
                    {playback::bar(lab)}
                    {script}
                    {verdict::table(lab)}
                    {recorded::against(lab)}
                    {transcript::transcript(lab)}
                </div>
                {side::side(lab)}
            </div>
        </main>
        <p class="unseen" role="status" aria-live="polite">{move || lab.said.get()}</p>
    }
}

/// Which scenario, under which settings.
fn run(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let menu = move || lab.is_open(Open::Menu).then(|| menu::menu(lab));
    let more =
        move || (lab.is_open(Open::More) || lab.is_open(Open::Sheet)).then(|| settings::more(lab));
    view! {
        <section class="run" aria-label=say!(text, RunLabel)>
            <div class="run-row">
                {title(lab)}
                {sheet_line(lab)}
                <form
                    class="set"
                    class:folded=move || !lab.is_open(Open::Sheet)
                    id="settings"
                    aria-label=say!(text, SettingsTitle)
                    on:submit=|event| event.prevent_default()
                >
                    {settings::toggles(lab)}
                    {settings::more_button(lab)}
                </form>
            </div>
            {settings::in_force(lab)}
            {more}
            {menu}
        </section>
    }
}

/// The title with what there is below it.
fn title(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let shown = lab.memo(|session| {
        let library = match session.origin() {
            Origin::Library(id) => library::find(id).map(|entry| (entry.name, entry.text)),
            Origin::Recording(_) => None,
        };
        (
            library
                .filter(|(_, text)| **text == **session.text())
                .map(|(name, _)| name),
            Same(session.scenario().clone()),
        )
    });
    let name = {
        let text = text.clone();
        move || match shown.get() {
            (Some(key), _) => text.fill(key, &[]),
            (None, scenario) if scenario.title.is_empty() => say!(text, Untitled),
            (None, scenario) => scenario.title.clone(),
        }
    };
    let under = {
        let text = text.clone();
        move || {
            let (_, scenario) = shown.get();
            say!(
                text,
                TitleUnder,
                replicas = scenario.settings.replicas.clone()
            )
        }
    };
    let version = lab.memo(|session| match session.origin() {
        Origin::Recording(recorded) => {
            Some((recorded.kafka.clone(), session.recording().is_some()))
        }
        Origin::Library(_) => None,
    });
    let mark = move || {
        version.get().map(|(version, unchanged)| {
            let words = if unchanged {
                say!(lab.text(), Recorded, version = version)
            } else {
                say!(lab.text(), RecordedChanged, version = version)
            };
            view! { <span class="recorded">{words}</span> }
        })
    };
    view! {
        <div class="run-title">
            <h1 id="title" tabindex="-1">{name}</h1>
            <div class="run-under"><span>{under}</span>{mark}{menu::button(lab)}</div>
        </div>
    }
}

/// On a phone the settings are one line that opens a sheet.
fn sheet_line(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let line = lab.memo({
        let text = text.clone();
        move |session| {
            let s = &session.scenario().settings;
            let word = |on: bool| {
                if on {
                    say!(text, SettingOn)
                } else {
                    say!(text, SettingOff)
                }
            };
            let (unclean, elr) = (word(s.unclean_leader_election), word(s.elr));
            let acks = crate::text::arg::acks_word(s.acks);
            (
                acks,
                say!(
                    text,
                    SheetLine,
                    min = s.min_insync_replicas,
                    unclean = unclean,
                    elr = elr
                ),
            )
        }
    });
    view! {
        <button
            type="button"
            class="settings-line"
            aria-expanded=move || lab.is_open(Open::Sheet).to_string()
            aria-controls="settings"
            on:click=move |_| lab.toggle(Open::Sheet)
        >
            <code translate="no"><b>"acks="{move || line.get().0}</b></code>
            <span>{move || line.get().1}</span>
            <i>{say!(text, SettingsChange)}</i>
        </button>
    }
}
