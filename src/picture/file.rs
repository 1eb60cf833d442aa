//! A picture as a file of its own: words above it, one drawing or two side by side, its alternative in words, and the
//! link of what it shows, so that the file can be opened on the page again. The lab, the lessons and the command line all
//! write their files here.

use core::fmt::Write;

use super::class::Look;
use super::shape::{Form, Glyph, Shape, Tenths, px};
use super::style::{Theme, sheet};
use super::svg::{decimal, escape, markup, patterns};
use super::view::View;
use super::words::Words;
use super::{Picture, measure, overlay};

/// The namespace of SVG: a name, which nobody fetches.
const SVG: &str = "http://www.w3.org/2000/svg";
/// Paper around everything.
const MARGIN: Tenths = px(16);
/// Between two drawings; what [`Picture::pair`] leaves for it.
const BETWEEN: Tenths = px(16);
/// From one line of words to the next.
const LINE: Tenths = px(18);
/// Between the words and the drawing.
const UNDER: Tenths = px(10);

/// The layers of a picture in paint order.
pub type Layers = [Vec<Shape>; 5];

/// The layers of a still picture: without the handles that only the lab has and, if so wanted, without the ruler's ticks,
/// which are a fifth of the markup. While something is hidden, the numbers of the proving chain are hidden as well: they
/// would tell that something is lost.
pub fn layers(picture: &Picture, view: &View, words: &dyn Words, ticks: bool) -> Layers {
    let still = |shape: &&Shape| match shape.form {
        Form::Lines(_) => ticks || shape.class.look != Look::Tick,
        Form::Glyph { glyph, .. } => match glyph {
            Glyph::Grip => false,
            Glyph::Badge(_) => view.until.is_none(),
            _ => true,
        },
        _ => true,
    };
    let veil = view.until.map(|until| picture.clock.y(until.at));
    [
        picture.heads.clone(),
        picture.grounds.clone(),
        ending_at(veil, overlay::under(picture, view)),
        picture.shapes.iter().filter(still).cloned().collect(),
        ending_at(veil, overlay::over(picture, view, words)),
    ]
}

/// The ground and the edge of the selected record end where the veil begins.
fn ending_at(veil: Option<Tenths>, mut shapes: Vec<Shape>) -> Vec<Shape> {
    let selected = |look| matches!(look, Look::SelectGround | Look::SelectEdge);
    for shape in shapes.iter_mut().filter(|s| selected(s.class.look)) {
        if let (Some(veil), Form::Rect(area)) = (veil, &mut shape.form) {
            area.bottom = area.bottom.min(veil).max(area.top);
        }
    }
    shapes
}

/// Words above a drawing and their look.
pub type Line = (Look, String);

/// A drawing of a file.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its size in tenths of a px.
    pub size: (Tenths, Tenths),
    /// Its layers.
    pub layers: Layers,
    /// What stands above it.
    pub lines: Vec<Line>,
    /// Of a part of the clock: the height of the heads, and how far what is under them is moved up ([`Picture::crop`]).
    pub crop: Option<(Tenths, Tenths)>,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct File<'a> {
    /// What stands above everything.
    pub lines: Vec<Line>,
    /// The drawing, or two side by side.
    pub parts: Vec<Part>,
    /// Its name.
    pub title: &'a str,
    /// What it shows, in words, for those who do not see it.
    pub about: &'a str,
    /// The link of what it shows; empty = it has none.
    pub link: &'a str,
    /// The language of its words, as a tag.
    pub language: &'a str,
    /// The ground it is readable on.
    pub theme: Theme,
}

impl Part {
    fn draw(&self, out: &mut String) {
        let [heads, rest @ ..] = &self.layers;
        out.push_str(&markup(heads));
        if let Some((head, moved)) = self.crop {
            // Cut above and below; words that reach over the sides stay.
            let (width, height) = (self.size.0 + 2 * MARGIN, self.size.1.saturating_sub(head));
            out.push_str("<svg");
            for (name, value) in [
                ("x", -MARGIN),
                ("y", head),
                ("width", width),
                ("height", height),
            ] {
                let _ = write!(out, " {name}=\"");
                decimal(out, value);
                out.push('"');
            }
            out.push_str(" viewBox=\"");
            for value in [-MARGIN, head.saturating_add(moved), width] {
                decimal(out, value);
                out.push(' ');
            }
            decimal(out, height);
            out.push_str("\">");
        }
        rest.iter().for_each(|layer| out.push_str(&markup(layer)));
        if self.crop.is_some() {
            out.push_str("</svg>");
        }
    }
}

