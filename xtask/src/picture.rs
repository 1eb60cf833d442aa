//! `cargo xtask picture LINK -o OUT`: the picture of a view as an SVG or PNG file, by the renderer of the page.

use std::path::{Path, PathBuf};

use highwater::picture::style::Theme;
use highwater::session::{Command, Session};
use highwater::share::widget::{self, Options as Widget};
use highwater::share::{self, Content, Mistake, View, query};
use highwater::text::mistake::{expected, mistake};
use highwater::text::{Locale, Text};
use highwater::twin::{Twin, WIDTHS, Wanted, png};
use highwater_evidence::{recorded, render};

use crate::options::Options;
use crate::workspace::{read, root, write};
use crate::{Failure, Outcome, raster};

/// How many px of a PNG one px of the drawing is, at most.
const MOST_SCALE: u32 = 4;

/// What the command line asks for.
struct Request {
    given: String,
    out: PathBuf,
    width: Option<u32>,
    scale: u32,
    theme: Option<Theme>,
}

/// Reads the command line and writes the picture.
pub fn command(arguments: &[String]) -> Outcome {
    let request = Request::read(arguments)?;
    let is_png = request.is_png()?;
    let text_file = Path::new(&request.given);
    let link = match text_file.is_file() {
        true => of_script(text_file)?,
        false if request.given.contains('=') => request.given.clone(),
        false => {
            return Err(Failure::Input(format!(
                "found `{}`, which is no file; expected a link, its query, or the file of a script",
                request.given
            )));
        }
    };
    let given = link;
    let (link, mut widget) = widget_of(&given)?;
    let mut session = session(&link)?;
    session.finish_widget(&mut widget);
    // A stretch that lies outside the run.
    refuse(&widget, &given)?;
    let text = language(&link)?;
    let page = link.split_once('?').map_or("", |(page, _)| page);
    let twin = Twin::of(
        &session,
        &text,
        &Wanted {
            width: request.width,
            theme: request
                .theme
                .or(Theme::of(widget.theme))
                .unwrap_or_default(),
            page,
            hidden: widget.show.map(|shown| !shown),
        },
    );
    if !is_png {
        return write(&request.out, twin.svg);
    }
    let drawn = raster::png(&twin, request.scale)?;
    let texts = [
        (png::LINK, twin.link.as_str()),
        ("Title", &twin.title),
        ("Description", &twin.about),
    ];
    write(&request.out, png::with_texts(&drawn, &texts))
}

impl Request {
    fn read(arguments: &[String]) -> Outcome<Request> {
        // `-o` is what everybody writes; the options here begin with two dashes.
        let spelled = arguments.iter().map(|a| match a.as_str() {
            "-o" => "--out".to_owned(),
            _ => a.clone(),
        });
        let spelled: Vec<String> = spelled.collect();
        let mut options = Options::new("picture", &spelled);
        let out = options.value("--out", "a file that ends in .svg or .png")?;
        let width = number(&mut options, "--width", WIDTHS)?;
        let scale = number(&mut options, "--scale", 1..=MOST_SCALE)?;
        let theme = options.value("--theme", "auto, light or dark")?;
        let theme = theme.map(|name| {
            Theme::of(&name).ok_or_else(|| {
                Failure::Usage(format!(
                    "`--theme`: found `{name}`, expected auto, light or dark"
                ))
            })
        });
        let given = options.positional().ok_or_else(|| {
            let how = "write `cargo xtask picture LINK -o out.svg`";
            Failure::Usage(format!(
                "`picture` needs a link, or the file of a script; {how}"
            ))
        })?;
        options.finish("LINK, -o OUT, --width PX, --scale N and --theme NAME")?;
        Ok(Request {
            given,
            out: PathBuf::from(out.ok_or_else(|| {
                Failure::Usage(
                    "`picture` needs `-o OUT`, a file that ends in .svg or .png".to_owned(),
                )
            })?),
            width,
            scale: scale.unwrap_or(2),
            theme: theme.transpose()?,
        })
    }

    fn is_png(&self) -> Outcome<bool> {
        match self.out.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(false),
            Some("png") => Ok(true),
            _ => Err(Failure::Usage(format!(
                "`-o`: found `{}`, expected a file that ends in .svg or .png",
                self.out.display()
            ))),
        }
    }
}

fn number(
    options: &mut Options,
    name: &str,
    range: std::ops::RangeInclusive<u32>,
) -> Outcome<Option<u32>> {
    let (least, most) = (range.start(), range.end());
    let wanted = format!("a number from {least} to {most}");
    let Some(given) = options.value(name, &wanted)? else {
        return Ok(None);
    };
    let number = given.parse().ok().filter(|number| range.contains(number));
    let wrong = || Failure::Usage(format!("`{name}`: found `{given}`, expected {wanted}"));
    number.map(Some).ok_or_else(wrong)
}

