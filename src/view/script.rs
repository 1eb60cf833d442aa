//! The script as a list of steps, and what is wrong with its text.

use super::html::Html;
use super::icons;
use super::state::State;
use crate::say;
use crate::session::look;
use crate::session::model::{ScriptError, When, time};
use crate::session::state::Refusal;
use crate::text::mistake::mistake;

/// What the button says: a mistake is told even when the script is closed.
pub fn button(state: &State, html: &mut Html) {
    let text = &*state.text;
    html.text(&match state.session.errors().is_empty() {
        true => say!(text, ScriptAsText),
        false => say!(text, ScriptOpenWrong),
    });
}

/// What copying came to.
pub fn copy(state: &State, html: &mut Html) {
    let text = &*state.text;
    html.text(&match state.copied {
        None => say!(text, Copy),
        Some(true) => say!(text, Copied),
        Some(false) => say!(text, CopyFailed),
    });
}

/// The steps: time, action, and a button to remove each.
pub fn steps(state: &State, html: &mut Html) {
    if !state.script {
        return;
    }
    let (session, text) = (&state.session, &*state.text);
    let locked = !session.errors().is_empty();
    if locked {
        html.element("p class=\"stale\"", &say!(text, ScriptListLocked));
    }
    html.raw("<ol class=\"steps\">");
    let here = look::step_at(session);
    let steps = &session.scenario().steps;
    if steps.is_empty() {
        html.element("li class=\"quiet\"", &say!(text, ScriptEmpty));
    }
    for (index, (step, action)) in steps.iter().zip(look::actions(session)).enumerate() {
        let at = session.ran().times.get(index).copied().unwrap_or_default();
        let (number, place) = (index.saturating_add(1), index.to_string());
        html.raw(if here == Some(index) {
            "<li class=\"at-playhead\""
        } else {
            "<li"
        });
        html.attr("data-place", &place).raw(">");
        let tied = !matches!(step.when, When::At(_));
        html.raw(if tied {
            "<input class=\"field time tied\""
        } else {
            "<input class=\"field time\""
        });
        html.attr("id", &format!("step-time-{index}"))
            .act("step-time", &place);
        html.attr("aria-label", &say!(text, StepTime, n = number));
        html.attr("value", &time::print(at))
            .raw(" autocomplete=\"off\"")
            .flag("disabled", locked);
        html.raw("><input class=\"field line\" autocomplete=\"off\" spellcheck=\"false\"");
        html.attr("id", &format!("step-action-{index}"))
            .act("step-action", &place);
        html.attr("aria-label", &say!(text, StepAction, n = number));
        html.attr("value", &action).flag("disabled", locked);
        html.raw("><button type=\"button\" class=\"btn plain\"")
            .act("step-remove", &place);
        let remove = say!(text, StepRemove, n = number);
        html.attr("id", &format!("step-remove-{index}"))
            .attr("aria-label", &remove)
            .attr("title", &remove);
        html.flag("disabled", locked)
            .raw(">")
            .raw(icons::REMOVE)
            .raw("</button>");
        if let Some(Refusal::Step { step, error, .. }) = session.refusal()
            && *step == index
        {
            html.element("p class=\"wrong\" role=\"alert\"", &mistake(text, error));
        }
        html.raw("</li>");
    }
    html.raw("</ol>");
}

/// Most mistakes that are listed.
const MOST: usize = 20;

/// The mistakes, each with a way to its place.
pub fn errors(state: &State, html: &mut Html) {
    let (session, text) = (&state.session, &*state.text);
    let errors = session.errors();
    if errors.is_empty() {
        return;
    }
    html.element("p class=\"stale\"", &say!(text, ScriptKept))
        .raw("<ul class=\"errors\">");
    for (place, error) in errors.iter().take(MOST).enumerate() {
        html.raw("<li><button type=\"button\" class=\"link tall\"")
            .act("error", &place.to_string());
        html.raw(">")
            .text(&mistake(text, error))
            .raw("</button><pre translate=\"no\">");
        let [before, marked, after] = around(session.text(), error);
        html.text(&before)
            .element("u", &marked)
            .text(&after)
            .raw("</pre></li>");
    }
    let more = errors.len().saturating_sub(MOST);
    if more > 0 {
        html.element("li", &say!(text, ErrorsMore, n = more));
    }
    html.raw("</ul>");
}

/// The line of a mistake in three parts: before, what is meant, after.
fn around(text: &str, error: &ScriptError) -> [String; 3] {
    let line = text
        .lines()
        .nth(error.line.saturating_sub(1) as usize)
        .unwrap_or_default();
    let start = error.column.saturating_sub(1) as usize;
    let length = (error.length as usize).max(1);
    let mut chars = line.chars();
    let before: String = chars.by_ref().take(start.min(200)).collect();
    let marked: String = chars.by_ref().take(length.min(80)).collect();
    let after: String = chars.take(80).collect();
    [
        before,
        if marked.is_empty() {
            " ".to_owned()
        } else {
            marked
        },
        after,
    ]
}

/// The place of a mistake in the text area, which counts in UTF-16.
pub fn utf16_range(text: &str, error: &ScriptError) -> (u32, u32) {
    let mut at: u32 = 0;
    let mut lines = text.split_inclusive('\n');
    for line in lines.by_ref().take(error.line.saturating_sub(1) as usize) {
        at = at.saturating_add(units(line.chars()));
    }
    let line = lines
        .next()
        .unwrap_or_default()
        .trim_end_matches(['\n', '\r']);
    let column = error.column.saturating_sub(1) as usize;
    let start = at.saturating_add(units(line.chars().take(column)));
    let end = start.saturating_add(units(line.chars().skip(column).take(error.length as usize)));
    (start, end)
}

fn units(chars: impl Iterator<Item = char>) -> u32 {
    chars
        .map(|c| c.len_utf16() as u32)
        .fold(0, u32::saturating_add)
}
