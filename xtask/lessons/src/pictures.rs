//! The pictures of a lesson: the page's own shapes, once for a wide place and once for a phone.

use std::fmt::Write;

use highwater::picture::file::{File, Part, layers};
use highwater::picture::shape::{Form, Shape, Tenths, px};
use highwater::picture::table;
use highwater::picture::view::{Mode, Panel, Target, View};
use highwater::picture::{Picture, svg};
use highwater::text::Text;
use highwater_core::kafka::ids::Offset;
use highwater_core::sim::Instant;

use crate::anchor::Ran;
use crate::question::Pick;

/// Width of the wide picture in px.
pub const WIDE: u32 = 880;
/// Width of the picture on a phone, and of each of two side by side.
pub const NARROW: u32 = 328;

/// How a picture is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Nothing after this instant.
    pub until: Option<Instant>,
    /// The selected record.
    pub select: Option<u64>,
    /// One open panel, or all.
    pub open: Option<Panel>,
}

impl Wanted {
    fn view(self) -> View {
        let (width, mode) = match self.open {
            Some(panel) => (NARROW, Mode::OneOpen(panel)),
            None => (WIDE, Mode::Wide),
        };
        View {
            width,
            mode,
            until: self.until,
            playhead: self.until,
            selected: self.select,
            ..View::default()
        }
    }
}

/// A picture that was drawn.
pub struct Drawn {
    /// Its layers as markup, in paint order: heads and grounds, what lies under the shapes, the shapes, what lies over them.
    /// The selection is in the second and the fourth, so the others are the same whatever is selected.
    pub layers: [String; 4],
    /// Its size.
    pub width: Tenths,
    /// Its size.
    pub height: Tenths,
    /// Where the veil begins.
    pub veil: Option<Tenths>,
    /// The picture.
    pub picture: Picture,
    view: View,
}

/// Draws a run.
pub fn draw(ran: &Ran, text: &Text, wanted: Wanted) -> Drawn {
    let view = wanted.view();
    let picture = Picture::new(&ran.run, &ran.verdict, text, &view);
    drawn(picture, view, text)
}

/// Draws two runs on one clock: side by side where all panels are wanted, one above the other where one is open.
pub fn pair(runs: [&Ran; 2], text: &Text, wanted: Wanted) -> [Drawn; 2] {
    let view = wanted.view();
    let both = runs.map(|r| (&r.run, &r.verdict));
    if wanted.open.is_some() {
        let pictures = Picture::stacked(both, text, &view);
        return pictures.map(|picture| drawn(picture, view.clone(), text));
    }
    let [a, b] = Picture::pair(both, text, &view);
    let [left, right] = Picture::halves(&view);
    [drawn(a, left, text), drawn(b, right, text)]
}

fn drawn(picture: Picture, view: View, text: &Text) -> Drawn {
    // The ruler's ticks are a fifth of the markup.
    let [heads, grounds, under, shapes, over] = layers(&picture, &view, text, false);
    let markup = |shapes: &[&[Shape]]| {
        let mut out = String::new();
        shapes
            .iter()
            .copied()
            .flatten()
            .for_each(|shape| put(&mut out, shape));
        whole(&slim(&out))
    };
    Drawn {
        layers: [
            markup(&[&heads, &grounds]),
            markup(&[&under]),
            markup(&[&shapes]),
            markup(&[&over]),
        ],
        width: picture.width,
        height: picture.height,
        veil: view.until.map(|until| picture.clock.y(until.at)),
        picture,
        view,
    }
}

/// The edge of a fold is a long zigzag, and the same everywhere: it stands in the page once.
fn put(out: &mut String, shape: &Shape) {
    match shape.form {
        Form::Zigzag { left: 0, right, y } if widths().contains(&right) => {
            let _ = write!(out, "<use href=\"#zigzag-{right}\" y=\"");
            svg::decimal(out, y);
            out.push_str("\"/>");
        }
        _ => svg::write_shape(out, shape),
    }
}

/// The widths of the zigzags that [`zigzags`] writes: those of all pictures.
fn widths() -> [Tenths; 4] {
    let view = View {
        width: WIDE,
        ..View::default()
    };
    let [left, right] = Picture::halves(&view).map(|half| half.width);
    [WIDE, NARROW, left, right].map(|width| px(i32::try_from(width).unwrap_or(0)))
}

/// The zigzags that the pictures refer to, once a page.
pub fn zigzags() -> String {
    let mut out = String::new();
    for right in widths() {
        let form = Form::Zigzag {
            left: 0,
            right,
            y: 0,
        };
        let _ = write!(out, "<path id=\"zigzag-{right}\" class=\"foldedge\" d=\"");
        svg::path_data(&mut out, &form);
        out.push_str("\"/>");
    }
    out
}

