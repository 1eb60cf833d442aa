//! The diagram as markup: lanes, arrows, words; only what touches the visible stretch.

use core::fmt::Write;
use std::collections::BTreeSet;

use highwater_core::kafka::ids::MessageId;

use super::super::class::{Class, Hue, Look};
use super::super::measure;
use super::super::shape::{Anchor, Form, Glyph, Point, Shape, Tenths, at, glyph, px};
use super::super::sheet::id;
use super::super::svg::{decimal, escape, markup, write_shape};
use super::Diagram;
use super::arrow::{Arrow, End};

/// About so many arrows are written at once: past that none could be told from another, so every second, fourth … is.
const MOST: usize = 320;

/// What is drawn apart from the run.
#[derive(Clone, Copy, Default)]
pub struct Marks<'a> {
    /// The selected message.
    pub selected: Option<MessageId>,
    /// The other half of its exchange.
    pub partner: Option<MessageId>,
    /// What a folded pause says of the messages in it.
    pub holds: Option<&'a dyn Fn(usize) -> String>,
}

impl Diagram {
    /// The stretch from `top` to `bottom`; the second is how many arrows of it are not drawn because there are too many.
    pub fn markup(&self, top: Tenths, bottom: Tenths, marks: &Marks<'_>) -> (String, usize) {
        let mut out = markup(&self.names);
        self.lanes(&mut out);
        let inside: Vec<(usize, &Arrow)> = self
            .arrows
            .iter()
            .enumerate()
            .take_while(|(_, arrow)| arrow.from.y <= bottom)
            .filter(|(_, arrow)| arrow.within(top, bottom))
            .collect();
        let is = |arrow: &Arrow, id: Option<MessageId>| {
            id.is_some_and(|id| arrow.message == id || arrow.others.contains(&id))
        };
        // A power of two, and by the place among all arrows: so scrolling leaves the same ones out.
        let every = inside.len().div_ceil(MOST).next_power_of_two();
        let mut written: BTreeSet<u64> = BTreeSet::new();
        for (place, arrow) in &inside {
            let chosen = is(arrow, marks.selected);
            let partner = !chosen && is(arrow, marks.partner);
            let loud = chosen || partner || arrow.carries || arrow.end != End::Arrived;
            if loud || place % every == 0 {
                write_arrow(&mut out, arrow, chosen, partner);
                written.insert(u64::from(arrow.message.0));
            }
        }
        let near = self.labels.iter().filter(|shape| shape.within(top, bottom));
        for shape in near.filter(|shape| written.contains(&shape.id.of)) {
            write_shape(&mut out, shape);
        }
        if let Some(holds) = marks.holds {
            self.folds(&mut out, (top, bottom), holds);
        }
        (out, inside.len().saturating_sub(written.len()))
    }

    fn lanes(&self, out: &mut String) {
        let clock = &self.clock;
        for (place, lane) in self.lanes.list.iter().enumerate() {
            line(
                out,
                "lane-off",
                Hue::Plain,
                at(lane.x, clock.top()),
                at(lane.x, clock.bottom()),
            );
            let end = clock.end();
            let y = |t| if t >= end { clock.bottom() } else { clock.y(t) };
            for (from, to) in &lane.alive {
                line(
                    out,
                    "lane-on",
                    lane.hue,
                    at(lane.x, y(*from)),
                    at(lane.x, y(*to)),
                );
                if *to < end {
                    let spot = at(lane.x, y(*to));
                    let name = id("lanedead", place as u64, 0);
                    write_shape(out, &glyph(name, Look::Dead, Glyph::Dead, spot, px(6)));
                }
            }
            for (from, to) in &lane.leads {
                line(
                    out,
                    "lane-leads",
                    Hue::Leader,
                    at(lane.x, y(*from)),
                    at(lane.x, y(*to)),
                );
            }
        }
    }

