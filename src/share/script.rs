//! The short form of a script in a link. It is a form of the text, not of its meaning: comments, spaces and mistakes come
//! back as they were.
//!
//! A space is `_`, a line end is `~`. `at 530ms kill 1` is `530_kill_1`, `after 3ms kill 1` is `-3_kill_1`,
//! `then kill 1` is `.kill_1`. `!` and a letter stand for what software between two people would change. None of the
//! marks is changed by percent-encoding or decoding.

/// The characters that have a mark of their own; the letter after `!`.
const MARKS: &[(char, char)] = &[
    ('_', '_'),
    ('~', '~'),
    ('!', '!'),
    ('%', 'p'),
    ('+', 's'),
    ('&', 'a'),
    ('#', 'h'),
    ('"', 'q'),
    ('\t', 't'),
    ('\r', 'r'),
];
/// The line stands as it is.
const VERBATIM: &str = "!v";
/// The text does not end with a line end.
const OPEN_END: char = 'n';
/// Nothing: a link must not end with a sign that a sentence could have put there.
const NOTHING: char = 'e';

/// The short form of a text.
pub fn shorten(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (body, open) = match text.strip_suffix('\n') {
        Some(body) => (body, false),
        None => (text, true),
    };
    for (place, line) in body.split('\n').enumerate() {
        if place > 0 {
            out.push('~');
        }
        match short_line(line) {
            Some(short) => mark(&mut out, &short),
            None => {
                if begins_short(line) {
                    out.push_str(VERBATIM);
                }
                mark(&mut out, line);
            }
        }
    }
    if open {
        out.extend(['!', OPEN_END]);
    } else if !out.ends_with(|c: char| c.is_ascii_alphanumeric()) {
        out.extend(['!', NOTHING]);
    }
    out
}

/// The text of a short form. Whatever is given stands for some text.
pub fn lengthen(short: &str) -> String {
    let mut out = String::with_capacity(short.len() * 2);
    let mut open = false;
    let mut rest = short;
    loop {
        let end = line_end(rest);
        let (line, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        match line.strip_prefix(VERBATIM) {
            Some(line) => open |= unmark(&mut out, line),
            None => {
                let mut words = String::new();
                open |= unmark(&mut words, line);
                long_line(&mut out, &words);
            }
        }
        match after.strip_prefix('~') {
            Some(next) => {
                out.push('\n');
                rest = next;
            }
            None => break,
        }
    }
    if !open {
        out.push('\n');
    }
    out
}

/// Where the line that `text` begins with ends: at the first `~` that is not marked.
fn line_end(text: &str) -> usize {
    let mut marked = false;
    for (at, c) in text.char_indices() {
        match c {
            '~' if !marked => return at,
            '!' => marked = !marked,
            _ => marked = false,
        }
    }
    text.len()
}

fn mark(out: &mut String, text: &str) {
    for c in text.chars() {
        match MARKS.iter().find(|(plain, _)| *plain == c) {
            Some((_, letter)) => out.extend(['!', *letter]),
            None => out.push(if c == ' ' { '_' } else { c }),
        }
    }
}

/// Adds the plain text; whether the text does not end with a line end.
fn unmark(out: &mut String, text: &str) -> bool {
    let mut open = false;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '!' => match chars.next() {
                Some(OPEN_END) => open = true,
                Some(NOTHING) | None => {}
                Some(letter) => match MARKS.iter().find(|(_, known)| *known == letter) {
                    Some((plain, _)) => out.push(*plain),
                    None => out.extend(['!', letter]),
                },
            },
            '_' => out.push(' '),
            _ => out.push(c),
        }
    }
    open
}

fn begins_short(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.')
}

/// `530 kill 1` for `at 530ms kill 1`; none when the line has no short form that comes back as the line.
fn short_line(line: &str) -> Option<String> {
    if let Some(action) = line.strip_prefix("then ") {
        return Some(format!(".{action}"));
    }
    let (mark, rest) = match line.strip_prefix("at ") {
        Some(rest) => ("", rest),
        None => ("-", line.strip_prefix("after ")?),
    };
    let (time, action) = rest.split_once(' ')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if is_number(time) || !time.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let short = time.strip_suffix("ms").filter(|time| is_number(time));
    Some(format!("{mark}{} {action}", short.unwrap_or(time)))
}

fn long_line(out: &mut String, line: &str) {
    if !begins_short(line) {
        out.push_str(line);
        return;
    }
    if let Some(action) = line.strip_prefix('.') {
        out.push_str("then ");
        out.push_str(action);
        return;
    }
    let (word, rest) = match line.strip_prefix('-') {
        Some(rest) => ("after ", rest),
        None => ("at ", line),
    };
    let time = rest.split(' ').next().unwrap_or_default();
    out.push_str(word);
    out.push_str(time);
    if !time.is_empty() && time.bytes().all(|b| b.is_ascii_digit()) {
        out.push_str("ms");
    }
    out.push_str(rest.get(time.len()..).unwrap_or_default());
}
