//! How wide words are, without a font: averages of common sans fonts, a little too wide rather than too narrow.

use super::class::Look;
use super::shape::Tenths;

/// Hundredths of an em that a character takes.
fn advance(c: char) -> i32 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | '\'' | '|' | '!' | ':' | ';' | ' ' => 28,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '·' => 37,
        'm' | 'w' | 'M' | 'W' | '…' | '—' => 88,
        'A'..='Z' | '_' | '≠' | '+' | '=' => 68,
        '0'..='9' => 57,
        'a'..='z' | '–' => 55,
        _ if c < '\u{1100}' => 60,
        _ => 100,
    }
}

/// Font size in tenths of a px, and whether it is heavy.
fn font(look: Look) -> (i32, bool) {
    match look {
        Look::Title => (140, true),
        Look::RecordName => (125, true),
        // A little more than it is: these stand beside others, and the widest common sans is an eighth wider.
        Look::StepWords => (135, false),
        Look::Time => (130, false),
        Look::Axis | Look::Key | Look::Note | Look::WordLeo | Look::Aside => (115, false),
        Look::AxisChosen
        | Look::FoldDuration
        | Look::NoteStrong
        | Look::AsideLost
        | Look::WordHw
        | Look::LaneNumber => (115, true),
        Look::NoteLost => (125, true),
        Look::WordLost | Look::SelectName | Look::PlayTime | Look::Badge => (120, true),
        _ => (120, false),
    }
}

/// How wide the words are in this look.
pub fn width(look: Look, words: &str) -> Tenths {
    let (size, heavy) = font(look);
    let hundredths = words
        .chars()
        .fold(0_i32, |sum, c| sum.saturating_add(advance(c)));
    let plain = hundredths.saturating_mul(size) / 100;
    if heavy {
        plain.saturating_mul(106) / 100
    } else {
        plain
    }
}

/// How wide they are in the widest common sans, which is an eighth wider than the average: for words that have something
/// beside or behind them that they must not touch or leave.
pub fn widest(look: Look, words: &str) -> Tenths {
    width(look, words).saturating_mul(9) / 8
}

/// How wide a text is that begins with heavier words.
pub fn both(look: Look, strong: &str, words: &str) -> Tenths {
    let gap = if strong.is_empty() || words.is_empty() {
        0
    } else {
        width(look, " ")
    };
    let heavier = width(look, strong).saturating_mul(106) / 100;
    heavier
        .saturating_add(gap)
        .saturating_add(width(look, words))
}

/// The words, cut with an ellipsis to fit.
pub fn fit(look: Look, words: &str, room: Tenths) -> String {
    if width(look, words) <= room {
        return words.to_owned();
    }
    let mut out = String::new();
    let mut left = room.saturating_sub(width(look, "…"));
    for c in words.chars() {
        let mut buffer = [0_u8; 4];
        left = left.saturating_sub(width(look, c.encode_utf8(&mut buffer)));
        if left < 0 {
            break;
        }
        out.push(c);
    }
    while out.ends_with(' ') {
        out.pop();
    }
    out.push('…');
    out
}