/// The link of a script that is a file.
fn of_script(path: &Path) -> Outcome<String> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let script = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        let name = path.display();
        Failure::Input(format!("{name}: byte {place}: found bytes, expected UTF-8"))
    })?;
    Ok(share::write(&View {
        content: Content::Script(script),
        ..View::default()
    }))
}

/// What the author of a widget set, and the link without it. What is taken out leaves blanks, so that every other part keeps
/// its place.
fn widget_of(link: &str) -> Outcome<(String, Widget)> {
    let options = widget::read(link);
    refuse(&options, link)?;
    let parameters = query::parameters(link);
    let mut rest: Vec<char> = link.chars().collect();
    for parameter in parameters {
        if widget::NAMES
            .iter()
            .any(|name| parameter.name.eq_ignore_ascii_case(name))
        {
            let own = rest.iter_mut().skip(parameter.place - 1);
            own.take_while(|c| !['&', '#'].contains(c))
                .for_each(|c| *c = '&');
        }
    }
    Ok((rest.into_iter().collect(), options))
}

/// Fails with everything that is wrong in what a widget is set to.
fn refuse(options: &Widget, link: &str) -> Outcome {
    let parameters = query::parameters(link);
    let wrong = options.mistakes.iter().map(|wrong| {
        // The attributes of an element have no places; those of a query have.
        let own = parameters
            .iter()
            .find(|p| p.name.eq_ignore_ascii_case(&wrong.part));
        let place = own.map_or(wrong.place, |parameter| parameter.place);
        told(&Mistake {
            place,
            ..wrong.clone()
        })
    });
    let wrong: Vec<String> = wrong.collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Input(wrong.join("\n"))),
    }
}

fn told(wrong: &Mistake) -> String {
    let instead = wrong.instead.as_ref();
    let instead = instead.map_or_else(String::new, |word| format!("; perhaps `{word}`"));
    format!(
        "`{}` at character {}: found `{}`, expected {}{instead}",
        wrong.part,
        wrong.place,
        wrong.found,
        expected(&Text::english(), &wrong.expected)
    )
}

/// The view that a link stands for, the whole of it.
fn session(link: &str) -> Outcome<Session> {
    let mut session = Session::from_link(link);
    if let Some(id) = session.wanted_recording().map(str::to_owned) {
        let file = recording(link, &id)?;
        session.apply(Command::LoadTrace { id, file });
    }
    let text = Text::english();
    let mut said: Vec<String> = Vec::new();
    let wrong = session.opened().map_or(&[][..], |opened| &opened.mistakes);
    said.extend(wrong.iter().map(told));
    let errors = session.errors().iter();
    said.extend(errors.map(|error| format!("`script`: {}", mistake(&text, error))));
    match said.is_empty() {
        true => Ok(session),
        false => Err(Failure::Input(said.join("\n"))),
    }
}

fn recording(link: &str, id: &str) -> Outcome<String> {
    let all = render::recordings(&root()).map_err(Failure::work)?;
    if let Some(found) = all.iter().find(|recording| recording.id == id) {
        return Ok(recorded::file(found));
    }
    let read = share::read(link);
    let place = read.places.iter().find(|(name, _)| name == "scenario");
    let ids: Vec<&str> = all.iter().map(|recording| recording.id.as_str()).collect();
    Err(Failure::Input(format!(
        "`recording` at character {}: found `{id}`, expected one of {}",
        place.map_or(0, |(_, place)| *place),
        ids.join(", ")
    )))
}

/// The words of the language that the link asks for; English when it asks for none.
fn language(link: &str) -> Outcome<Text> {
    let tag = share::read(link).view.language;
    words(tag.and_then(|tag| Locale::of_tag(&tag)).unwrap_or_default())
}

/// The words of a language, from the repository.
pub fn words(locale: Locale) -> Outcome<Text> {
    let Some(file) = locale.file() else {
        return Ok(Text::english());
    };
    let name = Path::new(file).file_name().unwrap_or_default();
    let words = read(&root().join("src/text").join(name))?;
    Text::read(locale, words).map_err(|error| Failure::work(format!("{file}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_widget_is_set_to_is_taken_out_and_leaves_the_places() {
        let link = "https://example.org/?acks=1&THEME=dark&ack=2&show=acks&v=1";
        let (rest, widget) = widget_of(link).expect("a widget");
        assert_eq!((widget.theme, widget.show), ("dark", [true, false, false]));
        assert_eq!(
            rest,
            "https://example.org/?acks=1&&&&&&&&&&&&ack=2&&&&&&&&&&&v=1"
        );
        let wrong = widget_of("?theme=blue&v=1");
        assert!(matches!(wrong, Err(Failure::Input(said)) if said.contains("character 2")));
        let (rest, widget) = widget_of("?v=1").expect("none");
        assert_eq!((rest.as_str(), widget.theme), ("?v=1", "auto"));
    }
}
