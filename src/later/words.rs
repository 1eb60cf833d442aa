//! Says the messages of `later/text` in the reader's language.

use super::keys::{Key, SLOTS};
use crate::text::{Arg, Locale, Text};

/// The messages of each language, one a line, in the order of the keys (written by the build script).
const ENGLISH: &str = include_str!(concat!(env!("OUT_DIR"), "/later_en.msg"));
const KOREAN: &str = include_str!(concat!(env!("OUT_DIR"), "/later_ko.msg"));
const CHINESE: &str = include_str!(concat!(env!("OUT_DIR"), "/later_zh.msg"));

/// A message with its slots filled. Use [`tell!`], which checks the names at compile time.
pub fn fill(text: &Text, key: Key, args: &[(u8, Arg<'_>)]) -> String {
    let table = match text.locale() {
        Locale::En => ENGLISH,
        Locale::Ko => KOREAN,
        Locale::Zh => CHINESE,
    };
    let message = table.lines().nth(key as usize).unwrap_or("");
    text.fill_message(message, SLOTS, args)
}

/// Says a message: `tell!(text, FoldHolds, n = count)`. Every slot of the message is named, in any order.
macro_rules! tell {
    ($text:expr, $key:ident $(, $name:ident = $value:expr)* $(,)?) => {{
        let _ = $crate::later::keys::args::$key { $($name: ()),* };
        $crate::later::words::fill(
            $text,
            $crate::later::keys::Key::$key,
            &[$(($crate::later::keys::slot::$name, $crate::text::Arg::from(&$value))),*],
        )
    }};
}
pub(super) use tell;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_message() {
        for table in [ENGLISH, KOREAN, CHINESE] {
            assert_eq!(table.lines().count(), Key::ALL.len());
            assert!(table.lines().all(|line| !line.trim().is_empty()));
        }
        assert_ne!(ENGLISH, KOREAN);
    }
}
