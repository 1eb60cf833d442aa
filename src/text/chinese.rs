//! Chinese sets a space between a Han character and a Latin letter or digit. Messages have it where both are written
//! there; where a value meets the text it is set here.

/// The text with a space at each place where Han meets Latin without one.
pub fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before: Option<char> = None;
    for c in text.chars() {
        if before.is_some_and(|b| (is_han(b) && is_latin(c)) || (is_latin(b) && is_han(c))) {
            out.push(' ');
        }
        out.push(c);
        before = Some(c);
    }
    out
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '`' || c == '{' || c == '}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_stands_between_han_and_latin() {
        assert_eq!(
            spaced("把m3追加到 offset 2，LEO变为3。"),
            "把 m3 追加到 offset 2，LEO 变为 3。"
        );
        assert_eq!(spaced("ISR{1, 2}中"), "ISR{1, 2} 中");
        assert_eq!(spaced("消费者"), "消费者");
    }
}
