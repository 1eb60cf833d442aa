//! Static twins: any view as a picture that is a file of its own, for places without scripts or frames. The link of the
//! view is inside, so that a twin that is dropped on the page opens there again ([`found`]).

pub mod found;
pub mod png;

use crate::picture::class::Look;
use crate::picture::file::{File, Layers, Line, Part, layers};
use crate::picture::style::Theme;
use crate::picture::view::View;
use crate::picture::{Picture, overlay};
use crate::say;
use crate::session::beside::TOGGLES;
use crate::session::question::Question;
use crate::session::{Command, Ran, Session, look};
use crate::text::Text;
use crate::text::headline::{Headline, headline};
use highwater_core::scenario::{names, print};

/// The usual width of the drawing in px: three timelines with their words.
pub const WIDTH: u32 = 1072;
/// The usual width of two drawings.
pub const WIDTH_OF_TWO: u32 = 1456;
/// The least and the most that can be asked for.
pub const WIDTHS: core::ops::RangeInclusive<u32> = 280..=4_000;

/// How a twin is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Width of the drawing in px; none = the usual one.
    pub width: Option<u32>,
    /// The ground it is readable on.
    pub theme: Theme,
    /// The address of the page, before the `?`; may be empty.
    pub page: &'a str,
    /// Which timelines are left out, from left to right.
    pub hidden: [bool; 3],
}

/// A twin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Twin {
    /// The picture as SVG.
    pub svg: String,
    /// What is open, in a few words.
    pub title: String,
    /// What the picture shows, for those who do not see it.
    pub about: String,
    /// The link of the view.
    pub link: String,
    /// Width and height in px.
    pub size: (u32, u32),
}

impl Twin {
    /// The twin of what is on the page.
    pub fn of(session: &Session, text: &Text, wanted: &Wanted<'_>) -> Twin {
        let mut session = session.clone();
        let usual = match session.beside() {
            Some(_) => WIDTH_OF_TWO,
            None => WIDTH,
        };
        session.apply(Command::Resize(wanted.width.unwrap_or(usual)));
        let name = look::name(text, &session);
        let (title, about) = told(&session, text, &name);
        let link = format!("{}{}", wanted.page, session.link(Some(text.locale().tag())));
        let mut lines = head(&session, name);
        if let Some(question) = asked(&session) {
            lines.push((Look::Title, look::question(text, question)));
        }
        let file = File {
            lines,
            parts: parts(&session, text, wanted.hidden),
            title: &title,
            about: &about,
            link: &link,
            language: text.locale().tag(),
            theme: wanted.theme,
        };
        let px = |tenths: i32| u32::try_from(tenths / 10).unwrap_or(0);
        let (width, height) = file.size();
        Twin {
            svg: file.svg(),
            size: (px(width), px(height)),
            title,
            about,
            link,
        }
    }
}

/// The name of a twin, and what it shows in words. What a question asks is not answered by its picture.
fn told(session: &Session, text: &Text, name: &str) -> (String, String) {
    if let Some(question) = asked(session) {
        let question = look::question(text, question);
        return (format!("{name}: {question}"), question);
    }
    let answer = headline(text, &session.ran().verdict);
    let mut title = format!("{name}: {}", answer.title);
    let mut abouts = vec![look::in_words(text, session)];
    if let Some(beside) = session.beside() {
        let answers = [("A", session.ran()), ("B", &beside.ran)];
        let said = answers.map(|(run, ran)| {
            let title = headline(text, &ran.verdict).title;
            say!(text, InRun, run = run, text = title)
        });
        title = format!("{name}. {}", said.join(" "));
        abouts.extend(said);
    }
    (title, abouts.join(" "))
}

/// The question that is not answered yet.
fn asked(session: &Session) -> Option<&Question> {
    session.question().filter(|question| !question.answered)
}

/// What is open and how it is set. The four toggles are always told, of the others those that are not the usual ones.
fn head(session: &Session, name: String) -> Vec<Line> {
    let scenario = session.scenario();
    let changed: Vec<&str> = session.beside().map_or_else(Vec::new, |beside| {
        let changed = beside.changed(&scenario.settings);
        changed.into_iter().map(|(name, ..)| name).collect()
    });
    let toggles = TOGGLES.iter().filter_map(|name| {
        let value = names::get(&scenario.settings, name)?;
        Some(format!("{name}={value}"))
    });
    let printed = print(scenario);
    let others = printed.lines().filter_map(|line| line.strip_prefix("set "));
    let others = others.flat_map(str::split_whitespace).map(str::to_owned);
    let is_own = |pair: &String| {
        let name = pair.split('=').next().unwrap_or_default();
        changed.contains(&name)
    };
    let mut pairs: Vec<String> = Vec::new();
    for pair in toggles.chain(others) {
        if !is_own(&pair) && !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    vec![(Look::Subtitle, format!("{name} · {}", pairs.join(" · ")))]
}

/// One drawing with its answer, or two, each with its settings and its answer.
fn parts(session: &Session, text: &Text, hidden: [bool; 3]) -> Vec<Part> {
    let until = session.until();
    let seen = |view: View| View {
        hidden,
        until,
        ..view
    };
    let answer = |ran: &Ran| match asked(session) {
        Some(_) => Vec::new(),
        None => answer(&headline(text, &ran.verdict)),
    };
    let (view, now) = (seen(look::view(session)), seen(look::view_now(session)));
    let ran = session.ran();
    let Some(beside) = session.beside() else {
        let picture = Picture::new(&ran.run, &ran.verdict, text, &view);
        return vec![part(
            session,
            &picture,
            layers(&picture, &now, text, true),
            answer(ran),
        )];
    };
    let runs: [&Ran; 2] = [ran, &beside.ran];
    let pictures = Picture::pair(runs.map(|r| (&r.run, &r.verdict)), text, &view);
    let changed = beside.changed(&session.scenario().settings);
    let mark = session.first_difference().filter(|_| until.is_none());
    let named = pictures.iter().zip(["A", "B"]).zip(runs);
    named
        .map(|((picture, letter), ran)| {
            let own = changed.iter().map(|(name, a, b)| {
                let value = if letter == "A" { a } else { b };
                format!("{name}={value}")
            });
            let own: Vec<String> = own.collect();
            let own = match own.is_empty() {
                true => say!(text, SameSettings),
                false => own.join(" · "),
            };
            let mut lines = vec![(Look::Title, format!("{letter}  {own}"))];
            lines.extend(answer(ran));
            let mut layers = layers(picture, &now, text, true);
            if let Some((first, panel, record)) = mark {
                let at = (first.at(), panel, record);
                let words = look::mark_words(text, session, first);
                let shapes = overlay::difference(picture, at, &words, now_at(session));
                layers[4].splice(0..0, shapes);
            }
            part(session, picture, layers, lines)
        })
        .collect()
}

/// A drawing with its words, cut to the stretch of the clock that is shown.
fn part(session: &Session, picture: &Picture, layers: Layers, lines: Vec<Line>) -> Part {
    let stretch = session.shown().and_then(|shown| picture.crop(shown));
    let height = stretch.map_or(picture.height, |(_, height)| height);
    Part {
        size: (picture.width, height),
        layers,
        lines,
        crop: stretch.map(|(moved, _)| (picture.head, moved)),
    }
}

fn now_at(session: &Session) -> highwater_core::kafka::ids::Millis {
    session.playhead().at
}

/// The answer and its line.
fn answer(said: &Headline) -> Vec<Line> {
    vec![
        (Look::Title, said.title.clone()),
        (Look::Subtitle, said.line.clone()),
    ]
}

#[cfg(test)]
mod tests;
