//! The picture that a chat or a social platform shows of a lesson: its title above the run of its first step, in the shape
//! that previews have. They take pixels only, so the build draws this as PNG.

use std::fmt::Write;

use highwater::text::{Locale, Text};

use crate::html::{escaped, plain};
use crate::lesson::Lesson;
use crate::words::Words;

/// Name of the file beside a lesson's page.
pub const FILE: &str = "preview.png";
/// Width and height in px: the shape that previews are cropped to.
pub const SIZE: (u32, u32) = (1200, 630);

/// Paper at the edges.
const MARGIN: u32 = 56;
/// Size of the title's letters.
const LETTERS: u32 = 46;
/// Lines that a title may take.
const LINES: usize = 2;

/// The preview as SVG; none for a lesson without prose in that language or without a picture.
pub fn card(lesson: &Lesson, text: &Text, words: &Words) -> Option<String> {
    let locale = text.locale();
    let said = lesson.prose.get(&locale)?;
    let (_, picture) = crate::page::pictures(lesson, text, "").into_iter().next()?;
    let (width, height) = SIZE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" xml:lang=\"{}\">\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><g fill=\"#1a1d21\" font-family=\"{}\">",
        locale.tag(),
        fonts(locale)
    );
    let small = format!("Highwater · {}", words.say("Lessons"));
    let _ = write!(
        out,
        "<text x=\"{MARGIN}\" y=\"62\" font-size=\"24\" fill=\"#5a6068\">{}</text>",
        escaped(&small)
    );
    let most = f64::from(width - 2 * MARGIN) / f64::from(LETTERS);
    let lines = wrapped(&plain(&said.title), most);
    let mut y = 122;
    for line in &lines {
        let _ = write!(
            out,
            "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"{LETTERS}\" font-weight=\"600\">{}</text>",
            escaped(line)
        );
        y += 58;
    }
    out.push_str("</g>");
    out.push_str(&below(&picture, y - 24)?);
    out.push_str("</svg>");
    Some(out)
}

/// The picture as wide as the card, from `top` on; what does not fit is cut off.
fn below(picture: &str, top: u32) -> Option<String> {
    let (width, height) = (SIZE.0 - 2 * MARGIN, SIZE.1 - top);
    let view = picture.split("viewBox=\"0 0 ").nth(1)?.split('"').next()?;
    let own: f64 = view.split(' ').next()?.parse().ok()?;
    let inside = picture.split_once('>')?.1.rsplit_once("</svg>")?.0;
    let seen = own * f64::from(height) / f64::from(width);
    Some(format!(
        "<svg class=\"pic\" x=\"{MARGIN}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {own} {seen:.1}\" \
         preserveAspectRatio=\"xMinYMin slice\">{inside}</svg>"
    ))
}

/// The title in lines of at most so many widths of a Han letter. Korean and English break between words, Chinese anywhere.
fn wrapped(title: &str, most: f64) -> Vec<String> {
    let wide = |c: char| if c.is_ascii() { 0.56 } else { 1.0 };
    let width = |text: &str| text.chars().map(wide).sum::<f64>();
    let mut lines = vec![String::new()];
    for piece in pieces(title) {
        let full = lines
            .last()
            .is_some_and(|line| !line.is_empty() && width(line) + width(piece.trim_end()) > most);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(piece);
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        if let Some(line) = lines.last_mut() {
            *line = format!("{}…", line.trim_end());
        }
    }
    lines
}

/// What may stand on a line of its own: a word with the space after it, or a Han letter.
fn pieces(title: &str) -> Vec<&str> {
    let han =
        |c: char| ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{ff00}'..='\u{ffef}').contains(&c);
    let mut list = Vec::new();
    let mut start = 0;
    let mut letters = title.char_indices().peekable();
    while let Some((place, c)) = letters.next() {
        let end = place + c.len_utf8();
        let next = letters.peek().map(|(_, next)| *next);
        // A mark never begins a line.
        let mark = next.is_some_and(|next| "，。：？！、；）".contains(next));
        let breaks = c == ' ' || ((han(c) || next.is_some_and(han)) && !mark);
        if (breaks || next.is_none())
            && let Some(piece) = title.get(start..end)
        {
            list.push(piece);
            start = end;
        }
    }
    list
}

fn fonts(locale: Locale) -> &'static str {
    match locale {
        Locale::Zh => "Noto Sans CJK SC, Noto Sans, DejaVu Sans, sans-serif",
        _ => "Noto Sans CJK KR, Noto Sans, DejaVu Sans, sans-serif",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_break_where_readers_expect_it() {
        assert_eq!(
            wrapped("How far behind may a follower be?", 12.0),
            ["How far behind may a ", "follower be?"]
        );
        assert_eq!(
            wrapped("一条记录，丢了吗？", 5.0),
            ["一条记录，", "丢了吗？"]
        );
        let long = wrapped(&"word ".repeat(60), 12.0);
        assert!(long.len() == LINES && long[1].ends_with('…'));
    }
}