impl File<'_> {
    /// Width and height in tenths of a px, but whole px: a picture of pixels has no others.
    pub fn size(&self) -> (Tenths, Tenths) {
        let placed = self.placed();
        let bottom = placed.iter().map(|p| p.top + p.part.size.1).max();
        let bottom = bottom.unwrap_or(MARGIN);
        let whole = |tenths: Tenths| tenths.saturating_add(px(1) - 1) / px(1) * px(1);
        (whole(self.inner() + 2 * MARGIN), whole(bottom + MARGIN))
    }

    /// The file.
    pub fn svg(&self) -> String {
        let (width, height) = self.size();
        let mut out = format!("<svg xmlns=\"{SVG}\" class=\"pic\" viewBox=\"0 0 ");
        decimal(&mut out, width);
        out.push(' ');
        decimal(&mut out, height);
        for (name, value) in [("width", width), ("height", height)] {
            let _ = write!(out, "\" {name}=\"");
            decimal(&mut out, value);
        }
        out.push_str("\" role=\"img\"");
        if !self.language.is_empty() {
            let _ = write!(out, " xml:lang=\"{}\"", self.language);
        }
        out.push('>');
        for (name, text) in [
            ("title", self.title),
            ("desc", self.about),
            ("metadata", self.link),
        ] {
            if !text.is_empty() {
                let _ = write!(out, "<{name}>");
                escape(&mut out, text);
                let _ = write!(out, "</{name}>");
            }
        }
        out.push_str("<style>");
        escape(
            &mut out,
            &sheet(self.theme, self.language.starts_with("zh")),
        );
        out.push_str("</style>");
        out.push_str(&patterns());
        // Paper of its own: the page around it may have another ground than its reader's system.
        out.push_str("<rect class=\"cover\" width=\"100%\" height=\"100%\"/>");
        self.draw(&mut out);
        out.push_str("</svg>\n");
        out
    }

    fn draw(&self, out: &mut String) {
        lines(out, &self.wrapped(), MARGIN);
        for placed in self.placed() {
            let _ = write!(out, "<g transform=\"translate(");
            decimal(out, placed.left);
            out.push(' ');
            decimal(out, placed.lines_top);
            out.push_str(")\">");
            lines(out, &placed.lines, 0);
            out.push_str("</g><g transform=\"translate(");
            decimal(out, placed.left);
            out.push(' ');
            decimal(out, placed.top);
            out.push_str(")\">");
            placed.part.draw(out);
            out.push_str("</g>");
        }
    }

    /// Width of the drawings.
    fn inner(&self) -> Tenths {
        let widths: Tenths = self.parts.iter().map(|part| part.size.0).sum();
        let gaps = i32::try_from(self.parts.len().saturating_sub(1)).unwrap_or(0);
        widths + gaps * BETWEEN
    }

    fn wrapped(&self) -> Vec<Line> {
        let room = self.inner();
        wrapped(&self.lines, room)
    }

    /// The parts with the places of their words and drawings; all drawings begin at the same height, on one clock.
    fn placed(&self) -> Vec<Placed<'_>> {
        let lines_top = MARGIN + tall(self.wrapped().len());
        let mut left = MARGIN;
        let mut placed: Vec<Placed<'_>> = self
            .parts
            .iter()
            .map(|part| {
                let own = left;
                left += part.size.0 + BETWEEN;
                let lines = wrapped(&part.lines, part.size.0);
                Placed {
                    part,
                    lines,
                    left: own,
                    lines_top,
                    top: 0,
                }
            })
            .collect();
        let most = placed.iter().map(|p| p.lines.len()).max().unwrap_or(0);
        let top = lines_top + tall(most);
        let gap = if top > MARGIN { UNDER } else { 0 };
        placed.iter_mut().for_each(|p| p.top = top + gap);
        placed
    }
}

struct Placed<'a> {
    part: &'a Part,
    lines: Vec<Line>,
    left: Tenths,
    lines_top: Tenths,
    top: Tenths,
}

fn tall(lines: usize) -> Tenths {
    LINE.saturating_mul(i32::try_from(lines).unwrap_or(0))
}

fn lines(out: &mut String, lines: &[Line], from: Tenths) {
    let mut y = from + px(13);
    for (look, words) in lines {
        let _ = write!(out, "<text class=\"{}\" x=\"", look.css());
        decimal(out, from);
        out.push_str("\" y=\"");
        decimal(out, y);
        out.push_str("\">");
        escape(out, words);
        out.push_str("</text>");
        y += LINE;
    }
}

/// The lines, none wider than the room. Broken at spaces, and within a word where it has no other place.
fn wrapped(lines: &[Line], room: Tenths) -> Vec<Line> {
    let mut out = Vec::new();
    for (look, words) in lines {
        let mut line = String::new();
        for word in words.split_inclusive(' ') {
            if !line.is_empty()
                && measure::width(*look, &format!("{line}{}", word.trim_end())) > room
            {
                out.push((*look, core::mem::take(&mut line).trim_end().to_owned()));
            }
            for c in word.chars() {
                line.push(c);
                if c != ' ' && measure::width(*look, &line) > room {
                    line.pop();
                    out.push((*look, core::mem::take(&mut line)));
                    line.push(c);
                }
            }
        }
        out.push((*look, line.trim_end().to_owned()));
    }
    out.retain(|(_, words)| !words.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_at_spaces_and_within_what_has_none() {
        let line = |words: &str| vec![(Look::Subtitle, words.to_owned())];
        let broken = |words: &str, room| -> Vec<String> {
            wrapped(&line(words), room)
                .into_iter()
                .map(|(_, words)| words)
                .collect()
        };
        assert_eq!(broken("one two three", px(60)), ["one two", "three"]);
        assert_eq!(broken("가나다라마", px(37)), ["가나다", "라마"]);
        assert_eq!(broken("", px(37)), Vec::<String>::new());
        for (_, words) in wrapped(&line("min.insync.replicas=2 · acks=all · 高水位"), px(70)) {
            assert!(measure::width(Look::Subtitle, &words) <= px(70), "{words}");
        }
    }

    #[test]
    fn an_empty_file_is_well_formed() {
        let file = File {
            title: "<b>&\"\u{1}",
            ..File::default()
        };
        let svg = file.svg();
        assert!(
            svg.contains("<title>&lt;b&gt;&amp;&quot; </title>"),
            "{svg}"
        );
        assert!(!svg.contains("<metadata>") && !svg.contains("<desc>"));
        assert_eq!(file.size(), (px(32), px(32)));
    }
}
