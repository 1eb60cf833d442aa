//! Puts the page into the document and keeps its regions up to date.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;

use super::behind;
use super::events;
use super::host;
use super::html::Html;
use super::lab::Lab;
use super::language;
use super::near;
use super::tour;
use crate::browser::{address, dom, media, resize};
use crate::say;
use crate::session::{Command, Session, look};
use crate::text::Text;
use crate::view::regions::{ATTRIBUTES, Attribute, Place, REGIONS, Region, stamp};
use crate::view::skeleton::skeleton;
use crate::view::state::State;
use crate::view::widget;

/// Puts the page into the document as soon as its words are there.
pub fn mount() {
    let widget = dom::root("data-page").as_deref() == Some("embed");
    if !widget {
        language::show_theme(language::theme());
    }
    language::fetch(language::first(widget), move |fetched| {
        let (text, failed) = match fetched {
            Ok(text) => (text, None),
            Err(reason) => {
                let text = Text::english();
                let failed = say!(&text, LanguageFailed, reason = reason);
                (text, Some(failed))
            }
        };
        language::name_document(&text);
        dom::remove("boot");
        match widget {
            true => put_widget(text, failed),
            false => put_lab(text, failed),
        }
    });
}

fn put_lab(text: Text, failed: Option<String>) {
    let mut html = Html::default();
    skeleton(&text, language::theme(), &mut html);
    let query = address::query();
    let session = match query.is_empty() {
        true => Session::default(),
        false => Session::from_link(&query),
    };
    let mut state = State::new(session, text, language::theme());
    state.failed = failed;
    state.tour = tour::first(!query.is_empty());
    let width = drawn(&state);
    if let Some(width) = width {
        state.session.apply(Command::Resize(width));
    }
    put(state, html.done(), width.is_some());
}

/// The page as part of another page.
fn put_widget(text: Text, failed: Option<String>) {
    let mut html = Html::default();
    widget::frame(&text, &mut html);
    let (session, options) = Session::of_widget(&address::query());
    language::show_theme(options.theme);
    if options.fits {
        dom::set_root("data-fits", Some(""));
    }
    let mut state = State::new(session, text, options.theme);
    state.failed = failed;
    state.widget = Some(options);
    put(state, html.done(), false);
}

/// The width of the picture, when the first view stands there that was drawn while the page was built
/// (`public/first.js`), and in this language.
fn drawn(state: &State) -> Option<u32> {
    let app = dom::by_id("app")?;
    let is_it = app.get_attribute("data-first")? == state.text.locale().tag();
    app.get_attribute("data-width")?
        .parse()
        .ok()
        .filter(|_| is_it)
}

/// Puts the page into the document, unless it is drawn there, and follows its state from now on.
fn put(mut state: State, html: String, drawn: bool) {
    state.can_share = address::can_share();
    if !drawn {
        dom::put("app", &html);
    }
    mount_to_body(move || {
        let lab = Lab::new(state);
        lab.change(|_| {});
        // They belong to the owner of the page; the first of them runs when the root is in the document.
        let is_there = |id: &str| html.contains(&format!("id=\"{id}\""));
        let regions = REGIONS.iter().filter(|region| is_there(region.id));
        regions.for_each(|region| follow(lab, region, drawn));
        let attributes = ATTRIBUTES.iter().filter(|attribute| is_there(attribute.id));
        attributes.for_each(|attribute| follow_attribute(lab, attribute, drawn));
        mark_rows(lab);
        dom::later(move || start(lab));
    });
}

/// The page is in the document: what happens there is heard.
fn start(lab: Lab) {
    if let Some(root) = dom::by_id("app") {
        events::hear(lab, &root);
    }
    // What was done before is done now.
    dom::set("app", "data-first", None);
    watch_width(lab);
    near::watch(lab);
    behind::watch(lab);
    super::address::hear(lab);
    let Some(autoplay) = lab.peek(|state| Some(state.widget.as_ref()?.autoplay)) else {
        return;
    };
    host::start(lab);
    if autoplay && !media::matches(media::REDUCED_MOTION) {
        lab.send(Command::First);
        lab.send(Command::PlayPause);
    }
}

fn watch_width(lab: Lab) {
    resize::watch_width("pair", move |width| {
        // Between 0 and the widest screen.
        let width = width.clamp(0.0, 20_000.0) as u32;
        if lab.peek(|state| state.session.width()) != width {
            lab.glance(Command::Resize(width));
        }
    });
}

/// What was written last, and in which writing of everything.
type Written<T> = Option<(u64, T)>;

/// Keeps a region up to date. What is drawn already is what it would be drawn as.
fn follow(lab: Lab, region: &'static Region, drawn: bool) {
    let stamp = Memo::new(move |_| lab.with(|state| stamp(region.of, state)));
    let before: Rc<RefCell<Written<String>>> = Rc::default();
    Effect::new(move |_| {
        let _ = stamp.get();
        let before = before.clone();
        // What opens is there at once: the focus may be meant for it.
        let empty = before
            .borrow()
            .as_ref()
            .is_none_or(|(_, html)| html.is_empty());
        let place = if empty { Place::Here } else { region.place };
        behind::draw((region.id, ""), place, move || {
            let mut html = Html::default();
            lab.peek(|state| (region.draw)(state, &mut html));
            let now = Some((lab.peek(|state| state.written), html.done()));
            let stands = drawn && before.borrow().is_none();
            if !stands && *before.borrow() != now {
                dom::fill(region.id, now.as_ref().map_or("", |(_, html)| html));
            }
            before.replace(now);
        });
    });
}

fn follow_attribute(lab: Lab, attribute: &'static Attribute, drawn: bool) {
    let stamp = Memo::new(move |_| lab.with(|state| stamp(attribute.of, state)));
    let before: Rc<RefCell<Written<Option<String>>>> = Rc::default();
    Effect::new(move |ran: Option<()>| {
        let _ = stamp.get();
        if drawn && ran.is_none() {
            return;
        }
        let before = before.clone();
        behind::draw((attribute.id, attribute.name), attribute.place, move || {
            let (written, value) = lab.peek(|state| (state.written, (attribute.value)(state)));
            let now = Some((written, value));
            // A field has what was typed there.
            if attribute.name == "value" || *before.borrow() != now {
                let value = now.as_ref().and_then(|(_, value)| value.as_deref());
                dom::set(attribute.id, attribute.name, value);
                before.replace(now);
            }
        });
    });
}

/// The row of the record that the pointer or the focus is on, and the step at the playhead. Only their classes change: a
/// table of hundreds is not written anew for each event.
fn mark_rows(lab: Lab) {
    mark(lab, |state| state.lit().unwrap_or(0), "record", "lit");
    let step = |state: &State| look::step_at(&state.session).map_or(u64::MAX, |step| step as u64);
    mark(lab, step, "place", "at-playhead");
}

fn mark(lab: Lab, of: fn(&State) -> u64, name: &'static str, class: &'static str) {
    let now = Memo::new(move |_| lab.with(of));
    Effect::new(move |_| {
        let name = format!("data-{name}");
        let rows = format!(":is(tr,li)[{name}]");
        dom::mark(&rows, &name, &now.get().to_string(), class);
    });
}