    fn folds(
        &self,
        out: &mut String,
        (top, bottom): (Tenths, Tenths),
        holds: &dyn Fn(usize) -> String,
    ) {
        let Some((first, last)) = self.lanes.list.first().zip(self.lanes.list.last()) else {
            return;
        };
        for fold in self.folded.iter().filter(|f| f.y >= top && f.y <= bottom) {
            let words = holds(fold.messages.len());
            let form = Form::Text {
                at: at(first.x + (last.x - first.x) / 2, fold.y + px(4)),
                anchor: Anchor::Middle,
                strong: String::new(),
                width: measure::width(Look::Note, &words),
                words,
            };
            let name = id("foldholds", fold.from.0, 0);
            write_shape(out, &Shape::new(name, Class::from(Look::Key), form));
        }
    }
}

fn line(out: &mut String, class: &str, hue: Hue, from: Point, to: Point) {
    let _ = write!(out, "<path class=\"{class} {}\" d=\"", hue.css());
    path(out, from, to);
    out.push_str("\"/>");
}

fn path(out: &mut String, from: Point, to: Point) {
    for (letter, point) in [('M', from), ('L', to)] {
        out.push(letter);
        decimal(out, point.x);
        out.push(' ');
        decimal(out, point.y);
    }
}

fn write_arrow(out: &mut String, arrow: &Arrow, chosen: bool, partner: bool) {
    let _ = write!(
        out,
        "<g class=\"msg{}{}{}{}{}{}\" data-message=\"{}\"",
        word(arrow.answer, " answer"),
        word(arrow.idle, " idle"),
        word(arrow.end == End::Lost, " lost"),
        word(arrow.carries, " carries"),
        word(chosen, " chosen"),
        word(partner, " partner"),
        arrow.message.0
    );
    out.push_str(" data-do=\"seek:");
    escape(out, &arrow.event.0.to_string());
    out.push_str("\"><path class=\"hit\" d=\"");
    path(out, arrow.from, arrow.to);
    let _ = write!(out, "\"/><path class=\"wire {}\" d=\"", arrow.hue.css());
    path(out, arrow.from, arrow.to);
    out.push_str("\"/>");
    if arrow.end == End::Arrived {
        let _ = write!(out, "<path class=\"tip {}\" d=\"", arrow.hue.css());
        tip(out, arrow);
        out.push_str("\"/>");
    }
    if arrow.end == End::Lost {
        let name = id("msglost", u64::from(arrow.message.0), 0);
        write_shape(out, &glyph(name, Look::Lost, Glyph::Lost, arrow.to, px(6)));
    }
    if arrow.end == End::Open {
        out.push_str("<circle class=\"open\"");
        for (name, value) in [("cx", arrow.to.x), ("cy", arrow.to.y), ("r", px(3))] {
            let _ = write!(out, " {name}=\"");
            decimal(out, value);
            out.push('"');
        }
        out.push_str("/>");
    }
    out.push_str("</g>");
}

fn word(is_so: bool, word: &'static str) -> &'static str {
    if is_so { word } else { "" }
}

/// A chevron at the end, along the arrow.
fn tip(out: &mut String, arrow: &Arrow) {
    let (dx, dy) = (
        i64::from(arrow.to.x - arrow.from.x),
        i64::from(arrow.to.y - arrow.from.y),
    );
    let length = (dx * dx + dy * dy).isqrt().max(1);
    let (back, aside) = (i64::from(px(7)), i64::from(px(3)) + 5);
    let corner = |side: i64| {
        let x = -dx * back / length - dy * aside * side / length;
        let y = -dy * back / length + dx * aside * side / length;
        at(
            arrow.to.x + i32::try_from(x).unwrap_or(0),
            arrow.to.y + i32::try_from(y).unwrap_or(0),
        )
    };
    path(out, corner(1), arrow.to);
    out.push('L');
    let last = corner(-1);
    decimal(out, last.x);
    out.push(' ');
    decimal(out, last.y);
}
