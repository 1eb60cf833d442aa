//! Shapes as SVG markup, for the page and for a file. Integers are written as decimals; no float is involved.

use core::fmt::Write;

use super::class::{Class, Look};
use super::shape::{Anchor, Bounds, Form, Glyph, Point, Shape, Tenths, at, px};

/// Names of the patterns that [`patterns`] makes; the style sheet fills looks with them.
pub const PATTERNS: [&str; 4] = ["hw-gap", "hw-tail", "hw-lost", "hw-veil"];

/// Tenths as a decimal: 745 is "74.5".
pub fn decimal(out: &mut String, tenths: Tenths) {
    if tenths < 0 {
        out.push('-');
    }
    let whole = tenths.unsigned_abs();
    digits(out, whole / 10);
    if !whole.is_multiple_of(10) {
        out.push('.');
        digits(out, whole % 10);
    }
}

/// A number, without the machinery of the formatter: a picture has thousands of them.
fn digits(out: &mut String, number: u32) {
    if number >= 10 {
        digits(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// A text with what XML needs escaped.
pub fn escape(out: &mut String, text: &str) {
    let plain = |byte: u8| byte >= b' ' && !matches!(byte, b'&' | b'<' | b'>' | b'"');
    if text.bytes().all(plain) {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        // Control characters are not allowed in XML, whatever a title held.
        escape_char(out, if c < ' ' { ' ' } else { c });
    }
}

/// A character, escaped where markup needs it.
pub fn escape_char(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        c => out.push(c),
    }
}

/// The `<defs>` with the hatches and dots. Once a page, or once a file.
pub fn patterns() -> String {
    let hatch = |name: &str, size: u32, turn: i32, ground: &str, line: &str| {
        format!(
            "<pattern id=\"{name}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate({turn})\"><rect width=\"{size}\" height=\"{size}\" class=\"{ground}\"/><path d=\"M0 0V{size}\" class=\"{line}\"/></pattern>"
        )
    };
    let mut out = String::from("<defs>");
    out.push_str(&hatch("hw-gap", 6, 45, "p-gapground", "p-gap"));
    out.push_str("<pattern id=\"hw-tail\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><circle cx=\"1.5\" cy=\"1.5\" r=\"1\" class=\"p-tail\"/><circle cx=\"4.5\" cy=\"4.5\" r=\"1\" class=\"p-tail\"/></pattern>");
    out.push_str(&hatch("hw-lost", 6, -45, "p-lostground", "p-lost"));
    out.push_str(&hatch("hw-veil", 8, 45, "p-veil", "p-veilline"));
    out.push_str("</defs>");
    out
}

/// Shapes as markup, in order.
pub fn markup<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> String {
    let mut out = String::new();
    for shape in shapes {
        write_shape(&mut out, shape);
    }
    out
}

/// One shape as markup.
pub fn write_shape(out: &mut String, shape: &Shape) {
    match &shape.form {
        Form::Text {
            at,
            anchor,
            strong,
            words,
            ..
        } => write_text(out, shape, *at, *anchor, (strong, words)),
        Form::Glyph {
            glyph,
            middle,
            radius,
        } => {
            out.push_str("<g");
            attributes(out, shape);
            out.push('>');
            write_glyph(out, *glyph, *middle, *radius);
            out.push_str("</g>");
        }
        Form::Rect(bounds) => {
            out.push_str("<rect");
            attributes(out, shape);
            number(out, "x", bounds.left);
            number(out, "y", bounds.top);
            number(
                out,
                "width",
                bounds.right.saturating_sub(bounds.left).max(0),
            );
            number(
                out,
                "height",
                bounds.bottom.saturating_sub(bounds.top).max(0),
            );
            if let Some(pattern) = pattern_of(shape.class.look) {
                let _ = write!(out, " fill=\"url(#{pattern})\"");
            }
            out.push_str("/>");
        }
        _ => {
            out.push_str("<path");
            attributes(out, shape);
            out.push_str(" d=\"");
            path_data(out, &shape.form);
            out.push_str("\"/>");
        }
    }
}

fn attributes(out: &mut String, shape: &Shape) {
    out.push_str(" data-id=\"");
    out.push_str(shape.id.part);
    out.push('-');
    // Records, offsets, brokers and steps are small numbers.
    match u32::try_from(shape.id.of) {
        Ok(of) => digits(out, of),
        Err(_) => drop(write!(out, "{}", shape.id.of)),
    }
    out.push('-');
    digits(out, shape.id.place);
    out.push('"');
    class_attribute(out, shape.class);
    if !shape.label.is_empty() {
        out.push_str(" role=\"img\" aria-label=\"");
        escape(out, &shape.label);
        out.push('"');
    }
}

fn class_attribute(out: &mut String, class: Class) {
    out.push_str(" class=\"");
    out.push_str(class.look.css());
    let hue = class.hue.css();
    if !hue.is_empty() {
        out.push(' ');
        out.push_str(hue);
    }
    out.push('"');
}

fn number(out: &mut String, name: &str, value: Tenths) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    decimal(out, value);
    out.push('"');
}

fn write_text(out: &mut String, shape: &Shape, spot: Point, anchor: Anchor, words: (&str, &str)) {
    out.push_str("<text");
    attributes(out, shape);
    number(out, "x", spot.x);
    number(out, "y", spot.y);
    match anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    out.push('>');
    if !words.0.is_empty() {
        out.push_str("<tspan class=\"strong\">");
        escape(out, words.0);
        out.push_str("</tspan>");
        if !words.1.is_empty() {
            out.push(' ');
        }
    }
    escape(out, words.1);
    out.push_str("</text>");
}

/// The `d` of a line, stair, outline, ruler or zigzag.
pub fn path_data(out: &mut String, form: &Form) {
    match form {
        Form::Line(a, b) => {
            move_to(out, *a);
            line_to(out, *b, *a);
        }
        Form::Lines(lines) => {
            for (a, b) in lines {
                move_to(out, *a);
                line_to(out, *b, *a);
            }
        }
        Form::Path { points, closed } => {
            let mut before: Option<Point> = None;
            for point in points {
                match before {
                    None => move_to(out, *point),
                    Some(last) => line_to(out, *point, last),
                }
                before = Some(*point);
            }
            if *closed {
                out.push('Z');
            }
        }
        Form::Zigzag { left, right, y } => zigzag(out, *left, *right, *y),
        Form::Rect(b) => outline(out, *b),
        Form::Glyph { .. } | Form::Text { .. } => {}
    }
}

/// Steps from corner to corner, not places: an edge has hundreds of corners, and a picture has many edges.
fn zigzag(out: &mut String, left: Tenths, right: Tenths, y: Tenths) {
    const STEP: Tenths = px(5);
    move_to(out, at(left, y));
    let mut before = 'l';
    let mut x = left;
    let mut down = -25;
    while x < right {
        let step = right.saturating_sub(x).min(STEP);
        out.push(before);
        decimal(out, step);
        if down > 0 {
            out.push(' ');
        }
        decimal(out, down);
        before = ' ';
        x = x.saturating_add(step);
        down = if down < 0 { 50 } else { -50 };
    }
}

fn outline(out: &mut String, b: Bounds) {
    move_to(out, at(b.left, b.top));
    for point in [
        at(b.right, b.top),
        at(b.right, b.bottom),
        at(b.left, b.bottom),
    ] {
        out.push('L');
        pair(out, point);
    }
    out.push('Z');
}

fn pair(out: &mut String, p: Point) {
    decimal(out, p.x);
    out.push(' ');
    decimal(out, p.y);
}

fn move_to(out: &mut String, p: Point) {
    out.push('M');
    pair(out, p);
}

fn line_to(out: &mut String, p: Point, from: Point) {
    if p.x == from.x {
        out.push('V');
        decimal(out, p.y);
    } else if p.y == from.y {
        out.push('H');
        decimal(out, p.x);
    } else {
        out.push('L');
        pair(out, p);
    }
}

fn write_glyph(out: &mut String, glyph: Glyph, c: Point, r: Tenths) {
    match glyph {
        Glyph::Ok => {
            circle(out, "g-ok", c, r);
            let start = at(c.x - r * 48 / 100, c.y);
            let low = at(start.x + r * 36 / 100, c.y + r * 40 / 100);
            strokes(
                out,
                "g-tick",
                &[&[start, low, at(low.x + r * 62 / 100, low.y - r * 82 / 100)]],
            );
        }
        Glyph::Refused => {
            square(out, "g-refused", c, r);
            strokes(
                out,
                "g-tick",
                &[&[at(c.x - r / 2, c.y), at(c.x + r / 2, c.y)]],
            );
        }
        Glyph::Unknown => {
            circle(out, "g-unknown", c, r);
            sign(
                out,
                "g-query",
                at(c.x, c.y + r * 60 / 100),
                r * 17 / 10,
                "?",
            );
        }
        Glyph::Lost => {
            circle(out, "g-paper", c, r + 15);
            cross(out, "g-cross", c, r * 75 / 100);
        }
        Glyph::Dead => cross(out, "g-dead", c, r * 70 / 100),
        Glyph::Duplicate => {
            square(
                out,
                "g-copy",
                at(c.x - r * 3 / 10, c.y + r * 3 / 10),
                r * 65 / 100,
            );
            square(
                out,
                "g-copy2",
                at(c.x + r * 3 / 10, c.y - r * 3 / 10),
                r * 65 / 100,
            );
        }
        Glyph::Read => {
            out.push_str("<path class=\"g-read\" d=\"");
            let left = c.x - r * 9 / 10;
            move_to(out, at(left, c.y - r));
            line_to(out, at(c.x + r, c.y), at(left, c.y - r));
            line_to(out, at(left, c.y + r), at(c.x + r, c.y));
            out.push_str("Z\"/>");
        }
        Glyph::Badge(n) => {
            circle(out, "g-badge", c, r);
            sign(out, "g-number", at(c.x, c.y + px(4)), 115, &n.to_string());
        }
        Glyph::Grip => {
            // Six dots as one path: every step has a grip.
            out.push_str("<path class=\"g-grip\" d=\"");
            for dx in [-20, 20] {
                for dy in [-40, 0, 40] {
                    move_to(out, at(c.x + dx - px(1), c.y + dy));
                    out.push_str("a1 1 0 1 0 2 0a1 1 0 1 0-2 0");
                }
            }
            out.push_str("\"/>");
        }
    }
}

fn circle(out: &mut String, class: &str, c: Point, r: Tenths) {
    let _ = write!(out, "<circle class=\"{class}\"");
    number(out, "cx", c.x);
    number(out, "cy", c.y);
    number(out, "r", r);
    out.push_str("/>");
}

fn square(out: &mut String, class: &str, c: Point, r: Tenths) {
    let _ = write!(out, "<rect class=\"{class}\"");
    number(out, "x", c.x - r);
    number(out, "y", c.y - r);
    number(out, "width", 2 * r);
    number(out, "height", 2 * r);
    out.push_str("/>");
}

fn cross(out: &mut String, class: &str, c: Point, r: Tenths) {
    let (a, b) = (at(c.x - r, c.y - r), at(c.x + r, c.y + r));
    let (d, e) = (at(c.x + r, c.y - r), at(c.x - r, c.y + r));
    strokes(out, class, &[&[a, b], &[d, e]]);
}

fn strokes(out: &mut String, class: &str, lines: &[&[Point]]) {
    let _ = write!(out, "<path class=\"{class}\" d=\"");
    for points in lines {
        for (nth, point) in points.iter().enumerate() {
            out.push(if nth == 0 { 'M' } else { 'L' });
            pair(out, *point);
        }
    }
    out.push_str("\"/>");
}

/// A sign inside of a mark, with its own size because marks shrink.
fn sign(out: &mut String, class: &str, spot: Point, size: Tenths, sign: &str) {
    let _ = write!(out, "<text class=\"{class}\" text-anchor=\"middle\"");
    number(out, "x", spot.x);
    number(out, "y", spot.y);
    number(out, "font-size", size);
    out.push('>');
    escape(out, sign);
    out.push_str("</text>");
}

/// The looks that are filled with a pattern, and its name.
pub fn pattern_of(look: Look) -> Option<&'static str> {
    match look {
        Look::LaneGap | Look::FoldedGap => Some("hw-gap"),
        Look::Tail => Some("hw-tail"),
        Look::LaneDiverged => Some("hw-lost"),
        _ => None,
    }
}
