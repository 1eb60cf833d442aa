//! The page of a lesson.

use std::collections::BTreeMap;

use highwater::html::Html;
use highwater::picture::svg::patterns;
use highwater::text::{Locale, Text};
use highwater_core::kafka::ids::EventId;

use crate::anchor::Ran;
use crate::html::{inline, plain};
use crate::lesson::{Lesson, Step};
use crate::link;
use crate::path::Row;
use crate::pictures::zigzags;
use crate::question::{Kind, Pick, Question};
use crate::say::{self, Said};
use crate::site::{Page, Site};
use crate::stage::{Stages, kind_word};
use crate::terms::{self, Term};
use crate::words::Words;
use crate::{preview, prose};

/// What a page is made of.
pub struct Whole<'a> {
    /// The site.
    pub site: &'a Site,
    /// The lesson.
    pub lesson: &'a Lesson,
    /// Its row.
    pub row: &'a Row,
    /// All rows.
    pub rows: &'a [Row],
    /// Kafka's terms.
    pub terms: &'a [Term],
    /// The row after it that has a lesson.
    pub next: Option<&'a Row>,
    /// The sentences of the language.
    pub text: &'a Text,
    /// The words around them.
    pub words: &'a Words,
}

/// The page in a language; nothing if the lesson has no prose in it, which its reading excludes.
pub fn page(whole: &Whole<'_>) -> String {
    let locale = whole.text.locale();
    let Some(said) = whole.lesson.prose.get(&locale) else {
        return String::new();
    };
    let page = Page {
        folder: "lessons",
        locale,
        words: whole.words,
        title: &said.title,
        description: &said.description,
        slug: Some(&whole.lesson.slug),
        picture: Some(if whole.site.previews {
            preview::FILE
        } else {
            "step-1.svg"
        }),
    };
    let mut html = Html::default();
    page.open(whole.site, &mut html);
    // Hatches and dots once; never `display: none`, or no picture could use them.
    html.raw("<svg class=\"unseen\" aria-hidden=\"true\" focusable=\"false\">")
        .markup(&patterns())
        .markup(&zigzags())
        .raw("</svg>\n");
    let words = whole.words;
    html.raw("<main class=\"lesson\" id=\"main\"")
        .attr("data-steps", &said.steps.len().to_string());
    html.raw("><header class=\"lesson-head\"><p class=\"crumb\"><a href=\"../\">")
        .text(words.say("Lessons"));
    html.raw("</a> · ")
        .text(&words.fill("Row", &[("n", &whole.row.number.to_string())]));
    html.raw(" · ")
        .text(&words.fill("Minutes", &[("n", &whole.row.minutes.to_string())]));
    html.raw("</p><h1>")
        .markup(&inline(&said.title))
        .raw("</h1></header>");
    nav(said, words, &mut html);
    html.raw(TERMS);
    let mut stages = Stages::new(whole.lesson, whole.text, words);
    let last = said.steps.len();
    for (index, (prose, step)) in said.steps.iter().zip(&whole.lesson.steps).enumerate() {
        let number = index + 1;
        let one = One {
            whole,
            number,
            last,
            prose,
            step,
        };
        one.section(&page, &mut stages, &mut html);
    }
    foot(said, words, &mut html);
    html.raw("<p class=\"unseen\" role=\"status\" id=\"said\"></p></main>\n");
    page.close(&mut html);
    let html = html.done();
    let language = folder(locale);
    let list = terms::list(
        whole.terms,
        &html,
        language,
        words.say("Terms"),
        whole.row,
        whole.rows,
    );
    html.replacen(TERMS, &list, 1)
}

/// Where the terms stand: which of them the page uses is known when it is written.
const TERMS: &str = "<!-- terms -->";

fn nav(said: &prose::Prose, words: &Words, html: &mut Html) {
    html.raw("<nav class=\"steps-nav\"")
        .attr("aria-label", words.say("Steps"))
        .raw("><ol>");
    for (index, step) in said.steps.iter().enumerate() {
        let number = index + 1;
        html.raw("<li><a")
            .attr("href", &format!("#step-{number}"))
            .attr("data-go", &number.to_string());
        html.raw("><span class=\"tick\" hidden>✓</span> ")
            .text(&format!("{number}. "))
            .markup(&inline(&step.heading));
        html.raw("</a></li>");
    }
    html.raw("</ol></nav>\n");
}

