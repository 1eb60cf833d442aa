//! The page in a frame of another page: the lab's picture, a few toggles, the playhead and the verdict. The regions are
//! those of the lab; what is here only, is here.

use super::html::Html;
use super::page::name;
use super::skeleton;
use super::state::State;
use crate::say;
use crate::session::look;
use crate::session::model::BrokerId;
use crate::session::question::{Asks, NOBODY, Question};
use crate::text::Text;
use crate::text::arg::list;
use crate::text::mistake::expected;

/// The widget without its content.
pub fn frame(text: &Text, html: &mut Html) {
    html.raw("<section aria-label=\"Highwater\" id=\"widget\"><div class=\"w-head\"><h1 id=\"w-title\"></h1><form class=\"set\"><div class=\"contents\" id=\"r-toggles\"></div></form></div><div id=\"w-wrong\"></div><div id=\"r-notes\"></div><div id=\"w-question\"></div>");
    html.raw("<div class=\"answer\"><div><p class=\"ans\" role=\"status\" id=\"r-answer\"></p><p class=\"why\" id=\"r-why\"></p></div><div class=\"contents\" id=\"r-b-answer\"></div></div>");
    skeleton::figure(None, html);
    html.raw("<div class=\"bar\">");
    skeleton::playback(text, html);
    html.raw("</div><details id=\"w-verdict\"><summary>")
        .text(&say!(text, Verdict))
        .raw("</summary>");
    skeleton::verdict(text, html);
    html.raw("<section id=\"r-chain\"></section></details><p class=\"w-caption\" id=\"w-caption\"></p><p class=\"w-foot\"><a id=\"w-open\" target=\"_blank\" rel=\"noopener\">");
    html.text(&say!(text, OpenInLab))
        .raw("</a><span id=\"w-version\"></span></p></section>");
    html.raw("<p class=\"unseen\" role=\"status\" id=\"r-said\"></p><p class=\"failed\" role=\"status\" id=\"r-failed\"></p>");
}

/// The name of what is shown.
pub fn title(state: &State, html: &mut Html) {
    html.text(&name(state));
}

/// What the author wrote under the picture.
pub fn caption(state: &State, html: &mut Html) {
    if let Some(options) = &state.widget {
        html.text(&options.caption);
    }
}

/// Which Kafka is modelled.
pub fn version(state: &State, html: &mut Html) {
    let version = state.session.scenario().settings.version.name();
    html.raw("Highwater · Kafka ").text(version);
}

/// The lab with what is shown here.
pub fn address(state: &State) -> Option<String> {
    let tag = state.text.locale().tag();
    Some(format!("./{}", state.session.link(Some(tag))))
}

/// The class of the whole.
pub fn class(state: &State) -> Option<String> {
    let mut class = String::from("widget");
    for (name, is_so) in [
        (" two", state.session.beside().is_some()),
        (" cropped", state.crop().is_some()),
        (" asking", state.session.until().is_some()),
    ] {
        if is_so {
            class.push_str(name);
        }
    }
    Some(class)
}

/// What the author wrote wrong, attribute by attribute.
pub fn wrong(state: &State, html: &mut Html) {
    let (text, Some(options)) = (&*state.text, &state.widget) else {
        return;
    };
    if options.mistakes.is_empty() {
        return;
    }
    html.raw("<section class=\"errors\" role=\"alert\" id=\"mistakes\">")
        .element("p", &say!(text, WidgetWrong))
        .raw("<ul>");
    for mistake in &options.mistakes {
        let (part, found) = (mistake.part.as_str(), format!("`{}`", mistake.found));
        let expected = expected(text, &mistake.expected);
        html.raw("<li>").text(&say!(
            text,
            WidgetMistake,
            part = part,
            found = found,
            expected = expected
        ));
        if let Some(word) = &mistake.instead {
            let word = format!("`{word}`");
            html.raw(" ").text(&say!(text, ScriptInstead, word = word));
        }
        html.raw("</li>");
    }
    html.raw("</ul></section>");
}

/// The question that comes before the outcome, and afterwards whether the answer was right.
pub fn question(state: &State, html: &mut Html) {
    let text = &*state.text;
    let Some(question) = state.session.question() else {
        return;
    };
    if question.answered {
        let right = question.choices.iter().filter(|(_, right)| *right);
        let mut right: Vec<String> = right.map(|(c, _)| choice(text, question, *c)).collect();
        if right.is_empty() {
            right.push(say!(text, AskNone));
        }
        let answer = list(text, right);
        html.raw("<p class=\"judged\" id=\"judged\" tabindex=\"-1\">");
        html.text(&match question.is_right() {
            true => say!(text, AskRight, answer = answer),
            false => say!(text, AskWrong, answer = answer),
        });
        html.raw("</p>");
        return;
    }
    html.raw("<form class=\"ask\"><fieldset><legend>");
    html.text(&look::question(text, question));
    html.raw("</legend><div class=\"choices\">");
    let kind = if question.is_single() {
        "radio"
    } else {
        "checkbox"
    };
    for (place, ((what, _), chosen)) in question.choices.iter().zip(&question.chosen).enumerate() {
        let place = place.to_string();
        html.raw("<label><input name=\"choice\"")
            .attr("type", kind)
            .attr("id", &format!("choose-{place}"))
            .act("pick", &place)
            .flag("checked", *chosen)
            .raw("> ")
            .text(&choice(text, question, *what))
            .raw("</label>");
    }
    html.raw("</div></fieldset><button type=\"button\" class=\"btn main\" id=\"answer-button\" data-do=\"answer\"")
        .flag("disabled", !question.is_ready())
        .raw(">")
        .text(&say!(text, AskShow))
        .raw("</button></form>");
}

fn choice(text: &Text, question: &Question, what: u64) -> String {
    match question.asks {
        Asks::Leader if what == NOBODY => say!(text, AskNobody),
        Asks::Leader => say!(text, NodeBroker, broker = BrokerId(what as u32)),
        _ => format!("m{what}"),
    }
}
