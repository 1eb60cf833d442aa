//! The stage of a step: its picture, and the choices of its question on it.

use std::collections::BTreeMap;

use highwater::html::Html;
use highwater::picture::shape::{Tenths, px};
use highwater::picture::svg::decimal;
use highwater::picture::view::Panel;
use highwater::text::Text;
use highwater::text::arg::millis;
use highwater::text::headline::headline;
use highwater_core::scenario::names;

use crate::anchor::Ran;
use crate::apart;
use crate::html::{inline, length, plain};
use crate::lesson::{Lesson, Step};
use crate::pictures::{self, Drawn, Wanted};
use crate::question::{Kind, Pick, Question};
use crate::say;
use crate::words::Words;

/// Draws the stages of one page; a picture that comes again is only referred to.
pub struct Stages<'a> {
    /// The lesson.
    pub lesson: &'a Lesson,
    /// The sentences of the language.
    pub text: &'a Text,
    /// The words around them.
    pub words: &'a Words,
    seen: BTreeMap<String, String>,
}

impl<'a> Stages<'a> {
    /// Nothing is drawn yet.
    pub fn new(lesson: &'a Lesson, text: &'a Text, words: &'a Words) -> Stages<'a> {
        Stages {
            lesson,
            text,
            words,
            seen: BTreeMap::new(),
        }
    }

    /// The figure of a step.
    pub fn figure(&mut self, number: usize, step: &Step, heading: &str, html: &mut Html) {
        html.raw("<figure class=\"shown\">");
        let runs: Vec<(&str, &Ran)> = step
            .show
            .iter()
            .filter_map(|name| Some((name.as_str(), self.lesson.runs.get(name)?)))
            .collect();
        match (runs.as_slice(), &step.ask) {
            ([(_, a), (_, b)], None) => self.two([a, b], step, heading, html),
            (_, Some(question)) => self.asked(number, step, question, heading, html),
            ([(name, ran), ..], None) => {
                let wanted = wanted(step, step.until);
                html.raw("<div class=\"stage\">");
                self.both(name, ran, wanted, (step.panel, false), heading, html);
                html.raw("</div>");
                self.in_words(ran, wanted, html);
            }
            ([], None) => {}
        }
        if let [(_, ran)] = runs.as_slice() {
            self.set_here(ran, html);
        }
        html.raw("</figure>");
    }

    /// What the shown run has set otherwise than the lab: two lessons may differ in it. The latency only gives the picture room.
    fn set_here(&self, ran: &Ran, html: &mut Html) {
        let set = names::entries(&ran.run.scenario.settings);
        let told = set.iter().filter(|(name, _)| *name != "link.latency");
        let list: Vec<String> = told
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if list.is_empty() {
            return;
        }
        html.raw("<figcaption>").text(self.words.say("SetHere"));
        for entry in &list {
            html.raw(" <code>").text(entry).raw("</code>");
        }
        html.raw("</figcaption>");
    }

    /// The picture while the question is asked, and the one with its answer.
    fn asked(
        &mut self,
        number: usize,
        step: &Step,
        question: &Question,
        heading: &str,
        html: &mut Html,
    ) {
        let Some(ran) = self.lesson.runs.get(&question.run) else {
            return;
        };
        let asked = wanted(step, step.until);
        html.raw("<div class=\"stage asked\">");
        let [wide, slim] = self.both(&question.run, ran, asked, (step.panel, true), heading, html);
        html.raw("<div class=\"veil\"")
            .attr("style", &tops(&wide, &slim))
            .raw(">");
        let full = [None, Some(step.panel)].map(|open| {
            let wanted = Wanted {
                until: None,
                select: step.select,
                open,
            };
            pictures::draw(ran, self.text, wanted)
        });
        self.choices(
            number,
            question,
            ran,
            [&full[0], &full[1]],
            step.panel,
            html,
        );
        html.raw("</div></div>");
        self.in_words(ran, asked, html);
        let reveal = wanted(step, question.reveal);
        html.raw("<div class=\"stage after\">");
        self.both(
            &question.run,
            ran,
            reveal,
            (step.panel, false),
            heading,
            html,
        );
        html.raw("<i class=\"guess\" hidden></i></div><div class=\"after\">");
        self.in_words(ran, reveal, html);
        html.raw("</div>");
    }

    fn choices(
        &self,
        number: usize,
        question: &Question,
        ran: &Ran,
        full: [&Drawn; 2],
        panel: Panel,
        html: &mut Html,
    ) {
        let kind = kind_word(&question.kind);
        let form = format!("ask-{number}");
        html.raw("<fieldset class=\"choices\"")
            .attr("data-kind", kind);
        html.attr("form", &form)
            .attr("aria-labelledby", &format!("q-{number}"));
        let spots = spots(question, full, panel);
        if let [Some(first), .., Some(last)] = spots.as_slice() {
            let style = format!(
                "--x0:{};--x1:{};--n0:{};--n1:{}",
                length(first.wide),
                length(last.wide),
                length(first.place),
                length(last.place)
            );
            html.attr("style", &style);
        }
        html.raw(">");
        if question.kind == Kind::Order {
            self.order(question, ran, html);
            html.raw("</fieldset>");
            return;
        }
        let many = matches!(question.kind, Kind::Brokers(_));
        if let Kind::Offset(what) = &question.kind {
            html.raw("<span class=\"axis-title\" aria-hidden=\"true\">");
            html.text(&say::asked_for(self.text, what)).raw("</span>");
        }
        html.raw("<div class=\"spots\">");
        for (index, choice) in question.choices.iter().enumerate() {
            let name = say::label(self.text, self.words, ran, &question.kind, &choice.pick);
            html.raw("<label class=\"spot\"");
            match spots.get(index) {
                Some(Some(spot)) => html.attr("style", &spot.style()),
                _ => html.attr("data-free", ""),
            };
            if let Pick::Broker(Some(broker)) = choice.pick {
                html.attr("data-hue", &(say::place_of(ran, broker) + 1).to_string());
            }
            html.raw("><input")
                .attr("type", if many { "checkbox" } else { "radio" });
            html.attr("name", &format!("c-{number}"))
                .attr("form", &form);
            html.attr("value", &index.to_string());
            if choice.right {
                html.attr("data-right", "");
            }
            // Screen readers hear the whole name; on the axis the number is enough for the eye.
            html.attr("aria-label", &name)
                .raw("><span aria-hidden=\"true\">");
            match &choice.pick {
                Pick::Offset(offset) => html.text(&offset.to_string()),
                _ => html.text(&name),
            };
            html.raw("</span></label>");
        }
        html.raw("</div></fieldset>");
    }

    fn order(&self, question: &Question, ran: &Ran, html: &mut Html) {
        html.raw("<ol class=\"order\">");
        for (index, choice) in question.choices.iter().enumerate() {
            let name = say::label(self.text, self.words, ran, &question.kind, &choice.pick);
            html.raw("<li").attr("data-rank", &choice.rank.to_string());
            html.attr("data-value", &index.to_string())
                .raw("><span>")
                .text(&name)
                .raw("</span>");
            for (key, step, sign) in [("MoveUp", "-1", "↑"), ("MoveDown", "1", "↓")] {
                html.raw("<button type=\"button\" class=\"btn\" hidden")
                    .attr("data-move", step);
                html.attr("aria-label", &format!("{}: {name}", self.words.say(key)));
                html.raw(">").markup(sign).raw("</button>");
            }
            html.raw("</li>");
        }
        html.raw("</ol>");
    }

    /// A wide picture and a slim one; the style sheet shows the one that there is room for.
    fn both(
        &mut self,
        name: &str,
        ran: &Ran,
        wanted: Wanted,
        (panel, veiled): (Panel, bool),
        heading: &str,
        html: &mut Html,
    ) -> [Drawn; 2] {
        [None, Some(panel)].map(|open| {
            let wanted = Wanted { open, ..wanted };
            let drawn = pictures::draw(ran, self.text, wanted);
            let key = format!("{name} {:?} {open:?}", wanted.until);
            let class = if open.is_some() { "slim" } else { "wide" };
            let height = if veiled {
                drawn.asked_height()
            } else {
                drawn.shown_height()
            };
            self.svg(&key, &drawn, (class, height), heading, html);
            drawn
        })
    }

    fn svg(
        &mut self,
        key: &str,
        drawn: &Drawn,
        (class, tall): (&str, Tenths),
        heading: &str,
        html: &mut Html,
    ) {
        let (mut width, mut height) = (String::new(), String::new());
        // The name over the last panel may reach a little over its edge.
        let beside = if class == "wide" && drawn.width == px(WIDE_PX) {
            px(20)
        } else {
            0
        };
        decimal(&mut width, drawn.width + beside);
        decimal(&mut height, tall);
        html.raw("<svg").attr("class", &format!("pic {class}"));
        html.attr("viewBox", &format!("0 0 {width} {height}"));
        html.attr("width", &width).attr("height", &height);
        let name = self.words.fill("PictureOf", &[("name", heading)]);
        html.raw(" role=\"img\"").attr("aria-label", &name).raw(">");
        for (nth, layer) in drawn.layers.iter().enumerate() {
            if nth % 2 == 1 {
                html.markup(layer);
            } else {
                self.once(&format!("{key} {nth}"), layer, html);
            }
        }
        html.raw("</svg>");
    }

    /// A layer, or a reference to it when it stands in the page already.
    fn once(&mut self, key: &str, layer: &str, html: &mut Html) {
        let next = format!("p{}", self.seen.len() + 1);
        match self.seen.get(key) {
            Some(id) => {
                html.raw("<use").attr("href", &format!("#{id}")).raw("/>");
            }
            None => {
                html.raw("<g class=\"pic\"").attr("id", &next).raw(">");
                html.markup(layer).raw("</g>");
                self.seen.insert(key.to_owned(), next);
            }
        }
    }

    /// Two runs of one script, each with its answer.
    fn two(&mut self, runs: [&Ran; 2], step: &Step, heading: &str, html: &mut Html) {
        let names = [0, 1].map(|side| step.show.get(side).map_or("", String::as_str));
        let apart = apart::words(&self.lesson.titles, names, runs, self.text.locale());
        let wide = wanted(step, step.until);
        let slim = Wanted {
            open: Some(step.panel),
            ..wide
        };
        let drawn = [wide, slim].map(|wanted| (wanted, pictures::pair(runs, self.text, wanted)));
        html.raw("<div class=\"two\">");
        for (side, ((name, ran), settings)) in step.show.iter().zip(runs).zip(apart).enumerate() {
            html.raw("<div class=\"one\"><h3>").text(name).raw(" ");
            html.markup(&inline(&settings)).raw("</h3>");
            for (wanted, pair) in &drawn {
                let Some(drawn) = pair.get(side) else {
                    continue;
                };
                let key = format!(
                    "{} {name} {:?} {:?}",
                    step.show.join(" "),
                    wanted.until,
                    wanted.open
                );
                let class = if wanted.open.is_some() {
                    "slim"
                } else {
                    "wide"
                };
                let heading = format!("{heading}: {}", plain(&settings));
                self.svg(&key, drawn, (class, drawn.shown_height()), &heading, html);
            }
            let answer = headline(self.text, &ran.verdict);
            html.raw("<p class=\"comes-to\">")
                .text(&answer.title)
                .raw("</p>");
            self.in_words(ran, slim, html);
            html.raw("</div>");
        }
        html.raw("</div>");
    }

    fn in_words(&self, ran: &Ran, wanted: Wanted, html: &mut Html) {
        let drawn = pictures::draw(ran, self.text, wanted);
        html.raw("<details class=\"in-words\"><summary>")
            .text(self.words.say("PictureInWords"));
        html.raw("</summary><div class=\"scrolls\" tabindex=\"0\" role=\"region\"");
        html.attr("aria-label", self.words.say("PictureInWords"))
            .raw("><table><thead><tr><th>");
        html.text(self.words.say("Time"))
            .raw("</th><th>")
            .text(self.words.say("What"));
        html.raw("</th></tr></thead><tbody>");
        for row in drawn.rows(self.text) {
            html.raw("<tr><td>")
                .text(&row.time)
                .raw("</td><td>")
                .text(&row.what)
                .raw("</td></tr>");
        }
        html.raw("</tbody></table></div></details>");
    }

    /// The line that says when the veil begins.
    pub fn veil_words(&self, step: &Step) -> Option<String> {
        let until = step.until?;
        let at = millis(until.at);
        Some(self.words.fill("PictureUntil", &[("at", &at)]))
    }
}

/// Width of a wide picture that stands alone.
const WIDE_PX: i32 = pictures::WIDE as i32;

/// The least distance of two marks of an axis that a thumb can tell apart.
const APART: Tenths = px(26);

/// Where a choice stands.
#[derive(Clone, Copy)]
struct Spot {
    /// On the wide picture.
    wide: Tenths,
    /// On the slim one.
    slim: Tenths,
    /// Under the slim one, where its mark can be hit.
    place: Tenths,
}

impl Spot {
    fn style(self) -> String {
        let (wide, place, slim) = (length(self.wide), length(self.place), length(self.slim));
        format!("--x:{wide};--n:{place};--g:{slim}")
    }
}

/// Where each choice stands on the pictures, if it has a place there. Under a slim picture whose columns are too narrow
/// the axis takes the whole width.
fn spots(question: &Question, full: [&Drawn; 2], panel: Panel) -> Vec<Option<Spot>> {
    let [wide, slim] = full;
    let mut spots: Vec<Option<Spot>> = question
        .choices
        .iter()
        .map(|choice| {
            let (wide, slim) = (wide.x(panel, &choice.pick)?, slim.x(panel, &choice.pick)?);
            let place = slim;
            Some(Spot { wide, slim, place })
        })
        .collect();
    let count = spots.iter().flatten().count();
    let near = spots
        .windows(2)
        .any(|two| matches!(two, [Some(a), Some(b)] if b.place - a.place < APART));
    if near && count > 1 {
        let step = px(280) / i32::try_from(count - 1).unwrap_or(1);
        let mut place = px(24);
        for spot in spots.iter_mut().flatten() {
            spot.place = place;
            place += step;
        }
    }
    spots
}

fn wanted(step: &Step, until: Option<highwater_core::sim::Instant>) -> Wanted {
    Wanted {
        until,
        select: step.select,
        open: None,
    }
}

fn tops(wide: &Drawn, slim: &Drawn) -> String {
    // The time at the clock stays whole.
    let top = |drawn: &Drawn| length(drawn.veil.map_or(drawn.height, |veil| veil + px(10)));
    format!("--y:{};--m:{}", top(wide), top(slim))
}

/// The kind of a question, for the style sheet and the script.
pub fn kind_word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Offset(_) => "offset",
        Kind::Record(_) => "record",
        Kind::Fate(_) => "fate",
        Kind::Answer(_) | Kind::Reply(_) => "answer",
        Kind::Order => "order",
        Kind::Broker => "broker",
        Kind::Brokers(_) => "brokers",
        Kind::Value(_) => "value",
    }
}