impl Drawn {
    /// Where the picture ends when nothing stands under the veil.
    pub fn shown_height(&self) -> Tenths {
        self.veil
            .map_or(self.height, |veil| (veil + px(12)).min(self.height))
    }

    /// The same under a veil: room for the question, not for everything that is hidden.
    pub fn asked_height(&self) -> Tenths {
        self.veil
            .map_or(self.height, |veil| (veil + px(280)).min(self.height))
    }

    /// The picture as a file of its own, with the link of what it shows inside.
    pub fn file(&self, title: &str, about: &str, link: &str, text: &Text) -> String {
        let part = Part {
            size: (self.picture.width, self.picture.height),
            layers: layers(&self.picture, &self.view, text, true),
            lines: Vec::new(),
            crop: None,
        };
        let file = File {
            parts: vec![part],
            title,
            about,
            link,
            language: text.locale().tag(),
            ..File::default()
        };
        file.svg()
    }

    /// What the picture says, by time.
    pub fn rows(&self, text: &Text) -> Vec<table::Row> {
        table::rows(&self.picture, text)
    }

    /// Where a choice stands on the picture, if it has a place there.
    pub fn x(&self, panel: Panel, pick: &Pick) -> Option<Tenths> {
        let area = self.picture.panels.iter().find(|p| p.panel == panel)?;
        match pick {
            Pick::Offset(offset) => {
                let count = i64::try_from(self.picture.columns.len()).ok()?;
                let (place, part) = self.picture.columns.edge(Offset(*offset));
                let reach = i64::try_from(place).ok()? * 1000 + i64::from(part);
                let width = i64::from(area.right - area.left);
                let x = i64::from(area.left) + width * reach / (count.max(1) * 1000);
                i32::try_from(x).ok()
            }
            Pick::Record(Some(record)) => {
                let targets = self.picture.targets.iter();
                let own = targets.filter(|t| t.target == Target::Record(*record));
                let mut inside =
                    own.filter(|t| area.left <= t.area.left && t.area.right <= area.right + px(1));
                inside.next().map(|t| (t.area.left + t.area.right) / 2)
            }
            _ => None,
        }
    }
}

/// The markup without what only the live picture needs: ids, and names of single marks (the picture has one name, and a
/// table says everything).
fn slim(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(place) = rest.find([' ', '<']) {
        let (front, back) = rest.split_at(place);
        out.push_str(front);
        let skipped = [" data-id=\"", " role=\"img\" aria-label=\""]
            .iter()
            .find_map(|name| back.strip_prefix(name))
            // Words may hold the same letters, but never a quotation mark that is not escaped.
            .and_then(|inside| inside.split_once('"'));
        match skipped {
            Some((_, after)) => rest = after,
            None => {
                let step = back.chars().next().map_or(1, char::len_utf8);
                let (one, after) = back.split_at(step);
                out.push_str(one);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The markup with every coordinate at a whole px: half a px is not seen, and an eighth of the page's weight.
fn whole(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    let mut in_tag = false;
    let mut rest = markup;
    while let Some(c) = rest.chars().next() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ => {}
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if !in_tag || digits == 0 {
            out.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or("");
            continue;
        }
        let (number, after) = rest.split_at(digits);
        let fraction = after
            .strip_prefix('.')
            .and_then(|f| f.chars().next()?.to_digit(10));
        match (fraction, number.parse::<u64>()) {
            (Some(tenths), Ok(number)) => {
                out.push_str(&(number + u64::from(tenths >= 5)).to_string());
                rest = after.get(2..).unwrap_or("");
            }
            _ => {
                out.push_str(number);
                rest = after;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_whole_and_words_stay() {
        let markup = "<path class=\"r1\" d=\"M188.4 104V-244.6\"/><text x=\"9.5\">2.02 s</text>";
        let whole_ones = "<path class=\"r1\" d=\"M188 104V-245\"/><text x=\"10\">2.02 s</text>";
        assert_eq!(whole(markup), whole_ones);
    }

    #[test]
    fn ids_and_names_of_marks_are_left_out() {
        let markup = "<g data-id=\"ok/1\" class=\"g\" role=\"img\" aria-label=\"m1 &quot;ok&quot;\"><path class=\"a\"/></g>";
        assert_eq!(slim(markup), "<g class=\"g\"><path class=\"a\"/></g>");
    }
}