/// What only the script shows: the way from one step to the whole lesson, and how a step is handed on.
fn foot(said: &prose::Prose, words: &Words, html: &mut Html) {
    html.raw("<p class=\"whole\" hidden")
        .attr("data-words-missing", words.say("NoSuchStep"))
        .raw(">");
    html.text(words.say("WholeLesson"))
        .raw(" <a href=\"./\" target=\"_blank\" rel=\"noopener\">")
        .markup(&inline(&said.title))
        .raw("</a></p><details class=\"share\" hidden><summary>");
    html.text(words.say("Share")).raw("</summary>");
    for (name, rows) in [("ShareLink", "1"), ("ShareWidget", "4")] {
        html.raw("<label>")
            .text(words.say(name))
            .raw("<textarea class=\"field\" readonly spellcheck=\"false\" translate=\"no\"");
        html.attr("rows", rows).raw("></textarea></label>");
    }
    html.raw("</details>");
}

/// One step of a page.
pub(crate) struct One<'a> {
    pub(crate) whole: &'a Whole<'a>,
    number: usize,
    last: usize,
    prose: &'a prose::Step,
    pub(crate) step: &'a Step,
}

impl One<'_> {
    fn section(&self, page: &Page<'_>, stages: &mut Stages<'_>, html: &mut Html) {
        let number = self.number.to_string();
        html.raw("<section class=\"step\"")
            .attr("id", &format!("step-{number}"));
        html.attr("data-step", &number)
            .attr("aria-labelledby", &format!("h-{number}"));
        html.raw("><div class=\"said\"><h2")
            .attr("id", &format!("h-{number}"));
        html.raw(" tabindex=\"-1\">")
            .markup(&inline(&self.prose.heading))
            .raw("</h2><div class=\"prose\">");
        html.markup(&self.quoted()).raw("</div>");
        self.sentences(&self.step.because, html);
        if self.step.show.len() == 2 {
            self.difference(html);
        }
        if let Some(question) = &self.step.ask {
            self.prompt(question, stages.veil_words(self.step), html);
        }
        html.raw("</div>");
        // The choices stand on the picture: between the question and the button that checks.
        stages.figure(self.number, self.step, &plain(&self.prose.heading), html);
        html.raw("<div class=\"rest\">");
        if let Some(question) = &self.step.ask {
            self.question(question, html);
        }
        if self.number == self.last {
            self.try_it(page, html);
        }
        self.turn(html);
        html.raw("</div>");
        html.raw("</section>\n");
    }

    /// The belief of the first step and the sentence of the last have their names above them.
    fn quoted(&self) -> String {
        let words = self.whole.words;
        let (class, key) = if self.number == 1 {
            ("belief", "Belief")
        } else if self.number == self.last {
            ("take-away", "TakeAway")
        } else {
            return self.prose.body.clone();
        };
        let open = format!(
            "<blockquote class=\"{class}\"><p class=\"over\">{}</p>",
            words.say(key)
        );
        self.prose.body.replace("<blockquote>", &open)
    }

    fn sentences(&self, list: &[(String, EventId)], html: &mut Html) {
        if list.is_empty() {
            return;
        }
        let many = list.iter().any(|(name, _)| *name != list[0].0);
        html.raw("<ul class=\"because\">");
        for (name, id) in list {
            if let Some(ran) = self.whole.lesson.runs.get(name) {
                let said = say::event(self.whole.text, ran, *id);
                self.sentence(&said, many.then_some(name.as_str()), html);
            }
        }
        html.raw("</ul>");
    }

    pub(crate) fn sentence(&self, said: &Said, run: Option<&str>, html: &mut Html) {
        html.raw("<li>");
        if let Some(run) = run {
            html.raw("<b class=\"run-name\">").text(run).raw("</b> ");
        }
        if !said.time.is_empty() {
            html.raw("<b>").text(&said.time).raw("</b> ");
        }
        html.text(&said.text);
        for link in &said.links {
            html.raw(" <a class=\"source\"").attr("href", &link.url);
            html.attr("rel", "noreferrer")
                .raw(">")
                .text(&link.label)
                .raw("</a>");
        }
        html.raw("</li>");
    }

    fn prompt(&self, question: &Question, veil: Option<String>, html: &mut Html) {
        let (words, number) = (self.whole.words, self.number);
        html.raw("<div class=\"prompt\"><h3")
            .attr("id", &format!("q-{number}"))
            .raw(">");
        html.markup(&inline(self.prose.prompt.as_deref().unwrap_or("")))
            .raw("</h3><p class=\"quiet\">");
        html.text(words.say(match question.kind {
            Kind::Order => "OrderHow",
            Kind::Offset(_) => "AxisHow",
            Kind::Brokers(_) => "ChooseSome",
            _ => "Choose",
        }));
        if let Some(veil) = veil {
            html.raw(" ").text(&veil);
        }
        html.raw("</p></div>");
    }

    fn question(&self, question: &Question, html: &mut Html) {
        let (words, number) = (self.whole.words, self.number);
        html.raw("<form class=\"ask\"")
            .attr("id", &format!("ask-{number}"));
        html.attr("data-kind", kind_word(&question.kind));
        html.attr("aria-labelledby", &format!("q-{number}"))
            .raw(">");
        html.raw("<p class=\"buttons\" hidden><button type=\"button\" class=\"btn main\">")
            .text(words.say("Check"));
        html.raw("</button><button type=\"button\" class=\"btn\" data-show>")
            .text(words.say("JustShow"));
        html.raw("</button><button type=\"button\" class=\"btn\" data-again hidden>")
            .text(words.say("Again"));
        html.raw("</button></p><p class=\"judged\" role=\"status\"");
        let (right, wrong) = match question.kind {
            Kind::Order => ("RightOrder", "WrongOrder"),
            _ => ("Right", "Wrong"),
        };
        html.attr("data-words-right", words.say(right))
            .attr("data-words-wrong", words.say(wrong));
        html.attr("data-words-first", words.say("Unanswered"))
            .raw("></p></form>");
        html.raw("<details class=\"answer\"")
            .attr("id", &format!("answer-{number}"))
            .raw("><summary>");
        html.text(words.say("JustShow")).raw("</summary>");
        let Some(ran) = self.whole.lesson.runs.get(&question.run) else {
            html.raw("</details>");
            return;
        };
        self.reasons(question, ran, html);
        html.raw("<div class=\"key\">").text(words.say("Answer"));
        let key = self.key(question, ran);
        if question.kind == Kind::Order {
            html.raw("<ol>");
            for event in key {
                html.raw("<li>").text(&event).raw("</li>");
            }
            html.raw("</ol></div>");
        } else {
            html.raw(" <b>").text(&key.join(", ")).raw("</b></div>");
        }
        self.sentences(&question.because, html);
        html.raw("<div class=\"prose\">")
            .markup(&self.prose.after)
            .raw("</div></details>");
    }

    fn label(&self, question: &Question, ran: &Ran, pick: &Pick) -> String {
        say::label(self.whole.text, self.whole.words, ran, &question.kind, pick)
    }

    fn key(&self, question: &Question, ran: &Ran) -> Vec<String> {
        let mut right: Vec<_> = question
            .choices
            .iter()
            .filter(|c| c.right || question.kind == Kind::Order)
            .collect();
        right.sort_by_key(|choice| choice.rank);
        if right.is_empty() {
            return vec![self.whole.words.say("Nobody").to_owned()];
        }
        right
            .iter()
            .map(|c| self.label(question, ran, &c.pick))
            .collect()
    }

    /// Why each wrong answer is wrong. The script shows the one that was chosen.
    fn reasons(&self, question: &Question, ran: &Ran, html: &mut Html) {
        let words = self.whole.words;
        html.raw("<details class=\"others\"><summary>")
            .text(words.say("Why"))
            .raw("</summary><ul class=\"because\">");
        let mut told: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut order = Vec::new();
        for (index, choice) in question.choices.iter().enumerate() {
            let set = matches!(question.kind, Kind::Brokers(_) | Kind::Order);
            if choice.right && !set {
                continue;
            }
            let mut inner = Html::default();
            for reason in &choice.reasons {
                let said = say::reason(self.whole.text, ran, *reason);
                self.sentence(&said, None, &mut inner);
            }
            let inner = inner.done();
            if !told.contains_key(&inner) {
                order.push(inner.clone());
            }
            told.entry(inner).or_default().push(index);
        }
        for inner in order {
            let places = told.get(&inner).cloned().unwrap_or_default();
            let list: Vec<String> = places.iter().map(usize::to_string).collect();
            let names = places
                .iter()
                .filter_map(|place| question.choices.get(*place))
                .map(|choice| self.label(question, ran, &choice.pick));
            let names: Vec<String> = names.collect();
            html.raw("<li class=\"reason\"")
                .attr("data-for", &list.join(" "))
                .raw("><b>");
            html.text(&names.join(", "))
                .raw("</b><ul>")
                .markup(&inner)
                .raw("</ul></li>");
        }
        html.raw("</ul></details>");
    }

    fn turn(&self, html: &mut Html) {
        let words = self.whole.words;
        html.raw("<p class=\"turn\">");
        if self.number > 1 {
            let to = (self.number - 1).to_string();
            html.raw("<a class=\"btn\"")
                .attr("href", &format!("#step-{to}"))
                .attr("data-go", &to);
            html.raw(">").text(words.say("Back")).raw("</a>");
        }
        if self.number < self.last {
            let to = (self.number + 1).to_string();
            html.raw("<a class=\"btn\"")
                .attr("href", &format!("#step-{to}"))
                .attr("data-go", &to);
            html.raw(">").text(words.say("Next")).raw("</a>");
        } else {
            if let Some(next) = self.whole.next {
                html.raw("<a class=\"btn main\"")
                    .attr("href", &format!("../{}/", next.slug));
                html.raw(">").text(words.say("NextLesson")).raw("</a>");
            }
            html.raw("<a class=\"btn\" href=\"../\">")
                .text(words.say("AllLessons"))
                .raw("</a>");
        }
        html.raw("</p>");
    }

    /// Where to try it: the lab with the lesson's runs, in a frame when it is asked for; and the recordings.
    fn try_it(&self, page: &Page<'_>, html: &mut Html) {
        let words = self.whole.words;
        let lab = link::lab(&page.lab(), &self.whole.lesson.runs, page.locale);
        html.raw("<div class=\"try\"><h3>")
            .text(words.say("TryIt"))
            .raw("</h3><p class=\"buttons\"><a class=\"btn main\"");
        html.attr("href", &lab).raw(">").text(words.say("OpenLab"));
        html.raw("</a><button type=\"button\" class=\"btn\" data-lab hidden");
        html.attr("data-src", &lab)
            .attr("data-title", words.say("LabTitle"))
            .raw(">")
            .text(words.say("ShowLab"));
        html.raw("</button></p>");
        let recorded = &self.whole.lesson.recorded;
        let mut versions: Vec<&String> = recorded.iter().map(|(_, kafka)| kafka).collect();
        versions.dedup();
        for version in versions {
            html.raw("<p class=\"recorded-line\">");
            html.text(&words.fill("Recorded", &[("version", version)]));
            for (id, _) in recorded.iter().filter(|(_, kafka)| kafka == version) {
                html.raw(" <a")
                    .attr("href", &link::recording(&page.lab(), id, page.locale))
                    .attr("title", words.say("RecordedLink"));
                html.raw(">").text(id).raw("</a>");
            }
            html.raw("</p>");
        }
        html.raw("</div>");
    }
}

/// The pictures of a lesson as files, by name. `lab` is the address of the lab, or empty.
pub fn pictures(lesson: &Lesson, text: &Text, lab: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let prose = lesson.prose.get(&text.locale());
    for (index, step) in lesson.steps.iter().enumerate() {
        let ran = step.show.first().and_then(|name| lesson.runs.get(name));
        let heading = prose
            .and_then(|p| p.steps.get(index))
            .map_or("", |s| s.heading.as_str());
        if let Some(ran) = ran {
            // What a question hides stays hidden in its file as well.
            let wanted = crate::pictures::Wanted {
                until: step.until,
                select: step.select,
                open: None,
            };
            let drawn = crate::pictures::draw(ran, text, wanted);
            let rows = drawn.rows(text);
            let about: Vec<String> = rows
                .iter()
                .map(|row| format!("{}: {}.", row.time, row.what))
                .collect();
            let link = link::step(lab, ran, (step.until, step.select), text.locale());
            files.push((
                format!("step-{}.svg", index + 1),
                drawn.file(&plain(heading), &about.join(" "), &link, text),
            ));
        }
    }
    files
}

/// The name of a language as its pages' folder.
pub fn folder(locale: Locale) -> &'static str {
    crate::lesson::short(locale)
}
